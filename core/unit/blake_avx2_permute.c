/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE-256 with AVX2: permuted messages.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "kern/blake/load/permute.h"

#define FIN_NAME "avx2-permute"
#define FIN_LOADER32 fin_permute32
#define FIN_TECHNIQUE32 "rows in xmm, vpermd and vpblendd loads"
#define FIN_SOURCE_BLAKE256 "AVX paper, section 5.1"
#define FIN_BOUND_BLAKE256 392
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_avx2_permute, fin_impls);
