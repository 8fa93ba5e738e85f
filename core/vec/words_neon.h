/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Rows of four words in NEON registers of 128 bits, 64-bit and 32-bit Arm: vec32 is one register,
 * vec64 two (words_pair.h). Little-endian CPUs only.
 *
 *   vec32_load(p), _store(p, x)      from and to memory, aligned or not
 *   vec32_set(a, b, c, d)            a is word 0
 *   vec32_add, _xor                  of two rows
 *   vec32_barrier(x)                    x, hidden from the optimiser (kern/blake/g.h)
 *   vec32_rotate_words1(x), 2, 3     word i takes word i + 1, i + 2, i + 3 (modulo 4)
 *   vec32_ror_N(x)                   for N of 16, 12, 8 and 7
 *   vec32_swap_bytes(x)              of every word
 *   vec32_load_words(in, big_endian) four words of a message
 *   half64, vec64                    see words_pair.h
 */
#ifndef FIN_WORDS_NEON_H
#define FIN_WORDS_NEON_H

#include <arm_neon.h>

#include "vec/load_words.h"

typedef uint32x4_t vec32;
typedef uint64x2_t half64;
#define FIN_VECTOR_OPERAND "w"

/* Loads bytes, so that the compiler assumes no alignment. */
FIN_INLINE vec32 vec32_load(const void *p)
{
    return vreinterpretq_u32_u8(vld1q_u8(p));
}
FIN_INLINE void vec32_store(void *p, vec32 x)
{
    vst1q_u8(p, vreinterpretq_u8_u32(x));
}
FIN_INLINE vec32 vec32_set(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (vec32){a, b, c, d};
}
FIN_INLINE vec32 vec32_add(vec32 a, vec32 b)
{
    return vaddq_u32(a, b);
}
FIN_INLINE vec32 vec32_xor(vec32 a, vec32 b)
{
    return veorq_u32(a, b);
}
/* Hides this sum from the optimiser (kern/blake/g.h). */
FIN_INLINE vec32 vec32_barrier(vec32 x)
{
    __asm__("" : "+" FIN_VECTOR_OPERAND(x));
    return x;
}

/* Word i takes word i + 1, i + 2, i + 3 (modulo 4):
     a b c d  ->  b c d a,  c d a b,  d a b c */
FIN_INLINE vec32 vec32_rotate_words1(vec32 x)
{
    return vextq_u32(x, x, 1);
}
FIN_INLINE vec32 vec32_rotate_words2(vec32 x)
{
    return vextq_u32(x, x, 2);
}
FIN_INLINE vec32 vec32_rotate_words3(vec32 x)
{
    return vextq_u32(x, x, 3);
}

/* A rotation is a shift, and a shift that inserts (sri). */
#define FIN_SHIFT_ROR32(x, n) vsriq_n_u32(vshlq_n_u32(x, 32 - (n)), x, n)

/* Exchanges the two 16-bit units of every word. */
FIN_INLINE vec32 vec32_ror_16(vec32 x)
{
    return vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x)));
}
/* Takes bytes 1 2 3 0 of every word. Assembly on 32-bit Arm, where compilers copy halves around to
   join them. */
FIN_INLINE vec32 vec32_ror_8(vec32 x)
{
#ifdef FIN_ARCH_ARM64
    const uint8x16_t order = {1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12};
    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), order));
#else
    const uint8x8_t order = {1, 2, 3, 0, 5, 6, 7, 4};
    vec32 out;
    __asm__("vtbl.8 %e0, {%e1}, %P2\n\tvtbl.8 %f0, {%f1}, %P2" : "=&w"(out) : "w"(x), "w"(order));
    return out;
#endif
}
#define vec32_ror_12(x) FIN_SHIFT_ROR32(x, 12)
#define vec32_ror_7(x) FIN_SHIFT_ROR32(x, 7)

FIN_INLINE vec32 vec32_swap_bytes(vec32 x)
{
    return vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(x)));
}
FIN_LOAD_WORDS(vec32)

FIN_INLINE half64 half64_load(const void *p)
{
    return vreinterpretq_u64_u8(vld1q_u8(p));
}
FIN_INLINE void half64_store(void *p, half64 x)
{
    vst1q_u8(p, vreinterpretq_u8_u64(x));
}
FIN_INLINE half64 half64_set(uint64_t a, uint64_t b)
{
    return (half64){a, b};
}
FIN_INLINE half64 half64_add(half64 a, half64 b)
{
    return vaddq_u64(a, b);
}
FIN_INLINE half64 half64_xor(half64 a, half64 b)
{
    return veorq_u64(a, b);
}
FIN_INLINE half64 half64_swap_bytes(half64 x)
{
    return vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(x)));
}

/* vext makes a1 b0. */
FIN_INLINE half64 half64_pair(half64 a, half64 b, int i, int j)
{
    const uint64x1_t first = i == 0 ? vget_low_u64(a) : vget_high_u64(a);
    const uint64x1_t second = j == 0 ? vget_low_u64(b) : vget_high_u64(b);
    return i == 1 && j == 0 ? vextq_u64(a, b, 1) : vcombine_u64(first, second);
}

#define FIN_SHIFT_ROR64(x, n) vsriq_n_u64(vshlq_n_u64(x, 64 - (n)), x, n)
FIN_INLINE half64 half64_ror_32(half64 x)
{
    return vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(x)));
}
/* Rotations by whole bytes are a table look-up. 32-bit Arm rotates each half of the register by
   vext, in assembly for the same reason. */
#ifdef FIN_ARCH_ARM64
FIN_INLINE half64 half64_ror_24(half64 x)
{
    const uint8x16_t order = {3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10};
    return vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(x), order));
}
FIN_INLINE half64 half64_ror_16(half64 x)
{
    const uint8x16_t order = {2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9};
    return vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(x), order));
}
#else
#define FIN_ROR64_BYTES(name, n)                                              \
    FIN_INLINE half64 name(half64 x)                                          \
    {                                                                         \
        half64 out;                                                           \
        __asm__("vext.8 %e0, %e1, %e1, #" #n "\n\tvext.8 %f0, %f1, %f1, #" #n \
                : "=&w"(out)                                                  \
                : "w"(x));                                                    \
        return out;                                                           \
    }
FIN_ROR64_BYTES(half64_ror_24, 3)
FIN_ROR64_BYTES(half64_ror_16, 2)
#endif
#define half64_ror_25(x) FIN_SHIFT_ROR64(x, 25)
#define half64_ror_11(x) FIN_SHIFT_ROR64(x, 11)
/* A rotation left by one is an addition, which more pipelines execute than a shift. */
FIN_INLINE half64 half64_ror_63(half64 x)
{
    return vsriq_n_u64(vaddq_u64(x, x), x, 63);
}

#include "vec/words_pair.h"

#endif
