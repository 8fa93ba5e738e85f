#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes what the documents say of measured speed from measured/*.json.

    tools/measured_pages.py            write a page docs/measured/NAME and charts, fill documents in
    tools/measured_pages.py --check    fail if a document is not as it would be written

A document asks for a part of a report by a comment, and gets it up to the comment that ends it:

    <!-- finalist report --format md --only selected measured/amd-family-19h.json -->
    <!-- end of report -->
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import kernel_sources

ROOT = Path(__file__).resolve().parent.parent
PAGES = Path("docs/measured")
DOCUMENTS = ["README.md", "docs/guide/*.md", "docs/design/*.md"]
PART = re.compile(
    r"(<!-- finalist report --format md (?P<arguments>[^\n]*) -->\n).*?(<!-- end of report -->)",
    re.DOTALL,
)
HEAD = """\
<!-- SPDX-License-Identifier: MIT OR Apache-2.0 -->
<!-- Written by tools/measured_pages.py from measured/{name}.json: do not edit. -->
"""


class Changes:
    """Files as they should be: writes them, or notes those that differ."""

    def __init__(self, check: bool):
        self.check = check
        self.stale: list[str] = []

    def put(self, path: Path, content: str) -> None:
        place = ROOT / path
        if place.exists() and place.read_text() == content:
            return
        self.stale.append(str(path))
        if not self.check:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content)

    def drop(self, path: Path) -> None:
        self.stale.append(str(path))
        if not self.check:
            (ROOT / path).unlink()


def report(tool: Path, *arguments: str) -> str:
    command = [str(tool), "report", "--format", "md", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode != 0:
        sys.exit(f"measured_pages.py: {' '.join(command)}:\n{done.stderr}")
    return done.stdout


def age(machine: str) -> str:
    """What the page of a machine says of kernels that are not those of today."""
    changed = kernel_sources.changed_since(machine)
    if changed is None:
        return "Measured with an earlier version: most kernels have changed since.\n\n"
    names = ", ".join(f"`{unit}`" for unit in changed)
    return f"Changed since this was measured: {names}.\n\n" if changed else ""


def write_page(tool: Path, measured: Path, changes: Changes) -> None:
    name = measured.stem
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / f"{name}.md"
        report(tool, "-o", str(page), str(measured.relative_to(ROOT)))
        title, text = page.read_text().split("\n\n", 1)
        content = f"{HEAD.format(name=name)}{title}\n\n{age(name)}{text}"
        changes.put(PAGES / page.name, content)
        charts = {chart.name: chart.read_text() for chart in (Path(folder) / name).glob("*.svg")}
    for chart, content in sorted(charts.items()):
        changes.put(PAGES / name / chart, content)
    for chart in sorted((ROOT / PAGES / name).glob("*.svg")):
        if chart.name not in charts:
            changes.drop(chart.relative_to(ROOT))


def fill_in(tool: Path, document: Path, changes: Changes) -> None:
    def part(match: re.Match) -> str:
        return f"{match[1]}\n{report(tool, *match['arguments'].split())}\n{match[3]}"

    changes.put(document.relative_to(ROOT), PART.sub(part, document.read_text()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("--tool", type=Path, default=ROOT / "target/release/finalist")
    arguments = parser.parse_args()
    changes = Changes(arguments.check)
    for measured in sorted((ROOT / "measured").glob("*.json")):
        write_page(arguments.tool, measured, changes)
    for pattern in DOCUMENTS:
        for document in sorted(ROOT.glob(pattern)):
            fill_in(arguments.tool, document, changes)
    what = "not as tools/measured_pages.py writes it" if arguments.check else "written"
    for path in changes.stale:
        print(f"{path}: {what}", file=sys.stderr)
    return 1 if arguments.check and changes.stale else 0


if __name__ == "__main__":
    sys.exit(main())
