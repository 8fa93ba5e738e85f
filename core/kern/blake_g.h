/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * G of BLAKE and BLAKE2, once for every shape: a, b, c, d are words, rows of four words, or words
 * of many messages, as the vocabulary has it.
 *
 * Vocabulary: V_ADD(a, b), V_XOR(a, b), V_ROT1(x) .. V_ROT4(x) (right rotations by R1 .. R4).
 *
 * x and y are the message words, for BLAKE already XORed with u. b is known last, so the message
 * is added to a before b is: that addition is off the dependency chain, which is then twelve
 * operations long.
 */
#ifndef FIN_BLAKE_G_H
#define FIN_BLAKE_G_H

#define FIN_G(a, b, c, d, x, y)       \
    do {                              \
        a = V_ADD(V_ADD(a, x), b);    \
        d = V_ROT1(V_XOR(d, a));      \
        c = V_ADD(c, d);              \
        b = V_ROT2(V_XOR(b, c));      \
        a = V_ADD(V_ADD(a, y), b);    \
        d = V_ROT3(V_XOR(d, a));      \
        c = V_ADD(c, d);              \
        b = V_ROT4(V_XOR(b, c));      \
    } while (0)

#endif
