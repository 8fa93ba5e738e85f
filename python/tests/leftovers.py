# SPDX-License-Identifier: MIT OR Apache-2.0
"""Searches the memory of processes for keys that calls left there; test_leftovers.py runs it.

The key is in a separate mapping, which is not searched, and calls get a view of it: only the
package can copy it. Each case runs in its own process. Copies of a caller's own bytes object are
the caller's responsibility; the last case shows that the search finds them.
"""

import ctypes
import mmap
import os
import pathlib
import sys
import tempfile

import finalist
import finalist.merkle
import finalist.tables
import pyarrow as pa
import pyarrow.parquet as pq
from finalist import changes, manifest, merkle, parquet

KEY_BYTES = 32
#: The least part of a key that counts as a leak: a vector register.
PIECE_BYTES = 16

memory = mmap.mmap(-1, mmap.PAGESIZE)
for place in range(KEY_BYTES):
    memory[place] = (place * 151 + 89) % 256
KEY = memoryview(memory)[:KEY_BYTES]
START = ctypes.addressof(ctypes.c_char.from_buffer(memory))

libc = ctypes.CDLL(None)
libc.memmem.restype = ctypes.c_void_p
libc.memmem.argtypes = [ctypes.c_void_p, ctypes.c_size_t] * 2


def found():
    """Returns the addresses of parts of the key, each with the kind of memory."""
    places = []
    for line in pathlib.Path("/proc/self/maps").read_text().splitlines():
        parts = line.split(maxsplit=5)
        start, end = (int(part, 16) for part in parts[0].split("-"))
        if not parts[1].startswith("rw") or start <= START < end:
            continue
        for at in range(0, KEY_BYTES, PIECE_BYTES):
            place = start
            while place := libc.memmem(place, end - place, START + at, PIECE_BYTES):
                places.append((parts[5] if len(parts) > 5 else "other", hex(place), at))
                place += 1
    return places


def table():
    return pa.table({"name": ["one", None, "three"] * 50})


def folder():
    made = pathlib.Path(tempfile.mkdtemp(dir=sys.argv[1]))
    (made / "in").mkdir()
    (made / "in" / "file").write_bytes(b"content" * 1000)
    (made / "in" / "long").write_bytes(b"content" * 300_000)
    pq.write_table(table(), made / "table.parquet")
    return made


def finished(algorithm):
    message = finalist.new(algorithm, b"message", key=KEY, **length(algorithm))
    message.update(b"x" * 5000)
    message.digest()
    message.copy().hexdigest()


def unfinished(algorithm):
    message = finalist.new(algorithm, key=KEY, **length(algorithm))
    message.update(b"x" * 5000)
    message.copy().update(b"y")


def short(algorithm):
    finalist.new(algorithm, b"short", key=KEY, **length(algorithm)).copy().digest()


