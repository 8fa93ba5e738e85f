/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 32-bit words in registers of 64 bits, 32-bit Arm, which has no larger tables:
 * one instruction takes any two words.
 */
#include "vec/words_neon.h"

/* a0 a1, b0 b1  ->  ai bj: a0 b0 and a1 b1 by vtrn, a1 b0 by vext, a0 b1 by vbsl. */
FIN_INLINE uint32x2_t fin_pair32_of(uint32x2_t a, uint32x2_t b, int i, int j)
{
    if (i == j) {
        return vtrn_u32(a, b).val[i];
    }
    const uint32x2_t first = {UINT32_MAX, 0};
    return i == 1 ? vext_u32(a, b, 1) : vbsl_u32(first, a, b);
}

#define V_PAIR(a, b, i, j) fin_pair32_of(a, b, i, j)
#define V_ROW(low, high) vcombine_u32(low, high)
#define V_TWO uint32x2_t
#define V_FOUR vec32
#define V_PICK fin_pick_pair32
#include "gen/blake_load_pair.inc"
#undef V_PAIR
#undef V_ROW
#undef V_TWO
#undef V_FOUR
#undef V_PICK

typedef struct fin_pair32 {
    uint32x2_t m[8];
} fin_pair32;

FIN_INLINE void fin_pair32_prepare(fin_pair32 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        const vec32 m = vec32_load_words(in + 16 * i, big_endian);
        loader->m[2 * i] = vget_low_u32(m);
        loader->m[2 * i + 1] = vget_high_u32(m);
    }
}

FIN_INLINE void fin_pair32_step(const fin_pair32 *loader, vec32 *x, vec32 *y, int step)
{
    *x = fin_pick_pair32(loader->m, 2 * step);
    *y = fin_pick_pair32(loader->m, 2 * step + 1);
}
