/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Two messages of BLAKE-256, BLAKE2s or BLAKE3 in the two halves of one row state, and four of
 * BLAKE3 in two such states: AVX2.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "kern/blake/load/blend_ways.h"

#define FIN_ISA_NAME "avx2"
#define FIN_WAYS32 2
#define FIN_LOADER32 fin_blend_ways32
#define FIN_TECHNIQUE32 "the halves of ymm"
#define FIN_SOURCE "AVX paper, section 5.2"
#define FIN_SOURCE_BLAKE2 FIN_SOURCE ", for BLAKE2s"
#define FIN_SOURCE_BLAKE3 FIN_SOURCE ", for BLAKE3"
#define FIN_PAIRS32 4
#define FIN_PAIRS_TECHNIQUE32 "the halves of two ymm"
#define FIN_TECHNIQUE_BLAKE3 "the halves of ymm"
#include "kern/blake/ways_unit.h"

FIN_EXPORT_UNIT(blake_ways_avx2, fin_impls);
