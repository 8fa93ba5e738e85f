# SPDX-License-Identifier: MIT OR Apache-2.0
"""Schedules vector instructions: sorts them by their cycles, then assigns registers.

    program = Program(Width("x", 32), free=range(16))
    x = program.add(0.0, "vpaddd {0}, {1}, {d}", 30, 31, remark="a sum of registers 30 and 31")
    y = program.add(1.0, "vpsrld $7, {0}, {d}", x)
    for text, remark in program.lines(): ...

An instruction comes before those with greater cycles, unless it needs their results. {0}, {1} ..
are the sources: results of other instructions or fixed registers; {d} is the result. {0:z} is all
512 bits of it. A result gets a register when it is made and frees it after its last use; free
registers are used in turn.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

LATER = 1e-7  # the least distance of an instruction from one it depends on
# Instructions with another name if a register is above 15.
WITH_EVEX = {"vpxor": "vpxord", "vmovdqa": "vmovdqa64", "vmovdqu": "vmovdqu64"}


@dataclass(eq=False)
class Instruction:
    cycle: float
    text: str
    sources: tuple["Instruction | int", ...]
    has_result: bool
    reuses: int | None  # the source whose register the result takes
    after: list["Instruction"]
    remark: str
    register: int = field(default=-1)

    @property
    def values(self) -> list["Instruction"]:
        return [each for each in self.sources if isinstance(each, Instruction)]


class Register:
    """A vector register as an operand: {0} in the program's width, {0:z} in 512 bits."""

    def __init__(self, number: int, width: str) -> None:
        self.number, self.width = number, width

    def __format__(self, width: str) -> str:
        return f"%{width or self.width}mm{self.number}"


class Program:
    def __init__(self, width: str, free: Iterable[int]) -> None:
        self.width, self.free = width, list(free)
        self.instructions: list[Instruction] = []

    def add(self, cycle: float, text: str, *sources: Instruction | int, result: bool = True,
            reuses: int | None = None, after: Sequence[Instruction] = (),
            remark: str = "") -> Instruction:
        made = Instruction(cycle, text, sources, result, reuses, list(after), remark)
        self.instructions.append(made)
        return made

    def readers(self, source: Instruction | int) -> list[Instruction]:
        return [each for each in self.instructions if source in each.sources]

    def sorted(self) -> list[Instruction]:
        for each in self.instructions:
            for before in each.values + each.after:
                each.cycle = max(each.cycle, before.cycle + LATER)
        return sorted(self.instructions, key=lambda each: each.cycle)

    def lines(self) -> list[tuple[float, str, str]]:
        """Returns the cycle, text and remark of each instruction in order."""
        ordered = self.sorted()
        last_use = {value: each for each in ordered for value in each.values}
        free, lines = list(self.free), []
        for each in ordered:
            freed = [value.register for value in dict.fromkeys(each.values)
                     if last_use[value] is each]
            if each.reuses is not None:
                each.register = each.sources[each.reuses].register
                freed.remove(each.register)
            free += freed
            if each.has_result and each.reuses is None:
                each.register = free.pop(0)
            if each.has_result and each not in last_use:
                free.append(each.register)
            lines.append((each.cycle, self.text_of(each), each.remark))
        return lines

    def text_of(self, each: Instruction) -> str:
        numbers = [source if isinstance(source, int) else source.register
                   for source in each.sources]
        names = [Register(number, self.width) for number in numbers]
        text = each.text.format(*names, d=Register(each.register, self.width))
        mnemonic, _, operands = text.partition(" ")
        if max([each.register, *numbers], default=0) > 15:
            mnemonic = WITH_EVEX.get(mnemonic, mnemonic)
        return f"{mnemonic} {operands}".rstrip()
