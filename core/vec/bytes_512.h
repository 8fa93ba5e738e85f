/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sixteen bytes in each quarter of a 512-bit register, AVX-512 with VBMI.
 *
 *   bytes                            64 bytes; BYTES_WIDTH = 64
 *   bytes_set1(x)                    a byte everywhere
 *   bytes_xor(a, b), _xor3(a, b, c)
 *   bytes_add(a, b)                  byte by byte
 *   bytes_shuffle(x, index)          byte i becomes x[index[i]] of its 16, or 0 where bit 7 is set
 *   bytes_rotate(x, k)               byte i becomes byte i + k, modulo 16, of its 16; k constant
 *   bytes_table(table)               a table of sixteen bytes for bytes_shuffle
 *   bytes_aes_last(x, key)           aesenclast, with VAES
 *   bytes_affine_inverse(x, matrix, offset), _multiply(a, b)    with GFNI
 *   BYTES_UNITS = 8                  units of eight columns whose rows share a register
 *   bytes_units_to_rows(x, unit), _rows_to_units(unit, x)    a row in each of eight registers
 */
#ifndef FIN_BYTES_512_H
#define FIN_BYTES_512_H

#include "vec/isa.h"

#include <immintrin.h>

typedef __m512i bytes;

#define BYTES_WIDTH 64
/* Units of eight columns whose rows share a register. */
#define BYTES_UNITS 8

static inline bytes bytes_set1(uint8_t x)
{
    return _mm512_set1_epi8((char)x);
}
/* A table of sixteen bytes for bytes_shuffle, or a row of constants. */
static inline bytes bytes_table(const uint8_t table[16])
{
    return _mm512_broadcast_i32x4(_mm_load_si128((const __m128i *)table));
}
static inline bytes bytes_xor(bytes a, bytes b)
{
    return _mm512_xor_si512(a, b);
}
static inline bytes bytes_xor3(bytes a, bytes b, bytes c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}
static inline bytes bytes_add(bytes a, bytes b)
{
    return _mm512_add_epi8(a, b);
}
/* Byte i of each quarter becomes x[index[i] % 16], or 0 where bit 7 of index[i] is set. */
static inline bytes bytes_shuffle(bytes x, bytes index)
{
    return _mm512_shuffle_epi8(x, index);
}
#define bytes_rotate(x, k) _mm512_alignr_epi8(x, x, k)
#if FIN_ISA_VAES
static inline bytes bytes_aes_last(bytes x, bytes key)
{
    return _mm512_aesenclast_epi128(x, key);
}
#endif
#if FIN_ISA_GFNI
#define bytes_affine_inverse(x, matrix, offset) \
    _mm512_gf2p8affineinv_epi64_epi8(x, _mm512_set1_epi64((long long)(matrix)), offset)
static inline bytes bytes_multiply(bytes a, bytes b)
{
    return _mm512_gf2p8mul_epi8(a, b);
}
#endif

/* Transposes a unit for bytes_units_to_rows. */
static inline bytes bytes_turned_unit(bytes unit)
{
    /* Byte 8 r + c takes byte 8 c + r; this is its own inverse. */
    const long long one = 0x0101010101010101;
    const bytes row =
        _mm512_setr_epi64(0, one, 2 * one, 3 * one, 4 * one, 5 * one, 6 * one, 7 * one);
    const bytes columns = _mm512_set1_epi64(0x3830282018100800);
    return _mm512_permutexvar_epi8(_mm512_add_epi8(columns, row), unit);
}

/* Exchanges part k of register i with part i of register k, among x[0], x[2], x[4], x[6] and among
   the four others:

     a0 a1 a2 a3        a0 a1 b0 b1        a0 b0 c0 d0
     b0 b1 b2 b3   ->   a2 a3 b2 b3   ->   a1 b1 c1 d1
     c0 c1 c2 c3        c0 c1 d0 d1        a2 b2 c2 d2
     d0 d1 d2 d3        c2 c3 d2 d3        a3 b3 c3 d3                       */
static inline void bytes_transpose_parts(bytes x[8])
{
    for (unsigned i = 0; i < 2; i++) {
        const bytes ab_low = _mm512_shuffle_i64x2(x[i], x[i + 2], _MM_SHUFFLE(1, 0, 1, 0));
        const bytes ab_high = _mm512_shuffle_i64x2(x[i], x[i + 2], _MM_SHUFFLE(3, 2, 3, 2));
        const bytes cd_low = _mm512_shuffle_i64x2(x[i + 4], x[i + 6], _MM_SHUFFLE(1, 0, 1, 0));
        const bytes cd_high = _mm512_shuffle_i64x2(x[i + 4], x[i + 6], _MM_SHUFFLE(3, 2, 3, 2));
        x[i] = _mm512_shuffle_i64x2(ab_low, cd_low, _MM_SHUFFLE(2, 0, 2, 0));
        x[i + 2] = _mm512_shuffle_i64x2(ab_low, cd_low, _MM_SHUFFLE(3, 1, 3, 1));
        x[i + 4] = _mm512_shuffle_i64x2(ab_high, cd_high, _MM_SHUFFLE(2, 0, 2, 0));
        x[i + 6] = _mm512_shuffle_i64x2(ab_high, cd_high, _MM_SHUFFLE(3, 1, 3, 1));
    }
}

/*
 * Converts eight units of eight columns, 64 bytes each, to eight rows and back: register r gets row
 * r of every unit, eight bytes each. In words of 64 bits, where ar is row r of unit a:
 *
 *     a0 a1 | a2 a3 | ..        a0 b0 | a2 b2 | ..        a0 b0 | c0 d0 | ..
 *     b0 b1 | b2 b3 | ..   ->   a1 b1 | a3 b3 | ..   ->   a1 b1 | c1 d1 | ..
 */
static inline void bytes_units_to_rows(bytes x[8], const uint8_t *const unit[8])
{
    for (unsigned i = 0; i < 4; i++) {
        const bytes a = bytes_turned_unit(_mm512_loadu_si512(unit[2 * i]));
        const bytes b = bytes_turned_unit(_mm512_loadu_si512(unit[2 * i + 1]));
        x[2 * i] = _mm512_unpacklo_epi64(a, b);
        x[2 * i + 1] = _mm512_unpackhi_epi64(a, b);
    }
    bytes_transpose_parts(x);
}
static inline void bytes_rows_to_units(uint8_t *const unit[8], bytes x[8])
{
    bytes_transpose_parts(x);
    for (unsigned i = 0; i < 4; i++) {
        const bytes a = _mm512_unpacklo_epi64(x[2 * i], x[2 * i + 1]);
        const bytes b = _mm512_unpackhi_epi64(x[2 * i], x[2 * i + 1]);
        _mm512_storeu_si512(unit[2 * i], bytes_turned_unit(a));
        _mm512_storeu_si512(unit[2 * i + 1], bytes_turned_unit(b));
    }
}

#endif
