# SPDX-License-Identifier: MIT OR Apache-2.0
"""Groestl in rows: round constants, ShiftBytes masks, affine maps and nibble tables."""

import functools
import itertools
import operator

from constants.field import (
    MIX_ROW,
    Nibbles,
    affine_matrix,
    gf_multiply,
    mix_column,
    mix_inverse_row,
)
from constants.groestl import aes_shift_rows, round_constant, shift_of
from constants.text import BANNER, c_array

# Contents of 16 bytes: (columns, layout) -> for each register the parts that follow each other,
# (side, row). "joined": a row of P and that of Q, eight columns each. In the other layouts P and Q
# have their own registers: "halves": rows i and i + 4 of eight columns; "rows": row i of sixteen;
# "twice": row i of eight columns of two messages.
ROW_LAYOUTS = {
    "joined512": [[("p", i), ("q", i)] for i in range(8)],
    "halves512": [[(side, i), (side, i + 4)] for i in range(4) for side in "pq"],
    "rows1024": [[(side, i)] for i in range(8) for side in "pq"],
    "twice512": [[(side, i), (side, i)] for i in range(8) for side in "pq"],
}


def groestl_row_lines(layout: str, change, tweaked: bool) -> list[list[int]]:
    """Returns [round 0 .. rounds][register] of 16 bytes: entry 0 precedes round 0, entry n > 0 is
    change's result for the constants that follow round n - 1 (none after the last)."""
    columns, rounds = (16, 14) if layout == "rows1024" else (8, 10)
    out = []
    for i in range(rounds + 1):
        changed = {}
        for side in "pq":
            for column in range(columns):
                rows = [round_constant(side, row, column, i, tweaked) for row in range(8)]
                changed[side, column] = change(i, rows if i < rounds else [0] * 8)
        for parts in ROW_LAYOUTS[layout]:
            out.append([changed[side, c][row] for side, row in parts for c in range(columns)])
    return out


def constants_of_multiples(i: int, rows: list[int]) -> list[int]:
    """Rows 1 to 6 are equal, and a term of h_(2k) reaches rows 2k - 3 and 2k - 4: besides row 1
    only the differences of rows 0 and 7 are needed; rows 4 and 3, which share registers with them,
    must be 0."""
    if i == 0:
        return rows
    return [rows[0] ^ rows[1], rows[1], rows[2], 0, 0, rows[5], rows[6], rows[7] ^ rows[6]]


def constants_of_aes(i: int, rows: list[int]) -> list[int]:
    """Applies MixBytes' inverse, so that the rows become round keys of aesenclast."""
    return rows if i == 0 else mix_column(rows, mix_inverse_row())


def aes_key_of_doublings(left_out: int) -> str:
    """Returns the term of a round key if MixBytes' doublings leave `left_out` out of each byte."""
    return f"UINT64_C(0x{bytes(mix_column([left_out] * 8, mix_inverse_row())).hex()})"


def row_shift(layout: str, aes: bool, tweaked: bool) -> list[int]:
    """Returns [register]: the pshufb masks of ShiftBytes."""
    columns = 16 if layout == "rows1024" else 8
    out = []
    for parts in ROW_LAYOUTS[layout]:
        wanted = [
            columns * part + (column + shift_of(side, columns, tweaked)[row]) % columns
            for part, (side, row) in enumerate(parts)
            for column in range(columns)
        ]
        mask = list(wanted)
        if aes:
            for i in range(16):
                mask[aes_shift_rows()[i]] = wanted[i]
        out += mask
    return out


def groestl_rows_inc(what: str, lines_of, aes: bool, of_round: str = "") -> str:
    """Returns the file; of_round is a macro around the constants that follow a round."""
    out = BANNER.format(what=f"Groestl in rows, {what}.")
    for layout, tweaked in itertools.product(ROW_LAYOUTS, (True, False)):
        name, of_which = (layout, "") if tweaked else (layout + "_0", " of Groestl-0")
        lines = lines_of(layout, tweaked)
        words_of = [int.from_bytes(line[k : k + 8], "little") for line in lines for k in (0, 8)]
        out += f"\n/* AddRoundConstant{of_which}: [round][register] */\n"
        declaration = f"_Alignas(32) uint64_t fin_constants_{name}[{len(words_of)}]"
        out += c_array(declaration, words_of, 16, of_round, 2 * len(ROW_LAYOUTS[layout]))
        masks = row_shift(layout, aes, tweaked)
        tail = " and the inverse of AES ShiftRows" if aes else ""
        out += f"\n/* ShiftBytes{of_which}{tail}: [register][byte] */\n"
        out += c_array(f"_Alignas(32) uint8_t fin_shift_{name}[{len(masks)}]", masks, 2)
    return out


