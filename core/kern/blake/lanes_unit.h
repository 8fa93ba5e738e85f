/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A whole unit of lanes: the kernels and the table. The unit has included the vector abstraction
 * and defines
 *
 *   FIN_ISA_NAME         the instruction set in the implementations' names: "avx512"
 *   FIN_TECHNIQUE    registers and rotations, in a few words
 *   FIN_SOURCE       the source to cite
 *   FIN_TWO_STREAMS  whether there are kernels of two streams
 *   FIN_UNROLLED     see kern/blake/lanes.h
 *   FIN_LOCKSTEP     see kern/blake/lanes.h
 *   FIN_ASSEMBLY     optional: the suffix of assembly functions that do the rounds; needs
 *                    asm/call.h
 *   FIN_HASH_BLOCKS  optional: the name that group.h declares for the unit's hash_blocks
 *   FIN_ONLY_BLAKE3  optional: there is only BLAKE3's kernel
 *   FIN_GROUP_STEPS  optional: the name that group.h declares for the unit's group steps; without
 *                    vec/tails_*.h, the name of another unit's, for as many lanes
 */
#include "names.h"

#if !defined(FIN_ISA_NAME) || !defined(FIN_TECHNIQUE) || !defined(FIN_SOURCE)
#error "FIN_ISA_NAME, FIN_TECHNIQUE and FIN_SOURCE are to be defined"
#endif
#if !defined(FIN_TWO_STREAMS) || !defined(FIN_UNROLLED) || !defined(FIN_LOCKSTEP)
#error "FIN_TWO_STREAMS, FIN_UNROLLED and FIN_LOCKSTEP are to be defined"
#endif

#include "spec/blake_iv.h"
#include "gen/blake_round.inc"
#if FIN_UNROLLED
#include "gen/blake_padding_sums.inc"
#endif

#ifdef FIN_ASSEMBLY
/* Compresses a block: updates the eight vectors at h by as many rounds, from v8 .. v15 at v, which
   it overwrites, sixteen vectors m of words, and constants u. BLAKE's sums of words and constants
   are kept in kept: sixteen vectors for each round after the tenth. */
typedef void fin_rounds_fn(void *h, void *v, const void *m, const void *u, uint64_t rounds,
                           void *kept);
#define FIN_ROUNDS_OF(name) FIN_CAT(FIN_CAT(fin_, name), FIN_CAT(_rounds_, FIN_ASSEMBLY))
FIN_SYSTEM_V fin_rounds_fn FIN_ROUNDS_OF(blake256), FIN_ROUNDS_OF(blake512), FIN_ROUNDS_OF(blake2b),
    FIN_ROUNDS_OF(blake2s), FIN_ROUNDS_OF(blake3);
#endif

#ifndef FIN_ONLY_BLAKE3
#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_lanes
#define FIN_STREAMS 1
#ifdef FIN_ASSEMBLY
#define FIN_ROUNDS FIN_ROUNDS_OF(blake256)
#endif
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_lanes
#define FIN_STREAMS 1
#ifdef FIN_ASSEMBLY
#define FIN_ROUNDS FIN_ROUNDS_OF(blake512)
#endif
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_lanes
#define FIN_STREAMS 1
#ifdef FIN_ASSEMBLY
#define FIN_ROUNDS FIN_ROUNDS_OF(blake2b)
#endif
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_lanes
#define FIN_STREAMS 1
#ifdef FIN_ASSEMBLY
#define FIN_ROUNDS FIN_ROUNDS_OF(blake2s)
#endif
#include "kern/blake/lanes.h"
#endif

#if FIN_UNROLLED
#define FIN_AHEAD(kernel) kernel##_ahead
#else
#define FIN_AHEAD(kernel) NULL
#endif

/* Unrolled rounds and those in assembly have hash_blocks; four lanes do not gain from it. */
#if FIN_HAS_KERNEL(BLAKE3) && (FIN_UNROLLED || defined(FIN_ASSEMBLY)) && FIN_LANES32 > 4
#ifndef FIN_HASH_BLOCKS
#define FIN_HASH_BLOCKS fin_blake3_hash_blocks
static fin_hash_blocks_fn fin_blake3_hash_blocks;
#endif
#else
#undef FIN_HASH_BLOCKS
#define FIN_HASH_BLOCKS NULL
#endif
#define FIN_VARIANT BLAKE3
#define FIN_KERNEL fin_blake3_lanes
#define FIN_STREAMS 1
#ifdef FIN_ASSEMBLY
#define FIN_ROUNDS FIN_ROUNDS_OF(blake3)
#endif
#include "kern/blake/lanes.h"

