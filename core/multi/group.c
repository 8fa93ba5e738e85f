/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A group of short messages from their bytes to their digests. One text for all families and block
 * lengths, which are constants where it is called.
 */
#include "multi/group.h"

/* The rules' family and block_bytes, which are constants, and the implementation's lanes. */
typedef struct fin_group_kind {
    fin_family family;
    size_t block;
    size_t lanes;
} fin_group_kind;

FIN_INLINE bool fin_kind_is_wide(fin_group_kind kind)
{
    return kind.block == 128;
}

/* Blocks of this group that are staged: two unless it has only one. BLAKE2 has one but for a
   prefix. */
FIN_INLINE size_t fin_staged_blocks(fin_group_kind kind, const fin_group_rules *rules,
                                    const fin_group *group)
{
    const bool two = rules->prefixed || kind.family != FIN_FAMILY_BLAKE2;
    return two && group->blocks > 1 ? 2 : 1;
}

/* A lane's place for so many blocks, and for what a copy may write behind them. */
FIN_INLINE uint8_t *fin_staged_place(fin_group_kind kind, fin_group *group, size_t staged,
                                     size_t lane)
{
    return group->staged + lane * (staged * kind.block + 64);
}

/* ---- Ends of messages ---- */

/* The padding's end: BLAKE's bit that tells the full digest, and the length in bits or, of Grøstl, in
   blocks. */
FIN_INLINE void fin_set_length(fin_group_kind kind, const fin_group_rules *rules, uint8_t *end,
                               uint64_t length)
{
    const bool bit = kind.family == FIN_FAMILY_BLAKE && rules->full_length;
    const uint64_t full_length = bit ? UINT64_C(1) << 56 : 0;
    if (fin_kind_is_wide(kind)) {
        fin_or_piece(end - 32, 0, full_length);
        fin_or_piece(end - 16, 0, __builtin_bswap64(length));
    } else {
        fin_or_piece(end - 16, full_length, __builtin_bswap64(length));
    }
}

/* A message's last staged blocks, which hold rest bytes of it, the prefix included; all bytes are
   its length. */
FIN_INLINE void fin_stage(fin_group_kind kind, const fin_group_rules *rules, const fin_group *group,
                          uint8_t *to, const uint8_t *in, size_t rest, size_t staged, size_t bytes)
{
    const uint8_t mark = kind.family == FIN_FAMILY_BLAKE2 ? 0 : 0x80;
    memset(to, 0, group->lanes.common == FIN_COMMON_HALF ? 64 : kind.block);
    if (staged == 2) {
        memset(to + kind.block, 0, kind.block);
    }
    if (rules->prefixed) {
        to[0] = rules->prefix;
        fin_copy_tail(to + 1, in, rest - 1, mark, false);
    } else {
        fin_copy_tail(to, in, rest, mark, false);
    }
    if (kind.family == FIN_FAMILY_BLAKE) {
        fin_set_length(kind, rules, to + staged * kind.block, 8 * (uint64_t)bytes);
    } else if (kind.family == FIN_FAMILY_GROESTL) {
        fin_set_length(kind, rules, to + staged * kind.block, group->blocks);
    }
}

/* ---- Rows ---- */

FIN_INLINE size_t fin_kind_row_bytes(fin_group_kind kind)
{
    return kind.lanes * (fin_kind_is_wide(kind) ? 8 : 4);
}

/* A word of rows that begin with FIN_LANE_T. */
FIN_INLINE void fin_set_counter(fin_group_kind kind, uint8_t *counters, size_t row, size_t lane,
                                uint64_t word)
{
    const size_t at = (row - FIN_LANE_T) * kind.lanes + lane;
    const uint32_t low = (uint32_t)word;
    if (fin_kind_is_wide(kind)) {
        memcpy(counters + 8 * at, &word, sizeof word);
    } else {
        memcpy(counters + 4 * at, &low, sizeof low);
    }
}

