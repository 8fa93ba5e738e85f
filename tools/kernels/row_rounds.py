# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes the instructions of a block in four rows, with their cycles.

If q is the operand that is ready late, (p ^ q) >>> n = (p >>> n) ^ (q >> n) ^ (q << (w - n)): this
takes a rotation off the critical path, and leaves two shifts at once and one sum of three. It gains
nothing while the message words need the ports that shift and shuffle. So one vpermd, or two
vpermi2q, makes all words of a round, and they are operands in memory.
"""

from collections.abc import Callable

from .rounds import Variant, g
from .row_orders import Order
from .schedule import Instruction, Program

ROUND = 24  # cycles of an ideal round
END = 100  # the cycle of a block's sums, after all rounds
# BLAKE and BLAKE2: rounds until the message schedule repeats.
SCHEDULE = 10

# Registers: rows of the state between blocks, a block's initial values, and the block's bytes.
H0, H1, C, D, COUNTER, INCREMENT, SALT, SWAP, LOW, HIGH = 26, 25, 28, 27, 24, 23, 22, 29, 30, 31
OUT0, OUT1 = 22, 23  # BLAKE3: the other half of a block's output
FREE = range(22)
# Registers of the state in the loop for any number of rounds.
LOOP_ROWS = (0, 1, 2, 3)


class Rows:
    """A compression function's instructions in an order; `local` makes the names of constants."""

    def __init__(self, variant: Variant, order: Order, local: Callable[[str], str]) -> None:
        self.variant, self.order, self.local = variant, order, local
        self.wide = variant.word_bits == 64
        self.q = "q" if self.wide else "d"
        self.row = 4 * variant.word_bytes  # bytes of a row
        self.vectors = 2 if self.wide else 1  # vectors of 64 bytes in a block
        self.width = "y" if self.wide else "x"
        # The order of words in a register: even and odd ones in halves, so that d rotates within
        # them.
        self.lanes = [0, 2, 1, 3] if self.wide else [0, 1, 2, 3]
        self.is_blake3 = variant.family == "blake3"
        self.slots = min(SCHEDULE, variant.rounds)  # rounds whose words are in memory
        self.program = Program(self.width, FREE)
        self.stored: dict[tuple[int, int], Instruction] = {}  # words by round and vector
        self.readers: list[Instruction] = []  # of the current round's words

    def cycle(self, r: float, name: str) -> float:
        return ROUND * r + self.order.cycles[name]

    # ---- Words ----

    def make_words(self, r: int, at: float, after: list[Instruction],
                   readers: list[Instruction]) -> list[Instruction]:
        """Stores round r's words beside round `at`, after the old words there have been read.
        Returns the permutations."""
        add, permutations = self.program.add, []
        for i in range(self.vectors):
            offset = self.variant.block_bytes * r + 64 * i
            indices = f"{self.local('words')}+{offset}(%rip)"
            value = add(self.cycle(at, f"index{i}"), f"vmovdqa64 {indices}, {{d:z}}",
                        remark=f"{r}: indices of words")
            if self.wide:
                value = add(self.cycle(at, f"permute{i}"),
                            f"vpermi2q %zmm{HIGH}, %zmm{LOW}, {{d:z}}", value, after=after,
                            reuses=0, remark=f"{r}: words")
            else:
                value = add(self.cycle(at, f"permute{i}"), f"vpermd %zmm{LOW}, {{0:z}}, {{d:z}}",
                            value, after=after, remark=f"{r}: words")
            permutations.append(value)
            if self.variant.has_constants:
                constants = f"{self.local('constants')}+{offset}(%rip)"
                value = add(self.cycle(at, f"constants{i}"),
                            f"vpxor{self.q} {constants}, {{0:z}}, {{d:z}}", value,
                            remark=f"{r}: words ^ constants")
            self.stored[r, i] = add(self.cycle(at, f"store{i}"),
                                    f"vmovdqa64 {{0:z}}, {offset}(%rsp)", value, result=False,
                                    after=readers, remark=f"{r}: words stored")
        return permutations

    def load_next(self, after: list[Instruction]) -> list[Instruction]:
        """Loads the next block into LOW and HIGH once this one's words are made."""
        add, loaded, at = self.program.add, [], self.variant.rounds - 1
        for i, to in enumerate((LOW, HIGH)[: self.vectors]):
            last = add(self.cycle(at, f"next{i}"), f"vmovdqu64 {64 * i}(%rsi), %zmm{to}",
                       result=False, after=after, remark="the next block")
            if self.variant.has_constants:
                last = add(self.cycle(at, f"reverse{i}"),
                           f"vpshufb %zmm{SWAP}, %zmm{to}, %zmm{to}", result=False, after=[last],
                           remark="words' bytes reversed")
            loaded.append(last)
        return loaded

    def add_word(self, r: int, h: int, to: Instruction | int, memory: str,
                 after: list[Instruction], about: str) -> Instruction:
        add, word = self.program.add, "xy"[h % 2]
        if not self.order.loads:
            self.readers.append(add(self.cycle(r, f"word{h}"),
                                    f"vpadd{self.q} {memory}, {{0}}, {{d}}", to, after=after,
                                    remark=f"{about}+ {word}"))
            return self.readers[-1]
        self.readers.append(add(self.cycle(r, f"load{h}"), f"vmovdqa {memory}, {{d}}", after=after,
                                remark=about + word))
        return add(self.cycle(r, f"word{h}"), f"vpadd{self.q} {{1}}, {{0}}, {{d}}", to,
                   self.readers[-1], remark=f"{about}+ {word}")

    # ---- Rounds ----

    def rotate_words(self, r: int, h: int, row: str, value: Instruction, about: str) -> Instruction:
        """Rotates words: in the diagonal step, word i of a is word i + 3, of c word i + 1, of d
        word i + 2; and back."""
        by = {"a": (3, 1), "c": (1, 3), "d": (2, 2)}[row][h == 0]
        chosen = [self.lanes.index((word + by) % 4) for word in self.lanes]
        control = sum(lane << 2 * i for i, lane in enumerate(chosen))
        text = f"{'vpermq' if self.wide else 'vpshufd'} ${control:#04x}, {{0}}, {{d}}"
        if self.wide and row == "d":
            text = "vpshufd $0x4e, {0}, {d}"
        return self.program.add(self.cycle(r, f"{row}_rotate{h}"), text, value,
                                remark=f"{about}words of {row} rotated")

    def rotate(self, r: int, h: int, row: str, early: Instruction, late: Instruction, about: str
               ) -> Instruction:
        """Returns (early ^ late) >>> n."""
        which = 2 * (h % 2) + (row == "b")
        n, bits, q = self.variant.rotations[which], self.variant.word_bits, self.q
        other = "a" if row == "d" else "c"

        def add(name: str, text: str, *sources: Instruction, remark: str, **more) -> Instruction:
            return self.program.add(self.cycle(r, f"{row}_{name}{h}"), text, *sources,
                                    remark=about + remark, **more)

        if not self.order.apart[which]:
            both = add("xor", "vpxor {0}, {1}, {d}", early, late, remark=f"{row} ^= {other}")
            text = "vpshufd $0xb1, {0}, {d}" if n == 32 else f"vpror{q} ${n}, {{0}}, {{d}}"
            return add("sum", text, both, remark=f"{row} >>>= {n}")
        parts = {
            "early": add("early", f"vpror{q} ${n}, {{0}}, {{d}}", early, remark=f"{row} >>> {n}"),
            "right": add("right", f"vpsrl{q} ${n}, {{0}}, {{d}}", late, remark=f"{other} >> {n}"),
            "left": add("left", f"vpsll{q} ${bits - n}, {{0}}, {{d}}", late,
                        remark=f"{other} << {bits - n}"),
        }
        first = parts.pop(self.order.overwrites[which])
        return add("sum", f"vpternlog{q} $0x96, {{1}}, {{2}}, {{d}}", first, *parts.values(),
                   reuses=0, remark=f"{row} = ({row} ^ {other}) >>> {n}")

    def round(self, r: int, rows: dict, memory: list[str], stored: list[list[Instruction]],
              about: str, word_to_b: bool = False) -> None:
        """Adds round r on the rows, and prepares them for the next one. memory: the four rows of
        its words; stored: the instructions that wrote them."""
        cycle, addition = self.cycle, f"vpadd{self.q} {{0}}, {{1}}, {{d}}"
        h, first, late = 0, rows["a"], ""
        for step in g("a", "b", "c", "d", 0, 1) + g("a", "b", "c", "d", 2, 3):
            if step.kind == "word":
                h = step.number
                if h == 2:
                    rows |= {row: self.rotate_words(r, 2, row, rows[row], about) for row in "adc"}
                to, other = ("b", "a") if word_to_b and h == 0 else ("a", "b")
                first = self.add_word(r, h, rows[to], memory[h], stored[h], about)
            elif step.kind == "add" and step.target == "a":
                rows["a"] = self.program.add(cycle(r, f"a{h}"), addition, rows[other], first,
                                             remark=f"{about}a += b + {'xy'[h % 2]}")
            elif step.kind == "add":
                rows["c"] = self.program.add(cycle(r, f"c{h}"), addition, rows["c"], rows["d"],
                                             remark=f"{about}c += d")
            elif step.kind == "xor":
                late = step.source
            else:
                rows[step.target] = self.rotate(r, h, step.target, rows[step.target], rows[late],
                                                about)
        rows |= {row: self.rotate_words(r + 1, 0, row, rows[row], about) for row in "adc"}

    def named_rounds(self, rows: dict) -> list[Instruction]:
        """Adds the rounds of the named functions. Returns the readers of the words of round 0."""
        first_readers: list[Instruction] = []
        for r in range(self.variant.rounds):
            slot = r % self.slots
            offset = self.variant.block_bytes * slot
            memory = [f"{offset + self.row * h}(%rsp)" for h in range(4)]
            stored = [[] if slot == 0 else [self.stored[slot, h * self.row // 64]]
                      for h in range(4)]
            self.readers = []
            self.round(r, rows, memory, stored, f"{r}: ", r == 0 and self.order.word_to_b)
            if slot == 0:
                first_readers = self.readers
        return first_readers

    # ---- Blocks ----

    def block(self) -> list[tuple[float, str, str]]:
        """Returns a block with the named function's rounds, and the next block's words of round
        0."""
        add, rounds = self.program.add, self.variant.rounds
        permutations = []
        for r in range(1, self.slots):
            permutations += self.make_words(r, (r - 1) * self.order.pace, [], [])
        if self.is_blake3:
            start: Instruction | int = D
        else:
            start = add(-ROUND, "vpxor {0}, {1}, {d}", D, COUNTER, remark="v12 .. v15")
            counter = f"%{self.width}mm{COUNTER}"
            add(-ROUND, self.next_counter(counter, counter), INCREMENT, COUNTER, result=False,
                after=[start], remark="the next block's counter")
        rows = {"a": H0, "b": H1, "c": C, "d": start}
        readers = self.named_rounds(rows)
        if self.is_blake3:
            add(ROUND, f"vmovdqa64 (%rax), %xmm{D}", result=False, after=self.program.readers(D),
                remark="the next block's v12 .. v15")
        self.make_words(0, rounds - 1, self.load_next(permutations), readers)
        self.fold(rows)
        for nop in self.order.nops:
            for r in range(rounds):
                add(ROUND * r + nop, "nop", result=False)
        return self.program.lines()

    def next_counter(self, counter: str, to: str) -> str:
        """Returns the increment: in BLAKE2s it carries into the high word, in the others it does
        not."""
        q = "q" if self.variant.name == "blake2s" else self.q
        return f"vpadd{q} %{self.width}mm{INCREMENT}, {counter}, {to}"

    def fold(self, rows: dict) -> None:
        """Adds h ^= salt ^ v0 .. v7 ^ v8 .. v15, or BLAKE3's sums without h and salt; a and c are
        ready last."""
        add = self.program.add
        end = ROUND * self.variant.rounds + END
        if self.is_blake3:
            for h, out, first, second in ((H1, OUT1, "b", "d"), (H0, OUT0, "a", "c")):
                other = add(end, f"vpxord {{0}}, {{1}}, %xmm{out}", rows[second], h, result=False,
                            after=self.program.readers(h), remark=f"h ^ {second}")
                add(end, "vpxord {0}, {1}, {2}", rows[first], rows[second], h, result=False,
                    after=[other], remark=f"h = {first} ^ {second}")
            return
        for i, (h, first, second) in enumerate(((H1, "b", "d"), (H0, "a", "c"))):
            salted = []
            if self.variant.has_constants:
                salted.append(add(self.cycle(0, f"salt{i}"), f"vpxor{self.q} {{0}}, {{1}}, {{1}}",
                                  SALT, h, result=False, after=self.program.readers(h),
                                  remark="h ^= salt"))
            add(end, f"vpternlog{self.q} $0x96, {{0}}, {{1}}, {{2}}",
                rows[first], rows[second], h, result=False, after=salted,
                remark=f"h ^= {first} ^ {second}")

    def looped_round(self) -> list[tuple[float, str, str]]:
        """Returns a round on LOOP_ROWS with its words at %r10."""
        self.program = Program(self.width, [n for n in FREE if n not in LOOP_ROWS])
        rows = dict(zip("abcd", LOOP_ROWS, strict=True))
        self.round(0, rows, [f"{self.row * h}(%r10)" for h in range(4)], [[]] * 4, "")
        for row, register in zip("abcd", LOOP_ROWS, strict=True):
            self.program.add(ROUND + END, f"vmovdqa {{0}}, %{self.width}mm{register}", rows[row],
                             result=False)
        return self.program.lines()
