/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Chaining values, digests and counters in lanes.
 */
#include "lanes/lanes.h"

void fin_lanes_start(fin_lanes *lanes, const fin_state *state)
{
    memcpy(&lanes->salt, &state->salt, sizeof lanes->salt);
    fin_lanes_reset(lanes, state->rounds);
}

void fin_lanes_put_h(fin_lanes *lanes, fin_lane_layout layout, size_t lane, const fin_state *state)
{
    const size_t h_bytes = fin_state_bytes(layout.variant);
    if (fin_family_of(layout.variant) == FIN_FAMILY_GROESTL) {
        memcpy((uint8_t *)&lanes->row + lane * h_bytes, &state->h, h_bytes);
        return;
    }
    for (size_t i = 0; i < 8; i++) {
        __asm__("" : "+r"(i)); /* else gcc makes four loops */
        fin_lanes_set_word(lanes, layout, FIN_LANE_H + i, lane,
                           fin_is_wide(layout.variant) ? state->h.w64[i] : state->h.w32[i]);
    }
}

void fin_lanes_take_h(const fin_lanes *lanes, fin_lane_layout layout, size_t lane, fin_state *state)
{
    const size_t h_bytes = fin_state_bytes(layout.variant);
    if (fin_family_of(layout.variant) == FIN_FAMILY_GROESTL) {
        memcpy(&state->h, (const uint8_t *)&lanes->row + lane * h_bytes, h_bytes);
        return;
    }
    for (size_t i = 0; i < 8; i++) {
        __asm__("" : "+r"(i)); /* as above */
        const uint64_t word = fin_lanes_word(lanes, layout, FIN_LANE_H + i, lane);
        if (fin_is_wide(layout.variant)) {
            state->h.w64[i] = word;
        } else {
            state->h.w32[i] = (uint32_t)word;
        }
    }
}

/* ---- All lanes ---- */

/* Transposes four words of four lanes, from four rows to four states:

     a0 a1 a2 a3   b0 b1 b2 b3   c0 c1 c2 c3   d0 d1 d2 d3     rows
     a0 b0 a1 b1   a2 b2 a3 b3   c0 d0 c1 d1   c2 d2 c3 d3
     a0 b0 c0 d0   a1 b1 c1 d1   a2 b2 c2 d2   a3 b3 c3 d3     states */
FIN_INLINE void fin_take_four(uint8_t *states, const uint32_t *row, size_t lane_count)
{
    fin_words4 w[4], x[4];
    for (size_t i = 0; i < 4; i++) {
        memcpy(&w[i], row + i * lane_count, sizeof w[i]);
    }
    for (size_t i = 0; i < 2; i++) {
        x[2 * i] = FIN_SHUFFLE4(w[2 * i], w[2 * i + 1], 0, 4, 1, 5);
        x[2 * i + 1] = FIN_SHUFFLE4(w[2 * i], w[2 * i + 1], 2, 6, 3, 7);
    }
    for (size_t i = 0; i < 2; i++) {
        const fin_words4 even = FIN_SHUFFLE4(x[i], x[2 + i], 0, 1, 4, 5);
        const fin_words4 odd = FIN_SHUFFLE4(x[i], x[2 + i], 2, 3, 6, 7);
        memcpy(states + 64 * i, &even, sizeof even);
        memcpy(states + 64 * i + 32, &odd, sizeof odd);
    }
}

/* Copies states of 32-bit words, four at a time. Returns how many it has copied. */
static FIN_NOINLINE size_t fin_take_fours(const fin_lanes *lanes, size_t lane_count,
                                          uint8_t *states, size_t count)
{
    size_t lane = 0;
    for (; lane + 4 <= count; lane += 4) {
        const uint32_t *row = lanes->row.w32 + FIN_LANE_H * lane_count + lane;
        fin_take_four(states + 32 * lane, row, lane_count);
        fin_take_four(states + 32 * lane + 16, row + 4 * lane_count, lane_count);
    }
    return lane;
}

/* Separates the words of two states:  a0 b0 a1 b1 ..  ->  a0 a1 .., b0 b1 .. */
static void fin_take_two(const fin_lanes *lanes, uint8_t *states)
{
    for (size_t i = 0; i < 8; i += 4) {
        const uint32_t *row = lanes->row.w32 + 2 * (FIN_LANE_H + i);
        fin_words4 low, high;
        memcpy(&low, row, sizeof low);
        memcpy(&high, row + 4, sizeof high);
        const fin_words4 a = FIN_SHUFFLE4(low, high, 0, 2, 4, 6);
        const fin_words4 b = FIN_SHUFFLE4(low, high, 1, 3, 5, 7);
        memcpy(states + 4 * i, &a, sizeof a);
        memcpy(states + 32 + 4 * i, &b, sizeof b);
    }
}

/* Copies the other states, from lane first on, in 16-byte pieces, which match kernels' loads. */
FIN_INLINE void fin_take_rest_as(fin_lane_layout layout, const fin_lanes *lanes, uint8_t *states,
                                 size_t first, size_t count)
{
    for (size_t lane = first; lane < count; lane++) {
        for (size_t i = 0; i < 8; i += fin_is_wide(layout.variant) ? 2 : 4) {
            uint64_t w[4];
            for (size_t k = 0; k < (fin_is_wide(layout.variant) ? 2 : 4); k++) {
                w[k] = fin_lanes_word(lanes, layout, FIN_LANE_H + i + k, lane);
            }
            if (fin_is_wide(layout.variant)) {
                fin_store_piece(states + 64 * lane + 8 * i, w[0], w[1]);
            } else {
                fin_store_piece(states + 32 * lane + 4 * i, fin_pair_of_words(w[0], w[1]),
                                fin_pair_of_words(w[2], w[3]));
            }
        }
    }
}

void fin_lanes_take_states(const fin_lanes *lanes, fin_lane_layout layout, uint8_t *states,
                           size_t count)
{
    size_t lane = 0;
    if (!fin_is_wide(layout.variant) && layout.lanes == 2 && count == 2) {
        fin_take_two(lanes, states);
        return;
    }
    if (!fin_is_wide(layout.variant) && layout.lanes % 4 == 0) {
        lane = fin_take_fours(lanes, layout.lanes, states, count);
    }
    FIN_FOR_LAYOUT(layout, fin_take_rest_as, lanes, states, lane, count);
}

/* ---- One lane ---- */

void fin_lanes_output(const fin_lanes *lanes, fin_lane_layout layout, size_t lane, uint8_t *digest,
                      size_t digest_bytes)
{
    if (fin_family_of(layout.variant) != FIN_FAMILY_GROESTL && digest_bytes % 8 != 0) {
        uint8_t whole[64];
        fin_lane_digest(layout, lanes, lane, whole, fin_state_bytes(layout.variant));
        memcpy(digest, whole, digest_bytes);
        fin_erase(whole, sizeof whole);
    } else {
        fin_lane_digest(layout, lanes, lane, digest, digest_bytes);
    }
}

void fin_lanes_erase(fin_lanes *lanes, fin_lane_layout layout)
{
    fin_erase(&lanes->row, fin_h_bytes(layout));
    if (fin_family_of(layout.variant) != FIN_FAMILY_GROESTL) {
        fin_erase(&lanes->message, 2 * 16 * fin_row_bytes(layout));
    }
}
