/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Rows of four words in WebAssembly's vectors of 128 bits: vec32 is one vector, vec64 two
 * (words_pair.h). WebAssembly has no rotation: one by whole bytes is a shuffle, any other one two
 * shifts.
 *
 *   vec32_load(p), _store(p, x)      from and to memory, aligned or not
 *   vec32_set(a, b, c, d)            a is word 0
 *   vec32_add, _xor                  of two rows
 *   vec32_barrier(x)                    x, hidden from the optimiser (kern/blake/g.h)
 *   vec32_rotate_words1(x), 2, 3     word i takes word i + 1, i + 2, i + 3 (modulo 4)
 *   vec32_ror_N(x)                   for N of 16, 12, 8 and 7
 *   vec32_swap_bytes(x)              of every word
 *   vec32_load_words(in, big_endian) four words of a message
 *   vec32_shuffle2(a, b, i, j, k, n) words ai aj bk bn; i to n constants
 *   half64, vec64                    see words_pair.h
 */
#ifndef FIN_WORDS_SIMD128_H
#define FIN_WORDS_SIMD128_H

#include <wasm_simd128.h>

#include "vec/load_words.h"

typedef v128_t vec32;
typedef v128_t half64;
#define FIN_VECTOR_OPERAND "r"

FIN_INLINE vec32 vec32_load(const void *p)
{
    return wasm_v128_load(p);
}
FIN_INLINE void vec32_store(void *p, vec32 x)
{
    wasm_v128_store(p, x);
}
FIN_INLINE vec32 vec32_set(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return wasm_u32x4_make(a, b, c, d);
}
FIN_INLINE vec32 vec32_add(vec32 a, vec32 b)
{
    return wasm_i32x4_add(a, b);
}
FIN_INLINE vec32 vec32_xor(vec32 a, vec32 b)
{
    return wasm_v128_xor(a, b);
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
    return wasm_i32x4_shuffle(x, x, 1, 2, 3, 0);
}
FIN_INLINE vec32 vec32_rotate_words2(vec32 x)
{
    return wasm_i32x4_shuffle(x, x, 2, 3, 0, 1);
}
FIN_INLINE vec32 vec32_rotate_words3(vec32 x)
{
    return wasm_i32x4_shuffle(x, x, 3, 0, 1, 2);
}

/* Two words of each:  a0 a1 a2 a3, b0 b1 b2 b3  ->  ai aj bk bn */
#define vec32_shuffle2(a, b, i, j, k, n) wasm_i32x4_shuffle(a, b, i, j, 4 + (k), 4 + (n))

/* Byte i of the result is byte mask_i of x. V8 rebuilds the mask of a shuffle that is no single
   instruction each time. The mask of a swizzle stays in a register, and clang makes no shuffle of a
   swizzle whose mask it does not know (V8 of Node 20: 4 to 13 per cent of every kernel). */
#define FIN_SWIZZLE(x, ...) wasm_i8x16_swizzle(x, vec32_barrier(wasm_i8x16_make(__VA_ARGS__)))

/* Rotates every word by bytes: byte i takes byte i + n. */
#define FIN_ROTATE_BYTES4(x, n)                                                        \
    FIN_SWIZZLE(x, (n) % 4, ((n) + 1) % 4, ((n) + 2) % 4, ((n) + 3) % 4, 4 + (n) % 4,  \
                4 + ((n) + 1) % 4, 4 + ((n) + 2) % 4, 4 + ((n) + 3) % 4, 8 + (n) % 4,  \
                8 + ((n) + 1) % 4, 8 + ((n) + 2) % 4, 8 + ((n) + 3) % 4, 12 + (n) % 4, \
                12 + ((n) + 1) % 4, 12 + ((n) + 2) % 4, 12 + ((n) + 3) % 4)
#define FIN_ROTATE_BYTES8(x, n)                                                              \
    FIN_SWIZZLE(x, (n) % 8, ((n) + 1) % 8, ((n) + 2) % 8, ((n) + 3) % 8, ((n) + 4) % 8,      \
                ((n) + 5) % 8, ((n) + 6) % 8, ((n) + 7) % 8, 8 + (n) % 8, 8 + ((n) + 1) % 8, \
                8 + ((n) + 2) % 8, 8 + ((n) + 3) % 8, 8 + ((n) + 4) % 8, 8 + ((n) + 5) % 8,  \
                8 + ((n) + 6) % 8, 8 + ((n) + 7) % 8)

FIN_INLINE vec32 vec32_swap_bytes(vec32 x)
{
    return FIN_SWIZZLE(x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
}
FIN_INLINE half64 half64_swap_bytes(half64 x)
{
    return FIN_SWIZZLE(x, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
}

FIN_LOAD_WORDS(vec32)

#define FIN_SHIFT_ROR32(x, n) wasm_v128_or(wasm_u32x4_shr(x, n), wasm_i32x4_shl(x, 32 - (n)))

#define vec32_ror_16(x) FIN_ROTATE_BYTES4(x, 2)
#define vec32_ror_12(x) FIN_SHIFT_ROR32(x, 12)
#define vec32_ror_8(x) FIN_ROTATE_BYTES4(x, 1)
#define vec32_ror_7(x) FIN_SHIFT_ROR32(x, 7)

#define half64_load vec32_load
#define half64_store vec32_store
#define half64_set wasm_u64x2_make
#define half64_add wasm_i64x2_add
#define half64_xor vec32_xor

#define half64_pair(a, b, i, j) wasm_i64x2_shuffle(a, b, i, 2 + (j))

#define FIN_SHIFT_ROR64(x, n) wasm_v128_or(wasm_u64x2_shr(x, n), wasm_i64x2_shl(x, 64 - (n)))
#define half64_ror_32(x) wasm_i32x4_shuffle(x, x, 1, 0, 3, 2) /* a single instruction */
#define half64_ror_25(x) FIN_SHIFT_ROR64(x, 25)
#define half64_ror_24(x) FIN_ROTATE_BYTES8(x, 3)
#define half64_ror_16(x) FIN_ROTATE_BYTES8(x, 2)
#define half64_ror_11(x) FIN_SHIFT_ROR64(x, 11)
FIN_INLINE half64 half64_ror_63(half64 x)
{
    return wasm_v128_or(wasm_u64x2_shr(x, 63), wasm_i64x2_add(x, x));
}

#include "vec/words_pair.h"

#endif
