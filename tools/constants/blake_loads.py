# SPDX-License-Identifier: MIT OR Apache-2.0
"""Message rows of BLAKE, BLAKE2 and BLAKE3 by the shuffles of each instruction set."""

import vpperm
from kernels.rounds import SCHEDULE, SIGMA, row_words

from constants.text import BANNER, nested, pick_function


def all_row_words(rounds: int = len(SIGMA)) -> list[list[int]]:
    return [row for r in range(rounds) for row in row_words(r)]


def all_row_words32() -> list[list[int]]:
    """Returns all rows, those of BLAKE3 from row 40 on."""
    return all_row_words(len(SCHEDULE))


def in_two(expressions: list[str]) -> tuple[list[str], list[str]]:
    """Splits rows into those of the ten rounds of SIGMA and BLAKE3's."""
    return expressions[:40], expressions[40:]


def shuffle2(target: list[int]) -> str:
    """Returns any four words of m[0..3] (four words each) by at most three two-source shuffles,
    each of which takes two words from its first and two from its second operand."""

    def half(pair: list[int]) -> tuple[str, list[int]]:
        a, b = pair
        if a // 4 == b // 4:
            return f"m[{a // 4}]", [a % 4, b % 4]
        first = f"V_SHUFFLE2(m[{a // 4}], m[{b // 4}], {a % 4}, {a % 4}, {b % 4}, {b % 4})"
        return first, [0, 2]

    (low, [i, j]), (high, [k, n]) = half(target[:2]), half(target[2:])
    return f"V_SHUFFLE2({low}, {high}, {i}, {j}, {k}, {n})"


def blake_load_shuffle_inc() -> str:
    out = BANNER.format(what="Message rows of 32-bit words by two-source shuffles.")
    out += "\n/* V_SHUFFLE2(a, b, i, j, k, n) = a_i, a_j, b_k, b_n */\n"
    expressions = [shuffle2(target) for target in all_row_words32()]
    counts = [sum(e.count("V_SHUFFLE2") for e in part) for part in in_two(expressions)]
    out += f"/* {counts[0]} shuffles in ten rounds, {counts[1]} in BLAKE3's seven. */\n"
    return out + pick_function("vec32 fin_pick_shuffle32(const vec32 m[4], int which)", expressions)


def blend_search(target: list[int]) -> str:
    """Returns the cheapest tree of blends, unpacks, byte alignments and one-source shuffles for
    four words of m[0..3]. Vectors are known by their useful lanes only: there are at most 5^4 of
    them."""
    wanted = set(target)
    goal = tuple(target)

    def useful(lanes: list[int | None]) -> tuple[int | None, ...]:
        return tuple(w if w in wanted else None for w in lanes)

    def fits(v: tuple[int | None, ...]) -> bool:
        return v == goal

    def unary(v: tuple[int | None, ...]) -> list[tuple[tuple[int | None, ...], str]]:
        if not wanted <= set(v):
            return []
        order = [v.index(w) for w in goal]
        return [(goal, "V_SHUFFLE1({0}, " + ", ".join(map(str, order)) + ")")]

    def binary(
        v: tuple[int | None, ...], w: tuple[int | None, ...]
    ) -> list[tuple[tuple[int | None, ...], str]]:
        results = []
        for mask in range(1, 15):
            lanes = [w[i] if mask >> i & 1 else v[i] for i in range(4)]
            results.append((tuple(lanes), f"V_BLEND({{0}}, {{1}}, {mask})"))
        results.append(((v[0], w[0], v[1], w[1]), "V_UNPACK_LOW({0}, {1})"))
        results.append(((v[2], w[2], v[3], w[3]), "V_UNPACK_HIGH({0}, {1})"))
        for n in range(1, 4):
            lanes = (v + w)[n : n + 4]
            results.append((lanes, f"V_ALIGN({{1}}, {{0}}, {n})"))
        return results

    levels: list[dict[tuple[int | None, ...], str]] = [{}]
    known: dict[tuple[int | None, ...], str] = {}
    for k in range(4):
        v = useful([4 * k + i for i in range(4)])
        if any(w is not None for w in v):
            levels[0][v] = known[v] = f"m[{k}]"
    while goal not in known:
        cost = len(levels)
        found: dict[tuple[int | None, ...], str] = {}

        def add(v: tuple[int | None, ...], text: str, found: dict = found) -> None:
            if v not in known and v not in found:
                found[v] = text

        for v, text in levels[cost - 1].items():
            for result, form in unary(v):
                add(result, form.format(text))
        for a in range(cost):
            for v, v_text in levels[a].items():
                for w, w_text in levels[cost - 1 - a].items():
                    for result, form in binary(v, w):
                        add(result, form.format(v_text, w_text))
        levels.append(found)
        known.update(found)
    return known[goal]


