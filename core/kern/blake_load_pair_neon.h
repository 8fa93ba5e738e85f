/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedules in NEON by one instruction for any two words: 64-bit words in registers of 128
 * bits, and 32-bit words in registers of 64 bits, where 32-bit Arm has no larger tables.
 */
#include "vec/words_neon.h"

FIN_INLINE uint64x2_t fin_pair64_of(uint64x2_t a, uint64x2_t b, int i, int j)
{
    const uint64x1_t first = i == 0 ? vget_low_u64(a) : vget_high_u64(a);
    const uint64x1_t second = j == 0 ? vget_low_u64(b) : vget_high_u64(b);
    return i == 1 && j == 0 ? vextq_u64(a, b, 1) : vcombine_u64(first, second);
}

#define V_PAIR(a, b, i, j) fin_pair64_of(a, b, i, j)
#define V_ROW(low, high) ((vec64){low, high})
#define V_TWO uint64x2_t
#define V_FOUR vec64
#define V_PICK fin_pick_pair64
#include "gen/blake_load_pair.inc"
#undef V_PAIR
#undef V_ROW
#undef V_TWO
#undef V_FOUR
#undef V_PICK

typedef struct fin_pair64 {
    uint64x2_t m[8];
} fin_pair64;

FIN_INLINE void fin_pair64_prepare(fin_pair64 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 8; i++) {
        const uint64x2_t m = fin_load_pair64(in + 16 * i);
        loader->m[i] = big_endian ? fin_swap_bytes64(m) : m;
    }
}

FIN_INLINE void fin_pair64_step(const fin_pair64 *loader, vec64 *x, vec64 *y, int step)
{
    *x = fin_pick_pair64(loader->m, 2 * step);
    *y = fin_pick_pair64(loader->m, 2 * step + 1);
}

/* (a_0, b_0) and (a_1, b_1) by vtrn, (a_1, b_0) by vext, (a_0, b_1) by vbsl. */
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
