/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 32-bit words, XOP (AVX paper, section 7.2): vpperm takes any four words of
 * two registers. tools/vpperm.py found the sequences; rows of a round share intermediate results.
 */
#include "vec/words_128.h"

/* The byte selector of word w, 0 .. 7, of two registers: 4w + 3, 4w + 2, 4w + 1, 4w. */
#define FIN_WORD_BYTES(w) (0x03020100 + 0x04040404 * (w))
#define V_PERMUTE(a, b, i, j, k, n) \
    _mm_perm_epi8(                  \
        a, b,                       \
        _mm_set_epi32(FIN_WORD_BYTES(n), FIN_WORD_BYTES(k), FIN_WORD_BYTES(j), FIN_WORD_BYTES(i)))
#include "gen/blake_load_vpperm.inc"
#undef V_PERMUTE
#undef FIN_WORD_BYTES

typedef struct fin_vpperm32 {
    vec32 m[4];
} fin_vpperm32;

FIN_INLINE void fin_vpperm32_prepare(fin_vpperm32 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        loader->m[i] = vec32_load_words(in + 16 * i, big_endian);
    }
}

/* Compilers compute a round's rows once for its two steps. */
FIN_INLINE void fin_vpperm32_step(const fin_vpperm32 *loader, vec32 *x, vec32 *y, int step)
{
    vec32 row[4];
    fin_permute_round32(loader->m, row, step / 2);
    *x = row[2 * (step % 2)];
    *y = row[2 * (step % 2) + 1];
}
