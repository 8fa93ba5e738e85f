#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reports which kernels have changed since a machine was measured.

    tools/kernel_sources.py MACHINE...    record that MACHINE.json is of today's kernels
    tools/kernel_sources.py --self-test   show that code counts and comments do not

measured/kernels.toml keeps a digest of the code of each unit that a machine runs. Comments, white
space and the paths of files do not count.
"""

import argparse
import hashlib
import json
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "core"
NOTES = ROOT / "measured" / "kernels.toml"
# The folders that make up a kernel.
FOLDERS = ("asm", "gen", "kern", "unit", "vec")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
UNIT = re.compile(r"^FIN_UNIT\((\w+), (\w+)", re.MULTILINE)
ARCHITECTURES = {
    "x86_64": {"ANY", "X86", "X86_64", "X86_64_ASM"},
    "aarch64": {"ANY", "ARM64"},
}


def expanded(path: Path) -> str:
    """Returns the text of a file and its includes, without comments."""
    text = COMMENT.sub(" ", path.read_text())

    def included(match: re.Match) -> str:
        beside, below = path.parent / match[1], CORE / match[1]
        file = beside if beside.exists() else below
        return expanded(file) if file.relative_to(CORE).parts[0] in FOLDERS else ""

    return INCLUDE.sub(included, text)


def digest(text: str) -> str:
    words = " ".join(text.split())
    return hashlib.blake2s(words.encode(), digest_size=8).hexdigest()


def unit_digest(unit: str) -> str:
    text = expanded(CORE / "unit" / f"{unit}.c")
    assembly = CORE / "asm" / f"{unit}.S"
    return digest(text + (expanded(assembly) if assembly.exists() else ""))


def units_of(machine: str) -> dict[str, str]:
    """Returns the digests of the units that run on a measured machine."""
    file = json.loads((ROOT / "measured" / f"{machine}.json").read_text())
    architectures = ARCHITECTURES[file["machine"]["architecture"]]
    lines = UNIT.findall((CORE / "isa.def").read_text())
    return {unit: unit_digest(unit) for unit, name in lines if name in architectures}


def notes() -> dict[str, dict[str, str]]:
    return tomllib.loads(NOTES.read_text()) if NOTES.exists() else {}


def changed_since(machine: str) -> list[str]:
    """Returns the units whose code has changed."""
    measured = notes().get(machine, {})
    return [unit for unit, value in units_of(machine).items() if measured.get(unit) != value]


def self_test() -> int:
    text = '#include "bytes.h"\nint a; /* one */ int b;\n'
    same = '#include "impl.h"\nint a;\n\n  int b; // two\n'
    plain = [digest(INCLUDE.sub("", COMMENT.sub(" ", part))) for part in (text, same, "int a, c;")]
    if plain[0] != plain[1] or plain[0] == plain[2]:
        print("kernel_sources.py: a comment counts, or code does not", file=sys.stderr)
        return 1
    if "define FIN_G(" not in expanded(CORE / "unit" / "blake_portable.c"):
        print("kernel_sources.py: an include is not followed", file=sys.stderr)
        return 1
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("machines", nargs="*", metavar="MACHINE")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    kept = notes() | {machine: units_of(machine) for machine in arguments.machines}
    lines = ["# SPDX-License-Identifier: MIT OR Apache-2.0"]
    lines += ["# Written by tools/kernel_sources.py."]
    for machine, units in sorted(kept.items()):
        lines += ["", f"[{machine}]", *(f'{unit} = "{value}"' for unit, value in units.items())]
    NOTES.write_text("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