def blake_load_blend_inc() -> str:
    out = BANNER.format(what="Message rows of 32-bit words by blends and shuffles.")
    expressions = [blend_search(target) for target in all_row_words32()]
    counts = [sum(e.count("V_") for e in part) for part in in_two(expressions)]
    out += (
        "\n/* V_BLEND(a, b, mask): lanes of b where the mask has a bit. V_SHUFFLE1(a, i, j, k, n):"
        "\n   a_i, a_j, a_k, a_n. V_ALIGN(b, a, n): four words of a and b from word n of a on."
        f"\n   {counts[0]} instructions in ten rounds, {counts[1]} in BLAKE3's seven. */\n"
    )
    return out + pick_function("vec32 fin_pick_blend32(const vec32 m[4], int which)", expressions)


def pair_of(first: int, second: int) -> str:
    """Returns two words of m[0..7] (two words each), in at most one shuffle."""
    if first // 2 == second // 2 and first < second:
        return f"m[{first // 2}]"
    return f"V_PAIR(m[{first // 2}], m[{second // 2}], {first % 2}, {second % 2})"


def blake_load_pair_inc() -> str:
    out = BANNER.format(what="Message rows from registers that hold two words each.")
    expressions = [f"V_ROW({pair_of(*t[:2])}, {pair_of(*t[2:])})" for t in all_row_words32()]
    counts = [sum(e.count("V_PAIR") for e in part) for part in in_two(expressions)]
    out += (
        "\n/* V_PAIR(a, b, i, j) = a_i, b_j as a V_TWO. V_ROW(low, high) joins two as a V_FOUR."
        f"\n   {counts[0]} shuffles in ten rounds, {counts[1]} in BLAKE3's seven. */\n"
    )
    return out + pick_function("V_FOUR V_PICK(const V_TWO m[8], int which)", expressions)


def blake_load_table_inc() -> str:
    out = BANNER.format(what="Message rows of 32-bit words as indices of their bytes.")
    rows_of = [
        [[4 * word + k for word in row for k in range(4)] for row in row_words(r)]
        for r in range(len(SCHEDULE))
    ]
    out += "\n/* Round r: the four rows of blake_rows.inc, as each byte's index in the block. */\n"
    declaration = f"_Alignas(16) uint8_t fin_rows_place[{len(SCHEDULE)}][4][16]"
    return out + nested(declaration, rows_of, 2)


