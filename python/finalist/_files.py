# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rows of manifests (docs/format/manifests.md): listing files, hashing them, leaves."""

from __future__ import annotations

import contextlib
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
#: Columns that are null unless the status is ok. STATE may be null even then.
CONTENT = ("size", "digest")
STATE = ("modified_ns", "changed_ns", "inode")

#: Files up to SMALL_BYTES are read whole and hashed side by side, up to TOGETHER_BYTES and
#: TOGETHER_FILES at a time.
SMALL_BYTES = 1 << 20
TOGETHER_BYTES = 16 << 20
TOGETHER_FILES = 1024
#: Bytes of a longer file that are read at a time.
PIECE_BYTES = 4 << 20

INT64_MAX = (1 << 63) - 1


class Root:
    """An open directory, as a context manager. Unless follow is set, it refuses paths that lead
    through a symbolic link."""

    def __init__(self, place: bytes, *, follow: bool = False, within: int | None = None) -> None:
        self._place, self._follow = place, follow
        self._root = os.open(place, _ON_THE_WAY | os.O_CLOEXEC, dir_fd=within)
        # The last file's directory, kept open because files come sorted by path.
        self._name, self._directory = b"", self._root

    def __enter__(self) -> Root:
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()
        os.close(self._root)

    def again(self) -> Root:
        """Opens the same directory for another thread, even if its name now belongs to another."""
        return Root(b".", within=self._root)

    def open(self, path: bytes) -> int:
        """Opens a file to read and returns its descriptor. Does not block if the file is not a
        regular one."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        if self._follow:
            return os.open(os.path.join(self._place, path), flags)
        directory, name = os.path.split(path)
        if directory != self._name:
            self._leave()
            if directory:
                self._directory, self._name = self._below(directory, _ON_THE_WAY), directory
        return os.open(name, flags, dir_fd=self._directory)

    def entries(self, directory: bytes) -> list[tuple[bytes, bool]]:
        """Lists the regular files and directories in a directory; true for directories."""
        found = []
        descriptor = self._below(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            with os.scandir(descriptor) as listing:
                for entry in listing:
                    is_directory = entry.is_dir(follow_symlinks=False)
                    if is_directory or entry.is_file(follow_symlinks=False):
                        path = os.path.join(directory, os.fsencode(entry.name))
                        found.append((path, is_directory))
        finally:
            os.close(descriptor)
        return found

    def _leave(self) -> None:
        if self._name:
            os.close(self._directory)
        self._name, self._directory = b"", self._root

    def _below(self, directory: bytes, flags: int) -> int:
        """Opens a directory and returns its descriptor. Raises OSError with ELOOP if its path has a
        link."""
        names = directory.split(b"/") if directory else [b"."]
        parent = self._root
        for place, name in enumerate(names, 1):
            own = flags if place == len(names) else _ON_THE_WAY
            try:
                opened = os.open(name, own | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
            except NotADirectoryError:
                _refuse_link(name, parent)
                raise
            finally:
                if parent != self._root:
                    os.close(parent)
            parent = opened
        return parent


#: Flags that open a directory as the base of relative names.
_ON_THE_WAY = os.O_DIRECTORY | getattr(os, "O_PATH", os.O_RDONLY)


def _refuse_link(name: bytes, parent: int) -> None:
    """Raises the error for a symbolic link instead of a file."""
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def walk(root: Root, directory: bytes = b"") -> Iterator[tuple[bytes, str]]:
    """Yields the regular files below a directory of a root, in no particular order, each with the
    status ok. The path of a directory that cannot be listed ends with a slash and has the status
    unlisted. Paths are relative to the root. Symbolic links are not followed."""
    pending = [directory]
    while pending:
        found, failed = entries(root, pending.pop())
        yield from ((path, UNLISTED) for path in failed)
        for path, is_directory in found:
            if is_directory:
                pending.append(path)
            else:
                yield path, OK


def entries(root: Root, directory: bytes) -> tuple[list[tuple[bytes, bool]], list[bytes]]:
    """Returns the regular files and directories in a directory, and a list of this directory if it
    cannot be listed. Raises OSError if that is the root."""
    try:
        return root.entries(directory), []
    except OSError:
        if not directory:
            raise
        return [], [directory + b"/"]


def hash_files(
    root: Root, files: Iterable[tuple[bytes, str]], hashing: Hashing, other: str = CHANGED
) -> Iterator[dict[str, Any]]:
    """Yields a row of a manifest, without its leaf, for each file in order, also for a file that
    disappears meanwhile. files: as walk yields them. other: the status of a name that is no longer
    a regular file."""
    together: list[tuple[dict[str, Any], bytes | None]] = []
    total = 0
    for path, status in files:
        row: dict[str, Any] = dict.fromkeys((*CONTENT, *STATE))
        row |= {"path": path, "status": status}
        content = _read(root, path, row, hashing, other) if status == OK else None
        together.append((row, content))
        total += len(content or b"")
        if total >= TOGETHER_BYTES or len(together) >= TOGETHER_FILES:
            yield from hashed(together, hashing)
            together, total = [], 0
    yield from hashed(together, hashing)


def hashed(
    together: list[tuple[dict[str, Any], bytes | None]], hashing: Hashing
) -> list[dict[str, Any]]:
    """Adds the digests of files that were read whole."""
    contents = [content for _, content in together if content is not None]
    digests = iter(
        _finalist.hash_many(
            hashing.algorithm, contents, digest_size=hashing.digest_size, **hashing.secrets
        )
    )
    for row, content in together:
        if content is not None:
            row["digest"] = next(digests)
    return [row for row, _ in together]


def _read(
    root: Root, path: bytes, row: dict[str, Any], hashing: Hashing, other: str
) -> bytes | None:
    """Fills in a file's row. Returns the content of a small file, which is not hashed yet."""
    try:
        descriptor = root.open(path)
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
    # Resetting the time of the content changes ctime.
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
    """Returns the content of a file of at most SMALL_BYTES, else its digest; and the number of
    bytes read."""
    if expected <= SMALL_BYTES:
        content = _all(descriptor, expected + 1)
        return content, None, len(content)
    message, size = hashing.message(), 0
    # Bounded, even if another process keeps appending.
    while size <= expected and (piece := os.read(descriptor, PIECE_BYTES)):
        message.update(piece)
        size += len(piece)
    return None, message.digest(), size


