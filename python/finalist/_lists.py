# SPDX-License-Identifier: MIT OR Apache-2.0
"""Manifests as checksum lists (docs/format/manifests.md)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ._files import FORMAT, OK
from ._shown import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

PREFIX = "finalist."
#: The metadata between the format and the rows, and after them.
HEAD = ["algorithm", "digest_bits", "keyed", "salt", "personal"]
TAIL = ["count", "root"]
#: All metadata, as Parquet and JSON name it.
ALL = [PREFIX + name for name in ("format", *HEAD, *TAIL)]

#: Longer than any line: a path of 1 MiB with all bytes escaped, tag and digest.
_LINE_BYTES_MAX = (1 << 21) + 1024

_ESCAPES = {b"\\": b"\\\\", b"\n": b"\\n", b"\r": b"\\r"}
_MEANINGS = {escape: byte for byte, escape in _ESCAPES.items()}


def tag(algorithm: str, bits: int) -> str:
    """The name of an algorithm in tagged lines."""
    if algorithm.startswith("groestl"):
        return f"{'Groestl-0' if algorithm.startswith('groestl0') else 'Groestl'}-{bits}"
    if not algorithm.startswith("blake2") or algorithm in ("blake28", "blake224", "blake256"):
        return f"BLAKE-{algorithm[5:]}"
    title = "BLAKE2" + algorithm[6:].replace("x", "X")
    own = 512 if "b" in algorithm[6:] else 256
    return title if bits == own else f"{title}-{bits}"


def _escaped(path: bytes) -> bytes:
    return re.sub(rb"[\\\n\r]", lambda match: _ESCAPES[match[0]], path)


def _unescaped(path: bytes) -> bytes:
    # KeyError for an unknown escape.
    return re.sub(rb"(?s)\\.?", lambda match: _MEANINGS[match[0]], path)


def head(metadata: dict[str, str]) -> bytes:
    """The lines before the rows."""
    return f"# {FORMAT}\n".encode() + _comments(metadata, HEAD)


def tail(metadata: dict[str, str]) -> bytes:
    """The lines after the rows."""
    return _comments(metadata, TAIL)


def _comments(metadata: dict[str, str], names: list[str]) -> bytes:
    lines = (f"# {name}: {metadata[PREFIX + name]}".rstrip() + "\n" for name in names)
    return "".join(lines).encode()


def lines(rows: Iterable[dict[str, Any]], tag: str) -> bytes:
    """The lines of rows."""
    return b"".join(_line(row, tag.encode()) for row in rows)


def _line(row: dict[str, Any], tag: bytes) -> bytes:
    path = _escaped(row["path"])
    if row["status"] != OK:
        return b"# %s (%s)\n" % (row["status"].encode(), path)
    mark = b"\\" if path != row["path"] else b""
    digest = row["digest"].hex().encode()
    return b"# size %d\n%s%s (%s) = %s\n" % (row["size"], mark, tag, path, digest)


class Reader:
    """Reads a list from a binary file. metadata is complete after the last row. complain: makes an
    error from a text."""

    def __init__(self, file: Any, complain: Callable[[str], Exception]) -> None:
        self._file = file
        self._complain = complain
        self.metadata = {PREFIX + "format": self._format()}
        # Another version has other lines.
        for name in HEAD if self.metadata[PREFIX + "format"] == FORMAT else ():
            self._value(self._next(), name)

    def _next(self) -> bytes:
        line: bytes = self._file.readline(_LINE_BYTES_MAX)
        if len(line) == _LINE_BYTES_MAX:
            raise self._improper(line)
        if not line.endswith(b"\n"):
            raise self._complain("the list is cut short: it does not end with its root")
        return line

    def _format(self) -> str:
        line = self._next()
        return line[2:-1].decode("utf-8", "replace") if line.startswith(b"# ") else ""

    def _value(self, line: bytes, name: str) -> None:
        start = f"# {name}:".encode()
        value = line[len(start) : -1].decode("utf-8", "replace").strip()
        self.metadata[PREFIX + name] = value
        if line != _comments(self.metadata, [name]):
            raise self._improper(line)

    def _improper(self, line: bytes) -> Exception:
        text = line[:-1].decode("utf-8", "backslashreplace")
        return self._complain(f"improper line: {quoted(text)}")

    def rows(self, tag: str) -> Iterator[dict[str, Any]]:
        """The rows, without leaves and times."""
        name = tag.encode()
        while not (line := self._next()).startswith(b"# count:"):
            text = line
            if line.startswith(b"# size "):
                text += self._next()
            row = _row(text, name)
            if row is None or _line(row, name) != text:
                raise self._improper(text.splitlines(keepends=True)[-1])
            yield row
        self._value(line, "count")
        self._value(self._next(), "root")
        if self._file.read(1):
            raise self._complain("there is more after the root")


def _row(text: bytes, tag: bytes) -> dict[str, Any] | None:
    """Parses a row from its lines."""
    row: dict[str, Any] = {"size": None, "digest": None, "status": OK, "modified_ns": None}
    match = re.fullmatch(
        rb"# size (\d{1,20})\n(\\?)%s \((.*)\) = ([0-9a-f]*)\n" % re.escape(tag), text, re.DOTALL
    )
    try:
        if match:
            row["path"] = _unescaped(match[3]) if match[2] else match[3]
            row["size"], row["digest"] = int(match[1]), bytes.fromhex(match[4].decode())
            return row
        match = re.fullmatch(rb"# (\w+) \((.*)\)\n", text, re.DOTALL)
        if match:
            row["path"], row["status"] = _unescaped(match[2]), match[1].decode()
            return row
    except (KeyError, ValueError):
        pass
    return None
