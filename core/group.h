/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A group: short messages with the same number of blocks, one a lane, from their bytes to their
 * digests in one call. A unit of lanes makes its function from kern/lanes_group.h.
 */
#ifndef FIN_GROUP_H
#define FIN_GROUP_H

#include "impl.h"

enum {
    FIN_GROUP_BLOCKS_MAX = 4,
    FIN_GROUP_PREFIXED_BLOCKS_MAX = 2, /* with a prefix all blocks are staged */
    FIN_GROUP_STAGED_BYTES = 320       /* two blocks and what a copy may write behind them */
};

/* What all messages have in common. */
struct fin_group_rules {
    const fin_state *start; /* before the first block, or after the key's */
    size_t digest_bytes;
    uint64_t last_node; /* BLAKE2's flag word: all ones or 0 */
    bool full_length;   /* BLAKE: the padding's last bit is set */
    bool prefixed;      /* prefix stands before every message */
    uint8_t prefix;
};

struct fin_group {
    size_t count;  /* messages; the lanes after them repeat the first one */
    size_t blocks; /* of each message */
    const uint8_t *in[FIN_LANES_MAX];
    uint32_t bytes[FIN_LANES_MAX]; /* without the prefix */
    uint8_t *digest[FIN_LANES_MAX];
    fin_lanes lanes; /* salt and rounds are set */
    _Alignas(64) uint8_t staged[FIN_LANES_MAX][FIN_GROUP_STAGED_BYTES];
};

#endif
