/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE2 around its compression function: the parameter block, the key block, finalisation.
 * RFC 7693; tree parameters after the BLAKE2 paper, section 2.10.
 */
#include "internal.h"

#include "gen/blake_iv.inc"

static bool fin_is_blake2b(fin_compression compression)
{
    return compression == FIN_COMPRESSION_BLAKE2B;
}

/* The counter is of 128 (BLAKE2b) or 64 (BLAKE2s) bits and counts bytes. */
static bool fin_blake2_fits(const fin_state *state, fin_compression compression,
                            uint64_t pending_bytes, unsigned bit_count)
{
    (void)bit_count;
    const bool carry = pending_bytes > UINT64_MAX - state->t[0];
    return !carry || (fin_is_blake2b(compression) && state->t[1] != UINT64_MAX);
}

/* The node offset has eight bytes in BLAKE2b, six in BLAKE2s; the node depth follows. */
static size_t fin_node_offset_bytes(fin_compression compression)
{
    return fin_node_depth_at(compression) - FIN_NODE_OFFSET;
}

bool fin_blake2_tree_valid(const fin_descriptor *descriptor, const fin_tree *tree)
{
    const fin_compression compression = descriptor->small_compression;
    const size_t offset_bits = 8 * fin_node_offset_bytes(compression);
    return descriptor->shape == FIN_SERIAL && tree->depth != 0 &&
           tree->inner_bytes <= fin_blake2_digest_max(compression) &&
           (offset_bits == 64 || tree->node_offset >> offset_bits == 0);
}

/* Bytes 0 .. 7 as one number: what is stored and read back whole needs no wait in between. */
static uint64_t fin_node_head(uint8_t digest_bytes, size_t key_bytes, uint8_t fanout, uint8_t depth,
                              uint32_t leaf_bytes)
{
    return digest_bytes | (uint64_t)key_bytes << 8 | (uint64_t)fanout << 16 |
           (uint64_t)depth << 24 | (uint64_t)leaf_bytes << 32;
}

static void fin_blake2_tree(uint8_t block[64], fin_compression compression, uint8_t digest_bytes,
                            const fin_params *params)
{
    const fin_tree *tree = params->tree;
    const size_t depth_at = fin_node_depth_at(compression);
    uint8_t offset[8];
    fin_store64_le(offset, tree->node_offset);
    fin_store64_le(block, fin_node_head(digest_bytes, params->key_bytes, tree->fanout, tree->depth,
                                        tree->leaf_bytes));
    memcpy(block + FIN_NODE_OFFSET, offset, fin_node_offset_bytes(compression));
    block[depth_at] = tree->node_depth;
    block[depth_at + 1] = tree->inner_bytes;
}

void fin_blake2_parameters(uint8_t block[64], const fin_descriptor *descriptor,
                           const fin_params *params, uint64_t digest_bytes)
{
    const fin_compression compression = descriptor->small_compression;
    const uint8_t digest_max = fin_blake2_digest_max(compression);
    const bool striped = descriptor->shape == FIN_STRIPED;
    const size_t key_bytes = params != NULL ? params->key_bytes : 0;
    const uint8_t node_bytes = descriptor->shape == FIN_XOF ? digest_max : (uint8_t)digest_bytes;
    const uint8_t leaves = fin_is_blake2b(compression) ? 4 : 8;
    memset(block, 0, 64);
    fin_store64_le(block,
                   fin_node_head(node_bytes, key_bytes, striped ? leaves : 1, striped ? 2 : 1, 0));
    if (descriptor->shape == FIN_XOF) {
        block[fin_node_xof_at()] = (uint8_t)digest_bytes;
        block[fin_node_xof_at() + 1] = (uint8_t)(digest_bytes >> 8);
        if (fin_is_blake2b(compression)) {
            block[fin_node_xof_at() + 2] = (uint8_t)(digest_bytes >> 16);
            block[fin_node_xof_at() + 3] = (uint8_t)(digest_bytes >> 24);
        }
    }
    if (striped) {
        block[fin_node_depth_at(compression)] = 1;
        block[fin_node_depth_at(compression) + 1] = digest_max;
    }
    if (params == NULL) {
        return;
    }
    const size_t salt_at = fin_is_blake2b(compression) ? 32 : 16;
    if (params->salt_bytes != 0) {
        memcpy(block + salt_at, params->salt, params->salt_bytes);
    }
    if (params->personal_bytes != 0) {
        memcpy(block + salt_at + descriptor->info.salt_bytes, params->personal,
               params->personal_bytes);
    }
    if (params->tree != NULL) {
        fin_blake2_tree(block, compression, node_bytes, params);
    }
}

void fin_blake2_node(fin_state *state, fin_compression compression, const uint8_t block[64])
{
    for (size_t i = 0; i < 8; i++) {
        if (fin_is_blake2b(compression)) {
            state->h.w64[i] = fin_iv512[i] ^ fin_load64_le(block + 8 * i);
        } else {
            state->h.w32[i] = fin_iv256[i] ^ fin_load32_le(block + 4 * i);
        }
    }
    state->t[0] = state->t[1] = 0;
    state->f[0] = state->f[1] = 0;
    state->rounds = fin_is_blake2b(compression) ? 12 : 10;
}

/* The key, padded with zeros, is the first block. */
static void fin_blake2_start(fin_context *context, const fin_descriptor *descriptor)
{
    fin_blake2_node(&context->state, descriptor->small_compression, context->parameter_block);
    if (context->key_bytes != 0) {
        context->buffered_bytes = fin_block_bytes[descriptor->small_compression];
        memset(context->buffer, 0, context->buffered_bytes);
        memcpy(context->buffer, context->key, context->key_bytes);
    }
}

/* One block with zeros after the message; a whole one is compressed where it lies. */
static void fin_blake2_pad(const fin_state *state, const fin_descriptor *descriptor,
                           fin_compression compression, const fin_tail *tail, fin_ends *ends)
{
    (void)descriptor;
    const uint64_t t0 = state->t[0];
    const uint64_t t1 = state->t[1];
    const uint64_t sum = t0 + tail->bytes;
    ends->t[0] = sum;
    ends->t[1] = t1 + (sum < t0);
    ends->flag = UINT64_MAX;
    ends->count = 1;
    ends->end[0] = (fin_end){tail->in, 1, {t0, t1}, (uint32_t)tail->bytes};
    ends->padded_bytes = 0;
    if (tail->bytes != fin_block_bytes[compression]) {
        ends->end[0].in = ends->padded;
        fin_clear_padded(ends, fin_block_bytes[compression]);
        fin_copy_tail(ends->padded, tail->in, tail->bytes, 0);
    }
}

static void fin_blake2_output(const fin_state *state, fin_compression compression, uint8_t *digest,
                              size_t digest_bytes)
{
    if (fin_is_blake2b(compression)) {
        fin_store_words64(digest, state->h.w64, digest_bytes);
        return;
    }
    uint64_t words[4];
    for (size_t i = 0; i < 4; i++) {
        words[i] = state->h.w32[2 * i] | (uint64_t)state->h.w32[2 * i + 1] << 32;
    }
    fin_store_words64(digest, words, digest_bytes);
    fin_erase(words, sizeof words);
}

const fin_family_ops fin_blake2_ops = {fin_blake2_fits, fin_blake2_start, fin_blake2_pad,
                                       fin_blake2_output};
