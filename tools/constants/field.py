# SPDX-License-Identifier: MIT OR Apache-2.0
"""GF(2^8) for Groestl: the S-box, MixBytes and its inverse, nibble arithmetic."""

MIX_ROW = [0x02, 0x02, 0x03, 0x04, 0x05, 0x03, 0x05, 0x07]


def gf_multiply(a: int, b: int) -> int:
    """Returns the product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = (a << 1) ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def gf_power(x: int, exponent: int) -> int:
    result = 1
    for _ in range(exponent):
        result = gf_multiply(result, x)
    return result


def sbox() -> list[int]:
    inverse = [0] * 256
    for a in range(1, 256):
        inverse[a] = next(b for b in range(1, 256) if gf_multiply(a, b) == 1)
    table = []
    for x in inverse:
        y = 0x63
        for shift in range(5):
            y ^= ((x << shift) | (x >> (8 - shift))) & 0xFF
        table.append(y)
    return table


def affine(x: int) -> int:
    """Returns the linear part of the AES S-box."""
    y = 0
    for shift in range(5):
        y ^= ((x << shift) | (x >> (8 - shift))) & 0xFF
    return y


def affine_matrix(factor: int) -> int:
    """Returns factor . S as the matrix operand of vgf2p8affineinvqb: byte 7 - i makes bit i."""
    columns = [gf_multiply(factor, affine(1 << j)) for j in range(8)]
    matrix = 0
    for i in range(8):
        row = sum((columns[j] >> i & 1) << j for j in range(8))
        matrix |= row << (8 * (7 - i))
    return matrix


def mix_column(column: list[int], row_factors: list[int]) -> list[int]:
    """Multiplies a circulant matrix, given by its first row, by a column."""
    out = []
    for i in range(8):
        total = 0
        for k, factor in enumerate(row_factors):
            total ^= gf_multiply(factor, column[(i + k) % 8])
        out.append(total)
    return out


def mix_inverse_row() -> list[int]:
    """Returns the first row of MixBytes' inverse. The matrix is a polynomial in the rotation R, R^8
    = 1, so its eighth power is the eighth power of the sum of its coefficients."""
    total = 0
    for factor in MIX_ROW:
        total ^= factor
    scale = gf_power(gf_power(total, 8), 254)
    # Column 0 of M^7 is the image of the unit column; a circulant's first row is its reverse.
    column = [scale, 0, 0, 0, 0, 0, 0, 0]
    for _ in range(7):
        column = mix_column(column, MIX_ROW)
    return [column[-k % 8] for k in range(8)]


class Nibbles:
    """Represents GF(2^8) as k + i s over GF(2^4), s^2 + a s + a = 0, as the byte 16 i + k.

    Hamburg's inversion: with j = i + k, u = 1 / (1 / (1 / i + a / k) + j) and
    w = 1 / (1 / (1 / j + a / k) + i) the inverse is u + s (u + (u + w) / a) / a.
    Infinity is any byte with bit 7 set, which pshufb turns into 0.
    """

    INFINITY = 0x80

    def __init__(self) -> None:
        root = next(x for x in range(2, 256) if gf_power(x, 4) ^ x ^ 1 == 0)
        powers = [gf_power(root, j) for j in range(4)]
        self.embed = [0] * 16
        for n in range(16):
            for j in range(4):
                self.embed[n] ^= powers[j] if n >> j & 1 else 0
        self.a, self.s = next(
            (a, s)
            for a in range(2, 16)
            for s in range(256)
            if gf_multiply(s, s ^ self.embed[a]) == self.embed[a] and s not in self.embed
        )
        self.from_nibbles = [
            self.embed[x & 15] ^ gf_multiply(self.embed[x >> 4], self.s) for x in range(256)
        ]
        self.to_nibbles = [self.from_nibbles.index(x) for x in range(256)]

    def divide(self, x: int, y: int) -> int:
        quotient = gf_multiply(self.embed[x], gf_power(self.embed[y], 254))
        return self.embed.index(quotient)

    def reciprocals(self, numerator: int) -> list[int]:
        return [self.INFINITY] + [self.divide(numerator, x) for x in range(1, 16)]

    def outputs(self, factor: int) -> tuple[list[int], list[int]]:
        """Returns the terms that 1 / u and 1 / w add to factor times the linear part of S."""
        first, second = [0], [0]
        for x in range(1, 16):
            u = self.divide(1, x)
            over_a = self.divide(u, self.a)
            part = self.embed[u] ^ gf_multiply(self.s, self.embed[self.divide(u ^ over_a, self.a)])
            first.append(self.to_nibbles[gf_multiply(factor, affine(part))])
            part = gf_multiply(self.s, self.embed[self.divide(over_a, self.a)])
            second.append(self.to_nibbles[gf_multiply(factor, affine(part))])
        return first, second
