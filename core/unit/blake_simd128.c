/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 with WebAssembly's vectors of 128 bits. For BLAKE2, which needs no XOR
 * with constants, the portable code is faster (V8 of Node 20 on Zen 4, MB/s: BLAKE2b 1185 and 1046,
 * BLAKE2s 699 and 682).
 *
 * A shuffle takes any bytes of two vectors, but the engine has to compile it for the CPU. So the
 * schedules are those for SSE2, two words of each operand at a time, which engines compile to
 * single instructions.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "vec/words_simd128.h"
#include "kern/blake/load/shuffle.h"
#include "kern/blake/load/pair.h"

#define FIN_NAME "simd128"
#define FIN_LOADER32 fin_shuffle32
#define FIN_TECHNIQUE32 "rows in v128, shuffles"
#define FIN_LOADER64 fin_pair64
#define FIN_TECHNIQUE64 "rows in pairs of v128, shuffles"
#define FIN_SOURCE_BLAKE256 "AVX paper, section 4, in SIMD128"
#define FIN_SOURCE_BLAKE512 FIN_SOURCE_BLAKE256
#define FIN_SOURCE_BLAKE2B "BLAKE2b README, versions"
#define FIN_SOURCE_BLAKE2S "AVX paper, section 4, for BLAKE2s, in SIMD128"
#define FIN_SOURCE_BLAKE3 "AVX paper, section 4, for BLAKE3, in SIMD128"
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_simd128, fin_impls);
