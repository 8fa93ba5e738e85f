/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with eight tables of 64-bit words (guide, sections 3.1, 4.4.1 and 5): one look-up does
 * SubBytes and MixBytes of one byte, its place ShiftBytes. A column is a word, row 0 in its lowest
 * byte. Not constant-time: the tables are indexed by the message.
 *
 *   FIN_VARIANT   see groestl_variants.h
 *   FIN_KERNEL    the name of the function to define
 */
#include "groestl_variants.h"

#define COLUMNS FIN_V(COLUMNS)
#define SHIFT_P FIN_CAT(fin_shift_table_p, FIN_V(STATE_BITS))
#if FIN_V(TWEAKED)
#define SHIFT_Q FIN_CAT(fin_shift_table_q, FIN_V(STATE_BITS))
#else
#define SHIFT_Q SHIFT_P
#endif

/* out_j = T_0[row 0 of a_(j + shift_0)] ^ .. ^ T_7[row 7 of a_(j + shift_7)] */
static inline void FIN_CAT(FIN_KERNEL, _look_up)(uint64_t a[COLUMNS], const uint8_t shift[8])
{
    uint64_t out[COLUMNS];
#pragma GCC unroll 16
    for (unsigned j = 0; j < COLUMNS; j++) {
        out[j] = 0;
#pragma GCC unroll 8
        for (unsigned row = 0; row < 8; row++) {
            out[j] ^= fin_groestl_table[row][a[(j + shift[row]) % COLUMNS] >> 8 * row & 0xff];
        }
    }
    memcpy(a, out, sizeof out);
}

static void FIN_CAT(FIN_KERNEL, _p)(uint64_t a[COLUMNS])
{
    for (unsigned round = 0; round < FIN_V(ROUNDS); round++) {
        for (unsigned j = 0; j < COLUMNS; j++) {
            a[j] ^= fin_groestl_constant_p(FIN_V(TWEAKED), j, round);
        }
        FIN_CAT(FIN_KERNEL, _look_up)(a, SHIFT_P);
    }
}

static void FIN_CAT(FIN_KERNEL, _q)(uint64_t a[COLUMNS])
{
    for (unsigned round = 0; round < FIN_V(ROUNDS); round++) {
        for (unsigned j = 0; j < COLUMNS; j++) {
            a[j] ^= fin_groestl_constant_q(FIN_V(TWEAKED), j, round);
        }
        FIN_CAT(FIN_KERNEL, _look_up)(a, SHIFT_Q);
    }
}

static void FIN_KERNEL(fin_chain *chain, const uint8_t *in, size_t blocks, size_t stride,
                       uint32_t increment)
{
    uint64_t *h = chain->h.w64;
    uint64_t p[COLUMNS], q[COLUMNS];
    (void)increment;
    for (; blocks != 0; blocks--, in += stride) {
        for (unsigned j = 0; j < COLUMNS; j++) {
            q[j] = fin_load64_le(in + 8 * j);
            p[j] = q[j] ^ h[j];
        }
        FIN_CAT(FIN_KERNEL, _p)(p);
        FIN_CAT(FIN_KERNEL, _q)(q);
        for (unsigned j = 0; j < COLUMNS; j++) {
            h[j] ^= p[j] ^ q[j];
        }
    }
    if (chain->f[0] != 0) {
        memcpy(p, h, sizeof p);
        FIN_CAT(FIN_KERNEL, _p)(p);
        for (unsigned j = 0; j < COLUMNS; j++) {
            h[j] ^= p[j];
        }
    }
}

#undef COLUMNS
#undef SHIFT_P
#undef SHIFT_Q
#undef FIN_KERNEL
#undef FIN_VARIANT
