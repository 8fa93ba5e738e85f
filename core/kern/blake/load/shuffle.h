/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 32-bit words: at most three shuffles, which take two words of each of two
 * vectors, take any four words out of four vectors. The unit has included a vector abstraction with
 * vec32_shuffle2.
 */
#define V_SHUFFLE2 vec32_shuffle2
#include "gen/blake_load_shuffle.inc"
#undef V_SHUFFLE2

typedef struct fin_shuffle32 {
    vec32 m[4];
} fin_shuffle32;

FIN_INLINE void fin_shuffle32_prepare(fin_shuffle32 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        loader->m[i] = vec32_load_words(in + 16 * i, big_endian);
    }
}

FIN_INLINE void fin_shuffle32_step(const fin_shuffle32 *loader, vec32 *x, vec32 *y, int step)
{
    *x = fin_pick_shuffle32(loader->m, 2 * step);
    *y = fin_pick_shuffle32(loader->m, 2 * step + 1);
}
