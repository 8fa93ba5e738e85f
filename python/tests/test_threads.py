# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests threads that share objects and columns, with the interpreter's lock or, in free-threaded
Python, without."""

import contextlib
import ctypes
import hashlib
import mmap
import os
import subprocess
import sys
import sysconfig
import threading

import finalist
import pyarrow as pa
import pytest
from finalist import _tables, manifest, merkle, tables
from test_hostile import RELEASE, Array, Schema, capsule

THREADS = 4
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def in_threads(function, count=THREADS):
    """Calls a function with 0 .. count - 1 in `count` threads that start together. Returns the
    results."""
    start = threading.Barrier(count)
    results = [None] * count

    def call(index):
        start.wait()
        try:
            results[index] = function(index)
        except BaseException as error:
            results[index] = error

    threads = [threading.Thread(target=call, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


@pytest.mark.skipif(not FREE_THREADED, reason="this interpreter has its lock")
def test_the_import_leaves_the_interpreters_lock_off():
    program = "import finalist, sys; print(sys._is_gil_enabled())"
    command = [sys.executable, "-c", program]
    assert subprocess.run(command, capture_output=True, text=True).stdout == "False\n"
    assert not sys._is_gil_enabled(), "another package of these tests has switched it on"


@pytest.mark.parametrize("name", ["blake2s", "blake2b", "blake256", "groestl512", "blake2sp"])
def test_a_message_grows_while_others_read_it(name):
    """Updates of one byte take the object from buffered bytes to whole blocks meanwhile."""
    constructor = getattr(finalist, name)
    possible = {constructor(b"x" * length).digest() for length in range(1501)}
    hash_object = constructor()

    def work(index):
        found = set()
        for _ in range(500):
            if index:
                hash_object.update(b"x")
            found.add(hash_object.digest())
            found.add(bytes.fromhex(hash_object.copy().hexdigest()))
        return found

    for found in in_threads(work):
        assert found <= possible
    assert hash_object.digest() == constructor(b"x" * 1500).digest()


def test_columns_in_several_threads():
    values = [f"value {i}" if i % 7 else None for i in range(5000)]
    column = pa.array(values)
    names = ["blake2s", "blake2b", "blake2s", "blake2b"]

    def work(index):
        return [finalist.hash_column(names[index], column, threads=1 + index % 2) for _ in range(5)]

    for name, rounds in zip(names, in_threads(work), strict=True):
        constructor = getattr(hashlib, name)
        expected = [None if v is None else constructor(v.encode()).digest() for v in values]
        for found in rounds:
            assert found.to_list() == expected


def test_digests_are_read_by_several_threads():
    column = pa.chunked_array([[str(i), None] for i in range(1000)])
    digests = finalist.hash_column("blake2s", column)
    expected = digests.to_list()

    def work(index):
        for _ in range(20):
            assert pa.array(digests).to_pylist() == expected
            assert pa.chunked_array(digests).to_pylist() == expected
            assert digests[index * 2] == expected[index * 2]
        return True

    assert all(in_threads(work))


class Growing:
    """A tree to which another thread appends a leaf as soon as a proof was made."""

    def __init__(self, tree):
        self._tree = tree

    def __getattr__(self, name):
        made = getattr(self._tree, name)
        if name not in ("inclusion", "consistency"):
            return made

        def prove(place):
            proof = made(place)
            self._tree.extend([b"later"], 1)
            return proof

        return prove

    def __len__(self):
        return len(self._tree)


def test_a_tree_grows_while_it_proves():
    tree, old = merkle.Tree("blake2s"), merkle.Tree("blake2s")
    tree._tree = Growing(tree._tree)
    tree.extend([b"a leaf"] * 8)
    old.extend([b"a leaf"] * 5)
    root = tree.root()
    assert merkle.verify(tree.prove(5), b"a leaf", root, leaf_count=8, index=5)
    root, counts = tree.root(), {"old_leaf_count": 5, "leaf_count": 9}
    assert merkle.verify_consistency(tree.consistency(5), old.root(), root, **counts)


def test_lists_rows_and_trees_in_several_threads():
    messages = [b"%d" % i for i in range(2000)]
    table = pa.table({"n": range(2000), "s": [str(i) for i in range(2000)]})
    expected = [hashlib.blake2s(message).digest() for message in messages]
    rows = finalist.hash_rows(table, "blake2s").to_list()
    tree = merkle.Tree("blake2s")

    def work(index):
        assert finalist.hash_many("blake2s", messages) == expected
        assert finalist.hash_rows(table, "blake2s").to_list() == rows
        tree.extend([b"leaf"] * 500)
        return tree.prove(index)

    in_threads(work)
    alone = merkle.Tree("blake2s")
    alone.extend([b"leaf"] * (500 * THREADS))
    assert tree.root() == alone.root()


MESSAGES = [b"%d" % n * 20 for n in range(100_000)]
TABLE = pa.table({"n": range(200_000), "s": [str(n) for n in range(200_000)]})
TURNED = TABLE.take(pa.array(range(199_999, -1, -1)))
LONG = bytes(32 << 20)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Makes files, their manifest, and buckets of a table."""
    folder = tmp_path_factory.mktemp("threads")
    (folder / "in").mkdir()
    for number in range(16):
        (folder / "in" / str(number)).write_bytes(LONG[: 4 << 20])
    made = manifest.create(folder / "in", folder / "M.parquet", "blake2s")
    (folder / "long").write_bytes(LONG)
    return folder, made, tables.buckets(TABLE, "n")


