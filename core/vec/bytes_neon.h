/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sixteen bytes in a NEON register, 64-bit and 32-bit Arm: rows of Grøstl (bytes_*), and part_* to
 * load, transpose and store its chaining value. Little-endian CPUs only.
 *
 *   bytes                            16 bytes; BYTES_WIDTH = 16
 *   bytes_load(aligned)              from tables
 *   bytes_set1(x)                    a byte everywhere
 *   bytes_xor(a, b), _xor3(a, b, c), _and(a, b)
 *   bytes_add(a, b)                  byte by byte
 *   bytes_shuffle(x, index)          byte i becomes x[index[i]], or 0 where index[i] is 16 or more
 *   bytes_table(table)               a table of sixteen bytes for bytes_shuffle
 *   bytes_high_nibbles(x)            x >> 4 of every byte
 *   bytes_double(x)                  2 x in GF(2^8)
 *   BYTES_CAN_FOLD, bytes_pushed_out(x, y)    see below and kern/groestl/mix.h
 *   bytes_aes_sub(x, key)            aese, with ARMAES
 *   part                             sixteen bytes
 *   part_load(aligned)               from tables
 *   part_load_bytes(in)              from anywhere
 *   part_load_words(in)              from memory just stored in words of 64 bits
 *   part_store(out, x)               to anywhere
 *   part_set1(x), _xor(a, b), _and(a, b), _high_nibbles(x)
 *   part_shuffle(x, index)           byte i becomes x[index[i]]
 *   part_lowN(a, b), _highN(a, b)    interleaved units of N = 8, 16, 32 and 64 bits of their halves
 */
#ifndef FIN_BYTES_NEON_H
#define FIN_BYTES_NEON_H

#include "vec/isa.h"

#include <arm_neon.h>

typedef uint8x16_t bytes;
typedef uint8x16_t part;

#define BYTES_WIDTH 16

FIN_INLINE bytes bytes_load(const uint8_t aligned[16])
{
    return vld1q_u8(aligned);
}
FIN_INLINE bytes bytes_set1(uint8_t x)
{
    return vdupq_n_u8(x);
}
/* A table of sixteen bytes for bytes_shuffle. */
FIN_INLINE bytes bytes_table(const uint8_t table[16])
{
    return vld1q_u8(table);
}
FIN_INLINE bytes bytes_xor(bytes a, bytes b)
{
    return veorq_u8(a, b);
}
FIN_INLINE bytes bytes_xor3(bytes a, bytes b, bytes c)
{
    return bytes_xor(bytes_xor(a, b), c);
}
FIN_INLINE bytes bytes_and(bytes a, bytes b)
{
    return vandq_u8(a, b);
}
FIN_INLINE bytes bytes_add(bytes a, bytes b)
{
    return vaddq_u8(a, b);
}
FIN_INLINE bytes bytes_high_nibbles(bytes x)
{
    return vshrq_n_u8(x, 4);
}
/* Byte i becomes x[index[i]], or 0 where index[i] is 16 or more. */
FIN_INLINE bytes bytes_shuffle(bytes x, bytes index)
{
#ifdef FIN_ARCH_ARM64
    return vqtbl1q_u8(x, index);
#else
    /* In assembly, because gcc 12 copies both halves of x to consecutive registers, although they
       are consecutive already, and spills whatever those hold. */
    bytes out;
    __asm__("vtbl.8 %e0, {%e1, %f1}, %e2\n\tvtbl.8 %f0, {%e1, %f1}, %f2"
            : "=&w"(out)
            : "w"(x), "w"(index));
    return out;
#endif
}
/* 2 x in GF(2^8). */
FIN_INLINE bytes bytes_double(bytes x)
{
    const bytes top = vreinterpretq_u8_s8(vshrq_n_s8(vreinterpretq_s8_u8(x), 7));
    return bytes_xor(bytes_add(x, x), bytes_and(top, bytes_set1(0x1b)));
}
/* Returns the bits that 4 x and 2 y push out of their bytes, as a number below 8: bits 7 and 6 of
   x, bit 7 of y. */
#define BYTES_CAN_FOLD 1
FIN_INLINE bytes bytes_pushed_out(bytes x, bytes y)
{
    return vshrq_n_u8(vsriq_n_u8(x, y, 2), 5);
}
#if FIN_ISA_ARMAES
/* Returns the S-box of every byte of x + key, permuted by AES ShiftRows. */
FIN_INLINE bytes bytes_aes_sub(bytes x, bytes key)
{
    return vaeseq_u8(x, key);
}
#endif

FIN_INLINE part part_load(const uint8_t aligned[16])
{
    return vld1q_u8(aligned);
}
FIN_INLINE part part_load_bytes(const uint8_t in[16])
{
    return vld1q_u8(in);
}
/* Loads bytes that were just stored in words of 64 bits. Not every CPU forwards such stores to a
   wider load. */
FIN_INLINE part part_load_words(const uint8_t in[16])
{
    return vcombine_u8(vld1_u8(in), vld1_u8(in + 8));
}
FIN_INLINE void part_store(uint8_t out[16], part x)
{
    vst1q_u8(out, x);
}
FIN_INLINE part part_set1(uint8_t x)
{
    return vdupq_n_u8(x);
}
FIN_INLINE part part_xor(part a, part b)
{
    return veorq_u8(a, b);
}
FIN_INLINE part part_and(part a, part b)
{
    return vandq_u8(a, b);
}
FIN_INLINE part part_high_nibbles(part x)
{
    return bytes_high_nibbles(x);
}
/* Byte i becomes x[index[i]]. */
FIN_INLINE part part_shuffle(part x, part index)
{
    return bytes_shuffle(x, index);
}

/* Interleaves units of this width of the low or of the high halves of a and b:
     a0 a1 ..  b0 b1 ..  ->  a0 b0 a1 b1 .. */
#define FIN_PART_UNPACK(bits)                                                                    \
    FIN_INLINE part part_low##bits(part a, part b)                                               \
    {                                                                                            \
        return vreinterpretq_u8_u##bits(                                                         \
            vzipq_u##bits(vreinterpretq_u##bits##_u8(a), vreinterpretq_u##bits##_u8(b)).val[0]); \
    }                                                                                            \
    FIN_INLINE part part_high##bits(part a, part b)                                              \
    {                                                                                            \
        return vreinterpretq_u8_u##bits(                                                         \
            vzipq_u##bits(vreinterpretq_u##bits##_u8(a), vreinterpretq_u##bits##_u8(b)).val[1]); \
    }
#define vreinterpretq_u8_u8(x) (x)
FIN_PART_UNPACK(8)
FIN_PART_UNPACK(16)
FIN_PART_UNPACK(32)
#undef vreinterpretq_u8_u8
#undef FIN_PART_UNPACK
FIN_INLINE part part_low64(part a, part b)
{
    return vcombine_u8(vget_low_u8(a), vget_low_u8(b));
}
FIN_INLINE part part_high64(part a, part b)
{
    return vcombine_u8(vget_high_u8(a), vget_high_u8(b));
}

#endif
