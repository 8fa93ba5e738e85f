# SPDX-License-Identifier: MIT OR Apache-2.0
"""Kernels of one message in four rows of AVX-512VL, for cores on which a vector rotation takes two
cycles, but a shift and vpternlog one each (Zen 4): core/asm/blake_avx512_ternlog.S. row_rounds.py
has the idea and the instructions of a block, orders/ the order in which they stand.
"""

from .assembly import INDENT, Assembly
from .rounds import VARIANTS, Variant, row_constants, row_words
from .row_orders import Order, read_order
from .row_rounds import (
    COUNTER,
    H0,
    H1,
    HIGH,
    INCREMENT,
    LOOP_ROWS,
    LOW,
    ROUND,
    SALT,
    SCHEDULE,
    SWAP,
    C,
    D,
    Rows,
)

UNIT = "blake_avx512_ternlog"

ABOUT_FILE = """\
BLAKE and BLAKE2 of one message in rows: rotations of late operands are taken apart by vpternlog,
message words are operands in memory. tools/kernels/row_rounds.py explains it.

Beside an instruction are its round and what it does; x and y are the words that G adds. Words of
later rounds are made from the first round on."""

ABOUT = """\
state->h = F(state->h, block, state->t + (k + 1) * increment, ...) for the blocks k = 0, 1, ...

  void {name}(fin_state *state (rdi), const uint8_t *in (rsi), size_t blocks (rdx),
  {pad}      size_t stride (rcx), uint32_t increment (r8d))

System V ABI. in needs no alignment; in and state do not overlap. Any number of blocks and
rounds, 0 included: {rounds} rounds in line, other numbers in a loop of one round. Branches and
addresses depend on the arguments, state->t and state->rounds alone.

"""

REGISTERS = """\
  %rdi    state                       %rsi    the next block
  %rdx    blocks after this one       %rcx    stride
  %r8     increment                   %rax    the counter's low word
  %r9     what is read in place of a next block behind the last one
  %rsp    the words of rounds 0 to 9; in the last round the next block's take the first place
  {0}22   BLAKE: salt                 {0}23   what a block adds to the counter
  {0}24   counter and flags           {0}25   h4 .. h7
  {0}26   h0 .. h3                    {0}27   v12 .. v15 without counter
  {0}28   v8 .. v11 at the start      zmm29   BLAKE: the order that reverses a word's bytes
  zmm30   the block's first 64 bytes  zmm31   of 64-bit words: its other 64
  others  the state and its parts"""


