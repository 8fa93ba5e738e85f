/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE3 of one message: in one call, as a stream, and its output of any length from any position.
 * BLAKE3 paper, sections 2.3 to 2.6.
 */
#include "message/blake3.h"

_Static_assert(FIN_BUFFER_BYTES == FIN_CHUNK_BYTES, "a stream buffers a chunk");
_Static_assert(FIN_SUBTREES_BYTES == FIN_CHUNKS_LOG2 * FIN_CV_BYTES, "one subtree a bit");

/* ---- Modes ---- */

static void fin_mode_hash(const fin_impl *impl, const uint32_t *key, uint32_t flags,
                          const uint8_t *in, size_t bytes, uint8_t *digest, size_t digest_bytes);

static void fin_mode_set(fin_state *state, const uint8_t key[32], uint32_t flags)
{
    for (size_t i = 0; i < 8; i++) {
        state->h.w32[i] = fin_load32_le(key + 4 * i);
    }
    state->f[1] = flags;
}

void fin_blake3_begin(fin_state *state, const fin_params *params)
{
    memcpy(&state->h, fin_iv256, FIN_CV_BYTES);
    memset(&state->salt, 0, sizeof state->salt);
    fin_store_piece(state->t, 0, 0);
    fin_store_piece(state->f, 0, 0);
    state->rounds = FIN_ROUNDS_BLAKE3;
    if (params != NULL && params->key_bytes != 0) {
        fin_mode_set(state, params->key, FIN_KEYED_HASH);
    } else if (params != NULL && params->derive_key_context != NULL) {
        uint8_t key[32];
        fin_mode_hash(fin_dispatch(FIN_COMPRESSION_BLAKE3), fin_iv256, FIN_DERIVE_KEY_CONTEXT,
                      params->derive_key_context, params->derive_key_context_bytes, key,
                      sizeof key);
        fin_mode_set(state, key, FIN_DERIVE_KEY_MATERIAL);
    }
}

/* ---- Output ---- */

void fin_blake3_output(const fin_state *root, const fin_impl *impl, const uint8_t block[64],
                       uint64_t position, uint8_t *out, size_t bytes)
{
    fin_state state;
    uint8_t whole[FIN_BLAKE3_BLOCK];
    while (bytes != 0) {
        const size_t offset = (size_t)(position % FIN_BLAKE3_BLOCK);
        const size_t space = FIN_BLAKE3_BLOCK - offset;
        const size_t take = bytes < space ? bytes : space;
        memcpy(&state.h, &root->h, FIN_CV_BYTES);
        fin_store_piece(state.t, position / FIN_BLAKE3_BLOCK, 0);
        fin_copy_piece(state.f, root->f);
        impl->compress(&state, block, 1, FIN_BLAKE3_BLOCK, 0);
        if (offset == 0) {
            fin_store_digest(out, &state.h, take, false, false);
        } else {
            fin_store_digest(whole, &state.h, sizeof whole, false, false);
            memcpy(out, whole + offset, take);
        }
        position += take;
        out += take;
        bytes -= take;
    }
    fin_erase(&state.h, sizeof whole);
    fin_erase(whole, sizeof whole);
}

/* ---- One call ---- */

/* Hashes a message of more than a chunk, or to a digest of more than a block. */
static FIN_NOINLINE void fin_hash_tree(const fin_impl *impl, const uint32_t *key, uint32_t flags,
                                       const uint8_t *in, size_t bytes, uint8_t *digest,
                                       size_t digest_bytes)
{
    uint8_t subtrees[FIN_SUBTREES_BYTES];
    fin_blake3_tree tree = {.impl = impl, .key = key, .flags = flags, .subtrees = subtrees};
    fin_blake3_node root;
    for (; bytes > FIN_GROUP_BYTES; in += FIN_GROUP_BYTES, bytes -= FIN_GROUP_BYTES) {
        fin_blake3_add(&tree, in, FIN_GROUP_CHUNKS);
    }
    fin_blake3_root(&tree, in, bytes, &root);
    fin_blake3_output(&root.state, impl, root.block, 0, digest, digest_bytes);
    fin_erase(&root.state.h, 64);
    fin_erase(root.padded, sizeof root.padded);
    fin_erase(subtrees, FIN_CV_BYTES * (fin_blake3_subtrees(tree.chunks, true) + 1));
    fin_erase_stack_if(flags != 0, FIN_STACK_MESSAGE_BYTES);
}

static FIN_NOINLINE void fin_mode_hash(const fin_impl *impl, const uint32_t *key, uint32_t flags,
                                       const uint8_t *in, size_t bytes, uint8_t *digest,
                                       size_t digest_bytes)
{
    if (bytes <= FIN_CHUNK_BYTES && digest_bytes <= FIN_BLAKE3_BLOCK) {
        fin_blake3_hash_node(impl, key, 0,
                             fin_chain_flags(flags, FIN_CHUNK_START, FIN_CHUNK_END | FIN_ROOT), in,
                             bytes, digest, digest_bytes);
    } else {
        fin_hash_tree(impl, key, flags, in, bytes, digest, digest_bytes);
    }
}

