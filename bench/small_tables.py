#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draws the chart of small tables on Spark from the table in docs/guide/engines.md.

    bench/small_tables.py          draws docs/images/small_tables.svg
    bench/small_tables.py --check  checks that it is current
"""

import sys

from peers import ROOT, bars

PAGE = ROOT / "docs" / "guide" / "engines.md"
CHART = ROOT / "docs" / "images" / "small_tables.svg"
#: The columns of the table to draw, by their places.
WAYS = {1: "Spark, xxhash64", 2: "Spark, unhex(sha2)", 3: "Finalist, hash_parquet"}


def draw(page: str) -> str:
    """Draws a panel for each row of the table that begins with the number of rows."""
    table = page[page.index("| rows | `xxhash64` |"):].split("\n\n")[0]
    panels = []
    for line in table.splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows = "1 row" if cells[0] == "1" else f"{cells[0]} rows"
        figures = {name: float(cells[place]) for place, name in WAYS.items()}
        panels.append({"title": rows, "unit": "ms: less is better", "figures": figures})
    source = "bench/small_tables.py from docs/guide/engines.md"
    return bars(panels, "Small tables on Spark, from Parquet to Parquet", source)


def main() -> int:
    chart = draw(PAGE.read_text())
    if sys.argv[1:] == ["--check"]:
        if CHART.read_text() != chart:
            print(f"{CHART.name} is not drawn from {PAGE.name}: run bench/small_tables.py")
            return 1
        return 0
    CHART.write_text(chart)
    return 0


if __name__ == "__main__":
    sys.exit(main())
