# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests constructors and hash_many with the project's known answers."""

import collections
import json
import pathlib

import finalist
import pytest

VECTORS = pathlib.Path(__file__).parents[2] / "vectors"
#: Kinds of vectors that do not apply here: bits, and structures over many messages.
OTHER_KINDS = {"two_level_tree", "mct_seed", "batch", "checksum"}
OTHER_FILES = {"extremely-long.jsonl"}
BYTES_MAX = 1 << 22


def vectors():
    for path in sorted(VECTORS.glob("*.jsonl")):
        if path.name not in OTHER_FILES:
            for line in path.read_text().splitlines():
                vector = json.loads(line)
                if not OTHER_KINDS & vector.keys() and vector["len_bits"] % 8 == 0:
                    yield vector


def message_of(vector):
    if "gen" in vector:
        return bytes.fromhex(vector["gen"]["text"]) * vector["gen"]["count"]
    return bytes.fromhex(vector.get("msg", ""))


def parameters_of(vector):
    names = {"key": "key", "salt": "salt", "personal": "person"}
    found = {names[name]: bytes.fromhex(vector[name]) for name in names if name in vector}
    if "out_bytes" in vector and not vector.get("xof_unknown_length"):
        found["digest_size"] = vector["out_bytes"]
    found = {name: value for name, value in found.items() if value}
    if "derive_key_context" in vector:
        found["derive_key_context"] = bytes.fromhex(vector["derive_key_context"]).decode()
    return found


@pytest.fixture(scope="module")
def known():
    found = [v for v in vectors() if v["len_bits"] <= 8 * BYTES_MAX]
    assert len(found) > 13_000
    return found


def test_known_answers_one_by_one(known):
    for vector in known:
        hash_object = finalist.new(vector["alg"], **parameters_of(vector), **vector.get("tree", {}))
        message = message_of(vector)
        position = 0
        for chunk in vector.get("chunks", []):
            hash_object.update(message[position : position + chunk])
            position += chunk
        hash_object.update(message[position:])
        if vector.get("xof_unknown_length"):
            found = hash_object.digest(vector["out_bytes"])
        else:
            found = hash_object.digest()
        assert found.hex() == vector["md"], vector


def test_known_answers_many_at_a_time(known):
    groups = collections.defaultdict(list)
    for vector in known:
        alone = {"tree", "derive_key_context"} & vector.keys()
        if not alone and not vector.get("xof_unknown_length"):
            key = (vector["alg"], tuple(sorted(parameters_of(vector).items())))
            groups[key].append(vector)
    assert len({algorithm for algorithm, _ in groups}) == 23
    for (algorithm, parameters), group in groups.items():
        found = finalist.hash_many(algorithm, map(message_of, group), **dict(parameters))
        assert [digest.hex() for digest in found] == [vector["md"] for vector in group]
