#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks how many instructions a message in one call takes beside its compression. Linux on x86-64.

    tools/check_instructions.py [--print] [--self-test] TEST_STEPS

A short message costs what is done around its blocks: checks, initial value, padding, digest,
wiping. Follows fin_hash step by step through TEST_STEPS (tests/secrets/steps.c, linked statically)
and leaves out what it calls by a pointer, which are the selected kernels: so the counts depend on
compiler and flags, not on the CPU. Ends with 1 if a count exceeds LIMITS, or lies so far below that
the limit should follow; with 77 if no process may be followed here.
"""

import argparse
import re
import sys

from check_forwarding import SKIPPED, Checker

# The most instructions by bytes of the message, gcc 12 at the release flags; MARGIN below is fine.
MARGIN = 8
LENGTHS = [1, 64, 100, 128, 256, 500]
LIMITS = {
    "blake256": [180, 131, 194, 148, 148, 195],
    "blake512": [220, 210, 222, 181, 197, 268],
    "blake2s": [128, 82, 137, 96, 96, 138],
    "blake2b": [146, 129, 151, 92, 106, 166],
    "groestl256": [155, 137, 160, 150, 150, 161],
    "groestl512": [182, 175, 187, 200, 216, 208],
}
CALL_BY_POINTER = re.compile(r"^call +\*")


def count_outside(checker, steps):
    """Instructions from fin_hash on that are not of a function called by a pointer."""
    count, back, begun = 0, None, False
    for words in steps:
        at = words[0]
        if back is not None and at != back:
            continue
        back = None
        instruction = checker.instruction(at)
        begun |= instruction.function == "fin_hash"
        if not begun or instruction.function == "run":
            continue
        count += 1
        if CALL_BY_POINTER.match(instruction.text):
            back = min(line for line in range(at + 1, at + 16) if line in checker.lines)
    return count


def check(checker, limits, margin, write):
    """Prints counts that break a limit, and how many were taken. None if nothing ran."""
    wrong = 0
    for function, numbers in limits.items():
        counts = []
        for length in LENGTHS:
            steps = checker.steps(function, "plain", str(length))
            if steps is None:
                return None
            counts.append(count_outside(checker, steps))
        if write:
            print(f'    "{function}": {counts},')
        for length, count, limit in zip(LENGTHS, counts, numbers, strict=True):
            if count > limit or count < limit - margin:
                print(f"{function}, {length} bytes: {count} instructions, {limit} in LIMITS")
                wrong += 1
    print(f"{len(limits) * len(LENGTHS)} counts, {wrong} differ from LIMITS")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--objdump", default="objdump")
    parser.add_argument("--print", action="store_true", help="print the counts as LIMITS has them")
    parser.add_argument("--self-test", action="store_true", help="limits one too small are seen")
    parser.add_argument("program", metavar="TEST_STEPS")
    options = parser.parse_args()
    checker = Checker(options.objdump, options.program)
    limits = LIMITS
    if options.self_test:
        limits = {name: [limit - MARGIN - 1 for limit in limits] for name, limits in LIMITS.items()}
    wrong = check(checker, limits, MARGIN, options.print)
    if wrong is None:
        print("not checked: no process may be followed here")
        return SKIPPED
    if options.self_test:
        return 0 if wrong == len(LIMITS) * len(LENGTHS) else 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
