/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SubBytes and MixBytes of rows with the AES instructions of Armv8 (after guide, section 6.2): aese
 * XORs its key, shifts rows and substitutes. The shuffle of ShiftBytes undoes the shift beforehand;
 * the key does AddRoundConstant, with constants permuted as the state.
 *
 *   FIN_ROWS   8; see kern/groestl/mix.h
 */
#define FIN_DOUBLE(x) bytes_double(x)
#include "kern/groestl/mix.h"

FIN_INLINE void FIN_CAT(fin_sub_mix_, FIN_ROWS)(bytes x[FIN_ROWS], const uint8_t *constants,
                                                size_t apart)
{
    FOR_ROWS (i) {
        x[i] = bytes_aes_sub(x[i], bytes_load(constants + apart * i));
    }
    FIN_CAT(fin_mix_folded_of_, FIN_ROWS)(x);
}

#undef FIN_DOUBLE
#undef FIN_DOUBLE_ADD
#undef FOR_ROWS
#undef FIN_ROWS
