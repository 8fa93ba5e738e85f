/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 64-bit words by byte planes: as kern/blake/load/planes32.h with eight planes.
 * A round takes eight pshufb and 24 unpacks; kern/blake/load/pair.h takes eight shuffles.
 */
#include "vec/words_128.h"

typedef struct fin_planes64 {
    __m128i plane[8];
} fin_planes64;

/* One level of the conversion from planes to words: interleaves units of planes 2i and 2i + 1. Low
   and high halves of the words go to to[2i] and to[2i + 1]. */
#define FIN_INTERLEAVE(to, from, bits)                                  \
    for (size_t i = 0; i < 8; i += 2) {                                 \
        (to)[i] = _mm_unpacklo_epi##bits((from)[i], (from)[i + 1]);     \
        (to)[i + 1] = _mm_unpackhi_epi##bits((from)[i], (from)[i + 1]); \
    }

/* Pairs bytes 0 .. 7 of a register's two words: eight 16-bit units. Unit k of the eight registers
   is plane k: transposes 8 x 8 units in three levels. */
FIN_INLINE void fin_planes64_prepare(fin_planes64 *loader, const uint8_t *in, bool big_endian)
{
    const __m128i collect =
        big_endian ? _mm_set_epi8(8, 0, 9, 1, 10, 2, 11, 3, 12, 4, 13, 5, 14, 6, 15, 7)
                   : _mm_set_epi8(15, 7, 14, 6, 13, 5, 12, 4, 11, 3, 10, 2, 9, 1, 8, 0);
    __m128i q[8], r[8], s[8];
    for (size_t i = 0; i < 8; i++) {
        q[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(in + 16 * i)),
                                collect);
    }
    FIN_INTERLEAVE(r, q, 16)
    for (size_t i = 0; i < 8; i += 4) {
        s[i] = _mm_unpacklo_epi32(r[i], r[i + 2]);
        s[i + 1] = _mm_unpackhi_epi32(r[i], r[i + 2]);
        s[i + 2] = _mm_unpacklo_epi32(r[i + 1], r[i + 3]);
        s[i + 3] = _mm_unpackhi_epi32(r[i + 1], r[i + 3]);
    }
    for (size_t i = 0; i < 4; i++) {
        loader->plane[2 * i] = _mm_unpacklo_epi64(s[i], s[i + 4]);
        loader->plane[2 * i + 1] = _mm_unpackhi_epi64(s[i], s[i + 4]);
    }
}

/* Interleaves planes 01, 23, 45, 67 to 16-bit units of words 0..7 (low, the column step) or 8..15
   (high, the diagonal step), 0123 and 4567 to 32-bit units, and these to words. Each step makes
   only its own half: both at once would not fit the registers. */
FIN_INLINE void fin_planes64_step(const fin_planes64 *loader, vec64 *x, vec64 *y, int step)
{
    const __m128i order = _mm_load_si128((const __m128i *)(const void *)fin_rows_byte[step / 2]);
    __m128i q[4];
    for (size_t i = 0; i < 4; i++) {
        const __m128i even = _mm_shuffle_epi8(loader->plane[2 * i], order);
        const __m128i odd = _mm_shuffle_epi8(loader->plane[2 * i + 1], order);
        q[i] = step % 2 == 0 ? _mm_unpacklo_epi8(even, odd) : _mm_unpackhi_epi8(even, odd);
    }
    const __m128i x0123 = _mm_unpacklo_epi16(q[0], q[1]);
    const __m128i y0123 = _mm_unpackhi_epi16(q[0], q[1]);
    const __m128i x4567 = _mm_unpacklo_epi16(q[2], q[3]);
    const __m128i y4567 = _mm_unpackhi_epi16(q[2], q[3]);
    x->lo = _mm_unpacklo_epi32(x0123, x4567);
    x->hi = _mm_unpackhi_epi32(x0123, x4567);
    y->lo = _mm_unpacklo_epi32(y0123, y4567);
    y->hi = _mm_unpackhi_epi32(y0123, y4567);
}
#undef FIN_INTERLEAVE
