/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SubBytes and MixBytes of rows with AES-NI (guide, section 6.2): aesenclast substitutes; the
 * shuffle of ShiftBytes undoes its ShiftRows beforehand. Its round key does AddRoundConstant: it is
 * the inverse of MixBytes of the next round's constants. This file includes the tables.
 *
 *   FIN_ROWS          see kern/groestl/mix.h
 *   FIN_LOAD_ROW(p)   optional: loads a row of the tables, bytes_load if it fills a register
 */
#ifndef FIN_LOAD_ROW
#define FIN_LOAD_ROW(p) bytes_load(p)
#endif

#ifndef FIN_GROESTL_AES_DOUBLE
#define FIN_GROESTL_AES_DOUBLE
/* The shuffle gives 1b where bit 7 is clear, so this is 2 x + 1b + y, one instruction less than
   2 x + y. A three-term XOR overwrites its first term, so that one must not be needed again. */
FIN_INLINE bytes fin_double_add(bytes x, bytes y)
{
    const bytes twice = bytes_add(x, x);
    const bytes back = bytes_shuffle(bytes_set1(0x1b), x);
    return bytes_xor3(back, twice, y);
}
#endif
#define FIN_DOUBLE_ADD(x, y) fin_double_add(x, y)
#define FIN_DOUBLE(x) bytes_xor(bytes_add(x, x), bytes_shuffle(bytes_set1(0x1b), x))
#include "kern/groestl/mix.h"

/*
 * MixBytes in four layers is shorter where an XOR takes three terms. With two-term XORs it takes
 * from 4 % more to 6 % less time than the five layers; with VAES mostly less (Zen 4, gcc 12 and
 * clang 19).
 */
#if FIN_ISA_AVX512 || FIN_ISA_VAES
#define FIN_AES_MIX FIN_CAT(fin_mix_four_layers_of_, FIN_ROWS)
#define K(constants) ((constants) ^ FIN_AES_LEFT_OUT_FOUR_LAYERS)
#else
#define FIN_AES_MIX FIN_CAT(fin_mix_48_of_, FIN_ROWS)
#define K(constants) ((constants) ^ FIN_AES_LEFT_OUT_48)
#endif
#ifndef FIN_GROESTL_AES_H
#define FIN_GROESTL_AES_H
#include "gen/groestl_rows_aes.inc"
#endif
#undef K

FIN_INLINE void FIN_CAT(fin_sub_mix_, FIN_ROWS)(bytes x[FIN_ROWS], const uint8_t *constants,
                                                size_t apart)
{
    FOR_ROWS (i) {
        x[i] = bytes_aes_last(x[i], FIN_LOAD_ROW(constants + apart * i));
    }
    FIN_AES_MIX(x);
}

#undef FIN_AES_MIX
#undef FIN_DOUBLE
#undef FIN_DOUBLE_ADD
#undef FIN_LOAD_ROW
#undef FOR_ROWS
#undef FIN_ROWS
