/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit planes of 64 bytes in the lanes of a 512-bit register, AVX-512.
 *
 *   plane                            a bit of each of 64 bytes in each lane, with operators
 *   PLANE_LANES = 8                  words of 64 bits in it
 *   plane_rotate_rows(x, k)          row i takes row i + k, k constant
 */
#ifndef FIN_PLANES_512_H
#define FIN_PLANES_512_H

#include <immintrin.h>

typedef uint64_t plane __attribute__((vector_size(64)));

#define PLANE_LANES 8

/* Row i takes row i + k. */
#define plane_rotate_rows(x, k) ((plane)_mm512_ror_epi64((__m512i)(x), 8 * (k)))

#endif
