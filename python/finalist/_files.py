# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rows of manifests (docs/format/manifests.md): listing files, hashing them, leaves."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]

from . import _finalist
from ._roots import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ._hashing import Hashing

FORMAT = MANIFEST

OK = "ok"
UNREADABLE = "unreadable"
VANISHED = "vanished"
CHANGED = "changed"
UNLISTED = "unlisted"

ROWS = pa.schema(
    {
        "path": pa.binary(),
        "size": pa.int64(),
        "digest": pa.binary(),
        "leaf": pa.binary(),
        "status": pa.string(),
        "modified_ns": pa.int64(),
        "changed_ns": pa.int64(),
        "inode": pa.int64(),
    }
)
#: What a row has of a file with the status ok alone. The last ones may be null then, too.
CONTENT = ("size", "digest")
STATE = ("modified_ns", "changed_ns", "inode")

#: Files up to this length are read whole and hashed side by side, so many bytes and files at once.
SMALL_BYTES = 1 << 20
TOGETHER_BYTES = 16 << 20
TOGETHER_FILES = 1024
#: Bytes of a longer file that are read at a time.
PIECE_BYTES = 4 << 20

INT64_MAX = (1 << 63) - 1


def walk(root: bytes, directory: bytes = b"") -> Iterator[tuple[bytes, str]]:
    """The regular files below a directory of a root, in no particular order, each with the status
    ok; a directory that cannot be listed ends with a slash and is unlisted. Paths are relative to
    the root. Symbolic links are not followed."""
    pending = [directory]
    while pending:
        found, failed = entries(root, pending.pop())
        yield from ((path, UNLISTED) for path in failed)
        for path, is_directory in found:
            if is_directory:
                pending.append(path)
            else:
                yield path, OK


def entries(root: bytes, directory: bytes) -> tuple[list[tuple[bytes, bool]], list[bytes]]:
    """The regular files and the directories of one directory, and it itself if it cannot be
    listed. OSError if that is the root."""
    found = []
    try:
        with os.scandir(os.path.join(root, directory)) as listing:
            for entry in listing:
                path = os.path.join(directory, entry.name)
                if entry.is_dir(follow_symlinks=False):
                    found.append((path, True))
                elif entry.is_file(follow_symlinks=False):
                    found.append((path, False))
    except OSError:
        if not directory:
            raise
        return [], [directory + b"/"]
    return found, []


def hash_files(
    root: bytes, files: Iterable[tuple[bytes, str]], hashing: Hashing, other: str = CHANGED
) -> Iterator[dict[str, Any]]:
    """A row of a manifest for each file, in their order, but without its leaf. files: as walk gives
    them. Whatever becomes of a file, it has a row. other: the status of what is no regular file;
    one that was listed has been replaced."""
    together: list[tuple[dict[str, Any], bytes | None]] = []
    total = 0
    for path, status in files:
        row: dict[str, Any] = dict.fromkeys((*CONTENT, *STATE))
        row |= {"path": path, "status": status}
        content = _read(os.path.join(root, path), row, hashing, other) if status == OK else None
        together.append((row, content))
        total += len(content or b"")
        if total >= TOGETHER_BYTES or len(together) >= TOGETHER_FILES:
            yield from hashed(together, hashing)
            together, total = [], 0
    yield from hashed(together, hashing)


def hashed(
    together: list[tuple[dict[str, Any], bytes | None]], hashing: Hashing
) -> list[dict[str, Any]]:
    """The rows, with the digests of the contents that were read whole."""
    contents = [content for _, content in together if content is not None]
    digests = iter(
        _finalist.hash_many(
            contents, hashing.algorithm, digest_size=hashing.digest_size, **hashing.secrets
        )
    )
    for row, content in together:
        if content is not None:
            row["digest"] = next(digests)
    return [row for row, _ in together]


def _read(path: bytes, row: dict[str, Any], hashing: Hashing, other: str) -> bytes | None:
    """Fills in a file's row. Returns the content of a small file, which is not hashed yet."""
    try:
        # Not to wait for a writer if a pipe has taken the file's place.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        row["status"] = VANISHED
        return None
    except OSError as error:
        is_other = error.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO)
        row["status"] = other if is_other else UNREADABLE
        return None
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            row["status"] = other
            return None
        content, digest, size = _content(descriptor, before.st_size, hashing)
        after = os.fstat(descriptor)
    except OSError:
        row["status"] = UNREADABLE
        return None
    finally:
        os.close(descriptor)
    # Who sets the time of the content back leaves ctime behind.
    sizes = {before.st_size, after.st_size, size}
    if len(sizes) > 1 or state_of(before) != state_of(after):
        row["status"] = CHANGED
        return None
    row |= zip(STATE, state_of(before), strict=True)
    row["size"], row["digest"] = size, digest
    return content


def _content(
    descriptor: int, expected: int, hashing: Hashing
) -> tuple[bytes | None, bytes | None, int]:
    """The content of a file that is to have so many bytes if they are few, else its digest; and how
    many bytes it had."""
    if expected <= SMALL_BYTES:
        content = _all(descriptor, expected + 1)
        return content, None, len(content)
    message, size = hashing.message(), 0
    while piece := os.read(descriptor, PIECE_BYTES):
        message.update(piece)
        size += len(piece)
    return None, message.digest(), size


def _all(descriptor: int, most: int) -> bytes:
    """What a file has, up to so many bytes: a read may give less than it could."""
    pieces = []
    while most and (piece := os.read(descriptor, most)):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def state_of(status: os.stat_result) -> tuple[int | None, int | None, int | None]:
    """What STATE names, as columns have it: null for what int64 cannot hold, or what a system has
    not."""
    times = status.st_mtime_ns, status.st_ctime_ns
    modified, changed = (t if -INT64_MAX <= t <= INT64_MAX else None for t in times)
    if os.name == "nt":  # The time of creation, and numbers that not every file system keeps.
        return modified, None, None
    inode = status.st_ino - (1 << 64 if status.st_ino > INT64_MAX else 0)
    return modified, changed, inode


def leaves(rows: list[dict[str, Any]], hashing: Hashing) -> bytes:
    """The leaf hashes of rows, one after the other."""
    types = {name: ROWS.field(name).type for name in ("path", "size", "digest", "status")}
    columns = {name: pa.array([row[name] for row in rows], type) for name, type in types.items()}
    return hashing.leaves(pa.table({"format": pa.array([FORMAT] * len(rows)), **columns}))


def batch(rows: list[dict[str, Any]], hashing: Hashing) -> Any:
    """The rows with their leaves as a pyarrow batch."""
    hashes, size = leaves(rows, hashing), hashing.digest_size
    for place, row in enumerate(rows):
        row["leaf"] = hashes[place * size : (place + 1) * size]
    return pa.RecordBatch.from_pylist(rows, ROWS)


def metadata(hashing: Hashing, count: int, root: bytes) -> dict[str, str]:
    """What a manifest says of itself."""
    return {
        "finalist.format": FORMAT,
        "finalist.algorithm": hashing.range(b"", 0).algorithm,
        "finalist.digest_bits": str(hashing.digest_size * 8),
        "finalist.keyed": "true" if hashing.key else "false",
        "finalist.salt": hashing.salt.hex(),
        "finalist.personal": hashing.person.hex(),
        "finalist.count": str(count),
        "finalist.root": root.hex(),
    }
