/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lanes in 128-bit registers, SSE2 to AVX: four messages of 32-bit words, two of 64-bit words.
 */
#ifndef FIN_LANES_128_H
#define FIN_LANES_128_H

#include "vec/words_128.h"

#define FIN_LANES32 4
#define FIN_LANES64 2

typedef vec32 lane32;
typedef half64 lane64;

/* Rows are aligned, messages are not. */
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
FIN_INLINE __m128i fin_lane_xor(__m128i a, __m128i b)
{
    return _mm_xor_si128(a, b);
}
FIN_INLINE __m128i fin_lane_and_not(__m128i a, __m128i b)
{
    return _mm_andnot_si128(b, a);
}

#define lane32_load fin_lane_load
#define lane32_store fin_lane_store
#define lane32_xor fin_lane_xor
#define lane32_and_not fin_lane_and_not
#define lane32_keep vec32_keep
#define lane32_swap_bytes vec32_swap_bytes
#define lane32_add vec32_add
#define lane32_ror_16 vec32_ror_16
#define lane32_ror_12 vec32_ror_12
#define lane32_ror_8 vec32_ror_8
#define lane32_ror_7 vec32_ror_7

FIN_INLINE lane32 lane32_set1(uint32_t x)
{
    return _mm_set1_epi32((int)x);
}
FIN_INLINE lane32 lane32_top_bit(lane32 x)
{
    return _mm_srli_epi32(x, 31);
}

/* Sixteen bytes of every message, from offset on:
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
#define lane64_xor fin_lane_xor
#define lane64_and_not fin_lane_and_not
#define lane64_keep half64_keep
#define lane64_swap_bytes half64_swap_bytes
#define lane64_add half64_add
#define lane64_ror_32 half64_ror_32
#define lane64_ror_25 half64_ror_25
#define lane64_ror_24 half64_ror_24
#define lane64_ror_16 half64_ror_16
#define lane64_ror_11 half64_ror_11
#define lane64_ror_63 half64_ror_63

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
