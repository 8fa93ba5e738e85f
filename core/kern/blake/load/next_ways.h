/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of BLAKE3, two and four messages, AVX2. BLAKE3 applies the same permutation
 * before each round, so a loop computes a round's four rows from the previous round's. Unrolled,
 * the seven rounds would take 5 KB more code.
 */
#include "vec/ways_256.h"

#define V_SHUFFLE1(a, i, j, k, n) _mm256_shuffle_epi32(a, _MM_SHUFFLE(n, k, j, i))
#define V_SHUFFLE2(a, b, i, j, k, n)                                                      \
    _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), \
                                          _MM_SHUFFLE(n, k, j, i)))
/* Takes the words of b whose bit in mask is set, else those of a. */
#define V_BLEND(a, b, mask) _mm256_blend_epi32(a, b, (mask) | (mask) << 4)

/* A round's rows: x and y of the column step, x and y of the diagonal step. */
typedef struct fin_next_ways32 {
    vec32 row[4];
} fin_next_ways32;

FIN_INLINE vec32 fin_next_ways32_load(const uint8_t *const *in, size_t at)
{
    const __m128i first = _mm_loadu_si128((const __m128i *)(const void *)(in[0] + at));
    const __m128i second = _mm_loadu_si128((const __m128i *)(const void *)(in[1] + at));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
}

/* Loads the rows of the first round: words 0 2 4 6, 1 3 5 7, 14 8 10 12, 15 9 11 13. */
FIN_INLINE void fin_next_ways32_prepare(fin_next_ways32 *loader, const uint8_t *const *in,
                                        bool big_endian)
{
    const vec32 m0 = fin_next_ways32_load(in, 0), m1 = fin_next_ways32_load(in, 16);
    const vec32 m2 = fin_next_ways32_load(in, 32), m3 = fin_next_ways32_load(in, 48);
    const vec32 even = V_SHUFFLE2(m2, m3, 0, 2, 0, 2), odd = V_SHUFFLE2(m2, m3, 1, 3, 1, 3);
    (void)big_endian;
    loader->row[0] = V_SHUFFLE2(m0, m1, 0, 2, 0, 2);
    loader->row[1] = V_SHUFFLE2(m0, m1, 1, 3, 1, 3);
    loader->row[2] = V_SHUFFLE1(even, 3, 0, 1, 2);
    loader->row[3] = V_SHUFFLE1(odd, 3, 0, 1, 2);
}

FIN_INLINE void fin_next_ways32_step(const fin_next_ways32 *loader, vec32 *x, vec32 *y, int step)
{
    *x = loader->row[2 * (step % 2)];
    *y = loader->row[2 * (step % 2) + 1];
}

/* Permutes the rows for the next round: words 2 3 7 4, 6 10 0 13, 15 1 12 9, 8 11 5 14. */
FIN_INLINE void fin_next_ways32_next(fin_next_ways32 *loader)
{
    const vec32 r0 = loader->row[0], r1 = loader->row[1], r2 = loader->row[2], r3 = loader->row[3];
    const vec32 low = V_BLEND(_mm256_unpacklo_epi32(r3, r1), r2, 8);
    loader->row[0] = V_SHUFFLE1(V_SHUFFLE2(r0, r1, 1, 2, 1, 3), 0, 2, 3, 1);
    loader->row[1] = V_BLEND(V_SHUFFLE1(V_BLEND(r0, r2, 4), 3, 2, 0, 0), r3, 8);
    loader->row[2] = V_SHUFFLE1(low, 0, 1, 3, 2);
    loader->row[3] =
        V_SHUFFLE1(V_SHUFFLE2(r2, _mm256_unpackhi_epi32(r3, r1), 1, 0, 0, 1), 0, 2, 3, 1);
}

#undef V_SHUFFLE1
#undef V_SHUFFLE2
#undef V_BLEND

/* The schedule of four messages, as two pairs. */
typedef struct fin_next_pairs32 {
    fin_next_ways32 lo, hi;
} fin_next_pairs32;

FIN_INLINE void fin_next_pairs32_prepare(fin_next_pairs32 *loader, const uint8_t *const *in,
                                         bool big_endian)
{
    fin_next_ways32_prepare(&loader->lo, in, big_endian);
    fin_next_ways32_prepare(&loader->hi, in + 2, big_endian);
}

FIN_INLINE void fin_next_pairs32_step(const fin_next_pairs32 *loader, pair32 *x, pair32 *y,
                                      int step)
{
    fin_next_ways32_step(&loader->lo, &x->lo, &y->lo, step);
    fin_next_ways32_step(&loader->hi, &x->hi, &y->hi, step);
}

FIN_INLINE void fin_next_pairs32_next(fin_next_pairs32 *loader)
{
    fin_next_ways32_next(&loader->lo);
    fin_next_ways32_next(&loader->hi);
}
