#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes MATRIX.md: every implementation with its unit, its source, and how it was run.

    tools/matrix.py --write TARGET=PROGRAM...   writes the implementations that the programs list;
                                                other targets keep their entries
    tools/matrix.py --check TARGET=PROGRAM...   checks that MATRIX.md lists the same for the targets

A target is x86-64 or x86-32, whose programs run directly, or a name of cmake/targets.def, whose
programs run under its emulator. The programs are built from tools/list_implementations.c with the
target's library, so every row comes from a build. Each build's tests check their own target;
--write checks that the targets together cover core/isa.def. A row links to its unit; programs with
a shared library do not know the unit and leave the link unchanged. The rows of 8-bit AVR are the
functions that avr/README.md measures.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MATRIX = ROOT / "MATRIX.md"
TARGET = re.compile(r'^FIN_TARGET\(([^,]+), "[^"]*", "[^"]*", "[^"]*", "([^"]*)"\)$', re.MULTILINE)
UNIT = re.compile(r'^FIN_UNIT\(\w+, (\w+),', re.MULTILINE)
LINK = re.compile(r"^\| \[([^]]+)\]\(core/unit/(\w+)\.c\)")
AVR_ROW = re.compile(r"^\| (\w+) \| \d+\.\d+ \|", re.MULTILINE)

HARDWARE = ["x86-64", "x86-32"]
# The targets whose listings include the units of an architecture of core/isa.def.
COVERED_BY = {
    "ANY": "x86-64", "X86": "x86-32", "X86_32": "x86-32", "X86_64": "x86-64",
    "X86_64_ASM": "x86-64",
    "ARM64": "aarch64", "ARM32": "arm", "WASM_SIMD128": "wasm",
}
HEADER = """<!-- SPDX-License-Identifier: MIT OR Apache-2.0 -->
<!-- Written by tools/matrix.py (make matrix): do not edit. -->
# Every implementation and how it was run

A row is an implementation of a compression function. Its source is the section of the literature
that it implements; [docs/design/bibliography.md](docs/design/bibliography.md) has the titles. All
implementations pass the same tests on every target named in their row:

- **hardware**: on a processor with these instructions;
- **trapped**: on a processor without these instructions, which trap so that the test computes them;
- **emulated**: under QEMU; **engine**: translated by wasmtime and Node to the host's processor;
- **simulated**: in a simulator that counts cycles;
- **built only**: no emulator for it is available.

A name links to the unit. Messages: the number compressed at once. † not constant-time:
opt-in, never selected automatically. `make test-cross` runs the emulated targets, `make test-all`
all vectors on them.
"""


def read_targets():
    text = (ROOT / "cmake" / "targets.def").read_text(encoding="utf-8")
    emulators = {name: command.replace("@", str(ROOT)) for name, command in TARGET.findall(text)}
    return {name: "" for name in HARDWARE} | emulators


def listing(target, program, targets):
    command = [*targets[target].split(), str(program)]
    try:
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"matrix: {' '.join(command)}: {error}")
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    if not rows:
        sys.exit(f"matrix: {program} lists nothing")
    return rows


def how_run(target, row):
    """Returns HEADER's word for how an implementation runs on a target."""
    if "xop" in row["features"].split(","):
        return "trapped"
    if not row["supported"]:
        return "built only"
    if target in HARDWARE:
        return "hardware"
    return "engine" if target.startswith("wasm") else "emulated"


def cells(row):
    """Returns the cells of a row that describe the implementation, without the link."""
    mark = "" if row["constant_time"] else " †"
    needs = row["features"].replace(",", ", ") or "nothing"
    return (f"| {row['name']}{mark} | {row['lanes']} | {row['technique']} | {row['source']} "
            f"| {needs} |")


def linked(text, unit):
    """Returns the cells with the name linked to the unit's file, if that is known."""
    name, bar, rest = text[2:].partition(" | ")
    name, dagger, mark = name.partition(" †")
    return f"| [{name}](core/unit/{unit}.c){dagger}{mark}{bar}{rest}" if unit else text


