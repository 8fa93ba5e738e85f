/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE-512 with AVX2: gathers and caches the permuted messages.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "kern/blake/load/gather.h"

#define FIN_NAME "avx2-cached"
#define FIN_LOADER64 fin_gather64
#define FIN_TECHNIQUE64 "as avx2-gather, messages of rounds 0-5 kept for 10-15"
#define FIN_SOURCE_BLAKE512 "AVX paper, section 4.3 and appendix B.1"
#define FIN_BOUND_BLAKE512 448
#define FIN_CACHED_ROUNDS 6
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_avx2_cached, fin_impls);
