/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A group of short messages from their bytes to their digests (group.h).
 *
 *   FIN_GROUP_KERNEL   the lanes' compress_lanes; FIN_GROUP_KERNEL_group is the function to define
 *   FIN_GROUP_FINISH   their finish_lanes
 *   FIN_GROUP_FAMILY   BLAKE, BLAKE2 or GROESTL
 *   FIN_GROUP_BLOCK    bytes in a block
 *   FIN_GROUP_LANES    messages in a group
 *
 * Whole blocks are compressed where they lie. The last block, of BLAKE and Grøstl the last two, is
 * staged: the message's end, the byte after it, the length. So all lanes take the same two calls
 * whatever their lengths, and only counters differ.
 */
#include "bytes.h"
#include "group.h"
#include "kern/names.h"

#if !defined(FIN_GROUP_FAMILY) || !defined(FIN_GROUP_BLOCK)
#error "FIN_GROUP_FAMILY and FIN_GROUP_BLOCK are to be defined"
#endif
#if !defined(FIN_GROUP_LANES) || !defined(FIN_GROUP_KERNEL) || !defined(FIN_GROUP_FINISH)
#error "FIN_GROUP_LANES, FIN_GROUP_KERNEL and FIN_GROUP_FINISH are to be defined"
#endif

#define FN(name) FIN_CAT(FIN_GROUP_KERNEL, FIN_CAT(_group, name))
#define IS_BLAKE (FIN_CAT(FIN_FAMILY_, FIN_GROUP_FAMILY) == FIN_FAMILY_BLAKE)
#define IS_BLAKE2 (FIN_CAT(FIN_FAMILY_, FIN_GROUP_FAMILY) == FIN_FAMILY_BLAKE2)
#define IS_GROESTL (FIN_CAT(FIN_FAMILY_, FIN_GROUP_FAMILY) == FIN_FAMILY_GROESTL)
#define IS_WIDE (FIN_GROUP_BLOCK == 128)
#define LANES ((size_t)FIN_GROUP_LANES)
#define BLOCK ((size_t)FIN_GROUP_BLOCK)

/* The same word for every lane. */
FIN_INLINE void FN(_set_row)(fin_lanes *lanes, size_t row, uint64_t word)
{
    for (size_t lane = 0; lane < LANES; lane++) {
        if (IS_WIDE) {
            lanes->row.w64[row * LANES + lane] = word;
        } else {
            lanes->row.w32[row * LANES + lane] = (uint32_t)word;
        }
    }
}

FIN_INLINE void FN(_set)(fin_lanes *lanes, size_t row, size_t lane, uint64_t word)
{
    if (IS_WIDE) {
        lanes->row.w64[row * LANES + lane] = word;
    } else {
        lanes->row.w32[row * LANES + lane] = (uint32_t)word;
    }
}

FIN_INLINE void FN(_set_flags)(fin_lanes *lanes, uint64_t last, uint64_t last_node)
{
    if (IS_BLAKE2) {
        FN(_set_row)(lanes, FIN_LANE_F, last);
        FN(_set_row)(lanes, FIN_LANE_F + 1, last_node);
    }
}

/* The chaining value before the first block. */
FIN_INLINE void FN(_start)(fin_lanes *lanes, const fin_state *start)
{
    if (IS_GROESTL) {
        for (size_t lane = 0; lane < LANES; lane++) {
            memcpy(lanes->row.w64 + lane * BLOCK / 8, start->h.w64, BLOCK);
        }
        return;
    }
    for (size_t i = 0; i < 8; i++) {
        FN(_set_row)(lanes, FIN_LANE_H + i, IS_WIDE ? start->h.w64[i] : start->h.w32[i]);
    }
}

/* The padding's end: BLAKE's bit that tells the full digest, and the length in bits or, of Grøstl, in
   blocks. */
FIN_INLINE void FN(_set_length)(const fin_group_rules *rules, uint8_t *end, uint64_t length)
{
    const uint64_t full_length = IS_BLAKE && rules->full_length ? UINT64_C(1) << 56 : 0;
    if (IS_WIDE) {
        fin_or_piece(end - 32, 0, full_length);
        fin_or_piece(end - 16, 0, __builtin_bswap64(length));
    } else {
        fin_or_piece(end - 16, full_length, __builtin_bswap64(length));
    }
}

/* A message's last staged blocks, which hold rest bytes of it, the prefix included; all bytes are
   its length. */
FIN_INLINE void FN(_stage)(const fin_group_rules *rules, uint8_t *to, const uint8_t *in,
                           size_t rest, size_t blocks, size_t staged, size_t bytes)
{
    const uint8_t mark = IS_BLAKE2 ? 0 : 0x80;
    memset(to, 0, BLOCK);
    if (staged == 2) {
        memset(to + BLOCK, 0, BLOCK);
    }
    if (rules->prefixed) {
        to[0] = rules->prefix;
        fin_copy_tail(to + 1, in, rest - 1, mark);
    } else {
        fin_copy_tail(to, in, rest, mark);
    }
    if (!IS_BLAKE2) {
        FN(_set_length)(rules, to + staged * BLOCK, IS_BLAKE ? 8 * (uint64_t)bytes : blocks);
    }
}

/* Counters of blocks from byte at on: BLAKE2 counts bytes and adds t to them, for the key. */
FIN_INLINE void FN(_count_whole)(fin_lanes *lanes, const fin_state *start)
{
    FN(_set_row)(lanes, FIN_LANE_T, start->t[0]);
    FN(_set_row)(lanes, FIN_LANE_T + 1, IS_WIDE ? start->t[1] : start->t[0] >> 32);
    FN(_set_row)(lanes, FIN_LANE_INCREMENT, IS_BLAKE ? 8 * BLOCK : BLOCK);
}

