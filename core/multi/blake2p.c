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
#include "lanes/lanes.h"
#include "message/message.h"

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

/* All leaves' chaining values, and what their compression takes of the stack. */
typedef struct fin_leaf_states {
    uint8_t *h; /* one after the other */
    uint64_t rounds;
    bool keyed;
    fin_lanes lanes;
    fin_lane_layout layout; /* of lanes */
    size_t lanes_max;       /* so many lanes were used at most */
    fin_state state;
} fin_leaf_states;

/* The next blocks of leaves: of each one its first, the others stripes after it. */
typedef struct fin_leaf_blocks {
    size_t count;  /* of each leaf */
    uint64_t t[2]; /* the leaves' counter before them */
    uint32_t ends; /* leaves from this one on end with them */
    const uint8_t *in[FIN_LEAVES_MAX];
    uint32_t bytes[FIN_LEAVES_MAX]; /* that a block counts */
} fin_leaf_blocks;

static void fin_leaf_states_begin(fin_leaf_states *states, void *h, uint64_t rounds, bool keyed)
{
    states->h = h;
    states->rounds = rounds;
    states->keyed = keyed;
    states->lanes_max = 0;
}

/* Erases all but h, and what kernels left on the stack below the caller. */
FIN_INLINE void fin_leaf_states_end(fin_leaf_states *states)
{
    if (states->lanes_max != 0) {
        states->layout.lanes = states->lanes_max;
        fin_lanes_erase(&states->lanes, &states->layout);
    }
    fin_erase(&states->state.h, sizeof states->state.h);
    fin_erase_stack_if(states->keyed, FIN_STACK_LANES_BYTES);
}

/* The leaves' chaining values before their first bytes. parameter_block: the root's. */
static void fin_leaves_start(const fin_stripes *stripes, const uint8_t *parameter_block, uint8_t *h)
{
    const fin_variant variant = stripes->instance->variant;
    const size_t h_bytes = stripes->block_bytes / 2;
    uint8_t block[64];
    fin_state first;
    memcpy(block, parameter_block, sizeof block);
    block[fin_node_depth_at(variant)] = 0;
    fin_blake2_start(&first, variant, block);
    for (uint32_t leaf = 0; leaf < stripes->leaf_count; leaf++) {
        for (size_t at = 0; at < h_bytes; at += 16) {
            fin_copy_piece(h + at, (const uint8_t *)&first.h + at);
        }
        fin_blake2_set_offset(variant, h, leaf);
        h += h_bytes;
    }
}

