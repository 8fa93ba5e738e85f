/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lanes in 512-bit registers, AVX-512: sixteen messages of 32-bit words, eight of 64-bit words.
 */
#ifndef FIN_LANES_512_H
#define FIN_LANES_512_H

#include <immintrin.h>

#define FIN_LANES32 16
#define FIN_LANES64 8

typedef __m512i lane32;
typedef __m512i lane64;

/* Rows are aligned, messages are not. */
FIN_INLINE __m512i fin_lane_load(const void *p)
{
    return _mm512_load_si512(p);
}
FIN_INLINE __m512i fin_lane_load_bytes(const void *p)
{
    return _mm512_loadu_si512(p);
}
FIN_INLINE void fin_lane_store(void *p, __m512i x)
{
    _mm512_store_si512(p, x);
}
FIN_INLINE __m512i fin_lane_xor(__m512i a, __m512i b)
{
    return _mm512_xor_si512(a, b);
}
FIN_INLINE __m512i fin_lane_and_not(__m512i a, __m512i b)
{
    return _mm512_andnot_si512(b, a);
}
/* The compiler must not look behind this sum (blake_g.h). */
FIN_INLINE __m512i fin_lane_keep(__m512i x)
{
    __asm__("" : "+v"(x));
    return x;
}
/* Bytes of every 128-bit lane in the order of a control for one. */
FIN_INLINE __m512i fin_lane_shuffle(__m512i x, __m128i control)
{
    return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(control));
}

/*
 * x[i] holds the 128-bit lanes 0 .. 3 of register i; y[4 * k + j] will hold lane k of x[j],
 * x[j + 4], x[j + 8], x[j + 12].
 *
 *   a0 a1 a2 a3        a0 a2 e0 e2        a0 e0 i0 m0
 *   e0 e1 e2 e3   ->   a1 a3 e1 e3   ->   a1 e1 i1 m1
 *   i0 i1 i2 i3        i0 i2 m0 m2        a2 e2 i2 m2
 *   m0 m1 m2 m3        i1 i3 m1 m3        a3 e3 i3 m3
 */
FIN_INLINE void fin_lane_transpose128(__m512i a, __m512i e, __m512i i, __m512i m,
                                      __m512i *const y[4])
{
    const __m512i ae_even = _mm512_shuffle_i32x4(a, e, _MM_SHUFFLE(2, 0, 2, 0));
    const __m512i ae_odd = _mm512_shuffle_i32x4(a, e, _MM_SHUFFLE(3, 1, 3, 1));
    const __m512i im_even = _mm512_shuffle_i32x4(i, m, _MM_SHUFFLE(2, 0, 2, 0));
    const __m512i im_odd = _mm512_shuffle_i32x4(i, m, _MM_SHUFFLE(3, 1, 3, 1));
    *y[0] = _mm512_shuffle_i32x4(ae_even, im_even, _MM_SHUFFLE(2, 0, 2, 0));
    *y[1] = _mm512_shuffle_i32x4(ae_odd, im_odd, _MM_SHUFFLE(2, 0, 2, 0));
    *y[2] = _mm512_shuffle_i32x4(ae_even, im_even, _MM_SHUFFLE(3, 1, 3, 1));
    *y[3] = _mm512_shuffle_i32x4(ae_odd, im_odd, _MM_SHUFFLE(3, 1, 3, 1));
}

#define lane32_load fin_lane_load
#define lane32_load_bytes fin_lane_load_bytes
#define lane32_store fin_lane_store
#define lane32_xor fin_lane_xor
#define lane32_and_not fin_lane_and_not
#define lane32_keep fin_lane_keep
#define lane32_ror_16(x) _mm512_ror_epi32(x, 16)
#define lane32_ror_12(x) _mm512_ror_epi32(x, 12)
#define lane32_ror_8(x) _mm512_ror_epi32(x, 8)
#define lane32_ror_7(x) _mm512_ror_epi32(x, 7)

FIN_INLINE lane32 lane32_set1(uint32_t x)
{
    return _mm512_set1_epi32((int)x);
}
FIN_INLINE lane32 lane32_add(lane32 a, lane32 b)
{
    return _mm512_add_epi32(a, b);
}
FIN_INLINE lane32 lane32_top_bit(lane32 x)
{
    return _mm512_srli_epi32(x, 31);
}
FIN_INLINE lane32 lane32_swap_bytes(lane32 x)
{
    return fin_lane_shuffle(x, _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
}

/* Squares of four words within the 128-bit lanes, then the 128-bit lanes: see lanes_256.h. */
FIN_INLINE void lane32_transpose(lane32 x[16])
{
    lane32 y[16];
    for (size_t i = 0; i < 16; i += 4) {
        const __m512i ab_low = _mm512_unpacklo_epi32(x[i], x[i + 1]);
        const __m512i ab_high = _mm512_unpackhi_epi32(x[i], x[i + 1]);
        const __m512i cd_low = _mm512_unpacklo_epi32(x[i + 2], x[i + 3]);
        const __m512i cd_high = _mm512_unpackhi_epi32(x[i + 2], x[i + 3]);
        y[i] = _mm512_unpacklo_epi64(ab_low, cd_low);
        y[i + 1] = _mm512_unpackhi_epi64(ab_low, cd_low);
        y[i + 2] = _mm512_unpacklo_epi64(ab_high, cd_high);
        y[i + 3] = _mm512_unpackhi_epi64(ab_high, cd_high);
    }
    for (size_t i = 0; i < 4; i++) {
        __m512i *const to[4] = {&x[i], &x[i + 4], &x[i + 8], &x[i + 12]};
        fin_lane_transpose128(y[i], y[i + 4], y[i + 8], y[i + 12], to);
    }
}

#define lane64_load fin_lane_load
#define lane64_load_bytes fin_lane_load_bytes
#define lane64_store fin_lane_store
#define lane64_xor fin_lane_xor
#define lane64_and_not fin_lane_and_not
#define lane64_keep fin_lane_keep
#define lane64_ror_32(x) _mm512_ror_epi64(x, 32)
#define lane64_ror_25(x) _mm512_ror_epi64(x, 25)
#define lane64_ror_24(x) _mm512_ror_epi64(x, 24)
#define lane64_ror_16(x) _mm512_ror_epi64(x, 16)
#define lane64_ror_11(x) _mm512_ror_epi64(x, 11)
#define lane64_ror_63(x) _mm512_ror_epi64(x, 63)

FIN_INLINE lane64 lane64_set1(uint64_t x)
{
    return _mm512_set1_epi64((long long)x);
}
FIN_INLINE lane64 lane64_add(lane64 a, lane64 b)
{
    return _mm512_add_epi64(a, b);
}
FIN_INLINE lane64 lane64_top_bit(lane64 x)
{
    return _mm512_srli_epi64(x, 63);
}
FIN_INLINE lane64 lane64_swap_bytes(lane64 x)
{
    return fin_lane_shuffle(x, _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
}

/* Pairs within the 128-bit lanes, then the 128-bit lanes. */
FIN_INLINE void lane64_transpose(lane64 x[8])
{
    lane64 y[8];
    for (size_t i = 0; i < 8; i += 2) {
        y[i] = _mm512_unpacklo_epi64(x[i], x[i + 1]);
        y[i + 1] = _mm512_unpackhi_epi64(x[i], x[i + 1]);
    }
    for (size_t i = 0; i < 2; i++) {
        __m512i *const to[4] = {&x[i], &x[i + 2], &x[i + 4], &x[i + 6]};
        fin_lane_transpose128(y[i], y[i + 2], y[i + 4], y[i + 6], to);
    }
}

#endif
