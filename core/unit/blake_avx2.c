/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 with AVX2: rows of 64-bit words in one register; gathered and permuted
 * messages.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"
#include "gen/blake_rows.inc"
#include "kern/blake_load_gather.h"
#include "kern/blake_load_permute.h"
#include "kern/blake_load_broadcast.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_avx2_gather
#define FIN_LOADER fin_gather32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_avx2_permute
#define FIN_LOADER fin_permute32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_avx2
#define FIN_LOADER fin_broadcast64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_avx2_gather
#define FIN_LOADER fin_gather64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_avx2_cached
#define FIN_LOADER fin_gather64
#define FIN_CACHED_ROUNDS 6
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_avx2
#define FIN_LOADER fin_broadcast64
#include "kern/blake_rows.h"

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "avx2-gather",
     .technique = "rows in xmm, vpgatherdd and vextracti128 loads",
     .source = "AVX paper, section 5.1 and appendix B.2",
     .lanes = 1,
     .rank = 38,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 392,
     .constant_time = true,
     .compress = fin_blake256_avx2_gather,
     .finish = fin_blake256_avx2_gather},
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "avx2-permute",
     .technique = "rows in xmm, vpermd and vpblendd loads",
     .source = "AVX paper, section 5.1",
     .lanes = 1,
     .rank = 40,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 392,
     .constant_time = true,
     .compress = fin_blake256_avx2_permute,
     .finish = fin_blake256_avx2_permute},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "avx2",
     .technique = "rows in ymm, vpermq diagonals, in-lane loads",
     .source = "AVX paper, section 4.1 and appendix B.1",
     .lanes = 1,
     .rank = 40,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 448,
     .constant_time = true,
     .compress = fin_blake512_avx2,
     .finish = fin_blake512_avx2},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "avx2-gather",
     .technique = "rows in ymm, vpermq diagonals, vpgatherdq loads",
     .source = "AVX paper, section 4.2 and appendix B.1",
     .lanes = 1,
     .rank = 38,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 448,
     .constant_time = true,
     .compress = fin_blake512_avx2_gather,
     .finish = fin_blake512_avx2_gather},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "avx2-cached",
     .technique = "as avx2-gather, messages of rounds 0-5 kept for 10-15",
     .source = "AVX paper, section 4.3 and appendix B.1",
     .lanes = 1,
     .rank = 39,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 448,
     .constant_time = true,
     .compress = fin_blake512_avx2_cached,
     .finish = fin_blake512_avx2_cached},
    {.compression = FIN_COMPRESSION_BLAKE2B,
     .name = "avx2",
     .technique = "rows in ymm, vpermq diagonals, in-lane loads",
     .source = "AVX paper, section 4.1, for BLAKE2b",
     .lanes = 1,
     .rank = 40,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 312,
     .constant_time = true,
     .compress = fin_blake2b_avx2,
     .finish = fin_blake2b_avx2},
};

FIN_EXPORT_UNIT(blake_avx2, fin_impls);