/* The same word for every lane. A row is eight bytes, or sixteen or a multiple. */
FIN_INLINE void fin_set_row(fin_group_kind kind, fin_lane_rows *rows, size_t row, uint64_t word)
{
    const size_t row_bytes = fin_kind_row_bytes(kind);
    const uint64_t words =
        fin_kind_is_wide(kind) ? word : (word & UINT32_MAX) * UINT64_C(0x100000001);
    uint8_t *to = (uint8_t *)rows + row * row_bytes;
    if (row_bytes == 8) {
        memcpy(to, &words, sizeof words);
        return;
    }
    for (size_t at = 0; at < row_bytes; at += 16) {
        fin_store_piece(to + at, words, words);
    }
}

/* All lanes' chaining values. */
FIN_INLINE size_t fin_kind_h_bytes(fin_group_kind kind)
{
    return kind.lanes * (kind.family == FIN_FAMILY_GROESTL ? kind.block : kind.block / 2);
}

/* Counters and flags, the rows from FIN_LANE_T on. */
FIN_INLINE size_t fin_kind_counters_at(fin_group_kind kind)
{
    return FIN_LANE_T * fin_kind_row_bytes(kind);
}

FIN_INLINE size_t fin_kind_counters_bytes(fin_group_kind kind)
{
    return (FIN_LANE_ROWS - FIN_LANE_T) * fin_kind_row_bytes(kind);
}

/* Counters and flags of whole blocks; BLAKE2 counts bytes, and the key's block before them. */
FIN_INLINE void fin_count_whole(fin_group_kind kind, const fin_group_rules *rules,
                                fin_lane_rows *rows)
{
    const fin_state *start = rules->start;
    const uint64_t high = fin_kind_is_wide(kind) ? start->t[1] : start->t[0] >> 32;
    fin_set_row(kind, rows, FIN_LANE_T, start->t[0]);
    fin_set_row(kind, rows, FIN_LANE_T + 1, high);
    fin_set_row(kind, rows, FIN_LANE_F, 0);
    fin_set_row(kind, rows, FIN_LANE_F + 1, 0);
    fin_set_row(kind, rows, FIN_LANE_INCREMENT,
                kind.family == FIN_FAMILY_BLAKE ? 8 * kind.block : kind.block);
}

/*
 * A lane's counter of the last blocks, which begin at byte at. Two of BLAKE's count c0 and c1
 * message bits, the second one none if it holds none: they start from 2 c0 - c1 and grow by c1 - c0,
 * which may be negative. None comes near a carry.
 */
FIN_INLINE void fin_count_last(fin_group_kind kind, const fin_group_rules *rules, uint8_t *counters,
                               size_t lane, size_t at, size_t staged, size_t bytes)
{
    if (kind.family == FIN_FAMILY_BLAKE2) {
        const size_t last = at + (staged - 1) * kind.block;
        fin_set_counter(kind, counters, FIN_LANE_T, lane, rules->start->t[0] + last);
        fin_set_counter(kind, counters, FIN_LANE_INCREMENT, lane, bytes - last);
    } else if (kind.family == FIN_FAMILY_BLAKE) {
        const size_t first_end = at + kind.block;
        const uint64_t c0 = 8 * (uint64_t)(bytes < first_end ? bytes : first_end);
        const uint64_t c1 = staged == 1 ? 2 * c0 : bytes > first_end ? 8 * (uint64_t)bytes : 0;
        fin_set_counter(kind, counters, FIN_LANE_T, lane, 2 * c0 - c1);
        fin_set_counter(kind, counters, FIN_LANE_INCREMENT, lane, c1 - c0);
    }
}

/* ---- Digests ---- */

FIN_INLINE void fin_whole_digest(fin_group_kind kind, uint8_t *to, const fin_lanes *lanes,
                                 size_t lane)
{
    for (size_t i = 0; i < kind.block / 16; i++) {
        uint64_t word;
        if (kind.family == FIN_FAMILY_GROESTL) {
            word = lanes->row.w64[lane * kind.block / 8 + kind.block / 16 + i];
        } else if (fin_kind_is_wide(kind)) {
            word = lanes->row.w64[i * kind.lanes + lane];
        } else {
            const uint64_t even = lanes->row.w32[2 * i * kind.lanes + lane];
            const uint64_t odd = lanes->row.w32[(2 * i + 1) * kind.lanes + lane];
            word = kind.family == FIN_FAMILY_BLAKE ? even << 32 | odd : odd << 32 | even;
        }
        if (kind.family == FIN_FAMILY_BLAKE) {
            fin_store64_be(to + 8 * i, word);
        } else {
            fin_store64_le(to + 8 * i, word);
        }
    }
}

