/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE-256 with XOP and cached messages.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake/load/vpperm.h"

#define FIN_NAME "xop-cached"
#define FIN_LOADER32 fin_vpperm32
#define FIN_TECHNIQUE32 "as xop, messages of rounds 0-3 kept for 10-13"
#define FIN_SOURCE_BLAKE256 "AVX paper, section 7.2"
#define FIN_BOUND_BLAKE256 672
#define FIN_CACHED_ROUNDS 4
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_xop_cached, fin_impls);
