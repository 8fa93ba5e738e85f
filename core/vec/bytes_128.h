/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sixteen bytes in a 128-bit register, SSSE3 to AVX. The unit's flags select the encoding of the
 * instructions.
 *
 *   bytes                            16 bytes; BYTES_WIDTH = 16
 *   bytes_load(aligned)              from tables
 *   bytes_set1(x)                    a byte everywhere
 *   bytes_xor(a, b), _xor3(a, b, c), _and(a, b)
 *   bytes_add(a, b)                  byte by byte
 *   bytes_shuffle(x, index)          byte i becomes x[index[i]], or 0 where bit 7 is set
 *   bytes_rotate(x, k)               byte i becomes byte i + k, modulo 16; k constant
 *   bytes_table(table)               a table of sixteen bytes for bytes_shuffle
 *   bytes_high_nibbles(x)            x >> 4 of every byte
 *   bytes_swap(x)                    exchanges the two halves of every 16 bytes
 *   bytes_aes_last(x, key)           aesenclast, with AES
 *   bytes_affine_inverse(x, matrix, offset), _multiply(a, b)    with GFNI
 *   part_*                           see parts_128.h
 */
#ifndef FIN_BYTES_128_H
#define FIN_BYTES_128_H

#include "vec/isa.h"
#include "vec/parts_128.h"

typedef __m128i bytes;

#define BYTES_WIDTH 16

static inline bytes bytes_load(const uint8_t aligned[16])
{
    return _mm_load_si128((const __m128i *)aligned);
}
static inline bytes bytes_set1(uint8_t x)
{
    return _mm_set1_epi8((char)x);
}
/* A table of sixteen bytes for bytes_shuffle. */
static inline bytes bytes_table(const uint8_t table[16])
{
    return _mm_load_si128((const __m128i *)table);
}
static inline bytes bytes_xor(bytes a, bytes b)
{
    return _mm_xor_si128(a, b);
}
static inline bytes bytes_xor3(bytes a, bytes b, bytes c)
{
#if FIN_ISA_AVX512
    return _mm_ternarylogic_epi64(a, b, c, 0x96);
#else
    return bytes_xor(bytes_xor(a, b), c);
#endif
}
static inline bytes bytes_and(bytes a, bytes b)
{
    return _mm_and_si128(a, b);
}
static inline bytes bytes_add(bytes a, bytes b)
{
    return _mm_add_epi8(a, b);
}
static inline bytes bytes_high_nibbles(bytes x)
{
    return _mm_and_si128(_mm_srli_epi16(x, 4), _mm_set1_epi8(0x0f));
}
/* Byte i becomes x[index[i] % 16], or 0 where bit 7 of index[i] is set. */
static inline bytes bytes_shuffle(bytes x, bytes index)
{
    return _mm_shuffle_epi8(x, index);
}
#define bytes_rotate(x, k) _mm_alignr_epi8(x, x, k)
/* Exchanges the two halves of eight bytes. */
static inline bytes bytes_swap(bytes x)
{
    return _mm_shuffle_epi32(x, _MM_SHUFFLE(1, 0, 3, 2));
}
#if FIN_ISA_AES
static inline bytes bytes_aes_last(bytes x, bytes key)
{
    return _mm_aesenclast_si128(x, key);
}
#endif
#if FIN_ISA_GFNI
#define bytes_affine_inverse(x, matrix, offset) \
    _mm_gf2p8affineinv_epi64_epi8(x, _mm_set1_epi64x((long long)(matrix)), offset)
static inline bytes bytes_multiply(bytes a, bytes b)
{
    return _mm_gf2p8mul_epi8(a, b);
}
#endif

#endif
