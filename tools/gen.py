#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes core/gen/*.inc, the constants and tables of the C core derived from their definitions, and
the assembly of kernels/ into core/asm.

    tools/gen.py           write the files
    tools/gen.py --check   exit 1 and name the file if one differs from what would be written

The packages constants and kernels derive them: the AES S-box (inversion in GF(2^8) and the affine
map), Groestl's tables and masks, BLAKE's constants. Only values without a shorter definition are
given as data: the first row of Groestl's MixBytes matrix and its ShiftBytes offsets.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import constants.blake
import constants.blake_loads
import constants.groestl
import constants.groestl_columns
import constants.groestl_rows
import kernels.lanes
import kernels.row_ways
import kernels.rows

TABLES: dict[str, Callable[[], str]] = {
    **constants.blake.FILES,
    **constants.blake_loads.FILES,
    **constants.groestl.FILES,
    **constants.groestl_columns.FILES,
    **constants.groestl_rows.FILES,
}

# Assembly, in a folder that has hand-written files, too.
KERNELS: dict[str, Callable[[], str]] = {
    **kernels.lanes.FILES, **kernels.rows.FILES, **kernels.row_ways.FILES}


def generate(about: str, script: str, folder: str, files: dict[str, Callable[[], str]],
             mark: str = "") -> int:
    """Writes a folder's files, or with --check compares them. No other file may be in the folder;
    with a mark, no other file that contains the mark. Returns the exit code."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    arguments = parser.parse_args()
    place = Path(__file__).resolve().parent.parent / folder
    place.mkdir(parents=True, exist_ok=True)
    complaints = []
    for name, make in files.items():
        path, text = place / name, make()
        if arguments.check:
            if not path.is_file() or path.read_text() != text:
                complaints.append(f"{name}: differs from what {script} writes")
        else:
            path.write_text(text)
    unknown = sorted(
        path.name for path in place.iterdir()
        if path.name not in files and mark in path.read_text()
    )
    complaints += [f"{name}: no part of {script} writes this file" for name in unknown]
    for complaint in complaints:
        print(f"{folder}/{complaint}", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    about = "Writes core/gen/*.inc and the generated assembly of core/asm."
    sys.exit(
        generate(about, "tools/gen.py", "core/gen", TABLES)
        | generate(about, "tools/gen.py", "core/asm", KERNELS, "Written by tools/kernels/")
    )
