#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures every implementation and writes the tables of docs/performance.md.

    tools/performance_tables.py NAME=TOOL [NAME=TOOL] > tables.md
    tools/performance_tables.py gcc=target/release/finalist --update docs/performance.md

NAME is the compiler that the tool's core was built with, TOOL the program. With --update, what
stands between the lines `<!-- tables -->` and `<!-- end of tables -->` is replaced.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

START, END = "<!-- tables -->", "<!-- end of tables -->"
LONG, SHORT = 4096, (1, 64)


def run(tool: str, *arguments: str) -> list[dict]:
    command = [tool, *arguments, "--json"]
    output = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(output.stdout)


def measure(tool: str, passes: int) -> dict[tuple[str, str], dict[int, dict]]:
    """The row with the median cycles of several passes, by implementation and message length."""
    lengths = ",".join(map(str, (*SHORT, LONG)))
    rows: dict[tuple[str, str, int], list[dict]] = {}
    for _ in range(passes):
        for row in run(tool, "bench", "--bytes", lengths):
            key = row["algorithm"], row["implementation"], row["bytes"]
            rows.setdefault(key, []).append(row)
    result: dict[tuple[str, str], dict[int, dict]] = {}
    for (algorithm, implementation, length), seen in rows.items():
        seen.sort(key=lambda row: row["core_cycles_per_byte"])
        result.setdefault((algorithm, implementation), {})[length] = seen[len(seen) // 2]
    return result


def cells(rows: dict[int, dict]) -> list[str]:
    short = [f"{rows[length]['core_cycles_per_byte'] * length:.0f}" for length in SHORT]
    long = rows[LONG]
    return [f"{long['core_cycles_per_block']:.0f}", f"{long['core_cycles_per_byte']:.2f}", *short]


def bound(rows: dict[int, dict]) -> str:
    long = rows[LONG]
    if long["bound_core_cycles_per_byte"] is None:
        return ""
    scale = long["core_cycles_per_block"] / long["core_cycles_per_byte"]
    return f"{long['bound_core_cycles_per_byte'] * scale:.0f}"


def tables(tools: dict[str, str], passes: int) -> str:
    measured = {name: measure(tool, passes) for name, tool in tools.items()}
    first = next(iter(measured.values()))
    listed = run(next(iter(tools.values())), "list")
    selected = {(r["algorithm"], r["implementation"]) for r in listed if r["selected"]}
    out = []
    for algorithm in dict.fromkeys(algorithm for algorithm, _ in first):
        heads = ["implementation", "bound"]
        for name in tools:
            heads += [f"{name}: block", "c/B", "1 B", "64 B"]
        out += [f"### {algorithm}", "", "| " + " | ".join(heads) + " |"]
        out.append("|" + "---|" + "---:|" * (len(heads) - 1))
        for key in (key for key in first if key[0] == algorithm):
            name = f"**{key[1]}**" if key in selected else key[1]
            row = [name, bound(first[key])]
            for rows in measured.values():
                row += cells(rows[key])
            out.append("| " + " | ".join(row) + " |")
        out.append("")
    return "\n".join(out)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", nargs="+", help="NAME=TOOL")
    parser.add_argument("--passes", type=int, default=5, help="the median of so many counts")
    parser.add_argument("--update", type=Path, help="a file that holds the two marks")
    arguments = parser.parse_args()
    tools = dict(item.split("=", 1) for item in arguments.tool)
    text = tables(tools, arguments.passes)
    if arguments.update is None:
        print(text)
        return 0
    page = arguments.update.read_text()
    if START not in page or END not in page:
        print(f"{arguments.update}: the marks are missing", file=sys.stderr)
        return 1
    before, after = page.split(START)[0], page.split(END)[1]
    arguments.update.write_text(f"{before}{START}\n\n{text}\n{END}{after}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
