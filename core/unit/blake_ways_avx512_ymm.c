/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Two messages of BLAKE-256, BLAKE2s or BLAKE3 in the two halves of one row state: AVX-512VL.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "kern/blake/load/permute_2way.h"

#define FIN_ISA_NAME "avx512-ymm"
#define FIN_WAYS32 2
#define FIN_LOADER32 fin_permute_2way32
#define FIN_TECHNIQUE32 "the halves of ymm, vpermt2d loads"
#define FIN_SOURCE "beyond the papers; descends from AVX paper, section 5.2"
#define FIN_SOURCE_BLAKE2 FIN_SOURCE
#define FIN_SOURCE_BLAKE3 FIN_SOURCE
#define FIN_TECHNIQUE_BLAKE3 "the halves of ymm"
#include "kern/blake/ways_unit.h"

FIN_EXPORT_UNIT(blake_ways_avx512_ymm, fin_impls);
