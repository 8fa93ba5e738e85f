/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A whole unit of BLAKE and BLAKE2 in four row vectors, one message: the kernels and the table. The
 * unit has included gen/blake_rows.inc, the vector abstraction and the message schedules and
 * defines
 *
 *   FIN_NAME           the implementations' name: "sse41"
 *   FIN_LOADER32       the schedule of 32-bit words (see kern/blake/rows.h), if any
 *   FIN_TECHNIQUE32    registers and loads of 32-bit words, in a few words
 *   FIN_LOADER64 ..    the same two for 64-bit words
 *   FIN_SOURCE_BLAKE256, _BLAKE512, _BLAKE2B, _BLAKE2S, _BLAKE3
 *                      the source to cite; functions without one get no kernel
 *   FIN_BOUND_BLAKE256, _BLAKE512, _BLAKE2B, _BLAKE2S, _BLAKE3
 *                      optional: bound_cycles of fin_impl
 *   FIN_CACHED_ROUNDS  optional: see kern/blake/rows.h
 */
#ifndef FIN_NAME
#error "FIN_NAME is to be defined"
#endif
#if (defined(FIN_SOURCE_BLAKE256) || defined(FIN_SOURCE_BLAKE2S) || defined(FIN_SOURCE_BLAKE3)) && \
    (!defined(FIN_LOADER32) || !defined(FIN_TECHNIQUE32))
#error "FIN_LOADER32 and FIN_TECHNIQUE32 are to be defined"
#endif
#if (defined(FIN_SOURCE_BLAKE512) || defined(FIN_SOURCE_BLAKE2B)) && \
    (!defined(FIN_LOADER64) || !defined(FIN_TECHNIQUE64))
#error "FIN_LOADER64 and FIN_TECHNIQUE64 are to be defined"
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
#ifndef FIN_BOUND_BLAKE3
#define FIN_BOUND_BLAKE3 0
#endif

#include "spec/blake_iv.h"
#include "gen/blake_round.inc"

#ifdef FIN_SOURCE_BLAKE256
#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_rows
#define FIN_LOADER FIN_LOADER32
#include "kern/blake/rows.h"
#endif

#ifdef FIN_SOURCE_BLAKE512
#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_rows
#define FIN_LOADER FIN_LOADER64
#include "kern/blake/rows.h"
#endif

#ifdef FIN_SOURCE_BLAKE2B
#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_rows
#define FIN_LOADER FIN_LOADER64
#include "kern/blake/rows.h"
#endif

#ifdef FIN_SOURCE_BLAKE2S
#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_rows
#define FIN_LOADER FIN_LOADER32
#include "kern/blake/rows.h"
#endif

#ifdef FIN_SOURCE_BLAKE3
#define FIN_VARIANT BLAKE3
#define FIN_KERNEL fin_blake3_rows
#define FIN_LOADER FIN_LOADER32
#include "kern/blake/rows.h"
#endif

#define FIN_ROWS_RECORD(id, technique, kernel)                                        \
    FIN_RECORD(id, FIN_NAME, technique, FIN_SOURCE_##id, FIN_MESSAGE(kernel, kernel), \
               .bound_cycles = FIN_BOUND_##id, .constant_time = true)

static const fin_impl fin_impls[] = {
#ifdef FIN_SOURCE_BLAKE256
    FIN_ROWS_RECORD(BLAKE256, FIN_TECHNIQUE32, fin_blake256_rows),
#endif
#ifdef FIN_SOURCE_BLAKE512
    FIN_ROWS_RECORD(BLAKE512, FIN_TECHNIQUE64, fin_blake512_rows),
#endif
#ifdef FIN_SOURCE_BLAKE2B
    FIN_ROWS_RECORD(BLAKE2B, FIN_TECHNIQUE64, fin_blake2b_rows),
#endif
#ifdef FIN_SOURCE_BLAKE2S
    FIN_ROWS_RECORD(BLAKE2S, FIN_TECHNIQUE32, fin_blake2s_rows),
#endif
#ifdef FIN_SOURCE_BLAKE3
    FIN_ROWS_RECORD(BLAKE3, FIN_TECHNIQUE32, fin_blake3_rows),
#endif
};
