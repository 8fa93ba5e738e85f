/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Parameters of the four compression functions of the Grøstl family. A kernel defines FIN_VARIANT
 * as one of GROESTL256, GROESTL512, GROESTL0_256, GROESTL0_512 and reads them by FIN_V(...).
 *
 *   COLUMNS       8 (512-bit state) or 16 (1024-bit state)
 *   ROUNDS        10 or 14
 *   TWEAKED       1: Grøstl. 0: Grøstl-0, whose constants change one column and whose Q shifts
 *                 rows as P does
 *   STATE_BITS    512 or 1024
 *   SUFFIX        the suffix of the names of generated tables for Grøstl-0
 */
#ifndef FIN_GROESTL_VARIANTS_H
#define FIN_GROESTL_VARIANTS_H

#include "names.h"

#define FIN_V(property) FIN_CAT(FIN_VARIANT, _##property)

#define GROESTL256_COLUMNS 8
#define GROESTL256_ROUNDS 10
#define GROESTL256_TWEAKED 1
#define GROESTL256_STATE_BITS 512
#define GROESTL256_SUFFIX

#define GROESTL512_COLUMNS 16
#define GROESTL512_ROUNDS 14
#define GROESTL512_TWEAKED 1
#define GROESTL512_STATE_BITS 1024
#define GROESTL512_SUFFIX

#define GROESTL0_256_COLUMNS 8
#define GROESTL0_256_ROUNDS 10
#define GROESTL0_256_TWEAKED 0
#define GROESTL0_256_STATE_BITS 512
#define GROESTL0_256_SUFFIX _0

#define GROESTL0_512_COLUMNS 16
#define GROESTL0_512_ROUNDS 14
#define GROESTL0_512_TWEAKED 0
#define GROESTL0_512_STATE_BITS 1024
#define GROESTL0_512_SUFFIX _0

/* Defines a kernel's two functions, which call run (state, in, blocks, stride, finish) for one
   message or run (lanes, blocks, stride, finish) for lanes. Grøstl does not use the counter. */
#define FIN_GROESTL_MESSAGE(kernel, run)                                                      \
    static void kernel(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,     \
                       uint32_t increment)                                                    \
    {                                                                                         \
        (void)increment;                                                                      \
        run(state, in, blocks, stride, false);                                                \
    }                                                                                         \
    static void FIN_CAT(kernel, _finish)(fin_state * state, const uint8_t *in, size_t blocks, \
                                         size_t stride, uint32_t increment)                   \
    {                                                                                         \
        (void)increment;                                                                      \
        run(state, in, blocks, stride, true);                                                 \
    }
#define FIN_GROESTL_LANES(kernel, run)                                                    \
    static void kernel(fin_lanes *lanes, size_t blocks, size_t stride)                    \
    {                                                                                     \
        run(lanes, blocks, stride, false);                                                \
    }                                                                                     \
    static void FIN_CAT(kernel, _finish)(fin_lanes * lanes, size_t blocks, size_t stride) \
    {                                                                                     \
        run(lanes, blocks, stride, true);                                                 \
    }

/* Advances the lanes' addresses. For 0 blocks, an output transformation, there are none. */
FIN_INLINE void fin_groestl_advance(fin_lanes *lanes, size_t lane_count, size_t blocks,
                                    size_t stride)
{
    for (size_t lane = 0; blocks != 0 && lane < lane_count; lane++) {
        lanes->in[lane] += blocks * stride;
    }
}

/* ShiftBytes of sixteen columns, with a row in each register: rotate (x, columns to the left). */
#define FIN_GROESTL_ROTATE_P(rotate, x) FIN_GROESTL_ROTATE(rotate, x, 0, 1, 2, 3, 4, 5, 6, 11)
#define FIN_GROESTL_ROTATE_Q(rotate, x) FIN_GROESTL_ROTATE(rotate, x, 1, 3, 5, 11, 0, 2, 4, 6)
#define FIN_GROESTL_ROTATE(rotate, x, k0, k1, k2, k3, k4, k5, k6, k7) \
    do {                                                              \
        (x)[0] = FIN_GROESTL_ROTATE_ROW(rotate, (x)[0], k0);          \
        (x)[1] = FIN_GROESTL_ROTATE_ROW(rotate, (x)[1], k1);          \
        (x)[2] = FIN_GROESTL_ROTATE_ROW(rotate, (x)[2], k2);          \
        (x)[3] = FIN_GROESTL_ROTATE_ROW(rotate, (x)[3], k3);          \
        (x)[4] = FIN_GROESTL_ROTATE_ROW(rotate, (x)[4], k4);          \
        (x)[5] = FIN_GROESTL_ROTATE_ROW(rotate, (x)[5], k5);          \
        (x)[6] = FIN_GROESTL_ROTATE_ROW(rotate, (x)[6], k6);          \
        (x)[7] = FIN_GROESTL_ROTATE_ROW(rotate, (x)[7], k7);          \
    } while (0)
#define FIN_GROESTL_ROTATE_ROW(rotate, x, k) ((k) == 0 ? (x) : rotate(x, k))

/* The index in memory of a row's byte of a column's word. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FIN_BYTE_OF_ROW(row) (7 - (row))
#else
#define FIN_BYTE_OF_ROW(row) (row)
#endif

/* Returns the word that AddRoundConstant XORs to a column, with row 0 in the lowest byte. */
static inline uint64_t fin_groestl_constant_p(int tweaked, unsigned column, unsigned round)
{
    if (!tweaked) {
        return column == 0 ? round : 0;
    }
    return column << 4 ^ round;
}

static inline uint64_t fin_groestl_constant_q(int tweaked, unsigned column, unsigned round)
{
    if (!tweaked) {
        return column == 0 ? (uint64_t)(round ^ 0xff) << 56 : 0;
    }
    return ~((uint64_t)(column << 4 ^ round) << 56);
}

#endif

#if !defined(FIN_VARIANT) || !defined(FIN_KERNEL)
#error "a kernel needs FIN_VARIANT and FIN_KERNEL"
#endif