def table_of(algorithm, rows, units, targets):
    """Returns the rows, sorted by their first target, then by messages and name."""
    def place(item):
        text, runs = item
        name, lanes = text.split(" | ")[:2]
        return min(targets.index(target) for target in runs), int(lanes), name

    lines = [f"## {algorithm}", "", "| name | messages | technique | source | needs | run |",
             "|---|--:|---|---|---|---|"]
    for text, runs in sorted(((t, r) for t, r in rows.items() if r), key=place):
        on = {}
        for target in sorted(runs, key=targets.index):
            on.setdefault(runs[target], []).append(target)
        places = "; ".join(f"{how}: {', '.join(names)}" for how, names in on.items())
        lines.append(f"{linked(text, units.get((algorithm, text)))} {places} |")
    return lines + [""]


def avr_lines():
    path = ROOT / "avr" / "README.md"
    if not path.exists():
        return []
    lines = ["## 8-bit AVR", "", "Assembly, measured in [avr/README.md](avr/README.md).", "",
             "| name | source | run |", "|---|---|---|"]
    for name in AVR_ROW.findall(path.read_text(encoding="utf-8")):
        source = "Groestl guide, table 2" if name.startswith("groestl") else "beyond the papers"
        # Both submissions of Grøstl share a file with a parameter.
        file = name.replace("groestl0_", "groestl")
        lines.append(f"| [{name}](avr/{file}.S) | {source} | simulated: simavr |")
    return lines + [""]


def check_covered(tables):
    listed = {target for rows in tables.values() for runs in rows.values() for target in runs}
    units = (ROOT / "core" / "isa.def").read_text(encoding="utf-8")
    for architecture in sorted(set(UNIT.findall(units))):
        if COVERED_BY.get(architecture) not in listed:
            sys.exit(f"matrix: no target lists the units of {architecture}")


def read_matrix():
    """Returns MATRIX.md as algorithm -> cells -> target -> how it was run there, and its links as
    (algorithm, cells) -> unit."""
    tables, units, algorithm = {}, {}, None
    for line in MATRIX.read_text(encoding="utf-8").splitlines() if MATRIX.exists() else []:
        if line.startswith("## "):
            algorithm = line[3:]
        elif line.startswith("| ") and line.count("|") == 7 and not line.startswith("| name |"):
            text, _, places = line.rstrip("| ").rpartition(" | ")
            text += " |"
            if link := LINK.match(text):
                text = f"| {link[1]}{text[link.end():]}"
                units[algorithm, text] = link[2]
            runs = tables.setdefault(algorithm, {}).setdefault(text, {})
            for place in places.split("; "):
                how, _, on = place.partition(": ")
                runs |= dict.fromkeys(on.split(", "), how)
    return tables, units


def write(listings, targets):
    tables, units = read_matrix()
    for rows in tables.values():
        for runs in rows.values():
            for target in set(runs) - (set(targets) - set(listings)):
                del runs[target]
    for target, rows in listings.items():
        for row in rows:
            runs = tables.setdefault(row["algorithm"], {}).setdefault(cells(row), {})
            runs[target] = how_run(target, row)
            if row["unit"]:
                units[row["algorithm"], cells(row)] = row["unit"]
    check_covered(tables)
    lines = HEADER.splitlines() + [""]
    for algorithm, rows in tables.items():
        lines += table_of(algorithm, rows, units, list(targets))
    lines += avr_lines()
    MATRIX.write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8")


def check(target, rows):
    tables, units = read_matrix()
    knows_units = any(row["unit"] for row in rows)
    there = {
        (algorithm, linked(text, units.get((algorithm, text)) if knows_units else None))
        for algorithm, table in tables.items()
        for text, runs in table.items()
        if target in runs
    }
    here = {(row["algorithm"], linked(cells(row), row["unit"])) for row in rows}
    for algorithm, text in sorted(here - there):
        print(f"MATRIX.md lacks for {target}: {algorithm} {text}")
    for algorithm, text in sorted(there - here):
        print(f"MATRIX.md has for {target}, but the build lacks: {algorithm} {text}")
    if here != there:
        print("write it again: make matrix")
        return 1
    print(f"{len(here)} implementations of {target} match MATRIX.md")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--write", action="store_true")
    action.add_argument("--check", action="store_true")
    parser.add_argument("programs", nargs="+", metavar="TARGET=PROGRAM")
    arguments = parser.parse_args()
    targets = read_targets()
    listings = {}
    for word in arguments.programs:
        target, _, program = word.partition("=")
        if target not in targets:
            parser.error(f"no target '{target}'; there are {', '.join(targets)}")
        listings[target] = listing(target, program, targets)
    if arguments.write:
        write(listings, targets)
        return 0
    return max(check(target, rows) for target, rows in listings.items())


if __name__ == "__main__":
    sys.exit(main())
