/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The group steps and the records of a unit's kernels from kern/blake/lanes_blocks_kernels.h.
 *
 *   FIN_ISA_NAME, FIN_TECHNIQUE   see kern/blake/lanes_unit.h
 *   FIN_ONLY_BLAKE2               see kern/blake/lanes_blocks_kernels.h; such a unit has two
 *                                 streams only, others both numbers
 *
 * Then FIN_LANES_RECORD(compression function, lanes, kernel, hash_blocks) makes a record.
 */
#define FIN_GROUP_STREAMS 2
#ifndef FIN_ONLY_BLAKE2
#define FIN_GROUP_BOTH 1
#endif
#include "kern/blake/lanes_groups.h"

#define FIN_LANES_RECORD(id, count, kernel, hash_blocks_)                                   \
    FIN_RECORD(id, FIN_ISA_NAME "-x" FIN_TEXT(count),                                       \
               FIN_TEXT(count) " messages, " FIN_TECHNIQUE                                  \
                               ", transposed by scalar loads and stores",                   \
               "beyond the papers; descends from AVX paper, section 5.2",                   \
               FIN_LANES(count, kernel, kernel), .compress_ahead = kernel##_ahead,          \
               .common = FIN_COMMON_NONE, .group = &FIN_GROUP_STEPS, .constant_time = true, \
               .hash_blocks = hash_blocks_)