FIN_INLINE void fin_write_digests(fin_group_kind kind, const fin_group_rules *rules,
                                  const fin_lanes *lanes, const fin_group *group)
{
    uint8_t whole[64];
    if (rules->digest_bytes == kind.block / 2) {
        for (size_t lane = 0; lane < group->count; lane++) {
            fin_whole_digest(kind, group->digest[lane], lanes, lane);
        }
        return;
    }
    const bool is_end = kind.family == FIN_FAMILY_GROESTL;
    const uint8_t *part = is_end ? whole + kind.block / 2 - rules->digest_bytes : whole;
    for (size_t lane = 0; lane < group->count; lane++) {
        fin_whole_digest(kind, whole, lanes, lane);
        memcpy(group->digest[lane], part, rules->digest_bytes);
    }
    fin_erase(whole, sizeof whole);
}

/* ---- The whole group ---- */

FIN_INLINE void fin_set_blocks(fin_group_kind kind, fin_lanes *lanes, const uint8_t *const *in)
{
    for (size_t lane = 0; lane < kind.lanes; lane++) {
        lanes->in[lane] = in[lane];
    }
}

/* True if the first of BLAKE2's two staged blocks is whole, and not the last: with a prefix. */
FIN_INLINE bool fin_first_staged_is_whole(fin_group_kind kind, size_t staged)
{
    return kind.family == FIN_FAMILY_BLAKE2 && staged == 2;
}

/*
 * What the messages' blocks have in common. No message of BLAKE2b may fill more than half of its only
 * block: the rest are zeros. Messages of BLAKE have 64 bytes: their own words, and then the padding.
 */
FIN_INLINE fin_common fin_group_common(fin_group_kind kind, const fin_group_rules *rules,
                                       const fin_group *group, const uint32_t *lengths)
{
    const bool is_blake2 = kind.family == FIN_FAMILY_BLAKE2;
    const size_t blocks = kind.family == FIN_FAMILY_BLAKE && !fin_kind_is_wide(kind) ? 2 : 1;
    uint32_t differs = rules->prefixed && !is_blake2;
    if (group->impl->common == FIN_COMMON_NONE || group->blocks != blocks) {
        return FIN_COMMON_NONE;
    }
    for (size_t lane = 0; lane < kind.lanes; lane++) {
        const uint32_t bytes = lengths[lane] + (uint32_t)rules->prefixed;
        differs |= is_blake2 ? bytes > 64 : bytes ^ 64;
    }
    return differs == 0 ? group->impl->common : (fin_common)FIN_COMMON_NONE;
}

/* The padding of BLAKE's 64 bytes, or zeros. */
FIN_INLINE void fin_set_common_words(fin_group_kind kind, const fin_group_rules *rules,
                                     fin_lanes *lanes)
{
    const bool is_blake = kind.family == FIN_FAMILY_BLAKE;
    memset(&lanes->common_words, 0, sizeof lanes->common_words);
    if (is_blake && fin_kind_is_wide(kind)) {
        lanes->common_words.w64[0] = UINT64_C(1) << 63;
        lanes->common_words.w64[5] = rules->full_length;
        lanes->common_words.w64[7] = 8 * 64;
    } else if (is_blake) {
        lanes->common_words.w32[0] = UINT32_C(1) << 31;
        lanes->common_words.w32[13] = rules->full_length;
        lanes->common_words.w32[15] = 8 * 64;
    }
}

