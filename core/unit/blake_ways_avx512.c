/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Four messages of BLAKE-256, BLAKE2s or BLAKE3 in the quarters, two of BLAKE-512 or BLAKE2b in the
 * halves of one row state: AVX-512 in zmm.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "kern/blake/load/permute_ways.h"

#define FIN_ISA_NAME "avx512"
#define FIN_WAYS32 4
#define FIN_LOADER32 fin_permute_ways32
#define FIN_TECHNIQUE32 "the quarters of zmm, vpermt2d loads"
#define FIN_WAYS64 2
#define FIN_LOADER64 fin_permute_ways64
#define FIN_TECHNIQUE64 "the halves of zmm, vpermt2q loads"
#define FIN_SOURCE "beyond the papers; descends from AVX paper, section 5.2"
#define FIN_SOURCE_BLAKE2 FIN_SOURCE
#define FIN_SOURCE_BLAKE3 FIN_SOURCE
#define FIN_TECHNIQUE_BLAKE3 "the quarters of zmm"
#include "kern/blake/ways_unit.h"

FIN_EXPORT_UNIT(blake_ways_avx512, fin_impls);
