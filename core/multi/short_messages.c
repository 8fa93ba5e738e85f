/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Hashes short messages in groups, a window of messages at a time. If all messages have the same
 * number of blocks, groups use the window's arrays directly. Otherwise buckets collect messages
 * with the same number of blocks, and messages that do not fill the lanes wait for the next window.
 * Nothing is sorted by length, and no lane waits for another.
 */
#include "multi/batch.h"

#include "lanes/group.h"
#include "lanes/lanes.h"

enum {
    FIN_BUCKETS = 4,              /* of messages with 1, 2, .. blocks */
    FIN_NO_BUCKET = FIN_BUCKETS,  /* a longer message, or none */
    FIN_PREFETCHED_MESSAGES = 16, /* at a time, at least */
    FIN_PREFETCHED_BLOCKS = 4     /* hardware prefetches the rest of longer messages */
};

/* Messages with the same number of blocks that wait for a group. */
typedef struct fin_bucket {
    size_t count;
    fin_message_arrays messages;
} fin_bucket;

/* Parameters that determine a message's number of blocks. */
typedef struct fin_counting {
    uint32_t length_bytes; /* at the end of the padding; 0 for messages without padding */
    uint32_t prefixed;
    unsigned block_shift;
    uint32_t bytes_limit; /* length of the shortest message without a bucket */
} fin_counting;

typedef struct fin_groups {
    const fin_impl *impl; /* for full groups */
    const fin_batch *batch;
    fin_counting counting;
    size_t buckets;
    size_t blocks; /* per message, or 0 if they differ */
    size_t ahead;  /* the first message not yet prefetched, of the next window */
    size_t due;    /* messages hashed since the last prefetch */
    fin_message_arrays window;
    uint8_t which[FIN_WINDOW_MESSAGES]; /* the bucket of each of the window's messages */
    uint8_t indices[FIN_BUCKETS + 1][FIN_WINDOW_MESSAGES];
    fin_bucket bucket[FIN_BUCKETS];
    fin_group_pipeline pipeline;
} fin_groups;

/* ---- Buckets ---- */

/* Returns the number of blocks before the last one of a message of less than
   FIN_BYTES_NOT_SHORT. */
static inline uint32_t fin_blocks_before(fin_counting counting, uint32_t bytes)
{
    return fin_blocks_before_end(counting.length_bytes, counting.block_shift,
                                 bytes + counting.prefixed);
}

static void fin_groups_describe(fin_groups *groups, size_t first, size_t count)
{
    const fin_batch *batch = groups->batch;
    fin_message_arrays *window = &groups->window;
    fin_source_describe(&batch->source, first, count, window);
    for (size_t i = 0; batch->keyed && i < count; i++) {
        if (fin_is_exception(batch, window->bytes[i])) {
            window->bytes[i] = FIN_BYTES_NOT_SHORT;
        }
    }
}

/* Finds the bucket of each message of the window. Returns it if it is the same for all. */
static size_t fin_groups_classify(fin_groups *groups, size_t count)
{
    const uint32_t *bytes = groups->window.bytes;
    const fin_counting counting = groups->counting;
    uint32_t differs = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t blocks_before = fin_blocks_before(counting, bytes[i]);
        groups->which[i] =
            (uint8_t)(bytes[i] < counting.bytes_limit ? blocks_before : (uint32_t)FIN_NO_BUCKET);
    }
    for (size_t i = 0; i < count; i++) {
        differs |= groups->which[i] ^ groups->which[0];
    }
    return differs == 0 ? groups->which[0] : (size_t)FIN_NO_BUCKET;
}

/* Sorts the indices of the window's messages by bucket. Returns each bucket's count in one byte:
   counts in a register avoid a dependency chain through memory. */
static uint64_t fin_groups_sort(fin_groups *groups, size_t count)
{
    uint64_t counts = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned which = groups->which[i];
        groups->indices[which][counts >> 8 * which & 0xff] = (uint8_t)i;
        counts += UINT64_C(1) << 8 * which;
    }
    return counts;
}

/* Adds the window's messages with these indices. */
static void fin_bucket_add(fin_bucket *bucket, const fin_message_arrays *window,
                           const uint8_t *indices, size_t count)
{
    fin_message_arrays *to = &bucket->messages;
    const size_t waiting = bucket->count;
    for (size_t i = 0; i < count; i++) {
        to->in[waiting + i] = window->in[indices[i]];
        to->digest[waiting + i] = window->digest[indices[i]];
        to->bytes[waiting + i] = window->bytes[indices[i]];
    }
    bucket->count = waiting + count;
}

