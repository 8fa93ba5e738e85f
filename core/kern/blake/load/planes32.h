/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 32-bit words by byte planes (the vect128 of the AVX paper, appendix A.3):
 * plane k holds byte k, from the least significant, of the sixteen words. A round permutes all
 * sixteen words by one pshufb per plane; eight unpacks join the bytes again:
 *
 *   planes   p0: a0 b0 c0 ..   p1: a1 b1 c1 ..   p2: a2 b2 c2 ..   p3: a3 b3 c3 ..
 *   bytes    p0 p1 -> a0 a1 b0 b1 ..             p2 p3 -> a2 a3 b2 b3 ..
 *   words                      a0 a1 a2 a3  b0 b1 b2 b3 ..
 *
 * Byte swaps for BLAKE cost nothing: they only rename the planes.
 */
#include "vec/words_128.h"

typedef struct fin_planes32 {
    __m128i plane[4];
} fin_planes32;

/* Gathers bytes 0, 1, 2, 3 of a register's four words in its four quarters. Quarter k of the four
   registers is then plane k: transposes 4 x 4 quarters. */
FIN_INLINE void fin_planes32_prepare(fin_planes32 *loader, const uint8_t *in, bool big_endian)
{
    const __m128i collect =
        big_endian ? _mm_set_epi8(12, 8, 4, 0, 13, 9, 5, 1, 14, 10, 6, 2, 15, 11, 7, 3)
                   : _mm_set_epi8(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
    __m128i q[4];
    for (size_t i = 0; i < 4; i++) {
        q[i] = _mm_shuffle_epi8(vec32_load(in + 16 * i), collect);
    }
    const __m128i low01 = _mm_unpacklo_epi32(q[0], q[1]);
    const __m128i low23 = _mm_unpacklo_epi32(q[2], q[3]);
    const __m128i high01 = _mm_unpackhi_epi32(q[0], q[1]);
    const __m128i high23 = _mm_unpackhi_epi32(q[2], q[3]);
    loader->plane[0] = _mm_unpacklo_epi64(low01, low23);
    loader->plane[1] = _mm_unpackhi_epi64(low01, low23);
    loader->plane[2] = _mm_unpacklo_epi64(high01, high23);
    loader->plane[3] = _mm_unpackhi_epi64(high01, high23);
}

FIN_INLINE void fin_planes32_round(const fin_planes32 *loader, vec32 row[4], int round)
{
    const __m128i order = vec32_load(fin_rows_byte[round]);
    const __m128i p0 = _mm_shuffle_epi8(loader->plane[0], order);
    const __m128i p1 = _mm_shuffle_epi8(loader->plane[1], order);
    const __m128i p2 = _mm_shuffle_epi8(loader->plane[2], order);
    const __m128i p3 = _mm_shuffle_epi8(loader->plane[3], order);
    const __m128i low01 = _mm_unpacklo_epi8(p0, p1), high01 = _mm_unpackhi_epi8(p0, p1);
    const __m128i low23 = _mm_unpacklo_epi8(p2, p3), high23 = _mm_unpackhi_epi8(p2, p3);
    row[0] = _mm_unpacklo_epi16(low01, low23);
    row[1] = _mm_unpackhi_epi16(low01, low23);
    row[2] = _mm_unpacklo_epi16(high01, high23);
    row[3] = _mm_unpackhi_epi16(high01, high23);
}

/* Compilers compute a round's rows once for its two steps. */
FIN_INLINE void fin_planes32_step(const fin_planes32 *loader, vec32 *x, vec32 *y, int step)
{
    vec32 row[4];
    fin_planes32_round(loader, row, step / 2);
    *x = row[2 * (step % 2)];
    *y = row[2 * (step % 2) + 1];
}
