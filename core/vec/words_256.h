/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Rows of four 64-bit words in one 256-bit register, AVX2 and AVX-512VL. If the unit defines
 * FIN_ROWS_SPLIT, the register's halves hold words 0 2 | 1 3 of a row, so that a rotation by two
 * words stays within them; in memory the words stay in order.
 *
 *   vec64_load(p), _store(p, x)      from and to memory, aligned or not
 *   vec64_load_pieces(p)             by two loads (load_words.h)
 *   vec64_set(a, b, c, d)            a is word 0
 *   vec64_add, _xor                  of two rows
 *   vec64_barrier(x)                    x, hidden from the optimiser (kern/blake/g.h)
 *   vec64_rotate_words1(x), 2, 3     word i takes word i + 1, i + 2, i + 3 (modulo 4)
 *   vec64_ror_N(x)                   for N of 32, 25, 24, 16, 11 and 63
 *   vec64_swap_bytes(x)              of every word
 *   vec64_load_words(in, big_endian) four words of a message
 *   vec32x2                          eight 32-bit words, two rows of a message schedule
 *   vec32x2_load, _load_pieces, _swap_bytes, _load_words    the same of these
 *   fin_shuffle_bytes256(x, by)      in each half, by indexes hidden from the optimiser
 */
#ifndef FIN_WORDS_256_H
#define FIN_WORDS_256_H

#include "vec/isa.h"
#include "vec/load_words.h"

#include <immintrin.h>

typedef __m256i vec64;

/* Converts words in order to words as they are in the register, and back. */
#ifdef FIN_ROWS_SPLIT
#define FIN_PLACED(x) _mm256_permute4x64_epi64(x, _MM_SHUFFLE(3, 1, 2, 0))
#else
#define FIN_PLACED(x) (x)
#endif

FIN_INLINE vec64 vec64_load(const void *p)
{
    return FIN_PLACED(_mm256_loadu_si256(p));
}
/* Two loads, which compilers are kept from merging. */
FIN_INLINE __m256i fin_load_pieces256(const void *p)
{
    const __m128i *piece = p;
    __m128i low = _mm_loadu_si128(piece);
    __asm__("" : "+" FIN_VECTOR_OPERAND(low));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), _mm_loadu_si128(piece + 1), 1);
}
FIN_INLINE vec64 vec64_load_pieces(const void *p)
{
    return FIN_PLACED(fin_load_pieces256(p));
}
FIN_INLINE void vec64_store(void *p, vec64 x)
{
    _mm256_storeu_si256(p, FIN_PLACED(x));
}
FIN_INLINE vec64 vec64_set(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return FIN_PLACED(_mm256_set_epi64x((long long)d, (long long)c, (long long)b, (long long)a));
}
FIN_INLINE vec64 vec64_add(vec64 a, vec64 b)
{
    return _mm256_add_epi64(a, b);
}
FIN_INLINE vec64 vec64_xor(vec64 a, vec64 b)
{
    return _mm256_xor_si256(a, b);
}
/* Hides this sum from the optimiser (kern/blake/g.h). */
FIN_INLINE vec64 vec64_barrier(vec64 x)
{
    __asm__("" : "+" FIN_VECTOR_OPERAND(x));
    return x;
}

/* Word i takes word i + 1, i + 2, i + 3 (modulo 4):
     a b c d  ->  b c d a,  c d a b,  d a b c */
#ifdef FIN_ROWS_SPLIT
/* a c | b d  ->  b d | c a,  c a | d b,  d b | a c.  The rotation by two uses vpermilpd, which
   clang would replace by vpshufd. */
