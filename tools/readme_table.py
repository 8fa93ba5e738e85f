#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Prints BLAKE2b's speed in the form of the BLAKE2b README's tables, beside that README's figures.

    tools/readme_table.py TOOL...

TOOL is `finalist`, built for 64 or 32 bits; several are measured into one table:

    rustup target add i686-unknown-linux-gnu
    cargo build --release --target i686-unknown-linux-gnu
    tools/readme_table.py target/i686-unknown-linux-gnu/release/finalist

Core cycles for one byte, cycles per byte for 256 and 16384 bytes, medians of five passes. The
README's figures are from 2011 to 2013; its section Benchmarks (BLAKE2b README) names the CPUs.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys

LENGTHS = (1, 256, 16384)
PASSES = 5

# The README's figures by its names: implementation, bits of the code.
E5200, E3_1270 = "E5200", "E3-1270"
HISTORIC = {
    ("x86-64", 64): {E5200: (725, 5.32, 4.50), E3_1270: (768, 5.73, 5.37)},
    ("avx", 64): {E3_1270: (520, 3.92, 3.37)},
    ("avx", 32): {E3_1270: (644, 4.59, 3.96)},
    ("ssse3", 32): {E5200: (825, 6.05, 5.23), E3_1270: (684, 4.95, 4.51)},
    ("sse2", 32): {E5200: (1075, 7.91, 7.11), E3_1270: (844, 6.33, 5.89)},
    ("x86-32", 32): {E5200: (3075, 23.48, 22.75), E3_1270: (2840, 22.00, 21.24)},
}


def bits_of(tool: str) -> int:
    """Reads byte 4 of the ELF header: 1 means 32 bits, 2 means 64."""
    with open(tool, "rb") as program:
        head = program.read(5)
    if head[:4] != b"\x7fELF":
        sys.exit(f"readme_table.py: {tool} is not an ELF program")
    return 32 * head[4]


def measure(tool: str) -> dict[str, list[float]]:
    """Returns core cycles for 1 byte, and per byte, for each implementation."""
    seen: dict[tuple[str, int], list[float]] = {}
    lengths = ",".join(map(str, LENGTHS))
    for _ in range(PASSES):
        command = [tool, "bench", "-a", "blake2b", "--bytes", lengths, "--json"]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for row in json.loads(output):
            key = row["implementation"], row["bytes"]
            seen.setdefault(key, []).append(row["core_cycles_per_byte"])
    names = dict.fromkeys(name for name, _ in seen)
    return {name: [statistics.median(seen[name, n]) for n in LENGTHS] for name in names}


def cells(figures: tuple | list | None) -> list[str]:
    if figures is None:
        return ["", "", ""]
    return [f"{figures[0]:.0f}", f"{figures[1]:.2f}", f"{figures[2]:.2f}"]


def label(name: str, bits: int) -> str:
    return name if re.match(r"x86-\d+", name) else f"{name}-{bits}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", nargs="+")
    rows = []
    for tool in parser.parse_args().tool:
        bits = bits_of(tool)
        rows += [(name, bits, figures) for name, figures in measure(tool).items()]
    rows.sort(key=lambda row: row[2][-1])
    columns = ["1 byte", "256 bytes", "16384 bytes"]
    theirs = [f"{cpu}: {column}" for cpu in (E5200, E3_1270) for column in columns]
    head = ["Implementation", *columns, *theirs]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for name, bits, figures in rows:
        historic = HISTORIC.get((name, bits), {})
        row = [label(name, bits), *cells(figures)]
        row += cells(historic.get(E5200)) + cells(historic.get(E3_1270))
        print("| " + " | ".join(row) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
