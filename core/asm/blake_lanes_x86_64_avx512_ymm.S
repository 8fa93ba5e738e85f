/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The rounds of BLAKE, BLAKE2 and BLAKE3 of many messages, one per lane, in ymm registers, with
 * rotations of AVX-512VL.
 */
#include "asm/object.inc"

#define FIN_LEVEL 6

#define FIN_VARIANT BLAKE256
#define FIN_ROUNDS fin_blake256_rounds_avx512_ymm
#include "asm/blake_lanes_x86_64_rounds.inc"

#define FIN_VARIANT BLAKE512
#define FIN_ROUNDS fin_blake512_rounds_avx512_ymm
#include "asm/blake_lanes_x86_64_rounds.inc"

#define FIN_VARIANT BLAKE2B
#define FIN_ROUNDS fin_blake2b_rounds_avx512_ymm
#include "asm/blake_lanes_x86_64_rounds.inc"

#define FIN_VARIANT BLAKE2S
#define FIN_ROUNDS fin_blake2s_rounds_avx512_ymm
#include "asm/blake_lanes_x86_64_rounds.inc"

#define FIN_VARIANT BLAKE3
#define FIN_ROUNDS fin_blake3_rounds_avx512_ymm
#include "asm/blake_lanes_x86_64_rounds.inc"

        FIN_END_OF_FILE
