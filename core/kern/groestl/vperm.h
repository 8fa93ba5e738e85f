/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SubBytes and MixBytes of rows with tables of sixteen bytes in registers (guide, section 6.3; M.
 * Hamburg, "Accelerating AES with vector permute instructions", 2009). The rows stay in the basis
 * of the inversion; class Nibbles of tools/constants/field.py derives the formulas.
 *
 *   FIN_ROWS   see kern/groestl/mix.h
 */
#if defined(__GNUC__) && !defined(__clang__) && defined(FIN_ARCH_X86) && \
    (!FIN_ISA_AVX || FIN_ISA_AVX512)
/* Otherwise gcc 12 computes S, 2 S and 4 S of more rows at once than there are registers. With AVX
   only, this option makes 512 bits 4 per cent slower. */
#pragma GCC optimize("live-range-shrinkage")
#endif

#define FIN_DOUBLE(x) (x)
#include "kern/groestl/mix.h"

FIN_INLINE void FIN_CAT(fin_sub_mix_, FIN_ROWS)(bytes x[FIN_ROWS], const uint8_t *constants,
                                                size_t apart)
{
    bytes s2[FIN_ROWS], s4[FIN_ROWS];
    const bytes low = bytes_set1(0x0f);
    FOR_ROWS (n) {
        const bytes reciprocal = bytes_table(fin_vperm_reciprocal);
        const bytes k = bytes_and(x[n], low);
        const bytes i = bytes_high_nibbles(x[n]);
        const bytes j = bytes_xor(i, k);
        const bytes a_over_k = bytes_shuffle(bytes_table(fin_vperm_a_over), k);
        const bytes from_i = bytes_xor(bytes_shuffle(reciprocal, i), a_over_k);
        const bytes from_j = bytes_xor(bytes_shuffle(reciprocal, j), a_over_k);
        const bytes u = bytes_xor(bytes_shuffle(reciprocal, from_i), j);
        const bytes w = bytes_xor(bytes_shuffle(reciprocal, from_j), i);
        x[n] = bytes_xor(bytes_shuffle(bytes_table(fin_vperm_s1_u), u),
                         bytes_shuffle(bytes_table(fin_vperm_s1_w), w));
        s2[n] = bytes_xor(bytes_shuffle(bytes_table(fin_vperm_s2_u), u),
                          bytes_shuffle(bytes_table(fin_vperm_s2_w), w));
        s4[n] = bytes_xor(bytes_shuffle(bytes_table(fin_vperm_s4_u), u),
                          bytes_shuffle(bytes_table(fin_vperm_s4_w), w));
    }
    const bytes following[3] = {bytes_load(constants + apart), bytes_load(constants),
                                bytes_load(constants + apart * (FIN_ROWS - 1))};
    FIN_CAT(fin_mix_multiples_of_, FIN_ROWS)(x, s2, s4, following);
}

#ifndef FIN_BASIS

static inline part fin_change_basis(part x, const uint8_t low[16], const uint8_t high[16])
{
    return part_xor(part_shuffle(part_load(low), part_and(x, part_set1(0x0f))),
                    part_shuffle(part_load(high), part_high_nibbles(x)));
}

#define FIN_BASIS(x) fin_change_basis(x, fin_vperm_to_nibbles_low, fin_vperm_to_nibbles_high)
#define FIN_STANDARD(x) fin_change_basis(x, fin_vperm_from_nibbles_low, fin_vperm_from_nibbles_high)

#endif

#undef FIN_DOUBLE
#undef FIN_DOUBLE_ADD
#undef FOR_ROWS
#undef FIN_ROWS
