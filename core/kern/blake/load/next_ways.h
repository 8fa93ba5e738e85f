/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of BLAKE3 for the rows of vec/ways_*.h, as many messages as a row holds or, as
 * pairs, twice as many. BLAKE3 applies the same permutation before each round, so a round's four
 * rows are computed from the previous round's.
 *
 * V_SHUFFLE1(a, i, j, k, n)     ai aj ak an, of every message
 * V_SHUFFLE2(a, b, i, j, k, n)  ai aj bk bn
 * V_UNPACK_LOW(a, b), _HIGH     a0 b0 a1 b1, a2 b2 a3 b3
 * V_BLEND(a, b, mask)           the words of b whose bit in mask is set, else those of a; from
 *                               AVX2 on, where more ports blend than shuffle
 */
#if defined(FIN_WAYS_512_H)
#define V_SHUFFLE1(a, i, j, k, n) _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)_MM_SHUFFLE(n, k, j, i))
#define V_SHUFFLE2(a, b, i, j, k, n)                                                      \
    _mm512_castps_si512(_mm512_shuffle_ps(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b), \
                                          _MM_SHUFFLE(n, k, j, i)))
#define V_UNPACK_LOW(a, b) _mm512_unpacklo_epi32(a, b)
#define V_UNPACK_HIGH(a, b) _mm512_unpackhi_epi32(a, b)
#define V_BLEND(a, b, mask) _mm512_mask_blend_epi32((mask) * 0x1111, a, b)
#elif defined(FIN_WAYS_256_H)
#define V_SHUFFLE1(a, i, j, k, n) _mm256_shuffle_epi32(a, _MM_SHUFFLE(n, k, j, i))
#define V_SHUFFLE2(a, b, i, j, k, n)                                                      \
    _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), \
                                          _MM_SHUFFLE(n, k, j, i)))
#define V_UNPACK_LOW(a, b) _mm256_unpacklo_epi32(a, b)
#define V_UNPACK_HIGH(a, b) _mm256_unpackhi_epi32(a, b)
#define V_BLEND(a, b, mask) _mm256_blend_epi32(a, b, (mask) * 0x11)
#else
#define V_SHUFFLE1(a, i, j, k, n) _mm_shuffle_epi32(a, _MM_SHUFFLE(n, k, j, i))
#define V_SHUFFLE2(a, b, i, j, k, n) vec32_shuffle2(a, b, i, j, k, n)
#define V_UNPACK_LOW(a, b) _mm_unpacklo_epi32(a, b)
#define V_UNPACK_HIGH(a, b) _mm_unpackhi_epi32(a, b)
#endif

/* A round's rows: x and y of the column step, x and y of the diagonal step. */
typedef struct fin_next_ways32 {
    vec32 row[4];
} fin_next_ways32;

/* Loads the rows of the first round: words 0 2 4 6, 1 3 5 7, 14 8 10 12, 15 9 11 13. */
FIN_INLINE void fin_next_ways32_prepare(fin_next_ways32 *loader, const uint8_t *const *in,
                                        bool big_endian)
{
    const vec32 m0 = vec32_load_ways(in, 0), m1 = vec32_load_ways(in, 16);
    const vec32 m2 = vec32_load_ways(in, 32), m3 = vec32_load_ways(in, 48);
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
    const vec32 low = V_UNPACK_LOW(r3, r1), high = V_UNPACK_HIGH(r3, r1);
    loader->row[0] = V_SHUFFLE1(V_SHUFFLE2(r0, r1, 1, 2, 1, 3), 0, 2, 3, 1);
#ifdef V_BLEND
    loader->row[1] = V_BLEND(V_SHUFFLE1(V_BLEND(r0, r2, 4), 3, 2, 0, 0), r3, 8);
    loader->row[2] = V_SHUFFLE1(V_BLEND(low, r2, 8), 0, 1, 3, 2);
#else
    const vec32 right = V_SHUFFLE2(r2, r3, 2, 2, 3, 3); /* 10 10 13 13 */
    loader->row[1] = V_SHUFFLE1(V_SHUFFLE2(r0, right, 3, 0, 0, 2), 0, 2, 1, 3);
    loader->row[2] = V_SHUFFLE2(low, V_SHUFFLE2(r2, low, 3, 3, 2, 2), 0, 1, 0, 2);
#endif
    loader->row[3] = V_SHUFFLE1(V_SHUFFLE2(r2, high, 1, 0, 0, 1), 0, 2, 3, 1);
}

#undef V_SHUFFLE1
#undef V_SHUFFLE2
#undef V_UNPACK_LOW
#undef V_UNPACK_HIGH
#undef V_BLEND

#ifdef FIN_WAYS_PAIR_H
/* The schedule of pair32. */
typedef struct fin_next_pairs32 {
    fin_next_ways32 lo, hi;
} fin_next_pairs32;

FIN_INLINE void fin_next_pairs32_prepare(fin_next_pairs32 *loader, const uint8_t *const *in,
                                         bool big_endian)
{
    fin_next_ways32_prepare(&loader->lo, in, big_endian);
    fin_next_ways32_prepare(&loader->hi, in + sizeof(vec32) / 16, big_endian);
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
#endif
