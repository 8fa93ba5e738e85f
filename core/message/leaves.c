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

/* Sets one lane per leaf. An offset below 2^32 changes one word. */
FIN_INLINE void fin_start_lanes_as(fin_lane_layout layout, fin_lanes *lanes, const fin_state *first)
{
    const size_t offset_row =
        fin_is_wide(layout.variant) ? FIN_NODE_OFFSET / 8 : FIN_NODE_OFFSET / 4;
    for (size_t i = 0; i < 8; i++) {
        fin_lanes_set_row(lanes, layout, FIN_LANE_H + i,
                          fin_is_wide(layout.variant) ? first->h.w64[i] : first->h.w32[i]);
    }
    for (size_t lane = 1; lane < layout.lanes; lane++) {
        const uint64_t word =
            fin_is_wide(layout.variant) ? first->h.w64[offset_row] : first->h.w32[offset_row];
        fin_lanes_set_word(lanes, layout, FIN_LANE_H + offset_row, lane, word ^ lane);
    }
}

void fin_leaf_states_start(fin_leaf_states *states, const fin_stripes *stripes,
                           const fin_state *root)
{
    const fin_impl *impl = fin_dispatch_lanes(stripes->compression, stripes->leaf_count);
    const size_t h_bytes = fin_state_bytes(stripes->variant);
    fin_state first; /* the leaf with offset 0; the root has node depth 1 */
    for (size_t at = 0; at < h_bytes; at += 16) {
        fin_copy_piece((uint8_t *)&first.h + at, (const uint8_t *)&root->h + at);
    }
    fin_blake2_change_depth(stripes->variant, &first.h, 1);
    if (impl != NULL && impl->lanes == stripes->leaf_count) {
        states->layout = (fin_lane_layout){stripes->variant, impl->lanes};
        states->in_lanes = true;
        FIN_FOR_LAYOUT(states->layout, fin_start_lanes_as, &states->lanes, &first);
        return;
    }
    for (uint32_t leaf = 0; leaf < stripes->leaf_count; leaf++) {
        memcpy(states->h + leaf * h_bytes, &first.h, h_bytes);
        fin_blake2_set_offset(stripes->variant, states->h + leaf * h_bytes, leaf);
    }
}

/* Returns word i of one of several consecutive states. */
static inline uint64_t fin_word_of_states(const uint8_t *states, bool wide, size_t state, size_t i)
{
    uint32_t narrow;
    uint64_t word;
    if (wide) {
        memcpy(&word, states + 64 * state + 8 * i, sizeof word);
        return word;
    }
    memcpy(&narrow, states + 32 * state + 4 * i, sizeof narrow);
    return narrow;
}

/* Copies consecutive states to lanes; those after the last state take the first one. */
FIN_INLINE void fin_put_states_as(fin_lane_layout layout, fin_lanes *lanes, const uint8_t *states,
                                  size_t count)
{
    for (size_t i = 0; i < 8; i++) {
        for (size_t lane = 0; lane < layout.lanes; lane++) {
            const size_t state = lane < count ? lane : 0;
            fin_lanes_set_word(lanes, layout, FIN_LANE_H + i, lane,
                               fin_word_of_states(states, fin_is_wide(layout.variant), state, i));
        }
    }
}

void fin_leaf_states_leave_lanes(fin_leaf_states *states)
{
    if (states->in_lanes) {
        fin_lanes_take_states(&states->lanes, states->layout, states->h, states->layout.lanes);
        states->in_lanes = false;
    }
}

/* ---- Blocks ---- */