FIN_INLINE vec64 vec64_rotate_words1(vec64 x)
{
    return _mm256_permute4x64_epi64(x, _MM_SHUFFLE(0, 1, 3, 2));
}
FIN_INLINE vec64 vec64_rotate_words2(vec64 x)
{
    vec64 turned;
    __asm__("vpermilpd $5, %1, %0" : "=" FIN_VECTOR_OPERAND(turned) : FIN_VECTOR_OPERAND(x));
    return turned;
}
FIN_INLINE vec64 vec64_rotate_words3(vec64 x)
{
    return _mm256_permute4x64_epi64(x, _MM_SHUFFLE(1, 0, 2, 3));
}
#else
FIN_INLINE vec64 vec64_rotate_words1(vec64 x)
{
    return _mm256_permute4x64_epi64(x, _MM_SHUFFLE(0, 3, 2, 1));
}
FIN_INLINE vec64 vec64_rotate_words2(vec64 x)
{
    return _mm256_permute4x64_epi64(x, _MM_SHUFFLE(1, 0, 3, 2));
}
FIN_INLINE vec64 vec64_rotate_words3(vec64 x)
{
    return _mm256_permute4x64_epi64(x, _MM_SHUFFLE(2, 1, 0, 3));
}
#endif

/* Eight 32-bit words: two rows of a message schedule. */
typedef __m256i vec32x2;

FIN_INLINE vec32x2 vec32x2_load(const void *p)
{
    return _mm256_loadu_si256(p);
}
#define vec32x2_load_pieces fin_load_pieces256
FIN_INLINE vec32x2 vec32x2_swap_bytes(vec32x2 x)
{
    return _mm256_shuffle_epi8(x, _mm256_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2,
                                                  3, 12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1,
                                                  2, 3));
}

FIN_INLINE vec64 vec64_swap_bytes(vec64 x)
{
    return _mm256_shuffle_epi8(x, _mm256_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6,
                                                  7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5,
                                                  6, 7));
}

FIN_LOAD_WORDS(vec32x2)
FIN_LOAD_WORDS(vec64)

/* As fin_shuffle_bytes of words_128.h. */
FIN_INLINE vec64 fin_shuffle_bytes256(vec64 x, vec64 by)
{
    __asm__("" : "+x"(by));
    return _mm256_shuffle_epi8(x, by);
}

#if FIN_ISA_AVX512
/* A shuffle takes one cycle everywhere; on AMD family 19h a rotation takes two. */
#define vec64_ror_32(x) _mm256_shuffle_epi32(x, _MM_SHUFFLE(2, 3, 0, 1))
#define vec64_ror_25(x) _mm256_ror_epi64(x, 25)
#define vec64_ror_24(x) _mm256_ror_epi64(x, 24)
#define vec64_ror_16(x) _mm256_ror_epi64(x, 16)
#define vec64_ror_11(x) _mm256_ror_epi64(x, 11)
#define vec64_ror_63(x) _mm256_ror_epi64(x, 63)
#else
FIN_INLINE vec64 vec64_ror_32(vec64 x)
{
#ifdef __clang__
    /* Else the compiler shuffles both operands of the preceding XOR instead. */
    x = vec64_barrier(x);
#endif
    return _mm256_shuffle_epi32(x, _MM_SHUFFLE(2, 3, 0, 1));
}
FIN_INLINE vec64 vec64_ror_24(vec64 x)
{
    return _mm256_shuffle_epi8(x, _mm256_set_epi8(10, 9, 8, 15, 14, 13, 12, 11, 2, 1, 0, 7, 6, 5, 4,
                                                  3, 10, 9, 8, 15, 14, 13, 12, 11, 2, 1, 0, 7, 6, 5,
                                                  4, 3));
}
FIN_INLINE vec64 vec64_ror_16(vec64 x)
{
    return fin_shuffle_bytes256(x, _mm256_set_epi8(9, 8, 15, 14, 13, 12, 11, 10, 1, 0, 7, 6, 5, 4,
                                                   3, 2, 9, 8, 15, 14, 13, 12, 11, 10, 1, 0, 7, 6,
                                                   5, 4, 3, 2));
}
#define FIN_SHIFT_ROR256(x, n) \
    _mm256_xor_si256(_mm256_srli_epi64(x, n), _mm256_slli_epi64(x, 64 - (n)))
#define vec64_ror_25(x) FIN_SHIFT_ROR256(x, 25)
#define vec64_ror_11(x) FIN_SHIFT_ROR256(x, 11)
/* A rotation left by one is an addition, which more ports execute than a shift. */
FIN_INLINE vec64 vec64_ror_63(vec64 x)
{
    return _mm256_xor_si256(_mm256_srli_epi64(x, 63), _mm256_add_epi64(x, x));
}
#endif

#endif
