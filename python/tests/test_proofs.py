# SPDX-License-Identifier: MIT OR Apache-2.0
"""No changed proof shows a false statement: changes every member of the proofs of all small trees,
and the verifier's arguments."""

import dataclasses
import hashlib
import itertools
import json

import finalist
import pytest
from finalist import changes, merkle

MOST = 20
BYTES = 8
SIZE = {"digest_size": BYTES}
COUNTS = (0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 2**32, 2**63, 2**64 - 1)


def leaves_of(count):
    return [b"leaf %d" % number for number in range(count)]


def whole_of(leaves):
    return merkle.range_root(merkle.leaf_hashes(leaves, "blake2s", **SIZE), "blake2s", **SIZE)


TREES = []
for count in range(MOST + 1):
    tree = merkle.Tree("blake2s", **SIZE)
    tree.extend(leaves_of(count))
    TREES.append((tree, tree.root(), whole_of(leaves_of(count)).root()))


def nodes_of(count):
    """Returns the messages whose hashes are the nodes and leaves of a tree."""
    found = []

    def node(first, size):
        if size == 1:
            content = b"\0" + b"leaf %d" % first
        else:
            half = 1 << (size - 1).bit_length() - 1
            content = b"\1" + node(first, half) + node(first + half, size - half)
        found.append(content)
        return hashlib.blake2s(content, digest_size=BYTES).digest()

    if count:
        assert node(0, count) == TREES[count][1]
    return found


def damaged(hashes):
    """Yields changed lists of hashes."""
    for place, node in enumerate(hashes):
        yield (*hashes[:place], node[:-1] + bytes([node[-1] ^ 1]), *hashes[place + 1 :])
        yield (*hashes[:place], node[:-1], *hashes[place + 1 :])
        yield hashes[:place] + hashes[place + 1 :]
        yield (*hashes[:place], node, *hashes[place:])
        if place:  # The same bytes, cut elsewhere.
            before = hashes[place - 1] + node
            yield (*hashes[: place - 1], before[:-1], before[-1:], *hashes[place + 1 :])
    yield (*hashes, bytes(BYTES))
    yield hashes[::-1]


def test_a_plain_proof_shows_what_the_verifier_asks_for():
    """Whatever the proof says, it verifies only for a leaf at its own index."""
    for count in range(1, MOST + 1):
        tree, root, _ = TREES[count]
        for index in range(count):
            proof = tree.prove(index)
            known = {"leaf_count": count, "index": index}
            assert merkle.verify(proof, b"leaf %d" % index, root, **known)
            for other in range(count):
                told = {"leaf_count": count, "index": other}
                assert merkle.verify(proof, b"leaf %d" % index, root, **told) == (other == index)
            for leaf_count, place in itertools.product({*COUNTS, count - 1, count + 1}, range(4)):
                wrong = dataclasses.replace(proof, leaf_count=leaf_count, place=place)
                if wrong != proof:
                    assert not merkle.verify(wrong, b"leaf %d" % index, root, **known)
            for hashes in damaged(proof.hashes):
                if hashes != proof.hashes:
                    wrong = dataclasses.replace(proof, hashes=hashes)
                    assert not merkle.verify(wrong, b"leaf %d" % index, root, **known)


def test_a_root_of_version_2_binds_count_and_index():
    for count in range(1, MOST + 1):
        tree, plain, root = TREES[count]
        for index in range(count):
            proof = dataclasses.replace(tree.prove(index), format=merkle.ROWS_INCLUSION)
            leaf = b"leaf %d" % index
            assert merkle.verify(proof, leaf, root)
            assert merkle.verify(proof, leaf, root, leaf_count=count, index=index)
            assert not merkle.verify(proof, leaf, root, leaf_count=count + 1)
            assert not merkle.verify(proof, leaf, root, index=index + 1)
            assert not merkle.verify(proof, leaf, plain)
            for leaf_count in {*range(MOST + 5), *COUNTS}:
                for place in {*range(MOST + 5), leaf_count - 1} - {-1}:
                    wrong = dataclasses.replace(proof, leaf_count=leaf_count, place=place)
                    if wrong != proof:
                        assert not merkle.verify(wrong, leaf, root)
            for hashes in damaged(proof.hashes):
                if hashes != proof.hashes:
                    wrong = dataclasses.replace(proof, hashes=hashes)
                    assert not merkle.verify(wrong, leaf, root)
            for algorithm in ("blake2b", "blake2sp", "groestl256"):
                wrong = dataclasses.replace(proof, algorithm=algorithm)
                assert not merkle.verify(wrong, leaf, root)


