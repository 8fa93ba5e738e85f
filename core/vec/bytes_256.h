/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Twice sixteen bytes in the halves of a 256-bit register, AVX2: the state of P in the lower, the
 * state of Q in the upper one.
 */
#ifndef FIN_BYTES_256_H
#define FIN_BYTES_256_H

#include "vec/parts_128.h"

typedef __m256i bytes;

#define BYTES_WIDTH 32

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
/* In each half byte i becomes x[index[i] % 16], or 0 where bit 7 of index[i] is set. */
static inline bytes bytes_shuffle(bytes x, bytes index)
{
    return _mm256_shuffle_epi8(x, index);
}
/* The two halves of eight bytes exchanged in each half of the register. */
static inline bytes bytes_swap(bytes x)
{
    return _mm256_shuffle_epi32(x, _MM_SHUFFLE(1, 0, 3, 2));
}
#ifdef __VAES__
static inline bytes bytes_aes_last(bytes x, bytes key)
{
    return _mm256_aesenclast_epi128(x, key);
}
#endif
#ifdef __GFNI__
#define bytes_affine_inverse(x, matrix, offset) \
    _mm256_gf2p8affineinv_epi64_epi8(x, _mm256_set1_epi64x((long long)(matrix)), offset)
static inline bytes bytes_multiply(bytes a, bytes b)
{
    return _mm256_gf2p8mul_epi8(a, b);
}
#endif

#endif
