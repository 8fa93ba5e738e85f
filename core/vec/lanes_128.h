/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lanes in 128-bit registers, SSE2 to AVX: four messages of 32-bit words, two of 64-bit words.
 *
 *   FIN_LANES32, FIN_LANES64         how many messages of 32-bit and of 64-bit words
 *   lane32, lane64                   one word of each of them; for B = 32 and 64:
 *   laneB_load(p), _store(p, x)      from and to rows of fin_lanes, which are aligned
 *   laneB_set1(x)                    a word for every message
 *   laneB_add(a, b), _xor(a, b)
 *   laneB_and_not(a, b)              a & ~b
 *   laneB_top_bit(x)                 every word's top bit, as 0 or 1
 *   laneB_barrier(x)                    x, hidden from the optimiser (kern/blake/g.h)
 *   laneB_swap_bytes(x)              of every word
 *   laneB_ror_N(x)                   for N of 16, 12, 8, 7 and of 32, 25, 24, 16, 11, 63
 *   laneB_load_square(x, in, offset) a square: as many words as messages, transposed
 */
#ifndef FIN_LANES_128_H
#define FIN_LANES_128_H

#include "vec/words_128.h"
#include "vec/lanes_of_words.h"

/* Rows are aligned, messages may not be. */
FIN_INLINE __m128i fin_lane_load(const void *p)
{
    return _mm_load_si128(p);
}
FIN_INLINE __m128i fin_lane_load_bytes(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}
FIN_INLINE void fin_lane_store(void *p, __m128i x)
{
    _mm_store_si128(p, x);
}
FIN_INLINE __m128i fin_lane_and_not(__m128i a, __m128i b)
{
    return _mm_andnot_si128(b, a);
}

#define lane32_load fin_lane_load
#define lane32_store fin_lane_store
#define lane32_and_not fin_lane_and_not

FIN_INLINE lane32 lane32_set1(uint32_t x)
{
    return _mm_set1_epi32((int)x);
}
FIN_INLINE lane32 lane32_top_bit(lane32 x)
{
    return _mm_srli_epi32(x, 31);
}

/* Transposes sixteen bytes of every message, from offset on:
    a0 a1 a2 a3        a0 b0 a1 b1        a0 b0 c0 d0
    b0 b1 b2 b3   ->   a2 b2 a3 b3   ->   a1 b1 c1 d1
    c0 c1 c2 c3        c0 d0 c1 d1        a2 b2 c2 d2
    d0 d1 d2 d3        c2 d2 c3 d3        a3 b3 c3 d3  */
FIN_INLINE void lane32_load_square(lane32 x[4], const uint8_t *const in[4], size_t offset)
{
    const __m128i a = fin_lane_load_bytes(in[0] + offset);
    const __m128i b = fin_lane_load_bytes(in[1] + offset);
    const __m128i c = fin_lane_load_bytes(in[2] + offset);
    const __m128i d = fin_lane_load_bytes(in[3] + offset);
    const __m128i ab_low = _mm_unpacklo_epi32(a, b);
    const __m128i ab_high = _mm_unpackhi_epi32(a, b);
    const __m128i cd_low = _mm_unpacklo_epi32(c, d);
    const __m128i cd_high = _mm_unpackhi_epi32(c, d);
    x[0] = _mm_unpacklo_epi64(ab_low, cd_low);
    x[1] = _mm_unpackhi_epi64(ab_low, cd_low);
    x[2] = _mm_unpacklo_epi64(ab_high, cd_high);
    x[3] = _mm_unpackhi_epi64(ab_high, cd_high);
}

#define lane64_load fin_lane_load
#define lane64_store fin_lane_store
#define lane64_and_not fin_lane_and_not

FIN_INLINE lane64 lane64_set1(uint64_t x)
{
    return _mm_set1_epi64x((long long)x);
}
FIN_INLINE lane64 lane64_top_bit(lane64 x)
{
    return _mm_srli_epi64(x, 63);
}

/*  a0 a1  ->  a0 b0
    b0 b1      a1 b1  */
FIN_INLINE void lane64_load_square(lane64 x[2], const uint8_t *const in[2], size_t offset)
{
    const __m128i a = fin_lane_load_bytes(in[0] + offset);
    const __m128i b = fin_lane_load_bytes(in[1] + offset);
    x[0] = _mm_unpacklo_epi64(a, b);
    x[1] = _mm_unpackhi_epi64(a, b);
}

#endif
