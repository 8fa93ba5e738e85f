# SPDX-License-Identifier: MIT OR Apache-2.0
"""Proofs of which rows changed between two versions of a table, and that no others did.

Rows are the leaves of a Merkle tree (finalist.merkle) and keep their index: a row changes, or rows
are added or removed at the end. A proof has the old and the new hash of every changed leaf and the
roots of the subtrees between them, which both trees share. A verifier computes both trusted roots
from it, so the rows of the shared subtrees are equal. docs/format/proofs.md has the file format.

>>> from finalist import changes, merkle
>>> old = merkle.leaf_hashes([b"one", b"two", b"three"], "blake2s")
>>> new = merkle.leaf_hashes([b"one", b"2", b"three", b"four"], "blake2s")
>>> before, after = (merkle.range_root(hashes, "blake2s") for hashes in (old, new))
>>> proof = changes.prove([before], [after], changes.reader(old, 32), changes.reader(new, 32))
>>> proof = changes.Proof.from_json(proof.to_json())
>>> changes.verify(proof, before.root(), after.root())
True
>>> proof.changed, proof.old_leaf_count, proof.leaf_count
((1,), 3, 4)
"""

from __future__ import annotations

import dataclasses
import itertools
import json

from ._json import Members
from ._keys import redacted
from ._ranges import (
    HASH_MAX,
    MOST,
    Range,
    combine,
    hashes_of,
    range_root,
    subtrees,
    whole_number,
)
from ._roots import root_bytes
from ._shown import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from typing_extensions import Buffer

    #: Returns the leaf hashes, joined, of `count` leaves from leaf `first` on.
    Reader = Callable[[int, int], bytes]

FORMAT = "finalist-merkle-change-2"

_MEMBERS = ["format", "algorithm", "digest_bits", "old_leaf_count", "leaf_count", "changed"]
_LISTS = ["old_hashes", "new_hashes", "shared", "removed", "added"]


@dataclasses.dataclass(frozen=True)
class Proof:
    """A proof that exactly the rows in `changed` differ between the versions' common rows.

    algorithm and digest_size: those of both trees. old_leaf_count, leaf_count: rows of the
    versions. changed: the indexes of the changed rows, ascending. old_hashes, new_hashes: their
    leaf hashes. shared: the roots of the perfect subtrees of the leaves between them, in order.
    removed, added: those of the rows beyond the shorter version. Errors: TypeError and ValueError
    for impossible values.
    """

    algorithm: str
    digest_size: int
    old_leaf_count: int
    leaf_count: int
    changed: tuple[int, ...]
    old_hashes: tuple[bytes, ...]
    new_hashes: tuple[bytes, ...]
    shared: tuple[bytes, ...]
    removed: tuple[bytes, ...]
    added: tuple[bytes, ...]

    def __post_init__(self) -> None:
        for name in ("digest_size", "old_leaf_count", "leaf_count"):
            number = whole_number(getattr(self, name), name)
            if not 0 <= number <= (HASH_MAX if name == "digest_size" else MOST):
                raise ValueError(f"not a change proof: {name} is out of range")
            object.__setattr__(self, name, number)
        for name in _LISTS:
            object.__setattr__(self, name, hashes_of(getattr(self, name), name))
        changed = tuple(whole_number(row, "a changed row") for row in self.changed)
        object.__setattr__(self, "changed", changed)
        if not len(self.changed) == len(self.old_hashes) == len(self.new_hashes):
            raise ValueError("not a change proof: a changed row has one old and one new hash")
        places = [-1, *self.changed, self.both]
        if any(a >= b for a, b in zip(places, places[1:], strict=False)):
            raise ValueError("not a change proof: 'changed' is not ascending or out of range")

    @property
    def both(self) -> int:
        """The number of rows that both versions have."""
        return min(self.old_leaf_count, self.leaf_count)

    def to_json(self) -> str:
        """Returns the proof as one JSON object."""
        members = {
            "format": FORMAT,
            "algorithm": self.algorithm,
            "digest_bits": self.digest_size * 8,
            "old_leaf_count": self.old_leaf_count,
            "leaf_count": self.leaf_count,
            "changed": list(self.changed),
        }
        hashes = {name: [node.hex() for node in getattr(self, name)] for name in _LISTS}
        return json.dumps(members | hashes)

    @staticmethod
    def from_json(text: str | bytes) -> Proof:
        """Reads a proof. Errors: ValueError if it is damaged or has unknown members."""
        members = Members(text, "not a change proof")
        if members.text("format") != FORMAT:
            members.fail(f"the format is {quoted(members.text('format'))}, not {FORMAT!r}")
        members.only([*_MEMBERS, *_LISTS])
        return Proof(
            algorithm=members.text("algorithm"),
            digest_size=members.digest_size(),
            old_leaf_count=members.number("old_leaf_count"),
            leaf_count=members.number("leaf_count"),
            changed=members.numbers("changed"),
            **{name: members.hashes(name) for name in _LISTS},
        )


def reader(leaf_hashes: bytes, digest_size: int) -> Reader:
    """Makes a reader of leaf hashes in memory, from leaf 0 on."""

    def read(first: int, count: int) -> bytes:
        return leaf_hashes[first * digest_size : (first + count) * digest_size]

    return read


