/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The leaves of BLAKE2bp and BLAKE2sp: four or eight chaining values, compressed side by side in
 * lanes.
 */
#ifndef FIN_LEAVES_H
#define FIN_LEAVES_H

#include "lanes/lanes.h"
#include "message/message.h"

#pragma GCC visibility push(hidden)

enum { FIN_LEAVES_MAX = 8 };

typedef struct fin_stripes {
    const fin_instance *instance;
    uint32_t leaf_count;
    uint32_t block_bytes;
    uint32_t stripe_bytes;
} fin_stripes;

/* Leaves first .. end - 1. */
typedef struct fin_leaves {
    uint32_t first;
    uint32_t end;
} fin_leaves;

static inline fin_stripes fin_stripes_of(const fin_instance *instance)
{
    const uint32_t leaf_count = instance->compression == FIN_COMPRESSION_BLAKE2B ? 4 : 8;
    const uint32_t block_bytes = instance->block_bytes;
    return (fin_stripes){instance, leaf_count, block_bytes, leaf_count * block_bytes};
}

/* All leaves' chaining values, and the working memory of their compression. */
typedef struct fin_leaf_states {
    uint8_t *h; /* consecutive */
    uint64_t rounds;
    bool keyed;
    bool in_lanes; /* the chaining values are in lanes, one leaf per lane; h is stale */
    fin_lanes lanes;
    fin_lane_layout layout; /* of lanes */
    size_t lanes_max;       /* the most lanes used so far */
    fin_state state;
} fin_leaf_states;

/* The next blocks of leaves: for each leaf, count blocks, one stripe apart. */
typedef struct fin_leaf_blocks {
    size_t count;  /* per leaf */
    uint64_t t[2]; /* the leaves' counter before them */
    uint32_t ends; /* leaves from this one on end with these blocks */
    const uint8_t *in[FIN_LEAVES_MAX];
    uint32_t bytes[FIN_LEAVES_MAX]; /* the counter's increment per block */
} fin_leaf_blocks;

static inline void fin_leaf_states_begin(fin_leaf_states *states, void *h, uint64_t rounds,
                                         bool keyed)
{
    states->h = h;
    states->rounds = rounds;
    states->keyed = keyed;
    states->in_lanes = false;
    states->lanes_max = 0;
}

/* Brings h up to date. */
void fin_leaf_states_leave_lanes(fin_leaf_states *states);

/* Erases everything but h, and the stack that kernels used below the caller. */
FIN_INLINE void fin_leaf_states_end(fin_leaf_states *states)
{
    if (states->lanes_max != 0) {
        states->layout.lanes = states->lanes_max;
        fin_lanes_erase(&states->lanes, &states->layout);
    }
    fin_erase(&states->state.h, sizeof states->state.h);
    fin_erase_stack_if(states->keyed, FIN_STACK_LANES_BYTES);
}

/* Sets the leaves' chaining values before their first bytes. root: the root's state before its
   first byte. */
void fin_leaves_start(const fin_stripes *stripes, const fin_state *root, uint8_t *h);
/* Does the same in lanes if there are as many as leaves, else in states->h. */
void fin_leaf_states_start(fin_leaf_states *states, const fin_stripes *stripes,
                           const fin_state *root);

/* Compresses their next blocks into some of the leaves. */
void fin_leaves_compress(fin_leaf_states *states, const fin_stripes *stripes, fin_leaves part,
                         const fin_leaf_blocks *blocks);

#pragma GCC visibility pop

#endif
