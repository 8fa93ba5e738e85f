/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 32-bit words, SSE2: sixteen words in four registers, any four of them by at
 * most three two-source shuffles (shufps; none of the values is ever used as a float).
 */
#include "vec/words_128.h"

#define V_SHUFFLE2(a, b, i, j, k, n) \
    _mm_castps_si128(                \
        _mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), _MM_SHUFFLE(n, k, j, i)))
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
