#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Turns files of `finalist bench --json` into one file of measured/, as `finalist report` reads it.

    tools/measured_from_bench.py --like measured/amd-family-19h.json --machine MACHINE.json \\
        single.json multi.json tree.json > measured/intel-golden-cove.json

For machines measured before `finalist report` existed. --like: results of the same build, for the
descriptions of the implementations. --machine: an object with fields that bench does not write:
`machine`, `build`, `method`, and the clock's `tick` and `frequency`.
"""

import argparse
import json
import statistics
import sys
from pathlib import Path

FORMAT, VERSION = "finalist-measured", 1
UNIT = "core cycles per byte"
# The number of messages hashed at once follows from these, as in bench_work.rs.
TURNS, MULTI_BYTES_MAX = 4, 1 << 20
MODES = {"many": "multi"}


def messages_of(row: dict) -> int:
    if MODES.get(row["mode"], row["mode"]) != "multi":
        return 1
    turns = MULTI_BYTES_MAX // row["lanes"] // row["bytes"]
    return row["lanes"] * max(1, min(turns, TURNS))


def figure(value: float) -> float:
    return float(f"{value:.4e}")


def converted(row: dict) -> dict:
    return {
        "algorithm": row["algorithm"],
        "implementation": row["implementation"],
        "mode": MODES.get(row["mode"], row["mode"]),
        "threads": row["threads"],
        "messages": messages_of(row),
        "bytes": row["bytes"],
        "cycles": figure(row["core_cycles_per_byte"]),
        "q1": figure(row["q1"]),
        "q3": figure(row["q3"]),
        "low": None,
        "high": None,
        "ticks": figure(row["tsc_per_byte"]),
    }


def calibration(rows: list[dict], clock: dict) -> dict:
    """Returns the clock with the median and quartiles of core cycles in a tick over all rows."""
    ratios = [row["core_cycles_per_byte"] / row["tsc_per_byte"] for row in rows]
    q1, median, q3 = statistics.quantiles(ratios, n=4)
    return {**clock, "cycles_per_tick": figure(median), "q1": figure(q1), "q3": figure(q3)}


def lines(elements: list[dict]) -> str:
    texts = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in elements]
    return "[\n    " + ",\n    ".join(texts) + "\n  ]"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="+", type=Path, help="output of bench")
    parser.add_argument("--like", required=True, type=Path)
    parser.add_argument("--machine", required=True, type=Path)
    arguments = parser.parse_args()
    about = json.loads(arguments.machine.read_text())
    like = json.loads(arguments.like.read_text())
    old = [row for file in arguments.file for row in json.loads(file.read_text())]
    timed = {(row["algorithm"], row["implementation"]) for row in old}
    implementations = [
        {
            **each,
            "supported": (each["algorithm"], each["implementation"]) in timed,
            "selected": False,
        }
        for each in like["implementations"]
    ]
    known = {(each["algorithm"], each["implementation"]) for each in implementations}
    rows = []
    for row in old:
        key = row["algorithm"], row["implementation"]
        if key in known or key[1] == "automatic":
            rows.append(converted(row))
        else:
            print(f"{key[0]}={key[1]}: not in {arguments.like}: left out", file=sys.stderr)
    fields = {
        "format": json.dumps(FORMAT),
        "version": str(VERSION),
        "unit": json.dumps(UNIT),
        "machine": json.dumps(about["machine"], ensure_ascii=False),
        "build": json.dumps(about["build"], ensure_ascii=False),
        "clock": json.dumps(calibration(old, about["clock"])),
        "method": json.dumps(about["method"], ensure_ascii=False),
        "implementations": lines(implementations),
        "rows": lines(rows),
    }
    body = ",\n".join(f'  "{name}": {value}' for name, value in fields.items())
    sys.stdout.write(f"{{\n{body}\n}}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
