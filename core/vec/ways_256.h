/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Rows of two messages in one 256-bit register, AVX2 and AVX-512VL: four 32-bit words of message A
 * in the low half, four of message B in the high half (AVX paper, section 5.2).
 *
 * Rows of several messages have the operations of rows of one:
 *
 *   vec32_load(p), _store(p, x)      from memory, aligned or not, and to it
 *   vec32_add, _xor, _barrier, _rotate_wordsN, _ror_N    as in words_128.h, within each message
 *   vec32_and_not(a, b)              a & ~b
 *   vec32_top_bit(x)                 every word's top bit, as 0 or 1
 *   vec32_twice(x)                   a b c d  ->  a a b b, of every message
 *   vec32_repeat(p)                  four words, for every message
 *   vec32_load_ways(in, at)          16 bytes of every message
 *   vec32_enter(p), _leave(p, x)     four rows of fin_lanes as a row, and back
 *   vec32_enter_first(p)             a row of fin_lanes as every message's first word, the others 0
 */
#ifndef FIN_WAYS_256_H
#define FIN_WAYS_256_H

#include "vec/lanes_256.h"

typedef __m256i vec32;

#define vec32_load vec64_load
#define vec32_store vec64_store
#define vec32_xor vec64_xor
#define vec32_barrier vec64_barrier
#define vec32_add lane32_add
#define vec32_and_not fin_lane_and_not
#define vec32_top_bit lane32_top_bit
#define vec32_ror_16 lane32_ror_16
#define vec32_ror_12 lane32_ror_12
#define vec32_ror_8 lane32_ror_8
#define vec32_ror_7 lane32_ror_7

/* Word i takes word i + 1, i + 2, i + 3 (modulo 4) of its message:
     a b c d | e f g h  ->  b c d a | f g h e,  c d a b | g h e f,  d a b c | h e f g
   Golden Cove, which chooses AVX-512VL's two messages of BLAKE3, takes 2 per cent fewer cycles with
   vpalignr than with vpshufd; Zen 4, which does not, 3 to 5 per cent more. */
#if FIN_ISA_AVX512
#define FIN_ROTATE_WORDS(x, n) _mm256_alignr_epi8(x, x, 4 * (n))
#else
#define FIN_ROTATE_WORDS(x, n) \
    _mm256_shuffle_epi32(x, _MM_SHUFFLE(((n) + 3) & 3, ((n) + 2) & 3, ((n) + 1) & 3, n))
#endif

FIN_INLINE vec32 vec32_rotate_words1(vec32 x)
{
    return FIN_ROTATE_WORDS(x, 1);
}
FIN_INLINE vec32 vec32_rotate_words2(vec32 x)
{
    return FIN_ROTATE_WORDS(x, 2);
}
FIN_INLINE vec32 vec32_rotate_words3(vec32 x)
{
    return FIN_ROTATE_WORDS(x, 3);
}

/* a b c d | e f g h  ->  a a b b | e e f f */
FIN_INLINE vec32 vec32_twice(vec32 x)
{
    return _mm256_shuffle_epi32(x, _MM_SHUFFLE(1, 1, 0, 0));
}

/* Four words, for every message. The float intrinsic is one load; gcc 12 makes a load and a shuffle
   of the integer one. */
FIN_INLINE vec32 vec32_repeat(const void *p)
{
    return _mm256_castps_si256(_mm256_broadcast_ps(p));
}

FIN_INLINE vec32 vec32_load_ways(const uint8_t *const *in, size_t at)
{
    return fin_lane_load_halves(in[0] + at, in[1] + at);
}

/* Converts four rows of fin_lanes, each a word of A and of B, and back:
     a0 b0 a1 b1 | a2 b2 a3 b3  <->  a0 a1 a2 a3 | b0 b1 b2 b3 */
FIN_INLINE vec32 vec32_enter(const void *p)
{
    return _mm256_permutevar8x32_epi32(vec32_load(p), _mm256_set_epi32(7, 5, 3, 1, 6, 4, 2, 0));
}
FIN_INLINE void vec32_leave(void *p, vec32 x)
{
    const vec32 index = _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0);
    vec64_store(p, _mm256_permutevar8x32_epi32(x, index));
}

/* A row of fin_lanes becomes every message's first word, the others are zero:
     a b  ->  a 0 0 0 | b 0 0 0 */
FIN_INLINE vec32 vec32_enter_first(const void *p)
{
    return _mm256_permute4x64_epi64(_mm256_cvtepu32_epi64(_mm_loadl_epi64(p)),
                                    _MM_SHUFFLE(2, 1, 2, 0));
}

#include "vec/ways_pair.h"

/* Four rows of fin_lanes, which are a word of A, B, C and D each, as A and B beside C and D, and back. */
FIN_INLINE __m256i fin_turn_ways(__m256i x)
{
    return _mm256_permutevar8x32_epi32(x, _mm256_set_epi32(7, 3, 5, 1, 6, 2, 4, 0));
}
FIN_INLINE pair32 pair32_enter(const void *p)
{
    const __m256i low = fin_turn_ways(vec32_load(p));
    const __m256i high = fin_turn_ways(vec32_load((const __m256i *)p + 1));
    return (pair32){_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high)};
}
FIN_INLINE void pair32_leave(void *p, pair32 x)
{
    vec64_store(p, fin_turn_ways(_mm256_unpacklo_epi64(x.lo, x.hi)));
    vec64_store((__m256i *)p + 1, fin_turn_ways(_mm256_unpackhi_epi64(x.lo, x.hi)));
}

#endif
