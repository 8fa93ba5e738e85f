/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A bit plane of 64 bytes in a word: eight columns of P or of Q.
 *
 *   plane                            a bit of each of 64 bytes, with operators
 *   PLANE_LANES = 1                  words of 64 bits in it
 *   plane_rotate_rows(x, k)          row i takes row i + k, k constant
 */
#ifndef FIN_PLANES_64_H
#define FIN_PLANES_64_H

#include <stdint.h>

typedef uint64_t plane;

#define PLANE_LANES 1

/* Row i takes row i + k. */
static inline plane plane_rotate_rows(plane x, unsigned k)
{
    return x >> 8 * k | x << (64 - 8 * k);
}

#endif
