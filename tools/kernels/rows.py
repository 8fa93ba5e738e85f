# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the kernels of one message in four rows of AVX-512VL: core/asm/blake_avx512_ternlog.S.
They are for cores on which a vector rotation takes two cycles, but a shift and vpternlog one each
(Zen 4). row_rounds.py explains the method and makes the instructions of a block, orders/ has their
order.
"""

from .assembly import INDENT, Assembly
from .rounds import VARIANTS, Variant, row_constants, rows_of
from .row_orders import Order, read_order
from .row_rounds import (
    COUNTER,
    H0,
    H1,
    HIGH,
    INCREMENT,
    LOOP_ROWS,
    LOW,
    OUT0,
    OUT1,
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
BLAKE, BLAKE2 and BLAKE3 of one message in rows: vpternlog replaces rotations of late operands by
shifts, message words are operands in memory. tools/kernels/row_rounds.py explains the method.

The remark beside an instruction names its round and its task; x and y are the words that G adds.
Words of later rounds are made from the first round on."""

ABOUT = """\
state->h = F(state->h, block, state->t + (k + 1) * increment, ...) for the blocks k = 0, 1, ...

  void {name}(fin_state *state (rdi), const uint8_t *in (rsi), size_t blocks (rdx),
  {pad}      size_t stride (rcx), uint32_t increment (r8d))

System V ABI. in needs no alignment; in and state do not overlap. Any number of blocks and
rounds, 0 included: {rounds} rounds in line, other numbers in a loop of one round. Branches and
addresses depend on the arguments, state->t and state->rounds alone.

"""

ABOUT_BLAKE3 = """\
state->h = F(state->h, block, state->t, ...) for each block; after the last block also writes the
other half of its output behind state->h. core/impl.h defines state->f.

  void {name}(fin_state *state (rdi), const uint8_t *in (rsi),
  {pad}      size_t blocks (rdx), size_t stride (rcx), uint32_t increment (r8d))

System V ABI. in needs no alignment; in and state do not overlap. Any number of blocks, 0
included. Branches and addresses depend on the arguments alone.

  %rdi    state                       %rsi    the next block
  %rdx    blocks after this one       %rcx    stride
  %rax    address of the next block's v12 .. v15; %r8 of the last one's
  %r9     address read instead of the block after the last one
  %rsp    the words of rounds 0 to 6; in the last round the next block's replace those of round 0
  xmm22, xmm23  the other half of the output
  xmm25   h4 .. h7                    xmm26   h0 .. h3
  xmm27   v12 .. v15 at the start     xmm28   v8 .. v11
  zmm30   the block's words
  others  the state and intermediate values"""

REGISTERS = """\
  %rdi    state                       %rsi    the next block
  %rdx    blocks after this one       %rcx    stride
  %r8     increment                   %rax    the counter's low word
  %r9     address read instead of the block after the last one
  %rsp    the words of rounds 0 to 9; in the last round the next block's replace those of round 0
  {0}22   BLAKE: salt                 {0}23   the counter's increment for a block
  {0}24   counter and flags           {0}25   h4 .. h7
  {0}26   h0 .. h3                    {0}27   v12 .. v15 without counter
  {0}28   v8 .. v11 at the start      zmm29   BLAKE: the shuffle that reverses a word's bytes
  zmm30   the block's first 64 bytes  zmm31   for 64-bit words: its other 64
  others  the state and intermediate values"""


