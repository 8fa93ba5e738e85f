/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 64-bit words in 128-bit registers, SSE2: one shuffle for any two words.
 */
#include "vec/words_128.h"

#ifdef __SSSE3__
/* The same pair by an integer instruction where there is one. */
#define V_PAIR(a, b, i, j)                             \
    ((i) == 0 && (j) == 0   ? _mm_unpacklo_epi64(a, b) \
     : (i) == 1 && (j) == 1 ? _mm_unpackhi_epi64(a, b) \
     : (i) == 1 && (j) == 0 ? _mm_alignr_epi8(b, a, 8) \
                            : FIN_SHUFFLE_PD(a, b, i, j))
#else
#define V_PAIR(a, b, i, j) FIN_SHUFFLE_PD(a, b, i, j)
#endif
#ifdef __XOP__
/* No detour through the units for floating point: the first word of a, the second of b. */
#define FIN_SHUFFLE_PD(a, b, i, j) \
    _mm_perm_epi8(a, b, _mm_set_epi32(0x1f1e1d1c, 0x1b1a1918, 0x07060504, 0x03020100))
#else
#define FIN_SHUFFLE_PD(a, b, i, j) \
    _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b), (i) | (j) << 1))
#endif
#define V_ROW(low, high) ((vec64){low, high})
#define V_TWO __m128i
#define V_FOUR vec64
#define V_PICK fin_pick_pair64
#include "gen/blake_load_pair.inc"
#undef V_ROW
#undef V_TWO
#undef V_FOUR
#undef V_PICK
#undef V_PAIR
#undef FIN_SHUFFLE_PD

typedef struct fin_pair64 {
    __m128i m[8];
} fin_pair64;

FIN_INLINE void fin_pair64_prepare(fin_pair64 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 8; i++) {
        const __m128i m = _mm_loadu_si128((const __m128i *)(const void *)(in + 16 * i));
        loader->m[i] = big_endian ? fin_swap_bytes64(m) : m;
    }
}

FIN_INLINE void fin_pair64_step(const fin_pair64 *loader, vec64 *x, vec64 *y, int step)
{
    *x = fin_pick_pair64(loader->m, 2 * step);
    *y = fin_pick_pair64(loader->m, 2 * step + 1);
}
