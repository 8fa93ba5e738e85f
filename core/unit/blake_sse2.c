/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 with SSE2: rotations by shifts.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"
#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake_load_shuffle.h"
#include "kern/blake_load_pair.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_sse2
#define FIN_LOADER fin_shuffle32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_sse2
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_sse2
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_sse2
#define FIN_LOADER fin_shuffle32
#include "kern/blake_rows.h"

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "sse2",
     .technique = "rows in xmm, shift rotations, shufps loads",
     .source = "AVX paper, appendix A.2",
     .lanes = 1,
     .rank = 10,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 448,
     .constant_time = true,
     .compress = fin_blake256_sse2,
     .finish = fin_blake256_sse2},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "sse2",
     .technique = "rows in xmm pairs, shift rotations, shufpd loads",
     .source = "AVX paper, appendix A.2",
     .lanes = 1,
     .rank = 10,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 0,
     .constant_time = true,
     .compress = fin_blake512_sse2,
     .finish = fin_blake512_sse2},
    {.compression = FIN_COMPRESSION_BLAKE2B,
     .name = "sse2",
     .technique = "rows in xmm pairs, shift rotations, shufpd loads",
     .source = "BLAKE2b README, versions",
     .lanes = 1,
     .rank = 10,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 0,
     .constant_time = true,
     .compress = fin_blake2b_sse2,
     .finish = fin_blake2b_sse2},
    {.compression = FIN_COMPRESSION_BLAKE2S,
     .name = "sse2",
     .technique = "rows in xmm, shift rotations, shufps loads",
     .source = "AVX paper, appendix A.2, for BLAKE2s",
     .lanes = 1,
     .rank = 10,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 320,
     .constant_time = true,
     .compress = fin_blake2s_sse2,
     .finish = fin_blake2s_sse2},
};

FIN_EXPORT_UNIT(blake_sse2, fin_impls);
