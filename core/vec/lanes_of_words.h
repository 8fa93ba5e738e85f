/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lanes of 128 bits on the types of rows: a vec32 holds a 32-bit word of each of four messages, a
 * half64 a 64-bit word of each of two. lanes_128.h, lanes_neon.h and lanes_simd128.h include this
 * file after their vec/words_*.h.
 *
 *   FIN_LANES32, FIN_LANES64, lane32, lane64
 *   laneB_add, _xor, _barrier, _swap_bytes, _ror_N    as of vec32 and half64
 */
#ifndef FIN_LANES_OF_WORDS_H
#define FIN_LANES_OF_WORDS_H

#define FIN_LANES32 4
#define FIN_LANES64 2

typedef vec32 lane32;
typedef half64 lane64;

#define lane32_add vec32_add
#define lane32_xor vec32_xor
#define lane32_barrier vec32_barrier
#define lane32_swap_bytes vec32_swap_bytes
#define lane32_ror_16 vec32_ror_16
#define lane32_ror_12 vec32_ror_12
#define lane32_ror_8 vec32_ror_8
#define lane32_ror_7 vec32_ror_7

#define lane64_add half64_add
#define lane64_xor half64_xor
#define lane64_barrier half64_barrier
#define lane64_swap_bytes half64_swap_bytes
#define lane64_ror_32 half64_ror_32
#define lane64_ror_25 half64_ror_25
#define lane64_ror_24 half64_ror_24
#define lane64_ror_16 half64_ror_16
#define lane64_ror_11 half64_ror_11
#define lane64_ror_63 half64_ror_63

#endif
