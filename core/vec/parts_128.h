/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sixteen bytes in an xmm register, SSSE3 to AVX2: Grøstl's chaining value is loaded, transposed
 * and stored in them.
 *
 *   part                             sixteen bytes
 *   part_load(aligned)               from tables
 *   part_load_bytes(in)              from anywhere
 *   part_load_words(in)              from memory just stored in words of 64 bits
 *   part_store(out, x)               to anywhere
 *   part_set1(x), _xor(a, b), _and(a, b), _high_nibbles(x)
 *   part_shuffle(x, index)           byte i becomes x[index[i]]
 *   part_lowN(a, b), _highN(a, b)    interleaved units of N = 8, 16, 32 and 64 bits of their halves
 */
#ifndef FIN_PARTS_128_H
#define FIN_PARTS_128_H

#include <immintrin.h>

typedef __m128i part;

FIN_INLINE part part_load(const uint8_t aligned[16])
{
    return _mm_load_si128((const __m128i *)aligned);
}
FIN_INLINE part part_load_bytes(const uint8_t in[16])
{
    return _mm_loadu_si128((const __m128i *)in);
}
/* Loads bytes that were just stored in words of 64 bits. CPUs do not forward such stores to a wider
   load: it would wait until all earlier stores have left the core, and a short message would wait
   for the one before. */
FIN_INLINE part part_load_words(const uint8_t in[16])
{
    part low = _mm_loadl_epi64((const __m128i *)in);
    part high = _mm_loadl_epi64((const __m128i *)(in + 8));
    __asm__("" : "+x"(low), "+x"(high)); /* keeps compilers from merging the loads */
    return _mm_unpacklo_epi64(low, high);
}
FIN_INLINE void part_store(uint8_t out[16], part x)
{
    _mm_storeu_si128((__m128i *)out, x);
}
FIN_INLINE part part_set1(uint8_t x)
{
    return _mm_set1_epi8((char)x);
}
FIN_INLINE part part_xor(part a, part b)
{
    return _mm_xor_si128(a, b);
}
FIN_INLINE part part_and(part a, part b)
{
    return _mm_and_si128(a, b);
}
FIN_INLINE part part_high_nibbles(part x)
{
    return _mm_and_si128(_mm_srli_epi16(x, 4), _mm_set1_epi8(0x0f));
}
/* Byte i becomes x[index[i]]. */
FIN_INLINE part part_shuffle(part x, part index)
{
    return _mm_shuffle_epi8(x, index);
}

/* Interleaves units of this width of the low or of the high halves of a and b:
     a0 a1 ..  b0 b1 ..  ->  a0 b0 a1 b1 .. */
#define part_low8(a, b) _mm_unpacklo_epi8(a, b)
#define part_high8(a, b) _mm_unpackhi_epi8(a, b)
#define part_low16(a, b) _mm_unpacklo_epi16(a, b)
#define part_high16(a, b) _mm_unpackhi_epi16(a, b)
#define part_low32(a, b) _mm_unpacklo_epi32(a, b)
#define part_high32(a, b) _mm_unpackhi_epi32(a, b)
#define part_low64(a, b) _mm_unpacklo_epi64(a, b)
#define part_high64(a, b) _mm_unpackhi_epi64(a, b)

#endif
