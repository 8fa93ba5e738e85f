/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 with SSE2: shifts for rotations.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake/load/shuffle.h"
#include "kern/blake/load/pair.h"

#define FIN_NAME "sse2"
#define FIN_LOADER32 fin_shuffle32
#define FIN_TECHNIQUE32 "rows in xmm, shift rotations, shufps loads"
#define FIN_LOADER64 fin_pair64
#define FIN_TECHNIQUE64 "rows in xmm pairs, shift rotations, shufpd loads"
#define FIN_SOURCE_BLAKE256 "AVX paper, appendix A.2"
#define FIN_SOURCE_BLAKE512 FIN_SOURCE_BLAKE256
#define FIN_SOURCE_BLAKE2B "BLAKE2b README, versions"
#define FIN_SOURCE_BLAKE2S FIN_SOURCE_BLAKE256 ", for BLAKE2s"
#define FIN_SOURCE_BLAKE3 FIN_SOURCE_BLAKE256 ", for BLAKE3"
#define FIN_BOUND_BLAKE256 448
#define FIN_BOUND_BLAKE2S 320
#define FIN_BOUND_BLAKE3 224
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_sse2, fin_impls);
