/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one per lane: AVX-512 in zmm, in one stream and two.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/lanes_512.h"
#include "vec/tails_512.h"

#include "asm/blake_lanes_x86_64_call.h"
#include "asm/call.h"
#include "names.h"
#include "spec/blake_iv.h"
#include "gen/blake_round.inc"

#define FIN_UNIT_STREAMS 2
#define FIN_LANES_OF32 x32
#define FIN_LANES_OF64 x16
#include "kern/blake/lanes_blocks_kernels.h"

#define FIN_UNIT_STREAMS 1
#define FIN_LANES_OF32 x16
#define FIN_LANES_OF64 x8
#include "kern/blake/lanes_blocks_kernels.h"

#define FIN_ISA_NAME "x86-64-avx512"
#define FIN_TECHNIQUE "zmm"
#include "kern/blake/lanes_blocks_records.h"

static const fin_impl fin_impls[] = {
    FIN_LANES_RECORD(BLAKE256, 32, fin_blake256_x32, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE512, 16, fin_blake512_x16, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE2B, 16, fin_blake2b_x16, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE2S, 32, fin_blake2s_x32, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE256, 16, fin_blake256_x16, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE512, 8, fin_blake512_x8, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE2B, 8, fin_blake2b_x8, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE2S, 16, fin_blake2s_x16, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE3, 32, fin_blake3_x32, .hash_blocks = NULL),
    FIN_LANES_RECORD(BLAKE3, 16, fin_blake3_x16, .hash_blocks = fin_hash_blocks_avx512),
};

FIN_EXPORT_UNIT(blake_lanes_x86_64_avx512, fin_impls);