class Kernel:
    """The text of one compression function."""

    def __init__(self, asm: Assembly, variant: Variant, order: Order) -> None:
        self.asm, self.variant, self.order = asm, variant, order
        self.rows = Rows(variant, order, asm.local)
        self.q, self.row, self.wide = self.rows.q, self.rows.row, self.rows.wide
        self.block = variant.block_bytes

    def register(self, number: int) -> str:
        return f"%{self.rows.width}mm{number}"

    def write(self, name: str) -> None:
        asm = self.asm
        self.constants()
        about = ABOUT.format(name=name, pad=" " * len(name), rounds=self.variant.rounds)
        asm.start_function("FIN_KERNEL", name, about + REGISTERS.format(self.rows.width + "mm"))
        asm.ops(["test %rdx, %rdx", f"je {asm.local('nothing')}"])
        asm.frame(SCHEDULE * self.block)
        self.start()
        self.named_rounds()
        asm.label("done")
        self.store()
        asm.op(".cfi_remember_state")
        asm.leave()
        asm.label("nothing")
        asm.op("ret")
        asm.op(".cfi_restore_state")
        self.any_rounds()
        asm.end_function()

    def constants(self) -> None:
        asm, variant, lanes = self.asm, self.variant, self.rows.lanes
        bits = variant.word_bits

        def in_lanes(rows: list[list[int]]) -> list[int]:
            return [row[lane] for row in rows for lane in lanes]

        asm.start_constants()
        words = [word for r in range(SCHEDULE) for word in in_lanes(row_words(r))]
        asm.data("words", bits, words, "Words of the rounds: x, y, then x, y of the diagonals.", 16)
        if variant.has_constants:
            u = variant.constants
            values = [u[i] for r in range(SCHEDULE) for i in in_lanes(row_constants(r))]
            asm.data("constants", bits, values, "The constants that are XORed to them.", 4)
            step = variant.word_bytes
            reverse = [step * (i // step) + step - 1 - i % step for i in range(16)]
            asm.data("reverse", 8, reverse, "Each word's bytes in reverse order.")
        asm.data("seed", bits, in_lanes([variant.seed[:4], variant.seed[4:]]), "v8 .. v15", 4)
        if self.carries():
            asm.data("carry", bits, self.counter_lanes(0, 1), "A carry of the counter.", 4)

    # ---- The counter ----

    def carries(self) -> bool:
        return self.variant.name != "blake2s"

    def counter_lanes(self, low: int, high: int) -> list[int]:
        """As v12 .. v15 take them: BLAKE low, low, high, high, BLAKE2 low, high and flags."""
        words = [low, low, high, high] if self.variant.has_constants else [low, high, 0, 0]
        return [words[lane] for lane in self.rows.lanes]

    def load_counter(self) -> None:
        """The first block's counter and the flags to COUNTER; its low word stays in %rax."""
        op, ops = self.asm.op, self.asm.ops
        increment, counter = self.register(INCREMENT), self.register(COUNTER)
        op("mov %r8d, %r8d", "the upper half may be anything")
        op("mov STATE_T(%rdi), %rax")
        op("add %r8, %rax")
        op("vmovq %rax, %xmm0")
        if self.variant.name == "blake256":
            op("vpshufd $0x50, %xmm0, %xmm0", "low, low, high, high")
        elif self.variant.name == "blake2s":
            op("vmovd STATE_F(%rdi), %xmm1")
            op("vpinsrd $1, STATE_F+8(%rdi), %xmm1, %xmm1")
            op("vpunpcklqdq %xmm1, %xmm0, %xmm0", "low, high, flags")
        else:
            ops(["mov STATE_T+8(%rdi), %r9", "adc $0, %r9", "vmovq %r9, %xmm1"])
        if self.variant.name == "blake512":
            op("vpunpcklqdq %xmm1, %xmm0, %xmm0")
            op("vinserti128 $1, %xmm0, %ymm0, %ymm0", "low, high, low, high")
        elif self.variant.name == "blake2b":
            op("vmovhps STATE_F(%rdi), %xmm0, %xmm0")
            op("vmovhps STATE_F+8(%rdi), %xmm1, %xmm1")
            op("vinserti128 $1, %xmm1, %ymm0, %ymm0", "low, flag 0, high, flag 1")
        op(f"vmovdqa64 {self.register(0)}, {counter}")
        op("vmovq %r8, %xmm0")
        if self.variant.name == "blake256":
            op("vpshufd $0x50, %xmm0, %xmm0")
        elif self.variant.name == "blake512":
            op("vinserti128 $1, %xmm0, %ymm0, %ymm0")
        op(f"vmovdqa64 {self.register(0)}, {increment}")

    def carry(self, label: str) -> None:
        """The low word of the next block's counter; a carry, which COUNTER does not have yet."""
        if not self.carries():
            return
        counter = self.register(COUNTER)
        self.asm.op("add %r8, %rax" if self.wide else "add %r8d, %eax")
        self.asm.op(f"jnc {self.asm.local(label)}")
        self.asm.op(f"vpadd{self.q} {self.asm.local('carry')}(%rip), {counter}, {counter}")
        self.asm.label(label)

    # ---- What a call starts and ends with ----

    def load_row(self, memory: str, to: int) -> None:
        """A row of the state, by loads of sixteen bytes: it may have been stored so just before."""
        offset, base = memory.split("(")
        if not self.wide:
            self.asm.op(f"vmovdqu64 {memory}, %xmm{to}")
            return
        self.asm.op(f"vmovdqu {memory}, %xmm0")
        self.asm.op(f"vinserti128 $1, {offset}+16({base}, %ymm0, %ymm0")
        self.asm.op(f"vpermq $0xd8, %ymm0, %ymm{to}", "words 0, 2, 1, 3")

    def load_block(self) -> None:
        """The block at %rsi to LOW and HIGH, for the same reason in pieces."""
        for i, to in enumerate((LOW, HIGH)[: self.rows.vectors]):
            at = 64 * i
            self.asm.ops([
                f"vmovdqu {at}(%rsi), %xmm0",
                f"vinserti128 $1, {at + 16}(%rsi), %ymm0, %ymm0",
                f"vmovdqu {at + 32}(%rsi), %xmm1",
                f"vinserti128 $1, {at + 48}(%rsi), %ymm1, %ymm1",
                f"vinserti64x4 $1, %ymm1, %zmm0, %zmm{to}",
            ])
            if self.variant.has_constants:
                self.asm.op(f"vpshufb %zmm{SWAP}, %zmm{to}, %zmm{to}")

    def start(self) -> None:
        asm, reg = self.asm, self.register
        if self.variant.has_constants:
            asm.op(f"vbroadcasti32x4 {asm.local('reverse')}(%rip), %zmm{SWAP}")
        self.load_block()
        self.load_row("0(%rdi)", H0)
        self.load_row(f"{self.row}(%rdi)", H1)
        self.load_counter()
        asm.op(f"vmovdqa64 {asm.local('seed')}(%rip), {reg(C)}")
        asm.op(f"vmovdqa64 {asm.local('seed')}+{self.row}(%rip), {reg(D)}")
        if self.variant.has_constants:
            self.load_row("STATE_SALT(%rdi)", SALT)
            asm.op(f"vpxor{self.q} {reg(SALT)}, {reg(C)}, {reg(C)}")

    def store(self) -> None:
        for register, offset in ((H0, 0), (H1, self.row)):
            if self.wide:
                self.asm.op(f"vpermq $0xd8, %ymm{register}, %ymm{register}", "words 0, 1, 2, 3")
            self.asm.op(f"vmovdqu64 {self.register(register)}, {offset}(%rdi)")
        self.asm.op("vzeroupper")

    # ---- Blocks ----

    def write_lines(self, lines: list[tuple[float, str, str]], rounds: int) -> None:
        """Instructions with their remarks; a line where each round has its place."""
        r = 0
        for place, text, remark in lines:
            while r < rounds and place >= ROUND * r:
                self.asm.line(f"{INDENT}/* ---- Round {r} ---- */")
                r += 1
            self.asm.op(text, remark)

    def permute(self, table: str, to: int) -> list[str]:
        """A vector of words by indices."""
        load = f"vmovdqa64 {table}, %zmm{to}"
        if self.wide:
            return [load, f"vpermi2q %zmm{HIGH}, %zmm{LOW}, %zmm{to}"]
        return [load, f"vpermd %zmm{LOW}, %zmm{to}, %zmm{to}"]

    def named_rounds(self) -> None:
        asm, local = self.asm, self.asm.local
        asm.op(f"cmpq ${self.variant.rounds}, STATE_ROUNDS(%rdi)")
        asm.op(f"jne {local('any_rounds')}")
        for i in range(self.rows.vectors):
            asm.ops(self.permute(f"{local('words')}+{64 * i}(%rip)", 0))
            if self.variant.has_constants:
                asm.op(f"vpxor{self.q} {local('constants')}+{64 * i}(%rip), %zmm0, %zmm0")
            asm.op(f"vmovdqa64 %zmm0, {64 * i}(%rsp)")
        asm.op(f"lea {local('words')}(%rip), %r9")
        asm.align()
        asm.label("block")
        asm.ops(["add %rcx, %rsi", "dec %rdx", "cmove %r9, %rsi"])
        self.write_lines(self.rows.block(), self.variant.rounds)
        self.carry("no_carry")
        asm.ops(["test %rdx, %rdx", f"jne {local('block')}"])

    def any_rounds(self) -> None:
        """All words of a block first, then its rounds one by one."""
        asm, local, reg = self.asm, self.asm.local, self.register
        asm.comment("Other numbers of rounds: %r10 is where a round's words are, %r11 counts.")
        asm.label("any_rounds")
        asm.op(f"lea {local('words')}(%rip), %r9")
        if self.variant.has_constants:
            asm.op(f"lea {local('constants')}(%rip), %r11")
        asm.op("xor %r10d, %r10d")
        asm.label("permute")
        asm.ops(self.permute("(%r9,%r10)", 0))
        if self.variant.has_constants:
            asm.op(f"vpxor{self.q} (%r11,%r10), %zmm0, %zmm0")
        asm.ops(["vmovdqa64 %zmm0, (%rsp,%r10)", "add $64, %r10",
                 f"cmp ${SCHEDULE * self.block}, %r10d", f"jne {local('permute')}"])
        for row, source in zip(LOOP_ROWS, (H0, H1, C), strict=False):
            asm.op(f"vmovdqa64 {reg(source)}, {reg(row)}")
        asm.op(f"vpxor{self.q} {reg(D)}, {reg(COUNTER)}, {reg(LOOP_ROWS[3])}")
        asm.ops([self.rows.next_counter(), "mov STATE_ROUNDS(%rdi), %r11", "mov %rsp, %r10",
                 f"lea {SCHEDULE * self.block}(%rsp), %r9", "test %r11, %r11",
                 f"je {local('rounds_done')}"])
        asm.align()
        asm.label("round")
        self.write_lines(self.rows.looped_round(), 0)
        asm.ops([f"add ${self.block}, %r10", "cmp %r9, %r10", "cmove %rsp, %r10", "dec %r11",
                 f"jne {local('round')}"])
        asm.label("rounds_done")
        for h, first, second in ((H1, 1, 3), (H0, 0, 2)):
            if self.variant.has_constants:
                asm.op(f"vpxor{self.q} {reg(SALT)}, {reg(h)}, {reg(h)}")
            asm.op(f"vpternlog{self.q} $0x96, {reg(first)}, {reg(second)}, {reg(h)}")
        self.carry("no_carry_either")
        asm.ops(["add %rcx, %rsi", "dec %rdx", f"je {local('done')}"])
        self.load_block()
        asm.op(f"jmp {local('any_rounds')}")


def start_file() -> Assembly:
    asm = Assembly("tools/kernels/rows.py", ABOUT_FILE)
    asm.line('#include "asm/blake_x86_64_state.h"')
    return asm


def source() -> str:
    asm = start_file()
    for name in ("blake256", "blake512", "blake2b", "blake2s"):
        asm.start_variant(name)
        kernel = Kernel(asm, VARIANTS[name], read_order(name))
        kernel.write(f"fin_{name}_{UNIT.removeprefix('blake_')}")
        asm.end_variant()
    return asm.finish()


FILES = {f"{UNIT}.S": source}
