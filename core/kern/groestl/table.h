/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with T-tables (guide, sections 3.1, 4.4.1 and 5): a look-up does SubBytes and MixBytes of
 * one byte; the byte's index does ShiftBytes. A column is 64 bits, row 0 is the lowest byte. Not
 * constant-time: the tables are indexed by the message.
 *
 * The state is in memory between rounds. A byte from there costs a load and no shift; compilers
 * keep some columns in registers and extract bytes as section 5.1 does.
 *
 *   FIN_VARIANT   see kern/groestl/variants.h
 *   FIN_KERNEL    the name of the function to define; FIN_KERNEL_finish is the one that finishes
 *   FIN_LOOK_UP   uint64_t (const uint8_t *bytes, const unsigned place[8]):
 *                 T_0[bytes[place[0]]] ^ .. ^ T_7[bytes[place[7]]]
 *   FIN_LEAVE     code that the CPU needs at the end of the call, if any
 */
#include "kern/groestl/variants.h"

#if !defined(FIN_LOOK_UP)
#error "FIN_LOOK_UP is to be defined"
#endif

#define COLUMNS FIN_V(COLUMNS)
#define FN(name) FIN_CAT(FIN_KERNEL, name)
#define SHIFT_P FIN_CAT(fin_shift_table_p, FIN_V(STATE_BITS))
#if FIN_V(TWEAKED)
#define SHIFT_Q FIN_CAT(fin_shift_table_q, FIN_V(STATE_BITS))
#else
#define SHIFT_Q SHIFT_P
#endif
#ifndef FIN_LEAVE
#define FIN_LEAVE ((void)0)
#define FIN_LEAVE_IS_EMPTY
#endif

static inline uint64_t FN(_constant)(bool q, unsigned column, unsigned round)
{
    return q ? fin_groestl_constant_q(FIN_V(TWEAKED), column, round)
             : fin_groestl_constant_p(FIN_V(TWEAKED), column, round);
}

/* Column j takes row r from column j + shift[r]. */
FIN_INLINE void FN(_round)(uint64_t a[COLUMNS], bool q, unsigned round)
{
    const uint8_t *shift = q ? SHIFT_Q : SHIFT_P;
    uint64_t out[COLUMNS];
#pragma GCC unroll 16
    for (unsigned j = 0; j < COLUMNS; j++) {
        a[j] ^= FN(_constant)(q, j, round);
    }
#pragma GCC unroll 16
    for (unsigned j = 0; j < COLUMNS; j++) {
        unsigned place[8];
#pragma GCC unroll 8
        for (unsigned row = 0; row < 8; row++) {
            place[row] = 8 * ((j + shift[row]) % COLUMNS) + FIN_BYTE_OF_ROW(row);
        }
        out[j] = FIN_LOOK_UP((const uint8_t *)a, place);
    }
    memcpy(a, out, sizeof out);
}

FIN_INLINE void FN(_permute)(uint64_t a[COLUMNS], bool q)
{
    /* Unrolled, all rounds of P and Q would exceed the first-level instruction cache. */
#pragma GCC unroll 1
    for (unsigned round = 0; round < FIN_V(ROUNDS); round++) {
        FN(_round)(a, q, round);
    }
}

/* As functions of their own, P and Q have all registers to themselves. */
FIN_NOINLINE static void FN(_p)(uint64_t a[COLUMNS])
{
    FN(_permute)(a, false);
}

FIN_NOINLINE static void FN(_q)(uint64_t a[COLUMNS])
{
    FN(_permute)(a, true);
}

/* Loads one column: a load of two would wait until the stores of both have left the core. */
FIN_INLINE uint64_t FN(_word)(uint64_t x)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(x));
#endif
    return x;
}

static FIN_NOINLINE void FN(_run)(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,
                                  bool finish)
{
    uint64_t *h = state->h.w64;
    uint64_t p[COLUMNS], q[COLUMNS];
    for (; blocks != 0; blocks--, in += stride) {
        for (unsigned j = 0; j < COLUMNS; j++) {
            q[j] = fin_load64_le(in + 8 * j);
            p[j] = q[j] ^ h[j];
        }
        FN(_p)(p);
        FN(_q)(q);
        for (unsigned j = 0; j < COLUMNS; j++) {
            h[j] ^= FN(_word)(p[j]) ^ FN(_word)(q[j]);
        }
    }
    if (finish) {
        memcpy(p, h, sizeof p);
        FN(_p)(p);
        for (unsigned j = 0; j < COLUMNS; j++) {
            h[j] ^= FN(_word)(p[j]);
        }
    }
    FIN_LEAVE;
}

FIN_GROESTL_MESSAGE(FIN_KERNEL, FN(_run))

#undef COLUMNS
#undef FN
#undef SHIFT_P
#undef SHIFT_Q
#ifdef FIN_LEAVE_IS_EMPTY
#undef FIN_LEAVE
#undef FIN_LEAVE_IS_EMPTY
#endif
#undef FIN_KERNEL
#undef FIN_VARIANT
