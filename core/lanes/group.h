/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A group: short messages with the same number of blocks, one a lane, from their bytes to their
 * digests.
 *
 * Whole blocks are compressed where they lie. The last block, of BLAKE and Grøstl the last two, is
 * staged: the message's end, the byte after it, the length. So all lanes take the same two calls
 * whatever their lengths, and only counters differ. If all of BLAKE's messages end with a block, only
 * padding is staged, once for all lanes.
 */
#ifndef FIN_GROUP_H
#define FIN_GROUP_H

#include "impl.h"

enum {
    FIN_GROUP_BYTES_MAX = 1 << 28,                         /* longer messages' counters may carry */
    FIN_GROUP_PREFIXED_BLOCKS_MAX = 2,                     /* with a prefix all blocks are staged */
    FIN_GROUP_STAGED_BYTES = (2 * 64 + 64) * FIN_LANES_MAX /* or (2 * 128 + 64) of half as many */
};

/* Properties that all messages share. */
typedef struct fin_group_rules {
    fin_family family;
    size_t block_bytes;
    const fin_state *start; /* before the first block, or after the key's */
    size_t digest_bytes;
    uint64_t last_node; /* BLAKE2's flag word: all ones or 0 */
    size_t full_length; /* BLAKE: 1 if the padding's last bit is set; a word, as gcc loads it */
    bool padded;        /* else every message is one block of Grøstl */
    bool prefixed;      /* prefix is the byte before every message */
    uint8_t prefix;
    /* BLAKE3: flags of a message's blocks, and what the first and the last one have in addition. */
    uint32_t flags, first_flags, last_flags;
} fin_group_rules;

typedef struct fin_group {
    const fin_impl *impl;
    size_t count;         /* messages; the lanes after them repeat the first one */
    size_t blocks;        /* of each message */
    size_t staged_blocks; /* the preparation's: how many of them are staged */
    _Alignas(64) uint8_t *digest[FIN_LANES_MAX];
    fin_lanes lanes; /* salt and rounds are set */
    /* The preparation's: where each lane's last blocks lie, and their counters and flags. */
    _Alignas(64) const uint8_t *last[FIN_LANES_MAX];
    fin_lane_counters counters;
    /* Bytes of staged that were ever written, and the most lanes that were used. The owner begins
       with zeros. */
    size_t staged_bytes, lanes_max;
    _Alignas(64) uint8_t staged[FIN_GROUP_STAGED_BYTES];
} fin_group;

/* The messages of a group before it is prepared: for each lane an address, which is not null, a length,
   and a digest's place, which an idle lane does not write to. */
typedef struct fin_group_source {
    const uint8_t *const *in;
    const uint32_t *bytes; /* without the prefix */
    uint8_t *const *digest;
    const uint64_t *number; /* of BLAKE3's chunks; null: 0 */
} fin_group_source;

typedef void fin_group_prepare_fn(const fin_group_rules *rules, fin_group *group,
                                  const fin_group_source *source);
typedef void fin_group_hash_fn(const fin_group_rules *rules, fin_group *group, fin_group *next);

/* The functions that fin_group_prepare and fin_group_hash call. */
typedef struct fin_group_steps {
    fin_group_prepare_fn *prepare;
    fin_group_hash_fn *hash;
} fin_group_steps;

#pragma GCC visibility push(hidden)

/* Takes up the messages, for each lane one, pads their ends and sets the lanes. impl, count and blocks
   are set. Writes in pieces what a kernel loads whole, long before the kernel runs. */
void fin_group_prepare(const fin_group_rules *rules, fin_group *group,
                       const fin_group_source *source);

/* Hashes a prepared group. next is the prepared group that will be hashed next, with the same
   implementation, or null: its first blocks are transposed meanwhile. */
void fin_group_hash(const fin_group_rules *rules, fin_group *group, fin_group *next);

/* Two alternating groups: one waits until the next one is prepared, whose first blocks are transposed
   beside its own. */
typedef struct fin_group_turns {
    fin_group_rules rules;
    fin_group group[2];
    fin_group *waiting; /* one of the two, or null */
    size_t used;        /* of the two */
} fin_group_turns;

/* No group waits. rules are set. */
static inline void fin_turns_start(fin_group_turns *turns)
{
    turns->waiting = NULL;
    turns->used = 0;
}

/* Prepares a group beside the one that waits: count messages, no more than there are lanes. */
fin_group *fin_turns_prepare(fin_group_turns *turns, const fin_impl *impl, size_t blocks,
                             const fin_group_source *source, size_t count);

/* Hashes the waiting group; next waits then, and may be null. */
void fin_turns_next(fin_group_turns *turns, fin_group *next);

void fin_turns_erase(fin_group_turns *turns);

#pragma GCC visibility pop

#endif
