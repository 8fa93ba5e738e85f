# SPDX-License-Identifier: MIT OR Apache-2.0
"""Formats names and values in messages: on one line, of bounded length, without characters that a
terminal hides or reorders."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The most characters of a name or value in a message.
SHOWN_MAX = 200

#: Invisible characters that str.isprintable accepts: "default ignorable" ones in Unicode, and
#: Braille's blank pattern.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)


def shown(text: str) -> str:
    """Escapes a text, without adding quotes, and truncates a long one."""
    return _cut("".join(map(_visible, text[: SHOWN_MAX + 1])))


def quoted(value: Any) -> str:
    """Returns a value's representation in Python, truncated if it is long."""
    if isinstance(value, str):
        return f"'{shown(value)}'"
    if isinstance(value, bytes):
        return _cut(repr(value[: SHOWN_MAX + 1]))
    return shown(repr(value))


def line_of(error: BaseException) -> str:
    """Returns the message of another library's error, on one line."""
    lines = str(error).strip().splitlines()
    return shown(lines[0] if lines else type(error).__name__)


def counted(count: int, one: str, more: str) -> str:
    """Returns a number and what it counts, in the singular (one) or the plural (more)."""
    return f"{count} {one if count == 1 else more}"


def _visible(character: str) -> str:
    if character.isprintable() and not _INVISIBLE.match(character):
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 3] + "..."
