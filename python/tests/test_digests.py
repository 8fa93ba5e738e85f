# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests Digests as a sequence: indexes, slices, equality, copies."""

import copy
import pickle

import finalist
import pyarrow as pa
import pytest

VALUES = [None if n % 5 == 2 else str(n) for n in range(23)]
COLUMN = pa.chunked_array([VALUES[:4], VALUES[4:4], VALUES[4:]], pa.string())
DIGESTS = finalist.hash_column("blake2s", COLUMN, digest_size=9)
LIST = [v if v is None else finalist.blake2s(v.encode(), digest_size=9).digest() for v in VALUES]
WITHOUT_NULLS = finalist.hash_column("blake2s", ["a", "b"])


def test_places():
    assert [DIGESTS[place] for place in range(-23, 23)] == LIST + LIST
    for place in (23, -24, 1 << 62, -(1 << 62)):
        with pytest.raises(IndexError):
            DIGESTS[place]
    with pytest.raises(TypeError):
        DIGESTS["1"]


@pytest.mark.parametrize(
    "part", [slice(None), slice(2, 9), slice(-5, None, 2), slice(None, None, -1), slice(7, 7)]
)
def test_slices(part):
    found = DIGESTS[part]
    assert isinstance(found, finalist.Digests)
    assert found.to_list() == LIST[part]
    assert found.null_count == LIST[part].count(None)
    assert pa.array(found).to_pylist() == LIST[part]


def test_lists():
    assert DIGESTS.to_pylist() == DIGESTS.to_list() == LIST
    assert DIGESTS.hex() == [v if v is None else v.hex() for v in LIST]
    assert list(DIGESTS) == LIST


def test_equality():
    assert DIGESTS == finalist.hash_column("blake2s", VALUES, digest_size=9)
    assert DIGESTS[:5] != DIGESTS[:6]
    assert DIGESTS[:2] != DIGESTS[1:3]
    assert DIGESTS != finalist.hash_column("blake2s", VALUES, digest_size=8)
    assert finalist.hash_column("blake2s", [None]) != finalist.Digests(bytes(32), 32)
    assert DIGESTS != LIST
    with pytest.raises(TypeError):
        hash(DIGESTS)


@pytest.mark.parametrize("digests", [DIGESTS, WITHOUT_NULLS, DIGESTS[3:3]])
def test_copies(digests):
    for made in (pickle.loads(pickle.dumps(digests)), copy.deepcopy(digests)):
        assert made == digests
        assert made.null_count == digests.null_count
        assert made.digest_size == digests.digest_size


def test_wrong_content():
    with pytest.raises(ValueError, match="the digests are not whole"):
        finalist.Digests(bytes(33), 32)
    with pytest.raises(ValueError, match="the digests are not whole"):
        finalist.Digests(b"", 0)
    with pytest.raises(ValueError, match="validity is not a bit for each digest"):
        finalist.Digests(bytes(64), 32, b"")
