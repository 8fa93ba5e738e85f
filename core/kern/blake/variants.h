/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Parameters of the five compression functions of the BLAKE family. A kernel defines FIN_VARIANT as
 * one of BLAKE256, BLAKE512, BLAKE2B, BLAKE2S, BLAKE3 and reads them by FIN_V(...).
 *
 *   WORD_BITS     32 or 64
 *   IS_BLAKE2     1: no constants u in G, no salt, little-endian words; BLAKE2 and BLAKE3
 *   IS_BLAKE3     1: v12 .. v15 are counter, length and flags of the block, and the old chaining
 *                 value is not added to the new one
 *   IV            the array that seeds v8 .. v15 of BLAKE2 (gen/blake_iv.inc)
 *   ROUNDS        the number in alg.def; BLAKE3's are rounds 10 to 16 of the
 *                 schedule
 *   R1 .. R4      the rotations of G: 16 12 8 7, 32 25 16 11, 32 24 16 63
 */
#ifndef FIN_BLAKE_VARIANTS_H
#define FIN_BLAKE_VARIANTS_H

#include "names.h"

#define FIN_V(property) FIN_CAT(FIN_VARIANT, _##property)

#define BLAKE256_WORD_BITS 32
#define BLAKE256_IS_BLAKE2 0
#define BLAKE256_IS_BLAKE3 0
#define BLAKE256_ROUNDS 14
#define BLAKE256_R1 16
#define BLAKE256_R2 12
#define BLAKE256_R3 8
#define BLAKE256_R4 7

#define BLAKE512_WORD_BITS 64
#define BLAKE512_IS_BLAKE2 0
#define BLAKE512_IS_BLAKE3 0
#define BLAKE512_ROUNDS 16
#define BLAKE512_R1 32
#define BLAKE512_R2 25
#define BLAKE512_R3 16
#define BLAKE512_R4 11

#define BLAKE2B_WORD_BITS 64
#define BLAKE2B_IS_BLAKE2 1
#define BLAKE2B_IS_BLAKE3 0
#define BLAKE2B_IV fin_iv512
#define BLAKE2B_ROUNDS 12
#define BLAKE2B_R1 32
#define BLAKE2B_R2 24
#define BLAKE2B_R3 16
#define BLAKE2B_R4 63

#define BLAKE2S_WORD_BITS 32
#define BLAKE2S_IS_BLAKE2 1
#define BLAKE2S_IS_BLAKE3 0
#define BLAKE2S_IV fin_iv256
#define BLAKE2S_ROUNDS 10
#define BLAKE2S_R1 16
#define BLAKE2S_R2 12
#define BLAKE2S_R3 8
#define BLAKE2S_R4 7

#define BLAKE3_WORD_BITS 32
#define BLAKE3_IS_BLAKE2 1
#define BLAKE3_IS_BLAKE3 1
#define BLAKE3_IV fin_iv256
#define BLAKE3_ROUNDS 7
#define BLAKE3_R1 16
#define BLAKE3_R2 12
#define BLAKE3_R3 8
#define BLAKE3_R4 7

#endif

#if !defined(FIN_VARIANT) || (!defined(FIN_KERNEL) && !defined(__ASSEMBLER__))
#error "a kernel needs FIN_VARIANT and FIN_KERNEL"
#endif

#ifndef __ASSEMBLER__
_Static_assert(FIN_V(ROUNDS) == FIN_CAT(FIN_ROUNDS_, FIN_VARIANT), "as alg.def has it");
#endif
