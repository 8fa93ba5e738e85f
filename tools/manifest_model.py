#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Prints the vectors of docs/format/manifests.md, computed by Python's hashlib, as table rows."""

import hashlib
import struct
from collections.abc import Callable

FORMAT = b"finalist-manifest-2"
ROWS = [
    (b"a.c", b"abc", "ok"),
    (b"a/b", b"", "ok"),
    (b"a/gone", None, "vanished"),
    (b"new\nline", b"x", "ok"),
    (b"\xff", b"\\\n", "ok"),
]
METADATA_FORMAT = b"finalist-manifest-2-metadata"
# Path, content, status, mode, target.
METADATA_ROWS = [
    (b"a.c", b"abc", "ok", 0o640, None),
    (b"a/", None, "directory", 0o755, None),
    (b"a/l", None, "link", None, b"../a.c"),
]
KEY, SALT, PERSONAL = b"key", b"\x00\xff", b"\x0a"

Hash = Callable[[bytes], bytes]


def blake2b(message: bytes) -> bytes:
    return hashlib.blake2b(message, digest_size=8).digest()


def keyed_blake2s(message: bytes) -> bytes:
    return hashlib.blake2s(message, key=KEY, salt=SALT, person=PERSONAL).digest()


def part(kind: int, data: bytes) -> bytes:
    return bytes([kind]) + struct.pack("<Q", len(data)) + data


def integer(value: int) -> bytes:
    return b"\2" + struct.pack("<Q", value)


def row_message(
    hash_: Hash, path: bytes, content: bytes | None, status: str, format_: bytes = FORMAT
) -> bytes:
    read = b"\0\0" if content is None else integer(len(content)) + part(5, hash_(content))
    return b"\1" + part(6, format_) + part(5, path) + read + part(6, status.encode())


def metadata_message(
    path: bytes, content: bytes | None, status: str, mode: int | None, target: bytes | None
) -> bytes:
    message = row_message(blake2b, path, content, status, METADATA_FORMAT)
    message += b"\0" if mode is None else integer(mode)
    return message + (b"\0" if target is None else part(5, target))


def top(hash_: Hash, leaves: list[bytes]) -> bytes:
    """Returns the root of RFC 9162."""
    if len(leaves) < 2:
        return leaves[0] if leaves else hash_(b"")
    left = 1 << (len(leaves) - 1).bit_length() - 1
    return hash_(b"\1" + top(hash_, leaves[:left]) + top(hash_, leaves[left:]))


def root_message(
    hash_: Hash,
    algorithm: bytes,
    parameters: tuple[bool, bytes, bytes],
    leaves: list[bytes],
    format_: bytes = FORMAT,
) -> bytes:
    keyed, salt, personal = parameters
    function = part(6, algorithm) + integer(len(hash_(b"")) * 8)
    given = bytes([1, keyed]) + part(5, salt) + part(5, personal)
    tree = integer(len(leaves)) + part(5, top(hash_, leaves))
    return b"\2\1" + part(6, format_) + function + given + tree


def leaves_of(hash_: Hash) -> list[bytes]:
    return [hash_(b"\0" + row_message(hash_, *row)) for row in ROWS]


def main() -> None:
    leaves = leaves_of(blake2b)
    for row, leaf in zip(ROWS, leaves, strict=True):
        print(f"`{row_message(blake2b, *row).hex()}` | `{leaf.hex()}` |")
    for count in range(len(leaves) + 1):
        first = leaves[:count]
        root = blake2b(root_message(blake2b, b"blake2b", (False, b"", b""), first))
        print(f"| first {count} | `{top(blake2b, first).hex()}` | `{root.hex()}` |")
    message = root_message(blake2b, b"blake2b", (False, b"", b""), leaves)
    print(f"`{message.hex()}`")
    messages = [metadata_message(*row) for row in METADATA_ROWS]
    leaves = [blake2b(b"\0" + message) for message in messages]
    for message, leaf in zip(messages, leaves, strict=True):
        print(f"`{message.hex()}` | `{leaf.hex()}` |")
    message = root_message(blake2b, b"blake2b", (False, b"", b""), leaves, METADATA_FORMAT)
    print(f"`{blake2b(message).hex()}`")
    leaves = leaves_of(keyed_blake2s)
    message = root_message(keyed_blake2s, b"blake2s", (True, SALT, PERSONAL), leaves)
    print(f"`{message.hex()}`")
    print(f"`{keyed_blake2s(message).hex()}`")


if __name__ == "__main__":
    main()
