#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Computes the example of docs/format/proofs.md with hashlib, which shares no code with Finalist.

    tools/proof_model.py            print the example's lines
    tools/proof_model.py --check    fail if the page lacks one of them
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "format" / "proofs.md"
DIGEST_BYTES = 8
LEAVES = [b"one", b"two", b"three"]


def digest(message: bytes) -> bytes:
    return hashlib.blake2b(message, digest_size=DIGEST_BYTES).digest()


def node(left: bytes, right: bytes) -> bytes:
    return digest(b"\1" + left + right)


def number(value: int) -> bytes:
    return b"\2" + value.to_bytes(8, "little")


def binary(value: bytes, kind: bytes = b"\5") -> bytes:
    return kind + len(value).to_bytes(8, "little") + value


def root_message(leaf_count: int, rfc9162_root: bytes) -> bytes:
    """Returns the message whose hash is a root of version 2."""
    keyed, salt, personal = b"\1\0", b"", b""
    return b"".join([
        b"\2", b"\1", binary(b"finalist-rows-2", b"\6"), binary(b"blake2b", b"\6"),
        number(8 * DIGEST_BYTES), keyed, binary(salt), binary(personal), number(leaf_count),
        binary(rfc9162_root),
    ])


def example() -> list[str]:
    hashes = [digest(b"\0" + leaf) for leaf in LEAVES]
    inner = node(hashes[0], hashes[1])
    top = node(inner, hashes[2])
    message = root_message(len(LEAVES), top)
    proof = {
        "format": "finalist-merkle-inclusion-2",
        "algorithm": "blake2b",
        "digest_bits": 8 * DIGEST_BYTES,
        "chunk_bytes": None,
        "leaf_count": len(LEAVES),
        "index": 1,
        "hashes": [hashes[0].hex(), hashes[2].hex()],
    }
    # The same top node, claimed as the root over its two children as leaves.
    forged = digest(root_message(2, node(inner, hashes[2])))
    assert forged != digest(message)
    return [
        *(f"| hash of the leaf `{leaf.decode()}` | `{leaf_hash.hex()}` |"
          for leaf, leaf_hash in zip(LEAVES, hashes, strict=True)),
        f"| node over the first two | `{inner.hex()}` |",
        f"| root of RFC 9162 | `{top.hex()}` |",
        f"| root of version 2 | `{digest(message).hex()}` |",
        f"| the same with 2 as the number of leaves | `{forged.hex()}` |",
        message.hex(),
        json.dumps(proof),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    lines = example()
    if not parser.parse_args().check:
        print("\n".join(lines))
        return 0
    page = PAGE.read_text(encoding="utf-8").splitlines()
    missing = [line for line in lines if line not in page]
    for line in missing:
        print(f"{PAGE}: lacks the line: {line}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
