/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sixteen bytes in a WebAssembly vector: rows of Grøstl (bytes_*), and part_* to load, transpose
 * and store its chaining value.
 *
 *   bytes                            16 bytes; BYTES_WIDTH = 16
 *   bytes_load(aligned)              from tables
 *   bytes_set1(x)                    a byte everywhere
 *   bytes_xor(a, b), _xor3(a, b, c), _and(a, b)
 *   bytes_add(a, b)                  byte by byte
 *   bytes_shuffle(x, index)          byte i becomes x[index[i]], or 0 where index[i] is 16 or more
 *   bytes_table(table)               a table of sixteen bytes for bytes_shuffle
 *   bytes_high_nibbles(x)            x >> 4 of every byte
 *   part                             sixteen bytes
 *   part_load(aligned)               from tables
 *   part_load_bytes(in)              from anywhere
 *   part_load_words(in)              from memory just stored in words of 64 bits
 *   part_store(out, x)               to anywhere
 *   part_set1(x), _xor(a, b), _and(a, b), _high_nibbles(x)
 *   part_shuffle(x, index)           byte i becomes x[index[i]]
 *   part_lowN(a, b), _highN(a, b)    interleaved units of N = 8, 16, 32 and 64 bits of their halves
 */
#ifndef FIN_BYTES_SIMD128_H
#define FIN_BYTES_SIMD128_H

#include <wasm_simd128.h>

typedef v128_t bytes;
typedef v128_t part;

#define BYTES_WIDTH 16

#define bytes_load(aligned) wasm_v128_load(aligned)
/* A table of sixteen bytes for bytes_shuffle. */
#define bytes_table(table) wasm_v128_load(table)
#define bytes_set1 wasm_u8x16_splat
#define bytes_xor wasm_v128_xor
#define bytes_xor3(a, b, c) wasm_v128_xor(wasm_v128_xor(a, b), c)
#define bytes_and wasm_v128_and
#define bytes_add wasm_i8x16_add
FIN_INLINE bytes bytes_high_nibbles(bytes x)
{
    return wasm_u8x16_shr(x, 4);
}
/* Byte i becomes x[index[i]], or 0 where index[i] is 16 or more. */
#define bytes_shuffle wasm_i8x16_swizzle

#define part_load(aligned) wasm_v128_load(aligned)
#define part_load_bytes(in) wasm_v128_load(in)
/* Loads bytes that were just stored in words of 64 bits. Not every CPU forwards such stores to a
   wider load. */
FIN_INLINE part part_load_words(const uint8_t in[16])
{
    return wasm_i64x2_shuffle(wasm_v128_load64_zero(in), wasm_v128_load64_zero(in + 8), 0, 2);
}
#define part_store(out, x) wasm_v128_store(out, x)
#define part_set1 wasm_u8x16_splat
#define part_xor wasm_v128_xor
#define part_and wasm_v128_and
#define part_high_nibbles bytes_high_nibbles
#define part_shuffle wasm_i8x16_swizzle

/* Interleaves units of this width of the low or of the high halves of a and b:
     a0 a1 ..  b0 b1 ..  ->  a0 b0 a1 b1 .. */
#define part_low8(a, b) \
    wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define part_high8(a, b) \
    wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define part_low16(a, b) wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define part_high16(a, b) wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define part_low32(a, b) wasm_i32x4_shuffle(a, b, 0, 4, 1, 5)
#define part_high32(a, b) wasm_i32x4_shuffle(a, b, 2, 6, 3, 7)
#define part_low64(a, b) wasm_i64x2_shuffle(a, b, 0, 2)
#define part_high64(a, b) wasm_i64x2_shuffle(a, b, 1, 3)

#endif
