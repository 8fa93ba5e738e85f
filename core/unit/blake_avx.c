/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 with AVX: the same in three-operand forms, and cached messages.
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
#define FIN_KERNEL fin_blake256_avx
#define FIN_LOADER fin_blend32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_avx_cached
#define FIN_LOADER fin_blend32
#define FIN_CACHED_ROUNDS 4
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_avx
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_avx
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_avx
#define FIN_LOADER fin_blend32
#include "kern/blake_rows.h"

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "avx",
     .technique = "rows in xmm, three-operand forms",
     .source = "AVX paper, section 6",
     .lanes = 1,
     .rank = 30,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 392,
     .constant_time = true,
     .compress = fin_blake256_avx,
     .finish = fin_blake256_avx},
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "avx-cached",
     .technique = "as avx, messages of rounds 0-3 kept for 10-13",
     .source = "AVX paper, section 6.1",
     .lanes = 1,
     .rank = 29,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 392,
     .constant_time = true,
     .compress = fin_blake256_avx_cached,
     .finish = fin_blake256_avx_cached},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "avx",
     .technique = "rows in xmm pairs, three-operand forms",
     .source = "AVX paper, section 6",
     .lanes = 1,
     .rank = 30,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 0,
     .constant_time = true,
     .compress = fin_blake512_avx,
     .finish = fin_blake512_avx},
    {.compression = FIN_COMPRESSION_BLAKE2B,
     .name = "avx",
     .technique = "rows in xmm pairs, three-operand forms",
     .source = "BLAKE2b README, versions",
     .lanes = 1,
     .rank = 30,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 0,
     .constant_time = true,
     .compress = fin_blake2b_avx,
     .finish = fin_blake2b_avx},
    {.compression = FIN_COMPRESSION_BLAKE2S,
     .name = "avx",
     .technique = "rows in xmm, three-operand forms",
     .source = "AVX paper, section 6, for BLAKE2s",
     .lanes = 1,
     .rank = 30,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 280,
     .constant_time = true,
     .compress = fin_blake2s_avx,
     .finish = fin_blake2s_avx},
};

FIN_EXPORT_UNIT(blake_avx, fin_impls);