/* ---- Groups ---- */

/* Prefetches one group's worth of the next window while a group is hashed; prefetching all of it
   would exhaust the line-fill buffers. Small groups share one prefetch. */
static void fin_groups_prefetch(fin_groups *groups, size_t count)
{
    const size_t first = groups->ahead;
    const size_t left = groups->batch->source.count - first;
    groups->due += count;
    if (groups->due < FIN_PREFETCHED_MESSAGES || left == 0) {
        return;
    }
    count = groups->due < left ? groups->due : left;
    groups->due = 0;
    groups->ahead += count;
    if (groups->blocks <= FIN_PREFETCHED_BLOCKS) {
        fin_source_prefetch(&groups->batch->source, first, count, groups->blocks != 0);
    }
}

/* Hashes count messages from an index on, at most one per lane. */
static void fin_groups_hash(fin_groups *groups, const fin_impl *impl, size_t blocks,
                            const fin_message_arrays *messages, size_t index, size_t count)
{
    const fin_group_source source = {messages->in + index, messages->bytes + index,
                                     messages->digest + index, NULL};
    fin_group *group = fin_pipeline_prepare(&groups->pipeline, impl, blocks, &source, count);
    fin_groups_prefetch(groups, count);
    fin_pipeline_next(&groups->pipeline, group);
}

/* Hashes messages while they fill the lanes; returns how many it has hashed. */
static size_t fin_groups_hash_full(fin_groups *groups, size_t blocks,
                                   const fin_message_arrays *messages, size_t count)
{
    const size_t lanes = groups->impl->lanes;
    size_t done = 0;
    for (; count - done >= lanes; done += lanes) {
        fin_groups_hash(groups, groups->impl, blocks, messages, done, lanes);
    }
    return done;
}

/* Hashes all messages: those that do not fill the lanes in narrower ones, or one at a time. */
static void fin_groups_hash_all(fin_groups *groups, size_t blocks,
                                const fin_message_arrays *messages, size_t count)
{
    const fin_batch *batch = groups->batch;
    size_t index = fin_groups_hash_full(groups, blocks, messages, count);
    while (index < count) {
        const size_t left = count - index;
        const fin_impl *impl = fin_dispatch_blocks(batch->instance.compression, blocks, left);
        size_t taken = 1;
        if (impl == NULL) {
            fin_pipeline_next(&groups->pipeline, NULL);
            const fin_message_descriptor message = {messages->in[index], messages->bytes[index],
                                                    messages->digest[index], 0, false};
            fin_hash_single(batch, &message);
        } else {
            taken = left < impl->lanes ? left : impl->lanes;
            fin_groups_hash(groups, impl, blocks, messages, index, taken);
        }
        index += taken;
    }
}

/* ---- Windows ---- */

/* Adds the window's messages to their buckets and hashes those that fill the lanes: directly from
   the window if all have the same number of blocks and their bucket is empty. */
static void fin_groups_window_mixed(fin_groups *groups, size_t count)
{
    const size_t only = fin_groups_classify(groups, count);
    if (only != FIN_NO_BUCKET && groups->bucket[only].count == 0) {
        fin_bucket *bucket = &groups->bucket[only];
        const size_t done = fin_groups_hash_full(groups, only + 1, &groups->window, count);
        bucket->count = count - done;
        fin_arrays_copy(&bucket->messages, &groups->window, done, bucket->count);
        return;
    }
    uint64_t counts = fin_groups_sort(groups, count);
    for (size_t which = 0; which < groups->buckets; which++, counts >>= 8) {
        fin_bucket *bucket = &groups->bucket[which];
        if ((counts & 0xff) == 0) {
            continue;
        }
        fin_bucket_add(bucket, &groups->window, groups->indices[which], counts & 0xff);
        const size_t done =
            fin_groups_hash_full(groups, which + 1, &bucket->messages, bucket->count);
        bucket->count -= done;
        fin_arrays_copy(&bucket->messages, &bucket->messages, done, bucket->count);
    }
}

