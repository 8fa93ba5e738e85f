/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * One message of BLAKE3 in several threads. The caller's threads compute perfect subtrees of equal
 * size; the last step adds them to the tree.
 */
#include "message/blake3.h"

enum { FIN_SHARED_SUBTREES = 32 };

/* Returns the address of the subtrees' chaining values: the end of the context's space for the
   tree's own. */
static uint8_t *fin_shared_cvs(fin_context *context, const fin_share *share)
{
    return (uint8_t *)context->leaves + FIN_SUBTREES_BYTES - FIN_CV_BYTES * share->leaf_count;
}

/* Returns the chunks per subtree: the least power of two, from FIN_GROUP_CHUNKS on, of which count
   has at most FIN_SHARED_SUBTREES. */
static size_t fin_shared_chunks(size_t count)
{
    size_t chunks = FIN_GROUP_CHUNKS;
    while (count / chunks > FIN_SHARED_SUBTREES) {
        chunks *= 2;
    }
    return chunks;
}

void fin_blake3_share(fin_context *context, const uint8_t *in, size_t bytes, fin_share *share)
{
    const size_t space = FIN_CHUNK_BYTES - context->buffered_bytes;
    if (context->buffered_bytes != 0 && bytes > space) {
        fin_blake3_tree tree = fin_blake3_tree_of(context);
        in += fin_blake3_add_buffered(context, &tree, in);
        context->state.t[0] = tree.chunks;
        bytes -= space;
    }
    const size_t chunks = fin_shared_chunks(bytes / FIN_CHUNK_BYTES);
    /* A subtree begins at a multiple of its number of chunks; the chunks before it are hashed
       here. */
    const size_t past = (size_t)(context->state.t[0] % chunks);
    const size_t ahead_bytes = past == 0 ? 0 : (chunks - past) * FIN_CHUNK_BYTES;
    if (context->buffered_bytes == 0 && bytes > ahead_bytes) {
        fin_blake3_update(context, in, ahead_bytes);
        in += ahead_bytes;
        bytes -= ahead_bytes;
    }
    const uint64_t before = context->state.t[0];
    const size_t count = bytes / FIN_CHUNK_BYTES;
    const size_t subtrees =
        count / chunks < FIN_SHARED_SUBTREES ? count / chunks : (size_t)FIN_SHARED_SUBTREES;
    /* If the buffer is not empty, or the next chunk begins no subtree, less than one is left. */
    const bool pays =
        subtrees > 1 && fin_blake3_subtrees(before, true) + subtrees <= FIN_CHUNKS_LOG2;
    const size_t shared_bytes = pays ? subtrees * chunks * FIN_CHUNK_BYTES : 0;
    *share = (fin_share){.in = in,
                         .stripes = pays ? chunks : 0,
                         .rest = in + shared_bytes,
                         .rest_bytes = bytes - shared_bytes,
                         .leaf_count = pays ? (uint32_t)subtrees : 1,
                         .lanes = 1};
    context->phase = FIN_PHASE_SHARED;
}

void fin_blake3_share_leaves(fin_context *context, const fin_share *share, uint32_t first,
                             uint32_t count)
{
    const fin_blake3_tree tree = fin_blake3_tree_of(context);
    uint8_t *cvs = fin_shared_cvs(context, share);
    for (uint32_t leaf = first; share->stripes != 0 && leaf < first + count; leaf++) {
        const size_t at = leaf * share->stripes;
        fin_blake3_subtree(&tree, share->in + at * FIN_CHUNK_BYTES,
                           share->stripes * FIN_CHUNK_BYTES, tree.chunks + at,
                           cvs + FIN_CV_BYTES * leaf);
    }
}

void fin_blake3_share_end(fin_context *context, const fin_share *share)
{
    fin_blake3_tree tree = fin_blake3_tree_of(context);
    uint8_t *cvs = fin_shared_cvs(context, share);
    for (uint32_t leaf = 0; share->stripes != 0 && leaf < share->leaf_count; leaf++) {
        fin_blake3_push(&tree, cvs + FIN_CV_BYTES * leaf, share->stripes);
    }
    context->state.t[0] = tree.chunks;
    context->phase = FIN_PHASE_ABSORB;
    fin_blake3_update(context, share->rest, share->rest_bytes);
}
