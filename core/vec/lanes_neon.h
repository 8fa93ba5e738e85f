/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lanes in NEON registers of 128 bits: four messages of 32-bit words, two of 64-bit words.
 */
#ifndef FIN_LANES_NEON_H
#define FIN_LANES_NEON_H

#include "vec/words_neon.h"

#define FIN_LANES32 4
#define FIN_LANES64 2

typedef uint32x4_t lane32;
typedef uint64x2_t lane64;

#define lane32_load vec32_load
#define lane32_store vec32_store
#define lane32_add vec32_add
#define lane32_xor vec32_xor
#define lane32_keep vec32_keep
#define lane32_swap_bytes fin_swap_bytes32
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

/* The low words, then the high words of a and b:  a0 a1, b0 b1  ->  a0 b0, a1 b1 */
FIN_INLINE uint64x2_t fin_low_words(uint64x2_t a, uint64x2_t b)
{
    return vcombine_u64(vget_low_u64(a), vget_low_u64(b));
}
FIN_INLINE uint64x2_t fin_high_words(uint64x2_t a, uint64x2_t b)
{
    return vcombine_u64(vget_high_u64(a), vget_high_u64(b));
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
        const uint64x2_t upper = vreinterpretq_u64_u32(ab.val[i]);
        const uint64x2_t lower = vreinterpretq_u64_u32(cd.val[i]);
        x[i] = vreinterpretq_u32_u64(fin_low_words(upper, lower));
        x[i + 2] = vreinterpretq_u32_u64(fin_high_words(upper, lower));
    }
}

#define lane64_load fin_load_pair64
#define lane64_swap_bytes fin_swap_bytes64
#define lane64_ror_32 fin_ror64_32
#define lane64_ror_25 fin_ror64_25
#define lane64_ror_24 fin_ror64_24
#define lane64_ror_16 fin_ror64_16
#define lane64_ror_11 fin_ror64_11
#define lane64_ror_63 fin_ror64_63

FIN_INLINE void lane64_store(void *p, lane64 x)
{
    vst1q_u8(p, vreinterpretq_u8_u64(x));
}
FIN_INLINE lane64 lane64_add(lane64 a, lane64 b)
{
    return vaddq_u64(a, b);
}
FIN_INLINE lane64 lane64_xor(lane64 a, lane64 b)
{
    return veorq_u64(a, b);
}
FIN_INLINE lane64 lane64_keep(lane64 x)
{
    __asm__("" : "+w"(x));
    return x;
}
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
    x[0] = fin_load_pair64(in[0] + offset);
    x[1] = fin_load_pair64(in[1] + offset);
    const uint64x2_t low = fin_low_words(x[0], x[1]);
    x[1] = fin_high_words(x[0], x[1]);
    x[0] = low;
}

#endif
