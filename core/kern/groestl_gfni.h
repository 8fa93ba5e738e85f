/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SubBytes and MixBytes of rows with GFNI: S, 2 S and 4 S are an affine map of the inverse each.
 * The constants that follow a round: every row takes register 1 of them, rows 0 and 7 have theirs
 * on top.
 *
 *   FIN_ROWS   see groestl_mix.h
 */
#define FIN_DOUBLE(x) bytes_multiply(x, bytes_set1(2))
#include "groestl_mix.h"

FIN_INLINE void FIN_CAT(fin_sub_mix_, FIN_ROWS)(bytes x[FIN_ROWS], const uint8_t *constants,
                                                size_t apart)
{
    bytes s2[FIN_ROWS], s4[FIN_ROWS];
    FOR_ROWS (i) {
        s2[i] = bytes_affine_inverse(x[i], FIN_MATRIX_02, FIN_OFFSET_02);
        s4[i] = bytes_affine_inverse(x[i], FIN_MATRIX_04, FIN_OFFSET_04);
        x[i] = bytes_affine_inverse(x[i], FIN_MATRIX_01, FIN_OFFSET_01);
    }
    const bytes following[3] = {bytes_load(constants + apart), bytes_load(constants),
                                bytes_load(constants + apart * (FIN_ROWS - 1))};
    FIN_CAT(fin_mix_multiples_of_, FIN_ROWS)(x, s2, s4, following);
}

#undef FIN_DOUBLE
#undef FIN_DOUBLE_ADD
#undef FOR_ROWS
#undef FIN_ROWS
