/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one per lane: AVX2, in assembly.
 */
#include "bytes.h"
#include "impl.h"

#include "lanes/group.h"
#include "vec/lanes_256.h"

#include "asm/blake_lanes_x86_64_call.h"
#include "asm/call.h"
#include "names.h"
#include "spec/blake_iv.h"
#include "gen/blake_round.inc"

static fin_hash_blocks_fn fin_blake3_hash_blocks_avx2;

#define FIN_HASH_BLOCKS fin_blake3_hash_blocks_avx2
#define FIN_UNIT_STREAMS 1
#define FIN_LANES_OF32 avx2_x8
#define FIN_LANES_OF64 avx2_x4
#include "kern/blake/lanes_blocks_kernels.h"

#define FIN_ISA_NAME "x86-64-avx2"
#define FIN_TECHNIQUE "ymm, one row in memory"
#define FIN_GROUP_STEPS fin_group_steps_avx2
#include "kern/blake/lanes_blocks_records.h"

static const fin_impl fin_impls[] = {
    FIN_LANES_RECORD(BLAKE256, 8, fin_blake256_avx2_x8, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE512, 4, fin_blake512_avx2_x4, .common = FIN_COMMON_HALF),
    FIN_LANES_RECORD(BLAKE2B, 4, fin_blake2b_avx2_x4, .common = FIN_COMMON_HALF),
    FIN_LANES_RECORD(BLAKE2S, 8, fin_blake2s_avx2_x8, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE3, 8, fin_blake3_avx2_x8, .hash_blocks = fin_blake3_hash_blocks_avx2),
};

FIN_EXPORT_UNIT(blake_lanes_x86_64_avx2, fin_impls);
