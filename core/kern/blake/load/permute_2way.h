/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 32-bit words of two messages in a 256-bit register, AVX-512: a block of 64
 * bytes is one register, and one vpermt2d takes a step's sixteen words out of two of them.
 */
#include "vec/ways_256.h"

#include "gen/blake_ways.inc"

typedef struct fin_permute_2way32 {
    __m512i m[2];
} fin_permute_2way32;

FIN_INLINE void fin_permute_2way32_prepare(fin_permute_2way32 *loader, const uint8_t *const *in,
                                           bool big_endian)
{
    const __m512i swap =
        _mm512_broadcast_i32x4(_mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
    for (size_t i = 0; i < 2; i++) {
        const __m512i m = _mm512_loadu_si512(in[i]);
        loader->m[i] = big_endian ? _mm512_shuffle_epi8(m, swap) : m;
    }
}

/* xA xB | yA yB */
FIN_INLINE void fin_permute_2way32_step(const fin_permute_2way32 *loader, vec32 *x, vec32 *y,
                                        int step)
{
    const __m512i index = _mm512_load_si512(fin_ways_word[step / 2][step % 2]);
    const __m512i xy = _mm512_permutex2var_epi32(loader->m[0], index, loader->m[1]);
    *x = _mm512_castsi512_si256(xy);
    *y = _mm512_extracti64x4_epi64(xy, 1);
}
