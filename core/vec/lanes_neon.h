/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lanes in NEON registers of 128 bits: four messages of 32-bit words, two of 64-bit words.
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
#ifndef FIN_LANES_NEON_H
#define FIN_LANES_NEON_H

#include "vec/words_neon.h"
#include "vec/lanes_of_words.h"

#define lane32_load vec32_load
#define lane32_store vec32_store

FIN_INLINE lane32 lane32_set1(uint32_t x)
{
    return vdupq_n_u32(x);
}
FIN_INLINE lane32 lane32_and_not(lane32 a, lane32 b)
{
    return vbicq_u32(a, b);
}
FIN_INLINE lane32 lane32_top_bit(lane32 x)
{
    return vshrq_n_u32(x, 31);
}

/* Transposes sixteen bytes of every message, from offset on:
    a0 a1 a2 a3        a0 b0 a2 b2        a0 b0 c0 d0
    b0 b1 b2 b3   ->   a1 b1 a3 b3   ->   a1 b1 c1 d1
    c0 c1 c2 c3        c0 d0 c2 d2        a2 b2 c2 d2
    d0 d1 d2 d3        c1 d1 c3 d3        a3 b3 c3 d3  */
FIN_INLINE void lane32_load_square(lane32 x[4], const uint8_t *const in[4], size_t offset)
{
    x[0] = vec32_load(in[0] + offset);
    x[1] = vec32_load(in[1] + offset);
    x[2] = vec32_load(in[2] + offset);
    x[3] = vec32_load(in[3] + offset);
    const uint32x4x2_t ab = vtrnq_u32(x[0], x[1]), cd = vtrnq_u32(x[2], x[3]);
    for (size_t i = 0; i < 2; i++) {
        const half64 upper = vreinterpretq_u64_u32(ab.val[i]);
        const half64 lower = vreinterpretq_u64_u32(cd.val[i]);
        x[i] = vreinterpretq_u32_u64(half64_pair(upper, lower, 0, 0));
        x[i + 2] = vreinterpretq_u32_u64(half64_pair(upper, lower, 1, 1));
    }
}

#define lane64_load half64_load
#define lane64_store half64_store

FIN_INLINE lane64 lane64_set1(uint64_t x)
{
    return vdupq_n_u64(x);
}
FIN_INLINE lane64 lane64_and_not(lane64 a, lane64 b)
{
    return vbicq_u64(a, b);
}
FIN_INLINE lane64 lane64_top_bit(lane64 x)
{
    return vshrq_n_u64(x, 63);
}

/*  a0 a1  ->  a0 b0
    b0 b1      a1 b1  */
FIN_INLINE void lane64_load_square(lane64 x[2], const uint8_t *const in[2], size_t offset)
{
    x[0] = half64_load(in[0] + offset);
    x[1] = half64_load(in[1] + offset);
    const lane64 low = half64_pair(x[0], x[1], 0, 0);
    x[1] = half64_pair(x[0], x[1], 1, 1);
    x[0] = low;
}

#endif
