# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the driver's merge of a table's partial roots alone, for 10^6 parts.

    python -P python/simulate_merge.py [PARTS] [ROWS]

makes PARTS ranges (10^6) of about ROWS rows each (1000, with random cuts), in the order in which
workers might end, and combines them: all on the driver, and in groups on workers first. Their nodes
are random, which costs the same as true ones. Both ways must give the same root.
"""

import pathlib
import platform
import random
import sys
import time

from finalist import _ranges, merkle

SIZE = 32
GROUP = 1000


def ranges(count, rows):
    source = random.Random(1)
    first = 0
    for _ in range(count):
        length = source.randrange(1, 2 * rows)
        nodes = sum(1 for _ in _ranges.subtrees(first, length))
        yield merkle.Range("blake2s", SIZE, first, length, source.randbytes(nodes * SIZE))
        first += length


def mebibytes():
    """Returns this process's peak memory. ru_maxrss would include that of the program that started
    it."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


def cpu():
    with open("/proc/cpuinfo") as lines:
        return next(line.split(": ")[1].strip() for line in lines if "model name" in line)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    print(f"{cpu()}, Python {platform.python_version()}, blake2s")
    before = mebibytes()
    made = list(ranges(count, rows))
    nodes = sum(len(part.nodes) for part in made) // SIZE
    print(f"{count} ranges of {made[-1].end} rows: {nodes} nodes,",
          f"{nodes * SIZE >> 20} MiB; as objects {mebibytes() - before} MiB")

    arrived = random.Random(2).sample(made, count)
    start = time.perf_counter()
    whole = merkle.combine(arrived)
    seconds = time.perf_counter() - start
    print(f"all on the driver: {seconds:.1f} s, {seconds / count * 1e6:.1f} us a range,",
          f"at most {mebibytes()} MiB")

    start = time.perf_counter()
    groups = [merkle.combine(made[at : at + GROUP]) for at in range(0, count, GROUP)]
    workers = time.perf_counter() - start
    random.Random(3).shuffle(groups)
    start = time.perf_counter()
    again = merkle.combine(groups)
    driver = time.perf_counter() - start
    print(f"in groups of {GROUP}: {workers / len(groups):.4f} s for a group on a worker,",
          f"{driver:.3f} s on the driver, which gets {len(groups)} ranges")
    assert again == whole
    print("root", whole.root().hex())


if __name__ == "__main__":
    main()
