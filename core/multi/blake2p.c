/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE2bp and BLAKE2sp: four or eight leaves that take the message's blocks in turn, and a root
 * over their digests. BLAKE2 paper, section 2.11 ("parallel modes").
 *
 * A stripe is one block for each leaf. A stripe is compressed once every leaf is known to get a
 * byte after it; up to two stripes wait in the buffer. All leaves have seen the same number of
 * whole blocks, so state.t counts for each of them, and the stride of the compression functions
 * does the dealing.
 */
#include "internal.h"

typedef struct fin_stripes {
    fin_compression compression;
    uint32_t leaf_count;
    uint32_t block_bytes;
    uint32_t stripe_bytes;
} fin_stripes;

/* Leaves from first up to end. */
typedef struct fin_leaves {
    uint32_t first;
    uint32_t end;
} fin_leaves;

/* Blocks of one leaf, as fin_state and fin_compress have them. */
enum { FIN_LEAVES_MAX = 8 };
typedef struct fin_leaf_run {
    const uint8_t *in;
    uint64_t t[2];
    uint32_t increment;
    uint64_t f[2];
} fin_leaf_run;

static fin_stripes fin_stripes_of(const fin_descriptor *descriptor)
{
    const fin_compression compression = descriptor->small_compression;
    const uint32_t leaf_count = compression == FIN_COMPRESSION_BLAKE2B ? 4 : 8;
    const uint32_t block_bytes = fin_block_bytes[compression];
    return (fin_stripes){compression, leaf_count, block_bytes, leaf_count * block_bytes};
}

static void fin_leaf_load(fin_state *state, const fin_context *context, const fin_stripes *stripes,
                          uint32_t leaf)
{
    const size_t h_bytes = stripes->block_bytes / 2;
    memcpy(&state->h, (const uint8_t *)context->leaves + leaf * h_bytes, h_bytes);
    state->t[0] = context->state.t[0];
    state->t[1] = context->state.t[1];
    state->f[0] = state->f[1] = 0;
    state->rounds = context->state.rounds;
}

static void fin_leaf_store(fin_context *context, const fin_state *state, const fin_stripes *stripes,
                           uint32_t leaf)
{
    const size_t h_bytes = stripes->block_bytes / 2;
    memcpy((uint8_t *)context->leaves + leaf * h_bytes, &state->h, h_bytes);
}

void fin_striped_start(fin_context *context, const fin_descriptor *descriptor)
{
    const fin_stripes stripes = fin_stripes_of(descriptor);
    uint8_t block[64];
    memcpy(block, context->parameter_block, sizeof block);
    block[fin_node_depth_at(stripes.compression)] = 0;
    for (uint32_t leaf = 0; leaf < stripes.leaf_count; leaf++) {
        fin_state state;
        block[FIN_NODE_OFFSET] = (uint8_t)leaf;
        fin_blake2_node(&state, stripes.compression, block);
        fin_leaf_store(context, &state, &stripes, leaf);
    }
    context->state.t[0] = context->state.t[1] = 0;
    context->state.rounds = descriptor->rounds;
    if (context->key_bytes != 0) {
        memset(context->buffer, 0, stripes.stripe_bytes);
        for (uint32_t leaf = 0; leaf < stripes.leaf_count; leaf++) {
            memcpy(context->buffer + leaf * stripes.block_bytes, context->key, context->key_bytes);
        }
        context->buffered_bytes = stripes.stripe_bytes;
    }
}

/* A leaf's blocks of stripes. */
static fin_leaf_run fin_run_in_stripes(const fin_context *context, const fin_stripes *stripes,
                                       const uint8_t *in, uint32_t leaf)
{
    return (fin_leaf_run){in + leaf * stripes->block_bytes,
                          {context->state.t[0], context->state.t[1]},
                          stripes->block_bytes,
                          {0, 0}};
}

static void fin_leaves_compress_each(fin_context *context, const fin_stripes *stripes,
                                     fin_leaves part, const fin_leaf_run *runs, size_t blocks)
{
    fin_state state;
    for (uint32_t leaf = part.first; leaf < part.end; leaf++) {
        const fin_leaf_run *run = &runs[leaf];
        fin_leaf_load(&state, context, stripes, leaf);
        memcpy(state.t, run->t, sizeof state.t);
        memcpy(state.f, run->f, sizeof state.f);
        fin_compress(&state, stripes->compression, run->in, blocks, stripes->stripe_bytes,
                     run->increment);
        fin_leaf_store(context, &state, stripes, leaf);
    }
    fin_erase(&state, sizeof state);
}

