/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 64-bit words in vectors of 128 bits: one shuffle takes any two words. The
 * unit has included a vector abstraction with words_pair.h.
 */
#define V_PAIR half64_pair
#define V_ROW(low, high) ((vec64){low, high})
#define V_TWO half64
#define V_FOUR vec64
#define V_PICK fin_pick_pair64
#include "gen/blake_load_pair.inc"
#undef V_PAIR
#undef V_ROW
#undef V_TWO
#undef V_FOUR
#undef V_PICK

typedef struct fin_pair64 {
    half64 m[8];
} fin_pair64;

FIN_INLINE void fin_pair64_prepare(fin_pair64 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 8; i++) {
        loader->m[i] = half64_load_words(in + 16 * i, big_endian);
    }
}

FIN_INLINE void fin_pair64_step(const fin_pair64 *loader, vec64 *x, vec64 *y, int step)
{
    *x = fin_pick_pair64(loader->m, 2 * step);
    *y = fin_pick_pair64(loader->m, 2 * step + 1);
}
