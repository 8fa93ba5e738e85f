#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Finds the fewest vpperm that load BLAKE's message rows of 32-bit words (AVX paper, section 7.2).

    tools/vpperm.py     print the numbers that the search finds; fail if the paper has fewer

Sixteen words lie in four registers m_0 .. m_3; a round needs them as four rows. vpperm selects any
four words of two registers, so a row of words from two registers costs one, a row from three or
four registers two or three, if each row is made alone: 78 for the ten permutations, as in the
paper. But two rows may share the intermediate register: where both need two words of m_i and m_j,
one vpperm selects all four. The search tries every way to group the words of each row and counts
such shared intermediates; gen.py writes the result as core/gen/blake_load_vpperm.inc.
"""

import itertools
import sys

from kernels.rounds import row_words

# The paper's numbers: ten permutations, and the 14 rounds of BLAKE-256 without caching.
PAPER_TEN, PAPER_FOURTEEN = 78, 94

Row = list[int]
# (two registers, the words to take from them)
Group = tuple[tuple[int, int], tuple[int, ...]]


def ways_of(row: Row) -> list[list[Group]]:
    """Returns the groups of words to combine first, so that one vpperm of two registers remains."""
    words: dict[int, tuple[int, ...]] = {}
    for word in row:
        words[word // 4] = (*words.get(word // 4, ()), word)
    registers = sorted(words)
    if len(registers) <= 2:
        return [[]]
    if len(registers) == 3:
        pairs = itertools.combinations(registers, 2)
        return [[((i, j), words[i] + words[j])] for i, j in pairs]
    partners = [((0, i), tuple(r for r in (1, 2, 3) if r != i)) for i in (1, 2, 3)]
    return [[(pair, words[pair[0]] + words[pair[1]]) for pair in both] for both in partners]


def pack(groups: list[Group]) -> list[Group]:
    """Returns the fewest intermediates of up to four words that hold the groups undivided."""
    packed: list[Group] = []
    for pair, words in sorted(groups, key=lambda group: -len(group[1])):
        for at, (other, held) in enumerate(packed):
            if other == pair and len(held) + len(words) <= 4:
                packed[at] = (pair, held + words)
                break
        else:
            packed.append((pair, words))
    return packed


def intermediates_of(rows: list[Row]) -> list[Group]:
    """Returns the fewest intermediates for the four rows of a round; the first choice on a tie."""
    choices = itertools.product(*map(ways_of, rows))
    return min((pack(sum(choice, [])) for choice in choices), key=len)


def plan(rows: list[Row]) -> list[tuple[str, str, str, list[int]]]:
    """Returns the vpperm of a round in order: target, two sources, and which of their eight
    words."""
    held = {f"m[{r}]": [4 * r + i for i in range(4)] for r in range(4)}
    steps = []

    def permute(target: str, wanted: Row, sources: tuple[str, str]) -> None:
        both = held[sources[0]] + held[sources[1]]
        steps.append((target, *sources, [both.index(word) for word in wanted]))

    for number, (pair, words) in enumerate(intermediates_of(rows)):
        held[f"t{number}"] = [*words, *[words[0]] * (4 - len(words))]
        permute(f"t{number}", held[f"t{number}"], (f"m[{pair[0]}]", f"m[{pair[1]}]"))
    for number, row in enumerate(rows):
        for sources in itertools.combinations_with_replacement(held, 2):
            if set(row) <= set(held[sources[0]] + held[sources[1]]):
                permute(f"row[{number}]", row, sources)
                break
        else:
            raise AssertionError(f"no two registers hold {row}")
    return steps


def main() -> int:
    counts = [len(plan(row_words(r))) for r in range(10)]
    ten, fourteen = sum(counts), sum(counts) + sum(counts[:4])
    print("vpperm a round:", *counts)
    print(f"ten permutations: {ten} (paper: {PAPER_TEN})")
    print(f"14 rounds without caching: {fourteen} (paper: {PAPER_FOURTEEN})")
    return 1 if ten > PAPER_TEN or fourteen > PAPER_FOURTEEN else 0


if __name__ == "__main__":
    sys.exit(main())
