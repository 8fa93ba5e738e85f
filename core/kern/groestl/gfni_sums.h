/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SubBytes and MixBytes of eight rows with GFNI: 2 S, 3 S and 5 S are each an affine map of the
 * inverse. With two-term XORs the sums of fin_mix_235 are accumulated row by row, because sixteen
 * registers do not hold all multiples.
 *
 * Before it: vec/bytes_*.h, gen/groestl_rows_gfni.inc.
 */
#ifndef FIN_GROESTL_GFNI_SUMS_H
#define FIN_GROESTL_GFNI_SUMS_H

/* Return 2 S, 3 S and 5 S of x; inverted inverts every bit of S. */
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

#if !FIN_ISA_AVX512

/* Keeps compilers from reordering the additions. */
FIN_INLINE void fin_add_to_row(bytes *sum, bytes x)
{
    *sum = bytes_xor(*sum, x);
    __asm__("" : "+x"(*sum));
}

/*
 * p_i = 2 a_i + 3 a_(i+2) + 5 a_(i+3), b_i = p_i + p_(i+1) + p_(i+3) + 7 a_(i+7). up goes from the
 * last row to the first, so that p_i ends with row i: 1 to 6 per cent less time for one message, 1
 * per cent more for lanes (Zen 4, gcc 12 and clang 19).
 *
 * constants, unless null, are added to all rows, to row 0 and to row 7. The first reaches every row
 * once, through p_5, p_6 and 2 a_0.
 */
FIN_INLINE void fin_sub_mix_by_rows(bytes x[8], bool up, bool inverted, const bytes constants[3])
{
    const bytes zero = bytes_set1(0), all = constants != NULL ? constants[0] : zero;
    bytes p[8] = {zero, zero, zero, zero, zero, all, all, zero}, a7[8];
#pragma GCC unroll 8
    for (unsigned k = 0; k < 8; k++) {
        const unsigned i = up ? 7 - k : k;
        const bytes s2 = bytes_xor(fin_s_times_2(x[i], inverted), i == 0 ? all : zero);
        const bytes s5 = fin_s_times_5(x[i], inverted);
        const bytes s3 = fin_s_times_3(x[i], inverted);
        fin_add_to_row(&p[i], s2);
        a7[(i + 1) % 8] = s2;
        fin_add_to_row(&a7[(i + 1) % 8], s5);
        fin_add_to_row(&p[(i + 5) % 8], s5);
        fin_add_to_row(&p[(i + 6) % 8], s3);
    }
    if (constants != NULL) {
        fin_add_to_row(&a7[0], constants[1]);
        fin_add_to_row(&a7[7], constants[2]);
    }
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; i++) {
        x[i] = bytes_xor(a7[i], p[(i + 3) % 8]);
        fin_add_to_row(&x[i], bytes_xor(p[i], p[(i + 1) % 8]));
    }
}

#endif

#endif
