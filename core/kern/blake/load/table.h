/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 32-bit words, 64-bit Arm: the block is a table of 64 bytes in four registers,
 * and one tbl takes any sixteen bytes.
 */
#include "vec/words_neon.h"

#include "gen/blake_load_table.inc"

typedef struct fin_table32 {
    uint8x16x4_t m;
} fin_table32;

FIN_INLINE void fin_table32_prepare(fin_table32 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        loader->m.val[i] = vreinterpretq_u8_u32(vec32_load_words(in + 16 * i, big_endian));
    }
}

FIN_INLINE vec32 fin_table32_row(const fin_table32 *loader, const uint8_t place[16])
{
    return vreinterpretq_u32_u8(vqtbl4q_u8(loader->m, vld1q_u8(place)));
}

FIN_INLINE void fin_table32_step(const fin_table32 *loader, vec32 *x, vec32 *y, int step)
{
    *x = fin_table32_row(loader, fin_rows_place[step / 2][2 * (step % 2)]);
    *y = fin_table32_row(loader, fin_rows_place[step / 2][2 * (step % 2) + 1]);
}
