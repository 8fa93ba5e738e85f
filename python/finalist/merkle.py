# SPDX-License-Identifier: MIT OR Apache-2.0
"""Merkle trees of RFC 9162, section 2.1, over any algorithm, and proofs about their leaves.

A leaf hash is the hash of the byte 00 and the leaf; a node is the hash of the byte 01 and both
children. The left child of a node over n leaves covers the largest power of two less than n.
`finalist merkle` reads and writes the same proofs (docs/format/proofs.md). The root does not commit
to the number of leaves: a verifier needs both.

>>> from finalist import merkle
>>> tree = merkle.Tree("blake2s")
>>> tree.extend([b"one", b"two", b"three"])
>>> root = tree.root()
>>> proof = merkle.Proof.from_json(tree.prove(1).to_json())
>>> merkle.verify(proof, b"two", root, leaf_count=3, index=1)
True
>>> merkle.verify(proof, b"TWO", root, leaf_count=3, index=1)
False
>>> tree.append(b"four")
>>> proof = tree.consistency(3)
>>> merkle.verify_consistency(proof, root, tree.root(), old_leaf_count=3, leaf_count=4)
True

Several workers can compute a tree: each calls range_root for its leaves, and combine joins the
ranges. Root and proofs do not depend on the cuts. The root is of version 2: it commits to the
number of leaves and the parameters, so it alone verifies a proof.

>>> hashes = merkle.leaf_hashes([b"one", b"two", b"three", b"four"], "blake2s")
>>> parts = [merkle.range_root(hashes[:96], "blake2s")]
>>> parts.append(merkle.range_root(hashes[96:], "blake2s", first=3))
>>> whole = merkle.combine(parts)
>>> whole.rfc9162_root() == tree.root()
True
>>> merkle.verify(merkle.prove(parts, 1, hashes[:96]), b"two", whole.root())
True
"""

from __future__ import annotations

import dataclasses
import json

from ._finalist import MerkleTree
from ._json import Members
from ._keys import redacted
from ._ranges import (
    HASH_MAX,
    MOST,
    Range,
    combine,
    hashes_of,
    inclusion,
    leaf_hashes,
    range_root,
    row_hashes,
    whole_number,
)
from ._roots import ROWS, committed, root_bytes, root_of_path
from ._shown import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Literal

    from typing_extensions import Buffer

INCLUSION = "finalist-merkle-inclusion-1"
#: Formats of proofs against a root of version 2.
ROWS_INCLUSION = "finalist-merkle-inclusion-2"
CONSISTENCY = "finalist-merkle-consistency-1"

