/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bytes in memory: words in either byte order, 16-byte pieces, tails and digests, erasing,
 * prefetching.
 *
 * Data that a kernel is about to load is written in 16-byte pieces. Store-to-load forwarding takes
 * all bytes from one store. A load from several stores waits until they and everything before them
 * have retired, and then successive short messages no longer overlap.
 */
#ifndef FIN_BYTES_H
#define FIN_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Words in memory, in either byte order and at any address. A copy and a swap, because gcc 12 turns
 * shifted single bytes into vector code that unpacks them one by one.
 */
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FIN_TO_LE(bits, x) (x)
#define FIN_TO_BE(bits, x) __builtin_bswap##bits(x)
#define FIN_CPU_IS_BIG_ENDIAN false
#elif defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FIN_TO_LE(bits, x) __builtin_bswap##bits(x)
#define FIN_TO_BE(bits, x) (x)
#define FIN_CPU_IS_BIG_ENDIAN true
#else
#error "Finalist needs gcc, clang or a compiler that takes their extensions"
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

/* Returns in or, if it is null, other: an address for an empty message, from which nothing is read.
   Null plus an offset is undefined. */
static inline const uint8_t *fin_in_or(const void *in, const void *other)
{
    return in != NULL ? in : other;
}

static inline unsigned fin_ones(uint64_t x)
{
    unsigned ones = 0;
    for (; x != 0; x &= x - 1) {
        ones++;
    }
    return ones;
}

/* ---- Erasing and prefetching ---- */

/* Writes zeros that compilers keep, because they must assume that the empty asm reads them. */
static inline void fin_erase(void *p, size_t bytes)
{
    memset(p, 0, bytes);
    __asm__ __volatile__("" : : "r"(p) : "memory");
}

/* Prefetches a message's first line and, if it ends within 128 bytes, its last one; hardware
   fetches the others. */
static inline void fin_prefetch_ends(const uint8_t *p, size_t bytes)
{
    enum { FEW = 128 };
    __builtin_prefetch(p);
    if (bytes != 0) {
        __builtin_prefetch(p + (bytes < FEW ? bytes : FEW) - 1);
    }
}

/* Prefetches all cache lines of a range, or about lines_max evenly spaced ones if it has more. */
static inline void fin_prefetch_range(const uint8_t *p, size_t bytes, size_t lines_max)
{
    unsigned shift = 6;
    while (bytes >> shift > lines_max) {
        shift++;
    }
    for (size_t at = 0; bytes > at; at += (size_t)1 << shift) {
        __builtin_prefetch(p + at);
    }
}

/* ---- 16-byte pieces ---- */

typedef uint64_t fin_piece __attribute__((vector_size(16)));
typedef uint32_t fin_words4 __attribute__((vector_size(16)));

/* Selects four words of two vectors; indices 4 .. 7 select from y. */
#if defined(__clang__) || __GNUC__ >= 12
#define FIN_SHUFFLE4(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define FIN_SHUFFLE4(x, y, ...) __builtin_shuffle(x, y, (fin_words4){__VA_ARGS__})
#endif

/* Stores two native words, the first at the lower address. gcc 12 would store words from general
   registers one by one; the asm forces the piece into a vector register. */
static inline void fin_store_piece(void *to, uint64_t first, uint64_t second)
{
    fin_piece piece = {first, second};
#ifdef __SSE2__
    const bool known = __builtin_constant_p(first) && __builtin_constant_p(second);
    if (!known || first != second) {
        __asm__("" : "+x"(piece));
    }
#endif
    memcpy(to, &piece, sizeof piece);
}

/* Returns the 64-bit word with the memory layout of two 32-bit words. */
static inline uint64_t fin_pair_of_words(uint64_t first, uint64_t second)
{
    const uint64_t low = FIN_CPU_IS_BIG_ENDIAN ? second : first;
    const uint64_t high = FIN_CPU_IS_BIG_ENDIAN ? first : second;
    return (low & UINT32_MAX) | high << 32;
}

/* Copies 16 bytes; on 32-bit CPUs by words, because a piece would be copied through the stack and
   remain there. */
static inline void fin_copy_piece(void *to, const void *from)
{
#if UINTPTR_MAX > UINT32_MAX
    fin_piece piece;
    memcpy(&piece, from, sizeof piece);
    memcpy(to, &piece, sizeof piece);
#else
    for (size_t i = 0; i < 16; i += 4) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)from + i, sizeof word);
        memcpy((uint8_t *)to + i, &word, sizeof word);
    }
