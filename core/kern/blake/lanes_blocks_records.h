/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The group steps and the records of a unit's kernels from kern/blake/lanes_blocks_kernels.h.
 *
 *   FIN_ISA_NAME, FIN_TECHNIQUE   see kern/blake/lanes_unit.h
 *   FIN_ONLY_BLAKE2               see kern/blake/lanes_blocks_kernels.h; such a unit has two
 *                                 streams only, others both numbers
 *   FIN_GROUP_STEPS               without vec/tails_*.h: another unit's, for as many lanes
 *
 * Then FIN_LANES_RECORD(compression function, lanes, kernel, other fields) makes a record.
 */
#ifdef FIN_TAIL_LINES
#define FIN_GROUP_STREAMS 2
#ifndef FIN_ONLY_BLAKE2
#define FIN_GROUP_BOTH 1
#endif
#include "kern/blake/lanes_groups.h"
#endif

#define FIN_LANES_RECORD(id, count, kernel, ...)                                   \
    FIN_RECORD(id, FIN_ISA_NAME "-x" FIN_TEXT(count),                              \
               FIN_TEXT(count) " messages, " FIN_TECHNIQUE                         \
                               ", transposed by scalar loads and stores",          \
               "beyond the papers; descends from AVX paper, section 5.2",          \
               FIN_LANES(count, kernel, kernel), .compress_ahead = kernel##_ahead, \
               .group = &FIN_GROUP_STEPS, .constant_time = true, __VA_ARGS__)
