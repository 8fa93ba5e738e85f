/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Hashes a group of short messages to their digests. The code is specialised by calls with the
 * family and the block length as constants. The includer defines
 *
 *   FIN_GROUP_BLAKE, FIN_GROUP_BLAKE2        1 or 0: its kernels' families
 *   FIN_GROUP_BLAKE3, FIN_GROUP_GROESTL
 *   FIN_GROUP_LANES32, FIN_GROUP_LANES64     lanes for BLAKE's words,
 *   FIN_GROUP_LANES512, FIN_GROUP_LANES1024  and for Grøstl's states; 0: any number
 *   FIN_GROUP_STREAMS                        optional, 2: the kernels have twice the lanes
 *   FIN_GROUP_BOTH                           optional: there are kernels of one stream, too
 *   FIN_GROUP_STEPS                          optional: the steps' name, which group.h declares
 *
 * and gets FIN_GROUP_STEPS. vec/tails_*.h pads final blocks in registers, and
 * laneB_store_digests transposes digests there.
 */
#include "lanes/group.h"
#include "lanes/lanes.h"
#include "spec/padding.h"
#include "lanes/group_final.h"
#include "lanes/group_rows.h"
#include "lanes/group_digests.h"

/* Returns the number of copied blocks: two if the group has them. BLAKE2 and BLAKE3 without a
   prefix need only one. */
FIN_INLINE size_t fin_copied_blocks(fin_lane_layout layout, const fin_group_rules *rules,
                                    const fin_group *group)
{
    const bool two = rules->prefixed || !fin_is_unpadded(layout.variant);
    return two && group->blocks > 1 ? 2 : 1;
}

/* True if all messages of BLAKE end with a block and so have the same padding after it. If the
   kernel transposes blocks ahead, two calls take less time than copying blocks that can be read in
   place. */
FIN_INLINE bool fin_is_padding_shared(fin_lane_layout layout, const fin_group_rules *rules,
                                      const fin_group *group, const uint32_t *lengths)
{
    return fin_family_of(layout.variant) == FIN_FAMILY_BLAKE && !rules->prefixed &&
           group->blocks > 1 && group->impl->compress_ahead != NULL &&
           fin_all_have(layout, lengths, (group->blocks - 1) * fin_variant_block(layout.variant));
}

/* ---- The whole group ---- */

FIN_INLINE void fin_set_blocks(fin_lane_layout layout, fin_lanes *lanes, const uint8_t *const *in)
{
    for (size_t lane = 0; lane < layout.lanes; lane++) {
        lanes->in[lane] = in[lane];
    }
}

/* True if the first of two copied blocks is whole and not the last: BLAKE2 and BLAKE3 with a
   prefix. */
FIN_INLINE bool fin_first_copied_is_whole(fin_lane_layout layout, size_t copied)
{
    return fin_is_unpadded(layout.variant) && copied == 2;
}

/*
 * Returns which words all blocks share. For BLAKE2b, no message may fill more than half of its only
 * block: the other words are zeros. For BLAKE, all messages must have 64 bytes; the shared words
 * are the padding after them.
 */
FIN_INLINE fin_common fin_group_common(fin_lane_layout layout, const fin_group_rules *rules,
                                       const fin_group *group, const uint32_t *lengths)
{
    const bool is_blake2 = fin_family_of(layout.variant) == FIN_FAMILY_BLAKE2;
    const size_t blocks =
        fin_family_of(layout.variant) == FIN_FAMILY_BLAKE && !fin_is_wide(layout.variant) ? 2 : 1;
    uint32_t differs = rules->prefixed && !is_blake2;
    if (group->impl->common == FIN_COMMON_NONE || group->blocks != blocks) {
        return FIN_COMMON_NONE;
    }
    for (size_t lane = 0; lane < layout.lanes; lane++) {
        const uint32_t bytes = lengths[lane] + (uint32_t)rules->prefixed;
        differs |= is_blake2 ? bytes > 64 : bytes ^ 64;
    }
    return differs == 0 ? group->impl->common : (fin_common)FIN_COMMON_NONE;
}

/* Sets the words that all blocks share: the padding after 64 bytes for BLAKE, else zeros. */
FIN_INLINE void fin_set_common_words(fin_lane_layout layout, const fin_group_rules *rules,
                                     fin_lanes *lanes)
{
    memset(&lanes->common_words, 0, sizeof lanes->common_words);
    for (unsigned i = 0; fin_family_of(layout.variant) == FIN_FAMILY_BLAKE && i < 8; i++) {
        const uint64_t word = __builtin_bswap64(
            fin_blake_padding_word(layout.variant, i, rules->full_length, 8 * 64));
        if (fin_is_wide(layout.variant)) {
            lanes->common_words.w64[i] = word;
        } else {
            lanes->common_words.w32[2 * i] = (uint32_t)(word >> 32);
            lanes->common_words.w32[2 * i + 1] = (uint32_t)word;
        }
    }
}

