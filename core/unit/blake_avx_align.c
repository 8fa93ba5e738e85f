/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE-256 and BLAKE2s with AVX: blends and shuffles for message rows, vpalignr to rotate rows, so
 * that no instruction takes more than a cycle on Golden Cove.
 */
#include "bytes.h"
#include "impl.h"

#define FIN_AS_WRITTEN
#define FIN_INTERLEAVE_ORDER
#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake/interleave.h"
#include "kern/blake/load/blend.h"

#define FIN_NAME "avx-align"
#define FIN_LOADER32 fin_blend32
#define FIN_TECHNIQUE32 "rows in xmm, rotated by vpalignr, blend and shuffle loads"
#define FIN_SOURCE_BLAKE256 "AVX paper, section 6"
#define FIN_SOURCE_BLAKE2S FIN_SOURCE_BLAKE256 ", for BLAKE2s"
#define FIN_BOUND_BLAKE256 392
#define FIN_BOUND_BLAKE2S 280
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_avx_align, fin_impls);