class Kernel:
    """Writes one compression function."""

    def __init__(self, asm: Assembly, variant: Variant, order: Order) -> None:
        self.asm, self.variant, self.order = asm, variant, order
        self.rows = Rows(variant, order, asm.local)
        self.q, self.row, self.wide = self.rows.q, self.rows.row, self.rows.wide
        self.block = variant.block_bytes
        self.is_blake3 = self.rows.is_blake3
        # BLAKE3: after the words, v12 .. v15 of blocks after the first, and of the last one.
        self.seeds = self.rows.slots * self.block

    def register(self, number: int) -> str:
        return f"%{self.rows.width}mm{number}"

    def write(self, name: str) -> None:
        asm = self.asm
        self.constants()
        if self.is_blake3:
            about = ABOUT_BLAKE3.format(name=name, pad=" " * len(name))
        else:
            about = ABOUT.format(name=name, pad=" " * len(name), rounds=self.variant.rounds)
            about += REGISTERS.format(self.rows.width + "mm")
        asm.start_function("FIN_KERNEL", name, about)
        asm.ops(["test %rdx, %rdx", f"je {asm.local('nothing')}"])
        asm.frame(self.seeds + (32 if self.is_blake3 else 0))
        self.start()
        self.named_rounds()
        asm.label("done")
        self.store()
        if not self.is_blake3:
            asm.op(".cfi_remember_state")
        asm.leave()
        asm.label("nothing")
        asm.op("ret")
        if not self.is_blake3:
            asm.op(".cfi_restore_state")
            self.any_rounds()
        asm.end_function()

    def constants(self) -> None:
        asm, variant, lanes = self.asm, self.variant, self.rows.lanes
        bits = variant.word_bits

        def in_lanes(rows: list[list[int]]) -> list[int]:
            return [row[lane] for row in rows for lane in lanes]

        asm.start_constants()
        schedule = variant.schedule
        words = [word for row in schedule for word in in_lanes(rows_of(row))]
        asm.data("words", bits, words, "Words of the rounds: x, y, then x, y of the diagonals.", 16)
        if variant.has_constants:
            u = variant.constants
            values = [u[i] for r in range(len(schedule)) for i in in_lanes(row_constants(r))]
            asm.data("constants", bits, values, "The constants to XOR to them.", 4)
            step = variant.word_bytes
            reverse = [step * (i // step) + step - 1 - i % step for i in range(16)]
            asm.data("reverse", 8, reverse, "Reverses each word's bytes.")
        if self.is_blake3:
            asm.data("seed", bits, variant.seed[:4], "v8 .. v11", 4)
            return
        asm.data("seed", bits, in_lanes([variant.seed[:4], variant.seed[4:]]), "v8 .. v15", 4)
        if variant.name != "blake2s":
            asm.data("carry", bits, self.counter_lanes(0, 1), "A carry of the counter.", 4)

    # ---- The counter ----

    def counter_lanes(self, low: int, high: int) -> list[int]:
        """Returns the counter as v12 .. v15 take it: BLAKE low, low, high, high; BLAKE2 low, high,
        flags."""
        words = [low, low, high, high] if self.variant.has_constants else [low, high, 0, 0]
        return [words[lane] for lane in self.rows.lanes]

    def load_counter(self) -> None:
        """Loads the first block's counter and the flags into COUNTER; its low word stays in
        %rax."""
        op, counter, increment = self.asm.op, self.register(COUNTER), self.register(INCREMENT)
        op("mov %r8d, %r8d", "the upper half may be anything")
        op("mov STATE_T(%rdi), %rax")
        op("vmovq %r8, %xmm5")
        op("vmovq STATE_T(%rdi), %xmm4")
        if self.variant.name == "blake256":
            op("vpshufd $0x50, %xmm4, %xmm4", "low, low, high, high")
            op("vpshufd $0x50, %xmm5, %xmm5")
        elif self.variant.name == "blake512":
            op("vmovhps STATE_T+8(%rdi), %xmm4, %xmm4")
            op("vinserti128 $1, %xmm4, %ymm4, %ymm4", "low, high, low, high")
            op("vinserti128 $1, %xmm5, %ymm5, %ymm5")
        elif self.variant.name == "blake2s":
            op("vpinsrd $2, STATE_F(%rdi), %xmm4, %xmm4")
            op("vpinsrd $3, STATE_F+8(%rdi), %xmm4, %xmm4", "low, high, flags")
        else:
            op("vmovhps STATE_F(%rdi), %xmm4, %xmm4")
            op("vmovq STATE_T+8(%rdi), %xmm6")
            op("vmovhps STATE_F+8(%rdi), %xmm6, %xmm6")
            op("vinserti128 $1, %xmm6, %ymm4, %ymm4", "low, flag 0, high, flag 1")
        op(f"vmovdqa64 {self.register(5)}, {increment}")
        op(self.rows.next_counter(self.register(4), counter))
        self.carry("no_carry_first")

    def carry(self, label: str) -> None:
        """Increments the counter's low word; adds a carry to COUNTER, if there is one."""
        if self.variant.word_bits == 32 and not self.variant.has_constants:
            return
        counter = self.register(COUNTER)
        self.asm.op("add %r8, %rax" if self.wide else "add %r8d, %eax")
        self.asm.op(f"jnc {self.asm.local(label)}")
        self.asm.op(f"vpadd{self.q} {self.asm.local('carry')}(%rip), {counter}, {counter}")
        self.asm.label(label)

    def load_ends(self) -> None:
        """BLAKE3: loads the first block's v12 .. v15 into D, stores those of inner blocks and of
        the last one in the frame. state->f[1] has a byte of flags each for all, the first, the
        last."""
        op, seeds = self.asm.op, self.seeds
        op("mov STATE_F+8(%rdi), %eax")
        op("mov STATE_F(%rdi), %r10d", "the last block's length")
        op("mov %eax, %r8d")
        op("shr $8, %r8d")
        op("or %eax, %r8d")
        op("movzbl %r8b, %r8d", "flags of the first block")
        op("mov %eax, %r9d")
        op("shr $16, %r9d")
        op("or %eax, %r9d")
        op("movzbl %r9b, %r9d", "flags of the last block")
        op("movzbl %al, %eax", "flags of the others")
        op("shl $32, %rax")
        op("add $64, %rax", "and their length")
        op("vmovq STATE_T(%rdi), %xmm4")
        op("vmovq %rax, %xmm5")
        op("vpunpcklqdq %xmm5, %xmm4, %xmm5")
        op(f"vmovdqa %xmm5, {seeds}(%rsp)")
        op("mov $64, %r11d")
        op("xor %eax, %eax")
        op("cmp $1, %rdx")
        op("cmove %r10, %r11", "is the first block the last one?")
        op("cmove %r9, %rax")
        op("or %eax, %r8d")
        op("shl $32, %r8")
        op("or %r11, %r8")
        op("vmovq %r8, %xmm5")
        op(f"vpunpcklqdq %xmm5, %xmm4, {self.register(D)}")
        op("shl $32, %r9")
        op("or %r10, %r9")
        op("vmovq %r9, %xmm5")
        op("vpunpcklqdq %xmm5, %xmm4, %xmm5")
        op(f"vmovdqa %xmm5, {seeds + 16}(%rsp)")
        op(f"lea {seeds}(%rsp), %rax")
        op(f"lea {seeds + 16}(%rsp), %r8")

    # ---- Start and end of a call ----

    def load_row(self, memory: str, to: int) -> None:
        """Loads a row of the state 16 bytes at a time: it may just have been stored in such
        parts."""
        offset, base = memory.split("(")
        if not self.wide:
            self.asm.op(f"vmovdqu64 {memory}, %xmm{to}")
            return
        self.asm.op(f"vmovdqu {memory}, %xmm4")
        self.asm.op(f"vinserti128 $1, {offset}+16({base}, %ymm4, %ymm4")
        self.asm.op(f"vpermq $0xd8, %ymm4, %ymm{to}", "words 0, 2, 1, 3")

    def load_quarters(self) -> None:
        """Loads the quarters of the block at %rsi into registers 0 to 3, in parts for the same
        reason."""
        for i in range(4):
            if self.wide:
                self.asm.op(f"vmovdqu {32 * i}(%rsi), %xmm{i}")
                self.asm.op(f"vinserti128 $1, {32 * i + 16}(%rsi), %ymm{i}, %ymm{i}")
            else:
                self.asm.op(f"vmovdqu {16 * i}(%rsi), %xmm{i}")
            if self.variant.has_constants:
                reg = self.register
                self.asm.op(f"vpshufb {reg(SWAP)}, {reg(i)}, {reg(i)}")

    def join_quarters(self) -> None:
        """Combines the quarters in LOW and HIGH."""
        if self.wide:
            self.asm.op(f"vinserti64x4 $1, %ymm1, %zmm0, %zmm{LOW}")
            self.asm.op(f"vinserti64x4 $1, %ymm3, %zmm2, %zmm{HIGH}")
        else:
            self.asm.op("vinserti128 $1, %xmm1, %ymm0, %ymm0")
            self.asm.op("vinserti128 $1, %xmm3, %ymm2, %ymm2")
            self.asm.op(f"vinserti64x4 $1, %ymm2, %zmm0, %zmm{LOW}")

    def first_words(self) -> None:
        """Stores the first block's words of round 0, sooner than from LOW and HIGH.

        32 bits:  0 1 2 3, 4 5 6 7          ->  0 2 4 6,  1 3 5 7
                  8 9 10 11, 12 13 14 15    ->  14 8 10 12,  15 9 11 13
        64 bits:  0 1 | 2 3, 4 5 | 6 7          ->  0 4 | 2 6,  1 5 | 3 7
                  8 9 | 10 11, 12 13 | 14 15    ->  14 10 | 8 12,  15 11 | 9 13
        """
        op, reg = self.asm.op, self.register
        evens, odds = ("vpunpcklqdq", "vpunpckhqdq") if self.wide else ("vshufps $0x88,",
                                                                        "vshufps $0xdd,")
        rotate = "vpermq $0x4b," if self.wide else "vpshufd $0x93,"
        for h, (take, to) in enumerate(((evens, 4), (odds, 5), (evens, 6), (odds, 7))):
            step = h // 2
            op(f"{take} {reg(2 * step + 1)}, {reg(2 * step)}, {reg(to)}")
            if step == 1:
                op(f"{rotate} {reg(to)}, {reg(to)}", "the diagonals begin with the last word")
            if self.variant.has_constants:
                constants = f"{self.asm.local('constants')}+{self.row * h}(%rip)"
                op(f"vpxor {constants}, {reg(to)}, {reg(to)}")
            op(f"vmovdqa {reg(to)}, {self.row * h}(%rsp)")

    def start(self) -> None:
        asm, reg = self.asm, self.register
        if self.variant.has_constants:
            asm.op(f"vbroadcasti32x4 {asm.local('reverse')}(%rip), %zmm{SWAP}")
        self.load_quarters()
        self.first_words()
        self.join_quarters()
        self.load_row("0(%rdi)", H0)
        self.load_row(f"{self.row}(%rdi)", H1)
        asm.op(f"vmovdqa64 {asm.local('seed')}(%rip), {reg(C)}")
        if self.is_blake3:
            self.load_ends()
            return
        self.load_counter()
        asm.op(f"vmovdqa64 {asm.local('seed')}+{self.row}(%rip), {reg(D)}")
        if self.variant.has_constants:
            self.load_row("STATE_SALT(%rdi)", SALT)
            asm.op(f"vpxor{self.q} {reg(SALT)}, {reg(C)}, {reg(C)}")

    def store(self) -> None:
        halves = [(H0, 0), (H1, self.row)]
        if self.is_blake3:
            halves += [(OUT0, 2 * self.row), (OUT1, 3 * self.row)]
        for register, offset in halves:
            if self.wide:
                self.asm.op(f"vpermq $0xd8, %ymm{register}, %ymm{register}", "words 0, 1, 2, 3")
            self.asm.op(f"vmovdqu64 {self.register(register)}, {offset}(%rdi)")
        self.asm.op("vzeroupper")

    # ---- Blocks ----

    def write_lines(self, lines: list[tuple[float, str, str]], rounds: int) -> None:
        """Writes instructions with their remarks, and a comment where each round starts."""
        r = 0
        for cycle, text, remark in lines:
            while r < rounds and cycle >= ROUND * r:
                self.asm.line(f"{INDENT}/* ---- Round {r} ---- */")
                r += 1
            self.asm.op(text, remark)

    def named_rounds(self) -> None:
        asm, local = self.asm, self.asm.local
        if not self.is_blake3:
            asm.op(f"cmpq ${self.variant.rounds}, STATE_ROUNDS(%rdi)")
            asm.op(f"jne {local('any_rounds')}")
        asm.op(f"lea {local('words')}(%rip), %r9")
        asm.align()
        asm.label("block")
        asm.ops(["add %rcx, %rsi", "dec %rdx", "cmove %r9, %rsi"])
        if self.is_blake3:
            asm.ops(["cmp $1, %rdx", "cmove %r8, %rax"])
        self.write_lines(self.rows.block(), self.variant.rounds)
        self.carry("no_carry")
        asm.ops(["test %rdx, %rdx", f"jne {local('block')}"])

    def any_rounds(self) -> None:
        """Makes all words of a block first, then runs its rounds one by one."""
        asm, local, reg = self.asm, self.asm.local, self.register
        asm.comment("Other numbers of rounds: %r10 is the address of a round's words, %r11 counts.")
        asm.label("any_rounds")
        asm.op(f"lea {local('words')}(%rip), %r9")
        if self.variant.has_constants:
            asm.op(f"lea {local('constants')}(%rip), %r11")
        asm.op("xor %r10d, %r10d")
        asm.label("permute")
        asm.op("vmovdqa64 (%r9,%r10), %zmm0")
        asm.op(f"vpermi2q %zmm{HIGH}, %zmm{LOW}, %zmm0" if self.wide
               else f"vpermd %zmm{LOW}, %zmm0, %zmm0")
        if self.variant.has_constants:
            asm.op(f"vpxor{self.q} (%r11,%r10), %zmm0, %zmm0")
        asm.ops(["vmovdqa64 %zmm0, (%rsp,%r10)", "add $64, %r10",
                 f"cmp ${SCHEDULE * self.block}, %r10d", f"jne {local('permute')}"])
        for row, source in zip(LOOP_ROWS, (H0, H1, C), strict=False):
            asm.op(f"vmovdqa64 {reg(source)}, {reg(row)}")
        asm.op(f"vpxor{self.q} {reg(D)}, {reg(COUNTER)}, {reg(LOOP_ROWS[3])}")
        asm.op(self.rows.next_counter(reg(COUNTER), reg(COUNTER)))
        asm.ops(["mov STATE_ROUNDS(%rdi), %r11", "mov %rsp, %r10",
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
        self.load_quarters()
        self.join_quarters()
        asm.op(f"jmp {local('any_rounds')}")


def start_file() -> Assembly:
    asm = Assembly("tools/kernels/rows.py", ABOUT_FILE)
    asm.line('#include "asm/blake_x86_64_state.h"')
    return asm


def source() -> str:
    asm = start_file()
    for name in VARIANTS:
        asm.start_variant(name)
        kernel = Kernel(asm, VARIANTS[name], read_order(name))
        kernel.write(f"fin_{name}_{UNIT.removeprefix('blake_')}")
        asm.end_variant()
    return asm.finish()


FILES = {f"{UNIT}.S": source}
