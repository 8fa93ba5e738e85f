/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bytes in memory: words in either order, tails of messages, erasing, prefetching.
 */
#ifndef FIN_BYTES_H
#define FIN_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Words in memory, in either order and at any address. Written as a copy and a swap: of single
 * bytes shifted together gcc 12 makes vector code that unpacks them one by one.
 */
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FIN_TO_LE(bits, x) (x)
#define FIN_TO_BE(bits, x) __builtin_bswap##bits(x)
#elif defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FIN_TO_LE(bits, x) __builtin_bswap##bits(x)
#define FIN_TO_BE(bits, x) (x)
#else
#error "the byte order of this compiler's target is not known"
#endif

#define FIN_WORDS_IN_MEMORY(bits, order, convert)                              \
    static inline uint##bits##_t fin_load##bits##_##order(const uint8_t *p)    \
    {                                                                          \
        uint##bits##_t x;                                                      \
        memcpy(&x, p, sizeof x);                                               \
        return convert(bits, x);                                               \
    }                                                                          \
    static inline void fin_store##bits##_##order(uint8_t *p, uint##bits##_t x) \
    {                                                                          \
        x = convert(bits, x);                                                  \
        memcpy(p, &x, sizeof x);                                               \
    }
FIN_WORDS_IN_MEMORY(32, le, FIN_TO_LE)
FIN_WORDS_IN_MEMORY(64, le, FIN_TO_LE)
FIN_WORDS_IN_MEMORY(32, be, FIN_TO_BE)
FIN_WORDS_IN_MEMORY(64, be, FIN_TO_BE)

/*
 * Copies a message's tail of at most 128 bytes and one byte after it into a zeroed block, in whole
 * words: what the kernel reads next then comes from one store each and need not wait for several
 * to reach the cache.
 */
static inline void fin_copy_tail(uint8_t *block, const uint8_t *in, size_t bytes, uint8_t after)
{
    size_t i = 0;
    for (; i + 8 <= bytes; i += 8) {
        uint64_t word = fin_load64_le(in + i);
#ifdef __GNUC__
        __asm__("" : "+r"(word)); /* a loop of single words is what is meant: no vectors */
#endif
        fin_store64_le(block + i, word);
    }
    const size_t rest = bytes - i;
    uint64_t last = (uint64_t)after << 8 * rest;
    if (rest != 0 && i != 0) {
        last |= fin_load64_le(in + bytes - 8) >> (64 - 8 * rest);
    } else {
        for (size_t k = 0; k < rest; k++) {
            last |= (uint64_t)in[k] << 8 * k;
        }
    }
    fin_store64_le(block + i, last);
}

/* The first bytes of a sequence of little-endian words. */
static inline void fin_store_words64(uint8_t *to, const uint64_t *words, size_t bytes)
{
    for (; bytes >= 8; bytes -= 8, to += 8) {
        fin_store64_le(to, *words++);
    }
    for (size_t k = 0; k < bytes; k++) {
        to[k] = (uint8_t)(*words >> 8 * k);
    }
}

/* Asks for the cache line at p, which need not exist. */
static inline void fin_prefetch(const void *p)
{
#ifdef __GNUC__
    __builtin_prefetch(p);
#else
    (void)p;
#endif
}

/* Zeros that compilers keep: they must assume that the empty asm reads them. */
static inline void fin_erase(void *p, size_t bytes)
{
    memset(p, 0, bytes);
#if defined(__GNUC__)
    __asm__ __volatile__("" : : "r"(p) : "memory");
#else
    volatile uint8_t *byte = p;
    while (bytes--) {
        *byte++ = 0;
    }
#endif
}

#endif
