# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests trees computed in parts, and proofs of changes, against the tree computed at once."""

import dataclasses
import json
import os

import pyarrow as pa
import pytest
from finalist import changes, merkle
from finalist._ranges import Range
from hypothesis import given, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("FINALIST_EXAMPLES", "150"))
KEYED = {"digest_size": 20, "key": b"key", "salt": b"salt", "person": b"person"}
SECRETS = {name: value for name, value in KEYED.items() if name != "digest_size"}


def leaves_of(count, salt=0):
    return [b"leaf %d" % (i + salt) * (i % 3) for i in range(count)]


def tree_of(leaves, *arguments, **keywords):
    tree = merkle.Tree(*arguments, **keywords)
    tree.extend(leaves)
    return tree


def ranges_of(hashes, cuts, size, algorithm, **parameters):
    """Returns the ranges between cuts, which are leaf indexes."""
    ends = [0, *sorted(cuts), len(hashes) // size]
    return [
        merkle.range_root(hashes[a * size : b * size], algorithm, first=a, **parameters)
        for a, b in zip(ends, ends[1:], strict=False)
    ]


@st.composite
def partitions(draw, leaves_max=300):
    count = draw(st.integers(0, leaves_max))
    return count, draw(st.lists(st.integers(0, count), max_size=12))


@settings(max_examples=EXAMPLES, deadline=None)
@given(partitions(), st.randoms())
def test_any_partition_has_the_sequential_root(partition, random):
    count, cuts = partition
    leaves = leaves_of(count)
    tree = tree_of(leaves, "blake2s")
    hashes = merkle.leaf_hashes(leaves, "blake2s")
    ranges = ranges_of(hashes, cuts, 32, "blake2s")
    random.shuffle(ranges)
    whole = merkle.combine(ranges)
    assert whole == merkle.range_root(hashes, "blake2s")
    assert whole.rfc9162_root() == tree.root()
    # Combine some on a worker, and the results on the driver.
    ranges.sort(key=lambda part: (part.first, part.count))
    split = random.randrange(len(ranges))
    halves = [merkle.combine(half) for half in (ranges[:split], ranges[split:]) if half]
    assert merkle.combine(halves) == whole


@settings(max_examples=EXAMPLES, deadline=None)
@given(partitions(leaves_max=70).filter(lambda partition: partition[0]), st.randoms())
def test_proofs_from_ranges(partition, random):
    count, cuts = partition
    leaves = leaves_of(count)
    tree = tree_of(leaves, **KEYED)
    hashes = merkle.leaf_hashes(leaves, **KEYED)
    ranges = ranges_of(hashes, cuts, 20, "blake2b", **KEYED)
    random.shuffle(ranges)
    root = merkle.combine(ranges, **SECRETS).root(**SECRETS)
    for index in range(count):
        own = next(part for part in ranges if part.first <= index < part.end)
        proof = merkle.prove(ranges, index, hashes[own.first * 20 : own.end * 20], **SECRETS)
        assert proof == dataclasses.replace(tree.prove(index), format=merkle.ROWS_INCLUSION)
        assert merkle.verify(proof, leaves[index], root, **SECRETS)
        assert not merkle.verify(proof, leaves[index], tree.root(), **SECRETS)


@pytest.mark.parametrize("name", ["blake256", "groestl0_512", "blake2bp", "blake2xs"])
def test_every_family(name):
    extra = {"digest_size": 33} if name == "blake2xs" else {}
    leaves = leaves_of(100)
    tree = tree_of(leaves, name, **extra)
    hashes = merkle.leaf_hashes(leaves, name, **extra)
    ranges = ranges_of(hashes, [1, 37, 64], len(hashes) // 100, name, **extra)
    assert merkle.combine(ranges).rfc9162_root() == tree.root()


def test_leaves():
    assert merkle.leaf_hashes([]) == b""
    for wrong in (["text"], [5], [None]):
        with pytest.raises(TypeError):
            merkle.leaf_hashes(wrong)
    with pytest.raises(TypeError):
        merkle.leaf_hashes([], "blake2xb")


def test_rows():
    """A row's leaf is its encoding; this one is in docs/format/rows.md."""
    encoded = "010201000000000000000601000000000000006104000000000000e03f"
    table = pa.table({"x": [0.5], "s": ["a"], "n": [1]})
    hashes = merkle.row_hashes(table, columns=["n", "s", "x"], **KEYED)
    assert hashes == merkle.leaf_hashes([bytes.fromhex(encoded)], **KEYED)
    table = pa.concat_tables([pa.table({"n": [place] * 3}) for place in range(3)])
    single = [merkle.row_hashes(table.slice(place, 1)) for place in range(9)]
    assert merkle.row_hashes(table, threads=2) == b"".join(single)
    with pytest.raises(ValueError, match="no column 'm'"):
        merkle.row_hashes(table, columns=["m"])
    union = pa.UnionArray.from_dense(
        pa.array([0], pa.int8()), pa.array([0], pa.int32()), [pa.array([1])]
    )
    with pytest.raises(TypeError, match="'n'"):
        merkle.row_hashes(pa.table({"n": union}))
    encoded = ["020f0100000000000000020100000000000000", "0200"]
    hashes = merkle.row_hashes(pa.table({"n": [[1], None]}))
    assert hashes == merkle.leaf_hashes([bytes.fromhex(row) for row in encoded])


def test_many_ranges():
    hashes = merkle.leaf_hashes([b""] * 5000, "blake2s")
    ranges = ranges_of(hashes, range(1, 5000), 32, "blake2s")
    assert merkle.combine(ranges) == merkle.range_root(hashes, "blake2s")


def test_ranges_that_do_not_fit():
    hashes = merkle.leaf_hashes(leaves_of(100), "blake2s")
    ranges = ranges_of(hashes, [10, 50, 60], 32, "blake2s")
    with pytest.raises(ValueError, match="leaves 10 to 49 are missing"):
        merkle.combine([ranges[0], *ranges[2:]])
    with pytest.raises(ValueError, match="leaves 50 to 59 are there twice"):
        merkle.combine([*ranges, ranges[2]])
    for count, last in ((2, 6), (5, 9), (9, 9)):
        part = merkle.range_root(hashes[: count * 32], "blake2s", first=5)
        with pytest.raises(ValueError, match=f"^leaves 5 to {last} are there twice$"):
            merkle.combine([*ranges, part])
    with pytest.raises(ValueError, match="leaves 0 to 9 are missing"):
        merkle.combine(ranges[1:]).root()
    with pytest.raises(ValueError, match="leaves 0 to 9 are missing"):
        merkle.prove(ranges[1:], 20, hashes[10 * 32 : 50 * 32])
    text = "different trees: blake2s with 32 bytes, blake256 with 32$"
    with pytest.raises(ValueError, match=text):
        merkle.combine([ranges[0], merkle.range_root(hashes[320:], "blake256", first=10)])
    text = "different trees: blake2s with 32 bytes, blake2s with 16$"
    with pytest.raises(ValueError, match=text):
        other = merkle.range_root(bytes(16), "blake2s", first=10, digest_size=16)
        merkle.combine([ranges[0], other])
    with pytest.raises(ValueError, match="no ranges"):
        merkle.combine([])
    with pytest.raises(ValueError, match="whole hashes|not hashes"):
        merkle.range_root(hashes[:-1], "blake2s")
    with pytest.raises(ValueError, match="bytes of nodes"):
        dataclasses.replace(ranges[0], count=11)
    for index in (-1, 100):
        with pytest.raises(IndexError):
            merkle.prove(ranges, index, b"")
    with pytest.raises(ValueError, match="leaves 50 to 59"):
        merkle.prove(ranges, 55, hashes[:320])


@st.composite
def versions(draw):
    old, old_cuts = draw(partitions(leaves_max=80))
    new = draw(st.sampled_from([old, old, draw(st.integers(0, 80))]))
    cuts = draw(st.sampled_from([old_cuts, draw(st.lists(st.integers(0, 80), max_size=8))]))
    touched = draw(st.sets(st.integers(0, 79)))
    return old, new, old_cuts, [cut for cut in cuts if cut <= new], touched


@settings(max_examples=EXAMPLES, deadline=None)
@given(versions())
def test_change_proofs(version):
    old_count, new_count, old_cuts, new_cuts, touched = version
    old = leaves_of(old_count)
    new = leaves_of(new_count)
    for row in touched:
        if row < new_count:
            new[row] = b"changed"
    hashes = [merkle.leaf_hashes(leaves, **KEYED) for leaves in (old, new)]
    ranges = [
        ranges_of(own, cuts, 20, "blake2b", **KEYED)
        for own, cuts in zip(hashes, (old_cuts, new_cuts), strict=True)
    ]
    roots = [merkle.combine(each, **SECRETS).root(**SECRETS) for each in ranges]
    read = [changes.reader(own, 20) for own in hashes]
    proof = changes.prove(*ranges, *read, **SECRETS)
    assert proof.changed == tuple(sorted(row for row in touched if row < min(old_count, new_count)))
    assert changes.Proof.from_json(proof.to_json()) == proof
    assert changes.verify(proof, *roots, **SECRETS)
    if roots[0] != roots[1]:
        assert not changes.verify(proof, *reversed(roots), **SECRETS)
    for name in ("shared", "old_hashes", "new_hashes", "removed", "added"):
        nodes = getattr(proof, name)
        for wrong in ((*nodes[:-1], bytes(20)), nodes[:-1], (*nodes, bytes(20))):
            if name not in ("old_hashes", "new_hashes") or len(wrong) == len(nodes) > 0:
                if wrong == nodes:
                    continue
                forged = dataclasses.replace(proof, **{name: wrong})
                assert not changes.verify(forged, *roots, **SECRETS)


def test_shared_subtrees_are_not_read():
    hashes = merkle.leaf_hashes(leaves_of(1000), "blake2s")
    changed = hashes[: 777 * 32] + bytes(32) + hashes[778 * 32 :]
    cuts = range(100, 1000, 100)
    asked = []

    def read(first, count):
        asked.append((first, count))
        return changes.reader(hashes, 32)(first, count)

    old, new = (ranges_of(own, cuts, 32, "blake2s") for own in (hashes, changed))
    proof = changes.prove(old, new, read, changes.reader(changed, 32))
    assert proof.changed == (777,)
    assert sum(count for _, count in asked) <= 100
    assert len(proof.shared) < 20
    with pytest.raises(ValueError, match="readers"):
        changes.prove(old, new, read, changes.reader(hashes, 32))


def test_a_changed_row_that_is_the_same():
    hashes = merkle.leaf_hashes([b"one", b"two"], "blake2s")
    root = merkle.range_root(hashes, "blake2s").root()
    one, two = (hashes[:32],), (hashes[32:],)
    proof = changes.Proof("blake2s", 32, 2, 2, (0,), one, one, two, (), ())
    assert not changes.verify(proof, root, root)
    proof = changes.Proof("blake2s", 32, 2, 2, (), (), (), (*one, *two), (), ())
    assert not changes.verify(proof, root, root)


GOOD = json.loads(
    changes.prove(
        *[[merkle.range_root(merkle.leaf_hashes(leaves_of(9, salt)))] for salt in (0, 1)],
        *[changes.reader(merkle.leaf_hashes(leaves_of(9, salt)), 64) for salt in (0, 1)],
    ).to_json()
)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "finalist-merkle-change-1"},
        {"surplus": 1},
        {"digest_bits": 12},
        {"digest_bits": True},
        {"leaf_count": -1},
        {"old_leaf_count": 1 << 64},
        {"changed": 5},
        {"changed": GOOD["changed"][::-1]},
        {"changed": GOOD["changed"][:-1]},
        {"changed": [*GOOD["changed"][:-1], 9]},
        {"changed": [*GOOD["changed"][:-1], "8"]},
        {"shared": "00"},
        {"shared": ["00 11"]},
        {"added": [5]},
        {"old_hashes": ["zz" * 64] * len(GOOD["changed"])},
        {"algorithm": None},
    ],
)
def test_wrong_change_proofs_are_refused(change):
    with pytest.raises(ValueError, match="not a change proof"):
        changes.Proof.from_json(json.dumps({**GOOD, **change}))


@pytest.mark.parametrize("name", list(GOOD))
def test_missing_members_are_named(name):
    members = {key: value for key, value in GOOD.items() if key != name}
    with pytest.raises(ValueError, match="not a change proof"):
        changes.Proof.from_json(json.dumps(members))


@pytest.mark.parametrize("given", [("blake2s", 32), ("blake2b", 32)])
def test_versions_of_different_trees(given):
    """No reader is called: any proof would be wrong."""
    old, new = (
        merkle.range_root(b"\0" * 9 * size, name, digest_size=size)
        for name, size in (given, ("blake2b", 64))
    )
    with pytest.raises(ValueError, match="trees of different algorithms or digest sizes"):
        changes.prove([old], [new], None, None)


def test_ranges_of_trees_that_cannot_be():
    """A tree has less than 2^64 leaves."""
    last = (1 << 64) - 1
    assert Range("blake2s", 1, last, 0, b"").end == last
    assert Range("blake2s", 1, last - 1, 1, b"x").end == last
    for first, count in [(-1, 1), (0, -1), (last, 1), (last + 1, 0), (1, last)]:
        end = first + count - 1
        with pytest.raises(ValueError, match=f"^no tree has leaves {first} to {end}$"):
            Range("blake2s", 1, first, count, b"")
