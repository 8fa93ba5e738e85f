/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE2 around its compression function: the parameter block, the state before the first byte, the
 * counter, the last block. RFC 7693; tree parameters as in the BLAKE2 paper, section 2.10.
 */
#ifndef FIN_SPEC_BLAKE2_H
#define FIN_SPEC_BLAKE2_H

#include "spec/variant.h"

#include "spec/blake_iv.h"

/* True if the counter does not overflow: 128 bits (BLAKE2b) or 64 (BLAKE2s), counting bytes. */
FIN_INLINE bool fin_blake2_fits(fin_variant variant, const uint64_t t[2], uint64_t pending_bytes)
{
    const bool carry = pending_bytes > UINT64_MAX - t[0];
    return !carry || (fin_is_wide(variant) && t[1] != UINT64_MAX);
}

/* Returns the length of the longest digest, which is also that of the longest key. */
FIN_INLINE uint8_t fin_blake2_digest_max(fin_variant variant)
{
    return fin_is_wide(variant) ? 64 : 32;
}

/* ---- The parameter block: RFC 7693, section 2.5; BLAKE2 paper, section 2.8 ---- */

/* The block's little-endian 64-bit words in pairs: four in BLAKE2b, two in BLAKE2s. */
typedef struct fin_parameter_block {
    fin_piece pair[4];
} fin_parameter_block;

/* Offsets of the fields in bytes. */
enum {
    FIN_NODE_DIGEST = 0,
    FIN_NODE_KEY = 1,
    FIN_NODE_FANOUT = 2,
    FIN_NODE_DEPTH = 3,
    FIN_NODE_LEAF_BYTES = 4,
    FIN_NODE_OFFSET = 8,
    FIN_NODE_XOF_BYTES = 12 /* BLAKE2X: the upper half of the node offset */
};
FIN_INLINE size_t fin_node_depth_at(fin_variant variant)
{
    return fin_is_wide(variant) ? 16 : 14;
}

/* All fields of a node except salt and personalisation. */
typedef struct fin_node_fields {
    uint8_t digest_bytes, key_bytes, fanout, depth;
    uint32_t leaf_bytes;
    uint64_t offset; /* eight bytes in BLAKE2b, six in BLAKE2s */
    uint8_t node_depth, inner_bytes;
} fin_node_fields;

/* Returns the node offset of a node of BLAKE2X: its index, and above it the output's length, which
   has four bytes in BLAKE2Xb and two in BLAKE2Xs. */
FIN_INLINE uint64_t fin_xof_offset(fin_variant variant, uint64_t output_bytes, uint32_t index)
{
    const uint64_t length = output_bytes & (fin_is_wide(variant) ? UINT32_MAX : UINT16_MAX);
    return index | length << 8 * (FIN_NODE_XOF_BYTES - FIN_NODE_OFFSET);
}

FIN_INLINE void fin_parameters_set_node(fin_variant variant, fin_parameter_block *block,
                                        fin_node_fields node)
{
    const uint64_t level = node.node_depth | (uint64_t)node.inner_bytes << 8;
    const uint64_t head = (uint64_t)node.digest_bytes << 8 * FIN_NODE_DIGEST |
                          (uint64_t)node.key_bytes << 8 * FIN_NODE_KEY |
                          (uint64_t)node.fanout << 8 * FIN_NODE_FANOUT |
                          (uint64_t)node.depth << 8 * FIN_NODE_DEPTH |
                          (uint64_t)node.leaf_bytes << 8 * FIN_NODE_LEAF_BYTES;
    const size_t level_at = fin_node_depth_at(variant) - FIN_NODE_OFFSET;
    if (fin_is_wide(variant)) {
        block->pair[0] = (fin_piece){head, node.offset};
        block->pair[1] = (fin_piece){level, 0};
    } else {
        block->pair[0] = (fin_piece){head, node.offset | level << 8 * level_at};
    }
}

/* Sets the root over BLAKE2bp's or BLAKE2sp's leaves: BLAKE2 paper, section 2.11. */
FIN_INLINE void fin_parameters_set_root(fin_variant variant, fin_parameter_block *block,
                                        uint8_t digest_bytes, uint8_t key_bytes)
{
    const fin_node_fields root = {.digest_bytes = digest_bytes,
                                  .key_bytes = key_bytes,
                                  .fanout = fin_is_wide(variant) ? 4 : 8,
                                  .depth = 2,
                                  .node_depth = 1,
                                  .inner_bytes = fin_blake2_digest_max(variant)};
    fin_parameters_set_node(variant, block, root);
}

/* Sets salt and personalisation, padded with zeros. */
FIN_INLINE void fin_parameters_set_salts(fin_variant variant, fin_parameter_block *block,
                                         const fin_params *params)
{
    const fin_piece none = {0, 0};
    if (params == NULL || params->salt_bytes + params->personal_bytes == 0) {
        block->pair[fin_is_wide(variant) ? 2 : 1] = none;
        block->pair[3] = none;
        return;
    }
    const uint8_t *salt = params->salt, *personal = params->personal;
    const size_t salt_bytes = params->salt_bytes, personal_bytes = params->personal_bytes;
    const uint64_t salt_low = fin_word_of_tail(salt, salt_bytes, 0);
    const uint64_t personal_low = fin_word_of_tail(personal, personal_bytes, 0);
    if (fin_is_wide(variant)) {
        block->pair[2] = (fin_piece){salt_low, fin_word_of_tail(salt, salt_bytes, 8)};
        block->pair[3] = (fin_piece){personal_low, fin_word_of_tail(personal, personal_bytes, 8)};
    } else {
        block->pair[1] = (fin_piece){salt_low, personal_low};
    }
}

