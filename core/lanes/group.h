/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A group: short messages with the same number of blocks, one per lane, hashed to their digests.
 *
 * Whole blocks are compressed in place. The last block, for BLAKE and Grøstl the last two, is
 * copied to a buffer and padded there. So all lanes take the same two calls whatever their
 * lengths, and only counters differ. If all of BLAKE's messages end with a block, only padding is
 * copied, once for all lanes.
 */
#ifndef FIN_GROUP_H
#define FIN_GROUP_H

#include "impl.h"
#include "spec/spec.h"

enum {
    FIN_GROUP_BYTES_MAX = 1 << 28,                         /* longer messages' counters may carry */
    FIN_GROUP_PREFIXED_BLOCKS_MAX = 2,                     /* with a prefix all blocks are copied */
    FIN_GROUP_COPIED_BYTES = (2 * 64 + 64) * FIN_LANES_MAX /* or (2 * 128 + 64) for half as many */
};

/* Properties that all messages share. */
typedef struct fin_group_rules {
    fin_variant variant;
    const fin_state *start; /* before the first block, or after the key's */
    size_t digest_bytes;
    uint64_t last_node; /* BLAKE2's flag word: all ones or 0 */
    size_t full_length; /* BLAKE: 1 if the padding's last bit is set; a word, as gcc loads it */
    bool padded;        /* else every message is one block of Grøstl */
    bool prefixed;      /* prefix is the byte before every message */
    uint8_t prefix;
    /* BLAKE3: flags of all blocks of a message, and additional ones of the first and the last
       block. */
    uint32_t flags, first_flags, last_flags;
} fin_group_rules;

typedef struct fin_group {
    const fin_impl *impl;
    size_t count;         /* messages; the lanes after them repeat the first one */
    size_t blocks;        /* of each message */
    size_t copied_blocks; /* set by prepare: number of copied blocks */
    _Alignas(64) uint8_t *digest[FIN_LANES_MAX];
    fin_lanes lanes; /* salt and rounds are set */
    /* Set by prepare: the address of each lane's last blocks, and their counters and flags: the rows
       from FIN_LANE_T on. */
    _Alignas(64) const uint8_t *last[FIN_LANES_MAX];
    _Alignas(64) uint8_t counters[4 * (FIN_LANE_ROWS - FIN_LANE_T) * FIN_LANES_MAX];
    /* High-water marks: bytes of copied that were written, and lanes that were used. The owner sets
       both to 0. */
    size_t copied_bytes, lanes_max;
    _Alignas(64) uint8_t copied[FIN_GROUP_COPIED_BYTES];
} fin_group;

/* The messages of a group to prepare: per lane, an address, which is not null, a length, and a
   digest's address, to which an idle lane does not write. */
typedef struct fin_group_source {
    const uint8_t *const *in;
    const uint32_t *bytes; /* without the prefix */
    uint8_t *const *digest;
    const uint64_t *number; /* of BLAKE3's chunks; null: 0 */
} fin_group_source;

/* Prepares a group: takes one message per lane, pads the final blocks and sets the lanes. impl,
   count and blocks are set. Its stores are as wide as the kernel's loads and complete long before
   these. */
typedef void fin_group_prepare_fn(const fin_group_rules *rules, fin_group *group,
                                  const fin_group_source *source);

/* Hashes a prepared group. next is the prepared group to be hashed next with the same
   implementation, whose first blocks are transposed meanwhile, or null. */
typedef void fin_group_hash_fn(const fin_group_rules *rules, fin_group *group, fin_group *next);

/* Consecutive nodes of BLAKE3 with the same number of blocks. */
typedef struct fin_level {
    const uint32_t *key; /* eight words */
    const uint8_t *in;
    size_t blocks;   /* of a node */
    uint64_t number; /* the first chunk's; 0 for parents */
    uint32_t step;   /* increment of the number: 1, or 0 for parents */
    uint64_t flags;  /* packed by fin_chain_flags */
} fin_level;

typedef void fin_hash_level_fn(const fin_level *level, const fin_impl *impl, fin_lanes *lanes,
                               size_t count, uint8_t *cvs);

/* Sets the lanes' addresses to the first nodes; lanes after the last node repeat the first one. */
static inline void fin_level_point(const fin_level *level, const uint8_t **in, size_t lane_count,
                                   size_t count)
{
    const size_t bytes = FIN_BLAKE3_BLOCK * level->blocks;
    for (size_t lane = 0; lane < lane_count; lane++) {
        in[lane] = level->in + (lane < count ? lane * bytes : 0);
    }
}

/* An implementation's functions for groups. prepare and hash are both null if those for any number of
   lanes take their place. hash_level writes the chaining values of count nodes; without BLAKE3 it is
   null. */
typedef struct fin_group_steps {
    fin_group_prepare_fn *prepare;
    fin_group_hash_fn *hash;
    fin_hash_level_fn *hash_level;
} fin_group_steps;

#pragma GCC visibility push(hidden)

/* The steps of unit/blake_lanes_avx2.c. */
extern const fin_group_steps fin_group_steps_avx2;

/* That of unit/blake_lanes_avx512.c. */
extern fin_hash_blocks_fn fin_hash_blocks_avx512;

/* Two alternating groups: one waits until the next one is prepared, whose first blocks are
   transposed while its own are compressed. */
typedef struct fin_group_pipeline {
    fin_group_rules rules;
    fin_group group[2];
    fin_group *waiting; /* one of the two, or null */
    size_t used;        /* groups used so far */
} fin_group_pipeline;

/* Starts without a waiting group. rules are set. */
static inline void fin_pipeline_start(fin_group_pipeline *pipeline)
{
    pipeline->waiting = NULL;
    pipeline->used = 0;
}

/* Prepares the group that does not wait: count messages, at most one per lane. */
fin_group *fin_pipeline_prepare(fin_group_pipeline *pipeline, const fin_impl *impl, size_t blocks,
                                const fin_group_source *source, size_t count);

/* Hashes the waiting group; then next, which may be null, waits. */
void fin_pipeline_next(fin_group_pipeline *pipeline, fin_group *next);

void fin_pipeline_erase(fin_group_pipeline *pipeline);

#pragma GCC visibility pop

#endif
