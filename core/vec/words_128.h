/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Rows of four words in 128-bit registers, SSE2 to AVX-512VL and XOP: vec32 is one register, vec64
 * two. Only the rotations and the byte swap know which instruction set the unit is compiled for.
 */
#ifndef FIN_WORDS_128_H
#define FIN_WORDS_128_H

#include <immintrin.h>
#ifdef __XOP__
#include <x86intrin.h>
#endif

typedef __m128i vec32;

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
/* The compiler must not look behind this sum (blake_g.h). */
FIN_INLINE vec32 vec32_keep(vec32 x)
{
    __asm__("" : "+x"(x));
    return x;
}

/* Word i takes word i + 1, i + 2, i + 3 (modulo 4):
     a b c d  ->  b c d a,  c d a b,  d a b c */
FIN_INLINE vec32 vec32_rotate_words1(vec32 x)
{
    return _mm_shuffle_epi32(x, _MM_SHUFFLE(0, 3, 2, 1));
}
FIN_INLINE vec32 vec32_rotate_words2(vec32 x)
{
    return _mm_shuffle_epi32(x, _MM_SHUFFLE(1, 0, 3, 2));
}
FIN_INLINE vec32 vec32_rotate_words3(vec32 x)
{
    return _mm_shuffle_epi32(x, _MM_SHUFFLE(2, 1, 0, 3));
}