def groestl_rows_aes_inc() -> str:
    # Terms for doublings that leave out 1b; see kern/groestl/aes.h.
    of_48 = aes_key_of_doublings(0x1B ^ gf_multiply(2, 0x1B))
    of_four_layers = aes_key_of_doublings(0x1B)
    tables = groestl_rows_inc(
        "round keys of aesenclast",
        lambda layout, tweaked: groestl_row_lines(layout, constants_of_aes, tweaked),
        True,
        "K",
    )
    banner, rest = tables.split("\n\n", 1)
    return f"""{banner}

/* The terms that the doublings of MixBytes leave out, through its inverse (kern/groestl/aes.h). */
#define FIN_AES_LEFT_OUT_48 {of_48}
#define FIN_AES_LEFT_OUT_FOUR_LAYERS {of_four_layers}

{rest}"""


def groestl_rows_aese_inc() -> str:
    def keys(layout: str, tweaked: bool) -> list[list[int]]:
        # aese adds its key first, so the constants of round n, shuffled like its state, are the key
        # of round n: entry n + 1. Nothing precedes round 0.
        plain = groestl_row_lines(layout, lambda _, rows: rows, tweaked)
        registers = len(ROW_LAYOUTS[layout])
        masks = row_shift(layout, True, tweaked)
        moved = [
            [line[place] for place in masks[16 * (k % registers) : 16 * (k % registers) + 16]]
            for k, line in enumerate(plain)
        ]
        return [[0] * 16] * registers + moved[:-registers]

    return groestl_rows_inc("keys of aese", keys, True)


def groestl_fold_inc() -> str:
    out = BANNER.format(what="Reduction of the bits that 4 x + 2 y shifts out of a byte.")
    out += "\n/* [4 (bit 7 of x) + 2 (bit 6 of x) + bit 7 of y] */\n"
    table = [
        gf_multiply(4, 0x80 * (i >> 2 & 1) | 0x40 * (i >> 1 & 1)) ^ gf_multiply(2, 0x80 * (i & 1))
        for i in range(8)
    ]
    return out + c_array("_Alignas(16) uint8_t fin_groestl_fold[16]", table + [0] * 8, 2)


def groestl_rows_gfni_inc() -> str:
    out = groestl_rows_inc(
        "affine maps of GFNI",
        lambda layout, tweaked: groestl_row_lines(layout, constants_of_multiples, tweaked),
        False,
    )
    out += "\n/* c . S as matrices of vgf2p8affineinvqb, and the constants c . 63. */\n"
    for factor in (0x01, 0x02, 0x03, 0x04, 0x05):
        out += f"#define FIN_MATRIX_{factor:02x} UINT64_C(0x{affine_matrix(factor):016x})\n"
        out += f"#define FIN_OFFSET_{factor:02x} 0x{gf_multiply(factor, 0x63):02x}\n"
    # MixBytes of a column of equal bytes is their product with the sum of the matrix's row.
    total = functools.reduce(operator.xor, MIX_ROW)
    before_mix = next(x for x in range(256) if gf_multiply(total, x) == 0xFF)
    out += "\n/* Offsets that make MixBytes' result inverted. */\n"
    for factor in (0x02, 0x03, 0x05):
        offset = gf_multiply(factor, 0x63 ^ before_mix)
        out += f"#define FIN_OFFSET_INVERTED_{factor:02x} 0x{offset:02x}\n"
    return out


def groestl_rows_vperm_inc() -> str:
    field = Nibbles()

    def change(i: int, rows: list[int]) -> list[int]:
        # MixBytes of 63 in each byte, because the output tables omit it.
        left_out = 0 if i == 0 else mix_column([0x63] * 8, MIX_ROW)[0]
        rows = constants_of_multiples(i, [x ^ left_out for x in rows])
        return [field.to_nibbles[x] for x in rows]

    out = groestl_rows_inc(
        "vector permutations",
        lambda layout, tweaked: groestl_row_lines(layout, change, tweaked),
        False,
    )
    tables = {
        "to_nibbles_low": field.to_nibbles[:16],
        "to_nibbles_high": field.to_nibbles[::16],
        "from_nibbles_low": field.from_nibbles[:16],
        "from_nibbles_high": field.from_nibbles[::16],
        "reciprocal": field.reciprocals(1),
        "a_over": field.reciprocals(field.a),
    }
    for factor in (1, 2, 4):
        tables[f"s{factor}_u"], tables[f"s{factor}_w"] = field.outputs(factor)
    out += "\n/* GF(2^8) over GF(2^4): k + i s is the byte 16 i + k; 80 is infinity. */\n"
    for name, table in tables.items():
        out += c_array(f"_Alignas(16) uint8_t fin_vperm_{name}[16]", table, 2)
    return out


FILES = {
    "groestl_rows_aes.inc": groestl_rows_aes_inc,
    "groestl_rows_aese.inc": groestl_rows_aese_inc,
    "groestl_fold.inc": groestl_fold_inc,
    "groestl_rows_gfni.inc": groestl_rows_gfni_inc,
    "groestl_rows_vperm.inc": groestl_rows_vperm_inc,
}
