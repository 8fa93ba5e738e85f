/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Instructions that rows interleave with the operations of G (kern/blake/g.h), for cores like
 * Golden Cove. Its scheduler issues the oldest instruction first and assigns ports before it knows
 * when an instruction will be ready (docs/design/bounds.md). The unit defines one of
 *
 *   FIN_INTERLEAVE_ORDER   compilers keep the source order: operations off the critical path stay
 *                      younger than those on it
 *   FIN_INTERLEAVE_ROR     also port-pressure filler, for 64-bit rows with rotate instructions
 *   FIN_INTERLEAVE_SHIFT   also port-pressure filler, for 64-bit rows that rotate by shifts
 *
 * Filler is a vpermilpd whose result is unused. Only port 5 executes it. While it waits there,
 * fewer operations of G are assigned to that port, where they would collide with vpermq, a shuffle
 * of three cycles. A search on Golden Cove found the positions.
 */
#ifndef FIN_BLAKE_INTERLEAVE_H
#define FIN_BLAKE_INTERLEAVE_H

#include "vec/isa.h"
#include "names.h"

#define V_INTERLEAVE(n, x) FIN_CAT(FIN_INTERLEAVE_, n)(x)
#define V_STAY(x) __asm__ volatile("" : "+" FIN_VECTOR_OPERAND(x));
#define FIN_FILLER(x)                                     \
    do {                                                  \
        __typeof__(x) unused;                             \
        __asm__ volatile("vpermilpd $5, %1, %0"           \
                         : "=" FIN_VECTOR_OPERAND(unused) \
                         : FIN_VECTOR_OPERAND(x));        \
    } while (0);
/* Saves a value that G overwrites before filler reads it. */
#define FIN_SAVE(name, x) __typeof__(x) name = (x);

#if defined(FIN_INTERLEAVE_ORDER)
#define FIN_INTERLEAVE_1(a) V_STAY(a)
#define FIN_INTERLEAVE_2(d) V_STAY(d)
#define FIN_INTERLEAVE_3(d) V_STAY(d)
#define FIN_INTERLEAVE_4(c) V_STAY(c)
#define FIN_INTERLEAVE_5(b) V_STAY(b)
#define FIN_INTERLEAVE_6(b) V_STAY(b)
#define FIN_INTERLEAVE_7(a) V_STAY(a)
#define FIN_INTERLEAVE_8(d) V_STAY(d)
#define FIN_INTERLEAVE_9(d) V_STAY(d)
#define FIN_INTERLEAVE_10(c) V_STAY(c)
#define FIN_INTERLEAVE_11(b) V_STAY(b)
#define FIN_INTERLEAVE_12(b) V_STAY(b)
#elif defined(FIN_INTERLEAVE_ROR)
#define FIN_INTERLEAVE_1(a)
#define FIN_INTERLEAVE_2(d) FIN_SAVE(d_2, d)
#define FIN_INTERLEAVE_3(d) FIN_SAVE(d_3, d)
#define FIN_INTERLEAVE_4(c) FIN_SAVE(c_4, c) FIN_FILLER(c)
#define FIN_INTERLEAVE_5(b) FIN_FILLER(b)
#define FIN_INTERLEAVE_6(b) FIN_FILLER(d_3)
#define FIN_INTERLEAVE_7(a) FIN_FILLER(c_4)
#define FIN_INTERLEAVE_8(d) FIN_SAVE(d_8, d)
#define FIN_INTERLEAVE_9(d) FIN_FILLER(d_2)
#define FIN_INTERLEAVE_10(c)
#define FIN_INTERLEAVE_11(b) FIN_FILLER(b)
#define FIN_INTERLEAVE_12(b) FIN_FILLER(d_8)
#elif defined(FIN_INTERLEAVE_SHIFT)
#define V_SUM_EARLY(a, y) FIN_SAVE(sum, V_BARRIER(V_ADD(a, y)))
#define V_SUM(a, y) sum
#define FIN_INTERLEAVE_1(a) FIN_FILLER(a)
#define FIN_INTERLEAVE_2(d) FIN_SAVE(d_2, d)
#define FIN_INTERLEAVE_3(d) FIN_SAVE(d_3, d) FIN_FILLER(d_2)
#define FIN_INTERLEAVE_4(c) FIN_FILLER(c)
#define FIN_INTERLEAVE_5(b) FIN_SAVE(b_5, b)
#define FIN_INTERLEAVE_6(b) FIN_FILLER(b_5)
#define FIN_INTERLEAVE_7(a) FIN_SAVE(a_7, a) FIN_FILLER(b_5)
#define FIN_INTERLEAVE_8(d) FIN_FILLER(d_3)
#define FIN_INTERLEAVE_9(d) FIN_FILLER(a_7)
#define FIN_INTERLEAVE_10(c) FIN_FILLER(c) FIN_FILLER(c)
#define FIN_INTERLEAVE_11(b)
#define FIN_INTERLEAVE_12(b)
#endif

#endif
