# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the kernels of two and four messages of BLAKE3 in rows of AVX-512VL:
core/asm/blake_ways_avx512_ternlog.S.
A row of two messages has each one's words in one half; four messages are two such streams. The
instructions are those of one message (row_rounds.py), in an order of orders/rows_blake3_Nway.toml,
whose shift is by how many cycles the second stream is behind the first. Two vpermi2d make a round's
words for two messages.
"""

from collections.abc import Callable
from dataclasses import dataclass

from .assembly import Assembly
from .rounds import VARIANTS, rows_of
from .row_orders import Order, read_order
from .row_rounds import END, ROUND, Rows
from .schedule import Instruction, Program

VARIANT = VARIANTS["blake3"]
UNIT = "blake_ways_avx512_ternlog"
ROUNDS = VARIANT.rounds
WORDS = 2 * VARIANT.block_bytes  # bytes of a round's words in a stream
C = 31  # v8 .. v11 at the start
POINTERS = ("%r8", "%r9", "%r10", "%r11")

ABOUT_FILE = """\
BLAKE3 of two and of four messages in rows: vpternlog replaces rotations of late operands by
shifts, message words are operands in memory. tools/kernels/row_ways.py explains the method.

The remark beside an instruction names its stream, its round and its task; x and y are the words
that G adds. Words of later rounds are made from the first round on."""

ABOUT = """\
Compresses blocks of {ways} messages: fin_compress_lanes_fn in core/impl.h.

  void {name}(fin_lanes *lanes (rdi), size_t blocks (rsi),
  {pad}      size_t stride (rdx))

System V ABI. Messages need no alignment. Any number of blocks, 0 included. Branches and
addresses depend on the number of blocks, stride and lanes->in alone.

  %rdi    lanes                       %rsi    blocks after this one
  %rdx    stride                      %rcx    offset of the next block from a message's first
  {pointers}  the messages' first blocks
  %rax    address of the next block's v12 .. v15
  %rsp    the words of rounds 0 to 6 of each stream; in the last round those of round 0 are replaced
          by the next block's; then v12 .. v15 of blocks after the first, and of the last one
  ymm31   v8 .. v11 at the start
{registers}
  others  the state and intermediate values"""

ABOUT_STREAM = """\
  ymm{0.h0}   h0 .. h3 of {about}         ymm{0.h1}   h4 .. h7
  ymm{0.d}   v12 .. v15 at the start     zmm{0.block}, zmm{0.other}  the blocks' words"""


@dataclass(frozen=True)
class Registers:
    h0: int
    h1: int
    d: int
    block: int
    other: int


