/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one per lane: AVX-512 in zmm.
 * asm/blake_lanes_x86_64_avx512.S compresses all blocks of a call; C serves other numbers of
 * rounds.
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

#define FIN_UNROLLED 0

/* ---- Two streams ---- */

#define FIN_LOCKSTEP 2

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_rounds_x32
#define FIN_STREAMS 2
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_x32
#define FIN_STREAMS 2
#define FIN_BLOCKS fin_blake256_blocks_x32
#define FIN_BLOCKS_FIRST fin_blake256_blocks_10_rounds_x32
#define FIN_ROUNDS_FIRST 10
#define FIN_ANY_ROUNDS fin_blake256_rounds_x32
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_rounds_x16
#define FIN_STREAMS 2
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_x16
#define FIN_STREAMS 2
#define FIN_BLOCKS fin_blake512_blocks_x16
#define FIN_BLOCKS_FIRST fin_blake512_blocks_14_rounds_x16
#define FIN_ROUNDS_FIRST 14
#define FIN_ANY_ROUNDS fin_blake512_rounds_x16
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_rounds_x16
#define FIN_STREAMS 2
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_x16
#define FIN_STREAMS 2
#define FIN_BLOCKS fin_blake2b_blocks_x16
#define FIN_ANY_ROUNDS fin_blake2b_rounds_x16
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_rounds_x32
#define FIN_STREAMS 2
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_x32
#define FIN_STREAMS 2
#define FIN_BLOCKS fin_blake2s_blocks_x32
#define FIN_ANY_ROUNDS fin_blake2s_rounds_x32
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE3
#define FIN_KERNEL fin_blake3_x32
#define FIN_STREAMS 2
#define FIN_BLOCKS fin_blake3_blocks_x32
#include "kern/blake/lanes.h"

/* ---- One stream ---- */

#undef FIN_LOCKSTEP
#define FIN_LOCKSTEP 1

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_rounds_x16
#define FIN_STREAMS 1
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_x16
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake256_blocks_x16
#define FIN_BLOCKS_FIRST fin_blake256_blocks_10_rounds_x16
#define FIN_ROUNDS_FIRST 10
#define FIN_ANY_ROUNDS fin_blake256_rounds_x16
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_rounds_x8
#define FIN_STREAMS 1
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_x8
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake512_blocks_x8
#define FIN_BLOCKS_FIRST fin_blake512_blocks_14_rounds_x8
#define FIN_ROUNDS_FIRST 14
#define FIN_ANY_ROUNDS fin_blake512_rounds_x8
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_rounds_x8
#define FIN_STREAMS 1
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_x8
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake2b_blocks_x8
#define FIN_ANY_ROUNDS fin_blake2b_rounds_x8
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_rounds_x16
#define FIN_STREAMS 1
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_x16
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake2s_blocks_x16
#define FIN_ANY_ROUNDS fin_blake2s_rounds_x16
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE3
#define FIN_KERNEL fin_blake3_x16
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake3_blocks_x16
#include "kern/blake/lanes.h"

/* ---- The table ---- */

#define FIN_GROUP_BLAKE 1
#define FIN_GROUP_BLAKE3 1
#define FIN_GROUP_GROESTL 0
#define FIN_GROUP_LANES32 FIN_LANES32
#define FIN_GROUP_LANES64 FIN_LANES64
#define FIN_GROUP_LANES512 0
#define FIN_GROUP_LANES1024 0
#define FIN_GROUP_STREAMS 2
#include "lanes/group_steps.h"
#define FIN_GROUP (&FIN_GROUP_STEPS)

#define FIN_LANES_RECORD(id, count, kernel, hash_blocks_)                               \
    FIN_RECORD(id, "x86-64-avx512-x" FIN_TEXT(count),                                   \
               FIN_TEXT(count) " messages, zmm, transposed by scalar loads and stores", \
               "beyond the papers; descends from AVX paper, section 5.2",               \
               FIN_LANES(count, kernel, kernel), .compress_ahead = kernel##_ahead,      \
               .common = FIN_COMMON_NONE, .group = FIN_GROUP, .constant_time = true,    \
               .hash_blocks = hash_blocks_)

static const fin_impl fin_impls[] = {
    FIN_LANES_RECORD(BLAKE256, 32, fin_blake256_x32, NULL),
    FIN_LANES_RECORD(BLAKE512, 16, fin_blake512_x16, NULL),
    FIN_LANES_RECORD(BLAKE2B, 16, fin_blake2b_x16, NULL),
    FIN_LANES_RECORD(BLAKE2S, 32, fin_blake2s_x32, NULL),
    FIN_LANES_RECORD(BLAKE256, 16, fin_blake256_x16, NULL),
    FIN_LANES_RECORD(BLAKE512, 8, fin_blake512_x8, NULL),
    FIN_LANES_RECORD(BLAKE2B, 8, fin_blake2b_x8, NULL),
    FIN_LANES_RECORD(BLAKE2S, 16, fin_blake2s_x16, NULL),
    FIN_LANES_RECORD(BLAKE3, 32, fin_blake3_x32, fin_hash_blocks_avx512),
    FIN_LANES_RECORD(BLAKE3, 16, fin_blake3_x16, fin_hash_blocks_avx512),
};

FIN_EXPORT_UNIT(blake_lanes_x86_64_avx512, fin_impls);
