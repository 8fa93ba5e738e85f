/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE2 and BLAKE3, one per lane: AVX-512VL in two streams of ymm. On a CPU that
 * executes zmm in halves, these take as long as one stream of zmm, in twice as many dependency
 * chains. BLAKE's rounds are too long: 28 KB of code do not fit into Zen 4's op cache, and its
 * decoders do not keep up (1480 cycles instead of 1000 for a block of sixteen BLAKE-256 messages).
 */
#include "bytes.h"
#include "impl.h"

#include "vec/lanes_256.h"
#include "vec/tails_256.h"

#include "asm/blake_lanes_x86_64_call.h"
#include "asm/call.h"
#include "names.h"
#include "spec/blake_iv.h"
#include "gen/blake_round.inc"

#define FIN_ONLY_BLAKE2
#define FIN_UNIT_STREAMS 2
#define FIN_LANES_OF32 2ymm_x16
#define FIN_LANES_OF64 2ymm_x8
#include "kern/blake/lanes_blocks_kernels.h"

#define FIN_ISA_NAME "x86-64-avx512-2ymm"
#define FIN_TECHNIQUE "two streams of ymm"
#include "kern/blake/lanes_blocks_records.h"

static const fin_impl fin_impls[] = {
    FIN_LANES_RECORD(BLAKE2B, 8, fin_blake2b_2ymm_x8, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE2S, 16, fin_blake2s_2ymm_x16, .common = FIN_COMMON_NONE),
    FIN_LANES_RECORD(BLAKE3, 16, fin_blake3_2ymm_x16, .hash_blocks = fin_hash_blocks_avx512),
};

FIN_EXPORT_UNIT(blake_lanes_x86_64_avx512_2ymm, fin_impls);
