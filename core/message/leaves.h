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

enum { FIN_STRIPE_BYTES = FIN_BUFFER_BYTES / 2 };

/* The constants of BLAKE2sp and BLAKE2bp. */
typedef struct fin_stripes {
    fin_variant variant;
    fin_compression compression;
    uint32_t leaf_count;
    uint32_t block_bytes;
    uint32_t rounds;
} fin_stripes;

static const fin_stripes fin_both_stripes[2] = {
    {FIN_VARIANT_BLAKE2S, FIN_COMPRESSION_BLAKE2S, 8, 64, FIN_ROUNDS_BLAKE2SP},
    {FIN_VARIANT_BLAKE2B, FIN_COMPRESSION_BLAKE2B, 4, 128, FIN_ROUNDS_BLAKE2BP},
};

static inline const fin_stripes *fin_stripes_of(const fin_instance *instance)
{
    return &fin_both_stripes[fin_is_wide(instance->variant)];
}

/* Leaves first .. end - 1. */
typedef struct fin_leaves {
    uint32_t first;
    uint32_t end;
} fin_leaves;

/* All leaves' chaining values, and the working memory of their compression. */
typedef struct fin_leaf_states {
    uint8_t *h;    /* consecutive */
    bool in_lanes; /* the chaining values are in lanes, one leaf per lane; h is stale */
    fin_lanes lanes;
    fin_lane_layout layout; /* of lanes */
    size_t lanes_max;       /* the most lanes used so far */
} fin_leaf_states;

/* The next blocks of leaves: for each leaf, count blocks, one stripe apart. */
typedef struct fin_leaf_blocks {
    size_t count;   /* per leaf */
    uint64_t t[2];  /* the leaves' counter before them */
    uint32_t final; /* leaves from this one on end with these blocks */
    const uint8_t *in[FIN_LEAVES_MAX];
    uint32_t bytes[FIN_LEAVES_MAX]; /* the counter's increment per block */
} fin_leaf_blocks;

static inline void fin_leaf_states_begin(fin_leaf_states *states, const fin_stripes *stripes,
                                         void *h)
{
    states->h = h;
    states->in_lanes = false;
    states->lanes_max = 0;
    fin_lanes_reset(&states->lanes, stripes->rounds);
}

/* Brings h up to date. */
void fin_leaf_states_leave_lanes(fin_leaf_states *states);

/* Erases everything but h, and the stack that kernels used below the caller. */
FIN_INLINE void fin_leaf_states_end(fin_leaf_states *states, bool keyed)
{
    if (states->lanes_max != 0) {
        states->layout.lanes = states->lanes_max;
        fin_lanes_erase(&states->lanes, states->layout);
    }
    fin_erase_stack_if(keyed, FIN_STACK_LANES_BYTES);
}

/* Sets the leaves' chaining values before their first bytes, in lanes if there are as many as
   leaves, else in h. root: the root's state before its first byte. */
void fin_leaf_states_start(fin_leaf_states *states, const fin_stripes *stripes,
                           const fin_state *root);

/* Compresses their next blocks into some of the leaves. */
void fin_leaves_compress(fin_leaf_states *states, const fin_stripes *stripes, fin_leaves part,
                         const fin_leaf_blocks *blocks);

#pragma GCC visibility pop

#endif
