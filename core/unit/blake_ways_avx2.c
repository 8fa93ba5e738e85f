/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Two messages of BLAKE-256 or BLAKE2s in the two halves of one row state: AVX2.
 */
#include "internal.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"
#include "gen/blake_rows.inc"
#include "kern/blake_load_blend_ways.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_avx2_2way
#define FIN_WAYS 2
#define FIN_LOADER fin_blend_ways32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_avx2_2way
#define FIN_WAYS 2
#define FIN_LOADER fin_blend_ways32
#include "kern/blake_rows.h"

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "avx2-2way",
     .technique = "2 messages, rows in the halves of ymm",
     .source = "AVX paper, section 5.2",
     .lanes = 2,
     .rank = 28,
     .avoid = FIN_AVOID_OF_CHAINS,
     .constant_time = true,
     .compress_many = fin_blake256_avx2_2way},
    {.compression = FIN_COMPRESSION_BLAKE2S,
     .name = "avx2-2way",
     .technique = "2 messages, rows in the halves of ymm",
     .source = "AVX paper, section 5.2, for BLAKE2s",
     .lanes = 2,
     .rank = 28,
     .avoid = FIN_AVOID_OF_CHAINS,
     .constant_time = true,
     .compress_many = fin_blake2s_avx2_2way},
};

FIN_EXPORT_UNIT(blake_ways_avx2, fin_impls);
