#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares core/preference.def with the results in measured/.

    tools/check_preference.py              fail if a selection is too slow
    tools/check_preference.py --print      print what each machine selects, with cycles per byte
    tools/check_preference.py --self-test  show that planted mistakes are found

For messages of 4096 bytes, with any features hidden, for one message and for 2 to 32 at once, the
table's selection must take at most 3 per cent longer than the best constant-time implementation in
the machine's results. measured/exceptions.toml names the exceptions. Results that name an unknown
implementation or class of cores are refused.
"""

import argparse
import itertools
import json
import re
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXCEPTIONS = Path("measured/exceptions.toml")
BYTES = 4096
LIMIT = 1.03
WIDTHS = (2, 4, 8, 16, 32)
# Features that users are likely to hide with FINALIST_CPU, in all combinations.
HIDDEN = ("gfni", "vaes", "avx512", "avx2", "avx")


@dataclass
class Table:
    """core/preference.def and the lists that it refers to."""

    names: dict[str, str]  # of each class of cores
    first: dict[str, str]  # the first class of each class's architecture
    lines: dict[tuple[str, str, str], list[str]]  # of class, mode and compression function
    compressions: list[str]
    units: dict[str, set[str]]  # the features of each unit
    implied: dict[str, set[str]]  # by each feature
    exceptions: list[dict]
    # The implementations of each compression function in any results.
    exist: dict[str, set[str]] = field(default_factory=dict)


@dataclass
class Implementation:
    """An implementation of a compression function, with its cycles per byte on one machine."""

    lanes: int
    features: set[str]
    constant_time: bool = True
    cycles: float | None = None


Machine = dict[str, dict[str, Implementation]]


def closure(features: set[str], implied: dict[str, set[str]]) -> set[str]:
    found = set(features)
    while more := {each for name in found for each in implied[name]} - found:
        found |= more
    return found


def macros(path: Path, macro: str) -> list[tuple[str, ...]]:
    lines = re.findall(rf"^{macro}\((.*)\)$", path.read_text(), re.MULTILINE)
    return [tuple(part.strip('"') for part in line.split(", ")) for line in lines]


def read_table(root: Path) -> Table:
    text = (root / "core/preference.def").read_text()
    names, first, lines = {}, {}, {}
    compressions = [row[1] for row in macros(root / "core/alg.def", "FIN_COMPRESSION")]
    ids = {row[0]: row[1] for row in macros(root / "core/alg.def", "FIN_COMPRESSION")}
    head = "PORTABLE"
    for line in text.splitlines():
        if line.startswith("#ifdef FIN_ARCH"):
            head = ""
        if found := re.fullmatch(r'FIN_CORE\((\w+), "(.*)"\)', line):
            head = head or found[1]
            names[found[1]], first[found[1]] = found[2], head
        if found := re.fullmatch(r'FIN_(ONE|MANY|LONG)\((\w+), (\w+), "(.*)"\)', line):
            lines[found[2], found[1], ids[found[3]]] = found[4].split(",")  # LONG: with costs
    units = {}
    isa = (root / "core/isa.def").read_text()
    for found in re.finditer(r'^FIN_UNIT\((\w+), \w+, "(.*?)", ', isa, re.MULTILINE):
        units[found[1]] = set(filter(None, found[2].split(",")))
    bits = {id: name for id, name, _ in macros(root / "core/cpu.def", "FIN_CPU_FEATURE")}
    implied = {
        name: {bits[each.strip().removeprefix("FIN_CPU_")] for each in other.split("|")
               if each != "0"}
        for _, name, other in macros(root / "core/cpu.def", "FIN_CPU_FEATURE")
    }
    exceptions = tomllib.loads((root / EXCEPTIONS).read_text()).get("exception", [])
    return Table(names, first, lines, compressions, units, implied, exceptions)


def implementation(table: Table, compression: str, name: str) -> Implementation | None:
    """Returns the unit of an implementation: blake_lanes_avx2 for avx2-x8 of blake2s."""
    family = "groestl" if compression.startswith("groestl") else "blake"
    shape, stem, lanes = "", name, 1
    if found := re.fullmatch(r"(.+)-x(\d+)", name):
        shape, stem, lanes = "lanes_", found[1], int(found[2])
    elif found := re.fullmatch(r"(.+)-(\d+)way", name):
        shape, stem, lanes = "ways_", found[1], int(found[2])
    features = table.units.get(f"{family}_{shape}{stem.replace('-', '_')}")
    return None if features is None else Implementation(lanes, closure(features, table.implied))


def read_machine(path: Path, table: Table, problems: list[str]) -> tuple[str, Machine]:
    content = json.loads(path.read_text())
    ids = {name: id for id, name in table.names.items()}
    core = ids.get(content["machine"].get("core", ""), "")
    if not core:
        problems.append(f"{path.name}: its class of cores is not one of core/preference.def")
    machine: Machine = {compression: {} for compression in table.compressions}
    for each in content["implementations"]:
        compression, name = each["algorithm"], each["implementation"]
        found = implementation(table, compression, name)
        if compression not in machine or found is None or found.lanes != each["lanes"]:
            problems.append(f"{path.name}: there is no implementation {compression} {name}")
            continue
        found.constant_time = each["constant_time"]
        machine[compression][name] = found
    for row in sorted(content["rows"], key=lambda row: row["messages"]):
        if row["implementation"] == "automatic":
            continue
        found = machine.get(row["algorithm"], {}).get(row["implementation"])
        if found is None:
            row_of = f"{row['algorithm']} {row['implementation']}"
            problems.append(f"{path.name}: a row of {row_of}, which it does not list")
        elif row["bytes"] == BYTES and row["threads"] == 1:
            found.cycles = row["cycles"]
    return core, machine


def lines_of(table: Table, core: str, mode: str, compression: str) -> list[str]:
    """Returns a class's preferences and those of the classes it falls back to."""
    compression = compression.replace("groestl0-", "groestl")
    return [
        name for each in (core, table.first[core], "PORTABLE")
        for name in table.lines.get((each, mode, compression), [])
    ]


