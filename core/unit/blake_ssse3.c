/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 with SSSE3: pshufb rotates words by whole bytes and swaps their bytes.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake/load/shuffle.h"
#include "kern/blake/load/pair.h"

#define FIN_NAME "ssse3"
#define FIN_LOADER32 fin_shuffle32
#define FIN_TECHNIQUE32 "rows in xmm, pshufb rotations, shufps loads"
#define FIN_LOADER64 fin_pair64
#define FIN_TECHNIQUE64 "rows in xmm pairs, pshufb rotations"
#define FIN_SOURCE_BLAKE256 "AVX paper, appendix A.3"
#define FIN_SOURCE_BLAKE512 FIN_SOURCE_BLAKE256
#define FIN_SOURCE_BLAKE2B "BLAKE2b README, versions"
#define FIN_SOURCE_BLAKE2S FIN_SOURCE_BLAKE256 ", for BLAKE2s"
#define FIN_SOURCE_BLAKE3 FIN_SOURCE_BLAKE256 ", for BLAKE3"
#define FIN_BOUND_BLAKE256 392
#define FIN_BOUND_BLAKE2S 280
#define FIN_BOUND_BLAKE3 196
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_ssse3, fin_impls);