@redacted
def prove(
    old: Iterable[Range],
    new: Iterable[Range],
    read_old: Reader,
    read_new: Reader,
    *,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> Proof:
    """Proves which rows changed between two versions, and that no others did.

    old, new: all ranges of each version. read_old, read_new: read leaf hashes of subtrees that the
    versions do not share; these are fewest if the ranges were cut at the same rows. key, salt and
    person: those of both trees. Errors: those of combine; ValueError if the trees have different
    algorithms or a reader returns hashes that are not in its tree.
    """
    secrets = {"key": key, "salt": salt, "person": person}
    old_ranges, new_ranges = list(old), list(new)
    whole_old, whole_new = combine(old_ranges, **secrets), combine(new_ranges, **secrets)
    kind = (whole_new.algorithm, whole_new.digest_size)
    if (whole_old.algorithm, whole_old.digest_size) != kind:
        raise ValueError("the versions have trees of different algorithms or digest sizes")
    both, size = min(whole_old.end, whole_new.end), whole_new.digest_size

    def part(leaves: bytes, first: int) -> Range:
        return range_root(leaves, kind[0], first=first, digest_size=size, **secrets)

    rows = _compare(_common(old_ranges, new_ranges), both, size, read_old, read_new, part)
    shared: list[bytes] = []
    changed: list[tuple[int, bytes, bytes]] = []
    unchanged: list[Range] = []
    for row in [*rows, None]:
        if isinstance(row, Range):
            unchanged.append(row)
            continue
        if unchanged:
            shared += _split(combine(unchanged, **secrets))
            unchanged.clear()
        if row:
            changed.append(row)
    removed, added = (
        _split(part(read(both, end - both) if end > both else b"", both))
        for read, end in ((read_old, whole_old.end), (read_new, whole_new.end))
    )
    proof = Proof(
        *kind,
        old_leaf_count=whole_old.end,
        leaf_count=whole_new.end,
        changed=tuple(number for number, _, _ in changed),
        old_hashes=tuple(old_hash for _, old_hash, _ in changed),
        new_hashes=tuple(new_hash for _, _, new_hash in changed),
        shared=tuple(shared),
        removed=removed,
        added=added,
    )
    if not verify(proof, whole_old.root(**secrets), whole_new.root(**secrets), **secrets):
        raise ValueError("the readers give leaf hashes that are not those of the ranges")
    return proof


def _split(part: Range) -> tuple[bytes, ...]:
    size = part.digest_size
    return tuple(part.nodes[at : at + size] for at in range(0, len(part.nodes), size))


def _common(old: list[Range], new: list[Range]) -> list[Range]:
    """Returns the subtrees that both versions share, in order."""
    nodes = [
        {
            (number << level, 1 << level): node
            for part in ranges
            for (level, number), node in zip(
                subtrees(part.first, part.count), _split(part), strict=True
            )
        }
        for ranges in (old, new)
    ]
    kind = new[0].algorithm, new[0].digest_size
    common = nodes[0].items() & nodes[1].items()
    return [Range(*kind, *place, node) for place, node in sorted(common)]


def _compare(
    common: list[Range],
    both: int,
    size: int,
    read_old: Reader,
    read_new: Reader,
    part: Callable[[bytes, int], Range],
) -> Iterator[Range | tuple[int, bytes, bytes]]:
    """Yields the rows of both versions in order: unchanged rows as ranges, a changed row as its
    index and both leaf hashes."""
    first = 0
    for subtree in [*common, None]:
        end = subtree.first if subtree else both
        if first < end:
            before, after = read_old(first, end - first), read_new(first, end - first)
            if {len(before), len(after)} != {(end - first) * size}:
                raise ValueError(f"a reader does not give the leaf hashes {first} to {end - 1}")
            start = 0
            for at in range(0, len(after), size):
                hashes = before[at : at + size], after[at : at + size]
                if hashes[0] != hashes[1]:
                    if start < at:
                        yield part(after[start:at], first + start // size)
                    yield (first + at // size, *hashes)
                    start = at + size
            if start < len(after):
                yield part(after[start:], first + start // size)
        if subtree:
            yield subtree
            first = subtree.end


@redacted
def verify(
    proof: Proof,
    old_root: bytes,
    root: bytes,
    *,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> bool:
    """Returns True if the proof shows that exactly the rows in proof.changed differ between the
    versions with these roots, apart from rows removed or added at the end.

    Take the roots, and key, salt and person if the trees have them, from a source that you trust,
    and compare proof.algorithm and proof.digest_size with what you expect.
    """
    if not isinstance(proof, Proof):
        name = type(proof).__name__
        raise TypeError(f"a Proof is required, not '{name}': Proof.from_json reads one")
    old_root, root = root_bytes(old_root, "old_root"), root_bytes(root)
    secrets = {"key": key, "salt": salt, "person": person}
    kind = (proof.algorithm, proof.digest_size)
    if any(len(node) != proof.digest_size for name in _LISTS for node in getattr(proof, name)):
        return False
    shared: list[Range] = []
    nodes, first = iter(proof.shared), 0
    for end in (*proof.changed, proof.both):
        own = itertools.islice(nodes, sum(1 for _ in subtrees(first, end - first)))
        try:
            shared.append(Range(*kind, first, end - first, b"".join(own)))
        except ValueError:
            return False
        first = end + 1
    if next(nodes, None) is not None:
        return False
    for count, hashes, tail, expected in (
        (proof.old_leaf_count, proof.old_hashes, proof.removed, old_root),
        (proof.leaf_count, proof.new_hashes, proof.added, root),
    ):
        leaves = zip(proof.changed, hashes, strict=True)
        try:
            parts = [Range(*kind, number, 1, node) for number, node in leaves]
            parts.append(Range(*kind, proof.both, count - proof.both, b"".join(tail)))
        except ValueError:
            return False
        if combine([*shared, *parts], **secrets).root(**secrets) != expected:
            return False
    return all(a != b for a, b in zip(proof.old_hashes, proof.new_hashes, strict=True))
