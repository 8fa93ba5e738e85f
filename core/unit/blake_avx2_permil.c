/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE-512 and BLAKE2b with AVX2: rows 0 2 | 1 3, rotated by two words with vpermilpd;
 * port-pressure filler between the operations of G.
 */
#include "bytes.h"
#include "impl.h"

#define FIN_ROWS_SPLIT
#define FIN_INTERLEAVE_SHIFT
#include "gen/blake_rows.inc"
#include "kern/blake/interleave.h"
#include "kern/blake/load/split.h"

#define FIN_NAME "avx2-permil"
#define FIN_LOADER64 fin_split64
#define FIN_TECHNIQUE64 \
    "rows in ymm as words 0 2, 1 3, rotated by two with vpermilpd, in-lane loads"
#define FIN_SOURCE_BLAKE512 "AVX paper, section 4.1 and appendix B.1"
#define FIN_SOURCE_BLAKE2B "AVX paper, section 4.1, for BLAKE2b"
#define FIN_BOUND_BLAKE512 448
#define FIN_BOUND_BLAKE2B 312
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_avx2_permil, fin_impls);