def blake_load_broadcast_inc() -> str:
    out = BANNER.format(what="Message rows of 64-bit words from pairs in both halves.")

    def row(target: list[int]) -> str:
        low, high = pair_of(*target[:2]), pair_of(*target[2:])
        a, b, c, d = target
        if {a // 2, b // 2} == {c // 2, d // 2} and a // 2 == c // 2:
            return f"V_PAIRS(m[{a // 2}], m[{b // 2}], {a % 2}, {b % 2}, {c % 2}, {d % 2})"
        return f"V_HALVES({low}, {high})"

    expressions = [row(t) for t in all_row_words()]
    count = sum(e.count("V_") for e in expressions)
    out += (
        "\n/* m[k] holds words 2k and 2k + 1 in its low and in its high half."
        "\n   V_PAIR(a, b, i, j) = a_i, b_j in both halves; V_PAIRS chooses for each half."
        "\n   V_HALVES(a, b) = low half of a, high half of b."
        f"\n   {count} instructions in ten rounds. */\n"
    )
    return out + pick_function(
        "vec64 fin_pick_broadcast64(const vec64 m[8], int which)", expressions
    )


def blake_load_split_inc() -> str:
    out = BANNER.format(what="Message rows of 64-bit words, 0 2 | 1 3, from pairs in both halves.")

    def halves(low: int, high: int) -> str:
        if low // 2 == high // 2:
            return f"m[{low // 2}]"
        return f"V_HALVES(m[{low // 2}], m[{high // 2}])"

    def row(target: list[int]) -> str:
        a, b, c, d = target
        return f"V_EACH({halves(a, b)}, {halves(c, d)}, {a % 2}, {c % 2}, {b % 2}, {d % 2})"

    expressions = [row(t) for t in all_row_words()]
    count = sum(e.count("V_") for e in expressions)
    out += (
        "\n/* m[k] holds words 2k and 2k + 1 in its low and in its high half."
        "\n   V_HALVES(a, b) = low half of a, high half of b."
        "\n   V_EACH(a, b, i, j, k, n) = a_i, b_j of the low halves | a_k, b_n of the high halves."
        f"\n   {count} instructions in ten rounds. */\n"
    )
    return out + pick_function("vec64 fin_pick_split64(const vec64 m[8], int which)", expressions)


def blake_load_permute_inc() -> str:
    out = BANNER.format(what="Masks that blend message rows from their halves.")
    masks8 = [
        sum((w >> 3 & 1) << i for i, w in enumerate(a + b))
        for a, b in zip(all_row_words()[0::2], all_row_words()[1::2], strict=True)
    ]
    out += "\n/* Eight words, x and y of a step: step = 2 * round, + 1 for the diagonal step. */\n"
    out += "FIN_INLINE vec32x2 fin_blend_step32(vec32x2 low, vec32x2 high, int step)\n{\n"
    out += "    switch (step) {\n"
    for step, mask in enumerate(masks8):
        label = f"    case {step}:" if step < 19 else "    default:"
        out += f"{label}\n        return V_BLEND_STEP(low, high, 0x{mask:02x});\n"
    return out + "    }\n}\n"


def blake_load_vpperm_inc() -> str:
    out = BANNER.format(what="Message rows of 32-bit words by vpperm.")
    plans = [vpperm.plan(row_words(r)) for r in range(len(SCHEDULE))]
    count = sum(map(len, plans[:10]))
    again = count + sum(map(len, plans[:4]))
    out += (
        "\n/* V_PERMUTE(a, b, i, j, k, n): four of the words a_0 .. a_3, b_0 .. b_3 = 4 .. 7."
        f"\n   {count} in ten rounds, {again} in the 14 of BLAKE-256,"
        f" {sum(map(len, plans[10:]))} in BLAKE3's seven. */\n"
        "\nFIN_INLINE void fin_permute_round32(const vec32 m[4], vec32 row[4], int round)\n"
        "{\n    switch (round) {\n"
    )
    for r, plan in enumerate(plans):
        out += f"    case {r}: {{\n" if r < len(plans) - 1 else "    default: {\n"
        for target, a, b, which in plan:
            declared = target if target.startswith("row") else f"const vec32 {target}"
            out += f"        {declared} = V_PERMUTE({a}, {b}, {', '.join(map(str, which))});\n"
        out += "        break;\n    }\n"
    return out + "    }\n}\n"


FILES = {
    "blake_load_shuffle.inc": blake_load_shuffle_inc,
    "blake_load_blend.inc": blake_load_blend_inc,
    "blake_load_pair.inc": blake_load_pair_inc,
    "blake_load_table.inc": blake_load_table_inc,
    "blake_load_broadcast.inc": blake_load_broadcast_inc,
    "blake_load_split.inc": blake_load_split_inc,
    "blake_load_permute.inc": blake_load_permute_inc,
    "blake_load_vpperm.inc": blake_load_vpperm_inc,
}
