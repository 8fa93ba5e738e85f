# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes core/asm/blake_lanes_x86_64_orders.inc: for every kernel of lanes, the operations of a
round in the order in which they run.

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
MEMORY = 32  # the number of the word in memory, among registers
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
    """Makes an operation of G on v_0 .. v_15, or on v_16 .. v_31 for the second stream, in 32
    registers."""
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


def half_of_g(steps: list[list[Step]], unpark: bool, park: bool) -> list[Step]:
    """Returns half of G on four columns or diagonals in 16 registers. Shifts and sums need a
    scratch register, so one word of row c is in memory: the last G's until this half adds to it, if
    unpark, and the first G's from this half's addition to it on, if park."""
    word, add_b, xor_a, turn_d, add_d, xor_c, turn_b = zip(*steps, strict=True)
    if unpark:
        last = add_d[3]
        add_d = (*add_d[:3], Step("V_UNPARK", last.operands, last.target, last.source))
    parked = add_d[0].target
    return [
        *word, *add_b, xor_a[0], xor_a[1], turn_d[0], xor_a[2], turn_d[1], xor_a[3], turn_d[2],
        add_d[0], turn_d[3], *add_d[1:], xor_c[0],
        *([Step("V_PARK", (parked,), MEMORY, parked)] if park else []),
        xor_c[1], turn_b[0], xor_c[2], turn_b[1], xor_c[3], turn_b[2], turn_b[3],
    ]


def operations_in_16(variant: Variant) -> list[Step]:
    """Returns a round in 16 registers. v_8 is in memory before and after it; v_9 in the middle of
    G, unless only the second half has shifts or sums."""
    all_halves = variant.has_constants or variant.rotations[1] % 8 != 0
    word = "V_SUM" if variant.has_constants else "V_WORD"

    def step_of(each: Operation) -> Step:
        assert isinstance(each.target, int)
        if each.kind == "word":
            return Step(word, (each.number, each.target), each.target)
        return steps_of(each, variant, 1)[0]

    found = []
    for half, places in enumerate((COLUMNS, DIAGONALS)):
        by_c = {}
        for i, (a, b, c, d) in enumerate(places):
            x = 8 * half + 2 * i
            by_c[c] = [step_of(each) for each in g(a, b, c, d, x, x + 1)]
        for first, order in ((True, (9, 10, 11, 8)), (False, (8, 10, 11, 9))):
            steps = [by_c[c][:7] if first else by_c[c][7:] for c in order]
            found += half_of_g(steps, first or all_halves, not first or all_halves)
    return found


@dataclass(frozen=True)
class Kernel:
    """A function of core/asm/blake_lanes_x86_64_blocks.inc."""

    variant: Variant
    streams: int
    registers: str  # "zmm" or "ymm", 32 of them, or "avx2": 16 ymm

    @property
    def vector_bytes(self) -> int:
        return 64 if self.registers == "zmm" else 32

    @property
    def operations(self) -> list[Step]:
        """A round's operations in their natural order."""
        if self.registers == "avx2":
            return operations_in_16(self.variant)
        return operations(self.variant, self.streams)

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
        return [(index, 0) for index in range(len(self.operations))]

    def instructions_of(self, step: Step) -> int:
        """Returns the number of vector instructions of an operation in one of the first rounds."""
        if step.macro == "V_ROTATE" and self.registers == "avx2":
            return 3 if self.variant.rotations[step.operands[0] - 1] % 8 != 0 else 1
        return {"V_ADD_PARKED": 2, "V_SUM": 3}.get(step.macro, 1)

    def instructions(self) -> int:
        """Returns the number of vector instructions in a block's rounds, which interleave with a
        transpose."""
        fresh = again = kept = 0
        for step in self.operations:
            count = self.instructions_of(step)
            fresh += count
            again += {"V_LOAD": 0, "V_CONSTANT": 0, "V_SUM": 1}.get(step.macro, count)
            kept += step.macro in ("V_CONSTANT", "V_SUM")
        rounds = self.variant.rounds
        repeated = max(0, rounds - len(self.variant.schedule))
        return (rounds - repeated) * fresh + repeated * (again + kept)


def macro_lines(kernel: Kernel) -> Iterator[str]:
    order = kernel.order()
    least = min(ahead for _, ahead in order)
    steps = kernel.operations
    suffix = f"{kernel.variant.name.upper()}_{kernel.streams}_{kernel.registers}"
    yield f"#define ROUNDS_AHEAD_{suffix} {max(ahead for _, ahead in order) - least}"
    yield f"#define INSTRUCTIONS_{suffix} {kernel.instructions()}"
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
           for streams, registers in ((2, "zmm"), (1, "zmm"), (2, "ymm"), (1, "avx2"))
           if registers != "ymm" or not VARIANTS[name].has_constants]


def orders_inc() -> str:
    return HEAD + "".join("\n" + "\n".join(macro_lines(kernel)) + "\n" for kernel in KERNELS)


FILES = {"blake_lanes_x86_64_orders.inc": orders_inc}
