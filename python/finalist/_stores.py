# SPDX-License-Identifier: MIT OR Apache-2.0
"""Lists and hashes files of object stores and other file systems, through fsspec."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from . import _files
from ._shown import line_of, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._hashing import Hashing

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


class Store:
    """The objects below a prefix."""

    def __init__(self, url: str, options: dict[str, Any]) -> None:
        import fsspec  # type: ignore[import-untyped,import-not-found,unused-ignore]

        self._url = url
        self._fs, prefix = fsspec.core.url_to_fs(url, **options)
        self._prefix = prefix.rstrip("/")

    def names(self) -> list[bytes]:
        """Returns the paths of all objects relative to the prefix, sorted."""
        self._fs.invalidate_cache()
        try:
            found = self._fs.find(self._prefix)
            is_there = bool(found) or self._fs.isdir(self._prefix)
        except Exception as error:  # Stores have errors of their own.
            raise OSError(f"cannot list {shown(self._url)}: {line_of(error)}") from error
        if not is_there:
            raise FileNotFoundError(f"there are no objects below {shown(self._url)}")
        start = len(self._prefix) + 1
        # A name that ends with a slash is a directory.
        return sorted(name[start:].encode() for name in found if not name.endswith("/"))

    def rows(self, paths: list[bytes], hashing: Hashing) -> Iterator[dict[str, Any]]:
        """Yields a row without its leaf for each path."""
        together: list[tuple[dict[str, Any], bytes | None]] = []
        total = 0
        for path in paths:
            row: dict[str, Any] = dict.fromkeys((*_files.CONTENT, *_files.STATE))
            row |= {"path": path, "status": _files.OK}
            content = self._read(f"{self._prefix}/{path.decode()}", row, hashing)
            together.append((row, content))
            total += len(content or b"")
            if total >= _files.TOGETHER_BYTES:
                yield from _files.hashed(together, hashing)
                together, total = [], 0
        yield from _files.hashed(together, hashing)

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
            else:
                message = hashing.message()
                with self._fs.open(name, "rb", block_size=_files.PIECE_BYTES) as file:
                    while piece := file.read(_files.PIECE_BYTES):
                        message.update(piece)
                        size += len(piece)
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
        row["size"], row["modified_ns"] = size, _modified_ns(before)
        return content


def _state(info: dict[str, Any]) -> tuple[Any, ...]:
    return (info["size"], _modified_ns(info), info.get("ETag"))


def _modified_ns(info: dict[str, Any]) -> int | None:
    """Returns the time of change, if the store reports it."""
    time = info.get("LastModified", info.get("last_modified", info.get("mtime")))
    if isinstance(time, datetime.datetime) and time.tzinfo is not None:
        return (time - EPOCH) // datetime.timedelta(microseconds=1) * 1000
    return None
