/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 with WebAssembly's vectors of 128 bits. Of BLAKE2b, whose words are 64 bits and
 * need no XOR with constants, the portable code is faster (V8 of Node 20 on Zen 4: 0.82 and 0.91
 * nanoseconds a byte).
 *
 * A shuffle takes any bytes of two vectors, but the engine's processor must do it. So the schedules
 * are those for SSE2, two words of each operand at a time, which engines know as single
 * instructions.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"
#include "gen/blake_rows.inc"
#include "vec/words_simd128.h"
#include "kern/blake_load_shuffle.h"
#include "kern/blake_load_pair.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_simd128
#define FIN_LOADER fin_shuffle32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_simd128
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_simd128
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_simd128
#define FIN_LOADER fin_shuffle32
#include "kern/blake_rows.h"

#define SIMD128(compression_, technique_, source_, rank_, function) \
    {                                                               \
        .compression = compression_,                                \
        .name = "simd128",                                          \
        .technique = technique_,                                    \
        .source = source_,                                          \
        .lanes = 1,                                                 \
        .rank = rank_,                                              \
        .constant_time = true,                                      \
        .compress = function,                                       \
        .finish = function,                                         \
    }

static const fin_impl fin_impls[] = {
    SIMD128(FIN_COMPRESSION_BLAKE256, "rows in v128, shuffles", "AVX paper, section 4, in SIMD128",
            10, fin_blake256_simd128),
    SIMD128(FIN_COMPRESSION_BLAKE512, "rows in pairs of v128, shuffles",
            "AVX paper, section 4, in SIMD128", 10, fin_blake512_simd128),
    SIMD128(FIN_COMPRESSION_BLAKE2B, "rows in pairs of v128, shuffles", "BLAKE2b README, versions",
            0, fin_blake2b_simd128),
    SIMD128(FIN_COMPRESSION_BLAKE2S, "rows in v128, shuffles",
            "AVX paper, section 4, for BLAKE2s, in SIMD128", 10, fin_blake2s_simd128),
};

FIN_EXPORT_UNIT(blake_simd128, fin_impls);