#: Calls with a number of threads, the number, and how many more there are than with one.
SHARED = {
    "hash_many": (lambda _, n: finalist.hash_many("blake2s", MESSAGES, threads=n), 16, 15),
    "hash_equal": (lambda _, n: finalist.hash_equal("blake2s", LONG, 64, threads=n), 16, 15),
    "hash_column": (lambda _, n: finalist.hash_column("blake2s", TABLE["s"], threads=n), 16, 15),
    "hash_rows": (lambda _, n: finalist.hash_rows(TABLE, "blake2s", threads=n), 16, 15),
    "blake2bp": (lambda _, n: finalist.blake2bp(threads=n).update(LONG), 4, 2),
    "copy": (lambda _, n: finalist.blake2bp(threads=n).copy().update(LONG), 4, 2),
    "blake3": (lambda _, n: finalist.blake3(LONG, max_threads=n), 4, 2),
    "mmap": (lambda f, n: finalist.blake3(max_threads=n).update_mmap(f[0] / "long"), 4, 2),
    "extend": (lambda _, n: merkle.Tree("blake2s").extend(MESSAGES, threads=n), 16, 15),
    "root": (lambda _, n: merkle.root(MESSAGES, "blake2s", threads=n), 16, 15),
    "row_hashes": (lambda _, n: merkle.row_hashes(TABLE, "blake2s", threads=n), 16, 15),
    "fingerprint": (lambda _, n: finalist.fingerprint(TABLE, threads=n), 16, 15),
    "ordered": (lambda _, n: finalist.fingerprint(TABLE, ordered=True, threads=n), 16, 15),
    "buckets": (lambda _, n: tables.buckets(TABLE, "n", threads=n), 16, 15),
    "rows": (lambda _, n: tables.rows(TABLE, "n", threads=n), 16, 15),
    "diff": (lambda _, n: finalist.diff(TABLE, TURNED, "n", threads=n), 16, 8),
    "by buckets": (
        lambda f, n: finalist.diff(TABLE, TURNED, "n", threads=n, old_buckets=f[2]), 16, 8
    ),
    "create": (
        lambda f, n: manifest.create(f[0] / "in", f[0] / "N", "blake2s", threads=n), 257, 8
    ),
    "update": (lambda f, n: f[1].update(f[0] / "in", f[0] / "N", threads=n), 4, 3),
    "verify": (lambda f, n: f[1].verify(f[0] / "in", threads=n), 16, 8),
    "verify by name": (lambda f, n: manifest.verify(f[1].place, f[0] / "in", threads=n), 16, 8),
}


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs a list of threads")
@pytest.mark.parametrize("name", SHARED)
def test_a_call_has_the_threads_that_it_was_given(name, files):
    call, threads, more = SHARED[name]
    if name == "update":
        for path in (files[0] / "in").iterdir():
            path.touch()

    def most(count):
        seen, done = [], threading.Event()

        def look():
            while not done.is_set():
                seen.append(len(os.listdir("/proc/self/task")))

        looking = threading.Thread(target=look)
        looking.start()
        try:
            call(files, count)
        finally:
            done.set()
            looking.join()
        return max(seen)

    call(files, 1)  # Libraries may start threads that stay.
    alone = most(1)
    # A thread may look too late, and see the end of one of an earlier call.
    assert any(most(threads) >= alone + more for _ in range(50))


@pytest.mark.parametrize(("threads", "each"), [(1, 1), (2, 1), (3, 1), (4, 2), (16, 8)])
def test_both_tables_share_the_threads(threads, each):
    sides = [_tables.Source(TABLE, what) for what in ("old", "new")]
    reading = tables._Pass(None, ["n"], ["n", "s"], threads, sides)
    assert reading._threads_each == each


class Held:
    """A column that returns the same capsules at every call. Its array was taken before."""

    def __init__(self, schema):
        self.structures = schema, Array()
        schema_at, array_at = map(ctypes.addressof, self.structures)
        self.capsules = (
            capsule(schema_at, b"arrow_schema", None),
            capsule(array_at, b"arrow_array", None),
        )

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


def test_a_capsule_is_taken_once():
    """Each schema ends, after its callback, on a page that the system has not provided yet: taking
    the schema waits for this page after reading the callback and before clearing it."""
    count, end = 10000, Schema.private_data.offset
    area = mmap.mmap(-1, 2 * mmap.PAGESIZE * count)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        area.madvise(mmap.MADV_NOHUGEPAGE)
    released = []
    callback = RELEASE(released.append)
    columns = []
    for i in range(count):
        schema = Schema.from_buffer(area, (2 * i + 1) * mmap.PAGESIZE - end)
        schema.format = b"z"
        schema.release = ctypes.cast(callback, ctypes.c_void_p).value
        columns.append(Held(schema))

    def work(_):
        for column in columns:
            with contextlib.suppress(ValueError):
                finalist.hash_column("blake2s", column)

    in_threads(work)
    assert len(released) == count
