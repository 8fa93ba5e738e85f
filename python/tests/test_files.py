# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests rows of manifests and manifests in parts, which engines make: docs/format/manifests.md."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import socket
import time
import types
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist import _files, _manifests, manifest, merkle
from finalist._hashing import Hashing

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "format" / "manifests.md"
HASHING = Hashing.of("blake2b", 8)


def rows_of(root, hashing=HASHING):
    with _files.Root(os.fsencode(root)) as opened:
        return list(_files.hash_files(opened, _files.walk(opened), hashing))


def listed_below(root):
    with _files.Root(os.fsencode(root)) as opened:
        return sorted(_files.walk(opened))


def hashed_below(root, listed, hashing=HASHING, **options):
    with _files.Root(os.fsencode(root), **options) as opened:
        return list(_files.hash_files(opened, listed, hashing))


def test_the_page_s_vectors():
    text = PAGE.read_text().split("\n## Vectors\n")[1].split("\nRows of a manifest with")[0]
    rows, expected = [], []
    for line in re.findall(r"^\| x?`.*", text, re.MULTILINE):
        path, _, status, message, leaf = (cell.strip() for cell in line.strip("|\n").split(" | "))
        encoded = bytes.fromhex(message.strip("` |"))
        rest = encoded[29:]
        assert rest[0] == 5
        length = int.from_bytes(rest[1:9], "little")
        name, rest = rest[9 : 9 + length], rest[9 + length :]
        size = int.from_bytes(rest[1:9], "little") if rest[0] == 2 else None
        digest = rest[18:26] if size is not None else None
        row = {"path": name, "size": size, "digest": digest, "status": status.strip("`")}
        rows.append(row)
        expected.append(leaf.strip("` |"))
        assert path == f"`{name.decode('latin-1')}`" or bytes.fromhex(path[2:-1]) == name
    assert len(rows) >= 5
    hashes = _files.leaves(rows, HASHING)
    assert [hashes[at : at + 8].hex() for at in range(0, len(hashes), 8)] == expected
    roots = re.findall(r"^\| first (\d) \| `(\w+)` \| `(\w+)`", text, re.MULTILINE)
    assert len(roots) == 6
    for count, top, root in roots:
        part = HASHING.range(hashes[: int(count) * 8], 0)
        assert part.rfc9162_root().hex() == top
        assert HASHING.root(part, _files.FORMAT).hex() == root


@pytest.mark.parametrize("algorithm", ["blake2b", "blake256", "groestl512", "blake2xs"])
def test_rows(tmp_path, monkeypatch, algorithm):
    monkeypatch.setattr(_files, "SMALL_BYTES", 1000)
    monkeypatch.setattr(_files, "TOGETHER_BYTES", 3000)
    contents = {f"{number % 3}/{number}": bytes([number]) * number * 97 for number in range(40)}
    contents["new\nline"] = b"x"
    for name, content in contents.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "link").symlink_to("0")
    os.mkfifo(tmp_path / "pipe")
    hashing = Hashing.of(algorithm, 20 if algorithm == "blake2xs" else None)
    rows = rows_of(tmp_path, hashing)
    assert sorted(row["path"].decode() for row in rows) == sorted(contents)
    for row in rows:
        content = contents[row["path"].decode()]
        message = hashing.message()
        message.update(content)
        assert (row["size"], row["digest"], row["status"]) == (len(content), message.digest(), "ok")
        status = (tmp_path / row["path"].decode()).stat()
        assert row["modified_ns"] == status.st_mtime_ns
        assert row["changed_ns"] == status.st_ctime_ns
        assert row["inode"] == status.st_ino
    if algorithm == "blake2b":
        assert hashlib.blake2b(contents["1/1"]).digest() in {row["digest"] for row in rows}


