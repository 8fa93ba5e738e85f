/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule by gathers from the stack, AVX2 (AVX paper, sections 4.2 and 5.1, appendix B):
 * the block's words are on the stack in native byte order, and the round's permutation is the index
 * vector. One gather of eight 32-bit words loads x and y, which vextracti128 separates.
 */
#include "vec/words_128.h"
#include "vec/words_256.h"

/* Returns a full mask, hidden from the optimiser: gcc 12 drops the zeroed destination of a gather
   whose mask it knows to be full, and the gather then waits for the register's previous value. */
FIN_INLINE __m256i fin_gather_mask(void)
{
    __m256i all = _mm256_cmpeq_epi32(_mm256_setzero_si256(), _mm256_setzero_si256());
    __asm__("" : "+x"(all));
    return all;
}

/* Indexes of a step's words, through a pointer hidden from the optimiser: clang 19 would store
   constants as bytes and widen them before each gather. */
typedef const uint32_t (*fin_gather_rows)[4][4];

FIN_INLINE fin_gather_rows fin_gather_rows_here(void)
{
    fin_gather_rows rows = fin_rows_word;
    __asm__("" : "+r"(rows));
    return rows;
}

typedef struct fin_gather32 {
    _Alignas(64) uint32_t m[16];
    fin_gather_rows rows;
} fin_gather32;

FIN_INLINE void fin_gather32_prepare(fin_gather32 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        vec32_store(loader->m + 4 * i, vec32_load_words(in + 16 * i, big_endian));
    }
    loader->rows = fin_gather_rows_here();
}

FIN_INLINE void fin_gather32_step(const fin_gather32 *loader, vec32 *x, vec32 *y, int step)
{
    const vec32x2 index = vec32x2_load(loader->rows[step / 2][2 * (step % 2)]);
    const vec32x2 xy = _mm256_mask_i32gather_epi32(
        _mm256_setzero_si256(), (const int *)(const void *)loader->m, index, fin_gather_mask(), 4);
    *x = _mm256_castsi256_si128(xy);
    *y = _mm256_extracti128_si256(xy, 1);
}

typedef struct fin_gather64 {
    _Alignas(64) uint64_t m[16];
    fin_gather_rows rows;
} fin_gather64;

FIN_INLINE void fin_gather64_prepare(fin_gather64 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        vec64_store(loader->m + 4 * i, vec64_load_words(in + 32 * i, big_endian));
    }
    loader->rows = fin_gather_rows_here();
}

FIN_INLINE vec64 fin_gather64_row(const fin_gather64 *loader, const uint32_t words[4])
{
    return _mm256_mask_i32gather_epi64(_mm256_setzero_si256(),
                                       (const long long *)(const void *)loader->m,
                                       vec32_load(words), fin_gather_mask(), 8);
}

FIN_INLINE void fin_gather64_step(const fin_gather64 *loader, vec64 *x, vec64 *y, int step)
{
    *x = fin_gather64_row(loader, loader->rows[step / 2][2 * (step % 2)]);
    *y = fin_gather64_row(loader, loader->rows[step / 2][2 * (step % 2) + 1]);
}
