# SPDX-License-Identifier: MIT OR Apache-2.0
"""Storage options reach every store that a call reads and writes."""

import pytest
from finalist import manifest

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
    fsspec.filesystem("memory").rm("/none.parquet")


def test_repr_of_differences():
    assert repr(manifest.Difference("added", b"a")) == "Difference(kind='added', path=b'a')"
    moved = manifest.Difference("moved", b"b", b"a")
    assert repr(moved) == "Difference(kind='moved', path=b'b', old_path=b'a')"