#endif
}

/* to = a ^ b */
static inline void fin_xor_piece(void *to, const void *a, const void *b)
{
    fin_piece x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    x ^= y;
    memcpy(to, &x, sizeof x);
}

/* Sets the bits of two little-endian words in the piece at p. */
static inline void fin_or_piece(uint8_t *p, uint64_t first, uint64_t second)
{
    const fin_piece more = {FIN_TO_LE(64, first), FIN_TO_LE(64, second)};
    fin_piece piece;
    memcpy(&piece, p, sizeof piece);
    piece |= more;
    fin_store_piece(p, piece[0], piece[1]);
}

/* Loads eight bytes and reverses them, as one 64-bit word or as each of two 32-bit words. */
static inline uint64_t fin_load_reversed(const void *from, bool wide)
{
    uint64_t word;
    memcpy(&word, from, sizeof word);
    word = __builtin_bswap64(word);
    return wide ? word : word << 32 | word >> 32;
}

/* Copies a piece and reverses the bytes of its two 64-bit or four 32-bit words. */
static inline void fin_copy_piece_reversed(void *to, const void *from, bool wide)
{
    fin_store_piece(to, fin_load_reversed(from, wide),
                    fin_load_reversed((const uint8_t *)from + 8, wide));
}

/* ---- Tails and digests ---- */

/* Returns the little-endian word at index at of a tail, with zeros after its end. */
static inline uint64_t fin_word_of_tail(const uint8_t *in, size_t bytes, size_t at)
{
    if (at + 8 <= bytes) {
        return fin_load64_le(in + at);
    }
    if (at >= bytes) {
        return 0;
    }
    if (bytes >= 8) {
        return fin_load64_le(in + bytes - 8) >> 8 * (at + 8 - bytes);
    }
    if (bytes >= 4) {
        return fin_load32_le(in) | (uint64_t)fin_load32_le(in + bytes - 4) << 8 * (bytes - 4);
    }
    return in[0] | (uint64_t)in[bytes / 2] << 8 * (bytes / 2) |
           (uint64_t)in[bytes - 1] << 8 * (bytes - 1);
}

/* Copies bytes into whole pieces and fills the last one with zeros. */
static inline void fin_copy_padded(uint8_t *to, const uint8_t *in, size_t bytes)
{
    size_t at = 0;
    for (; at + 16 <= bytes; at += 16) {
        fin_copy_piece(to + at, in + at);
        __asm__("" : "+r"(in)); /* as in fin_copy_tail */
    }
    if (at < bytes) {
        fin_store_piece(to + at, FIN_TO_LE(64, fin_word_of_tail(in, bytes, at)),
                        FIN_TO_LE(64, fin_word_of_tail(in, bytes, at + 8)));
    }
}

/* Copies items whose length is a constant. gcc compiles memcpy of up to 256 bytes in all as a loop
   over bytes. */
static inline void fin_copy_items(uint8_t *to, const uint8_t *from, size_t item_bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        __asm__("" : "+r"(i)); /* else gcc makes a memcpy of the loop */
        memcpy(to + item_bytes * i, from + item_bytes * i, item_bytes);
    }
}

/* Copies up to a block without a call, in overlapping parts. */
static inline void fin_copy_short(uint8_t *to, const uint8_t *in, size_t bytes)
{
    if (bytes > 64) {
        memcpy(to, in, 64);
        memcpy(to + bytes - 64, in + bytes - 64, 64);
    } else if (bytes > 32) {
        memcpy(to, in, 32);
        memcpy(to + bytes - 32, in + bytes - 32, 32);
    } else if (bytes >= 16) {
        memcpy(to, in, 16);
        memcpy(to + bytes - 16, in + bytes - 16, 16);
    } else if (bytes >= 8) {
        memcpy(to, in, 8);
        memcpy(to + bytes - 8, in + bytes - 8, 8);
    } else if (bytes >= 4) {
        memcpy(to, in, 4);
        memcpy(to + bytes - 4, in + bytes - 4, 4);
    } else if (bytes != 0) {
        to[0] = in[0];
        to[bytes / 2] = in[bytes / 2];
        to[bytes - 1] = in[bytes - 1];
    }
}

/* Returns the low bytes, none to eight, of a word. */
static inline uint64_t fin_low_bytes(uint64_t word, size_t bytes)
{
    return bytes >= 8 ? word : word & ((UINT64_C(1) << 8 * bytes) - 1);
}

