# SPDX-License-Identifier: MIT OR Apache-2.0
"""Expected results of engines: a manifest by one process, sources and outputs kept."""

import json
import os
import pathlib
import shutil

import finalist.parquet as parquet
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist import _files
from finalist._hashing import Hashing


def write_files(root):
    """Makes a few hundred files in directories, with names that need care."""
    root.mkdir()
    for number in range(400):
        path = root / f"{number % 7}" / f"{number % 40}" / f"file {number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes([number % 256]) * (number * 31))
    (root / "1.txt").write_bytes(b"x" * 3_000_000)
    (root / "new\nline").write_bytes(b"")
    pathlib.Path(os.fsdecode(os.fsencode(root) + b"/\xff\xfe")).write_bytes(b"no UTF-8")
    return root


def manifest_of(root, algorithm, **parameters):
    """Returns the sorted rows and the root."""
    hashing, place = Hashing.of(algorithm, **parameters), os.fsencode(root)
    with _files.Root(place) as opened:
        rows = list(_files.hash_files(opened, sorted(_files.walk(opened)), hashing))
    leaves = _files.leaves(rows, hashing)
    return rows, hashing.root(hashing.range(leaves, 0), _files.FORMAT)


def check(made, root, algorithm, **parameters):
    """Checks that a manifest in parts describes these files."""
    rows, expected = manifest_of(root, algorithm, **parameters)
    parts = sorted(pathlib.Path(made.out).glob("part-*.parquet"))
    table = pa.concat_tables(pq.read_table(path) for path in parts)
    assert table.schema.equals(_files.ROWS)
    assert table.drop_columns(["leaf"]).to_pylist() == rows
    assert made.root == expected
    assert made.count == len(rows) == sum(made.statuses.values())
    members = json.loads(pathlib.Path(made.out, "manifest.json").read_text())
    assert members["finalist.root"] == expected.hex()
    names = {path.name for path in pathlib.Path(made.out).iterdir()}
    assert names == {path.name for path in parts} | {"manifest.json"}


def check_overwriting(hash_parquet, source, tmp_path):
    """Checks that an engine's hash_parquet loses no source and no old output."""
    source = shutil.copytree(source, tmp_path / "data" / "in")
    before = {path: path.read_bytes() for path in source.iterdir()}
    for out in (source, source.parent, source / "out"):
        with pytest.raises(ValueError, match="overlap"):
            hash_parquet(str(source), str(out), "blake2s", column="name", overwrite=True)
        assert {path: path.read_bytes() for path in source.iterdir()} == before
    out = tmp_path / "out"
    hash_parquet(str(source), str(out), "blake2s", column="name")
    old = {path: path.read_bytes() for path in out.iterdir()}
    (source / "1.parquet").write_bytes(b"no Parquet")
    with pytest.raises(parquet.Incomplete, match="is as it was"):
        hash_parquet(str(source), str(out), "blake2b", column="name", overwrite=True)
    assert {path: path.read_bytes() for path in out.iterdir()} == old
    (source / "1.parquet").unlink()
    result = hash_parquet(str(source), str(out), "blake2b", column="name", overwrite=True)
    assert parquet.Output(str(out)).root == result.root
