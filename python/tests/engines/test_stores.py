# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.manifest with a local S3 server, moto's, and each of two clients of fsspec."""

import datetime
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import fsspec
import pytest
from finalist import _stores, manifest
from finalist._stores import Store
from obstore.fsspec import register
from s3fs import S3FileSystem

CONTENTS = {f"{number % 5}/{number}": b"x" * (number * 997) for number in range(60)}
CONTENTS |= {"a.c": b"abc", "a/b": b"", "long": bytes(3_000_000), "sm\u00f8r": b"y"}


@pytest.fixture(scope="module")
def endpoint():
    """Starts a server, yields its address, and ends its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(address, timeout=1).close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                assert server.poll() is None, "the server has ended"
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(20)


def with_obstore(endpoint):
    register("s3")
    return {
        "endpoint": endpoint,
        "access_key_id": "testing",
        "secret_access_key": "testing",
        "region": "us-east-1",
        "client_options": {"allow_http": True},
    }


def with_s3fs(endpoint):
    fsspec.register_implementation("s3", S3FileSystem, clobber=True)
    return {
        "endpoint_url": endpoint,
        "key": "testing",
        "secret": "testing",
        "client_kwargs": {"region_name": "us-east-1"},
    }


@pytest.fixture(params=[with_obstore, with_s3fs], ids=["obstore", "s3fs"])
def options(endpoint, request):
    """Makes a bucket with the objects below data/. Returns options for fsspec."""
    put = urllib.request.Request(f"{endpoint}/bucket", method="PUT")
    urllib.request.urlopen(put).close()
    options = request.param(endpoint)
    fs, _ = fsspec.core.url_to_fs("s3://bucket/data", **options)
    for name, content in CONTENTS.items():
        fs.pipe_file(f"bucket/data/{name}", content)
    fs.pipe_file("bucket/database/other", b"not below data/")
    yield options
    fs.rm("bucket/data", recursive=True)


def test_objects_and_files_have_the_same_manifest(tmp_path, options):
    for name, content in CONTENTS.items():
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    made = manifest.create(tmp_path / "files", tmp_path / "M.list", "blake2s")
    url = "s3://bucket/data"
    far = manifest.create(url, tmp_path / "F.list", "blake2s", threads=4, storage_options=options)
    assert (far.root, far.count) == (made.root, len(CONTENTS))
    assert (tmp_path / "F.list").read_bytes() == (tmp_path / "M.list").read_bytes()
    # A manifest that is an object does not list itself.
    out = f"{url}/M.parquet"
    assert manifest.create(url, out, "blake2s", storage_options=options).root == made.root
    assert manifest.verify(out, url, expected=made.root, storage_options=options) == []
    assert manifest.verify(out, tmp_path / "files", storage_options=options) == []

    fs, _ = fsspec.core.url_to_fs(url, **options)
    fs.pipe_file("bucket/data/a.c", b"abd")
    fs.rm_file("bucket/data/1/1")
    fs.pipe_file("bucket/data/new", b"")
    found = manifest.verify(tmp_path / "M.list", url, storage_options=options)
    found = [(each.kind, each.path) for each in found if each.path != b"M.parquet"]
    assert found == [("removed", b"1/1"), ("changed", b"a.c"), ("added", b"new")]


def test_an_update_reads_what_changed(tmp_path, options, monkeypatch):
    url, read, seen = "s3://bucket/data", Store._read, []

    def counted(store, name, *rest):
        seen.append(name.removeprefix("bucket/data/"))
        return read(store, name, *rest)

    def update(old, out):
        fresh = manifest.create(url, tmp_path / "fresh.list", **same, storage_options=options)
        seen.clear()
        made = old.update(url, out, threads=2, storage_options=options)
        assert (made.root, made.count) == (fresh.root, fresh.count)
        return made, sorted(seen)

    same = {"algorithm": "blake2b", "digest_size": 20, "key": b"k", "salt": b"s", "person": b"p"}
    monkeypatch.setattr(Store, "_read", counted)
    fresh = manifest.create(url, tmp_path / "fresh.parquet", **same, storage_options=options)
    # Objects that were written just now could change again within their second.
    assert {row.modified_ns for row in fresh.rows()} == {None}
    assert update(fresh, tmp_path / "M.parquet")[1] == sorted(CONTENTS)

    monkeypatch.setattr(_stores, "SETTLED", datetime.timedelta(0))
    settled = manifest.create(url, tmp_path / "M.parquet", **same, storage_options=options)
    assert None not in {row.modified_ns for row in settled.rows()}
    assert update(settled, tmp_path / "M.parquet")[1] == []
    store, row = Store(url, options), next(settled.rows())
    info = store.objects()[row.path]
    longer = row._replace(size=row.size + 1)  # the same time, another size
    answers = [store._is_unchanged(f"bucket/data/{row.path.decode()}", info, one)
               for one in (row, longer)]
    assert answers == [True, False]
    fs, _ = fsspec.core.url_to_fs(url, **options)
    time.sleep(1.1)
    fs.pipe_file("bucket/data/a.c", b"abd")  # its time changes
    fs.pipe_file("bucket/data/long", b"")
    fs.pipe_file("bucket/data/new", b"abc")
    fs.rm_file("bucket/data/1/1")
    out = f"{url}/M.parquet"  # does not list itself, whether old or new
    made, names = update(settled, out)
    assert names == ["a.c", "long", "new"]
    assert [(each.kind, each.path) for each in settled.diff(made)] == [
        ("removed", b"1/1"), ("changed", b"a.c"), ("changed", b"long"), ("added", b"new")
    ]
    assert made.update(url, storage_options=options).root == made.root
    fs.rm_file("bucket/data/M.parquet")
    # A list has no times, so all objects are read.
    listed = manifest.create(url, tmp_path / "M.list", **same, storage_options=options)
    assert len(update(listed, tmp_path / "N.list")[1]) == listed.count


def test_an_object_that_vanishes_has_that_status(tmp_path, options, monkeypatch):
    listed = Store.objects
    zz = {"name": "bucket/data/zz"}
    monkeypatch.setattr(Store, "objects", lambda *given: {**listed(*given), b"zz": zz})
    made = manifest.create("s3://bucket/data", tmp_path / "M.list", storage_options=options)
    assert made.statuses == {"ok": len(CONTENTS), "vanished": 1}


def test_what_cannot_be_listed_or_read(tmp_path, options, monkeypatch):
    for url, error in [
        ("s3://bucket/nothing", "no objects below s3://bucket/nothing"),
        ("s3://nobucket/data", "cannot list s3://nobucket/data: .*(NoSuchB|b)ucket"),
    ]:
        with pytest.raises(OSError, match=f"(?s){error}"):
            manifest.create(url, tmp_path / "M.list", storage_options=options)
        assert list(tmp_path.iterdir()) == []
    fs, _ = fsspec.core.url_to_fs("s3://bucket/data", **options)
    read = fs.cat_file

    def refused(name, **keywords):
        if name.endswith("a.c"):
            raise RuntimeError("an error of the store's own")
        return read(name, **keywords)

    monkeypatch.setattr(fs, "cat_file", refused)  # fsspec keeps one object for equal options.
    made = manifest.create("s3://bucket/data", tmp_path / "M.list", storage_options=options)
    assert made.statuses == {"ok": len(CONTENTS) - 1, "unreadable": 1}


def test_names_that_are_no_paths_are_refused(tmp_path, options, monkeypatch):
    monkeypatch.setattr(Store, "objects", lambda *_: {b"a//b": {"name": "bucket/data/a//b"}})
    with pytest.raises(ValueError, match="a//b.*empty component"):
        manifest.create("s3://bucket/data", tmp_path / "M.list", storage_options=options)
    assert list(tmp_path.iterdir()) == []