static void fin_leaves_compress_each(fin_leaf_states *states, const fin_stripes *stripes,
                                     fin_leaves part, const fin_leaf_blocks *blocks)
{
    const fin_impl *impl = fin_dispatch(stripes->compression);
    const size_t h_bytes = fin_state_bytes(stripes->variant);
    fin_state state;
    state.rounds = stripes->rounds;
    for (uint32_t leaf = part.first; leaf < part.end; leaf++) {
        const uint64_t last_node = fin_leaf_is_last(stripes, leaf) ? UINT64_MAX : 0;
        fin_segment segment;
        fin_segment_set(&segment, blocks->in[leaf], blocks->count, blocks->t, blocks->bytes[leaf]);
        segment.last = leaf >= blocks->final;
        memcpy(&state.h, states->h + leaf * h_bytes, h_bytes);
        fin_compress_segment(&state, impl, &segment, FIN_STRIPE_BYTES, last_node);
        memcpy(states->h + leaf * h_bytes, &state.h, h_bytes);
    }
    fin_erase(&state.h, sizeof state.h);
}

/* Sets addresses, counters and flags. Lanes beyond the last leaf repeat the part's first one. */
FIN_INLINE void fin_set_lanes_as(fin_lane_layout layout, fin_lanes *lanes,
                                 const fin_stripes *stripes, fin_leaves part,
                                 const fin_leaf_blocks *blocks)
{
    fin_lanes_set_row(lanes, layout, FIN_LANE_T, blocks->t[0]);
    fin_lanes_set_row(lanes, layout, FIN_LANE_T + 1,
                      fin_is_wide(layout.variant) ? blocks->t[1] : blocks->t[0] >> 32);
    for (uint32_t lane = 0; lane < layout.lanes; lane++) {
        const uint32_t leaf = part.first + (part.first + lane < part.end ? lane : 0);
        const uint64_t last = leaf >= blocks->final ? UINT64_MAX : 0;
        const uint64_t last_node = fin_leaf_is_last(stripes, leaf) ? last : 0;
        lanes->in[lane] = blocks->in[leaf];
        fin_lanes_set_word(lanes, layout, FIN_LANE_F, lane, last);
        fin_lanes_set_word(lanes, layout, FIN_LANE_F + 1, lane, last_node);
        fin_lanes_set_word(lanes, layout, FIN_LANE_INCREMENT, lane, blocks->bytes[leaf]);
    }
}

/* Not inlined, so that kernels' frames are no deeper. */
static FIN_NOINLINE void fin_leaves_set_lanes(fin_leaf_states *states, const fin_stripes *stripes,
                                              fin_leaves part, const fin_leaf_blocks *blocks)
{
    FIN_FOR_LAYOUT(states->layout, fin_set_lanes_as, &states->lanes, stripes, part, blocks);
}

FIN_NOINLINE void fin_leaves_compress(fin_leaf_states *states, const fin_stripes *stripes,
                                      fin_leaves part, const fin_leaf_blocks *blocks)
{
    const fin_impl *impl = fin_dispatch_lanes(stripes->compression, part.end - part.first);
    const size_t h_bytes = fin_state_bytes(stripes->variant);
    const bool stay = impl != NULL && part.end - part.first == stripes->leaf_count &&
                      impl->lanes == stripes->leaf_count;
    if (!stay) {
        fin_leaf_states_leave_lanes(states);
    }
    if (impl == NULL) {
        fin_leaves_compress_each(states, stripes, part, blocks);
        return;
    }
    states->layout = (fin_lane_layout){stripes->variant, impl->lanes};
    states->lanes_max = impl->lanes > states->lanes_max ? impl->lanes : states->lanes_max;
    for (; part.first < part.end; part.first += impl->lanes) {
        const uint32_t left = part.end - part.first;
        const size_t count = left < impl->lanes ? left : impl->lanes;
        uint8_t *h = states->h + part.first * h_bytes;
        if (!states->in_lanes) {
            FIN_FOR_LAYOUT(states->layout, fin_put_states_as, &states->lanes, h, count);
        }
        fin_leaves_set_lanes(states, stripes, part, blocks);
        impl->compress_lanes(&states->lanes, blocks->count, FIN_STRIPE_BYTES);
        states->in_lanes = stay;
        if (!stay) {
            fin_lanes_take_states(&states->lanes, states->layout, h, count);
        }
    }
}
