# SPDX-License-Identifier: MIT OR Apache-2.0
"""Constants of BLAKE, BLAKE2 and BLAKE3: initial values, sigma, padding sums, rows."""

from kernels.rounds import (
    SCHEDULE,
    SIGMA,
    pi_fraction,
    primes,
    row_constants,
    row_words,
    sqrt_fraction,
    words,
)

from constants.text import BANNER, c_array, nested


def blake_inc() -> str:
    first, second = primes(16)[:8], primes(16)[8:]
    out = BANNER.format(what="Constants of BLAKE and BLAKE2.")
    out += "\n/* Initial values: BLAKE-256, -512 and BLAKE2 those of SHA-256, SHA-512; -224, -384 \
those\n   of SHA-224, SHA-384. */\n"
    iv512 = [sqrt_fraction(p, 64) for p in first]
    iv384 = [sqrt_fraction(p, 64) for p in second]
    out += c_array("uint32_t fin_iv256[8]", [w >> 32 for w in iv512], 8)
    out += c_array("uint32_t fin_iv224[8]", [w & 0xFFFFFFFF for w in iv384], 8)
    out += c_array("uint64_t fin_iv512[8]", iv512, 16)
    out += c_array("uint64_t fin_iv384[8]", iv384, 16)
    return out


def blake_round_inc() -> str:
    out = BANNER.format(what="Message schedule and constants of BLAKE and BLAKE2.")
    out += "\n/* sigma_r: the message words that each G of round r takes; "
    out += "rounds from 10 on are BLAKE3's. */\n"
    out += f"static const uint8_t fin_sigma[{len(SCHEDULE)}][16] = {{\n"
    for row in SCHEDULE:
        out += "    {" + ", ".join(str(v) for v in row) + "},\n"
    out += "};\n\n/* u_0 .. u_15: the first bits of pi after the binary point. */\n"
    out += c_array("uint32_t fin_u256[16]", words(pi_fraction(512), 16, 32), 8)
    out += c_array("uint64_t fin_u512[16]", words(pi_fraction(1024), 16, 64), 16)
    return out


