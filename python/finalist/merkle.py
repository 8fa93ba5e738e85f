# SPDX-License-Identifier: MIT OR Apache-2.0
"""Merkle trees of RFC 9162, section 2.1, over any algorithm, and proofs about their leaves.

A leaf's hash is that of the byte 00 and the leaf, a node's that of the byte 01 and its two
children's hashes; the left child of a node over n leaves stands over the largest power of two of
leaves below n. Proofs are those of `finalist tree`, in the same files (docs/proof-format.md).

>>> from finalist import merkle
>>> tree = merkle.Tree("blake2s")
>>> tree.extend([b"one", b"two", b"three"])
>>> root = tree.root()
>>> proof = merkle.Proof.from_json(tree.prove(1).to_json())
>>> merkle.verify(proof, b"two", root), merkle.verify(proof, b"TWO", root)
(True, False)
>>> tree.append(b"four")
>>> merkle.verify_consistency(tree.consistency(3), root, tree.root())
True

A tree that several workers compute: each makes a range_root of its leaves, combine joins them. The
root is the same whatever the cuts, and so are proofs.

>>> hashes = merkle.leaf_hashes([b"one", b"two", b"three", b"four"], "blake2s")
>>> parts = [merkle.range_root(hashes[:96], "blake2s")]
>>> parts.append(merkle.range_root(hashes[96:], "blake2s", first=3))
>>> merkle.combine(parts).root() == tree.root()
True
>>> merkle.prove(parts, 1, hashes[:96]) == tree.prove(1)
True
"""

from __future__ import annotations

import dataclasses
import json

from ._finalist import MerkleTree
from ._keys import unseen
from ._ranges import Range, combine, inclusion, leaf_hashes, range_root, row_hashes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from typing_extensions import Buffer

INCLUSION = "finalist-merkle-inclusion-1"
CONSISTENCY = "finalist-merkle-consistency-1"

__all__ = [
    "CONSISTENCY",
    "INCLUSION",
    "Proof",
    "Range",
    "Tree",
    "combine",
    "leaf_hashes",
    "prove",
    "range_root",
    "root",
    "row_hashes",
    "verify",
    "verify_consistency",
    "verify_row",
]

_MEMBERS = ["format", "algorithm", "digest_bits", "chunk_bytes", "leaf_count", "hashes"]
_PLACES = {INCLUSION: "index", CONSISTENCY: "old_leaf_count"}


@dataclasses.dataclass(frozen=True)
class Proof:
    """A proof that a leaf is in a tree, or that a tree is the beginning of another.

    format: INCLUSION or CONSISTENCY. algorithm: the name that `finalist -a` takes. leaf_count: the
    leaves of the (larger) tree. place: the leaf's number from 0, or the leaves of the older tree.
    hashes: the proof's nodes in RFC 9162's order. chunk_bytes: bytes of a leaf if the leaves are
    pieces of a file, for the reader alone. Errors: ValueError for values that no proof has.
    """

    format: str
    algorithm: str
    digest_size: int
    leaf_count: int
    place: int
    hashes: tuple[bytes, ...]
    chunk_bytes: int | None = None

    def __post_init__(self) -> None:
        if self.format not in _PLACES:
            raise ValueError(f"not a proof of a known format: {self.format!r}")
        for name in ("digest_size", "leaf_count", "place"):
            if not 0 <= getattr(self, name) < 1 << 64:
                raise ValueError(f"not a proof: {name} is out of range")

    def to_json(self) -> str:
        """The proof as one JSON object."""
        members = {
            "format": self.format,
            "algorithm": self.algorithm,
            "digest_bits": self.digest_size * 8,
            "chunk_bytes": self.chunk_bytes,
            "leaf_count": self.leaf_count,
            _PLACES[self.format]: self.place,
            "hashes": [node.hex() for node in self.hashes],
        }
        return json.dumps(members)

    @staticmethod
    def from_json(text: str | bytes) -> Proof:
        """Reads a proof. ValueError says what is wrong with it; unknown members are refused."""
        try:
            members = json.loads(text)
        except ValueError as error:
            raise ValueError(f"not a proof: {error}") from None
        if not isinstance(members, dict):
            raise ValueError("not a proof: a JSON object is required")
        if not isinstance(members.get("format"), str):
            raise ValueError("not a proof: 'format' is not a string")
        place = _PLACES.get(members["format"], "index")
        for name in members.keys() ^ {*_MEMBERS, place}:
            what = "unknown" if name in members else "missing"
            raise ValueError(f"not a proof: the member {name!r} is {what}")
        bits, hashes = _number(members, "digest_bits"), members["hashes"]
        if bits == 0 or bits % 8:
            raise ValueError("not a proof: 'digest_bits' is not a multiple of 8 above 0")
        if not isinstance(hashes, list) or not all(isinstance(node, str) for node in hashes):
            raise ValueError("not a proof: 'hashes' is not an array of strings")
        if not isinstance(members["algorithm"], str):
            raise ValueError("not a proof: 'algorithm' is not a string")
        chunk = members["chunk_bytes"]
        return Proof(
            format=members["format"],
            algorithm=members["algorithm"],
            digest_size=bits // 8,
            leaf_count=_number(members, "leaf_count"),
            place=_number(members, place),
            hashes=tuple(_bytes_of_hex(node) for node in hashes),
            chunk_bytes=chunk if chunk is None else _number(members, "chunk_bytes"),
        )


def _number(members: dict[str, Any], name: str) -> int:
    value = members[name]
    if type(value) is not int or not 0 <= value < 1 << 64:
        raise ValueError(f"not a proof: {name!r} is not a number from 0 to 2**64 - 1")
    return value