/* Words of the part's leaves into rows of lanes, or back: as many as there are lanes or leaves. */
static void fin_leaves_exchange(fin_context *context, const fin_stripes *stripes, fin_leaves part,
                                fin_lanes *lanes, size_t lane_count, bool into_lanes)
{
    const bool wide = fin_words_are_wide(stripes->compression);
    for (size_t lane = 0; lane < lane_count && part.first + lane < part.end; lane++) {
        uint64_t *leaf = context->leaves + (part.first + lane) * stripes->block_bytes / 16;
        for (size_t i = 0; i < 8; i++) {
            const size_t at = (FIN_LANE_H + i) * lane_count + lane;
            void *word = wide ? (void *)&lanes->row.w64[at] : (void *)&lanes->row.w32[at];
            uint8_t *own = (uint8_t *)leaf + (wide ? 8 : 4) * i;
            memcpy(into_lanes ? word : own, into_lanes ? own : word, wide ? 8 : 4);
        }
    }
}

static void fin_leaves_compress_lanes(fin_context *context, const fin_stripes *stripes,
                                      fin_leaves part, const fin_impl *impl,
                                      const fin_leaf_run *runs, size_t blocks)
{
    fin_lanes lanes;
    const bool wide = fin_words_are_wide(stripes->compression);
    lanes.rounds = context->state.rounds;
    for (; part.first < part.end; part.first += impl->lanes) {
        fin_leaves_exchange(context, stripes, part, &lanes, impl->lanes, true);
        for (size_t lane = 0; lane < impl->lanes; lane++) {
            /* Lanes beyond the last leaf compute the part's first one once more. */
            const bool idle = part.first + lane >= part.end;
            const fin_leaf_run *run = &runs[part.first + (idle ? 0 : lane)];
            lanes.in[lane] = run->in;
            fin_lane_set_phase(&lanes, stripes->compression, impl->lanes, lane, run->t,
                               run->increment);
            fin_lane_set(&lanes, wide, FIN_LANE_F * impl->lanes + lane, run->f[0]);
            fin_lane_set(&lanes, wide, (FIN_LANE_F + 1) * impl->lanes + lane, run->f[1]);
        }
        impl->compress_lanes(&lanes, blocks, stripes->stripe_bytes);
        fin_leaves_exchange(context, stripes, part, &lanes, impl->lanes, false);
    }
    fin_erase(&lanes, sizeof lanes);
}

/* Some of the leaves; runs are all leaves'. Of the context it changes these leaves alone. */
static void fin_leaves_compress(fin_context *context, const fin_stripes *stripes, fin_leaves part,
                                const fin_leaf_run *runs, size_t blocks)
{
    const fin_impl *impl = fin_dispatch_lanes(stripes->compression, part.end - part.first);
    if (impl != NULL) {
        fin_leaves_compress_lanes(context, stripes, part, impl, runs, blocks);
    } else {
        fin_leaves_compress_each(context, stripes, part, runs, blocks);
    }
}

/* Some of the leaves over whole stripes. */
static void fin_stripes_compress(fin_context *context, const fin_stripes *stripes, fin_leaves part,
                                 const uint8_t *in, size_t count)
{
    fin_leaf_run runs[FIN_LEAVES_MAX];
    for (uint32_t leaf = part.first; leaf < part.end; leaf++) {
        runs[leaf] = fin_run_in_stripes(context, stripes, in, leaf);
    }
    fin_leaves_compress(context, stripes, part, runs, count);
}

static void fin_stripes_compress_all(fin_context *context, const fin_stripes *stripes,
                                     const uint8_t *in, size_t count)
{
    const fin_leaves all = {0, stripes->leaf_count};
    fin_stripes_compress(context, stripes, all, in, count);
    fin_state_advance(&context->state, count, stripes->block_bytes);
}

/* So many bytes after a stripe give each leaf one. */
static uint32_t fin_stripes_lookahead(const fin_stripes *stripes)
{
    return stripes->stripe_bytes - stripes->block_bytes + 1;
}

