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
#include "spec/padding.h"
#include "lanes/group_final.h"
#include "lanes/group_rows.h"
#include "lanes/group_digests.h"

/* Returns the number of staged blocks: two if the group has them. BLAKE2 and BLAKE3 without a
   prefix need only one. */
FIN_INLINE size_t fin_staged_blocks(fin_group_kind kind, const fin_group_rules *rules,
                                    const fin_group *group)
{
    const bool two = rules->prefixed || !fin_kind_is_unpadded(kind);
    return two && group->blocks > 1 ? 2 : 1;
}

/* True if all messages of BLAKE end with a block and so have the same padding after it. If the
   kernel transposes blocks ahead, two calls take less time than staging blocks that can be read in
   place. */
FIN_INLINE bool fin_is_padding_shared(fin_group_kind kind, const fin_group_rules *rules,
                                      const fin_group *group, const uint32_t *lengths)
{
    return kind.family == FIN_FAMILY_BLAKE && !rules->prefixed && group->blocks > 1 &&
           group->impl->compress_ahead != NULL &&
           fin_all_have(kind, lengths, (group->blocks - 1) * kind.block);
}

/* ---- The whole group ---- */

FIN_INLINE void fin_set_blocks(fin_group_kind kind, fin_lanes *lanes, const uint8_t *const *in)
{
    for (size_t lane = 0; lane < kind.lanes; lane++) {
        lanes->in[lane] = in[lane];
    }
}

/* True if the first of two staged blocks is whole and not the last: BLAKE2 and BLAKE3 with a
   prefix. */
FIN_INLINE bool fin_first_staged_is_whole(fin_group_kind kind, size_t staged)
{
    return fin_kind_is_unpadded(kind) && staged == 2;
}

