/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE-512 and BLAKE2b with AVX2: rows of 64-bit words in one register.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "kern/blake/load/broadcast.h"

#define FIN_NAME "avx2"
#define FIN_LOADER64 fin_broadcast64
#define FIN_TECHNIQUE64 "rows in ymm, vpermq diagonals, in-lane loads"
#define FIN_SOURCE_BLAKE512 "AVX paper, section 4.1 and appendix B.1"
#define FIN_SOURCE_BLAKE2B "AVX paper, section 4.1, for BLAKE2b"
#define FIN_BOUND_BLAKE512 448
#define FIN_BOUND_BLAKE2B 312
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_avx2, fin_impls);
