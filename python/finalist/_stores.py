# SPDX-License-Identifier: MIT OR Apache-2.0
"""Lists and hashes files of object stores and other file systems, through fsspec."""

from __future__ import annotations

import datetime
import threading
from typing import TYPE_CHECKING, Any

from . import _files, _footer
from ._shown import line_of, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._hashing import Hashing
    from .manifest import Row

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
SECOND = 10**9
MICROSECOND = datetime.timedelta(microseconds=1)
#: An object that changed less than this long ago could change again without a new time: stores give
#: whole seconds, and their clock may differ from this machine's. S3 refuses requests whose clock
#: differs by more.
SETTLED = datetime.timedelta(minutes=15)

#: The formats of manifests, and the most bytes of a list's first line.
FORMATS = (_files.FORMAT, f"{_files.FORMAT}-metadata")
LINE_BYTES = 64


def store_of(url: str, options: dict[str, Any] | None) -> tuple[Any, str]:
    """Returns the file system of fsspec and the name there of a URL."""
    import fsspec  # type: ignore[import-untyped,import-not-found,unused-ignore]

    fs, name = fsspec.core.url_to_fs(url, **(options or {}))
    return fs, str(name)


def replaces_other(fs: Any, name: str) -> bool:
    """Returns true if an object has content and is no manifest."""
    fs.invalidate_cache()
    try:
        info = fs.info(name)
    except FileNotFoundError:
        return False
    if info["type"] != "file" or info["size"] == 0:
        return False
    with fs.open(name, "rb") as file:
        line, end, _ = file.read(LINE_BYTES).partition(b"\n")
        if end and line in [f"# {form}".encode() for form in FORMATS]:
            return False
        try:
            found = dict(_footer.metadata_of(file))
        except ValueError:
            return True
        return found.get("finalist.format") not in FORMATS


