#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures every implementation on this machine and writes a page of docs/measured.

    tools/performance_tables.py --machine "AMD EPYC of family 19h (Zen 4)" \\
        --about "Two cores of a shared virtual machine, gcc 12.2 and clang 19.1." \\
        gcc=target/release/finalist clang=target/clang/release/finalist \\
        > docs/measured/amd-family-19h.md

NAME=TOOL: the compiler that the tool's core was built with, and the program.
"""

import argparse
import json
import subprocess
import sys

LONG, SHORT = 4096, (1, 64)

HEAD = """\
# {machine}

{about} Written by
`tools/performance_tables.py`; [bounds.md](../bounds.md) says what binds. Core cycles,
medians of {passes} counts.
"""
SINGLE = """
## One message at a time

Cycles for a block and per byte of a message of 4096 bytes, and for messages of 1 and 64 bytes
through the one-shot function. Selected implementations in bold.
"""
MANY = """
## Many messages at once

Cycles per byte over all lanes, 4096 bytes a lane, scheduler and transposition included.
"""

Rows = dict[tuple[str, str], dict[int, dict]]


def run(tool: str, *arguments: str) -> list[dict]:
    command = [tool, *arguments, "--json"]
    output = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(output.stdout)


def measure(tool: str, mode: str, lengths: tuple[int, ...], passes: int) -> Rows:
    """The row with the median cycles of several passes, by implementation and message length."""
    rows: dict[tuple[str, str, int], list[dict]] = {}
    for _ in range(passes):
        for row in run(tool, "bench", "--mode", mode, "--bytes", ",".join(map(str, lengths))):
            key = row["algorithm"], row["implementation"], row["bytes"]
            rows.setdefault(key, []).append(row)
    result: Rows = {}
    for (algorithm, implementation, length), seen in rows.items():
        seen.sort(key=lambda row: row["core_cycles_per_byte"])
        result.setdefault((algorithm, implementation), {})[length] = seen[len(seen) // 2]
    return result


def single_cells(rows: dict[int, dict]) -> list[str]:
    short = [f"{rows[length]['core_cycles_per_byte'] * length:.0f}" for length in SHORT]
    long = rows[LONG]
    return [f"{long['core_cycles_per_block']:.0f}", f"{long['core_cycles_per_byte']:.2f}", *short]


def many_cells(rows: dict[int, dict]) -> list[str]:
    return [f"{rows[LONG]['core_cycles_per_byte']:.2f}"]


def bound(rows: dict[int, dict]) -> str:
    long = rows[LONG]
    if long["bound_core_cycles_per_byte"] is None:
        return ""
    scale = long["core_cycles_per_block"] / long["core_cycles_per_byte"]
    return f"{long['bound_core_cycles_per_byte'] * scale:.0f}"


def tables(measured: dict[str, Rows], heads, cells, selected: set, bounds: bool) -> str:
    """One table for each algorithm; heads are the columns of one tool, cells fills them."""
    first = next(iter(measured.values()))
    out = []
    for algorithm in dict.fromkeys(algorithm for algorithm, _ in first):
        columns = ["implementation"] + (["bound"] if bounds else [])
        for name in measured:
            columns += [f"{name}: {heads[0]}", *heads[1:]]
        out += ["", f"### {algorithm}", "", "| " + " | ".join(columns) + " |"]
        out.append("|" + "---|" + "---:|" * (len(columns) - 1))
        for key in (key for key in first if key[0] == algorithm):
            row = [f"**{key[1]}**" if key in selected else key[1]]
            row += [bound(first[key])] if bounds else []
            for rows in measured.values():
                row += cells(rows[key])
            out.append("| " + " | ".join(row) + " |")
    return "\n".join(out) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", nargs="+", help="NAME=TOOL")
    parser.add_argument("--machine", required=True, help="the page's title")
    parser.add_argument("--about", required=True, help="a sentence on the machine and compilers")
    parser.add_argument("--passes", type=int, default=5, help="the median of so many counts")
    arguments = parser.parse_args()
    tools = dict(item.split("=", 1) for item in arguments.tool)
    listed = run(next(iter(tools.values())), "list")
    selected = {(r["algorithm"], r["implementation"]) for r in listed if r["selected"]}
    single = {
        name: measure(tool, "single", (*SHORT, LONG), arguments.passes)
        for name, tool in tools.items()
    }
    many = {name: measure(tool, "multi", (LONG,), arguments.passes) for name, tool in tools.items()}
    page = HEAD.format(**vars(arguments))
    page += SINGLE + tables(single, ("block", "c/B", "1 B", "64 B"), single_cells, selected, True)
    page += MANY + tables(many, ("c/B",), many_cells, selected, False)
    sys.stdout.write(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
