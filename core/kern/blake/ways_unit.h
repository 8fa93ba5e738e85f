/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A whole unit of several messages in one row state: the kernels and the table. The unit has
 * included gen/blake_rows.inc and the message schedules and defines
 *
 *   FIN_ISA_NAME       the instruction set in the implementations' names: "avx2"
 *   FIN_WAYS32         how many messages of 32-bit words
 *   FIN_LOADER32       their schedule: see kern/blake/rows.h
 *   FIN_TECHNIQUE32    registers and loads, in a few words
 *   FIN_WAYS64 ..      the same three for 64-bit words, if there are such kernels
 *   FIN_SOURCE         the source to cite
 *   FIN_SOURCE_BLAKE2  the same for BLAKE2
 *   FIN_SOURCE_BLAKE3, FIN_TECHNIQUE_BLAKE3    the source and the registers for BLAKE3, whose
 *                      schedule is kern/blake/load/next_ways.h
 *   FIN_PAIRS32, FIN_PAIRS_TECHNIQUE32    optional: how many messages of BLAKE3 two vectors hold.
 *                      Of BLAKE3's kernels only the one that gains most is unrolled then, so that
 *                      builds of BLAKE3 alone are small
 *
 * A unit with FIN_PAIRS32 alone has included its vector abstraction instead.
 */
#include "names.h"

#if !defined(FIN_ISA_NAME) || !defined(FIN_SOURCE_BLAKE3)
#error "FIN_ISA_NAME and FIN_SOURCE_BLAKE3 are to be defined"
#endif
#if defined(FIN_WAYS32) && (!defined(FIN_LOADER32) || !defined(FIN_TECHNIQUE32) || \
                            !defined(FIN_SOURCE) || !defined(FIN_SOURCE_BLAKE2))
#error \
    "with FIN_WAYS32, FIN_LOADER32, FIN_TECHNIQUE32, FIN_SOURCE and FIN_SOURCE_BLAKE2 are to be defined"
#endif
#if defined(FIN_WAYS64) && (!defined(FIN_LOADER64) || !defined(FIN_TECHNIQUE64))
#error "with FIN_WAYS64, FIN_LOADER64 and FIN_TECHNIQUE64 are to be defined"
#endif

#include "lanes/group.h"
#include "spec/blake_iv.h"
#include "gen/blake_round.inc"

#include "kern/blake/load/next_ways.h"

#ifdef FIN_WAYS32
#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_ways
#define FIN_WAYS FIN_WAYS32
#define FIN_LOADER FIN_LOADER32
#include "kern/blake/rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_ways
#define FIN_WAYS FIN_WAYS32
#define FIN_LOADER FIN_LOADER32
#include "kern/blake/rows.h"

#define FIN_VARIANT BLAKE3
#define FIN_KERNEL fin_blake3_ways
#define FIN_WAYS FIN_WAYS32
#define FIN_LOADER fin_next_ways32
#define FIN_NEXT fin_next_ways32_next
#ifndef FIN_PAIRS32
#define FIN_NEXT_UNROLLED
#endif
#include "kern/blake/rows.h"
#endif

#ifdef FIN_PAIRS32
#define FIN_VARIANT BLAKE3
#define FIN_KERNEL fin_blake3_pairs
#define FIN_WAYS FIN_PAIRS32
#define FIN_ROW32 pair32
#define FIN_LOADER fin_next_pairs32
#define FIN_NEXT fin_next_pairs32_next
#ifdef FIN_WAYS32
#define FIN_NEXT_UNROLLED
#endif
#include "kern/blake/rows.h"
#endif

#ifdef FIN_WAYS64
#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_ways
#define FIN_WAYS FIN_WAYS64
#define FIN_LOADER FIN_LOADER64
#include "kern/blake/rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_ways
#define FIN_WAYS FIN_WAYS64
#define FIN_LOADER FIN_LOADER64
#include "kern/blake/rows.h"
#endif

/* Groups of short messages take the steps for any number of lanes. */
#ifdef FIN_WAYS32
static const fin_group_steps fin_ways_steps = {.hash_level = fin_blake3_ways_level};
#endif
#ifdef FIN_PAIRS32
static const fin_group_steps fin_pairs_steps = {.hash_level = fin_blake3_pairs_level};
#endif

#define FIN_WAYS_RECORD(id, ways, technique, source, kernel, steps)    \
    FIN_RECORD(id, FIN_ISA_NAME "-" FIN_TEXT(ways) "way",              \
               FIN_TEXT(ways) " messages, rows in " technique, source, \
               FIN_LANES(ways, kernel, kernel), .constant_time = true, .group = steps)

static const fin_impl fin_impls[] = {
#ifdef FIN_WAYS32
    FIN_WAYS_RECORD(BLAKE256, FIN_WAYS32, FIN_TECHNIQUE32, FIN_SOURCE, fin_blake256_ways, NULL),
#ifdef FIN_WAYS64
    FIN_WAYS_RECORD(BLAKE512, FIN_WAYS64, FIN_TECHNIQUE64, FIN_SOURCE, fin_blake512_ways, NULL),
    FIN_WAYS_RECORD(BLAKE2B, FIN_WAYS64, FIN_TECHNIQUE64, FIN_SOURCE_BLAKE2, fin_blake2b_ways,
                    NULL),
#endif
    FIN_WAYS_RECORD(BLAKE2S, FIN_WAYS32, FIN_TECHNIQUE32, FIN_SOURCE_BLAKE2, fin_blake2s_ways,
                    NULL),
    FIN_WAYS_RECORD(BLAKE3, FIN_WAYS32, FIN_TECHNIQUE_BLAKE3, FIN_SOURCE_BLAKE3, fin_blake3_ways,
                    &fin_ways_steps),
#endif
#ifdef FIN_PAIRS32
    FIN_WAYS_RECORD(BLAKE3, FIN_PAIRS32, FIN_PAIRS_TECHNIQUE32, FIN_SOURCE_BLAKE3, fin_blake3_pairs,
                    &fin_pairs_steps),
#endif
};
