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

/* Writes the digest of a lane's finished message. lane_count: the implementation's lanes.
   digest_bytes: a multiple of 8, except for Grøstl. */
FIN_INLINE void fin_lane_digest(fin_variant variant, const fin_lanes *lanes, size_t lane_count,
                                size_t lane, uint8_t *digest, size_t digest_bytes)
{
    if (fin_family_of(variant) == FIN_FAMILY_GROESTL) {
        const uint64_t *h = lanes->row.w64 + lane * fin_variant_block(variant) / 8;
        fin_groestl_output(variant, h, digest, digest_bytes);
        return;
    }
    const bool wide = fin_is_wide(variant);
    for (size_t i = 0; i < digest_bytes / 8; i++) {
        const uint32_t *row = lanes->row.w32 + 2 * i * lane_count;
        const uint64_t first = wide ? lanes->row.w64[i * lane_count + lane] : row[lane];
        const uint64_t second = wide ? 0 : row[lane_count + lane];
        if (fin_digest_is_big_endian(variant)) {
            fin_store64_be(digest + 8 * i, wide ? first : first << 32 | second);
        } else {
            fin_store64_le(digest + 8 * i, wide ? first : second << 32 | first);
        }
    }
}

#pragma GCC visibility push(hidden)

typedef struct fin_lane_layout {
    size_t lanes;
    size_t h_words;
    bool wide; /* 64-bit words, else 32-bit ones */
    bool rows; /* chaining values in rows, else one by one */
} fin_lane_layout;

static inline fin_lane_layout fin_lane_layout_of(const fin_instance *instance, const fin_impl *impl)
{
    const bool groestl = instance->descriptor->info.family == FIN_FAMILY_GROESTL;
    return (fin_lane_layout){impl->lanes, groestl ? instance->block_bytes / 8 : 8,
                             fin_words_are_wide(instance->compression), !groestl};
}

/* Calls a function with a layout that has one lane per leaf of BLAKE2bp or BLAKE2sp as a constant,
   or with any other as a variable. */
#define FIN_FOR_LAYOUT(layout_, function, ...)                  \
    do {                                                        \
        if ((layout_)->wide && (layout_)->lanes == 4) {         \
            const fin_lane_layout layout = {4, 8, true, true};  \
            function(&layout, __VA_ARGS__);                     \
        } else if (!(layout_)->wide && (layout_)->lanes == 8) { \
            const fin_lane_layout layout = {8, 8, false, true}; \
            function(&layout, __VA_ARGS__);                     \
        } else {                                                \
            function(layout_, __VA_ARGS__);                     \
        }                                                       \
    } while (0)

static inline void fin_lanes_set_word(fin_lanes *lanes, const fin_lane_layout *layout, size_t row,
                                      size_t lane, uint64_t word)
{
    if (layout->wide) {
        lanes->row.w64[row * layout->lanes + lane] = word;
    } else {
        lanes->row.w32[row * layout->lanes + lane] = (uint32_t)word;
    }
}

/* Sets a word of all lanes. */
static inline void fin_lanes_set_row(fin_lanes *lanes, const fin_lane_layout *layout, size_t row,
                                     uint64_t word)
{
    const size_t row_bytes = layout->lanes * (layout->wide ? 8 : 4);
    const uint64_t words = layout->wide ? word : fin_pair_of_words(word, word);
    uint8_t *to = (uint8_t *)&lanes->row + row * row_bytes;
    for (size_t at = 0; at + 16 <= row_bytes; at += 16) {
        fin_store_piece(to + at, words, words);
    }
    if (row_bytes == 8) {
        memcpy(to, &words, sizeof words);
    }
}

static inline uint64_t fin_lanes_word(const fin_lanes *lanes, const fin_lane_layout *layout,
                                      size_t row, size_t lane)
{
    const size_t at = row * layout->lanes + lane;
    return layout->wide ? lanes->row.w64[at] : lanes->row.w32[at];
}

/* Sets the blocks that a lane compresses next: address, counter, increment, BLAKE2's flag words. */
static inline void fin_lanes_set_segment(fin_lanes *lanes, const fin_lane_layout *layout,
                                         size_t lane, const fin_segment *segment, bool last_node)
{
    const uint64_t low = segment->t[0];
    const uint64_t high = layout->wide ? segment->t[1] : low >> 32;
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

/* Sets the parameters that all lanes share: BLAKE's salt and the number of rounds. */
void fin_lanes_start(fin_lanes *lanes, const fin_state *state);

/* Copy a lane's chaining value from or to state->h. */
void fin_lanes_put_h(fin_lanes *lanes, const fin_lane_layout *layout, size_t lane,
                     const fin_state *state);
void fin_lanes_take_h(const fin_lanes *lanes, const fin_lane_layout *layout, size_t lane,
                      fin_state *state);

/* Copies count lanes' chaining values in rows to consecutive states. */
void fin_lanes_take_states(const fin_lanes *lanes, const fin_lane_layout *layout, uint8_t *states,
                           size_t count);

/* Erases the chaining values and the kernels' words of two blocks. */
void fin_lanes_erase(fin_lanes *lanes, const fin_lane_layout *layout);

/* Writes the digest of a lane's finished message. */
void fin_lanes_output(const fin_lanes *lanes, const fin_lane_layout *layout, size_t lane,
                      const fin_instance *instance, uint8_t *digest);

#pragma GCC visibility pop

#endif
