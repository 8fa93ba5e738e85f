# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ranges of a tree's leaves, from which finalist.merkle computes a root in parts.

A range consists of the roots of the largest perfect subtrees that fit into it, in the order of the
leaves. The subtrees are aligned: one over 2**level leaves begins at a multiple of 2**level. So
first and count determine them, and they are nodes of the whole tree for any cuts.
"""

from __future__ import annotations

import dataclasses
import operator

from ._finalist import MerkleTree, hash_many
from ._keys import redacted
from ._roots import ROWS, committed
from ._shown import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Literal

    from typing_extensions import Buffer

#: The most bytes of a tree's hash, and the most leaves.
HASH_MAX = 64
MOST = (1 << 64) - 1
#: The number of ranges to combine at a time: each has up to 128 nodes.
_RANGES_AT_ONCE = 1024

#: Nodes by level, each with its index within the level.
_Levels = dict[int, list[tuple[int, bytes]]]


def subtrees(first: int, count: int) -> Iterator[tuple[int, int]]:
    """Yields level and index of each perfect subtree of a range, in the order of the leaves."""
    while count:
        level = count.bit_length() - 1
        if first:
            level = min(level, (first & -first).bit_length() - 1)
        yield level, first >> level
        first += 1 << level
        count -= 1 << level


def whole_number(value: Any, name: str) -> int:
    """Returns an integer of any type as Python's own. Raises TypeError for other values. name: what
    it is."""
    try:
        return operator.index(value)
    except TypeError:
        kind = type(value).__name__
        raise TypeError(f"{name} is a whole number, not '{kind}'") from None


def hashes_of(values: Iterable[bytes], name: str) -> tuple[bytes, ...]:
    """Returns the hashes of a proof. Raises TypeError for other values. name: what they are."""
    if isinstance(values, list | tuple) and all(isinstance(value, bytes) for value in values):
        return tuple(values)
    raise TypeError(f"{name} is a tuple of hashes, which are bytes")


@dataclasses.dataclass(frozen=True, slots=True)
class Range:
    """Consecutive leaves of a tree.

    algorithm: the name that `finalist -a` takes. digest_size: bytes in a hash. first: the index of
    the first leaf, from 0; count: the number of leaves. nodes: the roots of the range's perfect
    subtrees, joined: at most 2 * log2(count) + 2. Errors: ValueError if these are inconsistent.
    """

    algorithm: str
    digest_size: int
    first: int
    count: int
    nodes: bytes

    def __post_init__(self) -> None:
        for name in ("digest_size", "first", "count"):
            object.__setattr__(self, name, whole_number(getattr(self, name), name))
        if self.first < 0 or self.count < 0 or self.first + self.count >= 1 << 64:
            raise ValueError(f"no tree has leaves {self.first} to {self.first + self.count - 1}")
        expected = sum(1 for _ in subtrees(self.first, self.count)) * self.digest_size
        if len(self.nodes) != expected:
            leaves = counted(self.count, "leaf", "leaves")
            raise ValueError(
                f"a range of {leaves} from leaf {self.first} on has {expected} bytes"
                f" of nodes, not {len(self.nodes)}"
            )

    @property
    def end(self) -> int:
        """The index of the leaf after the last one."""
        return self.first + self.count

    @redacted
    def root(self, *, key: Buffer = b"", salt: Buffer = b"", person: Buffer = b"") -> bytes:
        """Returns the tree's root of version 2 (docs/format/proofs.md); the range must have all
        leaves. The root commits to the number of leaves and the parameters. Errors: ValueError if
        the range does not begin with leaf 0."""
        return root_of(self, ROWS, key=key, salt=salt, person=person)

    @redacted
    def rfc9162_root(self, *, key: Buffer = b"", salt: Buffer = b"", person: Buffer = b"") -> bytes:
        """Returns the root of RFC 9162, as merkle.Tree does. A verifier also needs the number of
        leaves. Errors: ValueError if the range does not begin with leaf 0."""
        return _plain(self, hasher(self, key, salt, person))


def root_of(whole: Range, form: str, *, key: Buffer, salt: Buffer, person: Buffer) -> bytes:
    """Returns the root of version 2 over all leaves of a tree. form: see _roots."""
    tree = hasher(whole, key, salt, person)
    plain = _plain(whole, tree)
    return committed(tree, form, whole.count, plain, key=key, salt=salt, person=person)


def _plain(whole: Range, tree: MerkleTree) -> bytes:
    if whole.first:
        raise ValueError(f"leaves 0 to {whole.first - 1} are missing")
    return fold([node for _, _, node in _nodes(whole)], tree) if whole.count else tree.root()


def hasher(range: Range, key: Buffer, salt: Buffer, person: Buffer) -> MerkleTree:
    """Returns a tree with the parameters of a range, for hashing its nodes."""
    return MerkleTree(range.algorithm, range.digest_size, key, salt, person)


def fold(nodes: list[bytes], tree: MerkleTree) -> bytes:
    """Returns the hash over adjacent subtrees, the largest first."""
    result = nodes[-1]
    for node in reversed(nodes[:-1]):
        result = tree.parents(node + result)
    return result


def _nodes(range: Range) -> Iterator[tuple[int, int, bytes]]:
    """Yields level, index and hash of each node."""
    size = range.digest_size
    for place, (level, number) in enumerate(subtrees(range.first, range.count)):
        yield level, number, range.nodes[place * size : (place + 1) * size]


@redacted
def leaf_hashes(
    leaves: Iterable[Buffer],
    algorithm: str = "blake2b",
    *,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> bytes:
    """Hashes leaves, which are bytes-like objects. Returns their hashes joined. The other
    parameters and the errors are those of Tree."""
    size = MerkleTree(algorithm, digest_size, key, salt, person).digest_size
    return hash_many(
        algorithm,
        (b"".join((b"\0", leaf)) for leaf in leaves),
        digest_size=size,
        key=key,
        salt=salt,
        person=person,
        joined=True,
    )


@redacted
def row_hashes(
    table: Any,
    algorithm: str = "blake2b",
    columns: Sequence[str] | None = None,
    *,
    index: bool = False,
    numbers: Literal["exact", "by-value"] = "exact",
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    threads: int = 1,
) -> bytes:
    """Hashes a table's rows as leaves. Returns their hashes joined. A leaf is a row in the encoding
    of docs/format/rows.md. table, columns, index, numbers and the errors about them are those of
    hash_rows, the other parameters those of Tree."""
    tree = MerkleTree(algorithm, digest_size, key, salt, person)
    return tree.row_hashes(table, columns, index, numbers, threads)


@redacted
def range_root(
    leaf_hashes: bytes,
    algorithm: str = "blake2b",
    *,
    first: int = 0,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> Range:
    """Makes a range from the joined hashes of its leaves.

    first: the index of the first leaf in the whole tree. The other parameters are those of Tree.
    Workers compute ranges, combine joins them to the tree. Errors: ValueError if leaf_hashes are
    not whole hashes, and those of Tree.
    """
    tree = MerkleTree(algorithm, digest_size, key, salt, person)
    size, first = tree.digest_size, whole_number(first, "first")
    count = len(leaf_hashes) // size
    if len(leaf_hashes) % size:
        found = counted(len(leaf_hashes), "byte is", "bytes are")
        raise ValueError(f"{found} not hashes of {size} bytes each")
    left: list[bytes] = []
    right: list[bytes] = []
    level, number = leaf_hashes, first
    while level:
        # A node whose sibling is outside is a node of the range; pairs are combined one level up.
        begin, end = 0, len(level)
        if number % 2:
            left.append(level[:size])
            begin = size
        if (end - begin) // size % 2:
            right.append(level[-size:])
            end -= size
        level, number = tree.parents(level[begin:end]), (number + 1) // 2
    return Range(tree.algorithm, size, first, count, b"".join([*left, *reversed(right)]))


@redacted
def combine(
    ranges: Iterable[Range],
    *,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> Range:
    """Combines ranges, given in any order, that together have no gap.

    The result does not depend on the cuts, so an engine may combine some ranges on its workers and
    then combine the results. key, salt and person are those of the ranges. Errors: ValueError that
    names leaves which are missing or duplicate; ValueError for ranges of different algorithms, and
    for no range.
    """
    given = _in_order(ranges)
    if not given:
        raise ValueError("there are no ranges to combine")
    _check(given)
    tree = hasher(given[0], key, salt, person)
    whole = given[0]
    for place in range(1, len(given), _RANGES_AT_ONCE):
        whole = _join([whole, *given[place : place + _RANGES_AT_ONCE]], tree)
    return whole


def _in_order(ranges: Iterable[Range]) -> list[Range]:
    given = list(ranges)
    for one in given:
        if not isinstance(one, Range):
            raise TypeError(f"a Range is required, not '{type(one).__name__}'")
    return sorted(given, key=operator.attrgetter("first", "count"))


def _check(ranges: list[Range]) -> None:
    for before, after in zip(ranges, ranges[1:], strict=False):
        if (before.algorithm, before.digest_size) != (after.algorithm, after.digest_size):
            raise ValueError(
                f"ranges of different trees: {before.algorithm} with {before.digest_size} bytes,"
                f" {after.algorithm} with {after.digest_size}"
            )
        if before.end < after.first:
            raise ValueError(f"leaves {before.end} to {after.first - 1} are missing")
        if before.end > after.first:
            last = min(before.end, after.end) - 1
            raise ValueError(f"leaves {after.first} to {last} are there twice")


def _join(ranges: list[Range], tree: MerkleTree) -> Range:
    """Combines ranges that are in order and without gaps."""
    levels: _Levels = {}
    for part in ranges:
        for level, number, node in _nodes(part):
            levels.setdefault(level, []).append((number, node))
    left: list[bytes] = []
    right: list[bytes] = []
    size, level = ranges[0].digest_size, 0
    while levels:
        nodes = sorted(levels.pop(level, []))
        if nodes and nodes[0][0] % 2:
            left.append(nodes.pop(0)[1])
        if nodes and nodes[-1][0] % 2 == 0:
            right.append(nodes.pop()[1])
        level += 1
        if nodes:
            # Ranges have no gaps, so every other node has its sibling beside it.
            hashes = tree.parents(b"".join(node for _, node in nodes))
            above = levels.setdefault(level, [])
            for place, (number, _) in enumerate(nodes[::2]):
                above.append((number >> 1, hashes[place * size : (place + 1) * size]))
    first, last = ranges[0], ranges[-1]
    joined = b"".join([*left, *reversed(right)])
    return Range(first.algorithm, size, first.first, last.end - first.first, joined)


def inclusion(
    ranges: Iterable[Range],
    index: int,
    hashes: bytes,
    key: Buffer,
    salt: Buffer,
    person: Buffer,
) -> tuple[Range, list[bytes]]:
    """Combines ranges to the whole tree and proves a leaf as in section 2.1.3 of RFC 9162. hashes:
    the leaf hashes of the range with the leaf. Errors: those of merkle.prove."""
    given, index = _in_order(ranges), whole_number(index, "index")
    whole = combine(given, key=key, salt=salt, person=person)
    if whole.first:
        raise ValueError(f"leaves 0 to {whole.first - 1} are missing")
    if not 0 <= index < whole.count:
        leaves = counted(whole.count, "leaf", "leaves")
        raise IndexError(f"{index} is out of range for {leaves}")
    secrets = {"key": key, "salt": salt, "person": person}
    place = next(i for i, part in enumerate(given) if part.first <= index < part.end)
    own, size = given[place], whole.digest_size

    def part(leaves: bytes, first: int) -> Range:
        return range_root(leaves, own.algorithm, first=first, digest_size=size, **secrets)

    if part(hashes, own.first) != own:
        last = own.end - 1
        raise ValueError(f"these are not the leaf hashes of the leaves {own.first} to {last}")
    cut = (index - own.first) * size
    before = combine([*given[:place], part(hashes[:cut], own.first)], **secrets)
    after = combine([part(hashes[cut + size :], index + 1), *given[place + 1 :]], **secrets)
    return whole, _path(index, before, after, hasher(own, key, salt, person))


def _path(index: int, before: Range, after: Range, tree: MerkleTree) -> list[bytes]:
    """Returns the siblings on the path from a leaf to the root. before, after: the leaves before
    and after it. A sibling on the left is a perfect subtree of before. One on the right is a
    subtree of after, or several if it has the tree's last leaf and is not perfect."""
    lefts = {level: node for level, _, node in _nodes(before)}
    rights = list(_nodes(after))
    proof, number, last = [], index, after.end - 1
    for level in range(last.bit_length()):
        if number % 2:
            proof.append(lefts[level])
        elif number < last:
            end = (number + 2) << level
            inside = [node for low, at, node in rights if at << low < end]
            del rights[: len(inside)]
            proof.append(fold(inside, tree))
        number, last = number >> 1, last >> 1
    return proof
