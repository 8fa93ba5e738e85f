# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares random calls for BLAKE3 with the package blake3: hash_many, hash_equal, hash_column and
single messages; unkeyed, keyed and derived; digests of any length, and output from any position.

    python python/tests/differential.py [BATCHES [SEED]]

Each batch has the next seed. Prints the seed if a batch fails: with it, one batch runs alone.
FINALIST_CPU=-avx512 hides features of the CPU.
"""

import random
import sys

import blake3
import finalist
import pyarrow as pa

#: Messages are parts of it.
POOL = random.Random(0).randbytes(1 << 20)
#: Bytes of a batch's messages.
BATCH_BYTES_MAX = 4 << 20


def lengths_of(chance):
    """Returns the lengths of a batch: short, about whole blocks or chunks, equal, or any."""
    count = chance.choice((1, 2, 5, 15, 16, 17, 33, 70, 300, 3000))
    kind = chance.choice(("short", "whole", "equal", "any"))
    if kind == "short":
        return [chance.randrange(200) for _ in range(count)]
    if kind == "equal":
        return [chance.choice((1, 63, 64, 65, chance.randrange(1, 5000)))] * count
    if kind == "whole":
        unit = chance.choice((64, 1024))
        return [max(0, unit * chance.randrange(20) + chance.randint(-1, 1)) for _ in range(count)]
    return [int(2 ** chance.uniform(0, 18)) for _ in range(min(count, 70))]


def parameters_of(chance):
    """Returns the parameters of one of the three modes."""
    if (mode := chance.randrange(3)) == 0:
        return {}
    if mode == 1:
        return {"key": chance.randbytes(32)}
    return {"derive_key_context": "é" + "x" * chance.choice((0, 30, 61, 62, 63, 1021, 1022, 3000))}


def check(what, found, expected):
    if found != expected:
        pairs = zip(found, expected, strict=True)
        places = [place for place, (one, other) in enumerate(pairs) if one != other]
        raise AssertionError(f"{what}: {len(places)} of {len(found)} differ, first {places[0]}")
    return len(found)


def compare(chance):
    """Compares the calls for one batch. Returns the number of compared digests."""
    lengths = lengths_of(chance)
    while sum(lengths) > BATCH_BYTES_MAX:
        del lengths[len(lengths) // 2 :]
    starts = [chance.randrange(len(POOL) - length + 1) for length in lengths]
    pairs = zip(starts, lengths, strict=True)
    messages = [POOL[start : start + length] for start, length in pairs]
    mode = parameters_of(chance)
    size = chance.choice((32, 32, 32, chance.randrange(1, 200)))
    threads = chance.choice((1, 1, 1, 3))
    given = {"digest_size": size, "threads": threads, **mode}
    kind = " ".join(mode) or "no key"
    how = f"{size} bytes of output, {threads} threads, {kind}"
    what = f"{len(messages)} messages of up to {max(lengths)} bytes, {how}"
    expected = [blake3.blake3(message, **mode).digest(size) for message in messages]

    found = finalist.hash_many("blake3", messages, **given)
    count = check(f"hash_many, {what}", found, expected)

    nulls = chance.choice((0, 0.2))
    values = [None if chance.random() < nulls else message for message in messages]
    pairs = zip(values, expected, strict=True)
    rows = [None if value is None else digest for value, digest in pairs]
    layout = chance.choice((pa.binary(), pa.large_binary(), pa.binary_view()))
    column, cut = pa.array(values, layout), chance.randrange(len(values))
    found = finalist.hash_column("blake3", column[cut:], **given).to_list()
    count += check(f"hash_column from row {cut}, {layout}, {what}", found, rows[cut:])

    length = chance.choice([length for length in lengths if length] or [1])
    joined = POOL[: chance.randint(1, max(1, min(len(POOL) // length, len(messages)))) * length]
    parts = [joined[at : at + length] for at in range(0, len(joined), length)]
    found = finalist.hash_equal("blake3", joined, length, **given)
    found = [found[at : at + size] for at in range(0, len(found), size)]
    alone = [blake3.blake3(part, **mode).digest(size) for part in parts]
    count += check(f"hash_equal, {len(parts)} of {length} bytes, {how}", found, alone)

    for message in chance.sample(messages, min(len(messages), 20)):
        at, length = chance.randint(0, len(message)), chance.randrange(1, 400)
        seek = chance.choice((0, chance.randrange(200), chance.randrange(1 << 62)))
        found = finalist.blake3(message[:at], **mode).update(message[at:])
        other = blake3.blake3(message, **mode).digest(length, seek=seek)
        text = f"{len(message)} bytes cut at {at}, {length} bytes of output from {seek}, {kind}"
        count += check(text, [found.digest(length, seek=seek)], [other])
    return count


def main(batches=150, seed=1):
    count = 0
    for number in range(seed, seed + batches):
        try:
            count += compare(random.Random(number))
        except Exception:
            print(f"seed {number}", flush=True)
            raise
    print(f"{count} digests")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
