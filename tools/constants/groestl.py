# SPDX-License-Identifier: MIT OR Apache-2.0
"""Groestl's ShiftBytes, AddRoundConstant, T-tables and masks of bit slices."""

from constants.field import MIX_ROW, gf_multiply, sbox
from constants.text import BANNER, c_array

# ShiftBytes: row r moves left by this many columns.
SHIFT = {
    ("p", 8): [0, 1, 2, 3, 4, 5, 6, 7],
    ("q", 8): [1, 3, 5, 7, 0, 2, 4, 6],
    ("p", 16): [0, 1, 2, 3, 4, 5, 6, 11],
    ("q", 16): [1, 3, 5, 11, 0, 2, 4, 6],
}


def shift_of(name: str, columns: int, tweaked: bool) -> list[int]:
    """Returns the offsets; Groestl-0, the first submission, shifts Q like P."""
    return SHIFT[name if tweaked else "p", columns]


def round_constant(name: str, row: int, column: int, round_index: int, tweaked: bool = True) -> int:
    """Returns the byte that AddRoundConstant XORs to this byte of the state."""
    if not tweaked:
        place, value = (0, round_index) if name == "p" else (7, round_index ^ 0xFF)
        return value if (row, column) == (place, 0) else 0
    if name == "p":
        return (column << 4 ^ round_index) if row == 0 else 0
    return 0xFF ^ ((column << 4 ^ round_index) if row == 7 else 0)


def t_table(index: int, substitute: list[int]) -> list[int]:
    """Returns T_index: the term of a byte in row `index` in its column, row 0 in the lowest
    byte."""
    table = []
    for x in range(256):
        word = 0
        for row in range(8):
            factor = MIX_ROW[(index - row) % 8]
            word |= gf_multiply(factor, substitute[x]) << (8 * row)
        table.append(word)
    return table


def groestl_shift_tables() -> str:
    out = "\n/* ShiftBytes: the columns by which row r moves left. */\n"
    for (name, columns), offsets in SHIFT.items():
        out += c_array(f"uint8_t fin_shift_table_{name}{columns * 64}[8]", offsets, 2)
    return out


def groestl_tables_inc() -> str:
    out = BANNER.format(what="T-tables of Groestl: SubBytes and MixBytes of one byte.")
    out += "\n/* T_i = T_0 rotated by i bytes (guide, 4.4.1); row 0 in the lowest byte. */\n"
    substitute = sbox()
    out += "static const uint64_t fin_groestl_table[8][256] = {\n"
    for index in range(8):
        table = t_table(index, substitute)
        rows = [table[i : i + 4] for i in range(0, 256, 4)]
        body = ",\n     ".join(", ".join(f"0x{v:016x}" for v in row) for row in rows)
        out += "    {" + body + "},\n"
    return out + "};\n" + groestl_shift_tables()


def groestl_table32_inc() -> str:
    out = BANNER.format(what="Groestl's T-tables of 32-bit words.")
    out += "\n/* The lower halves of T_i: the upper half of T_i is that of T_(i + 4). */\n"
    substitute = sbox()
    out += "static const uint32_t fin_groestl_table32[8][256] = {\n"
    for index in range(8):
        table = [word & 0xFFFFFFFF for word in t_table(index, substitute)]
        rows = [table[i : i + 8] for i in range(0, 256, 8)]
        body = ",\n     ".join(", ".join(f"0x{v:08x}" for v in row) for row in rows)
        out += "    {" + body + "},\n"
    return out + "};\n" + groestl_shift_tables()


def groestl_table_round(name: str, columns: int) -> list[str]:
    """Returns the steps of a round. Row r of column c belongs to the sum of column c - shift[r].
    With sixteen columns, seven sums are kept at a time, those up to six columns back. A byte from
    further away is read from memory when its sum is completed, and so are bytes of the first
    columns that belong to the last sums."""
    shift = SHIFT[name, columns]
    sums = 8 if columns == 8 else 7
    lines: list[str] = []
    opened = set()

    def add(how: str, row: int, column: int, *place: int) -> None:
        kind = "ADD" if column in opened else "SET"
        opened.add(column)
        arguments = [kind, str(row), str(column % sums), *map(str, place)]
        lines.append(f"FIN_{how}({', '.join(arguments)})")

    for step in range(columns if columns == 8 else columns + sums - 1):
        source = step % columns
        target = {row: step - shift[row] for row in range(8) if shift[row] < sums}
        if columns == 8:
            target = {row: column % 8 for row, column in target.items()}
        lowest = None
        for row, column in sorted(target.items()):
            if not 0 <= column < columns:
                continue
            if step >= columns:
                add("BYTE", row, column, 8 * source + row)
                continue
            if lowest is None:
                lines.append(f"FIN_WORD({8 * source})")
                lowest = 0
            if row // 2 > lowest:
                lines.append(f"FIN_SKIP({16 * (row // 2 - lowest)})")
                lowest = row // 2
            add("HIGH" if row % 2 else "LOW", row, column)
        last = step - (sums - 1)
        if columns == 16 and last >= 0:
            far = shift.index(11)
            add("BYTE", far, last, 8 * ((last + 11) % columns) + far)
            lines.append(f"FIN_COLUMN({last}, {last % sums})")
    if columns == 8:
        lines += [f"FIN_COLUMN({column}, {column})" for column in range(8)]
    return lines


def groestl_table_round_inc() -> str:
    out = BANNER.format(what="A round of kern/groestl/table_x86_64.h.")
    out += "\n"
    for word, (name, columns) in zip(["if", "elif", "elif", "elif"], SHIFT, strict=True):
        wanted = f"FIN_V(STATE_BITS) == {columns * 64} && defined(FIN_WANT_{name.upper()})"
        out += f"#{word} {wanted}\n" + "\n".join(groestl_table_round(name, columns)) + "\n"
    return out + "#endif\n"


def shift_stage_masks(offsets: list[int], columns: int) -> list[list[int]]:
    """Returns for each power of two k the words (8 rows x 8 columns, a bit each) whose rows move by
    k."""
    stages = []
    k = 1
    while k < columns:
        mask = 0
        for row, offset in enumerate(offsets):
            if offset & k:
                mask |= 0xFF << (8 * row)
        stages.append(mask)
        k *= 2
    return stages


def groestl_bitslice_inc() -> str:
    out = BANNER.format(what="Masks of the bit-sliced Groestl.")
    out += (
        "\n/* In a bit plane row r is byte r, column c is bit c. Rows whose ShiftBytes offset has"
        "\n   bit 0, 1, 2 (3 for sixteen columns) set. */\n"
    )
    for (name, columns), offsets in SHIFT.items():
        masks = shift_stage_masks(offsets, columns)
        out += c_array(f"uint64_t fin_shift_{name}{columns * 64}[{len(masks)}]", masks, 16)
    return out


def aes_shift_rows() -> list[int]:
    """Returns the index, among its 16 bytes, of the byte whose substitute aesenclast writes to byte
    i."""
    return [4 * ((i // 4 + i % 4) % 4) + i % 4 for i in range(16)]


FILES = {
    "groestl_table.inc": groestl_tables_inc,
    "groestl_table32.inc": groestl_table32_inc,
    "groestl_table_round.inc": groestl_table_round_inc,
    "groestl_bitslice.inc": groestl_bitslice_inc,
}