def blake_padding_sums_inc() -> str:
    """Returns G's sums for padding after 64 bytes: a block of 32-bit words, half a block of 64-bit
    words."""
    out = BANNER.format(what="Padding after 64 bytes, XORed with constants.")
    out += "\n/* Index 16 r + i: word i of round r; + 160: full digests. Other words: zeros. */\n"
    for bits, first in ((32, 0), (64, 8)):
        u = words(pi_fraction(16 * bits), 16, bits)
        sums = []
        for full in (0, 1):
            padding = [0] * 16
            padding[first], padding[13], padding[15] = 1 << (bits - 1), full, 8 * 64
            sums += [padding[row[i]] ^ u[row[i ^ 1]] for row in SIGMA for i in range(16)]
        out += c_array(f"uint{bits}_t fin_padding_sums{8 * bits}[2 * 160]", sums, bits // 4)
    return out


def blake_asm_inc() -> str:
    out = BANNER.format(what="Constants of BLAKE, BLAKE2 and BLAKE3 for assembly.")
    out += "\n/* FIN_SIGMA(r, the message words of round r); FIN_SIGMA_OF_BLAKE3: r from 10 on. */"
    out += "\n#ifdef FIN_SIGMA\n"
    for r, row in enumerate(SCHEDULE):
        if r == len(SIGMA):
            out += "#undef FIN_SIGMA\n#endif\n#ifdef FIN_SIGMA_OF_BLAKE3\n"
        name = "FIN_SIGMA" if r < len(SIGMA) else "FIN_SIGMA_OF_BLAKE3"
        out += f"{name}({r}, " + ", ".join(map(str, row)) + ")\n"
    out += "#undef FIN_SIGMA_OF_BLAKE3\n#endif\n"
    out += (
        "\n/* FIN_WORDS(four words), FIN_WANT_BITS wide each. FIN_WANT_IV: v_8 .. v_15 of BLAKE2."
        "\n   FIN_WANT_U: u_0 .. u_7. FIN_WANT_U_OF_WORD: sixteen words a round, the u to XOR"
        "\n   to message word 0, 1, ...; its index is the word's neighbour in sigma. */\n"
    )

    def rows(values: list[int], bits: int) -> str:
        fours = [values[i : i + 4] for i in range(0, len(values), 4)]
        lines = [", ".join(f"0x{v:0{bits // 4}x}" for v in four) for four in fours]
        return "".join(f"FIN_WORDS({line})\n" for line in lines)

    for bits in (32, 64):
        u = words(pi_fraction(16 * bits), 16, bits)
        iv = [sqrt_fraction(p, 64) >> (64 - bits) for p in primes(8)]
        out += f"#if FIN_WANT_BITS == {bits} && defined FIN_WANT_IV\n" + rows(iv, bits)
        out += f"#elif FIN_WANT_BITS == {bits} && defined FIN_WANT_U\n" + rows(u[:8], bits)
        out += f"#elif FIN_WANT_BITS == {bits} && defined FIN_WANT_U_OF_WORD\n"
        for row in SIGMA:
            neighbour = {word: row[place ^ 1] for place, word in enumerate(row)}
            out += rows([u[neighbour[word]] for word in range(16)], bits)
        out += "#endif\n"
    return out


def blake_rows_inc() -> str:
    out = BANNER.format(what="Message words and constants of a round as four rows.")
    out += (
        "\n/* Round r: x and y of the column step, x and y of the diagonal step, whose lanes"
        "\n   are G_7, G_4, G_5, G_6. In 32-bit words, rounds from 10 on are BLAKE3's. */\n"
    )
    u256, u512 = words(pi_fraction(512), 16, 32), words(pi_fraction(1024), 16, 64)
    words_of = [row_words(r) for r in range(10)]
    words_of32 = [row_words(r) for r in range(len(SCHEDULE))]
    u_of = [row_constants(r) for r in range(10)]
    align = "_Alignas(64) "
    out += nested(f"{align}uint32_t fin_rows_word[{len(words_of32)}][4][4]", words_of32, 0)
    out += nested(f"{align}uint64_t fin_rows_word64[10][4][4]", words_of, 0)
    bytes_of = [[[w for row in rows for w in row]] for rows in words_of]
    out += nested(f"{align}uint8_t fin_rows_byte[10][1][16]", bytes_of, 0)
    out += nested(
        f"{align}uint32_t fin_u256_rows[10][4][4]",
        [[[u256[i] for i in row] for row in rows] for rows in u_of],
        8,
    )
    out += nested(
        f"{align}uint64_t fin_u512_rows[10][4][4]",
        [[[u512[i] for i in row] for row in rows] for rows in u_of],
        16,
    )
    return out


def blake_ways_inc() -> str:
    out = BANNER.format(what="Message words and constants of a step for several messages at once.")
    out += (
        "\n/* Step s of round r: indices of x and y in the 32 words of two messages; x of the"
        "\n   first, x of the second, y of the first, y of the second. */\n"
    )
    second = [[[w + 16 for w in row] for row in row_words(r)] for r in range(10)]
    both = [
        [row_words(r)[s] + second[r][s] + row_words(r)[s + 1] + second[r][s + 1] for s in (0, 2)]
        for r in range(10)
    ]
    out += "static const _Alignas(64) uint32_t fin_ways_word[10][2][16] = {\n"
    for steps in both:
        out += "    {" + ",\n     ".join("{" + ", ".join(map(str, s)) + "}" for s in steps) + "},\n"
    out += (
        "};\n\n/* The constants of blake_rows.inc for every message of a 512-bit register. */\n"
        "#define FIN_FOUR_TIMES(...) {__VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__}\n"
        "#define FIN_TWO_TIMES(...) {__VA_ARGS__, __VA_ARGS__}\n"
    )
    for bits, word, repeated in ((256, 32, "FIN_FOUR_TIMES"), (512, 64, "FIN_TWO_TIMES")):
        u = words(pi_fraction(2 * bits), 16, word)
        out += f"static const _Alignas(64) uint{word}_t "
        out += f"fin_u{bits}_ways[10][4][{512 // word}] = {{\n"
        for r in range(10):
            hexes = [[f"0x{u[i]:0{word // 4}x}" for i in row] for row in row_constants(r)]
            rows = [f"{repeated}({', '.join(row)})" for row in hexes]
            out += "    {" + ",\n     ".join(rows) + "},\n"
        out += "};\n"
    return out + "#undef FIN_FOUR_TIMES\n#undef FIN_TWO_TIMES\n"


FILES = {
    "blake_iv.inc": blake_inc,
    "blake_round.inc": blake_round_inc,
    "blake_padding_sums.inc": blake_padding_sums_inc,
    "blake_asm.inc": blake_asm_inc,
    "blake_rows.inc": blake_rows_inc,
    "blake_ways.inc": blake_ways_inc,
}