/* What all groups of an implementation begin with. */
static void fin_set_rows(fin_group_kind kind, fin_group_rules *rules)
{
    const fin_state *start = rules->start;
    if (kind.family == FIN_FAMILY_GROESTL) {
        for (size_t lane = 0; lane < kind.lanes; lane++) {
            memcpy(rules->rows.w64 + lane * kind.block / 8, start->h.w64, kind.block);
        }
        return;
    }
    for (size_t i = 0; i < 8; i++) {
        fin_set_row(kind, &rules->rows, FIN_LANE_H + i,
                    fin_kind_is_wide(kind) ? start->h.w64[i] : start->h.w32[i]);
    }
    fin_set_row(kind, &rules->rows, FIN_LANE_T + 1, 0);
    fin_set_row(kind, &rules->rows, FIN_LANE_F, UINT64_MAX);
    fin_set_row(kind, &rules->rows, FIN_LANE_F + 1, rules->last_node);
}

FIN_INLINE void fin_prepare_as(fin_group_kind kind, const fin_group_rules *rules, fin_group *group,
                               const fin_extents *extents, size_t place)
{
    const uint32_t *lengths = extents->bytes + place;
    const uint8_t *const *ins = extents->in + place;
    uint8_t *rows = (uint8_t *)&group->lanes.row;
    const uint8_t *rules_rows = (const uint8_t *)&rules->rows;
    const size_t counters_at = fin_kind_counters_at(kind);
    const size_t staged = fin_staged_blocks(kind, rules, group);
    const size_t at = (group->blocks - staged) * kind.block;
    const bool one_call = at == 0 && !fin_first_staged_is_whole(kind, staged);
    const fin_common common = fin_group_common(kind, rules, group, lengths);
    const size_t block_bytes = common != FIN_COMMON_NONE ? 64 : kind.block; /* that are read */
    const bool has_padding = kind.family != FIN_FAMILY_BLAKE2 && common == FIN_COMMON_NONE;
    uint8_t *counters = one_call ? rows + counters_at : (uint8_t *)&group->counters;
    const uint8_t **last = at == 0 ? group->lanes.in : group->last;
    group->lanes.common = common;
    if (common != FIN_COMMON_NONE) {
        fin_set_common_words(kind, rules, &group->lanes);
    }
    memcpy(rows, rules_rows, fin_kind_h_bytes(kind));
    if (kind.family != FIN_FAMILY_GROESTL) {
        memcpy(counters, rules_rows + counters_at, fin_kind_counters_bytes(kind));
    }
    if (!one_call && kind.family != FIN_FAMILY_GROESTL) {
        fin_count_whole(kind, rules, &group->lanes.row);
    }
    const size_t staged_bytes =
        (size_t)(fin_staged_place(kind, group, staged, kind.lanes) - group->staged);
    group->staged_bytes = staged_bytes > group->staged_bytes ? staged_bytes : group->staged_bytes;
    memcpy(group->digest, extents->digest + place, group->count * sizeof group->digest[0]);
    for (size_t lane = 0; lane < kind.lanes; lane++) {
        const size_t bytes = lengths[lane] + (size_t)rules->prefixed;
        const size_t rest = bytes - at;
        const uint8_t *in = ins[lane] + at;
        fin_count_last(kind, rules, counters, lane, at, staged, bytes);
        if (!has_padding && rest == block_bytes && !rules->prefixed) {
            last[lane] = in;
        } else {
            uint8_t *to = fin_staged_place(kind, group, staged, lane);
            last[lane] = to;
            fin_stage(kind, rules, group, to, in, rest, staged, bytes);
        }
    }
    if (at != 0) {
        fin_set_blocks(kind, &group->lanes, ins);
    }
}

/* Compresses blocks blocks; meanwhile those at in are transposed for next, if the implementation
   can. */
FIN_INLINE void fin_compress_ahead(fin_group *group, size_t blocks, size_t stride, fin_lanes *next,
                                   const uint8_t *const *in)
{
    if (group->impl->compress_ahead != NULL) {
        group->impl->compress_ahead(&group->lanes, blocks, stride, next, in);
    } else {
        group->impl->compress_lanes(&group->lanes, blocks, stride);
    }
}

