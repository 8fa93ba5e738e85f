#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures `finalist sum` beside b2sum, b3sum and openssl on typical tasks: one long file, a pipe,
many small files, and the start. Writes the tables of docs/guide/tool-speed.md.

    tools/tool_speed.py DIRECTORY [--finalist TOOL] [--b3sum TOOL] [--rounds N] [--starts N]

DIRECTORY is where 1 GiB and 20,000 small files are made: in memory (/dev/shm), or on a disk whose
cache holds them. Missing programs are skipped. All programs run alternately in each round; figures
are medians; those of a start are the least of many, since the system can only lengthen it. For
steady figures run nothing else.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

LONG_BYTES = 1 << 30
SMALL_FILES = 20_000
SMALL_BYTES = 6
TOOLS = Path(__file__).resolve().parent


def make_files(directory: Path) -> None:
    """Makes the long file, whose bytes have a long period, and the small ones."""
    long_file = directory / "long"
    if not long_file.exists() or long_file.stat().st_size != LONG_BYTES:
        with open(long_file, "wb") as out:
            piece = os.urandom(1 << 20)
            for _ in range(LONG_BYTES >> 20):
                out.write(piece)
    small = directory / "small"
    if not small.exists():
        command = [sys.executable, str(TOOLS / "small_files.py"), str(small), str(SMALL_FILES)]
        subprocess.run(command, check=True)


def commands(directory: Path, finalist: str, b3sum: str) -> dict[str, dict[str, str]]:
    """Returns the commands by their names in the tables. Ratios refer to the first of each
    table."""
    long_file, small = directory / "long", directory / "small"
    cpus = os.cpu_count() or 1
    find = f"find {small} -type f -print0 | xargs -0 -P{cpus} -n 500"
    return {
        "one file of 1 GiB": {
            "b2sum": f"b2sum {long_file}",
            "openssl dgst -blake2b512": f"openssl dgst -blake2b512 {long_file}",
            "finalist sum -j1": f"{finalist} sum -j1 {long_file}",
            "finalist sum": f"{finalist} sum {long_file}",
            "finalist sum -a blake2bp -j1": f"{finalist} sum -a blake2bp -j1 {long_file}",
            "finalist sum -a blake2bp": f"{finalist} sum -a blake2bp {long_file}",
            "finalist sum -a blake2sp -j1": f"{finalist} sum -a blake2sp -j1 {long_file}",
            "finalist sum -a blake2sp": f"{finalist} sum -a blake2sp {long_file}",
            "finalist sum -a blake3 -j1": f"{finalist} sum -a blake3 -j1 {long_file}",
            "finalist sum -a blake3": f"{finalist} sum -a blake3 {long_file}",
            "b3sum --num-threads 1": f"{b3sum} --num-threads 1 {long_file}",
            "b3sum": f"{b3sum} {long_file}",
        },
        "1 GiB from a pipe": {
            "cat \\| b2sum": f"cat {long_file} | b2sum",
            "cat \\| openssl dgst -blake2b512": f"cat {long_file} | openssl dgst -blake2b512",
            "cat \\| finalist sum": f"cat {long_file} | {finalist} sum",
            "cat \\| finalist sum -a blake2bp": f"cat {long_file} | {finalist} sum -a blake2bp",
            "cat \\| finalist sum -a blake3": f"cat {long_file} | {finalist} sum -a blake3",
            "cat \\| b3sum": f"cat {long_file} | {b3sum}",
        },
        f"{SMALL_FILES} files of 1 KiB on average": {
            f"find \\| xargs -P{cpus} b2sum": f"{find} b2sum",
            f"find \\| xargs -P{cpus} b3sum --num-threads 1": f"{find} {b3sum} --num-threads 1",
            "finalist sum -r": f"{finalist} sum -r {small}",
            "finalist sum -r -a blake2s": f"{finalist} sum -r -a blake2s {small}",
            "finalist sum -r -a blake3": f"{finalist} sum -r -a blake3 {small}",
        },
    }


def run(command: str) -> tuple[float, float, float]:
    """Returns seconds of wall clock, and of processor time in the programs and in the system."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, os.times()
    return (
        wall,
        after.children_user - before.children_user,
        after.children_system - before.children_system,
    )


def cpu_of(command: list[str]) -> float:
    """Runs a program on the last CPU; returns its seconds of processor time."""
    cpu = max(os.sched_getaffinity(0))
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, {cpu}),
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime


def starts(commands: dict[str, list[str]], count: int) -> None:
    """Writes the table of starts: the least processor time of each program, run in turn."""
    measured = {name: [] for name in commands}
    for _ in range(count):
        for name, command in commands.items():
            measured[name].append(cpu_of(command))
    print(f"\n| one file of {SMALL_BYTES} bytes | processor time | times the first |")
    print("|---|---:|---:|")
    first = None
    for name, times in measured.items():
        first = first or min(times)
        print(f"| `{name}` | {min(times) * 1000:.2f} ms | {first / min(times):.2f} |")


def table(title: str, rows: dict[str, list[tuple[float, float, float]]]) -> None:
    print(f"\n| {title} | wall clock | user | system | times the first |")
    print("|---|---:|---:|---:|---:|")
    first = None
    for name, measured in rows.items():
        wall, user, system = (statistics.median(column) for column in zip(*measured, strict=True))
        first = first or wall
        print(f"| `{name}` | {wall:.2f} s | {user:.2f} s | {system:.2f} s | {first / wall:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--finalist", default=str(TOOLS.parent / "target/release/finalist"))
    parser.add_argument("--b3sum", default="b3sum")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--starts", type=int, default=80)
    arguments = parser.parse_args()
    make_files(arguments.directory)
    tables = commands(arguments.directory, arguments.finalist, arguments.b3sum)
    there = {"openssl": "openssl", "b3sum": arguments.b3sum, "b2sum": "b2sum"}
    missing = [name for name, program in there.items() if shutil.which(program) is None]
    for rows in tables.values():
        for name in [name for name in rows if any(word in name for word in missing)]:
            del rows[name]
    measured = {title: {name: [] for name in rows} for title, rows in tables.items()}
    for _ in range(arguments.rounds):
        for title, rows in tables.items():
            for name, command in rows.items():
                measured[title][name].append(run(command))
    for title, rows in measured.items():
        table(title, rows)
    small = str(arguments.directory / "one")
    Path(small).write_bytes(b"x" * SMALL_BYTES)
    programs = {
        "b2sum": ["b2sum", small],
        "b3sum": [arguments.b3sum, small],
        "finalist sum": [arguments.finalist, "sum", small],
        "finalist sum -a blake3": [arguments.finalist, "sum", "-a", "blake3", small],
    }
    starts({name: run for name, run in programs.items() if name not in missing}, arguments.starts)


if __name__ == "__main__":
    main()
