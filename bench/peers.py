#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures Finalist and its peers, and draws the README's chart.

    bench/peers.py DIRECTORY [--finalist TOOL] [--b3sum TOOL] [--rounds N]   measure, draw
    bench/peers.py --check                                                   check the chart

Writes bench/peers.json and docs/images/peers.svg. The Python packages finalist and blake3 must be
installed. DIRECTORY holds a file of 256 MiB meanwhile: choose one in memory, such as /dev/shm. The
candidates of a panel run alternately, in one thread. A figure is the least CPU time of all rounds,
which other programs on the machine disturb less than wall-clock time.
"""

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "bench" / "peers.json"
CHART = ROOT / "docs" / "images" / "peers.svg"
LONG_BYTES = 1 << 20  # fits in the cache
HUGE_BYTES = 16 << 20  # exceeds most caches
MESSAGES = 20_000
MESSAGE_BYTES = 64
FILE_BYTES = 256 << 20


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def best(
    candidates: dict[str, Callable[[], object]], rounds: int, clock: Callable[[], float]
) -> dict[str, float]:
    """Returns the least seconds of each candidate; the candidates run alternately."""
    least = dict.fromkeys(candidates, float("inf"))
    for _ in range(rounds):
        for name, call in candidates.items():
            start = clock()
            call()
            least[name] = min(least[name], clock() - start)
    return least


def measure(directory: Path, finalist_tool: str, b3sum: str, rounds: int) -> dict:
    import blake3
    import finalist

    def one_message(length: int) -> dict[str, Callable[[], object]]:
        message = os.urandom(length)
        return {
            "Finalist, BLAKE3": lambda: finalist.blake3(message).digest(),
            "blake3, BLAKE3": lambda: blake3.blake3(message).digest(),
            "Finalist, BLAKE2b": lambda: finalist.blake2b(message).digest(),
            "hashlib, BLAKE2b": lambda: hashlib.blake2b(message).digest(),
            "OpenSSL, SHA-256": lambda: hashlib.sha256(message).digest(),
        }

    short = [os.urandom(MESSAGE_BYTES) for _ in range(MESSAGES)]
    short_calls: dict[str, Callable[[], object]] = {
        "Finalist, BLAKE3": lambda: finalist.hash_many("blake3", short, threads=1),
        "blake3, BLAKE3": lambda: [blake3.blake3(m).digest() for m in short],
        "Finalist, BLAKE2b": lambda: finalist.hash_many("blake2b", short, threads=1),
        "hashlib, BLAKE2b": lambda: [hashlib.blake2b(m).digest() for m in short],
        "OpenSSL, SHA-256": lambda: [hashlib.sha256(m).digest() for m in short],
    }
    file = directory / "finalist-peers"
    file.write_bytes(os.urandom(1 << 20) * (FILE_BYTES >> 20))
    commands = {
        "finalist sum, BLAKE3": [finalist_tool, "sum", "-j1", "-a", "blake3"],
        "b3sum, BLAKE3": [b3sum, "--num-threads", "1"],
        "finalist sum, BLAKE2b": [finalist_tool, "sum", "-j1"],
        "b2sum, BLAKE2b": ["b2sum"],
        "openssl dgst, BLAKE2b": ["openssl", "dgst", "-blake2b512"],
    }

    def runner(command: list[str]) -> Callable[[], object]:
        return lambda: subprocess.run([*command, str(file)], check=True, stdout=subprocess.DEVNULL)

    file_calls = {name: runner(command) for name, command in commands.items()}
    try:
        panels = [
            (f"one message of {LONG_BYTES >> 20} MiB", "GB/s", LONG_BYTES / 1e9,
             best(one_message(LONG_BYTES), 20 * rounds, time.process_time)),
            (f"one message of {HUGE_BYTES >> 20} MiB", "GB/s", HUGE_BYTES / 1e9,
             best(one_message(HUGE_BYTES), rounds, time.process_time)),
            (f"{MESSAGES:,} messages of {MESSAGE_BYTES} bytes", "million/s", MESSAGES / 1e6,
             best(short_calls, rounds, time.process_time)),
            (f"a file of {FILE_BYTES >> 20} MiB", "GB/s", FILE_BYTES / 1e9,
             best(file_calls, rounds, children_seconds)),
        ]
    finally:
        file.unlink()
    return {
        "cpu": next(
            (line.split(": ")[1].strip() for line in Path("/proc/cpuinfo").read_text().split("\n")
             if line.startswith("model name")), "unknown"),
        "rounds": rounds,
        "versions": {
            "python": sys.version.split()[0],
            "blake3": blake3.__version__,
            "b3sum": subprocess.run([b3sum, "--version"], capture_output=True, text=True,
                                    check=True).stdout.split()[-1],
            "openssl": subprocess.run(["openssl", "version"], capture_output=True, text=True,
                                      check=True).stdout.split()[1],
            "coreutils": subprocess.run(["b2sum", "--version"], capture_output=True, text=True,
                                        check=True).stdout.split("\n")[0].split()[-1],
        },
        "panels": [
            {"title": title, "unit": unit,
             "figures": {name: round(work / seconds, 3) for name, seconds in least.items()}}
            for title, unit, work, least in panels
        ],
    }


def draw(figures: dict) -> str:
    title = "Finalist beside blake3, hashlib, OpenSSL, b3sum and b2sum"
    return bars(figures["panels"], title, "bench/peers.py from bench/peers.json")


def bars(panels: list[dict], title: str, source: str) -> str:
    """Draws horizontal bars, one panel below the other: readable on a phone, in light and dark.

    source: what writes the chart, and from what.
    """
    row, width, left, bar = 22, 560, 190, 290
    lines, y = [], 8
    for panel in panels:
        y += 18
        lines.append(f'<text class="head" x="8" y="{y}">{panel["title"]}, {panel["unit"]}</text>')
        y += 8
        most = max(panel["figures"].values())
        for name, value in panel["figures"].items():
            ours = "ours" if name.lower().startswith("finalist") else "peer"
            length = max(1, round(bar * value / most))
            text = f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
            lines.append(f'<text x="{left - 6}" y="{y + 14}" text-anchor="end">{name}</text>')
            lines.append(
                f'<rect class="{ours}" x="{left}" y="{y + 2}" width="{length}" height="{row - 6}"/>'
            )
            lines.append(f'<text x="{left + length + 5}" y="{y + 14}">{text}</text>')
            y += row
    body = "\n".join(lines)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y + 8}" width="{width}" role="img">
<!-- SPDX-License-Identifier: MIT OR Apache-2.0 -->
<!-- Written by {source}: do not edit. -->
<title>{title}</title>
<style>
svg {{ background: #fff }}
text {{ font: 13px sans-serif; fill: #222 }}
.head {{ font-weight: bold }}
.ours {{ fill: #1769aa }}
.peer {{ fill: #b5bcc4 }}
</style>
{body}
</svg>
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("directory", type=Path, nargs="?")
    parser.add_argument("--finalist", default=str(ROOT / "target/release/finalist"))
    parser.add_argument("--b3sum", default="b3sum")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.check:
        if CHART.read_text() != draw(json.loads(FIGURES.read_text())):
            print("docs/images/peers.svg is not drawn from bench/peers.json: run bench/peers.py")
            return 1
        return 0
    if arguments.directory is not None:
        figures = measure(
            arguments.directory, arguments.finalist, arguments.b3sum, arguments.rounds
        )
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    CHART.write_text(draw(json.loads(FIGURES.read_text())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
