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
#include "multi/lanes.h"

enum { FIN_LEAVES_MAX = 8 };

typedef struct fin_stripes {
    const fin_instance *instance;
    uint32_t leaf_count;
    uint32_t block_bytes;
    uint32_t stripe_bytes;
} fin_stripes;

/* Leaves from first up to end. */
typedef struct fin_leaves {
    uint32_t first;
    uint32_t end;
} fin_leaves;

static fin_stripes fin_stripes_of(const fin_instance *instance)
{
    const uint32_t leaf_count = instance->compression == FIN_COMPRESSION_BLAKE2B ? 4 : 8;
    const uint32_t block_bytes = instance->block_bytes;
    return (fin_stripes){instance, leaf_count, block_bytes, leaf_count * block_bytes};
}

static uint8_t *fin_leaf_h(fin_context *context, const fin_stripes *stripes, uint32_t leaf)
{
    return (uint8_t *)context->leaves + leaf * (stripes->block_bytes / 2);
}

/* h alone: counters and flags are a segment's. */
static void fin_leaf_load(fin_state *state, fin_context *context, const fin_stripes *stripes,
                          uint32_t leaf)
{
    memcpy(&state->h, fin_leaf_h(context, stripes, leaf), stripes->block_bytes / 2);
}

static void fin_leaf_store(fin_context *context, const fin_state *state, const fin_stripes *stripes,
                           uint32_t leaf)
{
    memcpy(fin_leaf_h(context, stripes, leaf), &state->h, stripes->block_bytes / 2);
}

void fin_striped_start(fin_context *context, const fin_instance *instance)
{
    const fin_stripes stripes = fin_stripes_of(instance);
    uint8_t block[64];
    memcpy(block, context->parameter_block, sizeof block);
    block[fin_node_depth_at(instance->compression)] = 0;
    for (uint32_t leaf = 0; leaf < stripes.leaf_count; leaf++) {
        fin_state state;
        block[FIN_NODE_OFFSET] = (uint8_t)leaf;
        fin_blake2_node(&state, instance->compression, block);
        fin_leaf_store(context, &state, &stripes, leaf);
    }
    fin_store_piece(context->state.t, 0, 0);
    context->state.rounds = instance->descriptor->rounds;
    if (context->key_bytes != 0) {
        memset(context->buffer, 0, stripes.stripe_bytes);
        for (uint32_t leaf = 0; leaf < stripes.leaf_count; leaf++) {
            memcpy(context->buffer + leaf * stripes.block_bytes, context->key, context->key_bytes);
        }
        context->buffered_bytes = stripes.stripe_bytes;
    }
}

/* ---- Leaves over blocks ---- */

static bool fin_leaf_is_last(const fin_stripes *stripes, uint32_t leaf)
{
    return leaf + 1 == stripes->leaf_count;
}

static void fin_leaves_compress_each(fin_context *context, const fin_stripes *stripes,
                                     fin_leaves part, const fin_segment *segments)
{
    const fin_impl *impl = fin_dispatch(stripes->instance->compression);
    fin_state state;
    state.rounds = context->state.rounds;
    for (uint32_t leaf = part.first; leaf < part.end; leaf++) {
        const uint64_t last_node = fin_leaf_is_last(stripes, leaf) ? UINT64_MAX : 0;
        fin_leaf_load(&state, context, stripes, leaf);
        fin_compress_segment(&state, impl, &segments[leaf], stripes->stripe_bytes, last_node);
        fin_leaf_store(context, &state, stripes, leaf);
    }
    fin_erase(&state, sizeof state);
    fin_erase_stack_if(fin_context_keyed(context), FIN_STACK_MESSAGE_BYTES);
}

static void fin_leaves_compress_lanes(fin_context *context, const fin_stripes *stripes,
                                      fin_leaves part, const fin_impl *impl,
                                      const fin_segment *segments)
{
    const fin_lane_layout layout = fin_lane_layout_of(stripes->instance, impl);
    fin_lanes lanes;
    fin_state state;
    state.rounds = context->state.rounds;
    fin_lanes_start(&lanes, &state);
    for (; part.first < part.end; part.first += impl->lanes) {
        for (uint32_t lane = 0; lane < impl->lanes; lane++) {
            /* Lanes beyond the last leaf compute the part's first one once more. */
            const bool idle = part.first + lane >= part.end;
            const uint32_t leaf = part.first + (idle ? 0 : lane);
            fin_leaf_load(&state, context, stripes, leaf);
            fin_lanes_put_h(&lanes, &layout, lane, &state);
            fin_lanes_set_segment(&lanes, &layout, lane, &segments[leaf],
                                  fin_leaf_is_last(stripes, leaf));
        }
        impl->compress_lanes(&lanes, segments[part.first].blocks, stripes->stripe_bytes);
        for (uint32_t lane = 0; lane < impl->lanes && part.first + lane < part.end; lane++) {
            fin_lanes_take_h(&lanes, &layout, lane, &state);
            fin_leaf_store(context, &state, stripes, part.first + lane);
        }
    }
    fin_erase(&lanes, sizeof lanes);
    fin_erase(&state, sizeof state);
    fin_erase_stack_if(fin_context_keyed(context), FIN_STACK_LANES_BYTES);
}

/* Some of the leaves, each over a segment of its own with as many blocks as the others. Of the
   context it changes these leaves alone. */
