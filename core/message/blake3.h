/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE3's tree over one message: nodes, and subtrees that wait for their neighbours.
 */
#ifndef FIN_BLAKE3_H
#define FIN_BLAKE3_H

#include "message/message.h"

#pragma GCC visibility push(hidden)

/* Chunks whose chaining values are computed together: level by level, in lanes. */
enum { FIN_GROUP_CHUNKS = 256, FIN_GROUP_BYTES = FIN_GROUP_CHUNKS * FIN_CHUNK_BYTES };

/* A tree that grows. A message that is hashed in one call keeps it on the stack, a stream in its
   context. */
typedef struct fin_blake3_tree {
    const fin_impl *impl; /* for one node at a time */
    const uint32_t *key;  /* eight words: what every node begins with */
    uint32_t flags;       /* of all blocks: the mode */
    uint64_t chunks;      /* how many are in the subtrees */
    bool may_end;         /* nothing is known to come behind them */
    uint8_t *subtrees;    /* their chaining values, the largest first: fin_blake3_subtrees */
} fin_blake3_tree;

/* A node before its last block, which decides whether it is the root. */
typedef struct fin_blake3_node {
    _Alignas(64) fin_state state; /* state.t is 0 in what may be the root */
    const uint8_t *block;
    _Alignas(64) uint8_t padded[64]; /* where block lies if it is short or a parent's */
} fin_blake3_node;

/* A node's blocks: a chunk's or a parent's. */
typedef struct fin_blake3_chain {
    uint64_t number;
    uint32_t flags;       /* of all blocks, */
    uint32_t first, last; /* and what the first and the last one have in addition */
} fin_blake3_chain;

/* A node of up to FIN_CHUNK_BYTES bytes, with the tree's key: its chaining value or, of a root, digest, of
   up to FIN_BLAKE3_BLOCK bytes. */
void fin_blake3_hash_chain(const fin_blake3_tree *tree, const fin_blake3_chain *chain,
                           const uint8_t *in, size_t bytes, uint8_t *out, size_t out_bytes);

/* Chaining values of count nodes whose input lies one right after the other: whole chunks, of which the
   first has this number, or parents. cvs may be where the parents' input begins. */
void fin_blake3_chunks(const fin_blake3_tree *tree, const uint8_t *in, size_t count, uint64_t first,
                       uint8_t *cvs);
void fin_blake3_parents(const fin_blake3_tree *tree, const uint8_t *pairs, size_t count,
                        uint8_t *cvs);

/* Adds count chunks, of whose number there is a multiple in the tree: a power of two up to
   FIN_GROUP_CHUNKS. If they are all of the message, their last parent is left open. */
void fin_blake3_add(fin_blake3_tree *tree, const uint8_t *in, size_t count);

/* The chaining value of a subtree: bytes, of which the first chunk has this number. */
void fin_blake3_subtree(const fin_blake3_tree *tree, const uint8_t *in, size_t bytes,
                        uint64_t first, uint8_t *cv);

/* Adds a subtree of count chunks, as fin_blake3_add does. At least two of them make a message. */
void fin_blake3_push(fin_blake3_tree *tree, const uint8_t *cv, uint64_t count);

/* A context's tree. */
fin_blake3_tree fin_blake3_tree_of(fin_context *context);

/* Merges what was left open: more of the message follows. */
void fin_blake3_settle(fin_blake3_tree *tree);

/* The root of the tree and the message's last bytes: up to FIN_GROUP_BYTES, and at least one if the
   tree has none. */
void fin_blake3_root(fin_blake3_tree *tree, const uint8_t *in, size_t bytes, fin_blake3_node *root);

/* The state before a message's first block: the mode's words, and its flags in f[1]. */
void fin_blake3_begin(fin_state *state, const fin_params *params);

/* Output of the root from a position on. */
void fin_blake3_output(const fin_state *root, const fin_impl *impl, const uint8_t block[64],
                       uint64_t position, uint8_t *out, size_t bytes);

#pragma GCC visibility pop

#endif
