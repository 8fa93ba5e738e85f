# SPDX-License-Identifier: MIT OR Apache-2.0
"""Roots of version 2, which commit to the number of leaves and to the hash function.

Such a root is the hash of the byte 02 and some values in the encoding of docs/format/rows.md; the
last one is the root of RFC 9162 (docs/format/proofs.md). The byte separates roots from leaves (00)
and nodes (01).
"""

from __future__ import annotations

from ._finalist import MerkleTree, hash_many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Buffer

#: Formats of roots: of ranges and of hash_parquet's outputs, of manifests.
ROWS = "finalist-rows-2"
MANIFEST = "finalist-manifest-2"
#: The purposes of a table's fingerprint, with rows in any order and in their order.
TABLE = "finalist-table-1"
ORDERED_TABLE = "finalist-table-ordered-1"
#: The purpose of a table's buckets by a key.
BUCKETS = "finalist-buckets-1"

_ROOT = b"\2"
_ENCODING = b"\1"


def committed(
    tree: MerkleTree,
    form: str,
    leaf_count: int,
    plain: bytes,
    *,
    key: Buffer,
    salt: Buffer,
    person: Buffer,
) -> bytes:
    """Computes the root of version 2 from that of RFC 9162. tree: one with these parameters. form:
    the format or purpose, such as ROWS or MANIFEST."""
    keyed = memoryview(key).nbytes > 0
    values = [
        _string(form),
        _string(tree.algorithm),
        _integer(tree.digest_size * 8),
        b"\1\1" if keyed else b"\1\0",
        _binary(salt),
        _binary(person),
        _integer(leaf_count),
        _binary(plain),
    ]
    [root] = hash_many(
        tree.algorithm,
        [b"".join([_ROOT, _ENCODING, *values])],
        digest_size=tree.digest_size,
        key=key,
        salt=salt,
        person=person,
    )
    return root


def root_bytes(root: Buffer, name: str = "root") -> bytes:
    """Returns the bytes of a caller's root. Raises TypeError for other values, such as the root's
    digits, which would be another root. name: the argument's."""
    try:
        return bytes(memoryview(root))
    except TypeError:
        kind = type(root).__name__
        raise TypeError(f"{name} is a bytes-like object, not '{kind}'") from None


def _string(text: str) -> bytes:
    return b"\6" + len(text).to_bytes(8, "little") + text.encode()


def _integer(number: int) -> bytes:
    return b"\2" + number.to_bytes(8, "little")


def _binary(value: Buffer) -> bytes:
    content = bytes(memoryview(value))
    return b"\5" + len(content).to_bytes(8, "little") + content


def root_of_path(
    tree: MerkleTree, leaf_hash: bytes, index: int, leaf_count: int, hashes: Iterable[bytes]
) -> bytes | None:
    """Computes the root of RFC 9162 from a leaf and its proof, as in section 2.1.3.2; None if the
    number of hashes does not fit the leaf's index."""
    if not 0 <= index < leaf_count:
        return None
    node, number, last = leaf_hash, index, leaf_count - 1
    for sibling in hashes:
        if last == 0:
            return None
        if number % 2 or number == last:
            node = tree.parents(sibling + node)
            while number and number % 2 == 0:
                number, last = number >> 1, last >> 1
        else:
            node = tree.parents(node + sibling)
        number, last = number >> 1, last >> 1
    return node if last == 0 else None
