/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Single nodes of BLAKE3's tree, for callers that build proofs about a part of a message, or read
 * its parts in several threads.
 */
#include "message/blake3.h"

/* Checks the parameters and sets the state before a node's first block. */
static fin_status fin_nodes_begin(fin_state *start, const fin_params *params)
{
    fin_instance instance;
    const fin_status status = fin_prepare(&instance, FIN_BLAKE3, params);
    if (status != FIN_OK) {
        return status;
    }
    if (instance.digest_bytes != FIN_CV_BYTES) {
        return FIN_ERR_DIGEST_LENGTH;
    }
    fin_blake3_begin(start, params);
    return FIN_OK;
}

static void fin_nodes_end(fin_state *start)
{
    const bool keyed = start->f[1] != 0;
    fin_erase(&start->h, FIN_CV_BYTES);
    fin_erase_stack_if(keyed, FIN_STACK_LANES_BYTES);
}

/* True if a tree can have a subtree of this length at this chunk. */
static bool fin_is_subtree(size_t bytes, uint64_t first_chunk)
{
    const uint64_t chunks = bytes / FIN_CHUNK_BYTES + (bytes % FIN_CHUNK_BYTES != 0);
    uint64_t span = 1;
    while (span < chunks) {
        span *= 2;
    }
    return bytes != 0 && first_chunk % span == 0 && fin_blake3_fits(first_chunk, bytes);
}

fin_status fin_blake3_subtree_cv(uint8_t *cv, const fin_params *params, const void *in,
                                 size_t bytes, uint64_t first_chunk)
{
    fin_state start;
    if (cv == NULL || in == NULL) {
        return FIN_ERR_NULL;
    }
    if (!fin_in_memory(in, bytes)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    if (!fin_is_subtree(bytes, first_chunk)) {
        return FIN_ERR_INDEX;
    }
    const fin_status status = fin_nodes_begin(&start, params);
    if (status == FIN_OK) {
        const fin_blake3_tree tree = fin_blake3_tree_from(&start);
        fin_blake3_subtree(&tree, in, bytes, first_chunk, cv);
        fin_nodes_end(&start);
    }
    return status;
}

fin_status fin_blake3_merge(uint8_t *out, const fin_params *params, const uint8_t *children,
                            bool root)
{
    fin_state start;
    if (out == NULL || children == NULL) {
        return FIN_ERR_NULL;
    }
    const fin_status status = fin_nodes_begin(&start, params);
    if (status == FIN_OK) {
        const fin_blake3_tree tree = fin_blake3_tree_from(&start);
        const uint64_t flags = fin_chain_flags(tree.flags | FIN_PARENT, 0, root ? FIN_ROOT : 0);
        fin_blake3_hash_node(tree.impl, tree.key, 0, flags, children, FIN_BLAKE3_BLOCK, out,
                             FIN_CV_BYTES);
        fin_nodes_end(&start);
    }
    return status;
}

fin_status fin_blake3_append(fin_context *context, const uint8_t *cv, uint64_t chunks)
{
    fin_instance instance;
    if (context == NULL || cv == NULL) {
        return FIN_ERR_NULL;
    }
    if (!fin_instance_in_phase(&instance, context, FIN_PHASE_ABSORB)) {
        return FIN_ERR_STATE;
    }
    if (!fin_is_chunked(instance.descriptor)) {
        return FIN_ERR_ALGORITHM;
    }
    const bool buffered = context->buffered_bytes == FIN_CHUNK_BYTES;
    const uint64_t before = context->state.t[0] + buffered;
    if (context->buffered_bytes != 0 && !buffered) {
        return FIN_ERR_STATE;
    }
    if (before == 0 || chunks == 0 || (chunks & (chunks - 1)) != 0 || before % chunks != 0) {
        return FIN_ERR_INDEX;
    }
    if (!fin_blake3_fits(before + chunks, 0)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    fin_blake3_tree tree = fin_blake3_tree_of(context);
    (void)fin_blake3_add_buffered(context, &tree, cv);
    fin_blake3_push(&tree, cv, chunks);
    context->state.t[0] = tree.chunks;
    return FIN_OK;
}