/* Hashes all messages, a window at a time, then those left in the buckets. */
static void fin_groups_run(fin_groups *groups)
{
    const size_t all = groups->batch->source.count;
    for (size_t first = 0; first < all; first += FIN_WINDOW_MESSAGES) {
        const size_t left = all - first;
        const size_t count = left < FIN_WINDOW_MESSAGES ? left : (size_t)FIN_WINDOW_MESSAGES;
        fin_groups_describe(groups, first, count);
        groups->ahead = first + count;
        groups->due = 0;
        if (groups->blocks != 0) {
            fin_groups_hash_all(groups, groups->blocks, &groups->window, count);
        } else {
            fin_groups_window_mixed(groups, count);
        }
    }
    for (size_t which = 0; which < groups->buckets; which++) {
        fin_bucket *bucket = &groups->bucket[which];
        fin_groups_hash_all(groups, which + 1, &bucket->messages, bucket->count);
    }
    fin_pipeline_next(&groups->pipeline, NULL);
}

/* ---- The whole batch ---- */

/* Returns the number of blocks of all messages, or 0 if they differ or if some have no group. */
static size_t fin_common_blocks(const fin_batch *batch, fin_counting counting)
{
    const fin_source *source = &batch->source;
    const bool chunked = batch->instance.descriptor->shape == FIN_CHUNKED;
    const size_t bytes_limit = batch->prefixed ? counting.bytes_limit
                               : chunked       ? (size_t)FIN_CHUNK_BYTES + 1
                                               : (size_t)FIN_GROUP_BYTES_MAX;
    if (source->bytes_max >= bytes_limit || fin_source_has_nulls(source) ||
        fin_is_exception(batch, source->bytes_min)) {
        return 0;
    }
    const uint32_t most = fin_blocks_before(counting, (uint32_t)source->bytes_max);
    const uint32_t least = fin_blocks_before(counting, (uint32_t)source->bytes_min);
    return least == most ? most + 1 : 0;
}

static void fin_groups_start(fin_groups *groups, const fin_batch *batch)
{
    const fin_instance *instance = &batch->instance;
    const fin_variant variant = instance->variant;
    const uint32_t length_bytes = batch->padded ? (uint32_t)fin_length_bytes(variant) : 0;
    const size_t buckets =
        batch->prefixed ? (size_t)FIN_GROUP_PREFIXED_BLOCKS_MAX : (size_t)FIN_BUCKETS;
    fin_counting *counting = &groups->counting;
    counting->length_bytes = length_bytes;
    counting->prefixed = batch->prefixed;
    counting->block_shift = instance->block_bytes == 64 ? 6 : 7;
    counting->bytes_limit = ((uint32_t)buckets << counting->block_shift) - length_bytes +
                            (length_bytes == 0) - counting->prefixed;
    groups->batch = batch;
    groups->blocks = fin_common_blocks(batch, *counting);
    groups->impl = fin_dispatch_blocks(instance->compression, groups->blocks, SIZE_MAX);
    groups->buckets = groups->blocks != 0 ? 0 : buckets;
    groups->pipeline.rules = (fin_group_rules){
        .variant = variant,
        .start = &batch->started,
        .digest_bytes = (size_t)instance->digest_bytes,
        .last_node = batch->last_node ? UINT64_MAX : 0,
        .full_length = fin_blake_is_full(instance->descriptor->info.digest_bytes),
        .padded = batch->padded,
        .prefixed = batch->prefixed,
        .prefix = batch->prefix,
        .flags = (uint32_t)batch->started.f[1],
        .first_flags = FIN_CHUNK_START,
        .last_flags = FIN_CHUNK_END | FIN_ROOT,
    };
    for (size_t which = 0; which < groups->buckets; which++) {
        groups->bucket[which].count = 0;
    }
    fin_pipeline_start(&groups->pipeline);
}

void fin_run_short_messages(fin_batch *batch)
{
    const fin_source *source = &batch->source;
    fin_groups groups;
    if (source->nodes != NULL) {
        return;
    }
    fin_groups_start(&groups, batch);
    if (groups.blocks == 0 && source->bytes_min >= groups.counting.bytes_limit) {
        return;
    }
    fin_groups_run(&groups);
    batch->bytes_grouped = groups.blocks != 0 ? SIZE_MAX : groups.counting.bytes_limit;
    fin_pipeline_erase(&groups.pipeline);
    fin_erase_stack_if(batch->keyed, FIN_STACK_LANES_BYTES);
}
