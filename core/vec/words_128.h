/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Rows of four words in 128-bit registers, SSE2 to AVX-512VL and XOP: vec32 is one register, vec64
 * two (words_pair.h) or, with AVX2, one of 256 bits (words_256.h). Only the rotations, the byte
 * swap and half64_pair know which instruction set the unit is compiled for.
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
 *   half64, vec64                    without AVX2: see words_pair.h
 */
#ifndef FIN_WORDS_128_H
#define FIN_WORDS_128_H

#include "vec/isa.h"
#include "vec/load_words.h"

#include <immintrin.h>
#if FIN_ISA_XOP
#include <x86intrin.h>
#endif

typedef __m128i vec32;
typedef __m128i half64;

FIN_INLINE vec32 vec32_load(const void *p)
{
    return _mm_loadu_si128(p);
}
FIN_INLINE void vec32_store(void *p, vec32 x)
{
    _mm_storeu_si128(p, x);
}
FIN_INLINE vec32 vec32_set(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return _mm_set_epi32((int)d, (int)c, (int)b, (int)a);
}
FIN_INLINE vec32 vec32_add(vec32 a, vec32 b)
{
    return _mm_add_epi32(a, b);
}
FIN_INLINE vec32 vec32_xor(vec32 a, vec32 b)
{
    return _mm_xor_si128(a, b);
}
/* Hides this sum from the optimiser (kern/blake/g.h). */
FIN_INLINE vec32 vec32_barrier(vec32 x)
{
    __asm__("" : "+" FIN_VECTOR_OPERAND(x));
    return x;
}

/* Word i takes word i + 1, i + 2, i + 3 (modulo 4):
     a b c d  ->  b c d a,  c d a b,  d a b c
   If the unit defines FIN_AS_WRITTEN, by vpalignr, which clang would replace by vpshufd. */
#ifdef FIN_AS_WRITTEN
#define FIN_TURN32(words, control)                              \
    FIN_INLINE vec32 vec32_rotate_words##words(vec32 x)         \
    {                                                           \
        vec32 turned;                                           \
        __asm__ volatile("vpalignr $" #words " * 4, %1, %1, %0" \
                         : "=" FIN_VECTOR_OPERAND(turned)       \
                         : FIN_VECTOR_OPERAND(x));              \
        return turned;                                          \
    }
#else
#define FIN_TURN32(words, control)                      \
    FIN_INLINE vec32 vec32_rotate_words##words(vec32 x) \
    {                                                   \
        return _mm_shuffle_epi32(x, control);           \
    }
#endif
FIN_TURN32(1, _MM_SHUFFLE(0, 3, 2, 1))
FIN_TURN32(2, _MM_SHUFFLE(1, 0, 3, 2))
FIN_TURN32(3, _MM_SHUFFLE(2, 1, 0, 3))

/* Two words of each (no value is ever used as a float):
     a0 a1 a2 a3, b0 b1 b2 b3  ->  ai aj bk bn */
#define vec32_shuffle2(a, b, i, j, k, n) \
    _mm_castps_si128(                    \
        _mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), _MM_SHUFFLE(n, k, j, i)))

