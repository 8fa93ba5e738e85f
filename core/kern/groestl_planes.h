/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What bit-sliced Grøstl does to eight planes whatever the state's size: transposition, MixBytes.
 *
 *   PLANE   a type of 64 bits with the operators ^ & | << >>
 */

/* Byte j, bit k of word i goes to byte j, bit i of word k; its own inverse. */
static inline void fin_transpose_planes(PLANE q[8])
{
    static const uint64_t low[3] = {UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333),
                                    UINT64_C(0x0f0f0f0f0f0f0f0f)};
    for (unsigned stage = 0; stage < 3; stage++) {
        const unsigned s = 1U << stage;
        for (unsigned i = 0; i < 8; i++) {
            if ((i & s) == 0) {
                const PLANE a = q[i], b = q[i + s];
                q[i] = (a & low[stage]) | (b & low[stage]) << s;
                q[i + s] = (a >> s & low[stage]) | (b & low[stage] << s);
            }
        }
    }
}

/* Row i takes row i + k. */
static inline PLANE fin_rotate_rows(PLANE x, unsigned k)
{
    return x >> 8 * k | x << (64 - 8 * k);
}

/* 02 . x for every byte, modulo 11b. */
static inline void fin_double_planes(PLANE x[8])
{
    const PLANE carry = x[7];
    for (unsigned bit = 7; bit > 0; bit--) {
        x[bit] = x[bit - 1];
    }
    x[0] = carry;
    x[1] ^= carry;
    x[3] ^= carry;
    x[4] ^= carry;
}

/*
 * MixBytes with the fewest XORs (guide, section 4.4.4, equation 3):
 * x_i = a_i + a_(i+1), y_i = x_i + x_(i+3), z_i = x_i + x_(i+2) + a_(i+6),
 * b_i = 02 (02 y_(i+3) + z_(i+7)) + z_(i+4).
 */
static inline void fin_mix_planes(PLANE a[8])
{
    PLANE z[8], b[8];
    for (unsigned bit = 0; bit < 8; bit++) {
        const PLANE x = a[bit] ^ fin_rotate_rows(a[bit], 1);
        z[bit] = x ^ fin_rotate_rows(x, 2) ^ fin_rotate_rows(a[bit], 6);
        b[bit] = fin_rotate_rows(x ^ fin_rotate_rows(x, 3), 3);
    }
    fin_double_planes(b);
    for (unsigned bit = 0; bit < 8; bit++) {
        b[bit] ^= fin_rotate_rows(z[bit], 7);
    }
    fin_double_planes(b);
    for (unsigned bit = 0; bit < 8; bit++) {
        a[bit] = b[bit] ^ fin_rotate_rows(z[bit], 4);
    }
}
