/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SubBytes and MixBytes with GFNI for groestl_lanes.h: 2 S, 3 S and 5 S are an affine map of the
 * inverse each, whose offset also inverts every byte of Q. What else AddRoundConstant does happens
 * in one row.
 */
#define FIN_ROWS 8
#define FIN_DOUBLE(x) bytes_multiply(x, bytes_set1(2))
#include "groestl_mix.h"

/*
 * apart: bytes from one row's constants to the next. row: the one with constants of its own.
 * inverted: whether all bytes are to come out inverted. last: whether no constants follow.
 */
FIN_INLINE void fin_sub_mix_lanes(bytes x[8], const uint8_t *constants, size_t apart, unsigned row,
                                  bool inverted, bool last)
{
    bytes s2[8], s3[8];
    FOR_ROWS (i) {
        if (inverted && !last) {
            s2[i] = bytes_affine_inverse(x[i], FIN_MATRIX_02, FIN_OFFSET_INVERTED_02);
            s3[i] = bytes_affine_inverse(x[i], FIN_MATRIX_03, FIN_OFFSET_INVERTED_03);
            x[i] = bytes_affine_inverse(x[i], FIN_MATRIX_05, FIN_OFFSET_INVERTED_05);
        } else {
            s2[i] = bytes_affine_inverse(x[i], FIN_MATRIX_02, FIN_OFFSET_02);
            s3[i] = bytes_affine_inverse(x[i], FIN_MATRIX_03, FIN_OFFSET_03);
            x[i] = bytes_affine_inverse(x[i], FIN_MATRIX_05, FIN_OFFSET_05);
        }
    }
    fin_mix_235_of_8(x, s2, s3);
    if (!last) {
        x[row] = bytes_xor(x[row], bytes_table(constants + apart * row));
    }
}

#define FIN_SUB_MIX_LANES fin_sub_mix_lanes

#undef FIN_DOUBLE
#undef FIN_DOUBLE_ADD
#undef FOR_ROWS
#undef FIN_ROWS
