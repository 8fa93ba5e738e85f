/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit planes of 64 bytes in the lanes of a NEON register of 128 bits, 64-bit Arm: eight columns of
 * P | of Q. For 32-bit Arm, gcc 12 splits shifts of such vectors into core registers.
 *
 *   plane                            a bit of each of 64 bytes in each lane, with operators
 *   PLANE_LANES = 2                  words of 64 bits in it
 *   plane_rotate_rows(x, k)          row i takes row i + k, k constant
 */
#ifndef FIN_PLANES_NEON_H
#define FIN_PLANES_NEON_H

#include <arm_neon.h>

typedef uint64_t plane __attribute__((vector_size(16)));

#define PLANE_LANES 2

/* Row i takes row i + k. */
static inline plane plane_rotate_rows(plane x, unsigned k)
{
    const uint64_t rows = UINT64_C(0x0706050403020100);
    const uint64_t turned = rows >> 8 * k | rows << (64 - 8 * k);
    const plane places = {turned, turned + UINT64_C(0x0808080808080808)};
    return (plane)vqtbl1q_u8((uint8x16_t)x, (uint8x16_t)places);
}

#endif
