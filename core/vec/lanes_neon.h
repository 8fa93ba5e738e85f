/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lanes in NEON registers of 128 bits: four messages of 32-bit words, two of 64-bit words.
 */
#ifndef FIN_LANES_NEON_H
#define FIN_LANES_NEON_H

#include "vec/words_neon.h"

#define FIN_LANES32 4
#define FIN_LANES64 2

typedef vec32 lane32;
typedef half64 lane64;

#define lane32_load vec32_load
#define lane32_store vec32_store
#define lane32_add vec32_add
#define lane32_xor vec32_xor
#define lane32_keep vec32_keep
#define lane32_swap_bytes vec32_swap_bytes
#define lane32_ror_16 vec32_ror_16
#define lane32_ror_12 vec32_ror_12
#define lane32_ror_8 vec32_ror_8
#define lane32_ror_7 vec32_ror_7

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

/* Sixteen bytes of every message, from offset on:
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
#define lane64_add half64_add
#define lane64_xor half64_xor
#define lane64_keep half64_keep
#define lane64_swap_bytes half64_swap_bytes
#define lane64_ror_32 half64_ror_32
#define lane64_ror_25 half64_ror_25
#define lane64_ror_24 half64_ror_24
#define lane64_ror_16 half64_ror_16
#define lane64_ror_11 half64_ror_11
#define lane64_ror_63 half64_ror_63

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