__all__ = [
    "CONSISTENCY",
    "INCLUSION",
    "Proof",
    "ROWS_INCLUSION",
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
_INCLUSIONS = (INCLUSION, ROWS_INCLUSION)
_PLACES = {INCLUSION: "index", ROWS_INCLUSION: "index", CONSISTENCY: "old_leaf_count"}


@dataclasses.dataclass(frozen=True)
class Proof:
    """A proof that a leaf is in a tree, or that a tree is the beginning of another.

    format: INCLUSION or CONSISTENCY for roots of RFC 9162, ROWS_INCLUSION for those of Range.root.
    algorithm: the name that `finalist -a` takes. leaf_count: the leaves of the (larger) tree.
    place: the leaf's index from 0, or the number of leaves of the older tree. hashes: the proof's
    nodes in RFC 9162's order. chunk_bytes: bytes of a leaf if the leaves are chunks of a file, for
    information only. Errors: TypeError and ValueError for impossible values.
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
            raise ValueError(f"not a proof of a known format: {quoted(self.format)}")
        limits = {"digest_size": HASH_MAX, "leaf_count": MOST, "place": MOST}
        if self.chunk_bytes is not None:
            limits["chunk_bytes"] = MOST
        for name, most in limits.items():
            number = whole_number(getattr(self, name), name)
            if not 0 <= number <= most:
                raise ValueError(f"not a proof: {name} is out of range")
            object.__setattr__(self, name, number)
        object.__setattr__(self, "hashes", hashes_of(self.hashes, "hashes"))

    def to_json(self) -> str:
        """Returns the proof as one JSON object."""
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
        """Reads a proof. Errors: ValueError if it is damaged or has unknown members."""
        members = Members(text, "not a proof")
        place = _PLACES.get(members.text("format"), "index")
        members.only([*_MEMBERS, place])
        is_cut = members.found["chunk_bytes"] is not None
        return Proof(
            format=members.text("format"),
            algorithm=members.text("algorithm"),
            digest_size=members.digest_size(),
            leaf_count=members.number("leaf_count"),
            place=members.number(place),
            hashes=members.hashes("hashes"),
            chunk_bytes=members.number("chunk_bytes") if is_cut else None,
        )


class Tree:
    """A tree to append leaves to. It keeps leaf hashes, digest_size bytes each, not the leaves.

    algorithm: a name of algorithms_available. digest_size (1 to 64 bytes), key, salt and person
    apply to every hash of the tree. Errors: those of the algorithm's constructor.
    """

    @redacted
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
        """Appends one leaf, a bytes-like object. extend is faster for many leaves."""
        self._tree.extend([leaf], 1)

    def extend(self, leaves: Iterable[Buffer], /, *, threads: int = 1) -> None:
        """Appends leaves; after an error, none. `threads` threads hash them, several at a time
        each."""
        self._tree.extend(leaves, threads)

    def root(self) -> bytes:
        """Returns the root over all leaves so far; without any, the hash of the empty message."""
        return self._tree.root()

    def prove(self, index: int, /) -> Proof:
        """Proves that the leaf with this index, from 0, is in the tree. Errors: IndexError if there
        is no such leaf."""
        return self._proof(INCLUSION, index, *self._tree.inclusion(_place(index)))

    def consistency(self, old_leaf_count: int, /) -> Proof:
        """Proves that the tree of the first old_leaf_count leaves is the beginning of this tree.
        Errors: IndexError for 0 and for more leaves than there are."""
        proved = self._tree.consistency(_place(old_leaf_count))
        return self._proof(CONSISTENCY, old_leaf_count, *proved)

    def _proof(self, kind: str, place: int, leaf_count: int, hashes: list[bytes]) -> Proof:
        tree = self._tree
        return Proof(kind, tree.algorithm, tree.digest_size, leaf_count, place, tuple(hashes))


def _place(number: int) -> int:
    if number < 0:
        raise IndexError(f"{number} is out of range: leaves are counted from the first one")
    return number


@redacted
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
    """Returns the root over the leaves, as Tree does."""
    tree = Tree(algorithm, digest_size=digest_size, key=key, salt=salt, person=person)
    tree.extend(leaves, threads=threads)
    return tree.root()


@redacted
def prove(
    ranges: Iterable[Range],
    index: int,
    leaf_hashes: bytes,
    *,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> Proof:
    """Proves that a leaf is in the tree that the ranges form; verify it against Range.root.

    ranges: all ranges of the tree. index: the leaf's, from 0. leaf_hashes: all of the range that
    contains the leaf; other leaves are not needed. key, salt and person: those of the tree. Errors:
    IndexError if the leaf is not in the tree, ValueError if leaf_hashes are not those of the range,
    and those of combine.
    """
    whole, hashes = inclusion(ranges, index, leaf_hashes, key, salt, person)
    kind = (ROWS_INCLUSION, whole.algorithm, whole.digest_size)
    return Proof(*kind, whole.count, index, tuple(hashes))


@redacted
def verify(
    proof: Proof,
    leaf: Buffer,
    root: bytes,
    *,
    leaf_count: int | None = None,
    index: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> bool:
    """Returns True if the proof shows that the leaf is in the tree with this root, at its index.

    Take the root, and key, salt and person if the tree has them, from a source that you trust, and
    compare proof.algorithm and proof.digest_size with what you expect. Take the number of leaves
    and the leaf's index from there, too: without them a proof for a root of RFC 9162 (INCLUSION)
    proves nothing. A root of Range.root commits to the number of leaves. The result is False if the
    proof has another leaf_count or index than you give. Errors: ValueError for a proof of another
    kind or an unknown algorithm, or if leaf_count or index are needed but missing.
    """
    tree, root = _verifier(proof, _INCLUSIONS, key, salt, person), root_bytes(root)
    leaf_hash = tree.leaf_hash(leaf)
    secrets = {"key": key, "salt": salt, "person": person}
    return _includes(proof, tree, leaf_hash, root, leaf_count, index, secrets)


@redacted
def verify_row(
    proof: Proof,
    row: Any,
    root: bytes,
    *,
    columns: Sequence[str] | None = None,
    numbers: Literal["exact", "by-value"] = "exact",
    leaf_count: int | None = None,
    index: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> bool:
    """Verifies as verify does, for a tree whose leaves are a table's rows. row: a table of this one
    row, as finalist.hash_rows takes it; columns: its columns in the tree's order, None for all;
    numbers: as in row_hashes."""
    tree, root = _verifier(proof, _INCLUSIONS, key, salt, person), root_bytes(root)
    leaf_hash = tree.row_hashes(row, columns, False, numbers, 1)
    if len(leaf_hash) != proof.digest_size:
        raise ValueError("a table of one row is required")
    secrets = {"key": key, "salt": salt, "person": person}
    return _includes(proof, tree, leaf_hash, root, leaf_count, index, secrets)


def _includes(
    proof: Proof,
    tree: MerkleTree,
    leaf_hash: bytes,
    root: bytes,
    leaf_count: int | None,
    index: int | None,
    secrets: dict[str, Any],
) -> bool:
    """Returns True if the proof leads from the leaf to the root and is of the requested leaf."""
    if proof.format == INCLUSION and (leaf_count is None or index is None):
        raise ValueError(
            f"a proof of the format {INCLUSION!r} needs leaf_count and index: its root does not say"
            " of how many leaves it is"
        )
    given = _number_or_none("leaf_count", leaf_count), _number_or_none("index", index)
    own = proof.leaf_count, proof.place
    if any(a not in (None, b) for a, b in zip(given, own, strict=True)):
        return False
    if any(len(node) != proof.digest_size for node in proof.hashes):
        return False
    plain = root_of_path(tree, leaf_hash, proof.place, proof.leaf_count, proof.hashes)
    if plain is None or proof.format == INCLUSION:
        return plain == root
    return committed(tree, ROWS, proof.leaf_count, plain, **secrets) == root


def _number_or_none(name: str, value: int | None) -> int | None:
    if value is not None and (type(value) is not int or not 0 <= value < 1 << 64):
        raise ValueError(f"{name} is not a number from 0 to 2**64 - 1")
    return value


@redacted
def verify_consistency(
    proof: Proof,
    old_root: bytes,
    root: bytes,
    *,
    old_leaf_count: int,
    leaf_count: int,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> bool:
    """Returns True if the proof shows that the tree of old_leaf_count leaves with old_root is the
    beginning of the tree of leaf_count leaves with root. Take counts and roots from a source that
    you trust; the result is False if the proof has others. The rest is as in verify."""
    tree = _verifier(proof, (CONSISTENCY,), key, salt, person)
    old_root, root = root_bytes(old_root, "old_root"), root_bytes(root)
    given = _number_or_none("old_leaf_count", old_leaf_count), leaf_count
    _number_or_none("leaf_count", leaf_count)
    if given != (proof.place, proof.leaf_count):
        return False
    if any(len(node) != proof.digest_size for node in proof.hashes):
        return False
    nodes = b"".join(proof.hashes)
    return tree.verify_consistency(proof.place, old_root, proof.leaf_count, root, nodes)


def _verifier(
    proof: Proof, kinds: tuple[str, ...], key: Buffer, salt: Buffer, person: Buffer
) -> MerkleTree:
    if not isinstance(proof, Proof):
        kind = type(proof).__name__
        raise TypeError(f"a Proof is required, not '{kind}': Proof.from_json reads one")
    if proof.format not in kinds:
        kind = " or ".join(map(repr, kinds))
        raise ValueError(f"a proof of the format {kind} is required, not {quoted(proof.format)}")
    return MerkleTree(proof.algorithm, proof.digest_size, key, salt, person)
