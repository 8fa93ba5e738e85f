/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The rounds of BLAKE, BLAKE2 and BLAKE3 of many messages, one per lane, with SSSE3.
 * On 32-bit x86 they are C.
 */
#include "asm/object.inc"

#if defined(__x86_64__) && !defined(__ILP32__)

#define FIN_LEVEL 3

#define FIN_VARIANT BLAKE256
#define FIN_ROUNDS fin_blake256_rounds_ssse3
#include "asm/blake_lanes_x86_64_rounds.inc"

#define FIN_VARIANT BLAKE512
#define FIN_ROUNDS fin_blake512_rounds_ssse3
#include "asm/blake_lanes_x86_64_rounds.inc"

#define FIN_VARIANT BLAKE2B
#define FIN_ROUNDS fin_blake2b_rounds_ssse3
#include "asm/blake_lanes_x86_64_rounds.inc"

#define FIN_VARIANT BLAKE2S
#define FIN_ROUNDS fin_blake2s_rounds_ssse3
#include "asm/blake_lanes_x86_64_rounds.inc"

#define FIN_VARIANT BLAKE3
#define FIN_ROUNDS fin_blake3_rounds_ssse3
#include "asm/blake_lanes_x86_64_rounds.inc"

#endif

        FIN_END_OF_FILE
