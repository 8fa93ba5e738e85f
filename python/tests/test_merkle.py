# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.merkle against a second implementation of RFC 9162 and the tool's proofs."""

import dataclasses
import hashlib
import json
import pathlib
import subprocess

import finalist
import pytest
from finalist import merkle

TOOL = pathlib.Path(__file__).parents[2] / "target" / "release" / "finalist"


def root_of(leaves, function):
    """Computes the root by RFC 9162, section 2.1.1."""
    if len(leaves) < 2:
        return function(b"\0" + leaves[0] if leaves else b"")
    split = 1 << (len(leaves) - 1).bit_length() - 1
    parts = (root_of(part, function) for part in (leaves[:split], leaves[split:]))
    return function(b"\1" + b"".join(parts))


LEAVES = [b"leaf %d" % i * (i % 9) for i in range(40)]


@pytest.mark.parametrize("name", sorted(finalist.algorithms_available))
def test_roots(name):
    size = 33 if name.startswith("blake2x") else None
    extra = {"digest_size": size} if size else {}
    for count in (0, 1, 2, 3, 7, 8, 9, 40):
        tree = merkle.Tree(name, **extra)
        for leaf in LEAVES[:3]:
            if len(tree) < count:
                tree.append(leaf)
        tree.extend(LEAVES[len(tree) : count], threads=2)
        expected = root_of(LEAVES[:count], lambda data: finalist.new(name, data, **extra).digest())
        assert tree.root() == merkle.root(LEAVES[:count], name, **extra) == expected
        assert len(tree) == count


def test_leaves_of_a_call_that_fails_are_not_appended():
    """However many were read before the error."""

    def failing(count):
        yield from [b"more"] * count
        raise RuntimeError("no more leaves")

    tree = tree_of(LEAVES)
    root = tree.root()
    for count in (0, 1, 5000, 100_000):
        with pytest.raises(TypeError, match="buffer API required"):
            tree.extend([b"more"] * count + [5])
        with pytest.raises(RuntimeError, match="no more leaves"):
            tree.extend(failing(count), threads=2)
        assert (len(tree), tree.root()) == (len(LEAVES), root)
    tree.extend([b"more"] * 100_000)
    assert tree.root() == merkle.root(LEAVES + [b"more"] * 100_000)


def test_parameters_hold_for_every_hash():
    parameters = {"digest_size": 20, "key": b"key", "salt": b"salt", "person": b"person"}
    expected = root_of(LEAVES, lambda data: hashlib.blake2b(data, **parameters).digest())
    assert merkle.root(LEAVES, **parameters) == expected
    proof = tree_of(LEAVES, **parameters).prove(3)
    del parameters["digest_size"]
    parameters |= {"leaf_count": 40, "index": 3}
    assert merkle.verify(proof, LEAVES[3], expected, **parameters)
    assert not merkle.verify(proof, LEAVES[3], expected, **{**parameters, "key": b"other"})


def tree_of(leaves, *arguments, **keywords):
    tree = merkle.Tree(*arguments, **keywords)
    tree.extend(leaves)
    return tree


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 33])
def test_proofs(count):
    tree = tree_of(LEAVES[:count], "blake2s")
    root = tree.root()
    for index in range(count):
        proof = merkle.Proof.from_json(tree.prove(index).to_json())
        assert proof == tree.prove(index)

        def verify(proof, leaf, root, index=index):
            return merkle.verify(proof, leaf, root, leaf_count=count, index=index)

        assert verify(proof, LEAVES[index], root)
        assert not verify(proof, LEAVES[index] + b"x", root)
        assert not verify(proof, LEAVES[index], bytes(32))
        assert not verify(proof, LEAVES[index], root[:-1])
        for node in range(len(proof.hashes)):
            hashes = [*proof.hashes]
            hashes[node] = bytes(32)
            wrong = dataclasses.replace(proof, hashes=tuple(hashes))
            assert not verify(wrong, LEAVES[index], root)
            wrong = dataclasses.replace(proof, hashes=proof.hashes[:node])
            assert not verify(wrong, LEAVES[index], root)
        wrong = dataclasses.replace(proof, hashes=(*proof.hashes, b"short"))
        assert not verify(wrong, LEAVES[index], root)
        for place in (index + 1, count, count + 1, 2**64 - 1):
            wrong = dataclasses.replace(proof, place=place)
            assert not verify(wrong, LEAVES[index], root)
    for old in range(1, count + 1):
        proof = tree.consistency(old)
        old_root = merkle.root(LEAVES[:old], "blake2s")
        counts = {"old_leaf_count": old, "leaf_count": count}
        assert merkle.verify_consistency(proof, old_root, root, **counts)
        assert not merkle.verify_consistency(proof, bytes(32), root, **counts)
        assert not merkle.verify_consistency(proof, old_root, bytes(32), **counts)


def test_places_that_are_not_there():
    tree = tree_of(LEAVES[:5])
    for index in (5, -1, 1 << 40):
        with pytest.raises(IndexError):
            tree.prove(index)
    for old in (0, 6, -1):
        with pytest.raises(IndexError):
            tree.consistency(old)
    with pytest.raises(IndexError, match="1 is out of range for 1 leaf$"):
        tree_of(LEAVES[:1]).prove(1)


