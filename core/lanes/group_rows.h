/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The rows of a group's lanes: initial chaining values, counters, increments and flags. For
 * group_steps.h.
 */

/* True if the unit's lanes are constants. */
#define FIN_CONSTANT_LANES (FIN_GROUP_LANES32 + FIN_GROUP_LANES512 != 0)

/* Returns a row of counters or flags, the first of which is FIN_LANE_T. */
FIN_INLINE uint8_t *fin_counters_row(fin_lane_layout layout, uint8_t *counters, size_t row)
{
    return counters + (row - FIN_LANE_T) * fin_row_bytes(layout);
}

FIN_INLINE void fin_set_word(fin_lane_layout layout, uint8_t *counters, size_t row, size_t lane,
                             uint64_t word)
{
    fin_row_set_word(layout, fin_counters_row(layout, counters, row), lane, word);
}

/* Sets the same word for every lane. Stores 64 bytes at a time, or 32 if the row has no more, like
   the kernel's loads. */
FIN_INLINE void fin_set_row(fin_lane_layout layout, uint8_t *row, uint64_t word)
{
    typedef uint64_t line __attribute__((vector_size(64)));
    typedef uint64_t half_line __attribute__((vector_size(32)));
    const uint64_t words = fin_is_wide(layout.variant) ? word : fin_pair_of_words(word, word);
    const line whole = (line){0} + words;
    const half_line half = (half_line){0} + words;
    if (FIN_CONSTANT_LANES && fin_row_bytes(layout) % 64 == 0) {
        for (size_t at = 0; at < fin_row_bytes(layout); at += 64) {
            memcpy(row + at, &whole, sizeof whole);
        }
    } else if (FIN_CONSTANT_LANES && fin_row_bytes(layout) == 32) {
        memcpy(row, &half, sizeof half);
    } else {
        fin_row_fill(layout, row, word);
    }
}

/* Returns the offset of counters and flags, the rows from FIN_LANE_T on. */
FIN_INLINE size_t fin_counters_at(fin_lane_layout layout)
{
    return FIN_LANE_T * fin_row_bytes(layout);
}

FIN_INLINE size_t fin_counters_bytes(fin_lane_layout layout)
{
    return (FIN_LANE_ROWS - FIN_LANE_T) * fin_row_bytes(layout);
}

/* Sets the chaining values before the first block. */
FIN_INLINE void fin_set_start(fin_lane_layout layout, const fin_state *start, fin_lane_rows *rows)
{
    if (fin_family_of(layout.variant) == FIN_FAMILY_GROESTL) {
        for (size_t lane = 0; lane < layout.lanes; lane++) {
            memcpy(rows->w64 + lane * fin_variant_block(layout.variant) / 8, start->h.w64,
                   fin_variant_block(layout.variant));
        }
        return;
    }
    for (size_t i = 0; i < 8; i++) {
        fin_set_row(layout, (uint8_t *)rows + (FIN_LANE_H + i) * fin_row_bytes(layout),
                    fin_is_wide(layout.variant) ? start->h.w64[i] : start->h.w32[i]);
    }
}

/* Sets BLAKE3's counters, which blocks do not advance, the length of a call's last block, which
   fin_chain_last replaces in each lane, and the flags. */
FIN_INLINE void fin_set_chain(fin_lane_layout layout, const uint64_t *number, uint64_t flags,
                              uint8_t *counters)
{
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_T), 0);
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_T + 1), 0);
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_F), FIN_BLAKE3_BLOCK);
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_F + 1), flags);
    for (size_t lane = 0; number != NULL && lane < layout.lanes; lane++) {
        fin_set_word(layout, counters, FIN_LANE_T, lane, number[lane]);
        fin_set_word(layout, counters, FIN_LANE_T + 1, lane, number[lane] >> 32);
    }
}

/* Sets the same rows for the last block, whose lengths differ. */
FIN_INLINE void fin_chain_last(fin_lane_layout layout, const fin_group_rules *rules, size_t blocks,
                               const fin_group_source *source, uint8_t *restrict counters)
{
    const uint32_t *restrict lengths = source->bytes;
    const uint32_t before =
        (uint32_t)((blocks - 1) * fin_variant_block(layout.variant)) - (uint32_t)rules->prefixed;
    const uint32_t first = blocks == 1 ? rules->first_flags : 0;
    fin_set_chain(layout, source->number, fin_chain_flags(rules->flags, first, rules->last_flags),
                  counters);
    for (size_t lane = 0; lane < layout.lanes; lane++) {
        fin_set_word(layout, counters, FIN_LANE_F, lane, lengths[lane] - before);
    }
}

/* Sets counters and flags of whole blocks. BLAKE2 counts bytes, including those of a preceding key
   block. */
FIN_INLINE void fin_count_whole(fin_lane_layout layout, const fin_state *start, uint8_t *counters)
{
    const uint64_t high = fin_is_wide(layout.variant) ? start->t[1] : start->t[0] >> 32;
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_T), start->t[0]);
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_T + 1), high);
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_F), 0);
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_F + 1), 0);
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_INCREMENT),
                fin_variant_increment(layout.variant));
}

/*
 * Sets counters, increments and flags of the copied blocks. If two blocks of BLAKE have the
 * counters c0 and c1, counters start from 2 c0 - c1 and grow by c1 - c0, which may be negative. No
 * counter comes near a carry.
 */
FIN_INLINE void fin_count_last(fin_lane_layout layout, fin_group_final final,
                               const fin_state *start, uint64_t last_node,
                               const uint32_t *restrict lengths, uint8_t *restrict counters)
{
    const uint64_t t = start->t[0];
    const uint64_t at = (final.blocks - final.copied) * fin_variant_block(layout.variant);
    const uint64_t first_end = at + fin_variant_block(layout.variant);
    const uint64_t last = final.copied == 2 ? first_end : at;
    for (size_t lane = 0; lane < layout.lanes; lane++) {
        const uint64_t bytes = (uint64_t)lengths[lane] + final.prefixed;
        uint64_t from = t + last, growth = bytes - last;
        if (fin_family_of(layout.variant) == FIN_FAMILY_BLAKE) {
            const uint64_t c0 = 8 * (bytes < first_end ? bytes : first_end);
            const uint64_t c1 =
                final.copied == 1 ? 2 * c0 : fin_blake_counter(8 * bytes, bytes > first_end);
            from = 2 * c0 - c1;
            growth = c1 - c0;
        }
        fin_set_word(layout, counters, FIN_LANE_T, lane, from);
        fin_set_word(layout, counters, FIN_LANE_INCREMENT, lane, growth);
    }
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_T + 1), 0);
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_F), UINT64_MAX);
    fin_set_row(layout, fin_counters_row(layout, counters, FIN_LANE_F + 1), last_node);
}