#define FIN_TWICE_2 4
#define FIN_TWICE_4 8
#define FIN_TWICE_8 16
#define FIN_TWICE_16 32
#define FIN_TWICE(n) FIN_CAT(FIN_TWICE_, n)

/* Kernels of two streams are loops. */
#undef FIN_UNROLLED
#define FIN_UNROLLED 0
#if FIN_TWO_STREAMS
#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_lanes_twice
#define FIN_STREAMS 2
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_lanes_twice
#define FIN_STREAMS 2
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_lanes_twice
#define FIN_STREAMS 2
#include "kern/blake/lanes.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_lanes_twice
#define FIN_STREAMS 2
#include "kern/blake/lanes.h"

/* With more lanes, two streams would take more chunks than most messages have. */
#if FIN_LANES32 == 4
#define FIN_VARIANT BLAKE3
#define FIN_KERNEL fin_blake3_lanes_twice
#define FIN_STREAMS 2
#include "kern/blake/lanes.h"
#endif

#endif

/* With vec/tails_*.h the unit has its own steps for groups of short messages. */
#ifdef FIN_TAIL_LINES
#include "kern/blake/lanes_groups.h"
#endif
#ifdef FIN_GROUP_STEPS
#define FIN_GROUP (&FIN_GROUP_STEPS)
#else
#define FIN_GROUP NULL
#endif

#define FIN_LANES_RECORD(id, count, kernel, ...)                                                   \
    FIN_RECORD(id, FIN_ISA_NAME "-x" FIN_TEXT(count), FIN_TEXT(count) " messages, " FIN_TECHNIQUE, \
               FIN_SOURCE, FIN_LANES(count, kernel, kernel), __VA_ARGS__, .constant_time = true)
#define FIN_COMMON_OF(compression)                                 \
    ((compression) == FIN_COMPRESSION_BLAKE2S    ? FIN_COMMON_NONE \
     : (compression) == FIN_COMPRESSION_BLAKE3   ? FIN_COMMON_NONE \
     : (compression) == FIN_COMPRESSION_BLAKE256 ? FIN_COMMON_LAST \
                                                 : FIN_COMMON_HALF)
#define FIN_ONE_STREAM(id, count, kernel, ahead, hash_blocks_)                          \
    FIN_LANES_RECORD(id, count, kernel, .compress_ahead = ahead,                        \
                     .common = FIN_COMMON_OF(FIN_COMPRESSION_##id), .group = FIN_GROUP, \
                     .hash_blocks = hash_blocks_)
#define FIN_TWO_STREAMS_OF(id, count, kernel) \
    FIN_LANES_RECORD(id, FIN_TWICE(count), kernel, .common = FIN_COMMON_NONE)

static const fin_impl fin_impls[] = {
#ifndef FIN_ONLY_BLAKE3
    FIN_ONE_STREAM(BLAKE256, FIN_LANES32, fin_blake256_lanes, FIN_AHEAD(fin_blake256_lanes), NULL),
    FIN_ONE_STREAM(BLAKE512, FIN_LANES64, fin_blake512_lanes, FIN_AHEAD(fin_blake512_lanes), NULL),
    FIN_ONE_STREAM(BLAKE2B, FIN_LANES64, fin_blake2b_lanes, FIN_AHEAD(fin_blake2b_lanes), NULL),
    FIN_ONE_STREAM(BLAKE2S, FIN_LANES32, fin_blake2s_lanes, FIN_AHEAD(fin_blake2s_lanes), NULL),
#endif
    FIN_ONE_STREAM(BLAKE3, FIN_LANES32, fin_blake3_lanes, FIN_AHEAD(fin_blake3_lanes),
                   FIN_HASH_BLOCKS),
#if FIN_TWO_STREAMS
    FIN_TWO_STREAMS_OF(BLAKE256, FIN_LANES32, fin_blake256_lanes_twice),
    FIN_TWO_STREAMS_OF(BLAKE512, FIN_LANES64, fin_blake512_lanes_twice),
    FIN_TWO_STREAMS_OF(BLAKE2B, FIN_LANES64, fin_blake2b_lanes_twice),
    FIN_TWO_STREAMS_OF(BLAKE2S, FIN_LANES32, fin_blake2s_lanes_twice),
#if FIN_LANES32 == 4
    FIN_TWO_STREAMS_OF(BLAKE3, FIN_LANES32, fin_blake3_lanes_twice),
#endif
#endif
};
