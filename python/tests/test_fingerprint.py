# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.fingerprint against its definition in Python, and its independence of layouts."""

import random

import finalist
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from conftest import engine
from finalist import merkle

TABLE = pa.table({"id": range(500), "name": [None if n % 7 == 0 else f"n{n}" for n in range(500)]})


def root(leaves, form, key=b"", salt=b"", person=b""):
    """Computes the root of version 2 over leaves, by docs/format/proofs.md."""
    secrets = {"key": key, "salt": salt, "person": person}
    tree = merkle.Tree("blake2s", **secrets)
    tree.extend(leaves)

    def text(value):
        return b"\6" + len(value).to_bytes(8, "little") + value

    values = [
        b"\2\1" + text(form),
        text(b"blake2s"),
        b"\2" + (256).to_bytes(8, "little"),
        b"\1\1" if key else b"\1\0",
        b"\5" + len(salt).to_bytes(8, "little") + salt,
        b"\5" + len(person).to_bytes(8, "little") + person,
        b"\2" + len(leaves).to_bytes(8, "little"),
        b"\5" + (32).to_bytes(8, "little") + tree.root(),
    ]
    return finalist.blake2s(b"".join(values), **secrets).digest()


def names_leaf(names):
    listed = [b"\6" + len(name).to_bytes(8, "little") + name.encode() for name in names]
    return b"\2\x0f" + len(names).to_bytes(8, "little") + b"".join(listed)


@pytest.mark.parametrize(
    "secrets", [{}, {"key": b"key"}, {"key": b"key", "salt": b"a salt", "person": b"person"}]
)
def test_definition(secrets):
    rows = finalist.hash_rows(TABLE, "blake2s", version=2, **secrets).to_list()
    buckets = [b""] * (1 << 16)
    for row in sorted(rows):
        buckets[int.from_bytes(row[:2], "big")] += row
    head = names_leaf(["id", "name"])
    expected = root([head, *buckets], b"finalist-table-1", **secrets)
    assert finalist.fingerprint(TABLE, **secrets) == expected
    leaves = [b"\1\5" + (32).to_bytes(8, "little") + row for row in rows]
    expected = root([head, *leaves], b"finalist-table-ordered-1", **secrets)
    assert finalist.fingerprint(TABLE, ordered=True, **secrets) == expected


def test_the_aggregate_of_polars():
    """The query runs later, with what was given, also if the caller overwrites that."""
    frame = engine("polars").DataFrame(TABLE)
    from finalist.polars import digest_agg

    secrets = {"key": b"key", "salt": b"a salt", "person": b"person"}
    given = {name: bytearray(value) for name, value in secrets.items()}
    aggregate = digest_agg("id", "name", **given)
    for value in given.values():
        value[:] = bytes(len(value))
    assert frame.select(aggregate).item() == finalist.fingerprint(TABLE, **secrets)


def parquet_folder(table, folder):
    for part, codec in enumerate(["snappy", "zstd", "none"]):
        rows = table.slice(part * 200, 200)
        pq.write_table(rows, folder / f"part-{part}.parquet", row_group_size=37, compression=codec)
    return folder


def duckdb_relation(table, folder):
    connection = engine("duckdb").connect()
    connection.register("given", table)
    KEPT.append(connection)
    return connection.sql("select * from given")


KEPT = []

SAME = {
    "chunks": lambda table, folder: pa.concat_tables([table.slice(0, 3), table.slice(3)]),
    "batches": lambda table, folder: table.to_reader(max_chunksize=11),
    "folder": parquet_folder,
    "dataset": lambda table, folder: pa.dataset.dataset(parquet_folder(table, folder)),
    "polars": lambda table, folder: engine("polars").DataFrame(table),
    "duckdb": duckdb_relation,
    "pandas": lambda table, folder: table.to_pandas(),
    "widths": lambda table, folder: table.set_column(0, "id", table["id"].cast(pa.int16())),
    "dictionary": lambda table, folder: table.set_column(
        1, "name", table["name"].dictionary_encode()
    ),
    "views": lambda table, folder: table.set_column(
        1, "name", table["name"].cast(pa.string_view())
    ),
}


@pytest.mark.parametrize("kind", SAME)
@pytest.mark.parametrize("ordered", [False, True])
def test_what_does_not_count(kind, ordered, tmp_path):
    expected = finalist.fingerprint(TABLE, ordered=ordered)
    given = SAME[kind](TABLE, tmp_path)
    assert finalist.fingerprint(given, ordered=ordered, threads=2) == expected


def test_order():
    rows = list(range(500))
    random.Random(1).shuffle(rows)
    shuffled = TABLE.take(pa.array(rows))
    assert finalist.fingerprint(shuffled) == finalist.fingerprint(TABLE)
    ordered = finalist.fingerprint(TABLE, ordered=True)
    assert finalist.fingerprint(shuffled, ordered=True) != ordered


def test_what_counts():
    tables = [
        TABLE,
        TABLE.slice(1),
        pa.concat_tables([TABLE, TABLE.slice(0, 1)]),
        pa.concat_tables([TABLE, TABLE.slice(0, 1), TABLE.slice(0, 1)]),
        TABLE.rename_columns(["name", "id"]),
        TABLE.select(["name", "id"]),
        TABLE.select(["id"]),
        TABLE.set_column(0, "id", TABLE["id"].cast(pa.float64())),
        TABLE.slice(0, 0),
        TABLE.select(["id"]).slice(0, 0),
        pa.table({}),
    ]
    parameters = [{}, {"ordered": True}, {"key": b"k"}, {"person": b"p"}, {"algorithm": "blake3"}]
    found = [finalist.fingerprint(table) for table in tables]
    found += [finalist.fingerprint(TABLE, **given) for given in parameters[1:]]
    assert len(set(found)) == len(found)
    assert {len(each) for each in found} == {32}


def test_chosen_columns():
    whole = finalist.fingerprint(TABLE.select(["name"]))
    assert finalist.fingerprint(TABLE, ["name"]) == whole


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"columns": "id"}, TypeError, "columns is a list of names"),
        ({"columns": ["id", "name", "id"]}, ValueError, "columns has 'id' twice"),
        ({"columns": ["no"]}, ValueError, "the given table has no column 'no'"),
        ({"algorithm": "blake512"}, ValueError, "digest_size must be 64"),
        ({"table": "/no/where"}, FileNotFoundError, "no file or directory"),
        ({"table": 5}, TypeError, "not 'int'"),
    ],
)
def test_errors(given, error, text):
    with pytest.raises(error, match=text):
        finalist.fingerprint(given.pop("table", TABLE), **given)


@pytest.mark.parametrize("ordered", [False, True])
def test_types_are_checked_without_rows(ordered):
    schema = pa.schema([("x", pa.dense_union([pa.field("a", pa.int64())]))])
    nothing = pa.RecordBatchReader.from_batches(schema, [])
    with pytest.raises(TypeError, match="column 'x'"):
        finalist.fingerprint(nothing, ordered=ordered)


def test_a_series_is_no_table():
    pl = engine("polars")
    with pytest.raises(TypeError, match="^a table is required, not a column$"):
        finalist.fingerprint(pl.Series("n", [1]))
    series = pl.Series("n", [{"id": 1}])
    assert finalist.fingerprint(series) == finalist.fingerprint(pa.table({"id": [1]}))
