#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Composes trees node by node with Python's hashlib, which shares no code with Finalist.

    tools/tree_model.py            write tests/gen/blake2_trees.inc: BLAKE2's tree mode
    tools/tree_model.py --check    exit 1 if the file differs from what would be written
    tools/tree_model.py --root CHUNK DIGEST_BYTES FILE
                                   the Merkle root (RFC 9162) over BLAKE2b of a file's chunks
"""

import argparse
import hashlib
import sys
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "tests" / "gen" / "blake2_trees.inc"

# Python's documentation of hashlib, "Tree mode": 6000 zero bytes in two leaves of up to 4096.
EXAMPLE = "3ad2a9b37c6070e374c7a8c508fe20ca86b6ed54e286e93a0318e95e881db5aa"

MAKERS = {"BLAKE2B": hashlib.blake2b, "BLAKE2S": hashlib.blake2s}


def painted(count: int) -> bytes:
    return bytes(i % 251 for i in range(count))


def blake2_tree(name: str, message: bytes, shape: dict, digest_bytes: int, **common) -> bytes:
    """Returns the root's digest. shape: fanout, depth, leaf_size, inner_size. Takes no key, since
    hashlib would hash it in every node, not in the leaves alone."""
    make = MAKERS[name]

    def node(data: bytes, level: int, offset: int, last: bool, length: int) -> bytes:
        return make(
            data,
            digest_size=length,
            node_depth=level,
            node_offset=offset,
            last_node=last,
            **shape,
            **common,
        ).digest()

    inner = shape["inner_size"]
    size = shape["leaf_size"] or max(len(message), 1)
    below = [message[i : i + size] for i in range(0, len(message), size)] or [b""]
    level = 0
    while True:
        if level > 0 and len(below) == 1:
            return node(below[0], level, 0, True, digest_bytes)
        ends = len(below) - 1
        digests = [node(data, level, i, i == ends, inner) for i, data in enumerate(below)]
        level += 1
        fanout = shape["fanout"]
        if fanout == 0 or level == shape["depth"] - 1:
            fanout = len(digests)
        below = [b"".join(digests[i : i + fanout]) for i in range(0, len(digests), fanout)]


def shapes(name: str):
    """Yields (fanout, depth, leaf_size, inner_size, digest_bytes, message_bytes)"""
    most = 64 if name == "BLAKE2B" else 32
    yield 2, 2, 4096, most, 32, 6000
    for fanout in (0, 2, 3, 4, 7, 16, 255):
        for depth in (2, 3, 4, 5, 255):
            for leaf_size, count in ((1, 300), (64, 3000), (100, 1700), (129, 129), (129, 130)):
                inner = (most, 20, most - 1, 1)[(fanout + depth + count) % 4]
                digest_bytes = 1 + (7 * fanout + depth + count) % most
                yield fanout, depth, leaf_size, inner, digest_bytes, count
    for count in (0, 1, 99, 100, 101, 200, 201, 300, 400, 401, 500):
        yield 2, 255, 100, most, most, count
        yield 2, 3, 100, most // 2, most, count
        yield 0, 2, 100, most, most // 2, count
    yield 2, 255, 0, most, most, 0
    yield 2, 255, 0, most, most, 500
    yield 0, 255, 4294967295, most, most, 500


def vectors() -> str:
    lines = [
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */",
        "/* Written by tools/tree_model.py with Python's hashlib. Do not edit. */",
    ]
    for name in MAKERS:
        for number, shape in enumerate(shapes(name)):
            fanout, depth, leaf_size, inner, digest_bytes, count = shape
            salt = painted(number % (17 if name == "BLAKE2B" else 9))
            tree = dict(fanout=fanout, depth=depth, leaf_size=leaf_size, inner_size=inner)
            digest = blake2_tree(
                name, painted(count), tree, digest_bytes, salt=salt, person=salt[:5]
            )
            numbers = ", ".join(map(str, (*shape, len(salt), len(salt[:5]))))
            lines.append(f'{{FIN_{name}, {numbers},\n "{digest.hex()}"}},')
    return "\n".join(lines) + "\n"


def merkle_root(leaves: list[bytes], hash_of) -> bytes:
    """Returns MTH of RFC 9162, section 2.1.1."""
    if not leaves:
        return hash_of(b"")
    if len(leaves) == 1:
        return hash_of(b"\0" + leaves[0])
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    left, right = merkle_root(leaves[:k], hash_of), merkle_root(leaves[k:], hash_of)
    return hash_of(b"\1" + left + right)


def print_root(chunk: int, digest_bytes: int, file: str) -> None:
    data = Path(file).read_bytes()
    leaves = [data[i : i + chunk] for i in range(0, len(data), chunk)]
    root = merkle_root(leaves, lambda m: hashlib.blake2b(m, digest_size=digest_bytes).digest())
    print(root.hex())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--root", nargs=3, metavar=("CHUNK", "DIGEST_BYTES", "FILE"))
    arguments = parser.parse_args()
    if arguments.root:
        chunk, digest_bytes, file = arguments.root
        print_root(int(chunk), int(digest_bytes), file)
        return 0
    example = dict(fanout=2, depth=2, leaf_size=4096, inner_size=64)
    if blake2_tree("BLAKE2B", bytes(6000), example, 32).hex() != EXAMPLE:
        print("tools/tree_model.py: not the digest of Python's documentation", file=sys.stderr)
        return 1
    text = vectors()
    if not arguments.check:
        TARGET.write_text(text)
    elif not TARGET.is_file() or TARGET.read_text() != text:
        name = f"tests/gen/{TARGET.name}"
        print(f"{name}: differs from what tools/tree_model.py writes", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
