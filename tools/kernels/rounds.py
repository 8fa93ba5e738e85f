# SPDX-License-Identifier: MIT OR Apache-2.0
"""Describes the compression functions of BLAKE, BLAKE2 and BLAKE3: G, its words and its constants.

Only values without a shorter definition are given as data: the ten permutations sigma of the BLAKE
specification, BLAKE3's permutation and the rotations.
"""

import functools
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

SIGMA = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]
# Word i of a round is word BLAKE3_PERMUTATION[i] of the previous round.
BLAKE3_PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
BLAKE3_ROUNDS = 7

# ---- Constants ----


@functools.cache
def pi_fraction(bits: int) -> int:
    """Returns the first `bits` bits of pi after the binary point, by Machin's formula."""
    guard = 64
    one = 1 << (bits + guard)

    def arctan_inverse(x: int) -> int:
        total, term, n, sign = 0, one // x, 1, 1
        while term:
            total += sign * (term // n)
            term //= x * x
            n += 2
            sign = -sign
        return total

    pi = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))
    return (pi >> guard) & ((1 << bits) - 1)


def primes(count: int) -> list[int]:
    found: list[int] = []
    n = 2
    while len(found) < count:
        if all(n % p for p in found):
            found.append(n)
        n += 1
    return found


def sqrt_fraction(prime: int, bits: int) -> int:
    return math.isqrt(prime << (2 * bits)) & ((1 << bits) - 1)


def words(value: int, count: int, bits: int) -> list[int]:
    return [(value >> (bits * (count - 1 - i))) & ((1 << bits) - 1) for i in range(count)]


# ---- Compression functions ----


@dataclass(frozen=True)
class Variant:
    """A compression function."""

    name: str  # as in core/alg.def
    family: str  # "blake": G adds words XORed with constants; "blake2"; "blake3"
    word_bits: int
    rounds: int
    rotations: tuple[int, int, int, int]

    @property
    def word_bytes(self) -> int:
        return self.word_bits // 8

    @property
    def block_bytes(self) -> int:
        return 16 * self.word_bytes

    @property
    def has_constants(self) -> bool:
        return self.family == "blake"

    @property
    def schedule(self) -> list[list[int]]:
        """Returns the words that G_0 .. G_7 take, two each, for each round until they repeat."""
        return blake3_schedule() if self.family == "blake3" else SIGMA

    @property
    def initial(self) -> list[int]:
        """Returns the initial value, which in BLAKE2 and BLAKE3 also seeds v_8 .. v_15."""
        return [sqrt_fraction(p, 64) >> (64 - self.word_bits) for p in primes(8)]

    @property
    def constants(self) -> list[int]:
        """Returns u_0 .. u_15."""
        return words(pi_fraction(16 * self.word_bits), 16, self.word_bits)

    @property
    def seed(self) -> list[int]:
        """Returns v_8 .. v_15 before salt, counter and flags are XORed to them."""
        return self.constants[:8] if self.has_constants else self.initial


VARIANTS = {
    each.name: each
    for each in (
        Variant("blake256", "blake", 32, 14, (16, 12, 8, 7)),
        Variant("blake512", "blake", 64, 16, (32, 25, 16, 11)),
        Variant("blake2b", "blake2", 64, 12, (32, 24, 16, 63)),
        Variant("blake2s", "blake2", 32, 10, (16, 12, 8, 7)),
        Variant("blake3", "blake3", 32, BLAKE3_ROUNDS, (16, 12, 8, 7)),
    )
}


def blake3_schedule() -> list[list[int]]:
    rows = [list(range(16))]
    while len(rows) < BLAKE3_ROUNDS:
        rows.append([rows[-1][i] for i in BLAKE3_PERMUTATION])
    return rows


# ---- G ----

Name = Hashable  # of a word or a row of the state, as the kernel names it


@dataclass(frozen=True)
class Operation:
    """An operation, by kind:
    word   target += message word number of the round (in the order of the schedule's row)
    add    target += source
    xor    target ^= source
    rotate target >>>= rotations[number]
    """

    kind: str
    target: Name
    source: Name | None = None
    number: int = 0

    @property
    def reads(self) -> set[Name]:
        return {self.target} | ({self.source} if self.source is not None else set())


def g(a: Name, b: Name, c: Name, d: Name, x: int, y: int) -> list[Operation]:
    """Returns G on four words or rows of the state with the message words, or rows of words, x and
    y."""
    steps = []
    for half, word in enumerate((x, y)):
        steps += [
            Operation("word", a, number=word),
            Operation("add", a, b),
            Operation("xor", d, a),
            Operation("rotate", d, number=2 * half),
            Operation("add", c, d),
            Operation("xor", b, c),
            Operation("rotate", b, number=2 * half + 1),
        ]
    return steps


# The words v_i of G_0 .. G_7.
COLUMNS = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
DIAGONALS = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]


def round_of_words() -> list[Operation]:
    """Returns a round on v_0 .. v_15, G by G."""
    return [
        step
        for i, place in enumerate(COLUMNS + DIAGONALS)
        for step in g(*place, 2 * i, 2 * i + 1)
    ]


def dependencies(operations: Sequence[Operation]) -> list[list[int]]:
    """Returns for each operation the earlier ones that it may not overtake while every name keeps
    its register: the writers of names it reads and the readers of the name it writes. Indices below
    0 are those of the same operations a round before."""
    count = len(operations)
    found = []
    for index, this in enumerate(operations):
        before, wanted = [], set(this.reads)
        for other in range(index - 1, index - 1 - count, -1):
            that = operations[other % count]
            if that.target in wanted:
                wanted.discard(that.target)
                before.append(other)
            elif this.target in wanted & that.reads:
                before.append(other)
        found.append(before)
    return found


# ---- Rows ----

# The G that each lane of the diagonal step computes. Row b stays in place (core/kern/blake/rows.h),
# so lane i holds v_(4 + i) and belongs to G_7, G_4, G_5, G_6.
DIAGONAL = [7, 4, 5, 6]


def rows_of(schedule_row: Sequence[int]) -> list[list[int]]:
    """Returns a round's words as rows: x and y of the column step, x and y of the diagonal step."""
    return [
        [schedule_row[2 * i] for i in range(4)],
        [schedule_row[2 * i + 1] for i in range(4)],
        [schedule_row[2 * i] for i in DIAGONAL],
        [schedule_row[2 * i + 1] for i in DIAGONAL],
    ]


# BLAKE3's rounds follow those of BLAKE and BLAKE2, as rounds 10 to 16 of one schedule.
SCHEDULE = SIGMA + blake3_schedule()


def row_words(r: int) -> list[list[int]]:
    return rows_of(SCHEDULE[r])


def row_constants(r: int) -> list[list[int]]:
    """Returns the indices of the constants u for row_words(r): G takes them crosswise."""
    x_column, y_column, x_diagonal, y_diagonal = row_words(r)
    return [y_column, x_column, y_diagonal, x_diagonal]