/*
 * Splits further bytes of a message into whole stripes to be compressed where they lie and the
 * rest. If there are such stripes, what was buffered is compressed, completed from in.
 */
static fin_share fin_stripes_split(fin_context *context, const fin_stripes *stripes,
                                   const uint8_t *in, size_t bytes)
{
    const uint32_t stripe_bytes = stripes->stripe_bytes;
    const uint32_t lookahead_bytes = fin_stripes_lookahead(stripes);
    const uint32_t begun = context->buffered_bytes % stripe_bytes;
    const uint32_t head = begun != 0 ? stripe_bytes - begun : 0;
    fin_share share = {in, 0, in, bytes, stripes->leaf_count, 1};
    if (bytes < (size_t)head + stripe_bytes + lookahead_bytes) {
        return share;
    }
    memcpy(context->buffer + context->buffered_bytes, in, head);
    context->buffered_bytes += head;
    if (context->buffered_bytes != 0) {
        fin_stripes_compress_all(context, stripes, context->buffer,
                                 context->buffered_bytes / stripe_bytes);
        context->buffered_bytes = 0;
    }
    share.in = in + head;
    share.stripes = (bytes - head - lookahead_bytes) / stripe_bytes;
    share.rest = share.in + share.stripes * stripe_bytes;
    share.rest_bytes = bytes - head - share.stripes * stripe_bytes;
    return share;
}

/* Bytes that leave no whole stripes in their middle. */
static void fin_stripes_buffer(fin_context *context, const fin_stripes *stripes, const uint8_t *in,
                               size_t bytes)
{
    const uint32_t stripe_bytes = stripes->stripe_bytes;
    const uint32_t lookahead_bytes = fin_stripes_lookahead(stripes);
    while (bytes != 0) {
        const size_t room = 2 * stripe_bytes - context->buffered_bytes;
        const size_t take = bytes < room ? bytes : room;
        memcpy(context->buffer + context->buffered_bytes, in, take);
        context->buffered_bytes += (uint32_t)take;
        in += take;
        bytes -= take;
        const uint8_t *ready = context->buffer;
        while (context->buffered_bytes >= stripe_bytes &&
               context->buffered_bytes - stripe_bytes + (uint64_t)bytes >= lookahead_bytes) {
            fin_stripes_compress_all(context, stripes, ready, 1);
            ready += stripe_bytes;
            context->buffered_bytes -= stripe_bytes;
        }
        /* What is left is less than what was taken: no overlap. */
        if (ready != context->buffer) {
            memcpy(context->buffer, ready, context->buffered_bytes);
        }
    }
}

void fin_striped_update(fin_context *context, const fin_descriptor *descriptor, const uint8_t *in,
                        size_t bytes)
{
    const fin_stripes stripes = fin_stripes_of(descriptor);
    const fin_share share = fin_stripes_split(context, &stripes, in, bytes);
    if (share.stripes != 0) {
        fin_stripes_compress_all(context, &stripes, share.in, share.stripes);
    }
    fin_stripes_buffer(context, &stripes, share.rest, share.rest_bytes);
}

void fin_striped_share(fin_context *context, const fin_descriptor *descriptor, const uint8_t *in,
                       size_t bytes, fin_share *share)
{
    const fin_stripes stripes = fin_stripes_of(descriptor);
    *share = fin_stripes_split(context, &stripes, in, bytes);
    const fin_impl *impl = fin_dispatch_lanes(stripes.compression, stripes.leaf_count);
    share->lanes = impl != NULL ? impl->lanes : 1;
    context->phase = FIN_PHASE_SHARED;
}

/* ---- The leaves of one message in several threads ---- */

/* Whether the context's leaves are shared, and then its stripes. */
static fin_status fin_share_check(const fin_context *context, const fin_share *share,
                                  fin_stripes *stripes)
{
    if (context == NULL || share == NULL) {
        return FIN_ERR_NULL;
    }
    const fin_descriptor *descriptor = fin_descriptor_of(context->algorithm);
    if (context->phase != FIN_PHASE_SHARED || descriptor == NULL) {
        return FIN_ERR_STATE;
    }
    *stripes = fin_stripes_of(descriptor);
    return FIN_OK;
}

