# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads JSON objects of known members: proofs, and the metadata of manifests in parts.

It accepts the same objects as `finalist`: UTF-8, each member once, no unknown members, numbers from
0 to 2**64 - 1 in digits only.
"""

from __future__ import annotations

import collections
import json
import re

from ._shown import line_of, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NoReturn

NUMBER_MAX = (1 << 64) - 1
#: Digits of the largest number; Python converts very long ones slowly.
_DIGITS_MAX = 20


class Members:
    """The members of one object. what: the prefix of every error message."""

    def __init__(self, text: str | bytes, what: str) -> None:
        self.what = what
        try:
            decoded = text if isinstance(text, str) else bytes(memoryview(text)).decode()
            self.found = json.loads(
                decoded,
                object_pairs_hook=self._object,
                parse_int=self._integer,
                parse_float=self._other_number,
                parse_constant=self._other_number,
            )
        except _Improper as error:
            self.fail(str(error))
        except RecursionError:
            self.fail("it is nested too deep")
        except UnicodeDecodeError:
            self.fail("it is not UTF-8")
        except ValueError as error:
            self.fail(line_of(error))
        if not isinstance(self.found, dict):
            self.fail("a JSON object is required")

    def fail(self, text: str) -> NoReturn:
        raise ValueError(f"{self.what}: {text}") from None

    @staticmethod
    def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            [(twice, _)] = collections.Counter(name for name, _ in pairs).most_common(1)
            raise _Improper(f"the member {quoted(twice)} stands twice")
        return members

    @staticmethod
    def _integer(digits: str) -> int:
        if digits.startswith("-") or len(digits) > _DIGITS_MAX or int(digits) > NUMBER_MAX:
            raise _Improper(f"{quoted(digits)} is not a number from 0 to 2**64 - 1")
        return int(digits)

    @staticmethod
    def _other_number(text: str) -> NoReturn:
        raise _Improper(f"{quoted(text)} is not a whole number")

    def only(self, names: Iterable[str]) -> None:
        """Raises unless the object has exactly these members."""
        for name in sorted(self.found.keys() ^ set(names)):
            what = "unknown" if name in self.found else "missing"
            self.fail(f"the member {quoted(name)} is {what}")

    def text(self, name: str) -> str:
        value = self.found.get(name)
        if not isinstance(value, str):
            self.fail(f"{quoted(name)} is not a string")
        try:
            value.encode()
        except UnicodeEncodeError:  # An escape of half a surrogate pair.
            self.fail(f"{quoted(name)} is not a string of Unicode characters")
        return value

    def number(self, name: str) -> int:
        value = self.found.get(name)
        if type(value) is not int:
            self.fail(f"{quoted(name)} is not a number")
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        values = self.found.get(name)
        if not isinstance(values, list) or any(type(value) is not int for value in values):
            self.fail(f"{quoted(name)} is not an array of numbers")
        return tuple(values)

    def texts(self, name: str) -> list[str]:
        values = self.found.get(name)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            self.fail(f"{quoted(name)} is not an array of strings")
        return values

    def flag(self, name: str) -> bool:
        value = self.found.get(name)
        if not isinstance(value, bool):
            self.fail(f"{quoted(name)} is not true or false")
        return value

    def digest(self, name: str, size: int) -> bytes:
        """Returns one digest of this many bytes."""
        value = self.text(name)
        if len(value) != 2 * size or not _HEX.fullmatch(value):
            self.fail(f"{quoted(name)} is not {size} bytes in hexadecimal")
        return bytes.fromhex(value)

    def digest_size(self) -> int:
        """Returns digest_bits in bytes."""
        bits = self.number("digest_bits")
        if bits == 0 or bits % 8:
            self.fail("'digest_bits' is not a multiple of 8 above 0")
        return bits // 8

    def hashes(self, name: str) -> tuple[bytes, ...]:
        """Returns an array of digests, each of digest_bits."""
        size, values = self.digest_size(), self.found.get(name)
        if isinstance(values, list) and all(
            isinstance(value, str) and len(value) == 2 * size and _HEX.fullmatch(value)
            for value in values
        ):
            return tuple(map(bytes.fromhex, values))
        self.fail(f"{quoted(name)} is not an array of {size} bytes each in hexadecimal")


_HEX = re.compile("[0-9a-fA-F]*")


class _Improper(Exception):
    """Valid JSON that these objects must not contain."""
