/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit planes of 64 bytes in the lanes of a 256-bit register, AVX2: columns 0..7 and 8..15 of P | of
 * Q. With eight columns, every other lane is idle.
 *
 *   plane                            a bit of each of 64 bytes in each lane, with operators
 *   PLANE_LANES = 4                  words of 64 bits in it
 *   plane_rotate_rows(x, k)          row i takes row i + k, k constant
 *   plane_other_columns(x)           exchanges columns 0..7 and 8..15
 */
#ifndef FIN_PLANES_256_H
#define FIN_PLANES_256_H

#include <immintrin.h>

typedef uint64_t plane __attribute__((vector_size(32)));

#define PLANE_LANES 4

/* Row i takes row i + k. */
static inline plane plane_rotate_rows(plane x, unsigned k)
{
    const uint64_t rows = UINT64_C(0x0706050403020100);
    const uint64_t turned = rows >> 8 * k | rows << (64 - 8 * k);
    const uint64_t upper = UINT64_C(0x0808080808080808);
    plane mask = {turned, turned + upper, turned, turned + upper};
#ifdef __clang__
    __asm__("" : "+x"(mask)); /* else clang makes two shuffles of it where k is even */
#endif
    return (plane)_mm256_shuffle_epi8((__m256i)x, (__m256i)mask);
}

/* Exchanges columns 0..7 and 8..15. */
static inline plane plane_other_columns(plane x)
{
    return (plane)_mm256_shuffle_epi32((__m256i)x, _MM_SHUFFLE(1, 0, 3, 2));
}

#endif