FIN_INLINE void fin_hash_as(fin_group_kind kind, const fin_group_rules *rules, fin_group *group,
                            fin_group *next)
{
    fin_lanes *lanes = &group->lanes;
    size_t staged = fin_staged_blocks(kind, rules, group);
    const size_t whole = group->blocks - staged;
    if (whole != 0) {
        fin_compress_ahead(group, whole, kind.block, lanes, group->last);
        fin_set_blocks(kind, lanes, group->last);
    } else if (fin_first_staged_is_whole(kind, staged)) {
        fin_compress_ahead(group, 1, kind.block, NULL, NULL);
        staged = 1;
    }
    if (kind.family != FIN_FAMILY_GROESTL && group->blocks > staged) {
        memcpy((uint8_t *)&lanes->row + fin_kind_counters_at(kind), &group->counters,
               fin_kind_counters_bytes(kind));
    }
    if (kind.family == FIN_FAMILY_GROESTL) {
        group->impl->finish_lanes(lanes, staged, kind.block);
    } else {
        fin_compress_ahead(group, staged, kind.block, next != NULL ? &next->lanes : NULL,
                           next != NULL ? next->lanes.in : NULL);
    }
    fin_write_digests(kind, rules, lanes, group);
}

/* Calls a function with one of the kinds that there are, each a text of its own. */
#define FIN_FOR_KIND(function, rules, lanes, ...)                                    \
    do {                                                                             \
        const fin_family family = (rules)->family;                                   \
        const bool wide = (rules)->block_bytes == 128;                               \
        if (family == FIN_FAMILY_BLAKE && wide) {                                    \
            function((fin_group_kind){FIN_FAMILY_BLAKE, 128, lanes}, __VA_ARGS__);   \
        } else if (family == FIN_FAMILY_BLAKE) {                                     \
            function((fin_group_kind){FIN_FAMILY_BLAKE, 64, lanes}, __VA_ARGS__);    \
        } else if (family == FIN_FAMILY_BLAKE2 && wide) {                            \
            function((fin_group_kind){FIN_FAMILY_BLAKE2, 128, lanes}, __VA_ARGS__);  \
        } else if (family == FIN_FAMILY_BLAKE2) {                                    \
            function((fin_group_kind){FIN_FAMILY_BLAKE2, 64, lanes}, __VA_ARGS__);   \
        } else if (wide) {                                                           \
            function((fin_group_kind){FIN_FAMILY_GROESTL, 128, lanes}, __VA_ARGS__); \
        } else {                                                                     \
            function((fin_group_kind){FIN_FAMILY_GROESTL, 64, lanes}, __VA_ARGS__);  \
        }                                                                            \
    } while (0)

void fin_group_rules_set_lanes(fin_group_rules *rules, size_t lanes)
{
    const fin_group_kind kind = {rules->family, rules->block_bytes, lanes};
    rules->lanes = lanes;
    fin_set_rows(kind, rules);
}

void fin_group_prepare(const fin_group_rules *rules, fin_group *group, const fin_extents *extents,
                       size_t place)
{
    FIN_FOR_KIND(fin_prepare_as, rules, rules->lanes, rules, group, extents, place);
}

void fin_group_hash(const fin_group_rules *rules, fin_group *group, fin_group *next)
{
    FIN_FOR_KIND(fin_hash_as, rules, group->impl->lanes, rules, group, next);
}

void fin_group_erase(const fin_group_rules *rules, fin_group *group, size_t lanes)
{
    const fin_group_kind kind = {rules->family, rules->block_bytes, lanes};
    const size_t words = 2 * 16 * fin_kind_row_bytes(kind); /* of a block and of the next one */
    const size_t words_max = sizeof group->lanes.message;
    fin_erase(&group->lanes.row, fin_kind_h_bytes(kind));
    if (kind.family != FIN_FAMILY_GROESTL) {
        fin_erase(&group->lanes.message, words < words_max ? words : words_max);
    }
    fin_erase(group->staged, group->staged_bytes);
}

void fin_group_rules_erase(fin_group_rules *rules, size_t lanes)
{
    const fin_group_kind kind = {rules->family, rules->block_bytes, lanes};
    fin_erase(&rules->rows, fin_kind_h_bytes(kind));
}
