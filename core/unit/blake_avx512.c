/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 with AVX-512VL in xmm and ymm: vprord and vprorq; 32-bit words of a message
 * by two-source permutes, 64-bit ones by broadcasts and blends.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"
#include "gen/blake_rows.inc"
#include "kern/blake_load_broadcast.h"
#include "kern/blake_load_permute2.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_avx512
#define FIN_LOADER fin_permute2_32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_avx512
#define FIN_LOADER fin_broadcast64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_avx512
#define FIN_LOADER fin_broadcast64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_avx512
#define FIN_LOADER fin_permute2_32
#include "kern/blake_rows.h"

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "avx512",
     .technique = "rows in xmm, vprord, vpermt2d loads",
     .source = "beyond the papers; descends from vpperm, AVX paper, section 7.2",
     .lanes = 1,
     .rank = 50,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 336,
     .constant_time = true,
     .compress = fin_blake256_avx512,
     .finish = fin_blake256_avx512},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "avx512",
     .technique = "rows in ymm, vprorq, broadcast loads",
     .source = "beyond the papers",
     .lanes = 1,
     .rank = 50,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 384,
     .constant_time = true,
     .compress = fin_blake512_avx512,
     .finish = fin_blake512_avx512},
    {.compression = FIN_COMPRESSION_BLAKE2B,
     .name = "avx512",
     .technique = "rows in ymm, vprorq, broadcast loads",
     .source = "beyond the papers",
     .lanes = 1,
     .rank = 50,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 288,
     .constant_time = true,
     .compress = fin_blake2b_avx512,
     .finish = fin_blake2b_avx512},
    {.compression = FIN_COMPRESSION_BLAKE2S,
     .name = "avx512",
     .technique = "rows in xmm, vprord, vpermt2d loads",
     .source = "beyond the papers",
     .lanes = 1,
     .rank = 50,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 240,
     .constant_time = true,
     .compress = fin_blake2s_avx512,
     .finish = fin_blake2s_avx512},
};

FIN_EXPORT_UNIT(blake_avx512, fin_impls);
