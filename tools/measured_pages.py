#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes benchmark pages and the documents' tables from measured/*.json.

    tools/measured_pages.py            update the tables of the documents
    tools/measured_pages.py --pages    write a page and charts for each machine to build/measured
    tools/measured_pages.py --check    fail if a table is stale, or if a page, made in a temporary
                                       folder, lacks an algorithm or a chart

A document requests a part of a report with a comment, and gets it before the closing comment:

    <!-- finalist report --format md --only selected measured/amd-family-19h.json -->
    <!-- end of report -->
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import kernel_sources

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "build" / "measured"
DOCUMENTS = ["README.md", "docs/guide/*.md", "docs/design/*.md"]
PART = re.compile(
    r"(<!-- finalist report --format md (?P<arguments>[^\n]*) -->\n).*?(<!-- end of report -->)",
    re.DOTALL,
)
HEAD = """\
<!-- SPDX-License-Identifier: MIT OR Apache-2.0 -->
<!-- Written by tools/measured_pages.py from measured/{name}.json: do not edit. -->
"""


def report(tool: Path, *arguments: str) -> str:
    command = [str(tool), "report", "--format", "md", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode != 0:
        sys.exit(f"measured_pages.py: {' '.join(command)}:\n{done.stderr}")
    return done.stdout


def age(machine: str) -> str:
    """Names the kernels that changed since the machine was measured."""
    changed = kernel_sources.changed_since(machine)
    names = ", ".join(f"`{unit}`" for unit in changed)
    return f"Changed since this was measured: {names}.\n\n" if changed else ""


def write_page(tool: Path, measured: Path, folder: Path) -> Path:
    """Writes the machine's page to the folder, and its charts to a folder beside the page."""
    page = folder / f"{measured.stem}.md"
    report(tool, "-o", str(page), str(measured.relative_to(ROOT)))
    title, text = page.read_text().split("\n\n", 1)
    page.write_text(f"{HEAD.format(name=measured.stem)}{title}\n\n{age(measured.stem)}{text}")
    return page


def page_faults(page: Path, measured: Path) -> list[str]:
    """Names the algorithms and charts that the page lacks, and charts that it does not show."""
    text = page.read_text()
    algorithms = {row["algorithm"] for row in json.loads(measured.read_text())["implementations"]}
    shown = {page.parent / chart for chart in re.findall(r"!\[[^\]]*\]\(([^)]+\.svg)\)", text)}
    written = set((page.parent / page.stem).glob("*.svg"))
    faults = [f"no section {name}" for name in sorted(algorithms)
              if f"\n### {name}\n" not in text]
    faults += [f"no chart {path.name}" for path in sorted(shown - written)]
    faults += [f"{path.name} is not shown" for path in sorted(written - shown)]
    if not written:
        faults.append("no charts")
    return [f"the page of {measured.name}: {fault}" for fault in faults]


def filled(tool: Path, document: Path) -> str:
    """Returns the document with its tables updated."""
    def part(match: re.Match) -> str:
        return f"{match[1]}\n{report(tool, *match['arguments'].split())}\n{match[3]}"

    return PART.sub(part, document.read_text())


def update_documents(tool: Path, check: bool) -> list[str]:
    """Writes the tables, or with check names the documents whose tables are stale."""
    stale = []
    for document in sorted(path for pattern in DOCUMENTS for path in ROOT.glob(pattern)):
        content = filled(tool, document)
        if content != document.read_text():
            if check:
                stale.append(f"{document.relative_to(ROOT)}: run tools/measured_pages.py")
            else:
                document.write_text(content)
    return stale


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--check", action="store_true", help="change nothing")
    action.add_argument("--pages", action="store_true", help="write pages to build/measured")
    parser.add_argument("--tool", type=Path, default=ROOT / "target/release/finalist")
    arguments = parser.parse_args()
    machines = sorted((ROOT / "measured").glob("*.json"))
    if arguments.pages:
        PAGES.mkdir(parents=True, exist_ok=True)
        for measured in machines:
            print(write_page(arguments.tool, measured, PAGES))
        return 0
    faults = update_documents(arguments.tool, arguments.check)
    if arguments.check:
        with tempfile.TemporaryDirectory() as folder:
            for measured in machines:
                page = write_page(arguments.tool, measured, Path(folder))
                faults += page_faults(page, measured)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
