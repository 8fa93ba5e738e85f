/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl of many messages in byte slices: register i holds row i of the states of P, or of Q, of as
 * many messages as fit in it. Each 16 bytes of it are
 *
 *     8 columns     row i of one message | row i of the next one
 *     16 columns    row i of one message
 *
 * P and Q have separate registers: Q's inversion of every byte then costs nothing, and the output
 * transformation is only P.
 *
 *   FIN_VARIANT   see kern/groestl/variants.h
 *   FIN_KERNEL    the name of the function to define; FIN_KERNEL_finish is the one that finishes
 *   FIN_ROWS_ROTATE    1: ShiftBytes only rotates rows, so sixteen columns need no tables
 *
 * Include before it: vec/bytes_*.h, the technique for rows of many messages, and its
 * gen/groestl_rows_*.inc.
 */
#include "kern/groestl/variants.h"

#if !defined(BYTES_UNITS) || !defined(FIN_SUB_MIX_LANES)
#error "a vec/bytes_*.h with BYTES_UNITS and a technique of lanes come first"
#endif

#if FIN_V(COLUMNS) == 8
#define LAYOUT FIN_CAT(twice512, FIN_V(SUFFIX))
#define LANES BYTES_UNITS
#else
#define LAYOUT FIN_CAT(rows1024, FIN_V(SUFFIX))
#define LANES (BYTES_UNITS / 2)
#endif
#define FN(name) FIN_CAT(FIN_KERNEL, name)
#define FOR_ROWS(i) _Pragma("GCC unroll 8") for (unsigned i = 0; i < 8; i++)
#define CONSTANTS ((const uint8_t *)FIN_CAT(fin_constants_, LAYOUT))
#define SHIFTS FIN_CAT(fin_shift_, LAYOUT)
/* Bytes from one row to the next in the tables of P and Q; a row of Q is 16 bytes after that of
   P. */
#define APART 32
enum { FN(_of_p) = 0, FN(_of_q) = 16 };

FIN_INLINE void FN(_shift_rows)(bytes x[8], size_t side)
{
#if FIN_V(COLUMNS) == 16 && FIN_ROWS_ROTATE
    if (FIN_V(TWEAKED) && side == FN(_of_q)) {
        FIN_GROESTL_ROTATE_Q(bytes_rotate, x);
    } else {
        FIN_GROESTL_ROTATE_P(bytes_rotate, x);
    }
#else
    FOR_ROWS (i) {
        x[i] = bytes_shuffle(x[i], bytes_table(SHIFTS + side + APART * i));
    }
#endif
}

FIN_INLINE void FN(_round)(bytes x[8], unsigned round, size_t side, bool last)
{
    FN(_shift_rows)(x, side);
    FIN_SUB_MIX_LANES(x, CONSTANTS + side + APART * 8 * (round + 1), APART,
                      side == FN(_of_p) ? 0 : 7, FIN_V(TWEAKED) && side != FN(_of_p), last);
}

/* XORs the first constants of AddRoundConstant. */
FIN_INLINE void FN(_start)(bytes x[8], const bytes in[8], size_t side)
{
    FOR_ROWS (i) {
        /* P's constants change only row 0. */
        x[i] = side == FN(_of_p) && i != 0
                   ? in[i]
                   : bytes_xor(in[i], bytes_table(CONSTANTS + side + APART * i));
    }
}

/* Computes P(p) and Q(q), whose interleaved rounds fill the ports. */
static FIN_NOINLINE void FN(_p_and_q)(bytes p[8], bytes q[8])
{
    bytes x[8], y[8];
    FIN_ALIGN_STACK(bytes);
    FN(_start)(x, p, FN(_of_p));
    FN(_start)(y, q, FN(_of_q));
    for (unsigned round = 0; round + 1 < FIN_V(ROUNDS); round++) {
        FN(_round)(y, round, FN(_of_q), false);
        FN(_round)(x, round, FN(_of_p), false);
    }
    FN(_round)(y, FIN_V(ROUNDS) - 1, FN(_of_q), true);
    FN(_round)(x, FIN_V(ROUNDS) - 1, FN(_of_p), true);
    FOR_ROWS (i) {
        p[i] = x[i];
        q[i] = y[i];
    }
}

static FIN_NOINLINE void FN(_p)(bytes p[8])
{
    bytes x[8];
    FIN_ALIGN_STACK(bytes);
    FN(_start)(x, p, FN(_of_p));
    for (unsigned round = 0; round + 1 < FIN_V(ROUNDS); round++) {
        FN(_round)(x, round, FN(_of_p), false);
    }
    FN(_round)(x, FIN_V(ROUNDS) - 1, FN(_of_p), true);
    FOR_ROWS (i) {
        p[i] = x[i];
    }
}

/* Loads every lane's block or chaining value, which is one or two units. */
FIN_INLINE void FN(_load)(bytes x[8], const uint8_t *const in[LANES], size_t offset)
{
    const uint8_t *unit[BYTES_UNITS];
    for (unsigned i = 0; i < BYTES_UNITS; i++) {
        unit[i] = in[i * LANES / BYTES_UNITS] + offset + 64 * i % (8 * FIN_V(COLUMNS));
    }
    bytes_units_to_rows(x, unit);
}

FIN_INLINE void FN(_load_h)(bytes h[8], const fin_lane_rows *row)
{
    const uint8_t *in[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        in[i] = (const uint8_t *)(row->w64 + FIN_V(COLUMNS) * i);
    }
    FN(_load)(h, in, 0);
}

FIN_INLINE void FN(_store_h)(fin_lane_rows *row, bytes h[8])
{
    uint8_t *unit[BYTES_UNITS];
    for (unsigned i = 0; i < BYTES_UNITS; i++) {
        unit[i] = (uint8_t *)(row->w64 + 8 * i);
    }
    bytes_rows_to_units(unit, h);
}

/* Computes h ^ P(h ^ m) ^ Q(m), and finally h ^ P(h). */
FIN_INLINE void FN(_run)(fin_lanes *lanes, size_t blocks, size_t stride, bool finish)
{
    bytes h[8], p[8], q[8];
    FN(_load_h)(h, &lanes->row);
    for (size_t k = 0; k < blocks; k++) {
        FN(_load)(q, lanes->in, k * stride);
        for (unsigned i = 0; i < LANES; i++) {
            /* The CPU's prefetcher cannot follow this many streams. */
            for (unsigned line = 0; line < FIN_V(COLUMNS); line += 8) {
                __builtin_prefetch(lanes->in[i] + (k + 1) * stride + 8 * line);
            }
        }
        FOR_ROWS (i) {
            p[i] = bytes_xor(h[i], q[i]);
        }
        FN(_p_and_q)(p, q);
        FOR_ROWS (i) {
            h[i] = bytes_xor3(h[i], p[i], q[i]);
        }
    }
    if (finish) {
        FOR_ROWS (i) {
            p[i] = h[i];
        }
        FN(_p)(p);
        FOR_ROWS (i) {
            h[i] = bytes_xor(h[i], p[i]);
        }
    }
    FN(_store_h)(&lanes->row, h);
    fin_groestl_advance(lanes, LANES, blocks, stride);
}

FIN_GROESTL_LANES(FIN_KERNEL, FN(_run))

#undef LAYOUT
#undef LANES
#undef FN
#undef FOR_ROWS
#undef CONSTANTS
#undef SHIFTS
#undef APART
#undef FIN_KERNEL
#undef FIN_VARIANT
