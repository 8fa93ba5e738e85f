/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedules for the rows of ways_512.h, AVX-512: a vpermt2d takes a step's sixteen words
 * out of two blocks of 64 bytes, a vpermt2q its eight words out of one block of 128.
 */
#include "vec/ways_512.h"

#include "gen/blake_ways.inc"

/* The lower and the upper halves of a and b side by side. */
FIN_INLINE __m512i fin_low_halves(__m512i a, __m512i b)
{
    return _mm512_inserti64x4(a, _mm512_castsi512_si256(b), 1);
}
FIN_INLINE __m512i fin_high_halves(__m512i a, __m512i b)
{
    return _mm512_shuffle_i64x2(a, b, _MM_SHUFFLE(3, 2, 3, 2));
}

typedef struct fin_permute_ways32 {
    __m512i m[4];
} fin_permute_ways32;

FIN_INLINE void fin_permute_ways32_prepare(fin_permute_ways32 *loader, const uint8_t *const *in,
                                           bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        const __m512i m = fin_lane_load_bytes(in[i]);
        loader->m[i] = big_endian ? lane32_swap_bytes(m) : m;
    }
}

/* xA xB yA yB and xC xD yC yD  ->  xA xB xC xD and yA yB yC yD */
FIN_INLINE void fin_permute_ways32_step(const fin_permute_ways32 *loader, vec32 *x, vec32 *y,
                                        int step)
{
    const __m512i index = fin_lane_load(fin_ways_word[step / 2][step % 2]);
    const __m512i ab = _mm512_permutex2var_epi32(loader->m[0], index, loader->m[1]);
    const __m512i cd = _mm512_permutex2var_epi32(loader->m[2], index, loader->m[3]);
    *x = fin_low_halves(ab, cd);
    *y = fin_high_halves(ab, cd);
}

typedef struct fin_permute_ways64 {
    __m512i m[2][2];
} fin_permute_ways64;

FIN_INLINE void fin_permute_ways64_prepare(fin_permute_ways64 *loader, const uint8_t *const *in,
                                           bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        const __m512i m = fin_lane_load_bytes(in[i / 2] + 64 * (i % 2));
        loader->m[i / 2][i % 2] = big_endian ? lane64_swap_bytes(m) : m;
    }
}

/* xA yA and xB yB  ->  xA xB and yA yB */
FIN_INLINE void fin_permute_ways64_step(const fin_permute_ways64 *loader, vec64 *x, vec64 *y,
                                        int step)
{
    const __m512i index = fin_lane_load(fin_rows_word64[step / 2][2 * (step % 2)]);
    const __m512i a = _mm512_permutex2var_epi64(loader->m[0][0], index, loader->m[0][1]);
    const __m512i b = _mm512_permutex2var_epi64(loader->m[1][0], index, loader->m[1][1]);
    *x = fin_low_halves(a, b);
    *y = fin_high_halves(a, b);
}
