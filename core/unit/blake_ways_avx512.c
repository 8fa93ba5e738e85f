/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Four messages of BLAKE-256 or BLAKE2s in the quarters, two of BLAKE-512 or BLAKE2b in the halves
 * of one row state: AVX-512 in zmm.
 */
#include "internal.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"
#include "gen/blake_rows.inc"
#include "kern/blake_load_permute_ways.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_avx512_4way
#define FIN_WAYS 4
#define FIN_LOADER fin_permute_ways32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_avx512_2way
#define FIN_WAYS 2
#define FIN_LOADER fin_permute_ways64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_avx512_2way
#define FIN_WAYS 2
#define FIN_LOADER fin_permute_ways64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_avx512_4way
#define FIN_WAYS 4
#define FIN_LOADER fin_permute_ways32
#include "kern/blake_rows.h"

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "avx512-4way",
     .technique = "4 messages, rows in the quarters of zmm, vpermt2d loads",
     .source = "beyond the papers; descends from AVX paper, section 5.2",
     .lanes = 4,
     .rank = 44,
     .constant_time = true,
     .compress_many = fin_blake256_avx512_4way},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "avx512-2way",
     .technique = "2 messages, rows in the halves of zmm, vpermt2q loads",
     .source = "beyond the papers; descends from AVX paper, section 5.2",
     .lanes = 2,
     .rank = 42,
     .avoid = FIN_AVOID_OF_CHAINS,
     .constant_time = true,
     .compress_many = fin_blake512_avx512_2way},
    {.compression = FIN_COMPRESSION_BLAKE2B,
     .name = "avx512-2way",
     .technique = "2 messages, rows in the halves of zmm, vpermt2q loads",
     .source = "beyond the papers; descends from AVX paper, section 5.2",
     .lanes = 2,
     .rank = 42,
     .avoid = FIN_AVOID_OF_CHAINS,
     .constant_time = true,
     .compress_many = fin_blake2b_avx512_2way},
    {.compression = FIN_COMPRESSION_BLAKE2S,
     .name = "avx512-4way",
     .technique = "4 messages, rows in the quarters of zmm, vpermt2d loads",
     .source = "beyond the papers; descends from AVX paper, section 5.2",
     .lanes = 4,
     .rank = 44,
     .constant_time = true,
     .compress_many = fin_blake2s_avx512_4way},
};

FIN_EXPORT_UNIT(blake_ways_avx512, fin_impls);
