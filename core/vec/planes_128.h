/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit planes of 64 bytes in the lanes of a 128-bit register, SSE2: eight columns of P | of Q.
 *
 *   plane                            a bit of each of 64 bytes in each lane, with operators
 *   PLANE_LANES = 2                  words of 64 bits in it
 *   plane_rotate_rows(x, k)          row i takes row i + k, k constant
 */
#ifndef FIN_PLANES_128_H
#define FIN_PLANES_128_H

#include <emmintrin.h>

typedef uint64_t plane __attribute__((vector_size(16)));

#define PLANE_LANES 2

/* Row i takes row i + k. Even k shuffle 16-bit units. */
static inline plane plane_rotate_rows(plane x, unsigned k)
{
    const __m128i in = (__m128i)x;
    switch (k) {
    case 2:
        return (plane)_mm_shufflehi_epi16(_mm_shufflelo_epi16(in, _MM_SHUFFLE(0, 3, 2, 1)),
                                          _MM_SHUFFLE(0, 3, 2, 1));
    case 4:
        return (plane)_mm_shuffle_epi32(in, _MM_SHUFFLE(2, 3, 0, 1));
    case 6:
        return (plane)_mm_shufflehi_epi16(_mm_shufflelo_epi16(in, _MM_SHUFFLE(2, 1, 0, 3)),
                                          _MM_SHUFFLE(2, 1, 0, 3));
    default:
        return x >> 8 * k | x << (64 - 8 * k);
    }
}

#endif
