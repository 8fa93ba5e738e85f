/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 64-bit words, AVX2: each 16 bytes of the block are loaded into both halves of
 * a register, at no extra cost; then in-lane shuffles pick a pair for the low and one for the high
 * half, and a blend joins them. No instruction crosses the halves.
 */
#include "vec/words_256.h"

#define V_PAIRS(a, b, i, j, k, n)                                                         \
    _mm256_castpd_si256(_mm256_shuffle_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b), \
                                          (i) | (j) << 1 | (k) << 2 | (n) << 3))
#define V_PAIR(a, b, i, j)                                \
    ((i) == 0 && (j) == 0   ? _mm256_unpacklo_epi64(a, b) \
     : (i) == 1 && (j) == 1 ? _mm256_unpackhi_epi64(a, b) \
     : (i) == 1 && (j) == 0 ? _mm256_alignr_epi8(b, a, 8) \
                            : V_PAIRS(a, b, i, j, i, j))
#define V_HALVES(a, b) _mm256_blend_epi32(a, b, 0xf0)
#include "gen/blake_load_broadcast.inc"
#undef V_PAIR
#undef V_PAIRS
#undef V_HALVES

typedef struct fin_broadcast64 {
    vec64 m[8];
} fin_broadcast64;

FIN_INLINE void fin_broadcast64_prepare(fin_broadcast64 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 8; i++) {
        const __m128i pair = _mm_loadu_si128((const __m128i *)(const void *)(in + 16 * i));
        const vec64 m = _mm256_broadcastsi128_si256(pair);
        loader->m[i] = big_endian ? vec64_swap_bytes(m) : m;
    }
}

FIN_INLINE void fin_broadcast64_step(const fin_broadcast64 *loader, vec64 *x, vec64 *y, int step)
{
    *x = fin_pick_broadcast64(loader->m, 2 * step);
    *y = fin_pick_broadcast64(loader->m, 2 * step + 1);
}
