/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The kernels of a unit whose assembly compresses all blocks of a call
 * (asm/blake_lanes_x86_64_blocks.inc). C serves other numbers of rounds. Included once for each
 * number of streams:
 *
 *   FIN_UNIT_STREAMS   1 or 2
 *   FIN_LANES_OF32, FIN_LANES_OF64   what the names of kernels for 32-bit and 64-bit words end with:
 *                      x32 for fin_blake2s_x32
 *   FIN_ONLY_BLAKE2    optional: there are kernels of BLAKE2 and BLAKE3 only
 *   before it          vec/lanes_*.h, asm/call.h, spec/blake_iv.h, gen/blake_round.inc
 */

#define FIN_UNROLLED 0
#define FIN_LOCKSTEP FIN_UNIT_STREAMS
#define FIN_NAME(name, lanes) FIN_CAT(FIN_CAT(fin_, name), FIN_CAT(_, lanes))

#ifndef FIN_ONLY_BLAKE2
#define FIN_VARIANT BLAKE256
#define FIN_KERNEL FIN_NAME(blake256_rounds, FIN_LANES_OF32)
#define FIN_STREAMS FIN_UNIT_STREAMS
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE256
#define FIN_KERNEL FIN_NAME(blake256, FIN_LANES_OF32)
#define FIN_STREAMS FIN_UNIT_STREAMS
#define FIN_BLOCKS FIN_NAME(blake256_blocks, FIN_LANES_OF32)
#define FIN_BLOCKS_FIRST FIN_NAME(blake256_blocks_10_rounds, FIN_LANES_OF32)
#define FIN_ROUNDS_FIRST 10
#define FIN_ANY_ROUNDS FIN_NAME(blake256_rounds, FIN_LANES_OF32)
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL FIN_NAME(blake512_rounds, FIN_LANES_OF64)
#define FIN_STREAMS FIN_UNIT_STREAMS
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE512
#define FIN_KERNEL FIN_NAME(blake512, FIN_LANES_OF64)
#define FIN_STREAMS FIN_UNIT_STREAMS
#define FIN_BLOCKS FIN_NAME(blake512_blocks, FIN_LANES_OF64)
#define FIN_BLOCKS_FIRST FIN_NAME(blake512_blocks_14_rounds, FIN_LANES_OF64)
#define FIN_ROUNDS_FIRST 14
#define FIN_ANY_ROUNDS FIN_NAME(blake512_rounds, FIN_LANES_OF64)
#include "kern/blake/lanes.h"
#endif

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL FIN_NAME(blake2b_rounds, FIN_LANES_OF64)
#define FIN_STREAMS FIN_UNIT_STREAMS
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL FIN_NAME(blake2b, FIN_LANES_OF64)
#define FIN_STREAMS FIN_UNIT_STREAMS
#define FIN_BLOCKS FIN_NAME(blake2b_blocks, FIN_LANES_OF64)
#define FIN_ANY_ROUNDS FIN_NAME(blake2b_rounds, FIN_LANES_OF64)
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL FIN_NAME(blake2s_rounds, FIN_LANES_OF32)
#define FIN_STREAMS FIN_UNIT_STREAMS
#include "kern/blake/lanes.h"
#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL FIN_NAME(blake2s, FIN_LANES_OF32)
#define FIN_STREAMS FIN_UNIT_STREAMS
#define FIN_BLOCKS FIN_NAME(blake2s_blocks, FIN_LANES_OF32)
#define FIN_ANY_ROUNDS FIN_NAME(blake2s_rounds, FIN_LANES_OF32)
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE3
#define FIN_KERNEL FIN_NAME(blake3, FIN_LANES_OF32)
#define FIN_STREAMS FIN_UNIT_STREAMS
#define FIN_BLOCKS FIN_NAME(blake3_blocks, FIN_LANES_OF32)
#include "kern/blake/lanes.h"

#undef FIN_UNIT_STREAMS
#undef FIN_LANES_OF32
#undef FIN_LANES_OF64
#undef FIN_UNROLLED
#undef FIN_LOCKSTEP
#undef FIN_NAME
