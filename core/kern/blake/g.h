/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * G of BLAKE and BLAKE2, once for every shape: by the vector abstraction, a, b, c, d are words,
 * rows of four words, or words of many messages.
 *
 * It needs V_ADD(a, b), V_XOR(a, b), V_ROT1(x) .. V_ROT4(x) (right rotations by R1 .. R4),
 * V_BARRIER(x) (see below). The unit may define instructions to interleave with the twelve operations
 * (kern/blake/interleave.h):
 *
 *   V_INTERLEAVE(n, x)   after operation n, whose result is x
 *   V_SUM_EARLY(a, y), V_SUM(a, y)    a + y, computed before b is rotated, used after it
 *   V_STAY(x)        x is computed here, before any later V_STAY or V_INTERLEAVE
 *   V_FIRST_SUM(a, b, x)   a + b + x for the first operation
 *
 * x and y are the message words, for BLAKE already XORed with u. b is known last, so a + x comes
 * first: it is off the critical path, which is then twelve operations long. gcc 12 would
 * reassociate the two additions, even those of intrinsics, at two cycles of a round's 24; V_BARRIER
 * hides the first sum from it.
 */
#ifndef FIN_BLAKE_G_H
#define FIN_BLAKE_G_H

#ifdef __GNUC__
#define FIN_KEEP_IN(constraint, x)          \
    __extension__({                         \
        __typeof__(x) kept = (x);           \
        __asm__("" : "+" constraint(kept)); \
        kept;                               \
    })
#else
#define FIN_KEEP_IN(constraint, x) (x)
#endif

#ifndef V_INTERLEAVE
#define V_INTERLEAVE(n, x)
#endif
#ifndef V_SUM
#define V_SUM_EARLY(a, y)
#define V_SUM(a, y) V_BARRIER(V_ADD(a, y))
#endif
#ifndef V_FIRST_SUM
#define V_FIRST_SUM(a, b, x) V_ADD(V_BARRIER(V_ADD(a, x)), b)
#endif
#ifndef V_STAY
#define V_STAY(x)
#endif

#define FIN_G(a, b, c, d, x, y)    \
    do {                           \
        a = V_FIRST_SUM(a, b, x);  \
        V_INTERLEAVE(1, a)         \
        d = V_XOR(d, a);           \
        V_INTERLEAVE(2, d)         \
        d = V_ROT1(d);             \
        V_INTERLEAVE(3, d)         \
        c = V_ADD(c, d);           \
        V_INTERLEAVE(4, c)         \
        b = V_XOR(b, c);           \
        V_INTERLEAVE(5, b)         \
        V_SUM_EARLY(a, y)          \
        b = V_ROT2(b);             \
        V_INTERLEAVE(6, b)         \
        a = V_ADD(V_SUM(a, y), b); \
        V_INTERLEAVE(7, a)         \
        d = V_XOR(d, a);           \
        V_INTERLEAVE(8, d)         \
        d = V_ROT3(d);             \
        V_INTERLEAVE(9, d)         \
        c = V_ADD(c, d);           \
        V_INTERLEAVE(10, c)        \
        b = V_XOR(b, c);           \
        V_INTERLEAVE(11, b)        \
        b = V_ROT4(b);             \
        V_INTERLEAVE(12, b)        \
    } while (0)

#endif
