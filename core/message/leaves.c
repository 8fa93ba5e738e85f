/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compresses blocks into the leaves of BLAKE2bp and BLAKE2sp, in lanes or leaf by leaf.
 */
#include "message/leaves.h"

static bool fin_leaf_is_last(const fin_stripes *stripes, uint32_t leaf)
{
    return leaf + 1 == stripes->leaf_count;
}

/* ---- Chaining values ---- */

/* Sets the state of the leaf with offset 0. The root has node depth 1. */
static void fin_first_leaf(fin_variant variant, fin_state *leaf, const fin_state *root)
{
    for (size_t at = 0; at < fin_state_bytes(variant); at += 16) {
        fin_copy_piece((uint8_t *)&leaf->h + at, (const uint8_t *)&root->h + at);
    }
    fin_blake2_change_depth(variant, &leaf->h, 1);
}

void fin_leaves_start(const fin_stripes *stripes, const fin_state *root, uint8_t *h)
{
    const fin_variant variant = stripes->instance->variant;
    const size_t h_bytes = fin_state_bytes(variant);
    fin_state first;
    fin_first_leaf(variant, &first, root);
    for (uint32_t leaf = 0; leaf < stripes->leaf_count; leaf++) {
        for (size_t at = 0; at < h_bytes; at += 16) {
            fin_copy_piece(h + at, (const uint8_t *)&first.h + at);
        }
        fin_blake2_set_offset(variant, h, leaf);
        h += h_bytes;
    }
}

/* Sets the leaves' chaining values in lanes. An offset below 2^32 changes one word. */
FIN_INLINE void fin_start_lanes_as(const fin_lane_layout *layout, fin_lanes *lanes,
                                   const fin_state *first)
{
    const size_t offset_row = layout->wide ? FIN_NODE_OFFSET / 8 : FIN_NODE_OFFSET / 4;
    for (size_t i = 0; i < 8; i++) {
        const uint64_t word = layout->wide ? first->h.w64[i] : first->h.w32[i];
        for (size_t lane = 0; lane < layout->lanes; lane++) {
            const uint64_t offset = i == offset_row ? lane : 0;
            fin_lanes_set_word(lanes, layout, FIN_LANE_H + i, lane, word ^ offset);
        }
    }
}

void fin_leaf_states_start(fin_leaf_states *states, const fin_stripes *stripes,
                           const fin_state *root)
{
    const fin_instance *instance = stripes->instance;
    const fin_impl *impl = fin_dispatch_lanes(instance->compression, stripes->leaf_count);
    fin_state first;
    if (impl == NULL || impl->lanes != stripes->leaf_count) {
        fin_leaves_start(stripes, root, states->h);
        return;
    }
    fin_first_leaf(instance->variant, &first, root);
    states->layout = fin_lane_layout_of(instance, impl);
    states->in_lanes = true;
    FIN_FOR_LAYOUT(&states->layout, fin_start_lanes_as, &states->lanes, &first);
}

void fin_leaf_states_leave_lanes(fin_leaf_states *states)
{
    if (states->in_lanes) {
        fin_lanes_take_states(&states->lanes, &states->layout, states->h, states->layout.lanes);
        states->in_lanes = false;
    }
}

/* ---- Blocks ---- */

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

FIN_INLINE void fin_set_lanes_as(const fin_lane_layout *layout, fin_lanes *lanes,
                                 const fin_stripes *stripes, fin_leaves part,
                                 const fin_leaf_blocks *blocks)
{
    for (uint32_t lane = 0; lane < layout->lanes; lane++) {
        const uint32_t leaf = part.first + (part.first + lane < part.end ? lane : 0);
        const fin_segment segment = {.in = blocks->in[leaf],
                                     .t = {blocks->t[0], blocks->t[1]},
                                     .increment = blocks->bytes[leaf],
                                     .last = leaf >= blocks->ends};
        fin_lanes_set_segment(lanes, layout, lane, &segment, fin_leaf_is_last(stripes, leaf));
    }
}

/* Sets addresses, counters and flags. Lanes beyond the last leaf repeat the part's first one. Not
   inlined, so that kernels' frames are no deeper. */
static FIN_NOINLINE void fin_leaves_set_lanes(fin_leaf_states *states, const fin_stripes *stripes,
                                              fin_leaves part, const fin_leaf_blocks *blocks)
{
    FIN_FOR_LAYOUT(&states->layout, fin_set_lanes_as, &states->lanes, stripes, part, blocks);
}

static void fin_leaves_compress_lanes(fin_leaf_states *states, const fin_stripes *stripes,
                                      fin_leaves part, const fin_impl *impl,
                                      const fin_leaf_blocks *blocks)
{
    const size_t h_bytes = stripes->block_bytes / 2;
    const bool stay = part.end - part.first == stripes->leaf_count && impl->lanes == part.end;
    if (!stay) {
        fin_leaf_states_leave_lanes(states);
    }
    states->layout = fin_lane_layout_of(stripes->instance, impl);
    states->lanes_max = impl->lanes > states->lanes_max ? impl->lanes : states->lanes_max;
    states->state.rounds = states->rounds;
    fin_lanes_start(&states->lanes, &states->state);
    for (; part.first < part.end; part.first += impl->lanes) {
        const uint32_t left = part.end - part.first;
        const size_t count = left < impl->lanes ? left : impl->lanes;
        uint8_t *h = states->h + part.first * h_bytes;
        if (!states->in_lanes) {
            fin_lanes_put_states(&states->lanes, &states->layout, h, count);
        }
        fin_leaves_set_lanes(states, stripes, part, blocks);
        impl->compress_lanes(&states->lanes, blocks->count, stripes->stripe_bytes);
        states->in_lanes = stay;
        if (!stay) {
            fin_lanes_take_states(&states->lanes, &states->layout, h, count);
        }
    }
}

FIN_NOINLINE void fin_leaves_compress(fin_leaf_states *states, const fin_stripes *stripes,
                                      fin_leaves part, const fin_leaf_blocks *blocks)
{
    const fin_impl *impl =
        fin_dispatch_lanes(stripes->instance->compression, part.end - part.first);
    if (impl != NULL) {
        fin_leaves_compress_lanes(states, stripes, part, impl, blocks);
    } else {
        fin_leaf_states_leave_lanes(states);
        fin_leaves_compress_each(states, stripes, part, blocks);
    }
}
