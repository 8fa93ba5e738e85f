# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.ray against one process."""

import hashlib
import pathlib

import expected
import finalist
import finalist.parquet as parquet
import finalist.ray
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import KEY, SECRETS, name_of, write_table
from faults import Killer, meddle
from finalist import _manifests, _parts
from one_table import DECIMALS, INTEGERS


def digest(name):
    return None if name is None else hashlib.blake2s(name.encode(), key=KEY).digest()


def contents(out):
    return {path.name: path.read_bytes() for path in pathlib.Path(out).iterdir()}


def test_digests_of_batches(ray, tmp_path):
    dataset = ray.data.read_parquet(write_table(tmp_path / "in", files=2, rows=1000))
    function = finalist.ray.Digest("name", "blake2s", key=KEY)
    rows = dataset.map_batches(function, batch_format="pyarrow").take_all()
    assert len(rows) == 2000
    assert all(row["digest"] == digest(name_of(row["id"])) for row in rows)
    made = finalist.ray.digests(dataset, ["id", "name"], "blake2b", name="row", digest_size=8)
    [row] = made.filter(lambda row: row["id"] == 5).take_all()
    table = pa.table({"id": [5], "name": ["name 5"]})
    [expected] = finalist.hash_rows(table, "blake2b", digest_size=8).to_list()
    assert row["row"] == expected


def test_equal_numbers(ray, tmp_path):
    """test_every_engine.py runs the other engines with these tables."""
    given = {"algorithm": "blake2s", "numbers": "by-value"}
    wanted = finalist.hash_rows(INTEGERS, **given).to_list()
    for name, table in {"integers": INTEGERS, "decimals": DECIMALS}.items():
        made = finalist.ray.Digest(table.column_names, **given)(table)
        assert made["digest"].to_pylist() == wanted
        source, out = f"{tmp_path}/{name}.parquet", f"{tmp_path}/{name}"
        pq.write_table(table, source)
        finalist.ray.hash_parquet(source, out, columns=table.column_names, **given)
        assert pq.read_table(out)["digest"].to_pylist() == wanted
    with pytest.raises(ValueError, match="numbers has no use for values"):
        finalist.ray.Digest("n", **given)
    with pytest.raises(ValueError, match="numbers must be"):
        finalist.ray.Digest(["n"], "blake2s", numbers="all")


def test_every_parameter(ray, tmp_path):
    source, out = write_table(tmp_path / "in", files=2, rows=50), str(tmp_path / "out")
    table = pq.read_table(source)
    values = finalist.hash_column("blake2b", table["name"], **SECRETS).to_list()
    rows = finalist.hash_rows(table, "blake2b", **SECRETS).to_list()
    for column, expected_digests in (("name", values), (["id", "name"], rows)):
        made = finalist.ray.Digest(column, "blake2b", name="d", **SECRETS)(table)
        assert made["d"].to_pylist() == expected_digests
    choice = {"columns": ["id", "name"], "keep": ["name"], "name": "d", "root": True}
    result = finalist.ray.hash_parquet(source, out, "blake2b", **choice, **SECRETS)
    one = parquet.hash_parquet(source, str(tmp_path / "one"), "blake2b", **choice, **SECRETS)
    assert result.root == one.root and contents(out) == contents(tmp_path / "one")
    assert pq.read_table(out).to_pydict() == {"name": table["name"].to_pylist(), "d": rows}
    choice |= {"root": False, "overwrite": True}
    assert finalist.ray.hash_parquet(source, out, "blake2b", **choice, **SECRETS).root is None
    made = finalist.ray.manifest(source, str(tmp_path / "M"), "blake2b", **SECRETS)
    expected.check(made, source, "blake2b", **SECRETS)


def test_overwriting(ray, tmp_path):
    source = write_table(tmp_path / "in", files=3, rows=1000)
    expected.check_overwriting(finalist.ray.hash_parquet, source, tmp_path)


def test_a_killed_worker(ray, tmp_path, monkeypatch):
    """Ray tries the part again; the output is that of one process."""
    source = write_table(tmp_path / "in", files=3, rows=400_000, group=100_000)
    monkeypatch.setattr(_parts, "FOOTERS_ON_DRIVER", 2)
    outs = [str(tmp_path / name) for name in ("one", "ray")]
    one = parquet.hash_parquet(source, outs[0], "blake2b", column="name", key=KEY)
    killer = Killer(outs[1])
    result = finalist.ray.hash_parquet(source, outs[1], "blake2b", column="name", key=KEY)
    assert killer.killed, "no worker was seen writing"
    assert result.root == one.root
    assert contents(outs[0]) == contents(outs[1])


def test_a_file_that_vanishes(ray, tmp_path, monkeypatch):
    source = write_table(tmp_path / "in", files=2, rows=1000)
    meddle(monkeypatch, pathlib.Path(source, "0.parquet").unlink)
    with pytest.raises(parquet.Incomplete, match="1 of 2 parts failed") as caught:
        finalist.ray.hash_parquet(source, str(tmp_path / "out"), "blake2s", column="name")
    statuses = [row["status"] for row in caught.value.result.parts.to_pylist()]
    assert statuses == ["vanished", "ok"]


def test_manifests(ray, tmp_path, monkeypatch):
    root = expected.write_files(tmp_path / "in")
    monkeypatch.setattr(_manifests, "DIRECTORIES", 5)
    monkeypatch.setattr(_manifests, "PART_ROWS", 90)
    made = finalist.ray.manifest(str(root), str(tmp_path / "out"), "blake2b", key=KEY)
    assert len(list((tmp_path / "out").glob("part-*"))) > 2
    expected.check(made, root, "blake2b", key=KEY)


def test_wrong_columns_and_keys(ray):
    dataset = ray.data.from_arrow(pa.table({"id": [1], "name": ["one"]}))
    with pytest.raises(ValueError, match="no single column 'nane'; there are: id, name"):
        finalist.ray.digests(dataset, "nane", "blake2s")
    with pytest.raises(TypeError, match="column 'id'"):
        finalist.ray.digests(dataset, "id", "blake2s")
    with pytest.raises(ValueError, match="another name"):
        finalist.ray.digests(dataset, "name", "blake2s", name="id")
    made = finalist.ray.digests(dataset, "name", "blake2s", key=KEY)
    made.materialize()
    texts = [repr(made), made.stats(), repr(finalist.ray.Digest("name", "blake2s", key=KEY))]
    folder = pathlib.Path(ray._private.worker._global_node.get_logs_dir_path())
    texts += [path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file()]
    assert len(texts) > 5 and "Digest" in "".join(texts)
    for needle in (KEY.decode(), KEY.hex(), repr(list(KEY))):
        assert not any(needle in text for text in texts)
