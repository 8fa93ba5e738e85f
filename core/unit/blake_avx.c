/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 with AVX: as sse41, with three-operand instructions.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake/load/blend.h"
#include "kern/blake/load/pair.h"

#define FIN_NAME "avx"
#define FIN_LOADER32 fin_blend32
#define FIN_TECHNIQUE32 "rows in xmm, three-operand forms"
#define FIN_LOADER64 fin_pair64
#define FIN_TECHNIQUE64 "rows in xmm pairs, three-operand forms"
#define FIN_SOURCE_BLAKE256 "AVX paper, section 6"
#define FIN_SOURCE_BLAKE512 FIN_SOURCE_BLAKE256
#define FIN_SOURCE_BLAKE2B "BLAKE2b README, versions"
#define FIN_SOURCE_BLAKE2S FIN_SOURCE_BLAKE256 ", for BLAKE2s"
#define FIN_SOURCE_BLAKE3 FIN_SOURCE_BLAKE256 ", for BLAKE3"
#define FIN_BOUND_BLAKE256 392
#define FIN_BOUND_BLAKE2S 280
#define FIN_BOUND_BLAKE3 196
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_avx, fin_impls);
