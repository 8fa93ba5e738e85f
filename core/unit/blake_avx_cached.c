/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE-256 with AVX and cached messages.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake/load/blend.h"

#define FIN_NAME "avx-cached"
#define FIN_LOADER32 fin_blend32
#define FIN_TECHNIQUE32 "as avx, messages of rounds 0-3 kept for 10-13"
#define FIN_SOURCE_BLAKE256 "AVX paper, section 6.1"
#define FIN_BOUND_BLAKE256 392
#define FIN_CACHED_ROUNDS 4
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_avx_cached, fin_impls);
