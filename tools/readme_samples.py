#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Extracts the C programs from README.md and docs/guide/c.md, so that the tests compile and run
them, and checks that docs/design/architecture.md shows its example unchanged.

    tools/readme_samples.py --extract NUMBER FILE   write C sample NUMBER (from 1) to FILE
    tools/readme_samples.py --run NUMBER PROGRAM    check that the program prints the ```text
                                                    block after the sample
    tools/readme_samples.py --shows FILE PAGE       check that a ```c block of the page is the file
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "guide" / "c.md"]
SAMPLE = re.compile(r"^```c\n(.*?)^```$.*?^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--extract", nargs=2, metavar=("NUMBER", "FILE"))
    action.add_argument("--run", nargs=2, metavar=("NUMBER", "PROGRAM"))
    action.add_argument("--shows", nargs=2, metavar=("FILE", "PAGE"))
    arguments = parser.parse_args()
    if arguments.shows:
        file, page = (Path(path).read_text(encoding="utf-8") for path in arguments.shows)
        if f"```c\n{file}```\n" not in page:
            sys.exit(f"{arguments.shows[1]} does not show {arguments.shows[0]} unchanged")
        return 0
    number, path = arguments.extract or arguments.run
    samples = [
        sample for page in PAGES for sample in SAMPLE.findall(page.read_text(encoding="utf-8"))
    ]
    if not 1 <= int(number) <= len(samples):
        sys.exit(f"the pages have {len(samples)} C samples with output, and no number {number}")
    code, output = samples[int(number) - 1]
    if arguments.extract:
        Path(path).write_text(code, encoding="utf-8")
        return 0
    run = subprocess.run([path], check=False, stdout=subprocess.PIPE, text=True)
    if run.returncode != 0 or run.stdout != output:
        print(f"The page says of C sample {number}:\n{output}The program, exit code "
              f"{run.returncode}, prints:\n{run.stdout}", end="")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
