#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks the number of instructions outside compression for a message in one call. Linux on x86-64.

    tools/check_instructions.py [--print] [--self-test] TEST_STEPS

The cost of a short message lies outside its blocks: checks, initial value, padding, digest, wiping.
Traces fin_hash through TEST_STEPS (tests/secrets/steps.c, linked statically) and leaves out
functions called through a pointer, which are the selected kernels: so the counts depend on compiler
and flags, not on the CPU. Ends with 1 if a count exceeds LIMITS, or is so far below that the limit
should be lowered; with 77 if the process may not be traced here.
"""

import argparse
import re
import sys

from check_forwarding import SKIPPED, Checker

# The most instructions by message length, for gcc 12 at release flags; up to MARGIN fewer pass.
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
    """Counts the instructions from fin_hash on, without functions called through a pointer."""
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
    """Prints counts outside their limits, and the number of counts. None if nothing could be
    traced."""
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
    parser.add_argument("--print", action="store_true", help="print the counts like LIMITS")
    parser.add_argument("--self-test", action="store_true", help="show that low limits are found")
    parser.add_argument("program", metavar="TEST_STEPS")
    options = parser.parse_args()
    checker = Checker(options.objdump, options.program)
    limits = LIMITS
    if options.self_test:
        limits = {name: [limit - MARGIN - 1 for limit in limits] for name, limits in LIMITS.items()}
    wrong = check(checker, limits, MARGIN, options.print)
    if wrong is None:
        print("not checked: no process may be traced here")
        return SKIPPED
    if options.self_test:
        return 0 if wrong == len(LIMITS) * len(LENGTHS) else 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
