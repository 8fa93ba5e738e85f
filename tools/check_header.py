#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compiles the public header in every standard of C from C99 and of C++ from C++98.

    tools/check_header.py COMPILER...
    tools/check_header.py --self-test COMPILER...

Compiles the header alone, and a program that uses each of its constants; all warnings are errors.
Skips standards that a compiler does not know yet, and compilers that are not installed.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

HEADER = Path(__file__).resolve().parent.parent / "include" / "finalist.h"
STANDARDS = {
    "c": ["c99", "c11", "c17", "c2x"],
    "c++": ["c++98", "c++03", "c++11", "c++14", "c++17", "c++20", "c++23", "c++26"],
}
# Every compiler that can build the library knows the other standards.
MAY_BE_UNKNOWN = {"c++23", "c++26"}
FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wundef", "-Wshadow", "-Werror", "-fsyntax-only"]

# Lines that the self-test adds to the header, each with a standard that must reject it.
FAULTS = [
    ("typedef struct fin_fault { int requires; } fin_fault;", "c++20"),
    ("typedef struct fin_fault { int class; } fin_fault;", "c++98"),
    ("static const fin_tree_mode fin_fault = {.fanout = 1};", "c++98"),
    ("enum fin_fault { FIN_FAULT = 1, };", "c++98"),
    ("typedef struct fin_fault { _Alignas(64) int x; } fin_fault;", "c99"),
    ("#define FIN_FAULT UINT128_MAX", "c17"),
    ("typedef struct fin_fault { nullptr_t x; } fin_fault;", "c11"),
]


def compiles(compiler, language, standard, text):
    """Compiles the text; returns success and the compiler's messages."""
    command = [compiler, f"-std={standard}", *FLAGS, "-x", language, "-"]
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    return result.returncode == 0, result.stderr


def program_that_uses(header):
    """Returns the header with a function that uses each constant as a value and makes a call."""
    constants = re.findall(r"^#define (FIN_\w+) \S", header, re.MULTILINE)
    lines = [f"    sum += (uint64_t){name};" for name in constants if name != "FIN_API"]
    return "\n".join(
        [
            header,
            "extern uint64_t use(uint8_t *digest);",
            "uint64_t use(uint8_t *digest)",
            "{",
            "    uint64_t sum = (uint64_t)fin_hash(FIN_BLAKE2B, 0, 0, 0, digest, 64);",
            *lines,
            "    return sum;",
            "}",
            "",
        ]
    )


def problems(compiler, header, wanted=None):
    """Returns each standard in which the header does not compile, with the compiler's message."""
    found = []
    for language, standards in STANDARDS.items():
        for standard in standards:
            if wanted is not None and standard != wanted:
                continue
            known, _ = compiles(compiler, language, standard, "extern int known;\n")
            if not known:
                if standard not in MAY_BE_UNKNOWN:
                    found.append((standard, "the compiler does not know this standard"))
                continue
            for text in (header, program_that_uses(header)):
                good, message = compiles(compiler, language, standard, text)
                if not good:
                    found.append((standard, message))
                    break
    return found


def check(compilers, header):
    failed = False
    for compiler in compilers:
        for standard, message in problems(compiler, header):
            failed = True
            print(f"{compiler} -std={standard}: {message}")
    return failed


def self_test(compilers, header):
    missed = 0
    for compiler in compilers:
        for fault, standard in FAULTS:
            marker = "#ifdef __cplusplus\n}"
            planted = header.replace(marker, f"{fault}\n{marker}", 1)
            if planted == header or not problems(compiler, planted, standard):
                print(f"{compiler} -std={standard}: not seen: {fault}")
                missed += 1
    print(f"{len(FAULTS) * len(compilers)} faults planted, {missed} missed")
    return missed != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("compilers", nargs="+")
    arguments = parser.parse_args()
    compilers = [name for name in dict.fromkeys(arguments.compilers) if shutil.which(name)]
    if not compilers:
        sys.exit("none of these compilers is installed")
    action = self_test if arguments.self_test else check
    sys.exit(action(compilers, HEADER.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
