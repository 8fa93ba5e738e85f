/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE2 around its compression function: the parameter block, the key block, finalisation.
 * RFC 7693; tree parameters after the BLAKE2 paper, section 2.10.
 */
#include "family/family.h"

#include "gen/blake_iv.inc"

static bool fin_is_blake2b(fin_compression compression)
{
    return compression == FIN_COMPRESSION_BLAKE2B;
}

/* The counter is of 128 (BLAKE2b) or 64 (BLAKE2s) bits and counts bytes. */
static bool fin_blake2_fits(const uint64_t t[2], const fin_instance *instance,
                            uint64_t pending_bytes, unsigned bit_count)
{
    (void)bit_count;
    const bool carry = pending_bytes > UINT64_MAX - t[0];
    return !carry || (fin_is_blake2b(instance->compression) && t[1] != UINT64_MAX);
}

/* ---- The parameter block ---- */

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

/* Bytes 0 .. 7 as one number. */
static uint64_t fin_node_head(uint8_t digest_bytes, size_t key_bytes, uint8_t fanout, uint8_t depth,
                              uint32_t leaf_bytes)
{
    return digest_bytes | (uint64_t)key_bytes << 8 | (uint64_t)fanout << 16 |
           (uint64_t)depth << 24 | (uint64_t)leaf_bytes << 32;
}

/* Bytes 0 .. 31, with head as the first eight. */
static void fin_set_node(uint8_t block[64], fin_compression compression, uint64_t head,
                         uint64_t offset, uint8_t node_depth, uint8_t inner_bytes)
{
    const uint64_t level = node_depth | (uint64_t)inner_bytes << 8;
    const bool wide = fin_is_blake2b(compression);
    fin_store_piece(block, FIN_TO_LE(64, head),
                    FIN_TO_LE(64, wide ? offset : offset | level << 48));
    fin_store_piece(block + 16, wide ? FIN_TO_LE(64, level) : 0, 0);
}

/* Salt and personalisation, with zeros behind them. */
static void fin_set_salts(uint8_t block[64], fin_compression compression, const fin_params *params)
{
    const uint8_t *salt = params->salt;
    const uint8_t *personal = params->personal;
    const uint64_t salt_low = fin_word_of_tail(salt, params->salt_bytes, 0);
    const uint64_t personal_low = fin_word_of_tail(personal, params->personal_bytes, 0);
    if (!fin_is_blake2b(compression)) {
        fin_store_piece(block + 16, FIN_TO_LE(64, salt_low), FIN_TO_LE(64, personal_low));
        return;
    }
    fin_store_piece(block + 32, FIN_TO_LE(64, salt_low),
                    FIN_TO_LE(64, fin_word_of_tail(salt, params->salt_bytes, 8)));
    fin_store_piece(block + 48, FIN_TO_LE(64, personal_low),
                    FIN_TO_LE(64, fin_word_of_tail(personal, params->personal_bytes, 8)));
}

/* Kept out of the way of messages that have none of these. */
static FIN_NOINLINE void fin_blake2_options(uint8_t block[64], fin_compression compression,
                                            uint8_t node_bytes, const fin_params *params)
{
    const fin_tree *tree = params->tree;
    if (tree != NULL) {
        const uint64_t head = fin_node_head(node_bytes, params->key_bytes, tree->fanout,
                                            tree->depth, tree->leaf_bytes);
        fin_set_node(block, compression, head, tree->node_offset, tree->node_depth,
                     tree->inner_bytes);
    }
    if (params->salt_bytes + params->personal_bytes != 0) {
        fin_set_salts(block, compression, params);
    }
}

void fin_blake2_parameters(uint8_t block[64], const fin_instance *instance,
                           const fin_params *params)
{
    const fin_compression compression = instance->compression;
    const uint8_t shape = instance->descriptor->shape;
    const uint8_t digest_max = fin_blake2_digest_max(compression);
    const bool striped = shape == FIN_STRIPED;
    const size_t key_bytes = params != NULL ? params->key_bytes : 0;
    const uint8_t node_bytes = shape == FIN_XOF ? digest_max : (uint8_t)instance->digest_bytes;
    const uint8_t leaves = fin_is_blake2b(compression) ? 4 : 8;
    /* The xof_length of BLAKE2X has four bytes in BLAKE2Xb, two in BLAKE2Xs. */
    const uint64_t xof_mask = fin_is_blake2b(compression) ? UINT32_MAX : UINT16_MAX;
    const uint64_t xof_bytes = shape == FIN_XOF ? instance->digest_bytes & xof_mask : 0;
    const uint64_t head =
        fin_node_head(node_bytes, key_bytes, striped ? leaves : 1, striped ? 2 : 1, 0);
    const uint64_t offset = xof_bytes << 8 * (FIN_NODE_XOF_BYTES - FIN_NODE_OFFSET);
    fin_set_node(block, compression, head, offset, striped ? 1 : 0, striped ? digest_max : 0);
    fin_store_piece(block + 32, 0, 0);
    fin_store_piece(block + 48, 0, 0);
    if (params != NULL) {
        fin_blake2_options(block, compression, node_bytes, params);
    }
}

/* ---- States ---- */