/* Copies a tail's bytes after its last whole piece, up to 15, and one byte after them into a zeroed
   piece. bytes: the length of the whole tail, which ends at end. */
static inline void fin_copy_rest(uint8_t *to, const uint8_t *end, size_t bytes, uint8_t after)
{
    const size_t rest = bytes % 16;
    const uint64_t mark = (uint64_t)after << 8 * (bytes % 8);
    if (rest >= 8) {
        const uint64_t second = fin_load64_le(end - 8) >> 8 * (15 - rest) >> 8;
        fin_store_piece(to, FIN_TO_LE(64, fin_load64_le(end - rest)), FIN_TO_LE(64, second | mark));
    } else if (rest != 0 || after != 0) {
        const uint64_t first = bytes >= 16 ? fin_load64_le(end - 8) >> 8 * (7 - rest) >> 8
                                           : fin_word_of_tail(end - rest, rest, 0);
        fin_store_piece(to, FIN_TO_LE(64, first | mark), 0);
    }
}

/* Copies a message's tail and one byte after it into zeroed blocks. */
static inline void fin_copy_tail(uint8_t *to, const uint8_t *in, size_t bytes, uint8_t after)
{
    const uint8_t *end = in + bytes;
    if (bytes >= 64) {
        memcpy(to, in, 64);
        to += 64;
        in += 64;
        if (bytes >= 128) {
            memcpy(to, in, 64);
            to += 64;
            in += 64;
        }
        for (size_t left = bytes; left >= 192; left -= 64) {
            memcpy(to, in, 64);
            to += 64;
            in += 64;
        }
    }
    if ((bytes & 32) != 0) {
        fin_copy_piece(to, in);
        fin_copy_piece(to + 16, in + 16);
        to += 32;
        in += 32;
    }
    if ((bytes & 16) != 0) {
        fin_copy_piece(to, in);
        to += 16;
    }
    fin_copy_rest(to, end, bytes, after);
}

/* Writes a byte and zeros after the message's bytes in blocks, up to padded_bytes. */
static inline void fin_pad_in_place(uint8_t *blocks, size_t padded_bytes, size_t bytes,
                                    uint8_t after)
{
    const size_t rest = bytes % 16;
    size_t at = bytes - rest;
    if (at == padded_bytes) {
        return;
    }
    const uint64_t mark = (uint64_t)after << 8 * (bytes % 8);
    uint64_t first = 0, second = 0;
    if (rest != 0) {
        first = fin_low_bytes(fin_load64_le(blocks + at), rest);
        second = fin_low_bytes(fin_load64_le(blocks + at + 8), rest < 8 ? 0 : rest - 8);
    }
    fin_store_piece(blocks + at, FIN_TO_LE(64, first | (rest < 8 ? mark : 0)),
                    FIN_TO_LE(64, second | (rest < 8 ? 0 : mark)));
    for (at += 16; at < padded_bytes; at += 16) {
        __asm__("" : "+r"(at)); /* else gcc stores single bytes */
        fin_store_piece(blocks + at, 0, 0);
    }
}

static inline void fin_store_digest_piece(uint8_t *to, const uint8_t *from, bool wide,
                                          bool big_endian)
{
    if (big_endian == FIN_CPU_IS_BIG_ENDIAN) {
        fin_copy_piece(to, from);
    } else {
        /* No kernel loads it, so two stores cost less than combining the words first. */
        const uint64_t first = fin_load_reversed(from, wide);
        const uint64_t second = fin_load_reversed(from + 8, wide);
        memcpy(to, &first, sizeof first);
        memcpy(to + 8, &second, sizeof second);
    }
}

/* Writes the first bytes of 64-bit or 32-bit words in the digest's byte order. The words fill whole
   pieces. */
static inline void fin_store_digest(uint8_t *digest, const void *words, size_t bytes, bool wide,
                                    bool big_endian)
{
    const uint8_t *from = words;
    for (; bytes >= 16; bytes -= 16) {
        __asm__ __volatile__(""); /* else gcc calls memcpy, whose wider loads wait for two stores */
        fin_store_digest_piece(digest, from, wide, big_endian);
        from += 16;
        digest += 16;
    }
    if (bytes != 0) {
        uint8_t last[16];
        fin_store_digest_piece(last, from, wide, big_endian);
        for (size_t i = 0; i < bytes; i++) {
            digest[i] = last[i];
        }
        fin_erase(last, sizeof last);
    }
}

#endif