FIN_INLINE void fin_prepare_as(fin_lane_layout layout, const fin_group_rules *rules,
                               fin_group *group, const fin_group_source *source)
{
    uint8_t *own_counters = (uint8_t *)&group->lanes.row + fin_counters_at(layout);
    const fin_common common = fin_group_common(layout, rules, group, source->bytes);
    const bool shared =
        common == FIN_COMMON_NONE && fin_is_padding_shared(layout, rules, group, source->bytes);
    const size_t copied = shared ? 1 : fin_copied_blocks(layout, rules, group);
    const size_t at = (group->blocks - copied) * fin_variant_block(layout.variant);
    const bool one_call = at == 0 && !fin_first_copied_is_whole(layout, copied);
    /* Final blocks with this many message bytes are not copied. With shared words, the kernel reads
       only 64 bytes of a block. */
    const size_t whole_bytes = common != FIN_COMMON_NONE ? 64
                               : fin_is_unpadded(layout.variant) || !rules->padded
                                   ? fin_variant_block(layout.variant)
                                   : SIZE_MAX;
    uint8_t *counters = one_call ? own_counters : group->counters;
    const uint8_t **last = at == 0 ? group->lanes.in : group->last;
    group->copied_blocks = copied;
    group->lanes.common = common;
    if (common != FIN_COMMON_NONE) {
        fin_set_common_words(layout, rules, &group->lanes);
    }
    fin_set_start(layout, rules->start, &group->lanes.row);
    if (!one_call && fin_family_of(layout.variant) == FIN_FAMILY_BLAKE3) {
        fin_set_chain(layout, source->number, fin_chain_flags(rules->flags, rules->first_flags, 0),
                      own_counters);
    } else if (!one_call && fin_family_of(layout.variant) != FIN_FAMILY_GROESTL) {
        fin_count_whole(layout, rules->start, own_counters);
    }
    const fin_group_final final = {
        .blocks = group->blocks,
        .copied = copied,
        .half = common == FIN_COMMON_HALF,
        .full_length = rules->full_length,
        .prefixed = rules->prefixed,
        .prefix = rules->prefix,
#ifdef FIN_TAIL_LINES
        .padding = fin_tail_padding(layout, rules->full_length, group->blocks),
#endif
    };
    if (shared) {
        /* A block without message bits has counter 0; BLAKE has no flags. */
        memset(counters, 0, fin_counters_bytes(layout));
    } else if (fin_family_of(layout.variant) == FIN_FAMILY_BLAKE3) {
        fin_chain_last(layout, rules, group->blocks, source, counters);
    } else if (fin_family_of(layout.variant) != FIN_FAMILY_GROESTL) {
        fin_count_last(layout, final, rules->start, rules->last_node, source->bytes, counters);
    }
    memcpy((void *)group->digest, (const void *)source->digest,
           layout.lanes * sizeof group->digest[0]);
    const size_t copied_bytes =
        shared ? fin_copy_padding(layout, final, at, group->copied, last)
               : fin_copy_all(layout, final, source, group->copied, last, whole_bytes);
    group->copied_bytes = copied_bytes > group->copied_bytes ? copied_bytes : group->copied_bytes;
    if (at != 0) {
        fin_set_blocks(layout, &group->lanes, source->in);
    }
}

/* Compresses blocks blocks and, if the implementation can, transposes those at in for next
   meanwhile. */
FIN_INLINE void fin_compress_ahead(const fin_impl *impl, fin_lanes *lanes, size_t blocks,
                                   size_t stride, fin_lanes *next, const uint8_t *const *in)
{
    if (impl->compress_ahead != NULL) {
        impl->compress_ahead(lanes, blocks, stride, next, in);
    } else {
        impl->compress_lanes(lanes, blocks, stride);
    }
}

