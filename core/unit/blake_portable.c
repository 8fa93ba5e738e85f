/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 in portable scalar C.
 *
 * JavaScript engines allocate registers for a whole function, and badly around loops. So
 * WebAssembly compresses a block of BLAKE2 in a function without branches, and G's first sum adds b
 * before the message word, which takes fewer registers (V8 of Node 20 on Zen 4: BLAKE2b by 13 per
 * cent, BLAKE2s by 12).
 */
#include "bytes.h"
#include "impl.h"

#include "spec/blake_iv.h"
#include "gen/blake_round.inc"

#ifdef __wasm__
#define V_FIRST_SUM(a, b, x) V_ADD(V_BARRIER(V_ADD(a, b)), x)
#endif

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_portable
#include "kern/blake/scalar.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_portable
#include "kern/blake/scalar.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_portable
#ifdef __wasm__
#define FIN_STRAIGHT
#endif
#include "kern/blake/scalar.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_portable
#ifdef __wasm__
#define FIN_STRAIGHT
#endif
#include "kern/blake/scalar.h"

#define FIN_VARIANT BLAKE3
#define FIN_KERNEL fin_blake3_portable
#include "kern/blake/scalar.h"

static const fin_impl fin_impls[] = {
    FIN_RECORD(BLAKE256, "portable", "scalar C, 32-bit words", "AVX paper, section 2",
               FIN_MESSAGE(fin_blake256_portable, fin_blake256_portable), .constant_time = true),
    FIN_RECORD(BLAKE512, "portable", "scalar C, 64-bit words", "AVX paper, section 2",
               FIN_MESSAGE(fin_blake512_portable, fin_blake512_portable), .constant_time = true),
    FIN_RECORD(BLAKE2B, "portable", "scalar C, 64-bit words", "RFC 7693, section 3.2",
               FIN_MESSAGE(fin_blake2b_portable, fin_blake2b_portable), .constant_time = true),
    FIN_RECORD(BLAKE2S, "portable", "scalar C, 32-bit words", "RFC 7693, section 3.2",
               FIN_MESSAGE(fin_blake2s_portable, fin_blake2s_portable), .constant_time = true),
    FIN_RECORD(BLAKE3, "portable", "scalar C, 32-bit words", "BLAKE3 paper, section 2.2",
               FIN_MESSAGE(fin_blake3_portable, fin_blake3_portable), .constant_time = true),
};

FIN_EXPORT_UNIT(blake_portable, fin_impls);
