# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads all pairs of a Parquet file's key-value metadata: pyarrow hides a repeated key's second
value, which another reader might use.

The footer is in Thrift's compact protocol: a field begins with a byte, which has its type and the
distance from the last field's number, or 0 if the number follows. Numbers have variable lengths;
structures end with 0.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAGIC = b"PAR1"
#: Field 5 of FileMetaData is its list of KeyValue, whose fields 1 and 2 are key and value.
_PAIRS, _KEY, _VALUE = 5, 1, 2
#: The deepest nesting of structures that is read; Parquet has six levels.
_DEPTH_MAX = 16

# Types.
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)


def metadata_of(file: Any) -> list[tuple[str, str]]:
    """Reads the pairs of a file open in binary mode. Raises ValueError if its footer is invalid."""
    end = file.seek(0, 2)
    if end < 12:
        raise ValueError("the file is cut short")
    file.seek(end - 8)
    tail = file.read(8)
    size = int.from_bytes(tail[:4], "little")
    if tail[4:] != MAGIC or size > end - 12:
        raise ValueError("the file is cut short, or is encrypted")
    file.seek(end - 8 - size)
    reader = _Reader(file.read(size))
    try:
        return reader.pairs()
    except IndexError:
        raise ValueError("the footer is cut short") from None


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def _byte(self) -> int:
        byte = self._data[self._at]
        self._at += 1
        return byte

    def _number(self) -> int:
        number = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
        raise ValueError("a number of the footer is too long")

    def _binary(self) -> bytes:
        size = self._number()
        if size > len(self._data) - self._at:
            raise ValueError("the footer is cut short")
        self._at += size
        return self._data[self._at - size : self._at]

    def _fields(self) -> Any:
        """Yields the number and type of each field of a structure; the caller reads its value."""
        number = 0
        while header := self._byte():
            if header >> 4:
                number += header >> 4
            else:
                zigzag = self._number()
                number = zigzag >> 1 ^ -(zigzag & 1)
            yield number, header & 15

    def _list(self) -> tuple[int, int]:
        """Reads the number and the type of a list's elements, which follow."""
        header = self._byte()
        size = header >> 4
        return (self._number() if size == 15 else size), header & 15

    def pairs(self) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for number, kind in self._fields():
            if (number, kind) != (_PAIRS, _LIST):
                self._skip(kind, 0)
                continue
            size, kind = self._list()
            if kind != _STRUCT:
                raise ValueError("the footer's metadata are no pairs")
            found += [self._pair() for _ in range(size)]
        return found

    def _pair(self) -> tuple[str, str]:
        values = {_KEY: b"", _VALUE: b""}
        for number, kind in self._fields():
            if number in values and kind == _BINARY:
                values[number] = self._binary()
            else:
                self._skip(kind, 0)
        key, value = (values[name].decode("utf-8", "backslashreplace") for name in (_KEY, _VALUE))
        return key, value

    def _skip(self, kind: int, depth: int, *, is_element: bool = False) -> None:
        """Skips a value."""
        if depth > _DEPTH_MAX:
            raise ValueError("the footer is nested too deep")
        if kind in (_TRUE, _FALSE):
            self._at += is_element
        elif kind == _BYTE:
            self._at += 1
        elif kind in (_I16, _I32, _I64):
            self._number()
        elif kind == _DOUBLE:
            self._at += 8
        elif kind == _BINARY:
            self._binary()
        elif kind in (_LIST, _SET):
            size, element = self._list()
            for _ in range(size):
                self._skip(element, depth + 1, is_element=True)
                self._data[self._at - 1]  # IndexError: elements without bytes would take long.
        elif kind == _STRUCT:
            for _, field in self._fields():
                self._skip(field, depth + 1)
        else:
            raise ValueError(f"the footer has a value of the unknown type {kind}")
