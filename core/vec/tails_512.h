/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Ends of messages in 512-bit registers, AVX-512 with BW. Loads are masked: nothing outside a
 * message is read, and no branch depends on its length.
 *
 *   FIN_TAIL_LINES                 defined: this file was included
 *   tail                           a message's end, of up to 255 bytes
 *   tail_of(in, bytes, after)      a tail and the byte after it
 *   tail_line                      64 bytes of it
 *   tail_load(t, line)             bytes 64 line .. 64 line + 63, then the byte after it and zeros
 *   FIN_TAIL_PREFIXES              1 or 0: tail_load_prefixed can be called
 *   tail_load_prefixed(t, prefix, line)
 *                                  the same with prefix before in, counted among the bytes: 1..256
 *   tail_zero(), _or(a, b)
 *   tail_or_word(x, i, word)       ORs a 64-bit word
 *   tail_store(to, x)              an aligned line
 */
#ifndef FIN_TAILS_512_H
#define FIN_TAILS_512_H

#include <immintrin.h>

#define FIN_TAIL_LINES 1
#define FIN_TAIL_PREFIXES 1

typedef __m512i tail_line;

typedef struct tail {
    const uint8_t *in;
    size_t bytes;
    uint8_t after;
} tail;

FIN_INLINE tail tail_of(const uint8_t *in, size_t bytes, uint8_t after)
{
    return (tail){in, bytes, after};
}
/* The index in the tail of each of the line's bytes. */
FIN_INLINE __m512i fin_tail_places(size_t line)
{
    const __m512i first = _mm512_set_epi8(
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41,
        40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
        17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_add_epi8(first, _mm512_set1_epi8((char)(64 * line)));
}
FIN_INLINE tail_line fin_tail_mark(tail t, tail_line x, size_t line)
{
    if (t.after == 0) {
        return x;
    }
    const __m512i end = _mm512_set1_epi8((char)t.bytes);
    const __mmask64 after = _mm512_cmpeq_epi8_mask(fin_tail_places(line), end);
    return _mm512_mask_mov_epi8(x, after, _mm512_set1_epi8((char)t.after));
}
FIN_INLINE tail_line tail_load(tail t, size_t line)
{
    const __m512i end = _mm512_set1_epi8((char)t.bytes);
    const __mmask64 own = _mm512_cmplt_epu8_mask(fin_tail_places(line), end);
    return fin_tail_mark(t, _mm512_maskz_loadu_epi8(own, t.in + 64 * line), line);
}
FIN_INLINE tail_line tail_load_prefixed(tail t, uint8_t prefix, size_t line)
{
    const __m512i last = _mm512_set1_epi8((char)(t.bytes - 1));
    const __mmask64 own = _mm512_cmple_epu8_mask(fin_tail_places(line), last);
    const __mmask64 first = line == 0 ? 1 : 0;
    const tail_line x = _mm512_maskz_loadu_epi8(own & ~first, t.in + 64 * line - 1);
    return fin_tail_mark(t, _mm512_mask_mov_epi8(x, first, _mm512_set1_epi8((char)prefix)), line);
}
FIN_INLINE tail_line tail_zero(void)
{
    return _mm512_setzero_si512();
}
FIN_INLINE tail_line tail_or(tail_line a, tail_line b)
{
    return _mm512_or_si512(a, b);
}
FIN_INLINE tail_line tail_or_word(tail_line x, unsigned i, uint64_t word)
{
    return _mm512_mask_or_epi64(x, (__mmask8)(1U << i), x, _mm512_set1_epi64((long long)word));
}
FIN_INLINE void tail_store(uint8_t *to, tail_line x)
{
    _mm512_store_si512(to, x);
}

#endif