FIN_INLINE void fin_hash_as(fin_lane_layout layout, const fin_group_rules *rules, fin_group *group,
                            fin_group *next)
{
    fin_lanes *lanes = &group->lanes;
    size_t copied = group->copied_blocks;
    const size_t whole = group->blocks - copied;
    if (whole != 0) {
        fin_compress_ahead(group->impl, lanes, whole, fin_variant_block(layout.variant), lanes,
                           group->last);
        fin_set_blocks(layout, lanes, group->last);
    } else if (fin_first_copied_is_whole(layout, copied)) {
        fin_compress_ahead(group->impl, lanes, 1, fin_variant_block(layout.variant), NULL, NULL);
        copied = 1;
    }
    if (fin_family_of(layout.variant) != FIN_FAMILY_GROESTL && group->blocks > copied) {
        memcpy((uint8_t *)&lanes->row + fin_counters_at(layout), group->counters,
               fin_counters_bytes(layout));
    }
    if (fin_family_of(layout.variant) == FIN_FAMILY_GROESTL) {
        group->impl->finish_lanes(lanes, copied, fin_variant_block(layout.variant));
    } else {
        fin_compress_ahead(group->impl, lanes, copied, fin_variant_block(layout.variant),
                           next != NULL ? &next->lanes : NULL,
                           next != NULL ? next->lanes.in : NULL);
    }
    fin_write_digests(layout, rules, lanes, group);
}

/* Calls a function with the layout of one of the includer's variants, each a specialised copy;
   streams is a constant. */
#define FIN_FOR_GROUP(function, rules, streams, lanes, ...)                                    \
    switch ((rules)->variant) {                                                                \
        FIN_CASE(BLAKE, BLAKE256, (streams) * FIN_GROUP_LANES32, lanes, function, __VA_ARGS__) \
        FIN_CASE(BLAKE, BLAKE512, (streams) * FIN_GROUP_LANES64, lanes, function, __VA_ARGS__) \
        FIN_CASE(BLAKE2, BLAKE2S, (streams) * FIN_GROUP_LANES32, lanes, function, __VA_ARGS__) \
        FIN_CASE(BLAKE2, BLAKE2B, (streams) * FIN_GROUP_LANES64, lanes, function, __VA_ARGS__) \
        FIN_CASE(BLAKE3, BLAKE3, (streams) * FIN_GROUP_LANES32, lanes, function, __VA_ARGS__)  \
        FIN_CASE(GROESTL, GROESTL256, (streams) * FIN_GROUP_LANES512, lanes, function,         \
                 __VA_ARGS__)                                                                  \
        FIN_CASE(GROESTL, GROESTL512, (streams) * FIN_GROUP_LANES1024, lanes, function,        \
                 __VA_ARGS__)                                                                  \
    default:                                                                                   \
        break;                                                                                 \
    }
/* One of them, if the includer has its family and the build its kernel. */
#define FIN_CASE(families, id, constant, any, function, ...)                                     \
    case FIN_VARIANT_##id:                                                                       \
        if (FIN_GROUP_##families && FIN_HAS_KERNEL(id)) {                                        \
            const fin_lane_layout layout_ = {FIN_VARIANT_##id, (constant) ? (constant) : (any)}; \
            function(layout_, __VA_ARGS__);                                                      \
        }                                                                                        \
        break;

#ifndef FIN_GROUP_STREAMS
#define FIN_GROUP_STREAMS 1
#endif
#ifdef FIN_GROUP_BOTH
/* True for two streams. With blocks of twice the size there are half as many lanes. */
static bool fin_is_twice(const fin_group_rules *rules, const fin_impl *impl)
{
    return impl->lanes * fin_variant_block(rules->variant) == (size_t)2 * 64 * FIN_GROUP_LANES32;
}
#define FIN_FOR_STREAMS(function, rules, impl, ...)                        \
    do {                                                                   \
        if (fin_is_twice(rules, impl)) {                                   \
            FIN_FOR_GROUP(function, rules, 2, (impl)->lanes, __VA_ARGS__); \
        } else {                                                           \
            FIN_FOR_GROUP(function, rules, 1, (impl)->lanes, __VA_ARGS__); \
        }                                                                  \
    } while (0)
#else
#define FIN_FOR_STREAMS(function, rules, impl, ...) \
    FIN_FOR_GROUP(function, rules, FIN_GROUP_STREAMS, (impl)->lanes, __VA_ARGS__)
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

#if FIN_GROUP_BLAKE3 && FIN_HAS_KERNEL(BLAKE3) && FIN_GROUP_LANES32 != 0
#include "lanes/group_level.h"
#define FIN_HASH_LEVEL fin_hash_level
#else
#define FIN_HASH_LEVEL NULL
#endif

#ifndef FIN_GROUP_STEPS
#define FIN_GROUP_STEPS fin_group_steps_here
static
#endif
    const fin_group_steps FIN_GROUP_STEPS = {fin_prepare_group, fin_hash_group, FIN_HASH_LEVEL};
