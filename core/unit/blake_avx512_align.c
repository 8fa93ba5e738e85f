/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE-256, BLAKE2s and BLAKE3 with AVX-512VL: blends and shuffles for message rows, vpalignr to rotate
 * rows, so that no instruction takes more than a cycle on Golden Cove.
 */
#include "bytes.h"
#include "impl.h"

#define FIN_AS_WRITTEN
#define FIN_INTERLEAVE_ORDER
#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake/interleave.h"
#include "kern/blake/load/blend.h"

#define FIN_NAME "avx512-align"
#define FIN_LOADER32 fin_blend32
#define FIN_TECHNIQUE32 "rows in xmm, vprord, rotated by vpalignr, blend and shuffle loads"
#define FIN_SOURCE_BLAKE256 "beyond the papers"
#define FIN_SOURCE_BLAKE2S FIN_SOURCE_BLAKE256
#define FIN_SOURCE_BLAKE3 FIN_SOURCE_BLAKE256
#define FIN_BOUND_BLAKE256 336
#define FIN_BOUND_BLAKE2S 240
#define FIN_BOUND_BLAKE3 168
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_avx512_align, fin_impls);
