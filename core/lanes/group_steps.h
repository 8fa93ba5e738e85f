/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A group of short messages from their bytes to their digests. One text for all families and block
 * lengths, which are constants where it is called. The includer defines
 *
 *   FIN_GROUP_BLAKE, FIN_GROUP_GROESTL       1 or 0: the families of its kernels; BLAKE2's are BLAKE's
 *   FIN_GROUP_BLAKE3                         1 or 0, too
 *   FIN_GROUP_LANES32, FIN_GROUP_LANES64     their lanes: of BLAKE's words,
 *   FIN_GROUP_LANES512, FIN_GROUP_LANES1024  of Grøstl's states; 0: any number
 *   FIN_GROUP_STREAMS                        optional, 2: there are kernels of twice the lanes, too
 *
 * and gets fin_group_steps_here. With vec/tails_*.h ends are padded in registers, and with
 * laneB_store_digests digests are transposed there.
 */
#include "lanes/group.h"
#include "spec/padding.h"
#include "lanes/group_ends.h"

/* The unit's lanes are constants. */
#define FIN_CONSTANT_LANES (FIN_GROUP_LANES32 + FIN_GROUP_LANES512 != 0)

/* Blocks of this group that are staged: two unless it has only one. BLAKE2 and BLAKE3 have one but for
   a prefix. */
FIN_INLINE size_t fin_staged_blocks(fin_group_kind kind, const fin_group_rules *rules,
                                    const fin_group *group)
{
    const bool two = rules->prefixed || !fin_kind_is_unpadded(kind);
    return two && group->blocks > 1 ? 2 : 1;
}

/* True if all messages of BLAKE end with a block and have the same padding after it. Where blocks are
   transposed ahead, two calls take less time than staging what lies in place. */
FIN_INLINE bool fin_is_padding_shared(fin_group_kind kind, const fin_group_rules *rules,
                                      const fin_group *group, const uint32_t *lengths)
{
    return kind.family == FIN_FAMILY_BLAKE && !rules->prefixed && group->blocks > 1 &&
           group->impl->compress_ahead != NULL &&
           fin_all_have(kind, lengths, (group->blocks - 1) * kind.block);
}

/* ---- Rows ---- */

FIN_INLINE size_t fin_kind_row_bytes(fin_group_kind kind)
{
    return kind.lanes * (fin_kind_is_wide(kind) ? 8 : 4);
}

/* A row of counters and flags, which begin with FIN_LANE_T. */
FIN_INLINE uint8_t *fin_counters_row(fin_group_kind kind, uint8_t *counters, size_t row)
{
    return counters + (row - FIN_LANE_T) * fin_kind_row_bytes(kind);
}

FIN_INLINE void fin_set_word(fin_group_kind kind, uint8_t *counters, size_t row, size_t lane,
                             uint64_t word)
{
    uint8_t *to = fin_counters_row(kind, counters, row);
    const uint32_t low = (uint32_t)word;
    if (fin_kind_is_wide(kind)) {
        memcpy(to + 8 * lane, &word, sizeof word);
    } else {
        memcpy(to + 4 * lane, &low, sizeof low);
    }
}

/* The same word for every lane. In one store, if the unit's registers hold the row: a kernel loads it
   whole. */
FIN_INLINE void fin_set_row(fin_group_kind kind, uint8_t *row, uint64_t word)
{
    typedef uint64_t line __attribute__((vector_size(64)));
    typedef uint64_t half_line __attribute__((vector_size(32)));
    const size_t row_bytes = fin_kind_row_bytes(kind);
    const uint64_t words =
        fin_kind_is_wide(kind) ? word : (word & UINT32_MAX) * UINT64_C(0x100000001);
    const line whole = (line){0} + words;
    const half_line half = (half_line){0} + words;
    if (row_bytes == 8) {
        memcpy(row, &words, sizeof words);
    } else if (FIN_CONSTANT_LANES && row_bytes == 64) {
        memcpy(row, &whole, sizeof whole);
    } else if (FIN_CONSTANT_LANES && row_bytes == 32) {
        memcpy(row, &half, sizeof half);
    } else {
        for (size_t at = 0; at < row_bytes; at += 16) {
            fin_store_piece(row + at, words, words);
        }
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

/* The chaining values before the first block. */
FIN_INLINE void fin_set_start(fin_group_kind kind, const fin_state *start, fin_lane_rows *rows)
{
    if (kind.family == FIN_FAMILY_GROESTL) {
        for (size_t lane = 0; lane < kind.lanes; lane++) {
            memcpy(rows->w64 + lane * kind.block / 8, start->h.w64, kind.block);
        }
        return;
    }
    for (size_t i = 0; i < 8; i++) {
        fin_set_row(kind, (uint8_t *)rows + (FIN_LANE_H + i) * fin_kind_row_bytes(kind),
                    fin_kind_is_wide(kind) ? start->h.w64[i] : start->h.w32[i]);
    }
}

/* BLAKE3: every lane's counter, which blocks do not advance, the length of a call's last block, which may
   be told lane by lane after this, and the flags. */
FIN_INLINE void fin_set_chain(fin_group_kind kind, const uint64_t *number, uint64_t flags,
                              uint8_t *counters)
{
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_T), 0);
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_T + 1), 0);
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_F), FIN_BLAKE3_BLOCK);
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_F + 1), flags);
    for (size_t lane = 0; number != NULL && lane < kind.lanes; lane++) {
        fin_set_word(kind, counters, FIN_LANE_T, lane, number[lane]);
        fin_set_word(kind, counters, FIN_LANE_T + 1, lane, number[lane] >> 32);
    }
}

