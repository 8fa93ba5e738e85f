/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit planes of 64 bytes in the lanes of a WebAssembly vector: eight columns of P | of Q.
 *
 *   plane                            a bit of each of 64 bytes in each lane, with operators
 *   PLANE_LANES = 2                  words of 64 bits in it
 *   plane_rotate_rows(x, k)          row i takes row i + k, k constant
 */
#ifndef FIN_PLANES_SIMD128_H
#define FIN_PLANES_SIMD128_H

#include "vec/words_simd128.h"

typedef uint64_t plane __attribute__((vector_size(16)));

#define PLANE_LANES 2

/* Row i takes row i + k. */
FIN_INLINE plane plane_rotate_rows(plane x, unsigned k)
{
    switch (k) {
    case 1:
        return (plane)FIN_ROTATE_BYTES8((v128_t)x, 1);
    case 2:
        return (plane)FIN_ROTATE_BYTES8((v128_t)x, 2);
    case 3:
        return (plane)FIN_ROTATE_BYTES8((v128_t)x, 3);
    case 4:
        return (plane)FIN_ROTATE_BYTES8((v128_t)x, 4);
    case 6:
        return (plane)FIN_ROTATE_BYTES8((v128_t)x, 6);
    case 7:
        return (plane)FIN_ROTATE_BYTES8((v128_t)x, 7);
    default:
        return x >> 8 * k | x << (64 - 8 * k);
    }
}

#endif
