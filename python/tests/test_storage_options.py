# SPDX-License-Identifier: MIT OR Apache-2.0
"""Storage options reach every store that a call reads and writes."""

import datetime
import hashlib
import os
import threading
import time
from unittest import mock

import pytest
from finalist import _stores, manifest
from finalist._hashing import Hashing

fsspec = pytest.importorskip("fsspec")
memory = pytest.importorskip("fsspec.implementations.memory")


class Guarded(memory.MemoryFileSystem):
    """Files in memory that only calls with the token can read."""

    protocol = "guarded"

    def __init__(self, token=None):
        super().__init__()
        if token != "secret":
            raise PermissionError("no token")

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(path.replace("guarded://", "memory://"))


@pytest.fixture
def store():
    fsspec.register_implementation("guarded", Guarded, clobber=True)
    files = Guarded("secret")
    files.pipe({"/d/a": b"one", "/d/b": b"two"})
    yield files
    files.rm("/d", recursive=True)
    if files.exists("/M.parquet"):
        files.rm("/M.parquet")


def test_manifests_in_stores(store):
    options = {"token": "secret"}
    made = manifest.create("guarded://d", "guarded://M.parquet", storage_options=options)
    read = manifest.read("guarded://M.parquet", storage_options=options)
    assert (made.count, read.root) == (2, made.root)
    calls = [
        lambda given: manifest.create("guarded://d", "guarded://M.parquet", storage_options=given),
        lambda given: manifest.read("guarded://M.parquet", storage_options=given),
        lambda given: manifest.verify("guarded://M.parquet", "guarded://d", storage_options=given),
        lambda given: manifest.diff(*["guarded://M.parquet"] * 2, storage_options=given),
    ]
    for call in calls:
        call(options)
        for none in (None, {}):
            with pytest.raises(PermissionError):
                call(none)


def test_stores_that_need_none(tmp_path):
    (tmp_path / "a").write_bytes(b"one")
    manifest.create(tmp_path, "memory://none.parquet")
    assert manifest.read("memory://none.parquet").count == 1
    manifest.create(tmp_path, "memory://none.list")
    store = fsspec.filesystem("memory")
    assert store.cat("none.parquet")[:4] == b"PAR1" and store.cat("none.list")[:1] == b"#"
    store.rm(["/none.parquet", "/none.list"])


def test_repr_of_differences():
    assert repr(manifest.Difference("added", b"a")) == "Difference(kind='added', path=b'a')"
    moved = manifest.Difference("moved", b"b", b"a")
    assert repr(moved) == "Difference(kind='moved', path=b'b', old_path=b'a')"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes with names")
