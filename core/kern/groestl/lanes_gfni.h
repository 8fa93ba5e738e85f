/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SubBytes and MixBytes with GFNI for kern/groestl/lanes.h: 2 S, 3 S and 5 S are each an affine map
 * of the inverse, whose offset also inverts every byte of Q. The rest of AddRoundConstant changes
 * one row.
 */
#if defined(__GNUC__) && !defined(__clang__) && FIN_ISA_AVX512
/* With it, gcc 12 moves fewer registers: 1 to 2 per cent on Zen 4. */
#pragma GCC optimize("live-range-shrinkage")
#endif

#define FIN_ROWS 8
#define FIN_DOUBLE(x) bytes_multiply(x, bytes_set1(2))
#include "kern/groestl/mix.h"

#include "kern/groestl/gfni_sums.h"

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
FIN_INLINE void fin_sub_mix_rows(bytes x[8], bool inverted)
{
    fin_sub_mix_by_rows(x, false, inverted, NULL);
}
#endif

/*
 * apart: bytes from one row's constants to the next. row: the row with constants of its own.
 * inverted: inverts all bytes of the result. last: no constants follow.
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
/* ShiftBytes only rotates rows. */
#define FIN_ROWS_ROTATE 1

#undef FIN_DOUBLE
#undef FIN_DOUBLE_ADD
#undef FOR_ROWS
#undef FIN_ROWS
