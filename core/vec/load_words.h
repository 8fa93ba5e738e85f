/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Defines TYPE_load_words(in, big_endian), which loads words of a message, from a vector
 * abstraction's TYPE_load_pieces and TYPE_swap_bytes. TYPE_load_pieces loads as TYPE_load does, but
 * at most sixteen bytes at a time, from memory stored in 16-byte chunks (bytes.h).
 */
#ifndef FIN_LOAD_WORDS_H
#define FIN_LOAD_WORDS_H

/* These vectors have sixteen bytes already. */
#define vec32_load_pieces vec32_load
#define half64_load_pieces half64_load

#define FIN_LOAD_WORDS(type)                                              \
    FIN_INLINE type type##_load_words(const uint8_t *in, bool big_endian) \
    {                                                                     \
        const type m = type##_load_pieces(in);                            \
        return big_endian ? type##_swap_bytes(m) : m;                     \
    }

#endif
