/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 32-bit words by two-source permutes, AVX-512VL: one vpermt2d takes the eight
 * words of x and y out of all sixteen.
 */
#include "vec/words_128.h"
#include "vec/words_256.h"

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