def available(table: Table, compression: str, name: str, hidden: set[str]) -> Implementation | None:
    found = implementation(table, compression, name)
    usable = found and name in table.exist[compression] and not found.features & hidden
    return found if usable else None


def selected_by_cost(table: Table, core: str, compression: str, hidden: set[str],
                     width: int) -> str:
    """Returns the first implementation of the cheapest split of long messages; "" without a line,
    or if it has a name that is not available."""
    costs = [line.split() for line in table.lines.get((core, "LONG", compression), [])[1:]]
    if not all(available(table, compression, name, hidden) for name, _ in costs):
        return ""
    least, first = [0], [""]
    for n in range(1, width + 1):
        splits = [
            (int(cost) + least[max(0, n - found.lanes)], name) for name, cost in costs
            if (found := available(table, compression, name, hidden))
        ]
        cost, name = min(splits, key=lambda split: split[0], default=(0, ""))
        least.append(cost)
        first.append(name)
    return first[width]


def selected(table: Table, core: str, compression: str, hidden: set[str], width: int) -> str:
    """Returns the selected implementation, as core/dispatch/preference.c computes it."""
    if width > 1 and (name := selected_by_cost(table, core, compression, hidden, width)):
        return name
    for mode in ("MANY", "ONE") if width > 1 else ("ONE",):
        for name in lines_of(table, core, mode, compression):
            found = available(table, compression, name, hidden)
            if found is None:
                continue
            if mode == "MANY" and found.lanes == 1:
                break
            if found.lanes <= (1 if mode == "ONE" else width):
                return name
    return ""


def absent_features(machine: Machine, table: Table) -> set[str]:
    """Returns the features that nothing measured on the machine needs."""
    ran = [found for known in machine.values() for found in known.values() if found.cycles]
    return table.implied.keys() - set().union(*(found.features for found in ran))


def hidden_sets(table: Table, absent: set[str]) -> list[set[str]]:
    """Returns every combination of hidden features, closed under dependence, with the absent
    ones."""
    sets: list[set[str]] = []
    for count in range(len(HIDDEN) + 1):
        for names in itertools.combinations(HIDDEN, count):
            hidden = {
                each for each in table.implied if closure({each}, table.implied) & set(names)
            } | absent
            if hidden not in sets:
                sets.append(hidden)
    return sets


