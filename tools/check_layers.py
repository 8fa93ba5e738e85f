#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks which folders of core/ include which, so that there is no cycle.

    tools/check_layers.py                compares core/ and docs/design/architecture.md with LAYERS
    tools/check_layers.py --self-test    shows that an include against the arrows is found

LAYERS lists the folders bottom up. A folder may include its own files, those of the folders that
its entry names, and those of core/ itself, which may include no folder.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "core"
PAGE = ROOT / "docs" / "design" / "architecture.md"
SUFFIXES = {".c", ".h", ".S", ".inc", ".def"}
INCLUDE = re.compile(r'^\s*#\s*include "(\w+)/', re.MULTILINE)

LAYERS = {
    "gen": [],
    "vec": [],
    "spec": ["gen"],
    "dispatch": ["spec"],
    "lanes": ["spec"],
    "kern": ["gen", "spec", "vec", "lanes"],
    "asm": ["gen", "kern"],
    "unit": ["gen", "spec", "vec", "lanes", "kern", "asm"],
    "message": ["spec", "dispatch", "lanes"],
    "multi": ["lanes", "message"],
    "tree": ["message", "multi"],
}


def circles(layers):
    """Yields a problem for each folder that names one not below it."""
    lower = set()
    for folder, below in layers.items():
        for name in below:
            if name not in lower:
                yield f"LAYERS: {folder} names {name}, which is not below it"
        lower.add(folder)


def against(folder, text, layers):
    """Returns the folders that a file of folder ("" is core/ itself) includes against the
    arrows."""
    allowed = {folder, *layers.get(folder, [])}
    included = INCLUDE.findall(text)
    return sorted({name for name in included if name in layers and name not in allowed})


def problems(layers):
    yield from circles(layers)
    folders = {path.name for path in CORE.iterdir() if path.is_dir()}
    for name in sorted(folders ^ set(layers)):
        yield f"LAYERS and the folders of core/ differ in {name}"
    used = {}
    for path in sorted(CORE.rglob("*")):
        if path.suffix not in SUFFIXES:
            continue
        parts = path.relative_to(CORE).parts
        folder = parts[0] if len(parts) > 1 else ""
        text = path.read_text("utf-8")
        used.setdefault(folder, set()).update(INCLUDE.findall(text))
        for name in against(folder, text, layers):
            yield f"{path.relative_to(ROOT)} includes {name}/, which {folder or 'core'}/ may not"
    for folder, below in layers.items():
        for name in below:
            if name not in used.get(folder, set()):
                yield f"LAYERS: {folder} does not include {name}/"


def picture(layers):
    """Returns the lines that docs/design/architecture.md must have."""
    return [f"{folder:<8} -> {' '.join(below)}" for folder, below in layers.items() if below]


def page_problems(layers, text):
    """Yields the lines missing on the page, and its lines that are not in LAYERS."""
    lines = re.findall(r"^\w+ +-> .*$", text, re.MULTILINE)
    for line in picture(layers):
        if line not in lines:
            yield f"{PAGE.name}: no line '{line}'"
    for line in lines:
        if line not in picture(layers):
            yield f"{PAGE.name}: LAYERS has no '{line}'"


def self_test():
    include = '#include "multi/batch.h"\n'
    wrong = [
        against("message", include, LAYERS) != ["multi"],
        against("", '#  include "kern/blake/g.h"\n', LAYERS) != ["kern"],
        against("tree", include, LAYERS) != [],
        against("spec", '#include "bytes.h"\n#include "spec/blake.h"\n', LAYERS) != [],
        not list(circles({"a": ["b"], "b": ["a"]})),
        not list(problems({**LAYERS, "vec": ["gen"]})),
        not list(problems({name: below for name, below in LAYERS.items() if name != "tree"})),
        not list(page_problems(LAYERS, "")),
        not list(page_problems(LAYERS, "\n".join([*picture(LAYERS), "spec -> multi"]))),
        list(page_problems(LAYERS, "\n".join(picture(LAYERS)))) != [],
    ]
    for number, failed in enumerate(wrong, start=1):
        if failed:
            print(f"case {number}: wrong result")
    return 1 if any(wrong) else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = [*problems(LAYERS), *page_problems(LAYERS, PAGE.read_text("utf-8"))]
    for problem in found:
        print(problem)
    if not found:
        print(f"the includes of the {len(LAYERS)} folders of core/ follow the arrows")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
