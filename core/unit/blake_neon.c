/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 with NEON, 64-bit and 32-bit Arm.
 *
 * A vector instruction takes two cycles, a scalar one takes one: a round is 56 cycles at best.
 * Scalar code is faster wherever a word fits a core register (llvm-mca 19, Cortex-A55 to Neoverse
 * V2). So dispatch selects only the kernels of 64-bit words on 32-bit Arm; the others run by name
 * only.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "vec/words_neon.h"
#include "kern/blake/load/pair.h"

#ifdef FIN_ARCH_ARM64
#include "kern/blake/load/table.h"
#define FIN_LOADER32 fin_table32
#define FIN_TECHNIQUE32 "rows in q registers, tbl loads"
#else
#include "kern/blake/load/pair32_neon.h"
#define FIN_LOADER32 fin_pair32
#define FIN_TECHNIQUE32 "rows in q registers, vtrn, vext and vbsl loads"
#endif

#define FIN_NAME "neon"
#define FIN_LOADER64 fin_pair64
#define FIN_TECHNIQUE64 "rows in pairs of q registers"
#define FIN_SOURCE_BLAKE256 "AVX paper, section 4, in NEON"
#define FIN_SOURCE_BLAKE512 FIN_SOURCE_BLAKE256
#define FIN_SOURCE_BLAKE2B "BLAKE2b README, versions"
#define FIN_SOURCE_BLAKE2S "AVX paper, section 4, for BLAKE2s"
#define FIN_SOURCE_BLAKE3 "AVX paper, section 4, for BLAKE3"
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_neon, fin_impls);
