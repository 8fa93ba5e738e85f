# SPDX-License-Identifier: MIT OR Apache-2.0
"""Groestl with a column in eight consecutive bytes."""

from constants.field import MIX_ROW, affine_matrix, gf_multiply
from constants.groestl import SHIFT, aes_shift_rows, round_constant
from constants.text import BANNER, c_array


def column_order(columns: int) -> list[list[int]]:
    """Returns the columns of each register. Two registers hold the even and the odd ones."""
    step = columns // 8
    return [list(range(first, columns, step)) for first in range(step)]


def column_shift(name: str, columns: int, rotation: int, aes: bool) -> list[list[int]]:
    """Returns for each register the vpermb mask of ShiftBytes followed by a rotation that brings
    row r + rotation to row r. It indexes the register that holds a row's source after rows with an
    odd offset have changed registers."""
    masks = []
    step = columns // 8
    for held in column_order(columns):
        wanted = [0] * 64
        for place, column in enumerate(held):
            for row in range(8):
                source = (row + rotation) % 8
                offset = SHIFT[name, columns][source]
                wanted[8 * place + row] = 8 * ((column + offset) % columns // step) + source
        mask = list(wanted)
        if aes:
            for i in range(64):
                mask[(i & ~15) + aes_shift_rows()[i & 15]] = wanted[i]
        masks.append(mask)
    return masks


def groestl_columns_inc() -> str:
    out = BANNER.format(what="Groestl with a column in eight consecutive bytes.")
    out += "\n/* c . S as matrices of vgf2p8affineinvqb, and the constants c . 63. */\n"
    factors = [0x01, *sorted(set(MIX_ROW))]
    for factor in factors:
        out += f"#define FIN_MATRIX_{factor:02x} UINT64_C(0x{affine_matrix(factor):016x})\n"
        out += f"#define FIN_OFFSET_{factor:02x} 0x{gf_multiply(factor, 0x63):02x}\n"
    for columns, rounds in ((8, 10), (16, 14)):
        bits = 64 * columns
        held = [column for register in column_order(columns) for column in register]
        values = [
            sum(round_constant(name, row, column, i) << (8 * row) for row in range(8))
            for i in range(rounds)
            for name in "pq"
            for column in held
        ]
        order = "even, then odd columns" if columns == 16 else "columns"
        out += f"\n/* AddRoundConstant: [round][P, Q][{order}] */\n"
        out += c_array(
            f"_Alignas(64) uint64_t fin_column_constants{bits}[{2 * rounds * columns}]", values, 16
        )
        for title, rotations, aes in (("", (0, 2, 3, 4, 7), False), ("_aes", (0,), True)):
            after = ", then the inverse of AES ShiftRows" if aes else ""
            out += f"\n/* ShiftBytes{after}; rows rotated by {', '.join(map(str, rotations))}:"
            out += " [rotation][register][byte] */\n"
            for name in "pq":
                rotated = [column_shift(name, columns, rotation, aes) for rotation in rotations]
                flat = [i for masks in rotated for mask in masks for i in mask]
                what = f"_Alignas(64) uint8_t fin_column_shift{title}_{name}{bits}[{len(flat)}]"
                out += c_array(what, flat, 2)
    out += "\n/* Rows with an odd offset, which come from the other register. */\n"
    for name in "pq":
        rows = sum((offset & 1) << row for row, offset in enumerate(SHIFT[name, 16]))
        out += f"#define FIN_COLUMN_CROSS_{name.upper()} UINT64_C(0x{rows * (2**64 // 255):016x})\n"
    return out


FILES = {
    "groestl_columns.inc": groestl_columns_inc,
}
