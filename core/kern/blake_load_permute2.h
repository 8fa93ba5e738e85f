/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule by two-source permutes, AVX-512VL. Of 32-bit words one vpermt2d takes the eight
 * words of x and y out of all sixteen; of 64-bit words a vpermt2q takes those of 0..7, a second
 * one, masked, fills in those of 8..15.
 */
#include "vec/words_128.h"
#include "vec/words_256.h"

#include "gen/blake_load_high.inc"

typedef struct fin_permute2_32 {
    vec32x2 low, high;
} fin_permute2_32;

FIN_INLINE void fin_permute2_32_prepare(fin_permute2_32 *loader, const uint8_t *in, bool big_endian)
{
    loader->low = vec32x2_load_words(in, big_endian);
    loader->high = vec32x2_load_words(in + 32, big_endian);
}

FIN_INLINE void fin_permute2_32_step(const fin_permute2_32 *loader, vec32 *x, vec32 *y, int step)
{
    const vec32x2 index = vec32x2_load(fin_rows_word[step / 2][2 * (step % 2)]);
    const vec32x2 xy = _mm256_permutex2var_epi32(loader->low, index, loader->high);
    *x = _mm256_castsi256_si128(xy);
    *y = _mm256_extracti128_si256(xy, 1);
}

typedef struct fin_permute2_64 {
    vec64 m[4];
} fin_permute2_64;

FIN_INLINE void fin_permute2_64_prepare(fin_permute2_64 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        loader->m[i] = vec64_load_words(in + 32 * i, big_endian);
    }
}

/* vpermt2q reads the low three bits of an index, two for the word and one for the register. */
FIN_INLINE vec64 fin_permute2_64_row(const fin_permute2_64 *loader, int which)
{
    const vec64 index = vec64_load(fin_rows_word64[which / 4][which % 4]);
    const __mmask8 high = fin_rows_high[which];
    const vec64 low_words = _mm256_permutex2var_epi64(loader->m[0], index, loader->m[1]);
    const vec64 high_words = _mm256_permutex2var_epi64(loader->m[2], index, loader->m[3]);
    return _mm256_mask_mov_epi64(low_words, high, high_words);
}

FIN_INLINE void fin_permute2_64_step(const fin_permute2_64 *loader, vec64 *x, vec64 *y, int step)
{
    *x = fin_permute2_64_row(loader, 2 * step);
    *y = fin_permute2_64_row(loader, 2 * step + 1);
}
