# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.dask, and map_partitions by hand."""

import doctest
import hashlib

import dask.dataframe
import expected
import finalist
import finalist.dask
import finalist.parquet as parquet
import pandas as pd
import pyarrow as pa
import pytest
from conftest import KEY, SECRETS, name_of, write_table

NAMES = [name_of(row) for row in range(100)]
EXPECTED = [None if n is None else hashlib.blake2s(n.encode(), key=KEY).digest() for n in NAMES]


@pytest.mark.parametrize("kind", [pd.ArrowDtype(pa.string()), "string[pyarrow]", object])
def test_digests(kind):
    frame = pd.DataFrame({"id": range(100), "name": pd.Series(NAMES, dtype=kind)})
    frame = dask.dataframe.from_pandas(frame, npartitions=3)
    series = finalist.dask.digest(frame["name"], "blake2s", key=KEY)
    made = frame.assign(digest=series).compute()
    assert [None if pd.isna(value) else value for value in made["digest"]] == EXPECTED
    assert made["digest"].dtype == series.dtype == pd.ArrowDtype(pa.binary(32))


def test_every_parameter():
    """They reach each partition, with the name and the index of the series."""
    frame = pd.DataFrame({"name": NAMES}, index=range(5, 105))
    series = dask.dataframe.from_pandas(frame, npartitions=3)["name"]
    given = {name: bytearray(v) if isinstance(v, bytes) else v for name, v in SECRETS.items()}
    made = finalist.dask.digest(series, "blake2b", **given)
    for name in ("key", "salt", "person"):  # The caller overwrites its own.
        given[name][:] = bytes(len(given[name]))
    found = made.compute()
    assert [None if pd.isna(value) else value for value in found] == [
        None if name is None else hashlib.blake2b(name.encode(), **SECRETS).digest()
        for name in NAMES
    ]
    assert (found.name, made.name, list(found.index)) == ("name", "name", list(frame.index))


def test_hash_column_in_map_partitions():
    def hashed(values):
        digests = pa.array(finalist.hash_column("blake2s", pa.array(values), key=KEY))
        return pd.Series(pd.arrays.ArrowExtensionArray(digests), index=values.index)

    frame = pd.DataFrame({"name": pd.Series(NAMES, dtype=pd.ArrowDtype(pa.string()))})
    frame = dask.dataframe.from_pandas(frame, npartitions=3)
    made = frame["name"].map_partitions(hashed).compute()
    assert [None if pd.isna(value) else value for value in made] == EXPECTED


def test_overwriting(tmp_path):
    """Dask has no hash_parquet of its own: a task calls it."""

    def hash_parquet(*arguments, **parameters):
        return dask.delayed(parquet.hash_parquet)(*arguments, **parameters).compute()

    source = write_table(tmp_path / "in", files=3, rows=1000)
    expected.check_overwriting(hash_parquet, source, tmp_path)


def test_wrong_columns_and_keys():
    frame = pd.DataFrame({"id": range(100), "name": NAMES})
    frame = dask.dataframe.from_pandas(frame, npartitions=2)
    with pytest.raises(TypeError, match="column 'id'"):
        finalist.dask.digest(frame["id"], "blake2s")
    with pytest.raises(ValueError, match="key"):
        finalist.dask.digest(frame["name"], "blake2s", key=bytes(33))
    made = [finalist.dask.digest(frame["name"], "blake2s", key=KEY) for _ in range(2)]
    names = [{str(name) for name in series.__dask_graph__()} for series in made]
    texts = [repr(made[0]), repr(made[0].__dask_graph__()), repr(names[0])]
    texts.append(made[0].expr.tree_repr())
    for needle in (KEY.decode(), KEY.hex(), repr(list(KEY))):
        assert not any(needle in text for text in texts)
    # Dask derives tasks' names from their arguments: a name that is the same each time would allow
    # a search for short keys.
    hashed = [{name for name in both if "digest" in name} for both in names]
    assert all(hashed) and not hashed[0] & hashed[1]


def test_docstring():
    failed, count = doctest.testmod(finalist.dask)
    assert count > 3 and failed == 0
