/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 64-bit words, AVX2, for rows 0 2 | 1 3 (FIN_ROWS_SPLIT): as
 * kern/blake/load/broadcast.h, but blends pick the halves and one shuffle joins them, so that two
 * of a row's three instructions run on any vector port.
 */
#include "vec/words_256.h"

/* Only clang needs this: it would replace these by instructions that cross the halves. The same
   barrier would change the order of gcc's instructions. */
#ifdef __clang__
#define V_MEANT(x) vec64_barrier(x)
#else
#define V_MEANT(x) (x)
#endif
#define V_HALVES(a, b) V_MEANT(_mm256_blend_epi32(a, b, 0xf0))
#define V_EACH(a, b, i, j, k, n)                                                                  \
    V_MEANT(_mm256_castpd_si256(_mm256_shuffle_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b), \
                                                  (i) | (j) << 1 | (k) << 2 | (n) << 3)))
#include "gen/blake_load_split.inc"
#undef V_HALVES
#undef V_EACH

typedef struct fin_split64 {
    vec64 m[8];
} fin_split64;

FIN_INLINE void fin_split64_prepare(fin_split64 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 8; i++) {
        const __m128i pair = _mm_loadu_si128((const __m128i *)(const void *)(in + 16 * i));
        const vec64 m = V_MEANT(_mm256_broadcastsi128_si256(pair));
        loader->m[i] = big_endian ? vec64_swap_bytes(m) : m;
    }
}

FIN_INLINE void fin_split64_step(const fin_split64 *loader, vec64 *x, vec64 *y, int step)
{
    *x = fin_pick_split64(loader->m, 2 * step);
    *y = fin_pick_split64(loader->m, 2 * step + 1);
}
#undef V_MEANT
