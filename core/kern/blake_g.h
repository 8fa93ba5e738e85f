/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * G of BLAKE and BLAKE2, once for every shape: a, b, c, d are words, rows of four words, or words
 * of many messages, as the vector abstraction has it.
 *
 * It needs V_ADD(a, b), V_XOR(a, b), V_ROT1(x) .. V_ROT4(x) (right rotations by R1 .. R4),
 * V_KEEP(x) (see below).
 *
 * x and y are the message words, for BLAKE already XORed with u. b is known last, so the message
 * is added to a before b is: that addition is off the dependency state, which is then twelve
 * operations long. gcc 12 reassociates the two additions as it likes, also those of intrinsics,
 * and costs a round two cycles of 24; V_KEEP hides the first sum's origin from it.
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

#define FIN_G(a, b, c, d, x, y)            \
    do {                                   \
        a = V_ADD(V_KEEP(V_ADD(a, x)), b); \
        d = V_ROT1(V_XOR(d, a));           \
        c = V_ADD(c, d);                   \
        b = V_ROT2(V_XOR(b, c));           \
        a = V_ADD(V_KEEP(V_ADD(a, y)), b); \
        d = V_ROT3(V_XOR(d, a));           \
        c = V_ADD(c, d);                   \
        b = V_ROT4(V_XOR(b, c));           \
    } while (0)

#endif
