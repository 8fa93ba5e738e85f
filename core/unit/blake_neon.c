/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 with NEON, 64-bit and 32-bit Arm.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"
#include "gen/blake_rows.inc"
#include "vec/words_neon.h"
#include "kern/blake_load_pair.h"
#ifdef FIN_ARCH_ARM64
#include "kern/blake_load_table.h"
#define LOADER32 fin_table32
#define LOADS32 "tbl loads"
#else
#include "kern/blake_load_pair32_neon.h"
#define LOADER32 fin_pair32
#define LOADS32 "vtrn, vext and vbsl loads"
#endif

/* A vector instruction takes two cycles where a scalar one takes one: a round is 56 cycles at best.
   Scalar code is faster wherever a word fits a core register (llvm-mca 19, Cortex-A55 to Neoverse
   V2). So 64-bit words on 32-bit Arm serve, the others only by name. */
#define RANK32 0
#ifdef FIN_ARCH_ARM64
#define RANK64 0
#else
#define RANK64 10
#endif

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_neon
#define FIN_LOADER LOADER32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_neon
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_neon
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_neon
#define FIN_LOADER LOADER32
#include "kern/blake_rows.h"

#define NEON(compression_, technique_, source_, rank_, function) \
    {                                                            \
        .compression = compression_,                             \
        .name = "neon",                                          \
        .technique = technique_,                                 \
        .source = source_,                                       \
        .lanes = 1,                                              \
        .rank = rank_,                                           \
        .constant_time = true,                                   \
        .compress = function,                                    \
        .finish = function,                                      \
    }

static const fin_impl fin_impls[] = {
    NEON(FIN_COMPRESSION_BLAKE256, "rows in q registers, " LOADS32, "AVX paper, section 4, in NEON",
         RANK32, fin_blake256_neon),
    NEON(FIN_COMPRESSION_BLAKE512, "rows in pairs of q registers", "AVX paper, section 4, in NEON",
         RANK64, fin_blake512_neon),
    NEON(FIN_COMPRESSION_BLAKE2B, "rows in pairs of q registers", "BLAKE2b README, versions",
         RANK64, fin_blake2b_neon),
    NEON(FIN_COMPRESSION_BLAKE2S, "rows in q registers, " LOADS32,
         "AVX paper, section 4, for BLAKE2s", RANK32, fin_blake2s_neon),
};

FIN_EXPORT_UNIT(blake_neon, fin_impls);
