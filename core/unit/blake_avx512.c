/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 with AVX-512VL in xmm and ymm: vprord and vprorq; two-source permutes
 * for 32-bit message words, broadcasts and blends for 64-bit ones.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "kern/blake/load/broadcast.h"
#include "kern/blake/load/permute2.h"

#define FIN_NAME "avx512"
#define FIN_LOADER32 fin_permute2_32
#define FIN_TECHNIQUE32 "rows in xmm, vprord, vpermt2d loads"
#define FIN_LOADER64 fin_broadcast64
#define FIN_TECHNIQUE64 "rows in ymm, vprorq, broadcast loads"
#define FIN_SOURCE_BLAKE256 "beyond the papers; descends from vpperm, AVX paper, section 7.2"
#define FIN_SOURCE_BLAKE512 "beyond the papers"
#define FIN_SOURCE_BLAKE2B FIN_SOURCE_BLAKE512
#define FIN_SOURCE_BLAKE2S FIN_SOURCE_BLAKE512
#define FIN_SOURCE_BLAKE3 FIN_SOURCE_BLAKE512
#define FIN_BOUND_BLAKE256 336
#define FIN_BOUND_BLAKE512 384
#define FIN_BOUND_BLAKE2B 288
#define FIN_BOUND_BLAKE2S 240
#define FIN_BOUND_BLAKE3 168
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_avx512, fin_impls);