def compare(name: str, core: str, machine: Machine, table: Table, used: set[int]) -> list[str]:
    """Returns the faults of a class's lines on one machine, one for each pair of
    implementations."""
    problems: dict[tuple[str, str, str], str] = {}
    absent = absent_features(machine, table)
    for compression, known in machine.items():
        for hidden, width in itertools.product(hidden_sets(table, absent), (1, *WIDTHS)):
            candidates = {
                each: found.cycles for each, found in known.items()
                if found.cycles and found.constant_time and found.lanes <= width
                and not found.features & hidden
            }
            choice = selected(table, core, compression, hidden, width)
            if not candidates:
                continue
            if choice in known and known[choice].cycles and known[choice].lanes > width:
                # Lanes without a message take as long as the others.
                candidates[choice] = known[choice].cycles * known[choice].lanes / width
            best = min(candidates, key=candidates.__getitem__)
            ratio = candidates[choice] / candidates[best] if choice in candidates else None
            if (ratio is not None and ratio <= LIMIT) or \
                    is_exception(table, name, compression, choice, best, ratio, used):
                continue
            names = ",".join(sorted(hidden - absent))
            what = f"without {names}" if names else "as it is"
            takes = f"takes {ratio:.3f} of the time of {best}" if ratio else "its file lacks"
            problems.setdefault(
                (compression, choice, best if ratio else ""),
                f"{name}: {compression}, {width} messages, {what}: selects {choice}, which {takes}",
            )
    return list(problems.values())


def is_exception(table: Table, name: str, compression: str, choice: str, best: str,
                 ratio: float | None, used: set[int]) -> bool:
    """Returns true if measured/exceptions.toml allows the selection; marks the exception as
    used."""
    for index, each in enumerate(table.exceptions):
        covered = "at_most" not in each if ratio is None else \
            best in each.get("faster", []) and ratio <= each.get("at_most", 0)
        if each["file"] == name and choice in each["selected"] and covered and \
                compression in each.get("of", table.compressions):
            used.add(index)
            return True
    return False


def read_machines(root: Path, table: Table, problems: list[str]) -> dict[str, tuple[str, Machine]]:
    """Reads all results, and collects the implementations in any of them."""
    machines = {
        path.name: read_machine(path, table, problems)
        for path in sorted((root / "measured").glob("*.json"))
    }
    for _, machine in machines.values():
        for compression, known in machine.items():
            table.exist.setdefault(compression, set()).update(known)
    return machines


def check(root: Path, table: Table) -> list[str]:
    problems: list[str] = []
    used: set[int] = set()
    for name, (core, machine) in read_machines(root, table, problems).items():
        if core:
            problems += compare(name, core, machine, table, used)
    for index, each in enumerate(table.exceptions):
        if index not in used:
            problems.append(f"{EXCEPTIONS}: exception {index + 1}, {each['file']}: not needed")
        if not each["reason"]:
            problems.append(f"{EXCEPTIONS}: exception {index + 1}: no reason")
    return problems


def show(root: Path, table: Table) -> None:
    for file, (core, machine) in read_machines(root, table, []).items():
        print(f"{file}: {table.names.get(core, '?')}")
        absent = absent_features(machine, table)
        for compression, known in machine.items():
            choices = [
                selected(table, core, compression, absent, width) for width in (1, *WIDTHS)
            ]
            costs = []
            for name in dict.fromkeys(choices):
                cycles = known[name].cycles if name in known else None
                costs.append(f"{name} {cycles:.2f}" if cycles else f"{name} ?")
            print(f"  {compression}: {', '.join(costs)}")


def self_test(root: Path) -> int:
    """Plants mistakes and requires that each is reported."""
    def planted(change) -> list[str]:
        table = read_table(root)
        change(table)
        return check(root, table)

    def swap(table: Table) -> None:
        table.lines["AMD_19H", "ONE", "blake2s"].reverse()

    def drop_unit(table: Table) -> None:
        del table.units["blake_avx512"]

    def rename_core(table: Table) -> None:
        table.names["AMD_1AH"] = "another"

    def needless(table: Table) -> None:
        table.exceptions.append({"file": "none", "of": [], "selected": [], "faster": [],
                                 "at_most": 2, "reason": "none"})

    def with_row(name: str) -> list[str]:
        """Returns the faults of a machine's results with a row of this implementation."""
        file = "measured/amd-family-19h.json"
        content = json.loads((root / file).read_text())
        content["rows"][0]["implementation"] = name
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "measured").mkdir()
            (Path(folder) / file).write_text(json.dumps(content))
            return check(Path(folder), read_table(root))

    wanted = {swap: "selects x86-64", drop_unit: "no implementation blake2s avx512",
              rename_core: "class of cores", needless: "not needed"}
    failed = [change.__name__ for change, text in wanted.items()
              if not any(text in line for line in planted(change))]
    if not any("a row of" in line for line in with_row("x86_64")):
        failed.append("with_row")
    for name in failed:
        print(f"check_preference.py: the planted mistake '{name}' was not found", file=sys.stderr)
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--print", action="store_true", dest="show")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(ROOT)
    table = read_table(ROOT)
    if arguments.show:
        show(ROOT, table)
        return 0
    problems = check(ROOT, table)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