def test_contents_are_hashed_before_they_take_much_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(_files, "TOGETHER_BYTES", 3000)
    for number in range(20):
        (tmp_path / str(number)).write_bytes(bytes(1000))
    sizes, counts, hashed = [], [], _files.hashed

    def noted(together, hashing):
        sizes.append(sum(len(content or b"") for _, content in together))
        counts.append(len(together))
        return hashed(together, hashing)

    monkeypatch.setattr(_files, "hashed", noted)
    assert len(rows_of(tmp_path)) == 20 and sizes == [*[3000] * 6, 2000]
    counts.clear()
    monkeypatch.setattr(_files, "TOGETHER_FILES", 2)
    assert len(rows_of(tmp_path)) == 20 and counts == [*[2] * 10, 0]


def test_no_more_of_a_file_is_read_than_asked_for(tmp_path):
    (tmp_path / "file").write_bytes(b"0123456789")
    with open(tmp_path / "file", "rb") as file:
        assert _files._all(file.fileno(), 4) == b"0123"
        assert _files._all(file.fileno(), 9) == b"456789"


class Meddling:
    """Hashes, and meanwhile changes the file."""

    def __init__(self, action):
        self.action = action

    def __getattr__(self, name):
        return getattr(HASHING, name)

    def message(self):
        self.action()
        return HASHING.message()


@pytest.mark.parametrize("other", ["changed", "unreadable"])
def test_whatever_becomes_of_a_file_it_has_a_row(tmp_path, monkeypatch, other):
    """other: the status of what is no regular file any more."""
    names = ["fine", "gone", "pipe", "link", "grows", "folder", "socket"]
    names += ["parent/file", "none/file"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x" * (_files.SMALL_BYTES + 1 if name == "grows" else 10))
    listed = listed_below(tmp_path)
    for name in names[1:4]:
        (tmp_path / name).unlink()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("fine")
    for name in ("folder", "socket"):
        (tmp_path / name).unlink()
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)  # A socket's path is short.
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
    for name in ("parent", "none"):
        shutil.rmtree(tmp_path / name)
    (tmp_path / "parent").touch()

    def grow():
        with open(tmp_path / "grows", "ab") as file:
            file.write(b"y")

    with _files.Root(os.fsencode(tmp_path)) as root:
        made = list(_files.hash_files(root, listed, Meddling(grow), other))
    statuses = {row["path"].decode(): row["status"] for row in made}
    assert statuses == {
        "fine": "ok",
        "gone": "vanished",
        "pipe": other,
        "link": other,
        "grows": "changed",
        "folder": other,
        "socket": other,
        "parent/file": "vanished",
        "none/file": "vanished",
    }


