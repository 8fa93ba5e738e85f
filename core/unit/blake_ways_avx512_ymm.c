/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Two messages of BLAKE-256 or BLAKE2s in the two halves of one row state: AVX-512VL.
 */
#include "internal.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"
#include "gen/blake_rows.inc"
#include "kern/blake_load_permute_2way.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_avx512_2way
#define FIN_WAYS 2
#define FIN_LOADER fin_permute_2way32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_avx512_2way
#define FIN_WAYS 2
#define FIN_LOADER fin_permute_2way32
#include "kern/blake_rows.h"

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "avx512-2way",
     .technique = "2 messages, rows in the halves of ymm, vpermt2d loads",
     .source = "beyond the papers; descends from AVX paper, section 5.2",
     .lanes = 2,
     .rank = 42,
     .avoid = FIN_AVOID_OF_CHAINS,
     .constant_time = true,
     .compress_many = fin_blake256_avx512_2way},
    {.compression = FIN_COMPRESSION_BLAKE2S,
     .name = "avx512-2way",
     .technique = "2 messages, rows in the halves of ymm, vpermt2d loads",
     .source = "beyond the papers; descends from AVX paper, section 5.2",
     .lanes = 2,
     .rank = 42,
     .avoid = FIN_AVOID_OF_CHAINS,
     .constant_time = true,
     .compress_many = fin_blake2s_avx512_2way},
};

FIN_EXPORT_UNIT(blake_ways_avx512_ymm, fin_impls);
