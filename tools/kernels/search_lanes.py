#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Searches for the orders of operations in orders/lanes_*.txt, on the machine that it runs on.

    tools/kernels/search_lanes.py VARIANT STREAMS zmm|ymm|avx2 SECONDS [--natural] [--seed SEED]
        [--run COMMAND]

Assembles each operation of each round separately (core/asm/blake_lanes_x86_64_operations.inc) for
search_lanes.c, which joins them in one order after the other and times the results. Starts from the
existing order, or from the natural one. tools/gen.py then writes the order into the kernel.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from kernels import lanes  # noqa: E402
from kernels.rounds import VARIANTS  # noqa: E402


def use(step: lanes.Step, kernel: lanes.Kernel) -> int:
    """Returns what an operation does to the scratch register: 0 nothing, 1 uses it, 2 makes one by
    storing its word, 3 ends it by loading that word."""
    if step.macro in ("V_PARK", "V_UNPARK"):
        return 2 if step.macro == "V_PARK" else 3
    return int(kernel.instructions_of(step) == 3)


def table(kernel: lanes.Kernel) -> str:
    """Returns the assembly of all operations, round by round and for each scratch register, with
    the offset of each one's code and the registers that it changes and reads; and of the
    transposition beside them, word by word."""
    variant = kernel.variant
    steps = kernel.operations
    in_16 = kernel.registers == "avx2"
    scratches = (8, 9) if in_16 else (0,)
    words = 16 * kernel.streams * kernel.vector_bytes // (variant.word_bits // 8)
    lines = [
        f"#define FIN_VARIANT {variant.name.upper()}", f"#define FIN_STREAMS {kernel.streams}",
        f"#define FIN_VECTOR_BYTES {kernel.vector_bytes}",
        f"#define FIN_REGISTERS {16 if in_16 else 32}",
        # The code is copied, so addresses may not depend on its place. Values do not matter.
        "#define CONTROL(n) 256+FIN_VECTOR_BYTES*n(%r15)",
        f"#define FIN_BLOCK_ROUNDS {variant.rounds}", ".macro INTERLEAVED", ".endm",
        '#include "asm/blake_lanes_x86_64_operations.inc"', ".data",
        ".globl rounds, steps, words, fetches, parked, registers, places, word_places, code",
        f"rounds: .long {variant.rounds}", f"steps: .long {len(steps)}", f"words: .long {words}",
        f"fetches: .long {int(variant.family == 'blake3')}", f"parked: .long {8 if in_16 else -1}",
        "registers:",
        *(f".byte {step.target}, {step.source}, {use(step, kernel)}" for step in steps),
        ".balign 4", "places:",
        *(f".long L{i} - code" for i in range(len(scratches) * variant.rounds * len(steps) + 1)),
        "word_places:",
        *(f".long W{i} - code" for i in range(words + 1)), "code:",
    ]
    label = 0
    for scratch in scratches:
        for r in range(variant.rounds):
            lines += [f".set round, {r}", "SET_WORDS words_0, round"]
            for step in steps:
                operands = ", ".join(map(str, (0, *step.operands)))
                lines += [f".set scratch, {scratch}", f"L{label}:", f"{step.macro} {operands}"]
                label += 1
    lines += [f"L{label}:", ".set loaded, 0"]
    for i in range(words):
        lines += [f"W{i}:", "TRANSPOSE_WORD"]
    lines += ["STORE_LAST", f"W{words}:", '.section .note.GNU-stack, "", @progbits']
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", choices=list(VARIANTS))
    parser.add_argument("streams", type=int, choices=(1, 2))
    parser.add_argument("registers", choices=("zmm", "ymm", "avx2"))
    parser.add_argument("seconds", type=float)
    parser.add_argument("--natural", action="store_true", help="start from the natural order")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--run", default="", help="runs the candidates: \"taskset -c 1\"")
    options = parser.parse_args()
    kernel = lanes.Kernel(VARIANTS[options.variant], options.streams, options.registers)
    start = kernel.natural_order() if options.natural else kernel.order()
    order = "".join(f"{index} {ahead}\n" for index, ahead in start)
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "table.S", Path(folder) / "search_lanes"
        source.write_text(table(kernel))
        folders = ["-I", str(ROOT / "core"), "-I", str(ROOT / "include")]
        subprocess.run(["cc", "-O2", "-mno-red-zone", *folders, "-o", str(program),
                        str(Path(__file__).with_suffix(".c")), str(source)], check=True)
        command = [*options.run.split(), str(program), str(options.seconds), str(options.seed)]
        found = subprocess.run(command, input=order, check=True, stdout=subprocess.PIPE,
                               text=True).stdout
    kernel.path.write_text(found)


if __name__ == "__main__":
    main()
