/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * TYPE_load_words(in, big_endian): words of a message, over TYPE_load and TYPE_swap_bytes of a
 * vector abstraction.
 */
#ifndef FIN_LOAD_WORDS_H
#define FIN_LOAD_WORDS_H

#define FIN_LOAD_WORDS(type)                                              \
    FIN_INLINE type type##_load_words(const uint8_t *in, bool big_endian) \
    {                                                                     \
        const type m = type##_load(in);                                   \
        return big_endian ? type##_swap_bytes(m) : m;                     \
    }

#endif