static void fin_leaves_compress(fin_context *context, const fin_stripes *stripes, fin_leaves part,
                                const fin_segment *segments)
{
    const fin_impl *impl =
        fin_dispatch_lanes(stripes->instance->compression, part.end - part.first);
    if (impl != NULL) {
        fin_leaves_compress_lanes(context, stripes, part, impl, segments);
    } else {
        fin_leaves_compress_each(context, stripes, part, segments);
    }
}

/* Some of the leaves over whole stripes. */
static void fin_stripes_compress(fin_context *context, const fin_stripes *stripes, fin_leaves part,
                                 const uint8_t *in, size_t count)
{
    fin_segment segments[FIN_LEAVES_MAX];
    for (uint32_t leaf = part.first; leaf < part.end; leaf++) {
        fin_segment_set(&segments[leaf], in + leaf * stripes->block_bytes, count, context->state.t,
                        stripes->block_bytes);
    }
    fin_leaves_compress(context, stripes, part, segments);
}

static void fin_stripes_compress_all(fin_context *context, const fin_stripes *stripes,
                                     const uint8_t *in, size_t count)
{
    const fin_leaves all = {0, stripes->leaf_count};
    fin_stripes_compress(context, stripes, all, in, count);
    fin_counter_advance(context->state.t, count, stripes->block_bytes);
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
        const size_t space = 2 * stripe_bytes - context->buffered_bytes;
        const size_t take = bytes < space ? bytes : space;
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

void fin_striped_update(fin_context *context, const fin_instance *instance, const uint8_t *in,
                        size_t bytes)
{
    const fin_stripes stripes = fin_stripes_of(instance);
    const fin_share share = fin_stripes_split(context, &stripes, in, bytes);
    if (share.stripes != 0) {
        fin_stripes_compress_all(context, &stripes, share.in, share.stripes);
    }
    fin_stripes_buffer(context, &stripes, share.rest, share.rest_bytes);
}

void fin_striped_share(fin_context *context, const fin_instance *instance, const uint8_t *in,
                       size_t bytes, fin_share *share)
{
    const fin_stripes stripes = fin_stripes_of(instance);
    *share = fin_stripes_split(context, &stripes, in, bytes);
    const fin_impl *impl = fin_dispatch_lanes(instance->compression, stripes.leaf_count);
    share->lanes = impl != NULL ? impl->lanes : 1;
    context->phase = FIN_PHASE_SHARED;
}

/* ---- The leaves of one message in several threads ---- */

static fin_status fin_share_check(const fin_context *context, const fin_share *share)
{
    if (context == NULL || share == NULL) {
        return FIN_ERR_NULL;
    }
    const bool shared = context->phase == FIN_PHASE_SHARED;
    return shared && fin_descriptor_of(context->algorithm) != NULL ? FIN_OK : FIN_ERR_STATE;
}

fin_status fin_share_leaves(fin_context *context, const fin_share *share, uint32_t first,
                            uint32_t count)
{
    const fin_status status = fin_share_check(context, share);
    if (status != FIN_OK) {
        return status;
    }
    const fin_instance instance = fin_context_instance(context);
    const fin_stripes stripes = fin_stripes_of(&instance);
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
    const fin_status status = fin_share_check(context, share);
    if (status != FIN_OK) {
        return status;
    }
    const fin_instance instance = fin_context_instance(context);
    const fin_stripes stripes = fin_stripes_of(&instance);
    fin_counter_advance(context->state.t, share->stripes, stripes.block_bytes);
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
    fin_segment segments[FIN_LEAVES_MAX];
    for (uint32_t leaf = 0; leaf < stripes->leaf_count; leaf++) {
        const uint32_t at = (leaf < ahead ? stripes->stripe_bytes : 0) + leaf * block_bytes;
        const uint32_t rest = buffered > at ? buffered - at : 0;
        uint64_t t[2] = {context->state.t[0], context->state.t[1]};
        fin_counter_advance(t, leaf < ahead ? 1 : 0, block_bytes);
        fin_segment_set(&segments[leaf], context->buffer + at, 1, t,
                        rest < block_bytes ? rest : block_bytes);
        segments[leaf].last = true;
    }
    const fin_leaves all = {0, stripes->leaf_count};
    fin_leaves_compress(context, stripes, all, segments);
}

void fin_striped_finish(fin_context *context, const fin_instance *instance)
{
    const fin_stripes stripes = fin_stripes_of(instance);
    const uint32_t inner_bytes = stripes.block_bytes / 2;
    const uint32_t root_bytes = stripes.leaf_count * inner_bytes;
    uint8_t digests[FIN_LEAVES_BYTES];
    fin_state leaf_state;
    fin_leaves_finish(context, &stripes);
    for (uint32_t leaf = 0; leaf < stripes.leaf_count; leaf++) {
        fin_leaf_load(&leaf_state, context, &stripes, leaf);
        fin_blake2_ops.output(&leaf_state, instance, digests + leaf * inner_bytes, inner_bytes);
    }
    fin_state *root = &context->state;
    fin_blake2_node(root, instance->compression, context->parameter_block);
    fin_compress(root, instance, digests, root_bytes / stripes.block_bytes - 1);
    const fin_tail tail = {digests + root_bytes - stripes.block_bytes, stripes.block_bytes, 0, 0,
                           false};
    fin_finish(root, instance, &tail, UINT64_MAX);
    fin_erase(digests, sizeof digests);
    fin_erase(&leaf_state, sizeof leaf_state);
}