void fin_striped_start(fin_context *context, const fin_instance *instance)
{
    const fin_stripes stripes = fin_stripes_of(instance);
    fin_leaves_start(&stripes, context->parameter_block, (uint8_t *)context->leaves);
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

static void fin_leaves_compress_each(fin_leaf_states *states, const fin_stripes *stripes,
                                     fin_leaves part, const fin_leaf_blocks *blocks)
{
    const fin_impl *impl = fin_dispatch(stripes->instance->compression);
    const size_t h_bytes = stripes->block_bytes / 2;
    fin_state *state = &states->state;
    state->rounds = states->rounds;
    for (uint32_t leaf = part.first; leaf < part.end; leaf++) {
        const uint64_t last_node = fin_leaf_is_last(stripes, leaf) ? UINT64_MAX : 0;
        fin_segment segment;
        fin_segment_set(&segment, blocks->in[leaf], blocks->count, blocks->t, blocks->bytes[leaf]);
        segment.last = leaf >= blocks->ends;
        memcpy(&state->h, states->h + leaf * h_bytes, h_bytes);
        fin_compress_segment(state, impl, &segment, stripes->stripe_bytes, last_node);
        memcpy(states->h + leaf * h_bytes, &state->h, h_bytes);
    }
}

/* Sets addresses, counters and flags. Lanes beyond the last leaf compute the part's first one once
   more. In a frame of its own, so that kernels' lie no deeper. */
static FIN_NOINLINE void fin_leaves_set_lanes(fin_leaf_states *states, const fin_stripes *stripes,
                                              fin_leaves part, const fin_leaf_blocks *blocks)
{
    const fin_lane_layout *layout = &states->layout;
    fin_lanes *lanes = &states->lanes;
    const uint64_t t_high = layout->wide ? blocks->t[1] : blocks->t[0] >> 32;
    uint64_t bytes[FIN_LANES_MAX], last[FIN_LANES_MAX], last_node[FIN_LANES_MAX];
    for (uint32_t lane = 0; lane < layout->lanes; lane++) {
        const uint32_t leaf = part.first + (part.first + lane < part.end ? lane : 0);
        lanes->in[lane] = blocks->in[leaf];
        bytes[lane] = blocks->bytes[leaf];
        last[lane] = leaf >= blocks->ends ? UINT64_MAX : 0;
        last_node[lane] = fin_leaf_is_last(stripes, leaf) ? last[lane] : 0;
    }
    fin_lanes_fill_row(lanes, layout, FIN_LANE_T, blocks->t[0]);
    fin_lanes_fill_row(lanes, layout, FIN_LANE_T + 1, t_high);
    fin_lanes_set_row(lanes, layout, FIN_LANE_F, last);
    fin_lanes_set_row(lanes, layout, FIN_LANE_F + 1, last_node);
    fin_lanes_set_row(lanes, layout, FIN_LANE_INCREMENT, bytes);
}

static void fin_leaves_compress_lanes(fin_leaf_states *states, const fin_stripes *stripes,
                                      fin_leaves part, const fin_impl *impl,
                                      const fin_leaf_blocks *blocks)
{
    const size_t h_bytes = stripes->block_bytes / 2;
    states->layout = fin_lane_layout_of(stripes->instance, impl);
    states->lanes_max = impl->lanes > states->lanes_max ? impl->lanes : states->lanes_max;
    states->state.rounds = states->rounds;
    fin_lanes_start(&states->lanes, &states->state);
    for (; part.first < part.end; part.first += impl->lanes) {
        const uint32_t left = part.end - part.first;
        const size_t count = left < impl->lanes ? left : impl->lanes;
        uint8_t *h = states->h + part.first * h_bytes;
        fin_lanes_put_states(&states->lanes, &states->layout, h, count);
        fin_leaves_set_lanes(states, stripes, part, blocks);
        impl->compress_lanes(&states->lanes, blocks->count, stripes->stripe_bytes);
        fin_lanes_take_states(&states->lanes, &states->layout, h, count);
    }
}

/* Some of the leaves over their blocks. */
static FIN_NOINLINE void fin_leaves_compress(fin_leaf_states *states, const fin_stripes *stripes,
                                             fin_leaves part, const fin_leaf_blocks *blocks)
{
    const fin_impl *impl =
        fin_dispatch_lanes(stripes->instance->compression, part.end - part.first);
    if (impl != NULL) {
        fin_leaves_compress_lanes(states, stripes, part, impl, blocks);
    } else {
        fin_leaves_compress_each(states, stripes, part, blocks);
    }
}

/* Some of the leaves over whole stripes. */
static FIN_NOINLINE void fin_stripes_compress(fin_leaf_states *states, const fin_stripes *stripes,
                                              fin_leaves part, const uint64_t t[2],
                                              const uint8_t *in, size_t count)
{
    fin_leaf_blocks blocks = {.count = count, .t = {t[0], t[1]}, .ends = stripes->leaf_count};
    for (uint32_t leaf = part.first; leaf < part.end; leaf++) {
        blocks.in[leaf] = in + leaf * stripes->block_bytes;
        blocks.bytes[leaf] = stripes->block_bytes;
    }
    fin_leaves_compress(states, stripes, part, &blocks);
}

static void fin_stripes_compress_all(fin_context *context, const fin_stripes *stripes,
                                     const uint8_t *in, size_t count)
{
    const fin_leaves all = {0, stripes->leaf_count};
    fin_leaf_states states;
    fin_leaf_states_begin(&states, context->leaves, context->state.rounds,
                          fin_context_keyed(context));
    fin_stripes_compress(&states, stripes, all, context->state.t, in, count);
    fin_counter_advance(context->state.t, count, stripes->block_bytes);
    fin_leaf_states_end(&states);
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
        fin_leaf_states states;
        fin_leaf_states_begin(&states, context->leaves, context->state.rounds,
                              fin_context_keyed(context));
        fin_stripes_compress(&states, &stripes, part, context->state.t, share->in, share->stripes);
        fin_leaf_states_end(&states);
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

/* ---- Ends ---- */

/* The last bytes of a message, at most two stripes, the key's among them. */
typedef struct fin_stripes_rest {
    const uint8_t *in;
    size_t bytes;
    const uint8_t
        *key_block; /* stands for the first stripe, which has the block for every leaf; or null */
} fin_stripes_rest;

/*
 * Leaves over the rest of a message: the first ones have a whole block and their end, the others the
 * end alone, which may be empty.
 *
 *   leaf        0   1   2   3
 *   stripe 0    ..  ..  ..  ..    two leaves are ahead by a block
 *   stripe 1    ..  .
 */
static void fin_leaves_finish(fin_leaf_states *states, const fin_stripes *stripes,
                              const uint64_t t[2], const fin_stripes_rest *rest)
{
    static const _Alignas(64) uint8_t zeros[128];
    const uint32_t block_bytes = stripes->block_bytes, stripe_bytes = stripes->stripe_bytes;
    const size_t key_bytes = rest->key_block != NULL ? stripe_bytes : 0;
    const size_t all_bytes = key_bytes + rest->bytes;
    const size_t more = all_bytes > stripe_bytes ? all_bytes - stripe_bytes : 0;
    const uint32_t ahead = (uint32_t)(more + block_bytes - 1) / block_bytes;
    _Alignas(64) uint8_t padded[128];
    fin_leaf_blocks blocks = {.count = 1, .t = {t[0], t[1]}, .ends = ahead};
    fin_leaves part = {0, stripes->leaf_count};
    const uint8_t *in = rest->in;
    size_t bytes = rest->bytes;
    for (uint32_t stripe = 0; part.end != 0; stripe++) {
        const bool is_key = stripe == 0 && key_bytes != 0;
        for (uint32_t leaf = 0; leaf < part.end; leaf++) {
            const size_t take = bytes < block_bytes ? bytes : block_bytes;
            blocks.bytes[leaf] = is_key ? block_bytes : (uint32_t)take;
            blocks.in[leaf] = is_key ? rest->key_block : take == block_bytes ? in : zeros;
            if (is_key) {
                continue;
            }
            if (take != 0 && take != block_bytes) {
                memset(padded, 0, sizeof padded);
                fin_copy_tail(padded, in, take, 0);
                blocks.in[leaf] = padded;
            }
            in += take;
            bytes -= take;
        }
        fin_leaves_compress(states, stripes, part, &blocks);
        fin_counter_advance(blocks.t, 1, block_bytes);
        blocks.ends = 0;
        part.end = stripe == 0 ? ahead : 0;
    }
    fin_erase(padded, sizeof padded);
}

/* The root over the leaves' digests, which are their chaining values. */
static void fin_striped_root(fin_state *root, const fin_stripes *stripes,
                             const uint8_t *parameter_block, uint8_t *h)
{
    const fin_instance *instance = stripes->instance;
    const size_t block_bytes = stripes->block_bytes;
    const uint32_t bytes = stripes->leaf_count * stripes->block_bytes / 2;
    for (size_t at = 0; FIN_CPU_IS_BIG_ENDIAN && at < bytes; at += 16) {
        fin_copy_piece_reversed(h + at, h + at, block_bytes == 128);
    }
    fin_blake2_start(root, instance->variant, parameter_block);
    fin_compress(root, instance, h, bytes / block_bytes - 1);
    fin_segment last;
    fin_segment_set(&last, h + bytes - block_bytes, 1, root->t, stripes->block_bytes);
    last.last = true;
    fin_compress_segment(root, fin_dispatch(instance->compression), &last, block_bytes, UINT64_MAX);
}

void fin_striped_finish(fin_context *context, const fin_instance *instance)
{
    const fin_stripes stripes = fin_stripes_of(instance);
    const fin_stripes_rest rest = {context->buffer, context->buffered_bytes, NULL};
    fin_leaf_states states;
    fin_leaf_states_begin(&states, context->leaves, context->state.rounds,
                          fin_context_keyed(context));
    fin_leaves_finish(&states, &stripes, context->state.t, &rest);
    fin_striped_root(&context->state, &stripes, context->parameter_block,
                     (uint8_t *)context->leaves);
    fin_leaf_states_end(&states);
}

/* ---- One call ---- */

void fin_striped_hash(const fin_instance *instance, const fin_params *params, const uint8_t *in,
                      size_t bytes, uint8_t *digest)
{
    const fin_stripes stripes = fin_stripes_of(instance);
    const fin_leaves all = {0, stripes.leaf_count};
    const bool keyed = params != NULL && params->key_bytes != 0;
    const size_t lookahead_bytes = fin_stripes_lookahead(&stripes);
    fin_stripes_rest rest = {in, bytes, NULL};
    _Alignas(64) uint8_t parameter_block[64];
    _Alignas(64) uint8_t key_block[128];
    _Alignas(64) uint8_t h[FIN_LEAVES_BYTES];
    uint64_t t[2] = {0, 0};
    fin_leaf_states states;
    fin_leaf_states_begin(&states, h, instance->descriptor->rounds, keyed);
    fin_customise(&states.state, parameter_block, instance, params);
    fin_leaves_start(&stripes, parameter_block, h);
    if (keyed) {
        fin_pad_key(key_block, params);
        rest.key_block = key_block;
    }
    if (keyed && bytes >= lookahead_bytes) {
        fin_leaf_blocks blocks = {.count = 1, .ends = stripes.leaf_count};
        for (uint32_t leaf = 0; leaf < stripes.leaf_count; leaf++) {
            blocks.in[leaf] = key_block;
            blocks.bytes[leaf] = stripes.block_bytes;
        }
        fin_leaves_compress(&states, &stripes, all, &blocks);
        fin_counter_advance(t, 1, stripes.block_bytes);
        rest.key_block = NULL;
    }
    if (bytes >= stripes.stripe_bytes + lookahead_bytes) {
        const size_t count = (bytes - lookahead_bytes) / stripes.stripe_bytes;
        fin_stripes_compress(&states, &stripes, all, t, in, count);
        fin_counter_advance(t, count, stripes.block_bytes);
        rest.in += count * stripes.stripe_bytes;
        rest.bytes -= count * stripes.stripe_bytes;
    }
    fin_leaves_finish(&states, &stripes, t, &rest);
    fin_striped_root(&states.state, &stripes, parameter_block, h);
    fin_output(&states.state, instance, digest, (size_t)instance->digest_bytes);
    fin_erase(h, sizeof h);
    if (keyed) {
        fin_erase(key_block, sizeof key_block);
    }
    fin_leaf_states_end(&states);
}
