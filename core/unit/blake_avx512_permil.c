/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE-512 and BLAKE2b with AVX-512VL: rows 0 2 | 1 3, rotated by two words with vpermilpd;
 * port-pressure filler between the operations of G.
 */
#include "bytes.h"
#include "impl.h"

#define FIN_ROWS_SPLIT
#define FIN_INTERLEAVE_ROR
#include "gen/blake_rows.inc"
#include "kern/blake/interleave.h"
#include "kern/blake/load/split.h"

#define FIN_NAME "avx512-permil"
#define FIN_LOADER64 fin_split64
#define FIN_TECHNIQUE64 \
    "rows in ymm as words 0 2, 1 3, vprorq, rotated by two with vpermilpd, in-lane loads"
#define FIN_SOURCE_BLAKE512 "beyond the papers"
#define FIN_SOURCE_BLAKE2B FIN_SOURCE_BLAKE512
#define FIN_BOUND_BLAKE512 384
#define FIN_BOUND_BLAKE2B 288
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_avx512_permil, fin_impls);
