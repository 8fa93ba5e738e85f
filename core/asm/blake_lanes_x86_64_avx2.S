/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * All blocks of a call of BLAKE, BLAKE2 and BLAKE3 of many messages, one per lane, in AVX2
 * registers.
 */
#include "asm/object.inc"
#include "names.h"
#include "asm/blake_lanes_x86_64_orders.inc"

#define FIN_REGISTERS 16
#define FIN_VECTOR_BYTES 32

#define FIN_VARIANT BLAKE256
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake256_blocks_avx2_x8
#define FIN_BLOCK_ROUNDS 14
#include "asm/blake_lanes_x86_64_blocks.inc"

#define FIN_VARIANT BLAKE256
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake256_blocks_10_rounds_avx2_x8
#define FIN_BLOCK_ROUNDS 10
#include "asm/blake_lanes_x86_64_blocks.inc"

#define FIN_VARIANT BLAKE512
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake512_blocks_avx2_x4
#define FIN_BLOCK_ROUNDS 16
#include "asm/blake_lanes_x86_64_blocks.inc"

#define FIN_VARIANT BLAKE512
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake512_blocks_14_rounds_avx2_x4
#define FIN_BLOCK_ROUNDS 14
#include "asm/blake_lanes_x86_64_blocks.inc"

#define FIN_VARIANT BLAKE2B
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake2b_blocks_avx2_x4
#define FIN_BLOCK_ROUNDS 12
#include "asm/blake_lanes_x86_64_blocks.inc"

#define FIN_VARIANT BLAKE2S
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake2s_blocks_avx2_x8
#define FIN_BLOCK_ROUNDS 10
#include "asm/blake_lanes_x86_64_blocks.inc"

#define FIN_VARIANT BLAKE3
#define FIN_STREAMS 1
#define FIN_BLOCKS fin_blake3_blocks_avx2_x8
#define FIN_BLOCK_ROUNDS 7
#include "asm/blake_lanes_x86_64_blocks.inc"

        FIN_END_OF_FILE