#if FIN_ISA_XOP
/* vpperm takes a cycle less than vpshufb (AVX paper, section 7.3). */
FIN_INLINE vec32 vec32_swap_bytes(vec32 x)
{
    return _mm_perm_epi8(x, x, _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
}
FIN_INLINE half64 half64_swap_bytes(half64 x)
{
    return _mm_perm_epi8(x, x, _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
}
#elif FIN_ISA_SSSE3
/* Hides the indexes from clang, which replaces some byte shuffles by two shuffles of 16-bit units
   and so adds a cycle to the chain. */
FIN_INLINE __m128i fin_shuffle_bytes(__m128i x, __m128i by)
{
    __asm__("" : "+x"(by));
    return _mm_shuffle_epi8(x, by);
}
FIN_INLINE vec32 vec32_swap_bytes(vec32 x)
{
    return _mm_shuffle_epi8(x, _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
}
FIN_INLINE half64 half64_swap_bytes(half64 x)
{
    return _mm_shuffle_epi8(x, _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
}
#else
/* Swaps bytes within 16-bit units by shifts, then the units by two shuffles. */
FIN_INLINE __m128i fin_swap_bytes16(__m128i x)
{
    return _mm_or_si128(_mm_srli_epi16(x, 8), _mm_slli_epi16(x, 8));
}
FIN_INLINE vec32 vec32_swap_bytes(vec32 x)
{
    x = _mm_shufflelo_epi16(fin_swap_bytes16(x), _MM_SHUFFLE(2, 3, 0, 1));
    return _mm_shufflehi_epi16(x, _MM_SHUFFLE(2, 3, 0, 1));
}
FIN_INLINE half64 half64_swap_bytes(half64 x)
{
    x = _mm_shufflelo_epi16(fin_swap_bytes16(x), _MM_SHUFFLE(0, 1, 2, 3));
    return _mm_shufflehi_epi16(x, _MM_SHUFFLE(0, 1, 2, 3));
}
#endif

FIN_LOAD_WORDS(vec32)

#define FIN_SHIFT_ROR32(x, n) _mm_xor_si128(_mm_srli_epi32(x, n), _mm_slli_epi32(x, 32 - (n)))

#if FIN_ISA_AVX512
#define vec32_ror_16(x) _mm_ror_epi32(x, 16)
#define vec32_ror_12(x) _mm_ror_epi32(x, 12)
#define vec32_ror_8(x) _mm_ror_epi32(x, 8)
#define vec32_ror_7(x) _mm_ror_epi32(x, 7)
#elif FIN_ISA_XOP
#define vec32_ror_16(x) _mm_roti_epi32(x, -16)
#define vec32_ror_12(x) _mm_roti_epi32(x, -12)
#define vec32_ror_8(x) _mm_roti_epi32(x, -8)
#define vec32_ror_7(x) _mm_roti_epi32(x, -7)
#elif FIN_ISA_SSSE3
FIN_INLINE vec32 vec32_ror_16(vec32 x)
{
    return fin_shuffle_bytes(x, _mm_set_epi8(13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2));
}
FIN_INLINE vec32 vec32_ror_8(vec32 x)
{
    return _mm_shuffle_epi8(x, _mm_set_epi8(12, 15, 14, 13, 8, 11, 10, 9, 4, 7, 6, 5, 0, 3, 2, 1));
}
#define vec32_ror_12(x) FIN_SHIFT_ROR32(x, 12)
#define vec32_ror_7(x) FIN_SHIFT_ROR32(x, 7)
#else
#define vec32_ror_16(x) FIN_SHIFT_ROR32(x, 16)
#define vec32_ror_12(x) FIN_SHIFT_ROR32(x, 12)
#define vec32_ror_8(x) FIN_SHIFT_ROR32(x, 8)
#define vec32_ror_7(x) FIN_SHIFT_ROR32(x, 7)
#endif

#if !FIN_ISA_AVX2

#define half64_load vec32_load
#define half64_store vec32_store
#define half64_add _mm_add_epi64
#define half64_xor vec32_xor

FIN_INLINE half64 half64_set(uint64_t a, uint64_t b)
{
    return _mm_set_epi64x((long long)b, (long long)a);
}

/* shufpd makes every pair, but in the floating-point units. SSSE3 and later have integer
   instructions for all pairs but a0 b1, XOP for that one, too. */
#define FIN_SHUFFLE_PD(a, b, i, j) \
    _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b), (i) | (j) << 1))
#if FIN_ISA_XOP
#define FIN_OUTER_WORDS(a, b) \
    _mm_perm_epi8(a, b, _mm_set_epi32(0x1f1e1d1c, 0x1b1a1918, 0x07060504, 0x03020100))
#else
#define FIN_OUTER_WORDS(a, b) FIN_SHUFFLE_PD(a, b, 0, 1)
#endif
#if FIN_ISA_SSSE3
#define half64_pair(a, b, i, j)                        \
    ((i) == 0 && (j) == 0   ? _mm_unpacklo_epi64(a, b) \
     : (i) == 1 && (j) == 1 ? _mm_unpackhi_epi64(a, b) \
     : (i) == 1 && (j) == 0 ? _mm_alignr_epi8(b, a, 8) \
                            : FIN_OUTER_WORDS(a, b))
#else
#define half64_pair(a, b, i, j) FIN_SHUFFLE_PD(a, b, i, j)
#endif

#if FIN_ISA_XOP
#define half64_ror_32(x) _mm_roti_epi64(x, -32)
#define half64_ror_25(x) _mm_roti_epi64(x, -25)
#define half64_ror_24(x) _mm_roti_epi64(x, -24)
#define half64_ror_16(x) _mm_roti_epi64(x, -16)
#define half64_ror_11(x) _mm_roti_epi64(x, -11)
#define half64_ror_63(x) _mm_roti_epi64(x, -63)
#else
FIN_INLINE half64 half64_ror_32(half64 x)
{
    return _mm_shuffle_epi32(x, _MM_SHUFFLE(2, 3, 0, 1));
}
#define FIN_SHIFT_ROR64(x, n) _mm_xor_si128(_mm_srli_epi64(x, n), _mm_slli_epi64(x, 64 - (n)))
#if FIN_ISA_SSSE3
FIN_INLINE half64 half64_ror_24(half64 x)
{
    return fin_shuffle_bytes(x, _mm_set_epi8(10, 9, 8, 15, 14, 13, 12, 11, 2, 1, 0, 7, 6, 5, 4, 3));
}
FIN_INLINE half64 half64_ror_16(half64 x)
{
    return fin_shuffle_bytes(x, _mm_set_epi8(9, 8, 15, 14, 13, 12, 11, 10, 1, 0, 7, 6, 5, 4, 3, 2));
}
#else
#define half64_ror_24(x) FIN_SHIFT_ROR64(x, 24)
FIN_INLINE half64 half64_ror_16(half64 x)
{
    x = _mm_shufflelo_epi16(x, _MM_SHUFFLE(0, 3, 2, 1));
    return _mm_shufflehi_epi16(x, _MM_SHUFFLE(0, 3, 2, 1));
}
#endif
#define half64_ror_25(x) FIN_SHIFT_ROR64(x, 25)
#define half64_ror_11(x) FIN_SHIFT_ROR64(x, 11)
/* A rotation left by one is an addition, which more ports execute than a shift. */
FIN_INLINE half64 half64_ror_63(half64 x)
{
    return _mm_xor_si128(_mm_srli_epi64(x, 63), _mm_add_epi64(x, x));
}
#endif

/* The state fills all eight registers and leaves none for temporaries. So a step of G works on one
   half of the rows at a time and keeps the other half in memory, off the chain. */
#ifdef __i386__
#define FIN_HALVES_ONE_BY_ONE 1
#endif

#include "vec/words_pair.h"

#endif

#endif