/*
 * Counters of the staged blocks. Two of BLAKE's count c0 and c1 message bits, the second one none if
 * it holds none: they start from 2 c0 - c1 and grow by c1 - c0, which may be negative. None comes
 * near a carry.
 */
FIN_INLINE void FN(_count_staged)(fin_lanes *lanes, const fin_state *start, size_t lane, size_t at,
                                  size_t staged, size_t bytes)
{
    if (IS_BLAKE2) {
        FN(_set)(lanes, FIN_LANE_T, lane, start->t[0] + at);
        FN(_set)(lanes, FIN_LANE_INCREMENT, lane, bytes - at);
    } else if (IS_BLAKE) {
        const size_t first_end = at + BLOCK;
        const uint64_t c0 = 8 * (uint64_t)(bytes < first_end ? bytes : first_end);
        const uint64_t c1 = staged == 1 ? 2 * c0 : bytes > first_end ? 8 * (uint64_t)bytes : 0;
        FN(_set)(lanes, FIN_LANE_T, lane, 2 * c0 - c1);
        FN(_set)(lanes, FIN_LANE_INCREMENT, lane, c1 - c0);
    }
}

FIN_INLINE void FN(_whole_digest)(uint8_t *to, const fin_lanes *lanes, size_t lane)
{
    for (size_t i = 0; i < BLOCK / 16; i++) {
        uint64_t word;
        if (IS_GROESTL) {
            word = lanes->row.w64[lane * BLOCK / 8 + BLOCK / 16 + i];
        } else if (IS_WIDE) {
            word = lanes->row.w64[i * LANES + lane];
        } else {
            const uint64_t even = lanes->row.w32[2 * i * LANES + lane];
            const uint64_t odd = lanes->row.w32[(2 * i + 1) * LANES + lane];
            word = IS_BLAKE ? even << 32 | odd : odd << 32 | even;
        }
        if (IS_BLAKE) {
            fin_store64_be(to + 8 * i, word);
        } else {
            fin_store64_le(to + 8 * i, word);
        }
    }
}

FIN_INLINE void FN(_digests)(const fin_group_rules *rules, const fin_group *group)
{
    if (rules->digest_bytes == BLOCK / 2) {
        for (size_t lane = 0; lane < group->count; lane++) {
            FN(_whole_digest)(group->digest[lane], &group->lanes, lane);
        }
        return;
    }
    uint8_t whole[BLOCK / 2];
    const uint8_t *part = IS_GROESTL ? whole + BLOCK / 2 - rules->digest_bytes : whole;
    for (size_t lane = 0; lane < group->count; lane++) {
        FN(_whole_digest)(whole, &group->lanes, lane);
        memcpy(group->digest[lane], part, rules->digest_bytes);
    }
    fin_erase(whole, sizeof whole);
}

/* The staged blocks: their counters, and where they lie. */
FIN_INLINE void FN(_prepare)(const fin_group_rules *rules, fin_group *group, size_t at,
                             size_t staged)
{
    for (size_t lane = 0; lane < LANES; lane++) {
        const size_t bytes = group->bytes[lane] + (size_t)rules->prefixed;
        const size_t rest = bytes - at;
        const uint8_t *in = group->in[lane] + at;
        FN(_count_staged)(&group->lanes, rules->start, lane, at, staged, bytes);
        if (IS_BLAKE2 && rest == BLOCK && !rules->prefixed) {
            group->lanes.in[lane] = in;
        } else {
            FN(_stage)(rules, group->staged[lane], in, rest, group->blocks, staged, bytes);
            group->lanes.in[lane] = group->staged[lane];
        }
    }
}

static void FN()(const fin_group_rules *rules, fin_group *group)
{
    fin_lanes *lanes = &group->lanes;
    const bool two = rules->prefixed || !IS_BLAKE2;
    const size_t staged = two && group->blocks > 1 ? 2 : 1;
    const size_t whole = group->blocks - staged;
    FN(_start)(lanes, rules->start);
    if (whole != 0) {
        for (size_t lane = 0; lane < LANES; lane++) {
            lanes->in[lane] = group->in[lane];
        }
        FN(_count_whole)(lanes, rules->start);
        FN(_set_flags)(lanes, 0, 0);
        FIN_GROUP_KERNEL(lanes, whole, BLOCK);
    }
    FN(_prepare)(rules, group, whole * BLOCK, staged);
    FN(_set_row)(lanes, FIN_LANE_T + 1, IS_BLAKE2 && IS_WIDE ? rules->start->t[1] : 0);
    size_t last = staged;
    if (IS_BLAKE2 && staged == 2) {
        /* With a prefix the first of two staged blocks is whole, and not the last. */
        FN(_count_whole)(lanes, rules->start);
        FN(_set_flags)(lanes, 0, 0);
        FIN_GROUP_KERNEL(lanes, 1, BLOCK);
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t bytes = group->bytes[lane] + (size_t)1;
            FN(_count_staged)(lanes, rules->start, lane, BLOCK, 1, bytes);
        }
        last = 1;
    }
    FN(_set_flags)(lanes, UINT64_MAX, rules->last_node);
    FIN_GROUP_FINISH(lanes, last, BLOCK);
    FN(_digests)(rules, group);
}

#undef FN
#undef IS_BLAKE
#undef IS_BLAKE2
#undef IS_GROESTL
#undef IS_WIDE
#undef LANES
#undef BLOCK
#undef FIN_GROUP_FAMILY
#undef FIN_GROUP_BLOCK
#undef FIN_GROUP_LANES
#undef FIN_GROUP_KERNEL
#undef FIN_GROUP_FINISH
