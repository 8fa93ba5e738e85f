/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SubBytes and MixBytes of rows with GFNI: each multiple of S is an affine map of the inverse.
 * After a round every row takes register 1 of the constants; rows 0 and 7 also take their own.
 *
 *   FIN_ROWS   see kern/groestl/mix.h
 */
#if defined(__GNUC__) && !defined(__clang__)
/* Otherwise gcc 12 keeps more rows live than there are registers, and spreads their uses. */
#pragma GCC optimize("live-range-shrinkage", "no-schedule-insns2")
#endif

/* ShiftBytes only rotates rows. */
#define FIN_ROWS_ROTATE 1
#define FIN_DOUBLE(x) bytes_multiply(x, bytes_set1(2))
#include "kern/groestl/mix.h"

#include "kern/groestl/gfni_sums.h"

#if FIN_ROWS == 8 && FIN_ISA_AVX512

/* For three-term XORs, from 2 S, 3 S and 5 S: with p_i = 3 a_(i+2) + 2 a_i + 5 a_(i+3) and
   t_i = 2 a_(i+7) + 5 a_(i+7) + constant, MixBytes is b_i = p_i + p_(i+1) + (p_(i+3) + t_i).
   t is ready with p; the sums of fin_mix_235 would follow it. */
FIN_INLINE void fin_sub_mix_8(bytes x[8], const uint8_t *constants, size_t apart)
{
    bytes s2[8], s3[8], p[8], t[8];
    const bytes all = bytes_load(constants + apart);
    FOR_ROWS (i) {
        s2[i] = bytes_affine_inverse(x[i], FIN_MATRIX_02, FIN_OFFSET_02);
        s3[i] = bytes_affine_inverse(x[i], FIN_MATRIX_03, FIN_OFFSET_03);
        x[i] = bytes_affine_inverse(x[i], FIN_MATRIX_05, FIN_OFFSET_05);
    }
    FOR_ROWS (i) {
        t[i] = bytes_xor3(s2[(i + 7) % 8], x[(i + 7) % 8], all);
        p[i] = bytes_xor3(s3[(i + 2) % 8], s2[i], x[(i + 3) % 8]);
    }
    t[0] = bytes_xor(t[0], bytes_load(constants));
    t[7] = bytes_xor(t[7], bytes_load(constants + apart * 7));
    FOR_ROWS (i) {
        x[i] = bytes_xor3(p[i], p[(i + 1) % 8], bytes_xor(t[i], p[(i + 3) % 8]));
    }
}

#elif FIN_ROWS == 8

FIN_INLINE void fin_sub_mix_8(bytes x[8], const uint8_t *constants, size_t apart)
{
    const bytes following[3] = {bytes_load(constants + apart), bytes_load(constants),
                                bytes_load(constants + apart * 7)};
    fin_sub_mix_by_rows(x, true, false, following);
}

#else

FIN_INLINE void fin_sub_mix_4(bytes x[4], const uint8_t *constants, size_t apart)
{
    bytes s2[4], s4[4];
    FOR_ROWS (i) {
        s2[i] = bytes_affine_inverse(x[i], FIN_MATRIX_02, FIN_OFFSET_02);
        s4[i] = bytes_affine_inverse(x[i], FIN_MATRIX_04, FIN_OFFSET_04);
        x[i] = bytes_affine_inverse(x[i], FIN_MATRIX_01, FIN_OFFSET_01);
    }
    const bytes following[3] = {bytes_load(constants + apart), bytes_load(constants),
                                bytes_load(constants + apart * 3)};
    fin_mix_multiples_of_4(x, s2, s4, following);
}

#endif

#undef FIN_DOUBLE
#undef FIN_DOUBLE_ADD
#undef FOR_ROWS
#undef FIN_ROWS
