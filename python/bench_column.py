# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures a value in the C library's column call, in nanoseconds and cycles of one core.

    python -P python/bench_column.py ARCHIVE [ROWS]

ARCHIVE is libfinalist.a. Hashes ROWS values (10 million) of 50 bytes, of 0 to 100, and as many
bytes in values of 4 KiB, with each of four algorithms, into memory that was written before: once
with the library's choice, once without AVX-512. A chain of additions measures the core's clock
right before and after each call, since it changes with load and with other programs of a shared
machine. Prints medians of seven rounds of CPU time.
"""

import argparse
import ctypes
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

ROUNDS = 7
ROOT = pathlib.Path(__file__).parents[1]
CHAIN = 20_000_000

ALGORITHMS = ["blake2s", "blake256", "blake2b", "groestl256"]
DIGEST_BYTES = 32

SOURCE = """
#include <finalist.h>
int column(const char *name, const void *data, uint64_t bytes, const void *offsets, size_t count,
           uint8_t *digests, size_t digest_bytes)
{
    const fin_column column = {FIN_COLUMN_OFFSETS64, data, bytes, offsets, 0, 0, 0, 0, 0};
    const fin_params params = {.digest_bytes = digest_bytes};
    fin_algorithm algorithm;
    return fin_algorithm_by_name(name, &algorithm) != FIN_OK ||
           fin_hash_column(algorithm, &params, &column, count, digests, digest_bytes) != FIN_OK;
}
void chain(long count)
{
    for (unsigned long x = 0; count > 0; count--) {
        __asm__ volatile("add $1, %0" : "+r"(x));
    }
}
"""


def library(archive):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "column.so")
        command = ["cc", "-O2", "-shared", "-fPIC", f"-I{ROOT}/include", "-xc", "-", "-xnone"]
        subprocess.run([*command, archive, "-o", file], input=SOURCE, text=True, check=True)
        functions = ctypes.CDLL(file)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    integer = ctypes.c_uint64
    functions.column.argtypes = [ctypes.c_char_p, pointer, integer, pointer, size, pointer, size]
    functions.chain.argtypes = [ctypes.c_long]
    return functions


def lengths_of(rows):
    """Returns the columns: their names, and the length of each value."""
    random = numpy.random.default_rng(1)
    yield "50", numpy.full(rows, 50)
    yield "0 to 100", random.integers(0, 101, rows)
    yield "4096", numpy.full(max(rows * 50 // 4096, 1), 4096)


def gigahertz(functions):
    start = time.thread_time()
    functions.chain(CHAIN)
    return CHAIN / (time.thread_time() - start) / 1e9


def measure(functions, algorithm, lengths, noise):
    """Measures CPU nanoseconds of a value and the clock, for each round."""
    offsets = numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(numpy.int64)
    digests = numpy.ones(len(lengths) * DIGEST_BYTES, numpy.uint8)
    data, size = noise.ctypes.data, int(offsets[-1])
    arguments = (algorithm.encode(), data, size, offsets.ctypes.data, len(lengths))
    for _ in range(ROUNDS):
        before = gigahertz(functions)
        start = time.thread_time()
        if functions.column(*arguments, digests.ctypes.data, DIGEST_BYTES) != 0:
            raise RuntimeError("fin_hash_column failed")
        taken = time.thread_time() - start
        yield taken / len(lengths) * 1e9, (before + gigahertz(functions)) / 2


def print_rows(archive, rows):
    functions = library(archive)
    which = "without AVX-512" if os.environ.get("FINALIST_CPU") else "as selected"
    noise = numpy.frombuffer(os.urandom(rows * 51), numpy.uint8)
    for text, lengths in lengths_of(rows):
        for algorithm in ALGORITHMS:
            found = list(measure(functions, algorithm, lengths, noise))
            ns = statistics.median(taken for taken, _ in found)
            cycles = statistics.median(taken * clock for taken, clock in found)
            speed = lengths.mean() / ns
            cells = f"{algorithm} | {text} | {which} | {ns:.1f} | {cycles:.0f} | {speed:.2f}"
            print(f"| {cells} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive")
    parser.add_argument("rows", nargs="?", type=int, default=10_000_000)
    arguments = parser.parse_args()
    if os.environ.get("FINALIST_CPU"):
        print_rows(arguments.archive, arguments.rows)
        return
    print("| | bytes | | ns a value | cycles | GB/s |\n|---|---|---|---:|---:|---:|")
    print_rows(arguments.archive, arguments.rows)
    command = [sys.executable, "-P", __file__, arguments.archive, str(arguments.rows)]
    hidden = os.environ | {"FINALIST_CPU": "-avx512"}
    subprocess.run(command, env=hidden, check=True)


if __name__ == "__main__":
    main()
