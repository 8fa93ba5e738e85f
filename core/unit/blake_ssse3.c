/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 with SSSE3: pshufb turns words by whole bytes and swaps them, and permutes
 * byte planes (vect128).
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"
#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake_load_shuffle.h"
#include "kern/blake_load_pair.h"
#include "kern/blake_load_planes32.h"
#include "kern/blake_load_planes64.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_ssse3
#define FIN_LOADER fin_shuffle32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_vect128
#define FIN_LOADER fin_planes32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_ssse3
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_vect128
#define FIN_LOADER fin_planes64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_ssse3
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_ssse3
#define FIN_LOADER fin_shuffle32
#include "kern/blake_rows.h"

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "ssse3",
     .technique = "rows in xmm, pshufb rotations, shufps loads",
     .source = "AVX paper, appendix A.3",
     .lanes = 1,
     .rank = 20,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 392,
     .constant_time = true,
     .compress = fin_blake256_ssse3,
     .finish = fin_blake256_ssse3},
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "vect128",
     .technique = "rows in xmm, message byte planes by pshufb",
     .source = "AVX paper, appendix A.3",
     .lanes = 1,
     .rank = 22,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 392,
     .constant_time = true,
     .compress = fin_blake256_vect128,
     .finish = fin_blake256_vect128},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "ssse3",
     .technique = "rows in xmm pairs, pshufb rotations",
     .source = "AVX paper, appendix A.3",
     .lanes = 1,
     .rank = 20,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 0,
     .constant_time = true,
     .compress = fin_blake512_ssse3,
     .finish = fin_blake512_ssse3},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "vect128",
     .technique = "rows in xmm pairs, message byte planes by pshufb",
     .source = "AVX paper, appendix A.3",
     .lanes = 1,
     .rank = 19,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 0,
     .constant_time = true,
     .compress = fin_blake512_vect128,
     .finish = fin_blake512_vect128},
    {.compression = FIN_COMPRESSION_BLAKE2B,
     .name = "ssse3",
     .technique = "rows in xmm pairs, pshufb rotations",
     .source = "BLAKE2b README, versions",
     .lanes = 1,
     .rank = 20,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 0,
     .constant_time = true,
     .compress = fin_blake2b_ssse3,
     .finish = fin_blake2b_ssse3},
    {.compression = FIN_COMPRESSION_BLAKE2S,
     .name = "ssse3",
     .technique = "rows in xmm, pshufb rotations, shufps loads",
     .source = "AVX paper, appendix A.3, for BLAKE2s",
     .lanes = 1,
     .rank = 20,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 280,
     .constant_time = true,
     .compress = fin_blake2s_ssse3,
     .finish = fin_blake2s_ssse3},
};

FIN_EXPORT_UNIT(blake_ssse3, fin_impls);
