/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SubBytes and MixBytes with aesenclast for kern/groestl/lanes.h.
 */
#define FIN_ROWS 8
#define FIN_LOAD_ROW(p) bytes_table(p)
#include "kern/groestl/aes.h"

/* The round keys contain all of AddRoundConstant. */
#define FIN_SUB_MIX_LANES(x, constants, apart, row, inverted, last) \
    ((void)(last), fin_sub_mix_8(x, constants, apart))