#if defined(__XOP__)
/* vpperm takes a cycle less than vpshufb (AVX paper, section 7.3). */
FIN_INLINE __m128i fin_swap_bytes32(__m128i x)
{
    return _mm_perm_epi8(x, x, _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
}
FIN_INLINE __m128i fin_swap_bytes64(__m128i x)
{
    return _mm_perm_epi8(x, x, _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
}
#elif defined(__SSSE3__)
/* clang knows some byte shuffles as two shuffles of 16-bit units and prefers them, which adds a
   cycle to the chain: it must not see what it shuffles by. */
FIN_INLINE __m128i fin_shuffle_bytes(__m128i x, __m128i by)
{
    __asm__("" : "+x"(by));
    return _mm_shuffle_epi8(x, by);
}
FIN_INLINE __m128i fin_swap_bytes32(__m128i x)
{
    return _mm_shuffle_epi8(x, _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
}
FIN_INLINE __m128i fin_swap_bytes64(__m128i x)
{
    return _mm_shuffle_epi8(x, _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
}
#else
/* Bytes within 16-bit units by shifts, then the units by two shuffles. */
FIN_INLINE __m128i fin_swap_bytes16(__m128i x)
{
    return _mm_or_si128(_mm_srli_epi16(x, 8), _mm_slli_epi16(x, 8));
}
FIN_INLINE __m128i fin_swap_bytes32(__m128i x)
{
    x = _mm_shufflelo_epi16(fin_swap_bytes16(x), _MM_SHUFFLE(2, 3, 0, 1));
    return _mm_shufflehi_epi16(x, _MM_SHUFFLE(2, 3, 0, 1));
}
FIN_INLINE __m128i fin_swap_bytes64(__m128i x)
{
    x = _mm_shufflelo_epi16(fin_swap_bytes16(x), _MM_SHUFFLE(0, 1, 2, 3));
    return _mm_shufflehi_epi16(x, _MM_SHUFFLE(0, 1, 2, 3));
}
#endif

/* Four words of a message. */
FIN_INLINE vec32 vec32_load_words(const uint8_t *in, bool big_endian)
{
    const vec32 m = vec32_load(in);
    return big_endian ? fin_swap_bytes32(m) : m;
}

#define FIN_SHIFT_ROR32(x, n) _mm_xor_si128(_mm_srli_epi32(x, n), _mm_slli_epi32(x, 32 - (n)))
#define FIN_SHIFT_ROR64(x, n) _mm_xor_si128(_mm_srli_epi64(x, n), _mm_slli_epi64(x, 64 - (n)))

#if defined(__AVX512VL__)
#define vec32_ror_16(x) _mm_ror_epi32(x, 16)
#define vec32_ror_12(x) _mm_ror_epi32(x, 12)
#define vec32_ror_8(x) _mm_ror_epi32(x, 8)
#define vec32_ror_7(x) _mm_ror_epi32(x, 7)
#elif defined(__XOP__)
#define vec32_ror_16(x) _mm_roti_epi32(x, -16)
#define vec32_ror_12(x) _mm_roti_epi32(x, -12)
#define vec32_ror_8(x) _mm_roti_epi32(x, -8)
#define vec32_ror_7(x) _mm_roti_epi32(x, -7)
#elif defined(__SSSE3__)
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

#ifndef __AVX2__

/* Words 0 and 1 in lo, 2 and 3 in hi. With AVX2 a row is one register: words_256.h. */
typedef struct vec64 {
    __m128i lo, hi;
} vec64;

FIN_INLINE vec64 vec64_load(const void *p)
{
    return (vec64){_mm_loadu_si128(p), _mm_loadu_si128((const __m128i *)p + 1)};
}
FIN_INLINE void vec64_store(void *p, vec64 x)
{
    _mm_storeu_si128(p, x.lo);
    _mm_storeu_si128((__m128i *)p + 1, x.hi);
}
FIN_INLINE vec64 vec64_set(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return (vec64){_mm_set_epi64x((long long)b, (long long)a),
                   _mm_set_epi64x((long long)d, (long long)c)};
}
FIN_INLINE vec64 vec64_add(vec64 a, vec64 b)
{
    return (vec64){_mm_add_epi64(a.lo, b.lo), _mm_add_epi64(a.hi, b.hi)};
}
FIN_INLINE vec64 vec64_xor(vec64 a, vec64 b)
{
    return (vec64){_mm_xor_si128(a.lo, b.lo), _mm_xor_si128(a.hi, b.hi)};
}
FIN_INLINE vec64 vec64_keep(vec64 x)
{
    __asm__("" : "+x"(x.lo), "+x"(x.hi));
    return x;
}

/* The second word of a and the first of b: one instruction, an integer one from SSSE3 on. */
FIN_INLINE __m128i fin_middle64(__m128i a, __m128i b)
{
#ifdef __SSSE3__
    return _mm_alignr_epi8(b, a, 8);
#else
    return _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b), 1));
#endif
}
FIN_INLINE vec64 vec64_rotate_words1(vec64 x)
{
    return (vec64){fin_middle64(x.lo, x.hi), fin_middle64(x.hi, x.lo)};
}
FIN_INLINE vec64 vec64_rotate_words2(vec64 x)
{
    return (vec64){x.hi, x.lo};
}
FIN_INLINE vec64 vec64_rotate_words3(vec64 x)
{
    return (vec64){fin_middle64(x.hi, x.lo), fin_middle64(x.lo, x.hi)};
}

#ifdef __XOP__
#define fin_ror64_32(x) _mm_roti_epi64(x, -32)
#define fin_ror64_25(x) _mm_roti_epi64(x, -25)
#define fin_ror64_24(x) _mm_roti_epi64(x, -24)
#define fin_ror64_16(x) _mm_roti_epi64(x, -16)
#define fin_ror64_11(x) _mm_roti_epi64(x, -11)
#define fin_ror64_63(x) _mm_roti_epi64(x, -63)
#else
FIN_INLINE __m128i fin_ror64_32(__m128i x)
{
    return _mm_shuffle_epi32(x, _MM_SHUFFLE(2, 3, 0, 1));
}
#ifdef __SSSE3__
FIN_INLINE __m128i fin_ror64_24(__m128i x)
{
    return fin_shuffle_bytes(x, _mm_set_epi8(10, 9, 8, 15, 14, 13, 12, 11, 2, 1, 0, 7, 6, 5, 4, 3));
}
FIN_INLINE __m128i fin_ror64_16(__m128i x)
{
    return fin_shuffle_bytes(x, _mm_set_epi8(9, 8, 15, 14, 13, 12, 11, 10, 1, 0, 7, 6, 5, 4, 3, 2));
}
#else
#define fin_ror64_24(x) FIN_SHIFT_ROR64(x, 24)
FIN_INLINE __m128i fin_ror64_16(__m128i x)
{
    x = _mm_shufflelo_epi16(x, _MM_SHUFFLE(0, 3, 2, 1));
    return _mm_shufflehi_epi16(x, _MM_SHUFFLE(0, 3, 2, 1));
}
#endif
#define fin_ror64_25(x) FIN_SHIFT_ROR64(x, 25)
#define fin_ror64_11(x) FIN_SHIFT_ROR64(x, 11)
/* Left by one is an addition, which more ports take than a shift. */
FIN_INLINE __m128i fin_ror64_63(__m128i x)
{
    return _mm_xor_si128(_mm_srli_epi64(x, 63), _mm_add_epi64(x, x));
}
#endif

#ifdef __i386__
/* Eight registers are the state and leave none for the work on it. So a step of G is done to one
   half of the rows after the other, whose other half is stored meanwhile: off the chain. */
#define FIN_HALVES_IN_TURN 1
#define half64_add _mm_add_epi64
#define half64_xor _mm_xor_si128
#define half64_keep vec32_keep
#define half64_ror_32 fin_ror64_32
#define half64_ror_25 fin_ror64_25
#define half64_ror_24 fin_ror64_24
#define half64_ror_16 fin_ror64_16
#define half64_ror_11 fin_ror64_11
#define half64_ror_63 fin_ror64_63
#endif

#define FIN_VEC64_ROR(n)                                          \
    FIN_INLINE vec64 vec64_ror_##n(vec64 x)                       \
    {                                                             \
        return (vec64){fin_ror64_##n(x.lo), fin_ror64_##n(x.hi)}; \
    }
FIN_VEC64_ROR(32)
FIN_VEC64_ROR(25)
FIN_VEC64_ROR(24)
FIN_VEC64_ROR(16)
FIN_VEC64_ROR(11)
FIN_VEC64_ROR(63)

#endif

#endif
