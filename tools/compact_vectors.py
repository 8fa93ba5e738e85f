#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Picks vectors/compact.jsonl, the known answers that `finalist selftest` carries, from the full
vector files beside it: every algorithm and every kind of vector, lengths around the block
boundaries, and nothing slow. Run it after a change of the vector files; --check only compares the
file with the script's output."""

import argparse
import json
import pathlib
import sys

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "vectors"
COMPACT = VECTORS / "compact.jsonl"

# Lengths around the padding limits of blocks of 64 and 128 bytes: the last that fits, one more, the
# block, and two blocks.
EDGE_BYTES = sorted({0, 1, 3, 8, 47, 54, 55, 56, 57, 63, 64, 65, 110, 111, 112, 113, 118, 119, 120,
                     121, 127, 128, 129, 183, 184, 191, 192, 193, 239, 240, 254, 255})
EDGE_BITS = sorted({1, 2, 3, 5, 7, 9, 439, 440, 441, 446, 447, 449, 510, 511, 513, 894, 895, 897,
                    958, 959, 961, 1022, 1023, 1025, 2047})
MONTE_CARLO_STEPS = 2
CHUNKED_PER_ALGORITHM = 1
PER_PARAMETER_SET = 2
TREE_NODES = 16
DIGEST_LENGTHS = range(1, 65)
MESSAGE_BYTES_MAX = 4096


def read(path):
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


class Picker:
    """Takes vectors until their class (any hashable key) is full."""

    def __init__(self):
        self.taken = []
        self.counts = {}

    def take(self, vector, key, limit=1):
        count = self.counts.get(key, 0)
        if count < limit:
            self.counts[key] = count + 1
            self.taken.append(vector)


def pick_special(picker, vector):
    """Takes a vector of a kind other than a plain message; returns whether it was one."""
    name = vector["alg"]
    if "mct_seed" in vector:
        picker.take(vector | {"mct_md": vector["mct_md"][:MONTE_CARLO_STEPS]}, ("mct", name))
    elif "batch" in vector:
        picker.take(vector, ("batch", name))
    elif "checksum" in vector:
        if vector["size"] == "small":
            picker.take(vector, ("checksum", name))
    elif "two_level_tree" in vector:
        picker.take(vector, ("two levels", name), 3)
    elif "tree" in vector:
        picker.take(vector, ("node", name), TREE_NODES)
    elif "gen" in vector:
        if vector["len_bits"] <= 8 * 1_000_000:
            picker.take(vector, ("gen", name))
    elif "chunks" in vector:
        picker.take(vector, ("chunks", name), CHUNKED_PER_ALGORITHM)
    else:
        return False
    return True


def pick_plain(picker, vector):
    """Takes a message with its parameters if its length or its parameters are of interest."""
    name, bits = vector["alg"], vector["len_bits"]
    if bits > 8 * MESSAGE_BYTES_MAX:
        return
    used = tuple(field for field in ("key", "salt", "personal") if field in vector)
    unknown_length = vector.get("xof_unknown_length", False)
    if used == () and not unknown_length:
        if bits % 8 == 0 and bits // 8 in EDGE_BYTES:
            picker.take(vector, ("length", name, bits))
        elif bits in EDGE_BITS:
            picker.take(vector, ("length", name, bits))
    elif used == ("key",) and bits % 8 == 0 and bits // 8 in EDGE_BYTES:
        picker.take(vector, ("keyed length", name, bits))
    digest_bytes = vector.get("out_bytes", 0)
    if digest_bytes in DIGEST_LENGTHS and used == () and bits > 0:
        picker.take(vector, ("digest", name, digest_bytes))
    key_bytes = len(vector.get("key", "")) // 2
    if key_bytes % 16 in (1, 0, 15):
        picker.take(vector, ("key", name, key_bytes))
    picker.take(vector, ("parameters", name, used, unknown_length), PER_PARAMETER_SET)
    if digest_bytes > 64:
        picker.take(vector, ("long output", name, unknown_length), 4)


def compact():
    picker = Picker()
    for path in sorted(VECTORS.glob("*.jsonl")):
        if path == COMPACT:
            continue
        for vector in read(path):
            if not pick_special(picker, vector):
                pick_plain(picker, vector)
    unique = dict.fromkeys(json.dumps(vector, separators=(",", ":")) for vector in picker.taken)
    return "".join(line + "\n" for line in unique)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 on a difference")
    arguments = parser.parse_args()
    text = compact()
    if not arguments.check:
        COMPACT.write_text(text, encoding="utf-8")
    elif not COMPACT.exists() or COMPACT.read_text(encoding="utf-8") != text:
        sys.exit(f"{COMPACT.name} is not what {pathlib.Path(__file__).name} writes: run it again")


if __name__ == "__main__":
    main()
