/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one per lane: WebAssembly's vectors of 128 bits.
 * Unrolled code needs no look-ups of sigma, and V8 allocates its registers better (Node 20 on Zen
 * 4, long messages: 16 to 22 per cent).
 */
#include "bytes.h"
#include "impl.h"

#include "vec/lanes_simd128.h"

#define FIN_ISA_NAME "simd128"
#define FIN_TECHNIQUE "v128, rotations by shuffles and shifts"
#define FIN_SOURCE "AVX paper, section 5.2, in SIMD128"
#define FIN_TWO_STREAMS 0
#define FIN_UNROLLED 0
#define FIN_LOCKSTEP 0
#define FIN_STRAIGHT
#include "kern/blake/lanes_unit.h"

FIN_EXPORT_UNIT(blake_lanes_simd128, fin_impls);