void fin_blake2_node(fin_state *state, fin_compression compression, const uint8_t block[64])
{
    const bool wide = fin_is_blake2b(compression);
    const uint8_t *iv = wide ? (const uint8_t *)fin_iv512 : (const uint8_t *)fin_iv256;
    uint8_t *h = (uint8_t *)&state->h;
    for (size_t i = 0; i < (wide ? 64 : 32); i += 16) {
        uint8_t piece[16];
        if (FIN_CPU_IS_BIG_ENDIAN) {
            fin_copy_piece_reversed(piece, block + i, wide);
        } else {
            fin_copy_piece(piece, block + i);
        }
        fin_xor_piece(h + i, iv + i, piece);
    }
    fin_store_piece(state->t, 0, 0);
    fin_store_piece(state->f, 0, 0);
    state->rounds = wide ? 12 : 10;
}

/* Sets four or two words of the state from those of the initial value and of a parameter block, which
   are given as little-endian words of 64 bits. */
FIN_INLINE void fin_set_words(uint8_t *h, const uint8_t *iv, bool wide, uint64_t first,
                              uint64_t second)
{
    uint8_t piece[16];
    if (FIN_CPU_IS_BIG_ENDIAN && !wide) {
        first = first << 32 | first >> 32;
        second = second << 32 | second >> 32;
    }
    fin_store_piece(piece, first, second);
    fin_xor_piece(h, iv, piece);
}

void fin_blake2_plain(fin_state *state, fin_compression compression, size_t digest_bytes)
{
    const bool wide = fin_is_blake2b(compression);
    const uint8_t *iv = wide ? (const uint8_t *)fin_iv512 : (const uint8_t *)fin_iv256;
    uint8_t *h = (uint8_t *)&state->h;
    fin_set_words(h, iv, wide, fin_node_head((uint8_t)digest_bytes, 0, 1, 1, 0), 0);
    fin_copy_piece(h + 16, iv + 16);
    if (wide) {
        fin_copy_piece(h + 32, iv + 32);
        fin_copy_piece(h + 48, iv + 48);
    }
    fin_store_piece(state->t, 0, 0);
    state->rounds = wide ? 12 : 10;
}

void fin_blake2_unkeyed(fin_state *state, fin_compression compression, size_t digest_bytes,
                        const fin_params *params)
{
    static const fin_tree sequential = {.fanout = 1, .depth = 1};
    const bool wide = fin_is_blake2b(compression);
    const uint8_t *iv = wide ? (const uint8_t *)fin_iv512 : (const uint8_t *)fin_iv256;
    const uint8_t *salt = params->salt, *personal = params->personal;
    const size_t salt_bytes = params->salt_bytes, personal_bytes = params->personal_bytes;
    const fin_tree *tree = params->tree != NULL ? params->tree : &sequential;
    const uint64_t head =
        fin_node_head((uint8_t)digest_bytes, 0, tree->fanout, tree->depth, tree->leaf_bytes);
    const uint64_t level = tree->node_depth | (uint64_t)tree->inner_bytes << 8;
    const uint64_t salt_low = fin_word_of_tail(salt, salt_bytes, 0);
    const uint64_t personal_low = fin_word_of_tail(personal, personal_bytes, 0);
    uint8_t *h = (uint8_t *)&state->h;
    if (wide) {
        fin_set_words(h, iv, true, head, tree->node_offset);
        fin_set_words(h + 16, iv + 16, true, level, 0);
        fin_set_words(h + 32, iv + 32, true, salt_low, fin_word_of_tail(salt, salt_bytes, 8));
        fin_set_words(h + 48, iv + 48, true, personal_low,
                      fin_word_of_tail(personal, personal_bytes, 8));
    } else {
        fin_set_words(h, iv, false, head, tree->node_offset | level << 48);
        fin_set_words(h + 16, iv + 16, false, salt_low, personal_low);
    }
    fin_store_piece(state->t, 0, 0);
    state->rounds = wide ? 12 : 10;
}

static void fin_blake2_start(fin_state *state, const fin_instance *instance,
                             const uint8_t *parameter_block)
{
    fin_blake2_node(state, instance->compression, parameter_block);
}

/* One block with zeros after the message; a whole one is compressed where it lies. */
static void fin_blake2_pad(const uint64_t t[2], const fin_instance *instance, const fin_tail *tail,
                           fin_ends *ends)
{
    const bool whole = tail->bytes == instance->block_bytes;
    const uint64_t sum = t[0] + tail->bytes;
    fin_store_piece(ends->t, sum, t[1] + (sum < t[0]));
    ends->count = 1;
    fin_segment_set(&ends->segment[0], whole ? tail->in : ends->padded, 1, t,
                    (uint32_t)tail->bytes);
    ends->segment[0].last = true;
    fin_padded_take(ends, whole ? 0 : instance->block_bytes);
    if (!whole) {
        fin_copy_tail(ends->padded, tail->in, tail->bytes, 0, tail->in_pieces);
    }
}

static void fin_blake2_output(const fin_state *state, const fin_instance *instance, uint8_t *digest,
                              size_t digest_bytes)
{
    fin_store_digest(digest, &state->h, digest_bytes, fin_is_blake2b(instance->compression), false);
}

const fin_family_ops fin_blake2_ops = {fin_blake2_fits, fin_blake2_start, fin_blake2_pad,
                                       fin_blake2_output};
