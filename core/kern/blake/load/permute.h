/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 32-bit words by vpermd and vpblendd, AVX2 (AVX paper, section 5.1): words
 * 0..7 and words 8..15 are permuted separately, then joined.
 */
#include "vec/words_128.h"
#include "vec/words_256.h"

#define V_BLEND_STEP(low, high, mask) _mm256_blend_epi32(low, high, mask)
#include "gen/blake_load_permute.inc"
#undef V_BLEND_STEP

typedef struct fin_permute32 {
    vec32x2 low, high;
} fin_permute32;

FIN_INLINE void fin_permute32_prepare(fin_permute32 *loader, const uint8_t *in, bool big_endian)
{
    loader->low = vec32x2_load_words(in, big_endian);
    loader->high = vec32x2_load_words(in + 32, big_endian);
}

/* vpermd reads the low three bits of an index: word w of 0..15 is word w % 8 of its half. */
FIN_INLINE void fin_permute32_step(const fin_permute32 *loader, vec32 *x, vec32 *y, int step)
{
    const vec32x2 index = vec32x2_load(fin_rows_word[step / 2][2 * (step % 2)]);
    const vec32x2 xy = fin_blend_step32(_mm256_permutevar8x32_epi32(loader->low, index),
                                        _mm256_permutevar8x32_epi32(loader->high, index), step);
    *x = _mm256_castsi256_si128(xy);
    *y = _mm256_extracti128_si256(xy, 1);
}