/*
 * Returns which words all blocks share. For BLAKE2b, no message may fill more than half of its only
 * block: the other words are zeros. For BLAKE, all messages must have 64 bytes; the shared words
 * are the padding after them.
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

/* Sets the words that all blocks share: the padding after 64 bytes for BLAKE, else zeros. */
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
    /* Final blocks with this many message bytes are not staged. With shared words, the kernel reads
       only 64 bytes of a block. */
    const size_t whole_bytes = common != FIN_COMMON_NONE                      ? 64
                               : fin_kind_is_unpadded(kind) || !rules->padded ? kind.block
                                                                              : SIZE_MAX;
    uint8_t *counters = one_call ? own_counters : group->counters;
    const uint8_t **last = at == 0 ? group->lanes.in : group->last;
    group->staged_blocks = staged;
    group->lanes.common = common;
    if (common != FIN_COMMON_NONE) {
        fin_set_common_words(kind, rules, &group->lanes);
    }
    fin_set_start(kind, rules->start, &group->lanes.row);
    if (!one_call && kind.family == FIN_FAMILY_BLAKE3) {
        fin_set_chain(kind, source->number, fin_chain_flags(rules->flags, rules->first_flags, 0),
                      own_counters);
    } else if (!one_call && kind.family != FIN_FAMILY_GROESTL) {
        fin_count_whole(kind, rules->start, own_counters);
    }
    const fin_group_final final = {
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
        /* A block without message bits has counter 0; BLAKE has no flags. */
        memset(counters, 0, fin_kind_counters_bytes(kind));
    } else if (kind.family == FIN_FAMILY_BLAKE3) {
        fin_chain_last(kind, rules, group->blocks, source, counters);
    } else if (kind.family != FIN_FAMILY_GROESTL) {
        fin_count_last(kind, final, rules->start, rules->last_node, source->bytes, counters);
    }
    memcpy((void *)group->digest, (const void *)source->digest,
           kind.lanes * sizeof group->digest[0]);
    const size_t staged_bytes =
        shared ? fin_stage_padding(kind, final, at, group->staged, last)
               : fin_stage_all(kind, final, source, group->staged, last, whole_bytes);
    group->staged_bytes = staged_bytes > group->staged_bytes ? staged_bytes : group->staged_bytes;
    if (at != 0) {
        fin_set_blocks(kind, &group->lanes, source->in);
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

FIN_INLINE void fin_hash_as(fin_group_kind kind, const fin_group_rules *rules, fin_group *group,
                            fin_group *next)
{
    fin_lanes *lanes = &group->lanes;
    size_t staged = group->staged_blocks;
    const size_t whole = group->blocks - staged;
    if (whole != 0) {
        fin_compress_ahead(group->impl, lanes, whole, kind.block, lanes, group->last);
        fin_set_blocks(kind, lanes, group->last);
    } else if (fin_first_staged_is_whole(kind, staged)) {
        fin_compress_ahead(group->impl, lanes, 1, kind.block, NULL, NULL);
        staged = 1;
    }
    if (kind.family != FIN_FAMILY_GROESTL && group->blocks > staged) {
        memcpy((uint8_t *)&lanes->row + fin_kind_counters_at(kind), group->counters,
               fin_kind_counters_bytes(kind));
    }
    if (kind.family == FIN_FAMILY_GROESTL) {
        group->impl->finish_lanes(lanes, staged, kind.block);
    } else {
        fin_compress_ahead(group->impl, lanes, staged, kind.block,
                           next != NULL ? &next->lanes : NULL,
                           next != NULL ? next->lanes.in : NULL);
    }
    fin_write_digests(kind, rules, lanes, group);
}

/* Calls a function with one of the includer's kinds, each a specialised copy; streams is a
   constant. */
#define FIN_FOR_KIND(function, rules, streams, lanes_, ...)                                       \
    do {                                                                                          \
        const fin_family family = (rules)->family;                                                \
        const bool wide = (rules)->block_bytes == 128;                                            \
        if (FIN_HAS_KIND(BLAKE, BLAKE512) && family == FIN_FAMILY_BLAKE && wide) {                \
            function(FIN_KIND(BLAKE, 128, (streams) * FIN_GROUP_LANES64, lanes_), __VA_ARGS__);   \
        } else if (FIN_HAS_KIND(BLAKE, BLAKE256) && family == FIN_FAMILY_BLAKE) {                 \
            function(FIN_KIND(BLAKE, 64, (streams) * FIN_GROUP_LANES32, lanes_), __VA_ARGS__);    \
        } else if (FIN_HAS_KIND(BLAKE2, BLAKE2B) && family == FIN_FAMILY_BLAKE2 && wide) {        \
            function(FIN_KIND(BLAKE2, 128, (streams) * FIN_GROUP_LANES64, lanes_), __VA_ARGS__);  \
        } else if (FIN_HAS_KIND(BLAKE2, BLAKE2S) && family == FIN_FAMILY_BLAKE2) {                \
            function(FIN_KIND(BLAKE2, 64, (streams) * FIN_GROUP_LANES32, lanes_), __VA_ARGS__);   \
        } else if (FIN_HAS_KIND(BLAKE3, BLAKE3) && family == FIN_FAMILY_BLAKE3) {                 \
            function(FIN_KIND(BLAKE3, 64, (streams) * FIN_GROUP_LANES32, lanes_), __VA_ARGS__);   \
        } else if (FIN_HAS_KIND(GROESTL, GROESTL512) && wide) {                                   \
            function(FIN_KIND(GROESTL, 128, (streams) * FIN_GROUP_LANES1024, lanes_),             \
                     __VA_ARGS__);                                                                \
        } else if (FIN_HAS_KIND(GROESTL, GROESTL256)) {                                           \
            function(FIN_KIND(GROESTL, 64, (streams) * FIN_GROUP_LANES512, lanes_), __VA_ARGS__); \
        }                                                                                         \
    } while (0)
/* True if the includer has this kind and the build has its kernel. */
#define FIN_HAS_KIND(families, id) (FIN_GROUP_##families && FIN_HAS_KERNEL(id))
#define FIN_KIND(family_, block_, constant, lanes_) \
    ((fin_group_kind){FIN_FAMILY_##family_, block_, (constant) != 0 ? (constant) : (lanes_)})

#ifndef FIN_GROUP_STREAMS
#define FIN_GROUP_STREAMS 1
#endif
#ifdef FIN_GROUP_BOTH
/* True for two streams. With blocks of twice the size there are half as many lanes. */
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
    FIN_FOR_KIND(function, rules, FIN_GROUP_STREAMS, (impl)->lanes, __VA_ARGS__)
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
