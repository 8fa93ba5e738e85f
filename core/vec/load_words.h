/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * TYPE_load_words(in, big_endian): words of a message, over TYPE_load_pieces and TYPE_swap_bytes of
 * a vector abstraction. TYPE_load_pieces is TYPE_load by loads of at most sixteen bytes, for what was
 * written in pieces of sixteen (bytes.h).
 */
#ifndef FIN_LOAD_WORDS_H
#define FIN_LOAD_WORDS_H

/* Vectors of sixteen bytes. */
#define vec32_load_pieces vec32_load
#define half64_load_pieces half64_load

#define FIN_LOAD_WORDS(type)                                              \
    FIN_INLINE type type##_load_words(const uint8_t *in, bool big_endian) \
    {                                                                     \
        const type m = type##_load_pieces(in);                            \
        return big_endian ? type##_swap_bytes(m) : m;                     \
    }

#endif