@pytest.mark.parametrize("scheme", ["file://", "local://", "simplecache::file://"])
def test_links_and_pipes_of_local_urls_are_not_followed(tmp_path, scheme):
    """Reading the pipe would not end. The last scheme is that of a store whose client says what is
    a link."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret").write_bytes(b"secret")
    folder = tmp_path / "d"
    folder.mkdir()
    (folder / "a").write_bytes(b"one")
    (folder / "file").symlink_to(tmp_path / "other" / "secret")
    (folder / "folder").symlink_to(tmp_path / "other")
    os.mkfifo(folder / "pipe")
    url = f"{scheme}{folder}"
    made = manifest.create(url, tmp_path / "M.parquet")
    assert [row.path for row in made.rows()] == [b"a"]
    assert made.root == manifest.create(folder, tmp_path / "N.parquet").root
    assert made.verify(url) == []
    assert made.update(url, tmp_path / "O.parquet").root == made.root


def test_local_urls_are_paths(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a").write_bytes(b"one")
    out = f"file://{tmp_path}/M.parquet"
    made = manifest.create(f"file://{tmp_path}/d", out, metadata=True)
    assert (made.place, manifest.read(out).root) == (out, made.root)
    assert manifest.verify(out, f"local://{tmp_path}/d") == []
    assert manifest.read(tmp_path / "M.parquet").metadata


def test_an_object_of_another_length_than_told_has_changed(store, monkeypatch):
    def told(self, path, **options):
        return {**memory.MemoryFileSystem.info(self, path, **options), "size": 4}

    monkeypatch.setattr(Guarded, "info", told)
    made = manifest.create("guarded://d", "memory://none.list", storage_options={"token": "secret"})
    assert made.statuses == {"changed": 2}
    fsspec.filesystem("memory").rm("/none.list")


def test_numbers_of_threads(store, tmp_path):
    """Objects take as many threads as files do."""
    given = {"threads": 1024, "storage_options": {"token": "secret"}}
    made = manifest.create("guarded://d", tmp_path / "M.list", **given)
    for threads in (-1, 0, 1025):
        given["threads"] = threads
        for call in (
            lambda: manifest.create("guarded://d", tmp_path / "N.list", **given),
            lambda: made.update("guarded://d", tmp_path / "N.list", **given),
            lambda: made.verify("guarded://d", **given),
            lambda: manifest.create(tmp_path, tmp_path / "N.list", threads=given["threads"]),
        ):
            with pytest.raises(ValueError, match="threads must be between 1 and 1024"):
                call()
    given["threads"] = 1
    with pytest.raises(ValueError, match="^objects of stores have no modes, directories or links$"):
        manifest.create("guarded://d", tmp_path / "N.list", metadata=True, **given)
    assert not (tmp_path / "N.list").exists()


def test_links_that_a_store_reports_are_not_followed(store, monkeypatch):
    def find(self, path, **options):
        found = memory.MemoryFileSystem.find(self, path, **options)
        return {name: {**info, "islink": name == "/d/b"} for name, info in found.items()}

    monkeypatch.setattr(Guarded, "find", find)
    made = manifest.create("guarded://d", "memory://none.list", storage_options={"token": "secret"})
    assert [row.path for row in made.rows()] == [b"a"]
    fsspec.filesystem("memory").rm("/none.list")


@pytest.fixture
def opened(store):
    return _stores.Store("guarded://d", {"token": "secret"})


def test_what_is_listed(store, opened, monkeypatch):
    """Stores may have no folders but those that objects are named after, and such objects."""
    found = {**store.find("/d", detail=True), "/d/folder/": {"type": "file", "size": 0}}
    monkeypatch.setattr(Guarded, "find", lambda *_, **__: found)
    monkeypatch.setattr(Guarded, "isdir", lambda *_: False)
    assert sorted(opened.objects()) == [b"a", b"b"]
    found = {}
    with pytest.raises(FileNotFoundError, match="no objects below guarded://d$"):
        opened.objects()
    monkeypatch.setattr(Guarded, "isdir", lambda *_: True)
    assert opened.objects() == {}


def test_what_tells_that_an_object_is_unchanged(opened, monkeypatch):
    time = datetime.datetime(2024, 5, 6, 7, 8, 9, tzinfo=datetime.UTC)
    later = time + datetime.timedelta(seconds=1)
    row = manifest.Row(b"a", 3, bytes(64), "ok", _stores._modified_ns({"mtime": time}), None, None)

    def is_unchanged(listed, asked=None, row=row):
        """asked: what the store says of one object if it lists no times."""
        monkeypatch.setattr(Guarded, "info", mock.Mock(side_effect=[asked or OSError]))
        return opened._is_unchanged("/d/a", listed, row)

    assert is_unchanged({"size": 3, "mtime": time})
    assert is_unchanged({"size": 3, "mtime": time.replace(microsecond=5)})
    assert not is_unchanged({"size": 3, "mtime": later})
    assert not is_unchanged({"size": 3, "mtime": time - (later - time)})  # An older version of it.
    assert not is_unchanged({"size": 4, "mtime": time})
    assert not is_unchanged({"size": 3, "mtime": time}, row=row._replace(modified_ns=None))
    assert is_unchanged({"size": 3}, {"size": 3, "mtime": time})
    assert not is_unchanged({"size": 3}, {"size": 3, "mtime": later})
    assert not is_unchanged({"size": 3}, {"size": 3})
    assert not is_unchanged({"size": 3})
    listed = {
        b"a": {"name": "/d/a", "size": 3, "mtime": time},
        b"b": {"name": "/d/b", "size": 3, "mtime": later},
    }
    monkeypatch.undo()
    known = {b"a": row, b"b": row._replace(path=b"b")}
    [kept, read] = opened.rows(list(listed.items()), known, Hashing.of("blake2b"))
    assert (kept["digest"], read["digest"]) == (row.digest, hashlib.blake2b(b"two").digest())


def test_contents_are_hashed_before_they_take_much_memory(store, opened, monkeypatch):
    monkeypatch.setattr(_stores._files, "TOGETHER_BYTES", 6)
    sizes, hashed = [], _stores._files.hashed

    def noted(together, hashing):
        sizes.append(sum(len(content) for _, content in together))
        return hashed(together, hashing)

    monkeypatch.setattr(_stores._files, "hashed", noted)
    store.pipe({f"/d/{number}": b"333" for number in range(3)})
    rows = list(opened.rows(sorted(opened.objects().items()), {}, Hashing.of("blake2b")))
    assert (len(rows), sizes) == (5, [6, 6, 3])


def test_an_update_reads_only_what_changed(store, tmp_path, monkeypatch):
    times = {"/d/a": 10**9, "/d/b": 10**9}
    monkeypatch.setattr(_stores, "_modified_ns", lambda info: times[info["name"]])
    options = {"token": "secret"}
    made = manifest.create("guarded://d", tmp_path / "M.parquet", storage_options=options)
    store.pipe({"/d/a": b"ONE", "/d/b": b"TWO"})
    times["/d/b"] *= 2
    new = made.update("guarded://d", tmp_path / "N.parquet", storage_options=options)
    assert made.diff(new) == [manifest.Difference("changed", b"b")]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("the object changed meanwhile", "changed"),
        ("At least one of the Pre-Conditions did not hold", "changed"),
        ("no connection", "unreadable"),
    ],
)
def test_what_an_error_of_a_store_says(opened, monkeypatch, text, status):
    monkeypatch.setattr(Guarded, "cat_file", mock.Mock(side_effect=RuntimeError(text)))
    [row] = opened.rows([(b"a", {"name": "/d/a"})], {}, Hashing.of("blake2b"))
    assert (row["status"], row["digest"], row["size"]) == (status, None, None)


@pytest.mark.parametrize("small_bytes", [2, 3])
def test_an_object_that_changes_while_it_is_read(opened, monkeypatch, small_bytes):
    """As a whole, or in pieces."""
    monkeypatch.setattr(_stores._files, "SMALL_BYTES", small_bytes)
    told = [{"size": 3, "ETag": tag} for tag in ("one", "another")]
    monkeypatch.setattr(Guarded, "info", mock.Mock(side_effect=told))
    [row] = opened.rows([(b"a", {"name": "/d/a"})], {}, Hashing.of("blake2b"))
    assert (row["status"], row["digest"]) == ("changed", None)


@pytest.mark.parametrize("small_bytes", [2, 3])
def test_an_object_that_vanishes_before_it_is_read(store, tmp_path, monkeypatch, small_bytes):
    monkeypatch.setattr(_stores._files, "SMALL_BYTES", small_bytes)
    found = {**store.find("/d", detail=True), "/d/gone": {"type": "file", "size": 3}}
    monkeypatch.setattr(Guarded, "find", lambda *_, **__: found)
    options = {"token": "secret"}
    made = manifest.create("guarded://d", tmp_path / "M.list", storage_options=options)
    assert made.statuses == {"ok": 2, "vanished": 1}


def test_a_store_that_cannot_be_listed(store, tmp_path, monkeypatch):
    monkeypatch.setattr(Guarded, "find", mock.Mock(side_effect=RuntimeError("no\nconnection")))
    with pytest.raises(OSError, match="^cannot list guarded://d: no$") as caught:
        manifest.create("guarded://d", tmp_path / "M", storage_options={"token": "secret"})
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_several_threads_read_objects(store, tmp_path, monkeypatch):
    """Each waits until the other reads, too."""
    together = threading.Barrier(2, timeout=60)

    def cat_file(self, path, **options):
        together.wait()
        return memory.MemoryFileSystem.cat_file(self, path, **options)

    monkeypatch.setattr(manifest, "OBJECTS_AT_ONCE", 1)
    options = {"threads": 2, "storage_options": {"token": "secret"}}
    made = manifest.create("guarded://d", tmp_path / "M.parquet", **options)
    monkeypatch.setattr(Guarded, "cat_file", cat_file)
    for call in (
        lambda: manifest.create("guarded://d", tmp_path / "N.list", **options).statuses["ok"] == 2,
        lambda: made.update("guarded://d", tmp_path / "N.list", **options).statuses["ok"] == 2,
        lambda: made.verify("guarded://d", **options) == [],
        lambda: manifest.verify(made.place, "guarded://d", **options) == [],
    ):
        assert call()


def test_progress_of_objects_and_its_errors(store, tmp_path, monkeypatch):
    options = {"token": "secret"}
    told = []
    given = {"progress": told.append, "storage_options": options}
    made = manifest.create("guarded://d", tmp_path / "M.list", **given)
    assert told[-1] == (2, 2, 6, 6, b"guarded://d/b")
    for call in (
        lambda: made.update("guarded://d", tmp_path / "N.list", **given),
        lambda: made.verify("guarded://d/", **given),
    ):
        told.clear()
        call()
        assert told[-1] == (2, 2, 6, 6, b"guarded://d/b")
    monkeypatch.setattr(_stores._files, "SMALL_BYTES", 2)
    manifest.verify(tmp_path / "M.list", "guarded://d", **given)
    assert told[-1] == (2, 2, 6, 6, b"guarded://d/b")
    monkeypatch.undo()
    stores, read, listed = [], [], _stores.Store.objects
    monkeypatch.setattr(
        _stores.Store, "objects", lambda *given: stores.append(given[0]) or listed(*given)
    )

    def cat_file(self, path, **options):
        read.append(path)
        end = time.monotonic() + 20
        while not stores[-1].stopped and time.monotonic() < end:
            time.sleep(0.001)
        return b"one"

    monkeypatch.setattr(Guarded, "cat_file", cat_file)
    for kind in (LookupError, KeyboardInterrupt):

        def fail(_, kind=kind):
            raise kind("enough")

        for call in (manifest.create, made.update):
            read.clear()
            with pytest.raises(kind, match="enough"):
                call("guarded://d", tmp_path / "O.list", progress=fail, storage_options=options)
            assert read == ["/d/a"]
    assert sorted(os.listdir(tmp_path)) == ["M.list", "N.list"]


def test_times_of_objects_that_could_change_again():
    """A store gives whole seconds, and its clock may differ from this machine's by 15 minutes."""
    now = datetime.datetime.now(datetime.UTC)
    for minutes, is_settled in ((-1, False), (14, False), (16, True)):
        info = {"LastModified": now - datetime.timedelta(minutes=minutes)}
        assert _stores._settled_ns(info) == (_stores._modified_ns(info) if is_settled else None)


def test_times_of_objects():
    """A time without a zone could be any."""
    time = datetime.datetime(1970, 1, 1, 0, 0, 1, 2, tzinfo=datetime.UTC)
    for name in ("LastModified", "last_modified", "mtime"):
        assert _stores._modified_ns({name: time}) == 1_000_002_000
        for other in (time.replace(tzinfo=None), 1.0, None):
            assert _stores._modified_ns({name: other}) is None
    assert _stores._modified_ns({}) is None
