# SPDX-License-Identifier: MIT OR Apache-2.0
"""Manifests that somebody replaces or writes to while they are read: what is compared with the
files has the root that was checked, or there is an error."""

import json
import os
import shutil

import pyarrow.parquet as pq
import pytest
from finalist import _sources, manifest


@pytest.fixture
def places(tmp_path):
    """Files, of which one is changed after a manifest was made, and the forger's manifest."""
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
    """A manifest of one file as one in parts."""
    out.mkdir()
    table, metadata = pq.read_table(place), pq.ParquetFile(place).metadata.metadata
    for number, at in enumerate(range(0, table.num_rows, 100)):
        pq.write_table(table[at : at + 100], out / f"part-{number}.parquet")
    members = {name.decode(): value.decode() for name, value in metadata.items()}
    (out / "manifest.json").write_text(json.dumps(members))
    return out


def after_the_check(monkeypatch, action):
    """Lets something happen between the two readings of a manifest."""
    scan, differing = manifest._scan, manifest._differing

    def scan_after(*arguments, **keywords):
        action()
        return scan(*arguments, **keywords)

    def differing_after(*arguments, **keywords):
        action()
        return differing(*arguments, **keywords)

    monkeypatch.setattr(manifest, "_scan", scan_after)
    monkeypatch.setattr(manifest, "_differing", differing_after)


def verified(place, files):
    """The differences that verify finds with the known root."""
    known = manifest.read(place).root
    return [(each.kind, each.path) for each in manifest.verify(place, files, expected=known)]


@pytest.mark.parametrize("form", ["list", "parquet"])
def test_another_file_of_the_same_name(places, monkeypatch, form):
    place, forged = places / f"M.{form}", places / f"forged.{form}"
    after_the_check(monkeypatch, lambda: shutil.copy(forged, places / "new") and os.replace(
        places / "new", place))
    assert verified(place, places / "files") == [("changed", b"007")]
    assert place.read_bytes() == forged.read_bytes()


@pytest.mark.parametrize("form", ["list", "parquet"])
def test_another_content_of_the_same_file(places, monkeypatch, form):
    place, forged = places / f"M.{form}", places / f"forged.{form}"
    known = manifest.read(place).root
    for content in (forged.read_bytes(), b"", forged.read_bytes()[:-9], b"PAR1", bytes(9999)):
        old = place.read_bytes()
        with monkeypatch.context() as patch:
            after_the_check(patch, lambda content=content: place.write_bytes(content))
            with pytest.raises(manifest.ManifestError, match="changed while it was read|PAR1"):
                manifest.verify(place, places / "files", expected=known)
        place.write_bytes(old)
    other = places / f"O.{form}"
    shutil.copy(place, other)
    after_the_check(monkeypatch, lambda: place.write_bytes(forged.read_bytes()))
    with pytest.raises(manifest.ManifestError, match="changed while it was read"):
        manifest.diff(place, other)


def test_a_part_of_another_manifest(places, monkeypatch):
    parts = parts_of(places / "M.parquet", places / "parts")
    forged = parts_of(places / "forged.parquet", places / "forged")
    known = manifest.read(parts).root
    assert verified(parts, places / "files") == [("changed", b"007")]
    for name in (["part-0.parquet"], ["part-0.parquet", "manifest.json"]):
        with monkeypatch.context() as patch:
            after_the_check(
                patch, lambda name=name: [shutil.copy(forged / each, parts / each) for each in name]
            )
            with pytest.raises(manifest.ManifestError, match="changed while it was read"):
                manifest.verify(parts, places / "files", expected=known)
        shutil.rmtree(parts)
        parts_of(places / "M.parquet", parts)


@pytest.mark.parametrize("form", ["list", "parquet"])
def test_an_object_is_read_once(places, monkeypatch, form):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    url, path = f"memory://M.{form}", f"/M.{form}"
    memory.pipe_file(path, (places / f"M.{form}").read_bytes())
    forged = (places / f"forged.{form}").read_bytes()
    after_the_check(monkeypatch, lambda: memory.pipe_file(path, forged))
    assert verified(url, places / "files") == [("changed", b"007")]
    memory.rm_file(path)
    with pytest.raises(FileNotFoundError):
        manifest.read(url)


def test_a_second_reading_gives_the_same_rows(places):
    for form in ("list", "parquet"):
        with _sources.Opened(places / f"M.{form}", b"", None) as opened:
            rows = list(opened.rows())
            assert len(rows) == 300 and rows == list(opened.rows())
