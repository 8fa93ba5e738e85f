/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * All of a unit of BLAKE and BLAKE2 in four row vectors, one message: the kernels and the table.
 * The unit has included gen/blake_rows.inc, the vector abstraction and the message schedules and
 * defines
 *
 *   FIN_NAME           the implementations' name: "sse41"
 *   FIN_LOADER32       the schedule of 32-bit words (see blake_rows.h), if there are such
 *   FIN_TECHNIQUE32    their registers and loads, in a few words
 *   FIN_RANK32         their rank: see fin_impl
 *   FIN_LOADER64 ..    the same three of 64-bit words
 *   FIN_SOURCE_BLAKE256, _BLAKE512, _BLAKE2B, _BLAKE2S    the line of the literature; there are the
 *                      compression functions that have one
 *   FIN_RANK_BLAKE2B   optional: where it is not FIN_RANK64
 *   FIN_BOUND_BLAKE256, _BLAKE512, _BLAKE2B, _BLAKE2S    optional: bound_cycles of fin_impl
 *   FIN_CACHED_ROUNDS  optional: see blake_rows.h
 */
#ifndef FIN_NAME
#error "FIN_NAME is to be defined"
#endif
#if (defined(FIN_SOURCE_BLAKE256) || defined(FIN_SOURCE_BLAKE2S)) && \
    (!defined(FIN_LOADER32) || !defined(FIN_TECHNIQUE32) || !defined(FIN_RANK32))
#error "FIN_LOADER32, FIN_TECHNIQUE32 and FIN_RANK32 are to be defined"
#endif
#if (defined(FIN_SOURCE_BLAKE512) || defined(FIN_SOURCE_BLAKE2B)) && \
    (!defined(FIN_LOADER64) || !defined(FIN_TECHNIQUE64) || !defined(FIN_RANK64))
#error "FIN_LOADER64, FIN_TECHNIQUE64 and FIN_RANK64 are to be defined"
#endif
#ifndef FIN_RANK_BLAKE2B
#define FIN_RANK_BLAKE2B FIN_RANK64
#endif
#ifndef FIN_BOUND_BLAKE256
#define FIN_BOUND_BLAKE256 0
#endif
#ifndef FIN_BOUND_BLAKE512
#define FIN_BOUND_BLAKE512 0
#endif
#ifndef FIN_BOUND_BLAKE2B
#define FIN_BOUND_BLAKE2B 0
#endif
#ifndef FIN_BOUND_BLAKE2S
#define FIN_BOUND_BLAKE2S 0
#endif

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"

#ifdef FIN_SOURCE_BLAKE256
#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_rows
#define FIN_LOADER FIN_LOADER32
#include "kern/blake_rows.h"
#endif

#ifdef FIN_SOURCE_BLAKE512
#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_rows
#define FIN_LOADER FIN_LOADER64
#include "kern/blake_rows.h"
#endif

#ifdef FIN_SOURCE_BLAKE2B
#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_rows
#define FIN_LOADER FIN_LOADER64
#include "kern/blake_rows.h"
#endif

#ifdef FIN_SOURCE_BLAKE2S
#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_rows
#define FIN_LOADER FIN_LOADER32
#include "kern/blake_rows.h"
#endif

#define FIN_ROWS_RECORD(id, technique, rank, kernel)                                        \
    FIN_RECORD(id, FIN_NAME, technique, FIN_SOURCE_##id, rank, FIN_MESSAGE(kernel, kernel), \
               .avoid = FIN_AVOID_OF_CHAINS, .bound_cycles = FIN_BOUND_##id,                \
               .constant_time = true)

static const fin_impl fin_impls[] = {
#ifdef FIN_SOURCE_BLAKE256
    FIN_ROWS_RECORD(BLAKE256, FIN_TECHNIQUE32, FIN_RANK32, fin_blake256_rows),
#endif
#ifdef FIN_SOURCE_BLAKE512
    FIN_ROWS_RECORD(BLAKE512, FIN_TECHNIQUE64, FIN_RANK64, fin_blake512_rows),
#endif
#ifdef FIN_SOURCE_BLAKE2B
    FIN_ROWS_RECORD(BLAKE2B, FIN_TECHNIQUE64, FIN_RANK_BLAKE2B, fin_blake2b_rows),
#endif
#ifdef FIN_SOURCE_BLAKE2S
    FIN_ROWS_RECORD(BLAKE2S, FIN_TECHNIQUE32, FIN_RANK32, fin_blake2s_rows),
#endif
};