class Store:
    """The objects below a prefix, which several threads may read. stopped: whether these are to
    end. begun, hashed: numbers of objects and of bytes; path: of the object begun last."""

    def __init__(self, url: str, options: dict[str, Any]) -> None:
        self.stopped = False
        self.begun, self.hashed, self.path = 0, 0, b""
        self._lock = threading.Lock()
        self._url, self._options = url, options
        self._fs, prefix = store_of(url, options)
        self._prefix = prefix.rstrip("/")

    def objects(self, own: str | None = None) -> dict[bytes, dict[str, Any]]:
        """Lists all objects: fsspec's information, with the name there, by the path relative to the
        prefix. own: the URL of an object to leave out."""
        self._fs.invalidate_cache()
        try:
            found = self._fs.find(self._prefix, detail=True)
            is_there = bool(found) or self._fs.isdir(self._prefix)
        except Exception as error:  # Stores have errors of their own.
            raise OSError(f"cannot list {shown(self._url)}: {line_of(error)}") from error
        if not is_there:
            raise FileNotFoundError(f"there are no objects below {shown(self._url)}")
        if self._prefix in found:
            raise NotADirectoryError(f"{shown(self._url)} is an object: give the URL above it")
        if own is not None and self._has_scheme_of(own):
            fs, name = store_of(own, self._options)
            if fs == self._fs:
                found.pop(name, None)
        # An archive's names begin without a slash. A name that ends with one is a directory. Some
        # servers have links and pipes, too.
        return {
            name.removeprefix(self._prefix).removeprefix("/").encode(): {**info, "name": name}
            for name, info in found.items()
            if not name.endswith("/") and info["type"] == "file" and not info.get("islink")
        }

    def _has_scheme_of(self, url: str) -> bool:
        """Returns true unless this store's options are not for a URL."""
        own, other = (name.partition("://")[0] for name in (self._url, url))
        names = self._fs.protocol
        return other == own or other in ([names] if isinstance(names, str) else names)

    def rows(
        self, objects: list[tuple[bytes, dict[str, Any]]], known: dict[bytes, Row], hashing: Hashing
    ) -> Iterator[dict[str, Any]]:
        """Yields a row without its leaf for each of some objects. known: rows of objects that are
        not read if they are unchanged."""
        together: list[tuple[dict[str, Any], bytes | None]] = []
        total = 0
        for path, info in objects:
            self._report(begun=path)
            name, content = info["name"], None
            if path in known and self._is_unchanged(name, info, known[path]):
                row = known[path]._asdict()
            else:
                row = dict.fromkeys((*_files.CONTENT, *_files.STATE))
                row |= {"path": path, "status": _files.OK}
                content = self._read(name, row, hashing)
            together.append((row, content))
            total += len(content or b"")
            if total >= _files.TOGETHER_BYTES:
                yield from _files.hashed(together, hashing)
                together, total = [], 0
        yield from _files.hashed(together, hashing)

    def _report(self, begun: bytes | None = None, hashed: int = 0) -> None:
        """Counts an object begun, or bytes hashed. Raises InterruptedError after a stop."""
        with self._lock:
            self.hashed += hashed
            if begun is not None:
                self.begun, self.path = self.begun + 1, begun
        if self.stopped:
            raise InterruptedError("the reading of the store was stopped")

    def _is_unchanged(self, name: str, info: dict[str, Any], row: Row) -> bool:
        """Returns true if a listed object has the row's size and time of change. Compares whole
        seconds: some stores give a fraction only when they list."""
        if info["size"] != row.size or row.modified_ns is None:
            return False
        if _modified_ns(info) is None:  # Some clients list no times.
            try:
                info = self._fs.info(name)
            except Exception:  # To be read, which says what is wrong.
                return False
        now = _modified_ns(info)
        return now is not None and now // SECOND == row.modified_ns // SECOND

    def _read(self, name: str, row: dict[str, Any], hashing: Hashing) -> bytes | None:
        """Fills in a row. Returns the content of a small object, which is not hashed yet."""
        content, fault, size = None, None, 0
        before: dict[str, Any] = {}
        try:
            self._fs.invalidate_cache(name)
            before = self._fs.info(name)
            if before["size"] <= _files.SMALL_BYTES:
                content = self._fs.cat_file(name)
                size = len(content)
                self._report(hashed=size)
            else:
                message = hashing.message()
                with self._fs.open(name, "rb", block_size=_files.PIECE_BYTES) as file:
                    while piece := file.read(_files.PIECE_BYTES):
                        message.update(piece)
                        size += len(piece)
                        self._report(hashed=len(piece))
                row["digest"] = message.digest()
            self._fs.invalidate_cache(name)
            after = self._fs.info(name)
        except FileNotFoundError:
            fault = _files.VANISHED
        except Exception as error:  # Stores have errors of their own.
            changed = "changed" in str(error) or "pre-condition" in str(error).lower()
            fault = _files.CHANGED if changed else _files.UNREADABLE
        else:
            if _state(before) != _state(after) or before["size"] != size:
                fault = _files.CHANGED
        if fault:
            row["status"], row["digest"] = fault, None
            return None
        row["size"], row["modified_ns"] = size, _settled_ns(before)
        return content


def _state(info: dict[str, Any]) -> tuple[Any, ...]:
    return (info["size"], _modified_ns(info), info.get("ETag"))


def _modified_ns(info: dict[str, Any]) -> int | None:
    """Returns the time of change, if the store reports it."""
    time = info.get("LastModified", info.get("last_modified", info.get("mtime")))
    if isinstance(time, datetime.datetime) and time.tzinfo is not None:
        return (time - EPOCH) // MICROSECOND * 1000
    return None


def _settled_ns(info: dict[str, Any]) -> int | None:
    """Returns the time of change if every later change will give another time."""
    now = (datetime.datetime.now(datetime.UTC) - EPOCH - SETTLED) // MICROSECOND * 1000
    time = _modified_ns(info)
    return None if time is None or time > now else time