void fin_blake3_hash(const fin_impl *impl, const fin_params *params, const uint8_t *in,
                     size_t bytes, uint8_t *digest, size_t digest_bytes)
{
    if (params == NULL) {
        fin_mode_hash(impl, fin_iv256, 0, in, bytes, digest, digest_bytes);
        return;
    }
    fin_state start;
    fin_blake3_begin(&start, params);
    fin_mode_hash(impl, start.h.w32, (uint32_t)start.f[1], in, bytes, digest, digest_bytes);
    fin_erase(&start.h, FIN_CV_BYTES);
}

/* ---- Streams ---- */

fin_blake3_tree fin_blake3_tree_of(fin_context *context)
{
    return (fin_blake3_tree){.impl = fin_dispatch(FIN_COMPRESSION_BLAKE3),
                             .key = context->state.salt.w32,
                             .flags = context->parameter_block[0],
                             .chunks = context->state.t[0],
                             .may_end = context->buffered_bytes == 0,
                             .subtrees = (uint8_t *)context->leaves};
}

void fin_blake3_customise(fin_context *context, const fin_params *params)
{
    fin_state start;
    fin_blake3_begin(&start, params);
    memcpy(&context->state.salt, &start.h, FIN_CV_BYTES);
    context->parameter_block[0] = (uint8_t)start.f[1];
    fin_erase(&start.h, FIN_CV_BYTES);
}

void fin_blake3_start(fin_context *context)
{
    fin_store_piece(context->state.t, 0, 0);
    fin_store_piece(context->state.f, 0, 0);
    context->state.rounds = FIN_ROUNDS_BLAKE3;
}

/* Returns how many of the next chunks form one subtree: a power of two that divides the number of
   chunks before. */
static size_t fin_chunks_together(uint64_t before, size_t count)
{
    size_t together = FIN_GROUP_CHUNKS;
    while (together > count || (before & (together - 1)) != 0) {
        together /= 2;
    }
    return together;
}

/* Adds whole chunks, except a single chunk that may be the whole message: it would be the root. */
static void fin_add_chunks(fin_blake3_tree *tree, const uint8_t **in, size_t *bytes)
{
    size_t count = *bytes / FIN_CHUNK_BYTES;
    if (tree->chunks == 0 && *bytes == FIN_CHUNK_BYTES) {
        return;
    }
    while (count != 0) {
        const size_t together = fin_chunks_together(tree->chunks, count);
        fin_blake3_add(tree, *in, together);
        *in += together * FIN_CHUNK_BYTES;
        *bytes -= together * FIN_CHUNK_BYTES;
        count -= together;
    }
}

size_t fin_blake3_add_buffered(fin_context *context, fin_blake3_tree *tree, const uint8_t *in)
{
    const size_t buffered = context->buffered_bytes;
    if (buffered == 0) {
        return 0;
    }
    memcpy(context->buffer + buffered, in, FIN_CHUNK_BYTES - buffered);
    fin_blake3_add(tree, context->buffer, 1);
    context->buffered_bytes = 0;
    return FIN_CHUNK_BYTES - buffered;
}

void fin_blake3_update(fin_context *context, const uint8_t *in, size_t bytes)
{
    if (context->buffered_bytes == 0 || bytes > FIN_CHUNK_BYTES - context->buffered_bytes) {
        fin_blake3_tree tree = fin_blake3_tree_of(context);
        const size_t taken = fin_blake3_add_buffered(context, &tree, in);
        in += taken;
        bytes -= taken;
        fin_add_chunks(&tree, &in, &bytes);
        if (bytes != 0) {
            fin_blake3_settle(&tree);
        }
        context->state.t[0] = tree.chunks;
    }
    if (bytes != 0) {
        memcpy(context->buffer + context->buffered_bytes, in, bytes);
        context->buffered_bytes += (uint32_t)bytes;
    }
}

/* Sets the root's state and moves its last block to the buffer's beginning. */
void fin_blake3_finish(fin_context *context)
{
    fin_blake3_tree tree = fin_blake3_tree_of(context);
    fin_blake3_node root;
    fin_blake3_root(&tree, context->buffer, context->buffered_bytes, &root);
    memcpy(&context->state.h, &root.state.h, FIN_CV_BYTES);
    fin_copy_piece(context->state.f, root.state.f);
    for (size_t i = 0; i < FIN_BLAKE3_BLOCK; i += 16) {
        fin_copy_piece(context->buffer + i, root.block + i);
    }
    fin_erase(&root.state.h, 64);
    fin_erase(root.padded, sizeof root.padded);
    fin_erase_stack_if(tree.flags != 0, FIN_STACK_MESSAGE_BYTES);
}

void fin_blake3_squeeze(fin_context *context, uint8_t *out, size_t bytes)
{
    fin_blake3_output(&context->state, fin_dispatch(FIN_COMPRESSION_BLAKE3), context->buffer,
                      context->squeezed_bytes, out, bytes);
    context->squeezed_bytes += bytes;
}
