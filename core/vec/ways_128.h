/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Rows of two messages in two 128-bit registers, SSE2 to AVX: four 32-bit words of message A in the
 * first, four of message B in the second. The operations of vec/ways_256.h that BLAKE3 needs:
 *
 *   vec32        a row of one message, of words_128.h, and
 *   vec32_and_not(a, b), _repeat(p), _load_ways(in, at)
 *   pair32       both, of ways_pair.h, and pair32_enter(p), _leave(p, x)
 */
#ifndef FIN_WAYS_128_H
#define FIN_WAYS_128_H

#include "vec/words_128.h"

#define vec32_repeat vec32_load

FIN_INLINE vec32 vec32_and_not(vec32 a, vec32 b)
{
    return _mm_andnot_si128(b, a);
}
FIN_INLINE vec32 vec32_load_ways(const uint8_t *const *in, size_t at)
{
    return vec32_load(in[0] + at);
}

#include "vec/ways_pair.h"

/* Converts four rows of fin_lanes, each a word of A and of B, and back:
     a0 b0 a1 b1 | a2 b2 a3 b3  <->  a0 a1 a2 a3 | b0 b1 b2 b3 */
FIN_INLINE pair32 pair32_enter(const void *p)
{
    const vec32 low = vec32_load(p), high = vec32_load((const vec32 *)p + 1);
    return (pair32){vec32_shuffle2(low, high, 0, 2, 0, 2), vec32_shuffle2(low, high, 1, 3, 1, 3)};
}
FIN_INLINE void pair32_leave(void *p, pair32 x)
{
    vec32_store(p, _mm_unpacklo_epi32(x.lo, x.hi));
    vec32_store((vec32 *)p + 1, _mm_unpackhi_epi32(x.lo, x.hi));
}

#endif
