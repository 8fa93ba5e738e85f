/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The layout of fin_lanes. Only these functions and those of groups read and write chaining values,
 * counters, flags and digests in it.
 *
 *   BLAKE, BLAKE2   a row is one word of every lane    h0 h0' h0" ..  |  h1 h1' h1" ..  |  ..
 *   Grøstl         chaining values one by one         h0 h1 h2 ..    |  h0'h1'h2' ..   |  ..
 */
#ifndef FIN_LANES_H
#define FIN_LANES_H

#include "spec/spec.h"

/* A variant's words in this many lanes. */
typedef struct fin_lane_layout {
    fin_variant variant;
    size_t lanes;
} fin_lane_layout;

FIN_INLINE size_t fin_row_bytes(fin_lane_layout layout)
{
    return layout.lanes * (fin_is_wide(layout.variant) ? 8 : 4);
}

/* Returns the bytes of all lanes' chaining values. */
FIN_INLINE size_t fin_h_bytes(fin_lane_layout layout)
{
    return layout.lanes * fin_state_bytes(layout.variant);
}

/* Calls a function with a layout that has one lane per leaf of BLAKE2bp or BLAKE2sp as a constant,
   or with any other as a variable. The function may depend on the words' width, not on the
   family. */
#define FIN_FOR_LAYOUT(layout, function, ...)                                 \
    do {                                                                      \
        if (fin_is_wide((layout).variant) && (layout).lanes == 4) {           \
            function((fin_lane_layout){FIN_VARIANT_BLAKE2B, 4}, __VA_ARGS__); \
        } else if (!fin_is_wide((layout).variant) && (layout).lanes == 8) {   \
            function((fin_lane_layout){FIN_VARIANT_BLAKE2S, 8}, __VA_ARGS__); \
        } else {                                                              \
            function(layout, __VA_ARGS__);                                    \
        }                                                                     \
    } while (0)

/* ---- Words ---- */

/* Sets a lane's word of a row. */
FIN_INLINE void fin_row_set_word(fin_lane_layout layout, void *row, size_t lane, uint64_t word)
{
    const uint32_t low = (uint32_t)word;
    if (fin_is_wide(layout.variant)) {
        memcpy((uint8_t *)row + 8 * lane, &word, sizeof word);
    } else {
        memcpy((uint8_t *)row + 4 * lane, &low, sizeof low);
    }
}

/* Sets all words of a row. */
FIN_INLINE void fin_row_fill(fin_lane_layout layout, void *row, uint64_t word)
{
    const uint64_t words = fin_is_wide(layout.variant) ? word : fin_pair_of_words(word, word);
    const size_t row_bytes = fin_row_bytes(layout);
    for (size_t at = 0; at + 16 <= row_bytes; at += 16) {
        fin_store_piece((uint8_t *)row + at, words, words);
    }
    if (row_bytes == 8) {
        memcpy(row, &words, sizeof words);
    }
}

static inline void fin_lanes_set_word(fin_lanes *lanes, fin_lane_layout layout, size_t row,
                                      size_t lane, uint64_t word)
{
    fin_row_set_word(layout, (uint8_t *)&lanes->row + row * fin_row_bytes(layout), lane, word);
}

static inline void fin_lanes_set_row(fin_lanes *lanes, fin_lane_layout layout, size_t row,
                                     uint64_t word)
{
    fin_row_fill(layout, (uint8_t *)&lanes->row + row * fin_row_bytes(layout), word);
}

static inline uint64_t fin_lanes_word(const fin_lanes *lanes, fin_lane_layout layout, size_t row,
                                      size_t lane)
{
    const size_t at = row * layout.lanes + lane;
    return fin_is_wide(layout.variant) ? lanes->row.w64[at] : lanes->row.w32[at];
}

/* Writes the digest of a lane's finished message. digest_bytes: a multiple of 8, except for
   Grøstl. */
FIN_INLINE void fin_lane_digest(fin_lane_layout layout, const fin_lanes *lanes, size_t lane,
                                uint8_t *digest, size_t digest_bytes)
{
    if (fin_family_of(layout.variant) == FIN_FAMILY_GROESTL) {
        const uint64_t *h = lanes->row.w64 + lane * fin_variant_block(layout.variant) / 8;
        fin_groestl_output(layout.variant, h, digest, digest_bytes);
        return;
    }
    const bool wide = fin_is_wide(layout.variant);
    for (size_t i = 0; i < digest_bytes / 8; i++) {
        const size_t row = FIN_LANE_H + (wide ? i : 2 * i);
        const uint64_t first = fin_lanes_word(lanes, layout, row, lane);
        const uint64_t second = wide ? 0 : fin_lanes_word(lanes, layout, row + 1, lane);
        if (fin_digest_is_big_endian(layout.variant)) {
            fin_store64_be(digest + 8 * i, wide ? first : first << 32 | second);
        } else {
            fin_store64_le(digest + 8 * i, wide ? first : second << 32 | first);
        }
    }
}

/* ---- Chaining values, counters and flags ---- */

/* Sets the blocks that a lane compresses next: address, counter, increment, BLAKE2's flag words. */
static inline void fin_lanes_set_segment(fin_lanes *lanes, fin_lane_layout layout, size_t lane,
                                         const fin_segment *segment, bool last_node)
{
    const uint64_t low = segment->t[0];
    const uint64_t high = fin_is_wide(layout.variant) ? segment->t[1] : low >> 32;
    const uint64_t last = segment->last ? UINT64_MAX : 0;
    lanes->in[lane] = segment->in;
    fin_lanes_set_word(lanes, layout, FIN_LANE_T, lane, low);
    fin_lanes_set_word(lanes, layout, FIN_LANE_T + 1, lane, high);
    fin_lanes_set_word(lanes, layout, FIN_LANE_F, lane, last);
    fin_lanes_set_word(lanes, layout, FIN_LANE_F + 1, lane, last_node ? last : 0);
    fin_lanes_set_word(lanes, layout, FIN_LANE_INCREMENT, lane, segment->increment);
}

static inline void fin_lanes_reset(fin_lanes *lanes, uint64_t rounds)
{
    lanes->rounds = rounds;
    lanes->half = 0;
    lanes->ready = false;
    lanes->common = FIN_COMMON_NONE;
}

#pragma GCC visibility push(hidden)

/* Sets the parameters that all lanes share: BLAKE's salt and the number of rounds. */
void fin_lanes_start(fin_lanes *lanes, const fin_state *state);

/* Copy a lane's chaining value from or to state->h. */
void fin_lanes_put_h(fin_lanes *lanes, fin_lane_layout layout, size_t lane, const fin_state *state);
void fin_lanes_take_h(const fin_lanes *lanes, fin_lane_layout layout, size_t lane,
                      fin_state *state);

/* Copies count lanes' chaining values in rows to consecutive states. */
void fin_lanes_take_states(const fin_lanes *lanes, fin_lane_layout layout, uint8_t *states,
                           size_t count);

/* Erases the chaining values and the kernels' words of two blocks. */
void fin_lanes_erase(fin_lanes *lanes, fin_lane_layout layout);

/* Writes the digest of a lane's finished message. */
void fin_lanes_output(const fin_lanes *lanes, fin_lane_layout layout, size_t lane, uint8_t *digest,
                      size_t digest_bytes);

#pragma GCC visibility pop

#endif