def test_a_path_longer_than_that_of_the_leaf_is_refused():
    """The last leaf of four is no last leaf of two, though their paths begin alike."""
    tree, root, _ = TREES[4]
    known = {"leaf_count": 2, "index": 1}
    wrong = dataclasses.replace(tree.prove(3), leaf_count=2, place=1)
    assert not merkle.verify(wrong, b"leaf 3", root, **known)


def test_inner_nodes_and_roots_are_no_leaves():
    """Passes a node's message as a leaf, with every shorter proof."""
    for count in range(2, 8):
        tree, plain, root = TREES[count]
        for index in range(count):
            proof, known = tree.prove(index), {"leaf_count": count, "index": index}
            for content, cut in itertools.product(nodes_of(count), range(len(proof.hashes) + 1)):
                hashes = proof.hashes[cut:]
                for leaf_count, leaf in itertools.product(
                    range(1, count + 1), (content, content[1:])
                ):
                    place = min(index >> cut, leaf_count - 1)
                    if (leaf, leaf_count) == (b"leaf %d" % place, count):
                        continue
                    wrong = dataclasses.replace(
                        proof, leaf_count=leaf_count, place=place, hashes=hashes
                    )
                    assert leaf == b"leaf %d" % index or not merkle.verify(
                        wrong, leaf, plain, **known
                    )
                    wrong = dataclasses.replace(wrong, format=merkle.ROWS_INCLUSION)
                    assert not merkle.verify(wrong, leaf, root)


def test_proofs_of_plain_roots_need_count_and_index():
    tree, root, _ = TREES[3]
    proof = tree.prove(1)
    for known in ({}, {"leaf_count": 3}, {"index": 1}):
        with pytest.raises(ValueError, match="needs leaf_count and index"):
            merkle.verify(proof, b"leaf 1", root, **known)
    for wrong in (-1, 1 << 64, True, "3", 3.0):
        with pytest.raises(ValueError, match="leaf_count is not a number"):
            merkle.verify(proof, b"leaf 1", root, leaf_count=wrong, index=1)
        with pytest.raises(ValueError, match="index is not a number"):
            merkle.verify(proof, b"leaf 1", root, leaf_count=3, index=wrong)
    proof = tree.consistency(1)
    with pytest.raises(TypeError):
        merkle.verify_consistency(proof, root, root)
    with pytest.raises(ValueError, match="old_leaf_count is not a number"):
        merkle.verify_consistency(proof, root, root, old_leaf_count=-1, leaf_count=3)


def test_consistency_is_of_the_counts_that_are_known():
    for count in range(1, MOST + 1):
        for old in range(1, count + 1):
            proof, roots = TREES[count][0].consistency(old), (TREES[old][1], TREES[count][1])
            known = {"old_leaf_count": old, "leaf_count": count}
            assert merkle.verify_consistency(proof, *roots, **known)
            for counts in itertools.product({*COUNTS, old - 1, old + 1, count + 1}, repeat=2):
                told = dict(zip(known, counts, strict=True))
                wrong = dataclasses.replace(proof, place=counts[0], leaf_count=counts[1])
                if told == known:
                    continue
                assert not merkle.verify_consistency(proof, *roots, **told)
                assert not merkle.verify_consistency(wrong, *roots, **known)
            for hashes in damaged(proof.hashes):
                if hashes != proof.hashes:
                    wrong = dataclasses.replace(proof, hashes=hashes)
                    assert not merkle.verify_consistency(wrong, *roots, **known)


def strict(hashes):
    """Returns a reader that is asked only for leaves that there are."""

    def read(first, count):
        assert 0 < count <= len(hashes) // BYTES - first
        return hashes[first * BYTES : (first + count) * BYTES]

    return read


def change(old_count, count, rows):
    """Returns the proof of a change of some rows, with both roots."""
    old, new = leaves_of(old_count), leaves_of(count)
    for row in rows:
        new[row] = b"changed"
    hashes = [merkle.leaf_hashes(leaves, "blake2s", **SIZE) for leaves in (old, new)]
    wholes = [merkle.range_root(own, "blake2s", **SIZE) for own in hashes]
    readers = [strict(own) for own in hashes]
    proof = changes.prove([wholes[0]], [wholes[1]], *readers)
    return proof, wholes[0].root(), wholes[1].root()


