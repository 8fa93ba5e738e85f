/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sixteen bytes in each half of a 256-bit register, AVX2: the state of P in the lower half, the
 * state of Q in the upper one.
 *
 *   bytes                            32 bytes; BYTES_WIDTH = 32
 *   bytes_of(p, q), _p(x), _q(x)     joins halves; extracts them
 *   bytes_load(aligned)              from tables
 *   bytes_set1(x)                    a byte everywhere
 *   bytes_xor(a, b), _xor3(a, b, c), _and(a, b)
 *   bytes_add(a, b)                  byte by byte
 *   bytes_shuffle(x, index)          byte i becomes x[index[i]] of its 16, or 0 where bit 7 is set
 *   bytes_rotate(x, k)               byte i becomes byte i + k, modulo 16, of its 16; k constant
 *   bytes_table(table)               a table of sixteen bytes for bytes_shuffle
 *   bytes_high_nibbles(x)            x >> 4 of every byte
 *   bytes_swap(x)                    exchanges the two halves of every 16 bytes
 *   bytes_aes_last(x, key)           aesenclast, with AES or VAES
 *   bytes_affine_inverse(x, matrix, offset), _multiply(a, b)    with GFNI
 *   BYTES_UNITS = 4                  units of eight columns whose rows share a register
 *   bytes_units_to_rows(x, unit), _rows_to_units(unit, x)    a row in each of eight registers
 *   bytes_lowN(a, b), _highN(a, b)   as part_lowN and part_highN, in each half
 *   part_*                           see parts_128.h
 */
#ifndef FIN_BYTES_256_H
#define FIN_BYTES_256_H

#include "vec/isa.h"
#include "vec/parts_128.h"

typedef __m256i bytes;

#define BYTES_WIDTH 32
/* Units of eight columns whose rows share a register. */
#define BYTES_UNITS 4

static inline bytes bytes_of(part p, part q)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(p), q, 1);
}
static inline part bytes_p(bytes x)
{
    return _mm256_castsi256_si128(x);
}
static inline part bytes_q(bytes x)
{
    return _mm256_extracti128_si256(x, 1);
}
static inline bytes bytes_load(const uint8_t aligned[32])
{
    return _mm256_load_si256((const __m256i *)aligned);
}
static inline bytes bytes_set1(uint8_t x)
{
    return _mm256_set1_epi8((char)x);
}
/* A table of sixteen bytes for bytes_shuffle. */
static inline bytes bytes_table(const uint8_t table[16])
{
    return _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)table));
}
static inline bytes bytes_xor(bytes a, bytes b)
{
    return _mm256_xor_si256(a, b);
}
static inline bytes bytes_xor3(bytes a, bytes b, bytes c)
{
#if FIN_ISA_AVX512
    return _mm256_ternarylogic_epi64(a, b, c, 0x96);
#else
    return bytes_xor(bytes_xor(a, b), c);
#endif
}
static inline bytes bytes_and(bytes a, bytes b)
{
    return _mm256_and_si256(a, b);
}
static inline bytes bytes_add(bytes a, bytes b)
{
    return _mm256_add_epi8(a, b);
}
static inline bytes bytes_high_nibbles(bytes x)
{
    return _mm256_and_si256(_mm256_srli_epi16(x, 4), _mm256_set1_epi8(0x0f));
}
/* Byte i of each half becomes x[index[i] % 16], or 0 where bit 7 of index[i] is set. */
static inline bytes bytes_shuffle(bytes x, bytes index)
{
    return _mm256_shuffle_epi8(x, index);
}
#define bytes_rotate(x, k) _mm256_alignr_epi8(x, x, k)
/* Exchanges the two halves of eight bytes, in each half of the register. */
static inline bytes bytes_swap(bytes x)
{
    x = _mm256_shuffle_epi32(x, _MM_SHUFFLE(1, 0, 3, 2));
#if defined(__clang__)
    __asm__("" : "+x"(x)); /* else clang sums first and shuffles the sum, which is ready later */
#endif
    return x;
}
#if FIN_ISA_VAES
static inline bytes bytes_aes_last(bytes x, bytes key)
{
    return _mm256_aesenclast_epi128(x, key);
}
#elif FIN_ISA_AES
/* One half at a time; both have the same key. */
static inline bytes bytes_aes_last(bytes x, bytes key)
{
    return bytes_of(_mm_aesenclast_si128(bytes_p(x), bytes_p(key)),
                    _mm_aesenclast_si128(bytes_q(x), bytes_p(key)));
}
#endif
#if FIN_ISA_GFNI
#define bytes_affine_inverse(x, matrix, offset) \
    _mm256_gf2p8affineinv_epi64_epi8(x, _mm256_set1_epi64x((long long)(matrix)), offset)
static inline bytes bytes_multiply(bytes a, bytes b)
{
    return _mm256_gf2p8mul_epi8(a, b);
}
#endif

/* The same as part_low8 and so on (parts_128.h), in each half. */
#define bytes_low8(a, b) _mm256_unpacklo_epi8(a, b)
#define bytes_high8(a, b) _mm256_unpackhi_epi8(a, b)
#define bytes_low16(a, b) _mm256_unpacklo_epi16(a, b)
#define bytes_high16(a, b) _mm256_unpackhi_epi16(a, b)
#define bytes_low32(a, b) _mm256_unpacklo_epi32(a, b)
#define bytes_high32(a, b) _mm256_unpackhi_epi32(a, b)
#define bytes_low64(a, b) _mm256_unpacklo_epi64(a, b)
#define bytes_high64(a, b) _mm256_unpackhi_epi64(a, b)

#define FIN_TYPE bytes
#define FIN_TYPE_OP(op) bytes_##op
#define FIN_NAME_OF(name) name##_of_bytes
#include "vec/transpose.h"
#undef FIN_TYPE
#undef FIN_TYPE_OP
#undef FIN_NAME_OF

/*
 * Converts four units of eight columns, 64 bytes each, to eight rows and back: register r gets row
 * r of every unit, eight bytes each. In between, register i holds two columns of units a and c,
 * register i + 4 those of units b and d.
 */
static inline void bytes_units_to_rows(bytes x[8], const uint8_t *const unit[4])
{
    for (unsigned i = 0; i < 8; i++) {
        const size_t offset = 16 * (i % 4);
        x[i] = bytes_of(_mm_loadu_si128((const __m128i *)(unit[i / 4] + offset)),
                        _mm_loadu_si128((const __m128i *)(unit[i / 4 + 2] + offset)));
    }
    fin_columns_to_rows_of_bytes(x, bytes_table(fin_column_pairs_of_bytes));
}
static inline void bytes_rows_to_units(uint8_t *const unit[4], bytes x[8])
{
    fin_rows_to_columns_of_bytes(x);
    for (unsigned i = 0; i < 8; i++) {
        const size_t offset = 16 * (i % 4);
        _mm_storeu_si128((__m128i *)(unit[i / 4] + offset), bytes_p(x[i]));
        _mm_storeu_si128((__m128i *)(unit[i / 4 + 2] + offset), bytes_q(x[i]));
    }
}

#endif
