#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks that the stack erased after keyed calls covers the kernels' frames.

    tools/check_frames.py [--objdump OBJDUMP] [--share PERCENT] OBJECT...

Disassembles the units (x86, C and assembly) and adds up the stack that each function of BLAKE2
allocates: pushes, subtractions, alignment. Kernels of one message may use PERCENT (75) of
FIN_STACK_MESSAGE_BYTES of core/message/message.h, kernels of lanes as much of
FIN_STACK_LANES_BYTES; the rest is left to their callers. Names the largest frames. Ends with 1 if
one is too large, or if there is none.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

MESSAGE_H = Path(__file__).resolve().parent.parent / "core" / "message" / "message.h"
SIZES = re.compile(r"FIN_STACK_MESSAGE_BYTES = UINTPTR_MAX > UINT32_MAX \? (\d+) : (\d+),")
UNIT = re.compile(r"core/(unit|asm)/(blake_\w+)\.(c|S)\.o")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
# Subtracting a negative number frees stack.
SUBTRACTED = re.compile(r"\bsub[lq]?\s+\$0x(?!f{5})([0-9a-f]+),%[re]sp")
ADDED = re.compile(r"\badd[lq]?\s+\$0x(f{5,}[0-9a-f]+),%[re]sp")
ALIGNED = re.compile(r"\band[lq]?\s+\$0xf+([0-9a-f]{2}),%[re]sp")
PUSHED = re.compile(r"\bpush[lq]?\s")


def frame_of(line, word):
    """Returns the stack bytes that one instruction allocates."""
    if match := SUBTRACTED.search(line):
        return int(match[1], 16)
    if match := ADDED.search(line):
        return (1 << 4 * len(match[1])) - int(match[1], 16)
    if match := ALIGNED.search(line):
        return 0x100 - int(match[1], 16)
    return word if PUSHED.search(line) else 0


def frames_of(objdump, path):
    """Returns (function, bytes) for the functions of BLAKE2, and whether the object is 64-bit."""
    command = [objdump, "-d", "--no-show-raw-insn", path]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    wide = "x86-64" in text
    frames, function = {}, None
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            function = match[1]
        elif function is not None and re.search("blake(2[bs]|3)", function):
            frames[function] = frames.get(function, 0) + frame_of(line, 8 if wide else 4)
    return frames, wide


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--objdump", default="objdump")
    parser.add_argument("--share", type=int, default=75, metavar="PERCENT")
    parser.add_argument("objects", nargs="+")
    options = parser.parse_args()
    wide_bytes, narrow_bytes = map(int, SIZES.search(MESSAGE_H.read_text()).groups())
    largest = {}
    wrong = 0
    for path in options.objects:
        unit = UNIT.search(path)
        if unit is None:
            continue
        frames, wide = frames_of(options.objdump, path)
        kind = "lanes" if "lanes" in unit[2] else "one message"
        erased = (wide_bytes if wide else narrow_bytes) * (2 if kind == "lanes" else 1)
        for function, size in frames.items():
            largest[kind] = max(largest.get(kind, (0, "")), (size, f"{unit[2]}: {function}"))
            if 100 * size > options.share * erased:
                print(f"{unit[2]}: {function} takes {size} bytes, {erased} are erased",
                      file=sys.stderr)
                wrong += 1
    for kind, (size, name) in sorted(largest.items()):
        print(f"{kind}: {size} bytes at most ({name})")
    if wrong or not largest:
        sys.exit(f"check_frames: {wrong} frames are too large" if wrong else "no kernel of BLAKE2")


if __name__ == "__main__":
    main()
