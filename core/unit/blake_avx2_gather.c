/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE with AVX2: loads message words by gathers.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "kern/blake/load/gather.h"

#define FIN_NAME "avx2-gather"
#define FIN_LOADER32 fin_gather32
#define FIN_TECHNIQUE32 "rows in xmm, vpgatherdd and vextracti128 loads"
#define FIN_LOADER64 fin_gather64
#define FIN_TECHNIQUE64 "rows in ymm, vpermq diagonals, vpgatherdq loads"
#define FIN_SOURCE_BLAKE256 "AVX paper, section 5.1 and appendix B.2"
#define FIN_SOURCE_BLAKE512 "AVX paper, section 4.2 and appendix B.1"
#define FIN_BOUND_BLAKE256 392
#define FIN_BOUND_BLAKE512 448
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_avx2_gather, fin_impls);