fin_status fin_share_leaves(fin_context *context, const fin_share *share, uint32_t first,
                            uint32_t count)
{
    fin_stripes stripes;
    const fin_status status = fin_share_check(context, share, &stripes);
    if (status != FIN_OK) {
        return status;
    }
    if (first > stripes.leaf_count || count > stripes.leaf_count - first) {
        return FIN_ERR_INDEX;
    }
    if (share->stripes != 0 && count != 0) {
        const fin_leaves part = {first, first + count};
        fin_stripes_compress(context, &stripes, part, share->in, share->stripes);
    }
    return FIN_OK;
}

fin_status fin_share_end(fin_context *context, const fin_share *share)
{
    fin_stripes stripes;
    const fin_status status = fin_share_check(context, share, &stripes);
    if (status != FIN_OK) {
        return status;
    }
    fin_state_advance(&context->state, share->stripes, stripes.block_bytes);
    fin_stripes_buffer(context, &stripes, share->rest, share->rest_bytes);
    context->phase = FIN_PHASE_ABSORB;
    return FIN_OK;
}

/*
 * What is buffered, at most two stripes: for the first leaves a whole block and the end, for the
 * others the end alone, which may be empty. The buffer is padded with zeros for it.
 *
 *   leaf        0   1   2   3
 *   stripe 0    ..  ..  ..  ..    two leaves are ahead by a block
 *   stripe 1    ..  .
 */
static void fin_leaves_finish(fin_context *context, const fin_stripes *stripes)
{
    const uint32_t block_bytes = stripes->block_bytes;
    const uint32_t buffered = context->buffered_bytes;
    uint32_t ahead = 0;
    if (buffered > stripes->stripe_bytes) {
        ahead = (buffered - stripes->stripe_bytes + block_bytes - 1) / block_bytes;
        const fin_leaves part = {0, ahead};
        fin_stripes_compress(context, stripes, part, context->buffer, 1);
    }
    memset(context->buffer + buffered, 0, 2 * stripes->stripe_bytes - buffered);
    fin_leaf_run runs[FIN_LEAVES_MAX];
    for (uint32_t leaf = 0; leaf < stripes->leaf_count; leaf++) {
        const uint32_t at = (leaf < ahead ? stripes->stripe_bytes : 0) + leaf * block_bytes;
        const uint32_t rest = buffered > at ? buffered - at : 0;
        fin_state counter = context->state;
        fin_state_advance(&counter, leaf < ahead ? 1 : 0, block_bytes);
        runs[leaf] = (fin_leaf_run){context->buffer + at,
                                    {counter.t[0], counter.t[1]},
                                    rest < block_bytes ? rest : block_bytes,
                                    {UINT64_MAX, 0}};
    }
    runs[stripes->leaf_count - 1].f[1] = UINT64_MAX;
    const fin_leaves all = {0, stripes->leaf_count};
    fin_leaves_compress(context, stripes, all, runs, 1);
}

void fin_striped_finish(fin_context *context, const fin_descriptor *descriptor)
{
    const fin_stripes stripes = fin_stripes_of(descriptor);
    const uint32_t inner_bytes = stripes.block_bytes / 2;
    const uint32_t root_bytes = stripes.leaf_count * inner_bytes;
    uint8_t digests[FIN_LEAVES_BYTES];
    fin_state state;
    fin_leaves_finish(context, &stripes);
    for (uint32_t leaf = 0; leaf < stripes.leaf_count; leaf++) {
        fin_leaf_load(&state, context, &stripes, leaf);
        fin_blake2_ops.output(&state, stripes.compression, digests + leaf * inner_bytes,
                              inner_bytes);
    }
    fin_state *root = &context->state;
    fin_blake2_node(root, stripes.compression, context->parameter_block);
    fin_compress(root, stripes.compression, digests, root_bytes / stripes.block_bytes - 1,
                 stripes.block_bytes, stripes.block_bytes);
    root->f[1] = UINT64_MAX;
    const fin_tail tail = {digests + root_bytes - stripes.block_bytes, stripes.block_bytes, 0, 0};
    fin_finish(root, descriptor, stripes.compression, &tail);
    fin_erase(digests, sizeof digests);
    fin_erase(&state, sizeof state);
}
