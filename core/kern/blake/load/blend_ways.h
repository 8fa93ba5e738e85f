/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 32-bit words of two messages, AVX2: as kern/blake/load/blend.h, whose
 * instructions act on both halves of a register alike (AVX paper, section 5.2).
 */
#include "vec/ways_256.h"

#define V_BLEND(a, b, mask) _mm256_blend_epi32(a, b, (mask) | (mask) << 4)
#define V_SHUFFLE1(a, i, j, k, n) _mm256_shuffle_epi32(a, _MM_SHUFFLE(n, k, j, i))
#define V_UNPACK_LOW(a, b) _mm256_unpacklo_epi32(a, b)
#define V_UNPACK_HIGH(a, b) _mm256_unpackhi_epi32(a, b)
#define V_ALIGN(b, a, n) _mm256_alignr_epi8(b, a, 4 * (n))
#include "gen/blake_load_blend.inc"
#undef V_BLEND
#undef V_SHUFFLE1
#undef V_UNPACK_LOW
#undef V_UNPACK_HIGH
#undef V_ALIGN

typedef struct fin_blend_ways32 {
    vec32 m[4];
} fin_blend_ways32;

/* Loads four words of the first message beside the same words of the second. */
FIN_INLINE void fin_blend_ways32_prepare(fin_blend_ways32 *loader, const uint8_t *const *in,
                                         bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        const __m128i first = _mm_loadu_si128((const __m128i *)(const void *)(in[0] + 16 * i));
        const __m128i second = _mm_loadu_si128((const __m128i *)(const void *)(in[1] + 16 * i));
        const vec32 m = _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
        loader->m[i] = big_endian ? vec32x2_swap_bytes(m) : m;
    }
}

FIN_INLINE void fin_blend_ways32_step(const fin_blend_ways32 *loader, vec32 *x, vec32 *y, int step)
{
    *x = fin_pick_blend32(loader->m, 2 * step);
    *y = fin_pick_blend32(loader->m, 2 * step + 1);
}
