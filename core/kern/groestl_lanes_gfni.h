/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SubBytes and MixBytes with GFNI for groestl_lanes.h: 2 S, 3 S and 5 S are an affine map of the
 * inverse each, whose offset also inverts every byte of Q. What else AddRoundConstant does happens
 * in one row.
 */
#if defined(__GNUC__) && !defined(__clang__) && FIN_ISA_AVX512
/* gcc 12 then moves fewer registers: 1 to 2 per cent on Zen 4. */
#pragma GCC optimize("live-range-shrinkage")
#endif

#define FIN_ROWS 8
#define FIN_DOUBLE(x) bytes_multiply(x, bytes_set1(2))
#include "groestl_mix.h"

/* 2 S, 3 S and 5 S of x; inverted: with every bit of S inverted. */
FIN_INLINE bytes fin_s_times_2(bytes x, bool inverted)
{
    return inverted ? bytes_affine_inverse(x, FIN_MATRIX_02, FIN_OFFSET_INVERTED_02)
                    : bytes_affine_inverse(x, FIN_MATRIX_02, FIN_OFFSET_02);
}
FIN_INLINE bytes fin_s_times_3(bytes x, bool inverted)
{
    return inverted ? bytes_affine_inverse(x, FIN_MATRIX_03, FIN_OFFSET_INVERTED_03)
                    : bytes_affine_inverse(x, FIN_MATRIX_03, FIN_OFFSET_03);
}
FIN_INLINE bytes fin_s_times_5(bytes x, bool inverted)
{
    return inverted ? bytes_affine_inverse(x, FIN_MATRIX_05, FIN_OFFSET_INVERTED_05)
                    : bytes_affine_inverse(x, FIN_MATRIX_05, FIN_OFFSET_05);
}

#if FIN_ISA_AVX512
FIN_INLINE void fin_sub_mix_rows(bytes x[8], bool inverted)
{
    bytes s2[8], s3[8];
    FOR_ROWS (i) {
        s2[i] = fin_s_times_2(x[i], inverted);
        s3[i] = fin_s_times_3(x[i], inverted);
        x[i] = fin_s_times_5(x[i], inverted);
    }
    fin_mix_235_of_8(x, s2, s3);
}
#else
/* The sums of fin_mix_235, row by row of S: sixteen registers do not hold all multiples. Compilers
   must not put the additions in another order. */
FIN_INLINE void fin_add_to_row(bytes *sum, bytes x)
{
    *sum = bytes_xor(*sum, x);
    __asm__("" : "+x"(*sum));
}

FIN_INLINE void fin_sub_mix_rows(bytes x[8], bool inverted)
{
    const bytes zero = bytes_xor(x[0], x[0]);
    bytes p[8] = {zero, zero, zero, zero, zero, zero, zero, zero}, a7[8];
    FOR_ROWS (i) {
        const bytes s2 = fin_s_times_2(x[i], inverted);
        const bytes s3 = fin_s_times_3(x[i], inverted);
        const bytes s5 = fin_s_times_5(x[i], inverted);
        fin_add_to_row(&p[i], s2);
        fin_add_to_row(&p[(i + 6) % 8], s3);
        fin_add_to_row(&p[(i + 5) % 8], s5);
        a7[(i + 1) % 8] = s2;
        fin_add_to_row(&a7[(i + 1) % 8], s5);
    }
    FOR_ROWS (i) {
        x[i] = bytes_xor(a7[i], p[(i + 3) % 8]);
        fin_add_to_row(&x[i], bytes_xor(p[i], p[(i + 1) % 8]));
    }
}
#endif

/*
 * apart: bytes from one row's constants to the next. row: the one with constants of its own.
 * inverted: whether all bytes are to come out inverted. last: whether no constants follow.
 */
FIN_INLINE void fin_sub_mix_lanes(bytes x[8], const uint8_t *constants, size_t apart, unsigned row,
                                  bool inverted, bool last)
{
    fin_sub_mix_rows(x, inverted && !last);
    if (!last) {
        x[row] = bytes_xor(x[row], bytes_table(constants + apart * row));
    }
}

#define FIN_SUB_MIX_LANES fin_sub_mix_lanes
/* ShiftBytes does nothing but rotate rows. */
#define FIN_ROWS_ROTATE 1

#undef FIN_DOUBLE
#undef FIN_DOUBLE_ADD
#undef FOR_ROWS
#undef FIN_ROWS