def test_wrong_parameters():
    for error, keywords in [
        (ValueError, {"algorithm": "nosuch"}),
        (ValueError, {"digest_size": 65}),
        (ValueError, {"algorithm": "blake2xb", "digest_size": 65}),
        (TypeError, {"algorithm": "blake2xb"}),
        (ValueError, {"algorithm": "groestl256", "key": b"k"}),
    ]:
        with pytest.raises(error):
            merkle.Tree(**keywords)
    with pytest.raises(TypeError):
        merkle.Tree().append("text")
    with pytest.raises(ValueError):
        merkle.Tree().extend([], threads=0)
    tree = tree_of(LEAVES)
    with pytest.raises(ValueError, match="consistency"):
        merkle.verify_consistency(tree.prove(0), b"", b"", old_leaf_count=1, leaf_count=1)
    with pytest.raises(ValueError, match="inclusion"):
        merkle.verify(tree.consistency(1), b"", b"")


GOOD = json.loads(tree_of(LEAVES).prove(3).to_json())


@pytest.mark.parametrize(
    "change",
    [
        {"format": "finalist-merkle-inclusion-3"},
        {"format": merkle.CONSISTENCY},
        {"format": None},
        {"surplus": 1},
        {"digest_bits": 0},
        {"digest_bits": 12},
        {"digest_bits": 516},
        {"digest_bits": "512"},
        {"leaf_count": -1},
        {"leaf_count": 1.5},
        {"leaf_count": True},
        {"index": 1 << 64},
        {"index": None},
        {"hashes": "00"},
        {"hashes": [1]},
        {"hashes": ["0"]},
        {"hashes": ["zz"]},
        {"hashes": ["00 11"]},
        {"algorithm": 5},
        {"chunk_bytes": "1"},
    ],
)
def test_wrong_files_are_refused(change):
    with pytest.raises(ValueError, match="not a proof"):
        merkle.Proof.from_json(json.dumps({**GOOD, **change}))


@pytest.mark.parametrize(
    ("name", "most"),
    [("digest_size", 64), *((name, 2**64 - 1) for name in ("leaf_count", "place", "chunk_bytes"))],
)
def test_numbers_that_no_proof_has(name, most):
    proof = tree_of(LEAVES).prove(3)
    for number in (-1, most + 1, 1 << 64, (1 << 65) - 1):
        with pytest.raises(ValueError, match=f"not a proof: {name} is out of range"):
            dataclasses.replace(proof, **{name: number})
    for number in (0, most):
        assert getattr(dataclasses.replace(proof, **{name: number}), name) == number


@pytest.mark.parametrize("text", ["", "[]", "5", "{", b"\xff", '{"format": []}'])
def test_files_that_are_no_proofs(text):
    with pytest.raises(ValueError, match="not a proof"):
        merkle.Proof.from_json(text)


@pytest.mark.parametrize("name", [name for name in GOOD])
def test_missing_members_are_named(name):
    members = {key: value for key, value in GOOD.items() if key != name}
    with pytest.raises(ValueError, match="not a proof"):
        merkle.Proof.from_json(json.dumps(members))


@pytest.mark.skipif(not TOOL.exists(), reason="cargo build --release has not built the tool")
@pytest.mark.parametrize("algorithm", ["blake2s", "groestl0-256"])
def test_the_tools_proofs(tmp_path, algorithm):
    def tool(*arguments):
        options = ["-a", algorithm] if "verify" not in " ".join(arguments) else []
        command = [TOOL, "merkle", *arguments[:1], *options, *arguments[1:]]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)

    content = bytes(range(256)) * 10
    (tmp_path / "file").write_bytes(content)
    chunks = [content[i : i + 100] for i in range(0, len(content), 100)]
    tree = tree_of(chunks, algorithm)
    root = tool("root", "--chunk", "100", "file").stdout.split()[-1]
    assert tree.root().hex() == root

    made = merkle.Proof.from_json(tool("prove", "--chunk", "100", "--index", "7", "file").stdout)
    assert made == dataclasses.replace(tree.prove(7), chunk_bytes=100)
    assert merkle.verify(made, chunks[7], tree.root(), leaf_count=26, index=7)
    old = tool("consistency", "--chunk", "100", "--old-leaves", "9", "file").stdout
    assert merkle.Proof.from_json(old) == dataclasses.replace(tree.consistency(9), chunk_bytes=100)

    (tmp_path / "proof").write_text(tree.prove(7).to_json())
    (tmp_path / "chunk").write_bytes(chunks[7])
    known = ("--root", root, "--leaves", "26", "--index", "7", "proof", "chunk")
    result = tool("verify", *known)
    assert result.returncode == 0, result.stderr
    (tmp_path / "chunk").write_bytes(chunks[8])
    assert tool("verify", *known).returncode == 1


@pytest.mark.parametrize(("old_leaf_count", "leaf_count"), [(0, 0), (0, 3), (4, 3)])
def test_numbers_that_no_two_trees_have(old_leaf_count, leaf_count):
    proof = merkle.Proof(
        merkle.CONSISTENCY, "blake2s", 32, leaf_count, old_leaf_count, (bytes(32),)
    )
    counts = {"old_leaf_count": old_leaf_count, "leaf_count": leaf_count}
    assert not merkle.verify_consistency(proof, bytes(32), bytes(32), **counts)
