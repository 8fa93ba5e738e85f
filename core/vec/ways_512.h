/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Rows of several messages in one 512-bit register, AVX-512: four 32-bit words of messages A, B, C,
 * D in its quarters, or four 64-bit words of A and B in its halves. Descends from AVX paper,
 * section 5.2.
 *
 *   vecB_load, _add, _xor, _barrier, _rotate_wordsN, _ror_N, _and_not, _top_bit, _twice, _repeat,
 *   _enter, _leave, _enter_first     for B of 32 and 64, as in ways_256.h for 32
 *   vec32_load_ways, vec32_store
 */
#ifndef FIN_WAYS_512_H
#define FIN_WAYS_512_H

#include "vec/lanes_512.h"

typedef __m512i vec32;
typedef __m512i vec64;

#define vec32_load fin_lane_load_bytes
#define vec32_xor fin_lane_xor
#define vec32_barrier fin_lane_barrier
#define vec32_add lane32_add
#define vec32_and_not fin_lane_and_not
#define vec32_top_bit lane32_top_bit
#define vec32_ror_16 lane32_ror_16
#define vec32_ror_12 lane32_ror_12
#define vec32_ror_8 lane32_ror_8
#define vec32_ror_7 lane32_ror_7

#define vec64_load fin_lane_load_bytes
#define vec64_xor fin_lane_xor
#define vec64_barrier fin_lane_barrier
#define vec64_add lane64_add
#define vec64_and_not fin_lane_and_not
#define vec64_top_bit lane64_top_bit
#define vec64_ror_32 lane64_ror_32
#define vec64_ror_25 lane64_ror_25
#define vec64_ror_24 lane64_ror_24
#define vec64_ror_16 lane64_ror_16
#define vec64_ror_11 lane64_ror_11
#define vec64_ror_63 lane64_ror_63

/* Word i takes word i + 1, i + 2, i + 3 (modulo 4) of its message:
     a b c d  ->  b c d a,  c d a b,  d a b c */
#define vec32_rotate_words1(x) _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)_MM_SHUFFLE(0, 3, 2, 1))
#define vec32_rotate_words2(x) _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)_MM_SHUFFLE(1, 0, 3, 2))
#define vec32_rotate_words3(x) _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)_MM_SHUFFLE(2, 1, 0, 3))
#define vec64_rotate_words1(x) _mm512_permutex_epi64(x, _MM_SHUFFLE(0, 3, 2, 1))
#define vec64_rotate_words2(x) _mm512_permutex_epi64(x, _MM_SHUFFLE(1, 0, 3, 2))
#define vec64_rotate_words3(x) _mm512_permutex_epi64(x, _MM_SHUFFLE(2, 1, 0, 3))

/* a b c d  ->  a a b b, of every message */
#define vec32_twice(x) _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)_MM_SHUFFLE(1, 1, 0, 0))
#define vec64_twice(x) _mm512_permutex_epi64(x, _MM_SHUFFLE(1, 1, 0, 0))

/* Four words, for every message. */
FIN_INLINE vec32 vec32_repeat(const void *p)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128(p));
}
FIN_INLINE void vec32_store(void *p, vec32 x)
{
    _mm512_storeu_si512(p, x);
}
FIN_INLINE vec32 vec32_load_ways(const uint8_t *const *in, size_t at)
{
    const __m128i *const first = (const __m128i *)(const void *)(in[0] + at);
    vec32 x = _mm512_castsi128_si512(_mm_loadu_si128(first));
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(const void *)(in[1] + at)), 1);
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(const void *)(in[2] + at)), 2);
    return _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(const void *)(in[3] + at)), 3);
}
FIN_INLINE vec64 vec64_repeat(const void *p)
{
    return _mm512_broadcast_i64x4(_mm256_loadu_si256(p));
}

/* Converts four rows of fin_lanes, each a word of A, B, C, D, and back; both are a transposition
   of four by four words:
     a0 b0 c0 d0 | a1 b1 c1 d1 | ..  <->  a0 a1 a2 a3 | b0 b1 b2 b3 | .. */
FIN_INLINE __m512i fin_transpose4(__m512i x)
{
    return _mm512_permutexvar_epi32(
        _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0), x);
}
FIN_INLINE vec32 vec32_enter(const void *p)
{
    return fin_transpose4(vec32_load(p));
}
FIN_INLINE void vec32_leave(void *p, vec32 x)
{
    _mm512_storeu_si512(p, fin_transpose4(x));
}

/* The same for 64-bit words of two messages:
     a0 b0 a1 b1 | a2 b2 a3 b3  <->  a0 a1 a2 a3 | b0 b1 b2 b3 */
FIN_INLINE vec64 vec64_enter(const void *p)
{
    return _mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), vec64_load(p));
}
FIN_INLINE void vec64_leave(void *p, vec64 x)
{
    const vec64 index = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
    _mm512_storeu_si512(p, _mm512_permutexvar_epi64(index, x));
}

/* A row of fin_lanes becomes every message's first word, the others are zero:
     a b c d  ->  a 0 0 0 | b 0 0 0 | c 0 0 0 | d 0 0 0 */
FIN_INLINE vec32 vec32_enter_first(const void *p)
{
    return _mm512_maskz_permutexvar_epi32(
        0x1111, _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0),
        _mm512_castsi128_si512(_mm_loadu_si128(p)));
}
FIN_INLINE vec64 vec64_enter_first(const void *p)
{
    return _mm512_maskz_permutexvar_epi64(0x11, _mm512_set_epi64(0, 0, 0, 1, 0, 0, 0, 0),
                                          _mm512_castsi128_si512(_mm_loadu_si128(p)));
}

#endif