class Stream(Rows):
    """A block of two messages, in an order."""

    def __init__(self, order: Order, local: Callable[[str], str], program: Program, number: int,
                 about: str) -> None:
        super().__init__(VARIANT, order, local)
        self.program, self.width, self.row = program, "y", 32
        self.number, self.about = number, about
        self.at = number * ROUNDS * WORDS  # offset of its words in the frame
        first = C - 1 - 5 * number
        self.registers = Registers(first, first - 1, first - 2, first - 3, first - 4)

    def cycle(self, r: float, name: str) -> float:
        return super().cycle(r, name) + self.number * self.order.shift

    def make_stream_words(self, r: int, at: float, after: list[Instruction],
                          readers: list[Instruction]) -> list[Instruction]:
        """Stores round r's words beside round `at`, after the old words there have been read.
        Returns the permutations."""
        add, permutations, blocks = self.program.add, [], self.registers
        for i in range(2):
            indices = f"{self.local('words')}+{WORDS * r + 64 * i}(%rip)"
            value = add(self.cycle(at, "index0") + i / 2, f"vmovdqa64 {indices}, {{d:z}}",
                        remark=f"{self.about}{r}: indices of words")
            value = add(self.cycle(at, "permute0") + i / 2,
                        f"vpermi2d %zmm{blocks.other}, %zmm{blocks.block}, {{d:z}}", value,
                        after=after, reuses=0, remark=f"{self.about}{r}: words")
            permutations.append(value)
            self.stored[r, i] = add(self.cycle(at, "store0") + i / 2,
                                    f"vmovdqa64 {{0:z}}, {self.at + WORDS * r + 64 * i}(%rsp)",
                                    value, result=False, after=readers,
                                    remark=f"{self.about}{r}: words stored")
        return permutations

    def load_blocks(self, after: list[Instruction]) -> list[Instruction]:
        """Loads the next blocks once this one's words are made."""
        to = (self.registers.block, self.registers.other)
        return [self.program.add(self.cycle(ROUNDS - 1, "next0"),
                                 f"vmovdqu64 ({POINTERS[2 * self.number + i]},%rcx), %zmm{to[i]}",
                                 result=False, after=after, remark=f"{self.about}the next block")
                for i in range(2)]

    def write(self) -> None:
        add, registers, permutations = self.program.add, self.registers, []
        for r in range(1, ROUNDS):
            permutations += self.make_stream_words(r, (r - 1) * self.order.pace, [], [])
        rows = {"a": registers.h0, "b": registers.h1, "c": C, "d": registers.d}
        first_readers: list[Instruction] = []
        for r in range(ROUNDS):
            memory = [f"{self.at + WORDS * r + 32 * h}(%rsp)" for h in range(4)]
            stored = [[self.stored[r, h // 2]] if r else [] for h in range(4)]
            self.readers = []
            self.round(r, rows, memory, stored, f"{self.about}{r}: ",
                       r == 0 and self.order.word_to_b)
            if r == 0:
                first_readers = self.readers
        add(ROUND, f"vmovdqa64 {32 * self.number}(%rax), %ymm{registers.d}", result=False,
            after=self.program.readers(registers.d),
            remark=f"{self.about}the next block's v12 .. v15")
        self.make_stream_words(0, ROUNDS - 1, self.load_blocks(permutations), first_readers)
        for h, first, second in ((registers.h1, "b", "d"), (registers.h0, "a", "c")):
            add(ROUND * ROUNDS + END, "vpxord {0}, {1}, {2}", rows[first], rows[second], h,
                result=False, after=self.program.readers(h),
                remark=f"{self.about}h = {first} ^ {second}")


class Ways:
    """Writes a kernel."""

    def __init__(self, asm: Assembly, ways: int, order: Order) -> None:
        self.asm, self.ways, self.order = asm, ways, order
        self.pairs = ways // 2
        self.program = Program("y", range(C - 5 * self.pairs))
        about = ["A: ", "B: "] if ways == 4 else [""]
        self.streams = [Stream(order, asm.local, self.program, number, about[number])
                        for number in range(self.pairs)]
        self.ends = self.pairs * ROUNDS * WORDS  # offset of v12 .. v15 in the frame
        self.slots = self.ends + 64 * self.pairs  # offset of a zero and the last one's address

    def constants(self) -> None:
        asm = self.asm
        asm.start_constants()
        words = []
        for row in VARIANT.schedule:
            for part in rows_of(row):
                words += part + [word + 16 for word in part]
        asm.data("words", 32, words, "Words of the rounds for two messages: x, y, diagonals.", 16)
        turned = [4 * (i % self.ways) + i // self.ways for i in range(4 * self.ways)]
        back = [turned.index(i) for i in range(4 * self.ways)]
        asm.data("enter", 32, back, "Turns a row of each lane into a row of each message.", 16)
        asm.data("leave", 32, turned, "And back.", 16)
        asm.data("seed", 32, 2 * VARIANT.seed[:4], "v8 .. v11")
        asm.data("flags", 32, 2 * [*3 * [0xFFFFFFFF], 0xFF], "Masks out a chain's other flags.")
        asm.data("length", 32, 2 * [0, 0, 64, 0], "The length of a block that is not the last.")

    def load_ends(self, stream: Stream) -> None:
        """Computes v12 .. v15 from t, length and flags of the call's blocks, in register d: leaves
        the first block's there and stores the others in the frame."""
        op, local, d = self.asm.op, self.asm.local, stream.registers.d
        at = self.ends + 32 * stream.number
        op(f"vpsrld $8, %ymm{d}, %ymm1{{%k1}}{{z}}", "flags of the first block")
        op(f"vpsrld $16, %ymm{d}, %ymm2{{%k1}}{{z}}", "flags of the last block")
        op(f"vpandd {local('flags')}(%rip), %ymm1, %ymm1")
        op(f"vpandd {local('flags')}(%rip), %ymm{d}, %ymm{d}")
        op(f"vpord %ymm2, %ymm{d}, %ymm2")
        op(f"vmovdqa32 {local('length')}(%rip), %ymm{d}{{%k2}}")
        op(f"vmovdqa64 %ymm{d}, {at}(%rsp)")
        op(f"vmovdqa64 %ymm2, {at + 32 * self.pairs}(%rsp)")
        op(f"vmovdqa32 %ymm2, %ymm{d}{{%k3}}")
        op(f"vpord %ymm1, %ymm{d}, %ymm{d}")

    def load_rows(self) -> None:
        """Loads rows of lanes into the registers of every stream."""
        op, all_width = self.asm.op, "z" if self.ways == 4 else "y"
        op(f"vmovdqa64 {self.asm.local('enter')}(%rip), %{all_width}mm0")
        for name, row in (("h0", 0), ("h1", 4), ("d", 16)):
            to = [getattr(stream.registers, name) for stream in self.streams]
            op(f"vpermd {4 * self.ways * row}(%rdi), %{all_width}mm0, %{all_width}mm{to[0]}")
            if self.ways == 4:
                op(f"vextracti64x4 $1, %zmm{to[0]}, %ymm{to[1]}")

    def load_first(self, stream: Stream) -> None:
        """Loads the first blocks 16 bytes at a time: they may just have been stored in such
        parts."""
        op = self.asm.op
        for i, to in enumerate((stream.registers.block, stream.registers.other)):
            pointer = POINTERS[2 * stream.number + i]
            op(f"vmovdqu ({pointer}), %xmm1")
            op(f"vmovdqu 32({pointer}), %xmm2")
            op(f"vinserti128 $1, 16({pointer}), %ymm1, %ymm1")
            op(f"vinserti128 $1, 48({pointer}), %ymm2, %ymm2")
            op(f"vinserti64x4 $1, %ymm2, %zmm1, %zmm{to}")
        for i in range(2):
            op(f"vmovdqa64 {self.asm.local('words')}+{64 * i}(%rip), %zmm1")
            op(f"vpermi2d %zmm{stream.registers.other}, %zmm{stream.registers.block}, %zmm1")
            op(f"vmovdqa64 %zmm1, {stream.at + 64 * i}(%rsp)")

    def start(self) -> None:
        asm = self.asm
        asm.ops(["mov %rsi, %rax", "imul %rdx, %rax"])
        for lane in range(self.ways):
            asm.op(f"mov LANES_IN+{8 * lane}(%rdi), {POINTERS[lane]}")
            asm.op(f"add %rax, LANES_IN+{8 * lane}(%rdi)")
        for stream in self.streams:
            self.load_first(stream)
        asm.ops(["mov $0x88, %eax", "kmovw %eax, %k1", "mov $0x44, %eax", "kmovw %eax, %k2"])
        asm.ops(["xor %eax, %eax", "cmp $1, %rsi", "sete %al", "neg %eax"])
        asm.op("kmovw %eax, %k3", "is the first block the last one?")
        self.load_rows()
        for stream in self.streams:
            self.load_ends(stream)
        asm.op(f"vmovdqa64 {asm.local('seed')}(%rip), %ymm{C}")
        asm.ops(["xor %ecx, %ecx", f"mov %rcx, {self.slots}(%rsp)"])
        asm.ops([f"lea {self.ends + 32 * self.pairs}(%rsp), %rax",
                 f"mov %rax, {self.slots + 8}(%rsp)", f"lea {self.ends}(%rsp), %rax"])

    def store(self) -> None:
        op, all_width = self.asm.op, "z" if self.ways == 4 else "y"
        op(f"vmovdqa64 {self.asm.local('leave')}(%rip), %{all_width}mm0")
        for name, row in (("h0", 0), ("h1", 4)):
            h = [getattr(stream.registers, name) for stream in self.streams]
            if self.ways == 4:
                op(f"vinserti64x4 $1, %ymm{h[1]}, %zmm{h[0]}, %zmm{h[0]}")
            op(f"vpermd %{all_width}mm{h[0]}, %{all_width}mm0, %{all_width}mm1")
            op(f"vmovdqu64 %{all_width}mm1, {4 * self.ways * row}(%rdi)")
        op("vzeroupper")

    def write(self, name: str) -> None:
        asm = self.asm
        self.constants()
        registers = "\n".join(
            ABOUT_STREAM.format(stream.registers, about="messages " + ("0, 1", "2, 3")[i])
            for i, stream in enumerate(self.streams))
        asm.start_function("FIN_WAYS", name, ABOUT.format(
            name=name, pad=" " * len(name), ways=("two", "four")[self.pairs - 1],
            pointers=", ".join(POINTERS[: self.ways]), registers=registers))
        asm.ops(["test %rsi, %rsi", f"je {asm.local('nothing')}"])
        asm.frame(self.slots + 64)
        self.start()
        asm.align()
        asm.label("block")
        asm.ops(["add %rdx, %rcx", "dec %rsi", f"cmove {self.slots}(%rsp), %rcx",
                 "cmp $1, %rsi", f"cmove {self.slots + 8}(%rsp), %rax"])
        for stream in self.streams:
            stream.write()
        for nop in self.order.nops:
            for r in range(ROUNDS):
                self.program.add(ROUND * r + nop, "nop", result=False)
        for _, text, remark in self.program.lines():
            asm.op(text, remark)
        asm.ops(["test %rsi, %rsi", f"jne {asm.local('block')}"])
        self.store()
        asm.leave()
        asm.label("nothing")
        asm.op("ret")
        asm.end_function()


def start_file() -> Assembly:
    asm = Assembly("tools/kernels/row_ways.py", ABOUT_FILE)
    asm.line('#include "asm/blake_lanes_x86_64_call.h"')
    return asm


def source() -> str:
    asm = start_file()
    for ways in (2, 4):
        asm.start_variant("blake3")
        asm.scope = f"blake3_{ways}way"
        Ways(asm, ways, read_order(f"blake3_{ways}way")).write(f"fin_blake3_{ways}way")
        asm.end_variant()
    return asm.finish()


FILES = {f"{UNIT}.S": source}