def test_a_change_whose_time_was_set_back_is_seen(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x" * (_files.SMALL_BYTES + 1))
    before = path.stat()
    time.sleep(0.05)  # Longer than a tick, the resolution of the kernel's file times.

    def change():
        path.write_bytes(b"y" * (_files.SMALL_BYTES + 1))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert path.stat().st_mtime_ns == before.st_mtime_ns

    [row] = hashed_below(tmp_path, [(b"file", "ok")], Meddling(change))
    assert row["status"] == "changed"
    assert {row[name] for name in (*_files.CONTENT, *_files.STATE)} == {None}


def test_a_file_that_has_another_size_than_its_content_is_changed():
    """The system gives 0 as the size of files that it makes up."""
    assert os.stat("/proc/version").st_size == 0
    [row] = hashed_below("/proc", [(b"version", "ok")])
    assert (row["status"], row["size"], row["digest"]) == ("changed", None, None)


def test_numbers_that_int64_cannot_hold():
    def status(**values):
        fields = {"st_mtime_ns": 1, "st_ctime_ns": 2, "st_ino": 3, **values}
        return types.SimpleNamespace(**fields)

    most = (1 << 63) - 1
    assert _files.state_of(status()) == (1, 2, 3)
    assert _files.state_of(status(st_mtime_ns=-most, st_ctime_ns=most)) == (-most, most, 3)
    assert _files.state_of(status(st_mtime_ns=most + 1, st_ctime_ns=-most - 2)) == (None, None, 3)
    assert _files.state_of(status(st_ino=most)) == (1, 2, most)
    assert _files.state_of(status(st_ino=most + 1)) == (1, 2, -most - 1)
    assert _files.state_of(status(st_ino=(1 << 64) - 1)) == (1, 2, -1)


def test_a_directory_that_becomes_a_link_is_not_followed(tmp_path):
    """It is followed neither when files are listed nor when they are read, at any depth."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    names = ["a/b/file", "a/file", "file"]
    for root in (inside, outside):
        for name in names:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(bytes(root.name, "ascii"))
    before = os.listdir("/proc/self/fd")
    listed = listed_below(inside)
    assert [path.decode() for path, _ in listed] == names
    for some in (listed, listed[:1]):
        assert {row["status"] for row in hashed_below(inside, some)} == {"ok"}
    (inside / "a").rename(tmp_path / "moved")
    (inside / "a").symlink_to(outside / "a")
    rows = hashed_below(inside, listed)
    assert [row["status"] for row in rows] == ["changed", "changed", "ok"]
    followed = hashed_below(inside, listed, follow=True)
    assert [row["status"] for row in followed] == ["ok", "ok", "ok"]
    with _files.Root(os.fsencode(inside)) as opened:
        for directory in (b"a", b"a/b"):
            assert list(_files.walk(opened, directory)) == [(directory + b"/", "unlisted")]
        assert list(_files.walk(opened)) == [(b"file", "ok")]
        # again opens the same directory, although the name now belongs to another one.
        inside.rename(tmp_path / "away")
        inside.symlink_to(outside)
        with opened.again() as again:
            [row] = _files.hash_files(again, [(b"file", "ok")], HASHING)
        assert row["digest"] == rows[-1]["digest"]
    assert len(os.listdir("/proc/self/fd")) == len(before)


def test_rows_name_nothing_outside(tmp_path):
    for name in ("in/sub", "outside"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").write_bytes(name.encode())
    digests = {row["path"]: row["digest"] for row in rows_of(tmp_path)}
    listed = listed_below(tmp_path / "in")
    (tmp_path / "in" / "sub").rename(tmp_path / "moved")
    (tmp_path / "in" / "sub").symlink_to(tmp_path / "outside")
    [row] = hashed_below(tmp_path / "in", listed)
    assert (row["status"], row["digest"]) == ("changed", None)
    assert digests[b"outside/file"] is not None


def test_a_file_that_grows_for_ever_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(_files, "SMALL_BYTES", 10)
    path, read = tmp_path / "file", os.read
    path.write_bytes(b"x" * 100)

    def read_and_append(descriptor, size):
        with open(path, "ab") as file:
            file.write(b"y" * 100)
        return read(descriptor, 100)

    monkeypatch.setattr(os, "read", read_and_append)
    [row] = hashed_below(tmp_path, [(b"file", "ok")])
    assert row["status"] == "changed" and path.stat().st_size < 1000


def test_a_root_may_be_a_link(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_bytes(b"1")
    (tmp_path / "link").symlink_to("in")
    assert rows_of(tmp_path / "link") == rows_of(tmp_path / "in") != []


def test_a_directory_that_is_gone(tmp_path):
    with _files.Root(os.fsencode(tmp_path)) as root:
        assert list(_files.walk(root, b"gone")) == [(b"gone/", "unlisted")]
    with pytest.raises(FileNotFoundError):
        listed_below(tmp_path / "gone")
    [row] = hashed_below(tmp_path, [(b"gone/", "unlisted")])
    assert row["digest"] is None and row["size"] is None and row["status"] == "unlisted"


def test_a_root_that_cannot_be_listed_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "in").mkdir()
    monkeypatch.setattr(os, "scandir", mock.Mock(side_effect=PermissionError))
    with _files.Root(os.fsencode(tmp_path)) as root:
        assert list(_files.walk(root, b"in")) == [(b"in/", "unlisted")]
        with pytest.raises(PermissionError):
            list(_files.walk(root))


def test_parts(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    rows = [{"path": b"%03d" % i, "size": i, "digest": bytes(8), "status": "ok",
             "modified_ns": None, "changed_ns": None, "inode": None} for i in range(100)]
    ranges, counts = [], {}
    for number, (a, b) in enumerate([(0, 30), (30, 31), (31, 100)]):
        batch = _files.batch(rows[a:b], HASHING)
        counts[number] = _manifests.write_part(str(out), number, [batch])
        ranges.append(_manifests.part_range(str(out), number, a, HASHING))
    with pytest.raises(RuntimeError, match="lost rows"):
        _manifests.finish(str(out), counts, ranges, {"ok": 99}, HASHING)
    for name in (".part-of-an-attempt-that-died", ".manifest.json.of-one"):
        (out / name).write_bytes(b"half")
    with pq.ParquetFile(out / "part-00000002.parquet") as file:
        group = file.metadata.row_group(0)
        forms = {group.column(place).compression for place in range(group.num_columns)}
    assert forms == {"UNCOMPRESSED"}
    made = _manifests.finish(str(out), counts, ranges, {"ok": 100}, HASHING)
    table = pa.concat_tables(pq.read_table(path) for path in sorted(out.glob("part-*")))
    assert table.num_rows == made.count == 100
    leaves = b"".join(table.column("leaf").to_pylist())
    assert leaves == _files.leaves(rows, HASHING)
    assert made.root == HASHING.root(merkle.range_root(leaves, digest_size=8), _files.FORMAT)
    members = json.loads((out / "manifest.json").read_text())
    assert members["finalist.root"] == made.root.hex()
    assert members["finalist.digest_bits"] == "64"
    assert members["finalist.count"] == "100" and members["finalist.keyed"] == "false"
    assert len(list(out.iterdir())) == 4


@pytest.mark.parametrize(
    "parameters", [("blake2s", 8, b"key", b"salt", b"person"), ("groestl0_256",)]
)
def test_parts_say_their_parameters(tmp_path, parameters):
    hashing = Hashing.of(*parameters)
    row = dict.fromkeys((*_files.CONTENT, *_files.STATE), None)
    rows = _files.batch([row | {"path": b"a", "status": "vanished"}], hashing)
    _manifests.write_part(str(tmp_path), 0, [rows])
    ranges = [_manifests.part_range(str(tmp_path), 0, 0, hashing)]
    made = _manifests.finish(str(tmp_path), {0: 1}, ranges, {"vanished": 1}, hashing)
    key = b"key" if hashing.key else b""
    opened = manifest.Manifest.open(tmp_path, key=key)
    assert opened.root == made.root and opened.statuses == made.statuses
    name = parameters[0].replace("_", "-")
    assert opened.algorithm == hashing.part(0, 0, b"").algorithm == name


def test_rows_come_in_batches(tmp_path, monkeypatch):
    monkeypatch.setattr(_files, "TOGETHER_FILES", 3)
    for number in range(7):
        (tmp_path / str(number)).touch()
    with _files.Root(os.fsencode(tmp_path)) as opened:
        batches = list(_manifests.rows(opened, _files.walk(opened), HASHING))
    assert [batch.num_rows for batch in batches] == [3, 3, 1]


def test_places_that_are_refused(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    (tmp_path / "link").symlink_to("in")
    for root, out in [("in", "in/out"), ("link", "in/out"), ("in", "link/out"), ("in", "in")]:
        with pytest.raises(ValueError, match="list itself"):
            _manifests.prepare(str(tmp_path / root), str(tmp_path / out))
    assert os.listdir(tmp_path / "in") == []
    place, folder = _manifests.prepare(str(tmp_path / "link"), str(tmp_path / "in-out"))
    assert (os.fsdecode(place), folder) == (str(tmp_path / "in"), str(tmp_path / "in-out"))
    with pytest.raises(FileExistsError, match="not empty"):
        _manifests.prepare(str(tmp_path / "in"), str(tmp_path / "full"))
    with pytest.raises(NotADirectoryError):
        _manifests.prepare(str(tmp_path / "gone"), str(tmp_path / "out"))


def test_files_listed_before_workers_walk(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "d" / "e").mkdir(parents=True)
    (tmp_path / "d" / "b").write_bytes(b"")
    place = os.fsencode(tmp_path)
    files, directories = _manifests.first_entries(place)
    assert (sorted(files), directories) == ([(b"a", _files.OK), (b"d/b", _files.OK)], [])
    monkeypatch.setattr(_manifests, "DIRECTORIES", 1)
    assert _manifests.first_entries(place) == ([], [b""])