LISTS = ("old_hashes", "new_hashes", "shared", "removed", "added")


def test_changes_are_those_that_happened():
    for old_count, count in itertools.product(range(8), repeat=2):
        both = min(old_count, count)
        for rows in itertools.chain.from_iterable(
            itertools.combinations(range(both), size) for size in range(3)
        ):
            proof, *roots = change(old_count, count, rows)
            assert changes.verify(proof, *roots) and proof.changed == rows
            for counts in itertools.product({*range(12), 2**64 - 1}, repeat=2):
                claims = {rows, rows[1:], (*rows, both)} if counts[0] < 12 > counts[1] else {rows}
                for claimed in claims:
                    members = {"old_leaf_count": counts[0], "leaf_count": counts[1]}
                    size = len(claimed)
                    hashes = {name: getattr(proof, name)[:size] for name in LISTS[:2]}
                    try:
                        wrong = dataclasses.replace(proof, changed=claimed, **members, **hashes)
                    except ValueError:
                        continue
                    if wrong != proof:
                        assert not changes.verify(wrong, *roots)
            for name in LISTS:
                for hashes in damaged(getattr(proof, name)):
                    try:
                        wrong = dataclasses.replace(proof, **{name: hashes})
                    except ValueError:
                        continue
                    if wrong != proof:
                        assert not changes.verify(wrong, *roots)


def test_the_change_that_was_told_of_other_rows():
    """In version 1, edited counts turned a change of rows 2 and 3 into "only row 1 changed"."""
    proof, *roots = change(4, 4, (2, 3))
    pairs = [
        hashlib.blake2s(b"\1" + b"".join(hashes), digest_size=BYTES).digest()
        for hashes in (proof.old_hashes, proof.new_hashes)
    ]
    forged = dataclasses.replace(
        proof, old_leaf_count=2, leaf_count=2, changed=(1,),
        old_hashes=(pairs[0],), new_hashes=(pairs[1],), shared=proof.shared,
    )
    assert not changes.verify(forged, *roots)


def test_counts_that_no_tree_has():
    proof, _, _ = change(3, 3, (1,))
    for name in ("old_leaf_count", "leaf_count"):
        for count in (-1, 1 << 64, (1 << 65) - 1):
            with pytest.raises(ValueError, match=f"{name} is out of range"):
                dataclasses.replace(proof, **{name: count})
    largest = dataclasses.replace(proof, leaf_count=(1 << 64) - 1)
    assert largest.leaf_count == 2**64 - 1 and largest.both == 3


@pytest.mark.parametrize("bits", [520, 1 << 32, 1 << 63, (1 << 64) - 8])
def test_hashes_that_no_tree_has(bits):
    """Without hashes nothing else says that they are too long."""
    tree = TREES[1][0]
    proofs = [tree.prove(0), tree.consistency(1), change(0, 0, ())[0]]
    for proof in proofs:
        members = json.loads(proof.to_json()) | {"digest_bits": bits}
        with pytest.raises(ValueError, match="digest_size is out of range"):
            type(proof).from_json(json.dumps(members))


@pytest.mark.parametrize("key", [b"secret", b"k"])
def test_the_values_of_a_root(key):
    """They are the bytes of docs/format/proofs.md, implemented a second time."""
    parameters = {"key": key, "salt": b"\1\2", "person": b"\3"}
    whole = merkle.range_root(bytes(60), "blake2b", digest_size=20, **parameters)

    def text(value, kind):
        return bytes([kind]) + len(value).to_bytes(8, "little") + value

    def number(value):
        return b"\2" + value.to_bytes(8, "little")

    encoded = b"\1" + text(b"finalist-rows-2", 6) + text(b"blake2b", 6) + number(160) + b"\1\1"
    encoded += text(b"\1\2", 5) + text(b"\3", 5) + number(3)
    encoded += text(whole.rfc9162_root(**parameters), 5)
    own = hashlib.blake2b(b"\2" + encoded, digest_size=20, **parameters).digest()
    assert whole.root(**parameters) == own
    empty = merkle.range_root(b"", "groestl0_256")
    encoded = b"\1" + text(b"finalist-rows-2", 6) + text(b"groestl0-256", 6) + number(256)
    encoded += b"\1\0" + 2 * text(b"", 5) + number(0) + text(empty.rfc9162_root(), 5)
    assert empty.root() == finalist.groestl0_256(b"\2" + encoded).digest()