/* The same for the blocks before the last one. */
FIN_INLINE void fin_chain_whole(fin_group_kind kind, const fin_group_rules *rules,
                                const uint64_t *number, uint8_t *counters)
{
    fin_set_chain(kind, number, fin_chain_flags(rules->flags, rules->first_flags, 0), counters);
}

/* The same for the last block. */
FIN_INLINE void fin_chain_last(fin_group_kind kind, const fin_group_rules *rules, size_t blocks,
                               const fin_group_source *source, uint8_t *counters)
{
    const uint32_t at = (uint32_t)((blocks - 1) * kind.block);
    const uint32_t first = blocks == 1 ? rules->first_flags : 0;
    fin_set_chain(kind, source->number, fin_chain_flags(rules->flags, first, rules->last_flags),
                  counters);
    for (size_t lane = 0; lane < kind.lanes; lane++) {
        fin_set_word(kind, counters, FIN_LANE_F, lane,
                     source->bytes[lane] + (uint32_t)rules->prefixed - at);
    }
}

/* Counters and flags of whole blocks; BLAKE2 counts bytes, and the key's block before them. */
FIN_INLINE void fin_count_whole(fin_group_kind kind, const fin_state *start, uint8_t *counters)
{
    const uint64_t high = fin_kind_is_wide(kind) ? start->t[1] : start->t[0] >> 32;
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_T), start->t[0]);
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_T + 1), high);
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_F), 0);
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_F + 1), 0);
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_INCREMENT),
                kind.family == FIN_FAMILY_BLAKE ? 8 * kind.block : kind.block);
}

/* Counters of a block that holds no bit of a message; BLAKE has no flags. */
FIN_INLINE void fin_count_none(fin_group_kind kind, uint8_t *counters)
{
    memset(counters, 0, fin_kind_counters_bytes(kind));
}

/*
 * Sets counters, increments and flags of the last blocks, which begin at byte at. Two blocks of BLAKE count
 * c0 and c1 message bits, c1 being 0 if the second one holds none: counters start from 2 c0 - c1 and grow
 * by c1 - c0, which may be negative. None comes near a carry.
 */
FIN_INLINE void fin_count_last(fin_group_kind kind, fin_group_ends ends, const fin_state *start,
                               uint64_t last_node, const uint32_t *restrict lengths,
                               uint8_t *restrict counters)
{
    const uint64_t t = start->t[0];
    const uint64_t at = (ends.blocks - ends.staged) * kind.block;
    const uint64_t first_end = at + kind.block;
    const uint64_t last = ends.staged == 2 ? first_end : at;
    for (size_t lane = 0; lane < kind.lanes; lane++) {
        const uint64_t bytes = (uint64_t)lengths[lane] + ends.prefixed;
        uint64_t from = t + last, growth = bytes - last;
        if (kind.family == FIN_FAMILY_BLAKE) {
            const uint64_t c0 = 8 * (bytes < first_end ? bytes : first_end);
            const uint64_t all = bytes > first_end ? 8 * bytes : 0;
            const uint64_t c1 = ends.staged == 1 ? 2 * c0 : all;
            from = 2 * c0 - c1;
            growth = c1 - c0;
        }
        fin_set_word(kind, counters, FIN_LANE_T, lane, from);
        fin_set_word(kind, counters, FIN_LANE_INCREMENT, lane, growth);
    }
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_T + 1), 0);
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_F), UINT64_MAX);
    fin_set_row(kind, fin_counters_row(kind, counters, FIN_LANE_F + 1), last_node);
}