def _bytes_of_hex(text: str) -> bytes:
    if not text.isalnum():  # bytes.fromhex skips spaces.
        raise ValueError("not a proof: 'hashes' has what is not hexadecimal")
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise ValueError("not a proof: 'hashes' has what is not hexadecimal") from None


class Tree:
    """A tree that grows. Keeps its leaves' hashes, digest_size bytes each, not the leaves.

    algorithm: a name of algorithms_available. digest_size (1 to 64 bytes), key, salt and person
    hold for every hash of the tree. Errors: as the constructor of the algorithm.
    """

    @unseen
    def __init__(
        self,
        algorithm: str = "blake2b",
        *,
        digest_size: int | None = None,
        key: Buffer = b"",
        salt: Buffer = b"",
        person: Buffer = b"",
    ) -> None:
        self._tree = MerkleTree(algorithm, digest_size, key, salt, person)

    def __len__(self) -> int:
        """The number of leaves."""
        return len(self._tree)

    def append(self, leaf: Buffer, /) -> None:
        """Appends one leaf, a bytes-like object. Many at once (extend) are faster."""
        self._tree.extend([leaf], 1)

    def extend(self, leaves: Iterable[Buffer], /, *, threads: int = 1) -> None:
        """Appends leaves, hashed side by side by so many threads."""
        self._tree.extend(leaves, threads)

    def root(self) -> bytes:
        """The root over all leaves so far; of none, the hash of the empty message."""
        return self._tree.root()

    def prove(self, index: int, /) -> Proof:
        """The proof that a leaf, by its number from 0, is in the tree. IndexError if it is not."""
        return self._proof(INCLUSION, index, self._tree.inclusion(_place(index)))

    def consistency(self, old_leaf_count: int, /) -> Proof:
        """The proof that the tree began as the tree of its first leaves; IndexError if there are
        fewer, or for 0, of which nothing can be proved."""
        hashes = self._tree.consistency(_place(old_leaf_count))
        return self._proof(CONSISTENCY, old_leaf_count, hashes)

    def _proof(self, kind: str, place: int, hashes: list[bytes]) -> Proof:
        tree = self._tree
        return Proof(kind, tree.algorithm, tree.digest_size, len(tree), place, tuple(hashes))


def _place(number: int) -> int:
    if number < 0:
        raise IndexError(f"{number} is out of range: leaves are counted from the first one")
    return number


@unseen
def root(
    leaves: Iterable[Buffer],
    algorithm: str = "blake2b",
    *,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    threads: int = 1,
) -> bytes:
    """The root over the leaves, as Tree gives it."""
    tree = Tree(algorithm, digest_size=digest_size, key=key, salt=salt, person=person)
    tree.extend(leaves, threads=threads)
    return tree.root()


@unseen
def prove(
    ranges: Iterable[Range],
    index: int,
    leaf_hashes: bytes,
    *,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> Proof:
    """The proof that a leaf is in the tree of some ranges, as Tree.prove gives it.

    ranges: all of the tree's. index: the leaf's number, from 0. leaf_hashes: those of the range
    that has the leaf; the other leaves are not needed. key, salt and person are the tree's. Errors:
    IndexError if the leaf is not in the tree, ValueError if leaf_hashes are not those of the range,
    and those of combine.
    """
    whole, hashes = inclusion(ranges, index, leaf_hashes, key, salt, person)
    return Proof(
        INCLUSION, whole.algorithm, whole.digest_size, whole.count, index, tuple(hashes)
    )


@unseen
def verify(
    proof: Proof,
    leaf: Buffer,
    root: bytes,
    *,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> bool:
    """Whether the proof shows that the leaf is in the tree with this root, at the proof's index.

    The root, and key, salt and person if the tree has them, come from a place of trust, as the
    algorithm does: compare proof.algorithm and proof.digest_size with what you expect. Errors:
    ValueError for a proof of another kind or with an unknown algorithm.
    """
    tree = _verifier(proof, INCLUSION, key, salt, person)
    nodes = _joined(proof)
    return nodes is not None and tree.verify_inclusion(
        tree.leaf_hash(leaf), proof.place, proof.leaf_count, nodes, root
    )


@unseen
def verify_row(
    proof: Proof,
    row: Any,
    root: bytes,
    *,
    columns: Sequence[str] | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> bool:
    """As verify, for a tree whose leaves are the rows of a table. row: a table of that one row, as
    finalist.hash_rows takes it; columns: its columns in the tree's order, None for all."""
    tree = _verifier(proof, INCLUSION, key, salt, person)
    nodes, leaf = _joined(proof), tree.row_hashes(row, columns, 1)
    if len(leaf) != proof.digest_size:
        raise ValueError("a table of one row is required")
    return nodes is not None and tree.verify_inclusion(
        leaf, proof.place, proof.leaf_count, nodes, root
    )


@unseen
def verify_consistency(
    proof: Proof,
    old_root: bytes,
    root: bytes,
    *,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> bool:
    """Whether the proof shows that the tree with old_root is the beginning of the tree with root.
    The rest is as in verify."""
    tree = _verifier(proof, CONSISTENCY, key, salt, person)
    nodes = _joined(proof)
    return nodes is not None and tree.verify_consistency(
        proof.place, old_root, proof.leaf_count, root, nodes
    )


def _verifier(proof: Proof, kind: str, key: Buffer, salt: Buffer, person: Buffer) -> MerkleTree:
    if proof.format != kind:
        raise ValueError(f"a proof of the format {kind!r} is required, not {proof.format!r}")
    return MerkleTree(proof.algorithm, proof.digest_size, key, salt, person)


def _joined(proof: Proof) -> bytes | None:
    """The nodes one after the other; None if one is of another length, which leads nowhere."""
    if any(len(node) != proof.digest_size for node in proof.hashes):
        return None
    return b"".join(proof.hashes)
