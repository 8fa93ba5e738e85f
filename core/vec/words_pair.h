/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Rows of four 64-bit words in pairs of 128-bit vectors. The instruction set's vec/words_*.h
 * includes this file after it has defined
 *
 *   half64                        the vector; a half is a row's words 0 and 1, or 2 and 3
 *   half64_load(p), _store(p, x)  from and to memory, aligned or not
 *   half64_set(a, b), half64_add(a, b), half64_xor(a, b), half64_swap_bytes(x)
 *   half64_pair(a, b, i, j)       one word of each, i and j constants:  a0 a1, b0 b1  ->  ai bj
 *   half64_ror_N(x)               for N of 32, 25, 24, 16, 11 and 63
 *   FIN_VECTOR_OPERAND            the letter of an assembly operand in a vector register
 *   FIN_HALVES_ONE_BY_ONE            optional: G acts on one half of the rows after the other
 *
 * and gets from it
 *
 *   half64_load_words(in, big_endian), half64_barrier(x), half64_middle(a, b)
 *   vec64_load, _load_pieces, _store, _set, _add, _xor, _barrier, _rotate_words1, 2, 3, _ror_N
 *                                 as words_256.h
 */
#ifndef FIN_WORDS_PAIR_H
#define FIN_WORDS_PAIR_H

#include "vec/load_words.h"

typedef struct vec64 {
    half64 lo, hi;
} vec64;

FIN_INLINE vec64 vec64_load(const void *p)
{
    return (vec64){half64_load(p), half64_load((const half64 *)p + 1)};
}
#define vec64_load_pieces vec64_load
FIN_INLINE void vec64_store(void *p, vec64 x)
{
    half64_store(p, x.lo);
    half64_store((half64 *)p + 1, x.hi);
}
FIN_INLINE vec64 vec64_set(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return (vec64){half64_set(a, b), half64_set(c, d)};
}
FIN_INLINE vec64 vec64_add(vec64 a, vec64 b)
{
    return (vec64){half64_add(a.lo, b.lo), half64_add(a.hi, b.hi)};
}
FIN_INLINE vec64 vec64_xor(vec64 a, vec64 b)
{
    return (vec64){half64_xor(a.lo, b.lo), half64_xor(a.hi, b.hi)};
}

/* Hides this sum from the optimiser (kern/blake/g.h). A row takes one statement: with one for each
   half, gcc 12 copies more registers (ssse3, BLAKE2b: 1235 instructions instead of 1224). */
FIN_INLINE half64 half64_barrier(half64 x)
{
    __asm__("" : "+" FIN_VECTOR_OPERAND(x));
    return x;
}
FIN_INLINE vec64 vec64_barrier(vec64 x)
{
    __asm__("" : "+" FIN_VECTOR_OPERAND(x.lo), "+" FIN_VECTOR_OPERAND(x.hi));
    return x;
}

/* a0 a1, b0 b1  ->  a1 b0 */
FIN_INLINE half64 half64_middle(half64 a, half64 b)
{
    return half64_pair(a, b, 1, 0);
}

/* Word i takes word i + 1, i + 2, i + 3 (modulo 4):
     a b | c d  ->  b c | d a,  c d | a b,  d a | b c */
FIN_INLINE vec64 vec64_rotate_words1(vec64 x)
{
    return (vec64){half64_middle(x.lo, x.hi), half64_middle(x.hi, x.lo)};
}
FIN_INLINE vec64 vec64_rotate_words2(vec64 x)
{
    return (vec64){x.hi, x.lo};
}
FIN_INLINE vec64 vec64_rotate_words3(vec64 x)
{
    return (vec64){half64_middle(x.hi, x.lo), half64_middle(x.lo, x.hi)};
}

#define FIN_VEC64_ROR(n)                                            \
    FIN_INLINE vec64 vec64_ror_##n(vec64 x)                         \
    {                                                               \
        return (vec64){half64_ror_##n(x.lo), half64_ror_##n(x.hi)}; \
    }
FIN_VEC64_ROR(32)
FIN_VEC64_ROR(25)
FIN_VEC64_ROR(24)
FIN_VEC64_ROR(16)
FIN_VEC64_ROR(11)
FIN_VEC64_ROR(63)

FIN_LOAD_WORDS(half64)

#endif
