/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Ends of messages in 256-bit registers, AVX2: as tails_512.h, without prefixes. Loads are masked
 * by words of 32 bits; the last bytes, fewer than a word, and the byte after them make one more
 * word:
 *
 *   in        d d d d | d d d d | d d a
 *   masks     1         1         0         whole: two words
 *   last                          d d a 0
 */
#ifndef FIN_TAILS_256_H
#define FIN_TAILS_256_H

#include <immintrin.h>

#define FIN_TAIL_LINES 1
#define FIN_TAIL_PREFIXES 0

typedef struct tail_line {
    __m256i half[2];
} tail_line;

typedef struct tail {
    const uint8_t *in;
    uint32_t whole; /* words */
    uint32_t last;
} tail;

FIN_INLINE tail tail_of(const uint8_t *in, size_t bytes, uint8_t after)
{
    const unsigned bits = 8 * (bytes % 4);
    const uint32_t last = bytes < 4
                              ? (uint32_t)fin_word_of_tail(in, bytes, 0)
                              : (uint32_t)((uint64_t)fin_load32_le(in + bytes - 4) << bits >> 32);
    return (tail){in, (uint32_t)(bytes / 4), last | (uint32_t)after << bits};
}
FIN_INLINE tail_line tail_load(tail t, size_t line)
{
    const __m256i whole = _mm256_set1_epi32((int)t.whole);
    const __m256i last = _mm256_set1_epi32((int)t.last);
    tail_line x;
    for (size_t i = 0; i < 2; i++) {
        const size_t at = 64 * line + 32 * i;
        const __m256i first = _mm256_set1_epi32((int)(at / 4));
        const __m256i places = _mm256_add_epi32(first, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        const __m256i own = _mm256_cmpgt_epi32(whole, places);
        const __m256i after = _mm256_and_si256(_mm256_cmpeq_epi32(whole, places), last);
        const __m256i words = _mm256_maskload_epi32((const int *)(const void *)(t.in + at), own);
        x.half[i] = _mm256_or_si256(words, after);
    }
    return x;
}
/* Never called: FIN_TAIL_PREFIXES is 0. */
FIN_INLINE tail_line tail_load_prefixed(tail t, uint8_t prefix, size_t line)
{
    (void)prefix;
    return tail_load(t, line);
}
FIN_INLINE tail_line tail_zero(void)
{
    return (tail_line){{_mm256_setzero_si256(), _mm256_setzero_si256()}};
}
FIN_INLINE tail_line tail_or(tail_line a, tail_line b)
{
    a.half[0] = _mm256_or_si256(a.half[0], b.half[0]);
    a.half[1] = _mm256_or_si256(a.half[1], b.half[1]);
    return a;
}
FIN_INLINE tail_line tail_or_word(tail_line x, unsigned i, uint64_t word)
{
    const __m256i place =
        _mm256_cmpeq_epi64(_mm256_set1_epi64x(i % 4), _mm256_setr_epi64x(0, 1, 2, 3));
    const __m256i words = _mm256_and_si256(place, _mm256_set1_epi64x((long long)word));
    x.half[i / 4] = _mm256_or_si256(x.half[i / 4], words);
    return x;
}
FIN_INLINE void tail_store(uint8_t *to, tail_line x)
{
    _mm256_store_si256((__m256i *)(void *)to, x.half[0]);
    _mm256_store_si256((__m256i *)(void *)(to + 32), x.half[1]);
}

#endif
