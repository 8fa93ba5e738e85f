/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl in bit slices (guide, section 3.3): plane k holds bit k of 64 bytes, the byte of row r and
 * column c at bit 8 r + c. So ShiftBytes rotates each byte of a plane by its row's offset,
 * MixBytes' a_(i + k) is a rotation of the whole plane by 8 k, and a block's columns become planes
 * by transposing 8 x 8 bits in place. A state of sixteen columns is two words a plane, columns
 * 0..7 and 8..15. Constant-time.
 *
 *   FIN_VARIANT   see groestl_variants.h
 *   FIN_KERNEL    the name of the function to define
 */
#include "groestl_variants.h"

#define WORDS (FIN_V(COLUMNS) / 8)
#define STAGES (WORDS + 2)
#define SHIFT_P FIN_CAT(fin_shift_p, FIN_V(STATE_BITS))
#if FIN_V(TWEAKED)
#define SHIFT_Q FIN_CAT(fin_shift_q, FIN_V(STATE_BITS))
#else
#define SHIFT_Q SHIFT_P
#endif
#define FN(name) FIN_CAT(FIN_KERNEL, name)

/* Rows of stage k move left by 2^k columns: bit c takes bit c + 2^k, from the other word where
   that is beyond bit 7. The fourth stage exchanges the two words. */
static inline void FN(_shift_rows)(PLANE q[WORDS][8], const uint64_t rows[STAGES])
{
    for (unsigned bit = 0; bit < 8; bit++) {
        for (unsigned stage = 0; stage < 3; stage++) {
            const unsigned k = 1U << stage;
            const uint64_t low = rows[stage] & (0xffU >> k) * UINT64_C(0x0101010101010101);
            const uint64_t high = rows[stage] & ~low;
            PLANE moved[WORDS];
            for (unsigned w = 0; w < WORDS; w++) {
                moved[w] = (q[w][bit] & ~rows[stage]) | (q[w][bit] >> k & low) |
                           (q[WORDS - 1 - w][bit] << (8 - k) & high);
            }
            for (unsigned w = 0; w < WORDS; w++) {
                q[w][bit] = moved[w];
            }
        }
        if (WORDS == 2) {
            const PLANE change = (q[0][bit] ^ q[WORDS - 1][bit]) & rows[STAGES - 1];
            q[0][bit] ^= change;
            q[WORDS - 1][bit] ^= change;
        }
    }
}

/* In the tweaked P, row 0 takes (column << 4) ^ round: the round in planes 0..3, the column's
   bits in planes 4..7. */
static inline void FN(_add_constant_p)(PLANE q[WORDS][8], unsigned round)
{
    static const uint8_t column_bit[4] = {0xaa, 0xcc, 0xf0, 0};
    for (unsigned bit = 0; bit < 4; bit++) {
        const uint64_t mask = (round >> bit & 1) != 0 ? (FIN_V(TWEAKED) ? 0xff : 1) : 0;
        q[0][bit] ^= mask;
        if (FIN_V(TWEAKED)) {
            q[0][4 + bit] ^= column_bit[bit];
        }
        if (FIN_V(TWEAKED) && WORDS == 2) {
            q[WORDS - 1][bit] ^= mask;
            q[WORDS - 1][4 + bit] ^= bit == 3 ? 0xff : column_bit[bit];
        }
    }
}

static inline void FN(_add_constant_q)(PLANE q[WORDS][8], unsigned round)
{
    static const uint8_t column_bit[4] = {0xaa, 0xcc, 0xf0, 0};
    for (unsigned bit = 0; bit < 4; bit++) {
        const bool set = (round >> bit & 1) != 0;
        if (!FIN_V(TWEAKED)) {
            q[0][bit] ^= (uint64_t)!set << 56;
            q[0][4 + bit] ^= UINT64_C(1) << 56;
            continue;
        }
        const uint64_t mask = set ? ~(UINT64_C(0xff) << 56) : UINT64_MAX;
        for (unsigned w = 0; w < WORDS; w++) {
            const uint8_t columns = w == 1 && bit == 3 ? 0xff : column_bit[bit];
            q[w][bit] ^= mask;
            q[w][4 + bit] ^= ~((uint64_t)columns << 56);
        }
    }
}

static void FN(_p)(PLANE q[WORDS][8])
{
    for (unsigned round = 0; round < FIN_V(ROUNDS); round++) {
        FN(_add_constant_p)(q, round);
        for (unsigned w = 0; w < WORDS; w++) {
            FIN_AES_SBOX(q[w]);
        }
        FN(_shift_rows)(q, SHIFT_P);
        for (unsigned w = 0; w < WORDS; w++) {
            fin_mix_planes(q[w]);
        }
    }
}

static void FN(_q)(PLANE q[WORDS][8])
{
    for (unsigned round = 0; round < FIN_V(ROUNDS); round++) {
        FN(_add_constant_q)(q, round);
        for (unsigned w = 0; w < WORDS; w++) {
            FIN_AES_SBOX(q[w]);
        }
        FN(_shift_rows)(q, SHIFT_Q);
        for (unsigned w = 0; w < WORDS; w++) {
            fin_mix_planes(q[w]);
        }
    }
}

/* The chaining value stays in planes from the first block to the last. */
static void FIN_KERNEL(fin_chain *chain, const uint8_t *in, size_t blocks, size_t stride,
                       uint32_t increment)
{
    PLANE h[WORDS][8], p[WORDS][8], q[WORDS][8];
    (void)increment;
    memcpy(h, chain->h.w64, sizeof h);
    for (unsigned w = 0; w < WORDS; w++) {
        fin_transpose_planes(h[w]);
    }
    for (; blocks != 0; blocks--, in += stride) {
        for (unsigned w = 0; w < WORDS; w++) {
            for (unsigned j = 0; j < 8; j++) {
                q[w][j] = fin_load64_le(in + 64 * w + 8 * j);
            }
            fin_transpose_planes(q[w]);
            for (unsigned bit = 0; bit < 8; bit++) {
                p[w][bit] = q[w][bit] ^ h[w][bit];
            }
        }
        FN(_p)(p);
        FN(_q)(q);
        for (unsigned w = 0; w < WORDS; w++) {
            for (unsigned bit = 0; bit < 8; bit++) {
                h[w][bit] ^= p[w][bit] ^ q[w][bit];
            }
        }
    }
    if (chain->f[0] != 0) {
        memcpy(p, h, sizeof p);
        FN(_p)(p);
        for (unsigned w = 0; w < WORDS; w++) {
            for (unsigned bit = 0; bit < 8; bit++) {
                h[w][bit] ^= p[w][bit];
            }
        }
    }
    for (unsigned w = 0; w < WORDS; w++) {
        fin_transpose_planes(h[w]);
    }
    memcpy(chain->h.w64, h, sizeof h);
}

#undef WORDS
#undef STAGES
#undef SHIFT_P
#undef SHIFT_Q
#undef FN
#undef FIN_KERNEL
#undef FIN_VARIANT
