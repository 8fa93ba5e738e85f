# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes core/asm/blake_lanes_x86_64_orders.inc: for every kernel of lanes in 32 registers, the
operations of a round in the order in which they run.
An order has a line for each operation of a round: its index in operations(), and by how many rounds
it is ahead of the others. search_lanes.py found the orders in
orders/lanes_FUNCTION_STREAMS_REGISTERS.txt.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from kernels.rounds import COLUMNS, DIAGONALS, VARIANTS, Operation, Variant, g

ORDERS = Path(__file__).resolve().parent / "orders"
STREAM = 16  # words of state
# The word of two streams of BLAKE that is kept in memory, so that sums of message words and
# constants can have its register: v_11 of the second stream.
PARKED = 16 + 11


@dataclass(frozen=True)
class Step:
    """An operation on registers: a macro of core/asm/blake_lanes_x86_64_operations.inc with its
    operands. It changes target and reads source; -1 means none."""

    macro: str
    operands: tuple[int, ...]
    target: int
    source: int = -1


def steps_of(operation: Operation, variant: Variant, streams: int) -> list[Step]:
    """Makes an operation of G on v_0 .. v_15, or on v_16 .. v_31 for the second stream."""
    target, number = operation.target, operation.number
    assert isinstance(target, int)
    if operation.kind == "rotate":
        return [Step("V_ROTATE", (number + 1, target), target)]
    if operation.kind != "word":
        source = operation.source
        assert isinstance(source, int)
        parked = variant.has_constants and streams == 2 and target == PARKED
        macro = "V_ADD_PARKED" if parked else f"V_{operation.kind.upper()}"
        return [Step(macro, (source, target), target, source)]
    if not variant.has_constants:
        return [Step("V_WORD", (number, target), target)]
    sum_in = PARKED if streams == 2 else STREAM + number
    return [
        Step("V_LOAD", (number, sum_in, target // STREAM), sum_in),
        Step("V_CONSTANT", (number, sum_in, target // STREAM), sum_in),
        Step("V_ADD_SUM", (number, sum_in, target), target, sum_in),
    ]


def ahead_of_word(steps: list[list[Step]]) -> list[list[Step]]:
    """Rearranges G for one stream, which has a register for every sum of a word and a constant: the
    second one of each G is made between the operations before it."""
    (load, constant, add), second = steps[0], steps[7]
    return [
        [load], [constant], [add], *steps[1:4], [second[0]], [second[1]], *steps[4:7], [second[2]],
        *steps[8:],
    ]


def operations(variant: Variant, streams: int) -> list[Step]:
    """Returns a round in its natural order: columns, then diagonals, all streams in lockstep."""
    found = []
    for half, places in enumerate((COLUMNS, DIAGONALS)):
        lists = []
        for stream in range(streams):
            for i, place in enumerate(places):
                a, b, c, d = (STREAM * stream + word for word in place)
                x = 8 * half + 2 * i
                steps = [steps_of(each, variant, streams) for each in g(a, b, c, d, x, x + 1)]
                if variant.has_constants and streams == 1:
                    steps = ahead_of_word(steps)
                lists.append(steps)
        found += [step for level in zip(*lists, strict=True) for steps in level for step in steps]
    return found


@dataclass(frozen=True)
class Kernel:
    """A function of core/asm/blake_lanes_x86_64_blocks.inc."""

    variant: Variant
    streams: int
    registers: str  # "zmm" or "ymm"

    @property
    def vector_bytes(self) -> int:
        return {"zmm": 64, "ymm": 32}[self.registers]

    @property
    def path(self) -> Path:
        """The file of its own order."""
        return ORDERS / f"lanes_{self.variant.name}_{self.streams}_{self.registers}.txt"

    def order(self) -> list[tuple[int, int]]:
        """Returns (operation, rounds ahead); the natural order if there is no file. BLAKE3 shares
        BLAKE2s's if it has none of its own: their G is the same."""
        if self.path.exists():
            lines = [line.split() for line in self.path.read_text().splitlines()]
            return [(int(index), int(ahead)) for index, ahead in lines]
        if self.variant.family == "blake3":
            return replace(self, variant=VARIANTS["blake2s"]).order()
        return self.natural_order()

    def natural_order(self) -> list[tuple[int, int]]:
        return [(index, 0) for index in range(len(operations(self.variant, self.streams)))]


def instructions(variant: Variant, streams: int) -> int:
    """Returns the number of vector instructions in a block's rounds, which interleave with a
    transpose."""
    fresh = again = kept = 0
    for step in operations(variant, streams):
        fresh += 2 if step.macro == "V_ADD_PARKED" else 1
        again += {"V_ADD_PARKED": 2, "V_LOAD": 0, "V_CONSTANT": 0}.get(step.macro, 1)
        kept += step.macro == "V_CONSTANT"
    repeated = max(0, variant.rounds - len(variant.schedule))
    return (variant.rounds - repeated) * fresh + repeated * (again + kept)


def macro_lines(kernel: Kernel) -> Iterator[str]:
    order = kernel.order()
    least = min(ahead for _, ahead in order)
    steps = operations(kernel.variant, kernel.streams)
    suffix = f"{kernel.variant.name.upper()}_{kernel.streams}_{kernel.registers}"
    yield f"#define ROUNDS_AHEAD_{suffix} {max(ahead for _, ahead in order) - least}"
    yield f"#define INSTRUCTIONS_{suffix} {instructions(kernel.variant, kernel.streams)}"
    yield f".macro ROUND_{suffix}"
    for index, ahead in order:
        step = steps[index]
        yield f"        {step.macro:<12} {', '.join(map(str, (ahead - least, *step.operands)))}"
    yield ".endm"


HEAD = """/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Written by tools/kernels/lanes.py: do not edit.
 *
 * A round of each kernel of asm/blake_lanes_x86_64_blocks.inc, made of the operations in
 * asm/blake_lanes_x86_64_operations.inc. The first operand is by how many rounds an operation is
 * ahead of the current one; words of the second stream are 16 to 31. INSTRUCTIONS is the number of
 * vector instructions in all rounds of a block.
 */
"""
KERNELS = [Kernel(VARIANTS[name], streams, registers)
           for name in ("blake256", "blake512", "blake2b", "blake2s", "blake3")
           for streams, registers in ((2, "zmm"), (1, "zmm"), (2, "ymm"))
           if registers == "zmm" or not VARIANTS[name].has_constants]


def orders_inc() -> str:
    return HEAD + "".join("\n" + "\n".join(macro_lines(kernel)) + "\n" for kernel in KERNELS)


FILES = {"blake_lanes_x86_64_orders.inc": orders_inc}