#include "lanes/group_digests.h"

/* ---- The whole group ---- */

FIN_INLINE void fin_set_blocks(fin_group_kind kind, fin_lanes *lanes, const uint8_t *const *in)
{
    for (size_t lane = 0; lane < kind.lanes; lane++) {
        lanes->in[lane] = in[lane];
    }
}

/* True if the first of two staged blocks is whole, and not the last: BLAKE2 and BLAKE3 with a prefix. */
FIN_INLINE bool fin_first_staged_is_whole(fin_group_kind kind, size_t staged)
{
    return fin_kind_is_unpadded(kind) && staged == 2;
}

/*
 * Returns which words all blocks share. No message of BLAKE2b may fill more than half of its only
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
    memset(&lanes->common_words, 0, sizeof lanes->common_words);
    for (unsigned i = 0; kind.family == FIN_FAMILY_BLAKE && i < 8; i++) {
        const uint64_t word = __builtin_bswap64(
            fin_blake_padding_word(fin_kind_variant(kind), i, rules->full_length, 8 * 64));
        if (fin_kind_is_wide(kind)) {
            lanes->common_words.w64[i] = word;
        } else {
            lanes->common_words.w32[2 * i] = (uint32_t)(word >> 32);
            lanes->common_words.w32[2 * i + 1] = (uint32_t)word;
        }
    }
}

FIN_INLINE void fin_prepare_as(fin_group_kind kind, const fin_group_rules *rules, fin_group *group,
                               const fin_group_source *source)
{
    uint8_t *own_counters = (uint8_t *)&group->lanes.row + fin_kind_counters_at(kind);
    const fin_common common = fin_group_common(kind, rules, group, source->bytes);
    const bool shared =
        common == FIN_COMMON_NONE && fin_is_padding_shared(kind, rules, group, source->bytes);
    const size_t staged = shared ? 1 : fin_staged_blocks(kind, rules, group);
    const size_t at = (group->blocks - staged) * kind.block;
    const bool one_call = at == 0 && !fin_first_staged_is_whole(kind, staged);
    /* Last blocks of this length need no staging: of common blocks the kernel reads 64 bytes. */
    const size_t whole_bytes = common != FIN_COMMON_NONE                      ? 64
                               : fin_kind_is_unpadded(kind) || !rules->padded ? kind.block
                                                                              : SIZE_MAX;
    uint8_t *counters = one_call ? own_counters : (uint8_t *)&group->counters;
    const uint8_t **last = at == 0 ? group->lanes.in : group->last;
    group->staged_blocks = staged;
    group->lanes.common = common;
    if (common != FIN_COMMON_NONE) {
        fin_set_common_words(kind, rules, &group->lanes);
    }
    fin_set_start(kind, rules->start, &group->lanes.row);
    if (!one_call && kind.family == FIN_FAMILY_BLAKE3) {
        fin_chain_whole(kind, rules, source->number, own_counters);
    } else if (!one_call && kind.family != FIN_FAMILY_GROESTL) {
        fin_count_whole(kind, rules->start, own_counters);
    }
    const fin_group_ends ends = {
        .blocks = group->blocks,
        .staged = staged,
        .half = common == FIN_COMMON_HALF,
        .full_length = rules->full_length,
        .prefixed = rules->prefixed,
        .prefix = rules->prefix,
#ifdef FIN_TAIL_LINES
        .padding = fin_tail_padding(kind, rules->full_length, group->blocks),
#endif
    };
    if (shared) {
        fin_count_none(kind, counters);
    } else if (kind.family == FIN_FAMILY_BLAKE3) {
        fin_chain_last(kind, rules, group->blocks, source, counters);
    } else if (kind.family != FIN_FAMILY_GROESTL) {
        fin_count_last(kind, ends, rules->start, rules->last_node, source->bytes, counters);
    }
    memcpy((void *)group->digest, (const void *)source->digest,
           kind.lanes * sizeof group->digest[0]);
    const size_t staged_bytes =
        shared ? fin_stage_padding(kind, ends, at, group->staged, last)
               : fin_stage_all(kind, ends, source, group->staged, last, whole_bytes);
    group->staged_bytes = staged_bytes > group->staged_bytes ? staged_bytes : group->staged_bytes;
    if (at != 0) {
        fin_set_blocks(kind, &group->lanes, source->in);
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
    size_t staged = group->staged_blocks;
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

/* Calls a function with one of the includer's kinds, each a text of its own; streams is a constant. */
#define FIN_FOR_KIND(function, rules, streams, lanes_, ...)                                       \
    do {                                                                                          \
        const fin_family family = (rules)->family;                                                \
        const bool wide = (rules)->block_bytes == 128;                                            \
        if (FIN_HAS_KIND(BLAKE, BLAKE512) && family == FIN_FAMILY_BLAKE && wide) {                \
            function(FIN_KIND(BLAKE, 128, (streams) * FIN_GROUP_LANES64, lanes_), __VA_ARGS__);   \
        } else if (FIN_HAS_KIND(BLAKE, BLAKE256) && family == FIN_FAMILY_BLAKE) {                 \
            function(FIN_KIND(BLAKE, 64, (streams) * FIN_GROUP_LANES32, lanes_), __VA_ARGS__);    \
        } else if (FIN_HAS_KIND(BLAKE, BLAKE2B) && family == FIN_FAMILY_BLAKE2 && wide) {         \
            function(FIN_KIND(BLAKE2, 128, (streams) * FIN_GROUP_LANES64, lanes_), __VA_ARGS__);  \
        } else if (FIN_HAS_KIND(BLAKE, BLAKE2S) && family == FIN_FAMILY_BLAKE2) {                 \
            function(FIN_KIND(BLAKE2, 64, (streams) * FIN_GROUP_LANES32, lanes_), __VA_ARGS__);   \
        } else if (FIN_HAS_KIND(BLAKE3, BLAKE3) && family == FIN_FAMILY_BLAKE3) {                 \
            function(FIN_KIND(BLAKE3, 64, (streams) * FIN_GROUP_LANES32, lanes_), __VA_ARGS__);   \
        } else if (FIN_HAS_GROESTL(512) && wide) {                                                \
            function(FIN_KIND(GROESTL, 128, (streams) * FIN_GROUP_LANES1024, lanes_),             \
                     __VA_ARGS__);                                                                \
        } else if (FIN_HAS_GROESTL(256)) {                                                        \
            function(FIN_KIND(GROESTL, 64, (streams) * FIN_GROUP_LANES512, lanes_), __VA_ARGS__); \
        }                                                                                         \
    } while (0)
/* Of the includer, and in this build. */
#define FIN_HAS_KIND(families, id) (FIN_GROUP_##families && FIN_HAS_COMPRESSION(id))
#define FIN_HAS_GROESTL(bits) \
    (FIN_HAS_KIND(GROESTL, GROESTL##bits) || FIN_HAS_KIND(GROESTL, GROESTL0_##bits))
#define FIN_KIND(family_, block_, constant, lanes_) \
    ((fin_group_kind){FIN_FAMILY_##family_, block_, (constant) != 0 ? (constant) : (lanes_)})

#if defined(FIN_GROUP_STREAMS) && FIN_GROUP_STREAMS == 2
/* True for two streams; there are half as many lanes of twice as large blocks. */
static bool fin_is_twice(const fin_group_rules *rules, const fin_impl *impl)
{
    return impl->lanes * rules->block_bytes == (size_t)2 * 64 * FIN_GROUP_LANES32;
}
#define FIN_FOR_STREAMS(function, rules, impl, ...)                       \
    do {                                                                  \
        if (fin_is_twice(rules, impl)) {                                  \
            FIN_FOR_KIND(function, rules, 2, (impl)->lanes, __VA_ARGS__); \
        } else {                                                          \
            FIN_FOR_KIND(function, rules, 1, (impl)->lanes, __VA_ARGS__); \
        }                                                                 \
    } while (0)
#else
#define FIN_FOR_STREAMS(function, rules, impl, ...) \
    FIN_FOR_KIND(function, rules, 1, (impl)->lanes, __VA_ARGS__)
#endif

static void fin_prepare_group(const fin_group_rules *rules, fin_group *group,
                              const fin_group_source *source)
{
    FIN_FOR_STREAMS(fin_prepare_as, rules, group->impl, rules, group, source);
}

static void fin_hash_group(const fin_group_rules *rules, fin_group *group, fin_group *next)
{
    FIN_FOR_STREAMS(fin_hash_as, rules, group->impl, rules, group, next);
}

static const fin_group_steps fin_group_steps_here = {fin_prepare_group, fin_hash_group};
