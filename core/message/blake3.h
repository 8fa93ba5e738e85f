/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE3's tree over one message: nodes, and subtrees that wait for their siblings.
 */
#ifndef FIN_BLAKE3_H
#define FIN_BLAKE3_H

#include "message/message.h"

#pragma GCC visibility push(hidden)

/* Chunks whose chaining values are computed together, level by level, in lanes. */
enum { FIN_GROUP_CHUNKS = 256, FIN_GROUP_BYTES = FIN_GROUP_CHUNKS * FIN_CHUNK_BYTES };

/* A tree under construction: on the stack for a message hashed in one call, in the context for a
   stream. */
typedef struct fin_blake3_tree {
    const fin_impl *impl; /* for one node at a time */
    const uint32_t *key;  /* eight words: the initial value of every node */
    uint32_t flags;       /* the mode's, for all blocks */
    uint64_t chunks;      /* number of chunks in the subtrees */
    bool may_end;         /* true while no byte is known to follow */
    uint8_t *subtrees;    /* their chaining values, the largest first: fin_blake3_subtrees */
} fin_blake3_tree;

/* A node before its last block, whose flags tell the root from the others. */
typedef struct fin_blake3_node {
    _Alignas(64) fin_state state; /* state.t is 0 if it may be the root */
    const uint8_t *block;
    _Alignas(64) uint8_t padded[64]; /* holds the block if it is short or a parent's */
} fin_blake3_node;

/* Hashes a node of up to FIN_CHUNK_BYTES, a chunk or a parent, to its chaining value or, for a root,
   its digest of up to FIN_BLAKE3_BLOCK bytes. flags are packed by fin_chain_flags. */
void fin_blake3_hash_node(const fin_impl *impl, const uint32_t *key, uint64_t number,
                          uint64_t flags, const uint8_t *in, size_t bytes, uint8_t *out,
                          size_t out_bytes);

/* Hashes consecutive messages of the same number of blocks, up to FIN_CHUNK_BLOCKS, to digests of
   FIN_CV_BYTES each. start: as fin_blake3_begin sets it. */
void fin_blake3_hash_equal(const fin_state *start, const uint8_t *in, size_t blocks, size_t count,
                           uint8_t *digests);

/* Adds count chunks, a power of two up to FIN_GROUP_CHUNKS that divides the number of chunks in the
   tree. If they are the whole message, their last parent is not computed yet. */
void fin_blake3_add(fin_blake3_tree *tree, const uint8_t *in, size_t count);

/* Computes the chaining value of a subtree over these bytes, whose first chunk has this number. */
void fin_blake3_subtree(const fin_blake3_tree *tree, const uint8_t *in, size_t bytes,
                        uint64_t first, uint8_t *cv);

/* Adds a subtree of count chunks as fin_blake3_add does. A message has at least two of them. */
void fin_blake3_push(fin_blake3_tree *tree, const uint8_t *cv, uint64_t count);

/* Returns a context's tree: the parameter block holds the mode's flags, the salt field its words. */
fin_blake3_tree fin_blake3_tree_of(fin_context *context);

/* Adds the chunk that the buffer begins, if it is not empty, and returns the number of bytes of in
   that complete the chunk. At least as many follow, and more unless the chunk is complete. */
size_t fin_blake3_add_buffered(fin_context *context, fin_blake3_tree *tree, const uint8_t *in);

/* Merges subtrees left unmerged, because more of the message follows. */
void fin_blake3_settle(fin_blake3_tree *tree);

/* Sets the root over the tree and the message's last bytes: up to FIN_GROUP_BYTES, and at least one
   if the tree is empty. */
void fin_blake3_root(fin_blake3_tree *tree, const uint8_t *in, size_t bytes, fin_blake3_node *root);

/* Sets the state before a message's first block: the mode's words, and its flags in f[1]. */
void fin_blake3_begin(fin_state *state, const fin_params *params);

/* Returns the empty tree of a message that begins with this state, without space for subtrees. */
static inline fin_blake3_tree fin_blake3_tree_from(const fin_state *start)
{
    return (fin_blake3_tree){.impl = fin_dispatch(FIN_COMPRESSION_BLAKE3),
                             .key = start->h.w32,
                             .flags = (uint32_t)start->f[1]};
}

/* Writes the root's output from a position on. */
void fin_blake3_output(const fin_state *root, const fin_impl *impl, const uint8_t block[64],
                       uint64_t position, uint8_t *out, size_t bytes);

#pragma GCC visibility pop

#endif
