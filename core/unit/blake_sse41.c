/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 with SSE4.1: message rows by blends and shuffles.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"
#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake_load_blend.h"
#include "kern/blake_load_pair.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_sse41
#define FIN_LOADER fin_blend32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_sse41
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_sse41
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_sse41
#define FIN_LOADER fin_blend32
#include "kern/blake_rows.h"

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "sse41",
     .technique = "rows in xmm, blend and shuffle loads",
     .source = "AVX paper, appendix A.3",
     .lanes = 1,
     .rank = 21,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 392,
     .constant_time = true,
     .compress = fin_blake256_sse41,
     .finish = fin_blake256_sse41},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "sse41",
     .technique = "rows in xmm pairs, unpack and alignr loads",
     .source = "AVX paper, appendix A.3",
     .lanes = 1,
     .rank = 21,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 0,
     .constant_time = true,
     .compress = fin_blake512_sse41,
     .finish = fin_blake512_sse41},
    {.compression = FIN_COMPRESSION_BLAKE2B,
     .name = "sse41",
     .technique = "rows in xmm pairs, unpack and alignr loads",
     .source = "BLAKE2b README, versions",
     .lanes = 1,
     .rank = 21,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 0,
     .constant_time = true,
     .compress = fin_blake2b_sse41,
     .finish = fin_blake2b_sse41},
    {.compression = FIN_COMPRESSION_BLAKE2S,
     .name = "sse41",
     .technique = "rows in xmm, blend and shuffle loads",
     .source = "AVX paper, appendix A.3, for BLAKE2s",
     .lanes = 1,
     .rank = 21,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 280,
     .constant_time = true,
     .compress = fin_blake2s_sse41,
     .finish = fin_blake2s_sse41},
};

FIN_EXPORT_UNIT(blake_sse41, fin_impls);
