#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures whether a short message's time depends on where the linker places the library's code.

    tools/shuffled_links.py [--links N] [--algorithm NAME] [--bytes N] [--cc CC] LIBRARY.a

Links a program with the library's objects in N (10) random orders and prints the cycles for a
message of N (1) bytes of an algorithm (BLAKE2B) in each: the best of seven runs, each the lower
quartile of batches of 64 calls to fin_hash, timed against a chain of dependent additions. The links
run alternately. x86-64.
"""

import argparse
import random
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 7
PROGRAM = r"""
#include <finalist.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

enum { BATCHES = 301, CALLS = 64, ADDITIONS = 1600 };
static uint8_t message[4096], digest[64];

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static double cycles[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        const unsigned long long before = __rdtsc();
        for (int k = 0; k < ADDITIONS / 16; k++) {
            __asm__ volatile(".rept 16\nadd %%rcx, %%rax\n.endr" : : : "rax", "rcx");
        }
        const unsigned long long between = __rdtsc();
        for (int k = 0; k < CALLS; k++) {
            (void)fin_hash(FIN_ALGORITHM, NULL, message, BYTES, digest, sizeof digest);
        }
        cycles[i] = (double)(__rdtsc() - between) * ADDITIONS / (double)(between - before) / CALLS;
    }
    qsort(cycles, BATCHES, sizeof cycles[0], compare);
    printf("%f\n", cycles[BATCHES / 4]);
    return 0;
}
"""


def link(options, folder, objects, number):
    """Links a program with the objects in a random order."""
    order = list(objects)
    random.Random(number).shuffle(order)
    program = folder / f"link{number}"
    command = [
        options.cc, "-O2", f"-DFIN_ALGORITHM=FIN_{options.algorithm}", f"-DBYTES={options.bytes}",
        f"-I{ROOT / 'include'}", str(folder / "program.c"), *map(str, order), "-o", str(program),
    ]
    subprocess.run(command, check=True)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--links", type=int, default=10)
    parser.add_argument("--algorithm", default="BLAKE2B")
    parser.add_argument("--bytes", type=int, default=1)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("library", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.c").write_text(PROGRAM, encoding="utf-8")
        subprocess.run(["ar", "x", options.library.resolve()], cwd=folder, check=True)
        objects = sorted(folder.glob("*.o"))
        programs = [link(options, folder, objects, number) for number in range(options.links)]
        best = [float("inf")] * options.links
        for _ in range(ROUNDS):
            for number, program in enumerate(programs):
                printed = subprocess.run([program], check=True, capture_output=True, text=True)
                best[number] = min(best[number], float(printed.stdout))
    print(" ".join(f"{cycles:.0f}" for cycles in best))
    spread = 100 * (max(best) / min(best) - 1)
    print(f"cycles a message; slowest link {spread:.1f} per cent over the fastest")


if __name__ == "__main__":
    main()