def squeezed(algorithm):
    message = finalist.blake3(key=KEY)
    message.update(b"x" * 5000)
    message.digest(100, seek=1 << 40)
    message.reset()
    message.update(b"y").hexdigest(5)
    # The message is the key material here.
    context = {"derive_key_context": "finalist 2026-11-25 leftovers"}
    finalist.blake3(KEY, **context).copy().update(KEY).digest(64)
    finalist.hash_many("blake3", [KEY] * 40, **context)
    finalist.hash_many("blake3", iter([KEY] * 40), **context)
    finalist.hash_equal("blake3", KEY, KEY_BYTES // 2, **context)


def wrong(algorithm):
    for parameters in ({"digest_size": -1}, {"salt": bytes(100)}, {"person": 5}):
        try:
            finalist.new(algorithm, key=KEY, **parameters)
        except (TypeError, ValueError):
            continue
        raise AssertionError(parameters)


def length(algorithm):
    return {"digest_size": 32} if "x" in algorithm else {}


def many(algorithm):
    parameters = {"key": KEY, **length(algorithm)}
    finalist.hash_many(algorithm, [b"x" * n for n in range(300)], **parameters)
    finalist.hash_many(algorithm, [b"x" * 20_000_000], **parameters)
    finalist.hash_many(algorithm, [b"x"] * 1000, threads=2, **parameters)
    finalist.hash_column(algorithm, table().column(0), **parameters)
    finalist.hash_rows(table(), algorithm, **parameters)
    nested = pa.table({"list": [["x" * n] * 3 for n in range(200)]})
    finalist.hash_rows(nested, algorithm, **parameters)
    finalist.hash_equal(algorithm, b"x" * 128, 64, **parameters)


def trees(algorithm):
    tree = merkle.Tree(algorithm, key=KEY)
    tree.extend([b"one", b"two", b"three"])
    proof, root = tree.prove(1), tree.root()
    merkle.verify(proof, b"two", root, leaf_count=3, index=1, key=KEY)
    tree.consistency(2)
    merkle.root([b"one"] * 100, algorithm, key=KEY, threads=2)


def ranges(algorithm):
    hashes = merkle.row_hashes(table(), algorithm, key=KEY)
    size = len(hashes) // 150
    parts = [merkle.range_root(hashes[: 100 * size], algorithm, key=KEY)]
    parts.append(merkle.range_root(hashes[100 * size :], algorithm, first=100, key=KEY))
    merkle.combine(parts, key=KEY).root(key=KEY)
    merkle.prove(parts, 120, hashes[100 * size :], key=KEY)
    read = changes.reader(hashes, size)
    changes.prove(parts, parts, read, read, key=KEY)


def manifests(algorithm):
    place = folder()
    for name in ("M.parquet", "M.list"):
        made = manifest.create(place / "in", place / name, algorithm, key=KEY, threads=2)
        manifest.verify(place / name, place / "in", expected=made.root, key=KEY)
        newer = made.update(place / "in", place / f"new-{name}")
        manifest.verify_proof(newer.prove(b"file"), newer.root, key=KEY)
    manifest.diff(place / "M.parquet", place / "M.list", key=KEY)


def tables(algorithm):
    place = folder()
    out = str(place / "out")
    parquet.hash_parquet(
        str(place / "table.parquet"), out, algorithm, column="name", key=KEY, keep=["name"]
    )
    parquet.prove(out, 7, key=KEY)


def compared(algorithm):
    place, old = folder(), pa.table({"id": range(200), "x": range(200)})
    finalist.fingerprint(old, algorithm=algorithm, key=KEY)
    made = finalist.tables.buckets(old, "id", key=KEY)
    made.write(place / "buckets")
    given = {"new_buckets": finalist.tables.Buckets.read(place / "buckets", key=KEY)}
    finalist.diff(old, old, "id", old_buckets=made, bucket_key=KEY, **given)
    finalist.tables.rows(old, "id", key=KEY).write(place / "rows")
    rows = finalist.tables.Rows.read(place / "rows", key=KEY)
    finalist.diff(rows, old.slice(1), "id", bucket_key=KEY)


def own_bytes(algorithm):
    own.append(bytes(KEY))


own = []
CASES = [finished, unfinished, short, wrong, many, squeezed]
CASES += [trees, ranges, manifests, tables, compared, own_bytes]


def left_by(case, algorithm):
    """Returns the secrets that a case leaves in a process."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        status = 1
        try:
            case(algorithm)
            os.write(writer, repr(found()[:100]).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with open(reader, "rb") as stream:
        text = stream.read().decode()
    _, status = os.waitpid(process, 0)
    return text if status == 0 else f"failed: {status}"


if __name__ == "__main__":
    assert not found()
    for case in CASES:
        for algorithm in ("blake2b", "blake2s", "blake2bp", "blake2xb", "blake3"):
            if "x" in algorithm and case not in (finished, unfinished, many):
                continue
            if case is squeezed and algorithm != "blake3":
                continue
            print(case.__name__, algorithm, left_by(case, algorithm), flush=True)