/* Fills the block for one node, or for the tree that params describe. params: valid, or null. */
FIN_INLINE void fin_parameters_of(fin_variant variant, fin_parameter_block *block,
                                  uint8_t digest_bytes, const fin_params *params)
{
    fin_node_fields node = {.digest_bytes = digest_bytes, .fanout = 1, .depth = 1};
    if (params != NULL) {
        node.key_bytes = (uint8_t)params->key_bytes;
    }
    if (params != NULL && params->tree_mode != NULL) {
        const fin_tree_mode *tree = params->tree_mode;
        node.fanout = tree->fanout;
        node.depth = tree->depth;
        node.leaf_bytes = tree->leaf_bytes;
        node.offset = tree->node_offset;
        node.node_depth = tree->node_depth;
        node.inner_bytes = tree->inner_bytes;
    }
    fin_parameters_set_node(variant, block, node);
    fin_parameters_set_salts(variant, block, params);
}

/* Stores the first count pairs of words. */
FIN_INLINE void fin_parameters_store(uint8_t *bytes, const fin_parameter_block *block, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fin_store_piece(bytes + 16 * i, FIN_TO_LE(64, block->pair[i][0]),
                        FIN_TO_LE(64, block->pair[i][1]));
    }
}

/* Replaces the fields of the node in a stored block; salt and personalisation stay. */
FIN_INLINE void fin_blake2_replace_node(fin_variant variant, uint8_t bytes[64],
                                        fin_node_fields node)
{
    fin_parameter_block block;
    fin_parameters_set_node(variant, &block, node);
    fin_parameters_store(bytes, &block, fin_is_wide(variant) ? 2 : 1);
}

/* ---- The state before the first byte ---- */

/* Sets the chaining value to the initial value XOR the parameter block. */
FIN_INLINE void fin_blake2_seed(fin_variant variant, fin_state *state,
                                const fin_parameter_block *block)
{
    const uint8_t *iv =
        fin_is_wide(variant) ? (const uint8_t *)fin_iv512 : (const uint8_t *)fin_iv256;
    for (size_t i = 0; i < (fin_is_wide(variant) ? 4 : 2); i++) {
        fin_piece pair = block->pair[i];
        if (FIN_CPU_IS_BIG_ENDIAN && !fin_is_wide(variant)) {
            pair = pair << 32 | pair >> 32;
        }
        fin_xor_piece((uint8_t *)&state->h + 16 * i, iv + 16 * i, &pair);
    }
    state->rounds = fin_is_wide(variant) ? FIN_ROUNDS_BLAKE2B : FIN_ROUNDS_BLAKE2S;
}

/* Adds a node offset to the chaining value of a node whose offset is 0. */
FIN_INLINE void fin_blake2_set_offset(fin_variant variant, void *h, uint64_t offset)
{
    const uint64_t word =
        fin_is_wide(variant) ? offset : fin_pair_of_words(offset & UINT32_MAX, offset >> 32);
    uint8_t piece[16];
    fin_store_piece(piece, 0, word);
    fin_xor_piece(h, h, piece);
}

/* Changes the depth in a node's chaining value from 0 to node_depth, or back. */
FIN_INLINE void fin_blake2_change_depth(fin_variant variant, void *h, uint8_t node_depth)
{
    uint8_t *to = (uint8_t *)h + (fin_is_wide(variant) ? 16 : 0);
    const uint64_t low = fin_is_wide(variant) ? node_depth : 0;
    const uint64_t narrow = (uint64_t)node_depth << 16;
    uint8_t piece[16];
    fin_store_piece(piece, low, fin_is_wide(variant) ? 0 : fin_pair_of_words(0, narrow));
    fin_xor_piece(to, to, piece);
}

/* ---- The last block ---- */

/* Sets the flag words (RFC 7693, section 2.4): the first is all ones in the last block, the second
   in the last block of a level's last node. Other families ignore them. */
static inline void fin_state_set_flags(fin_state *state, bool last, uint64_t last_node)
{
    fin_store_piece(state->f, last ? UINT64_MAX : 0, last ? last_node : 0);
}

/* Sets the last segment: one block, zero-padded, or a whole block in place. */
FIN_INLINE void fin_blake2_end(fin_variant variant, const uint64_t t[2], const fin_tail *tail,
                               const uint8_t *padded, fin_final_blocks *final, uint64_t after[2])
{
    const bool whole = tail->bytes == fin_variant_block(variant);
    after[0] = t[0] + tail->bytes;
    after[1] = t[1] + (after[0] < t[0]);
    fin_segment_set(&final->segment[0], whole ? tail->in : padded, 1, t, (uint32_t)tail->bytes);
}

#endif