def _all(descriptor: int, most: int) -> bytes:
    """Reads up to `most` bytes, by several calls if one returns less."""
    pieces = []
    while piece := os.read(descriptor, most):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def state_of(status: os.stat_result) -> tuple[int | None, int | None, int | None]:
    """Returns the values of the columns STATE: None for values that int64 cannot hold or the system
    lacks."""
    times = status.st_mtime_ns, status.st_ctime_ns
    modified, changed = (t if -INT64_MAX <= t <= INT64_MAX else None for t in times)
    if os.name == "nt":  # The time of creation; not every file system keeps inode numbers.
        return modified, None, None
    inode = status.st_ino - (1 << 64 if status.st_ino > INT64_MAX else 0)
    return modified, changed, inode


def leaves(rows: list[dict[str, Any]], hashing: Hashing) -> bytes:
    """Returns the leaf hashes of rows, joined."""
    types = {name: ROWS.field(name).type for name in ("path", "size", "digest", "status")}
    columns = {name: pa.array([row[name] for row in rows], type) for name, type in types.items()}
    return hashing.leaves(pa.table({"format": pa.array([FORMAT] * len(rows)), **columns}))


def batch(rows: list[dict[str, Any]], hashing: Hashing) -> Any:
    """Returns the rows with their leaves as a pyarrow batch."""
    hashes, size = leaves(rows, hashing), hashing.digest_size
    for place, row in enumerate(rows):
        row["leaf"] = hashes[place * size : (place + 1) * size]
    return pa.RecordBatch.from_pylist(rows, ROWS)


def metadata(hashing: Hashing, count: int, root: bytes) -> dict[str, str]:
    """Returns the metadata of a manifest."""
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
