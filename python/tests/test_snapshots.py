# SPDX-License-Identifier: MIT OR Apache-2.0
"""Manifests that are replaced or written to while they are read: the rows compared with the files
have the root that was checked, or there is an error."""

import json
import os
import shutil

import pyarrow.parquet as pq
import pytest
from finalist import manifest


@pytest.fixture
def places(tmp_path):
    """Makes files, changes one after making a manifest, and makes the forger's manifest."""
    files = tmp_path / "files"
    files.mkdir()
    for number in range(300):
        (files / f"{number:03d}").write_bytes(b"%d" % number)
    for form in ("list", "parquet"):
        manifest.create(files, tmp_path / f"M.{form}")
    (files / "007").write_bytes(b"forged")
    for form in ("list", "parquet"):
        manifest.create(files, tmp_path / f"forged.{form}")
    return tmp_path


def parts_of(place, out):
    """Converts a manifest of one file to one in parts."""
    out.mkdir()
    table, metadata = pq.read_table(place), pq.ParquetFile(place).metadata.metadata
    for number, at in enumerate(range(0, table.num_rows, 100)):
        pq.write_table(table[at : at + 100], out / f"part-{number}.parquet")
    members = {name.decode(): value.decode() for name, value in metadata.items()}
    (out / "manifest.json").write_text(json.dumps(members))
    return out


def verified(place, files, action=lambda: None):
    """Returns the differences that verify finds; action runs after the manifest was checked."""
    opened = manifest.Manifest.open(place)
    action()
    return [(each.kind, each.path) for each in opened.verify(files)]


@pytest.mark.parametrize("form", ["list", "parquet"])
def test_another_file_of_the_same_name(places, form):
    place, forged = places / f"M.{form}", places / f"forged.{form}"
    shutil.copy(forged, places / "new")
    found = verified(place, places / "files", lambda: os.replace(places / "new", place))
    assert found == [("changed", b"007")]
    assert place.read_bytes() == forged.read_bytes()


@pytest.mark.parametrize("form", ["list", "parquet"])
def test_another_content_of_the_same_file(places, form):
    place, forged = places / f"M.{form}", places / f"forged.{form}"
    for content in (forged.read_bytes(), b"", forged.read_bytes()[:-9], b"PAR1", bytes(9999)):
        old = place.read_bytes()
        with pytest.raises(manifest.ManifestError):
            verified(place, places / "files", lambda content=content: place.write_bytes(content))
        place.write_bytes(old)
    other = places / f"O.{form}"
    shutil.copy(place, other)
    before, after = manifest.read(place), manifest.read(other)
    other.write_bytes(forged.read_bytes())
    assert before.diff(after) == []  # The roots that were checked are the same.
    with pytest.raises(manifest.ManifestError):
        list(after.rows())


def test_a_part_of_another_manifest(places):
    parts = parts_of(places / "M.parquet", places / "parts")
    forged = parts_of(places / "forged.parquet", places / "forged")
    assert verified(parts, places / "files") == [("changed", b"007")]
    with pytest.raises(manifest.ManifestError, match="the root is not that of the rows"):
        verified(
            parts,
            places / "files",
            lambda: shutil.copyfile(forged / "part-0.parquet", parts / "part-0.parquet"),
        )
    shutil.rmtree(parts)
    parts_of(places / "M.parquet", parts)
    # Another file with a part's name is not read.
    found = verified(
        parts,
        places / "files",
        lambda: os.replace(forged / "part-0.parquet", parts / "part-0.parquet"),
    )
    assert found == [("changed", b"007")]


@pytest.mark.parametrize("form", ["list", "parquet"])
def test_an_object_is_read_once(places, form):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    url, path = f"memory://M.{form}", f"/M.{form}"
    memory.pipe_file(path, (places / f"M.{form}").read_bytes())
    forged = (places / f"forged.{form}").read_bytes()
    found = verified(url, places / "files", lambda: memory.pipe_file(path, forged))
    assert found == [("changed", b"007")]
    memory.rm_file(path)
    with pytest.raises(FileNotFoundError):
        manifest.read(url)


def test_a_second_reading_gives_the_same_rows(places):
    for form in ("list", "parquet"):
        opened = manifest.read(places / f"M.{form}")
        rows = list(opened.rows())
        assert len(rows) == 300 and rows == list(opened.rows())
