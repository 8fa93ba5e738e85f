/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lists messages by their number of blocks, a window at a time. What does not fill the lanes waits
 * for the next window. Nothing is sorted by length, and no lane waits for another.
 */
#include "multi/short_messages.h"

#include "multi/group.h"
#include "multi/lanes.h"

enum {
    FIN_NOT_SHORT = FIN_GROUP_BLOCKS_MAX, /* for lists: a longer message, or none */
    FIN_PREFETCHED_MESSAGES = 16          /* at a time, at least */
};

/* Messages of one number of blocks that wait for a group. */
typedef struct fin_list {
    size_t count;
    fin_extents extents;
} fin_list;

/* What a message's number of blocks follows from. */
typedef struct fin_counting {
    uint32_t padding; /* what the last block holds beside the message's bytes, at least: less one */
    uint32_t prefixed;
    unsigned block_shift;
    uint32_t bytes_limit; /* the shortest message's length that has no list */
} fin_counting;

typedef struct fin_groups {
    const fin_impl *impl;
    fin_counting counting;
    size_t lists;    /* of messages with 1, 2, .. blocks */
    size_t only;     /* the list of all messages, or FIN_NOT_SHORT if they have several */
    bool plain;      /* no message is empty or too long for fin_extents */
    bool exceptions; /* found among the messages */
    fin_group_rules rules;
    const fin_batch *batch;
    size_t ahead; /* the first message that has not been prefetched, of the next window */
    size_t due;   /* so many have been hashed since messages were prefetched */
    fin_extents window;
    uint8_t which[FIN_WINDOW_MESSAGES]; /* the list of each of the window's messages */
    uint8_t places[FIN_GROUP_BLOCKS_MAX + 1][FIN_WINDOW_MESSAGES];
    fin_list list[FIN_GROUP_BLOCKS_MAX];
    /* A group waits for the next one, whose first blocks are transposed beside its own. */
    fin_group group[2];
    fin_group *waiting; /* one of the two, or null */
    size_t used;        /* how many of the two */
} fin_groups;

/* ---- Lists ---- */

/* The length from which on a message has no list: too long for any counter to be near its end. */
static uint32_t fin_bytes_limit(size_t lists, fin_counting counting)
{
    const uint32_t bytes = (uint32_t)lists << counting.block_shift;
    return bytes - counting.padding + (counting.padding == 0) - counting.prefixed;
}

/* A list is that of a number of blocks, less one; an empty message has one block. */
static inline uint32_t fin_list_of(fin_counting counting, uint32_t bytes)
{
    const uint32_t all = bytes + counting.prefixed;
    const uint32_t fills = counting.padding == 0 && all != 0;
    const uint32_t list = (all + counting.padding - fills) >> counting.block_shift;
    return bytes < counting.bytes_limit ? list : FIN_NOT_SHORT;
}

/* True for a message that a list cannot take: with a key, an empty one ends with the key's block. */
static inline bool fin_is_exception(const fin_batch *batch, size_t bytes)
{
    return batch->keyed && bytes == 0 && !batch->prefixed;
}

static void fin_groups_take_up(fin_groups *groups, const fin_batch *batch, size_t first,
                               size_t count)
{
    fin_extents *window = &groups->window;
    uint8_t *digest = fin_batch_digest(batch, first);
    if (batch->messages != NULL) {
        fin_extents_of_messages(window, batch->messages + first, count, groups->plain);
    } else if (batch->column != NULL) {
        fin_column_extents(batch->column, first, count, window);
    } else {
        const size_t bytes = batch->message_bytes;
        fin_extents_of_equal(window, fin_in_or(batch->equal, batch) + first * bytes, bytes, count);
    }
    for (size_t i = 0; i < count; i++) {
        window->digest[i] = digest;
        digest += batch->stride;
    }
    for (size_t i = 0; batch->keyed && i < count; i++) {
        if (fin_is_exception(batch, window->bytes[i])) {
            window->bytes[i] = FIN_BYTES_NOT_SHORT;
            groups->exceptions = true;
        }
    }
}

/* Finds the list of each message of the window. */
static void fin_groups_classify(fin_groups *groups, size_t count)
{
    const uint32_t *bytes = groups->window.bytes;
    const fin_counting counting = groups->counting;
    for (size_t i = 0; i < count; i++) {
        groups->which[i] = (uint8_t)fin_list_of(counting, bytes[i]);
    }
}

/* The list of all messages of the window, if it is one. */
static size_t fin_groups_only(const fin_groups *groups, size_t count)
{
    uint32_t differs = 0;
    for (size_t i = 0; i < count; i++) {
        differs |= groups->which[i] ^ groups->which[0];
    }
    return differs == 0 ? groups->which[0] : (size_t)FIN_NOT_SHORT;
}

/* Sorts the places of the window's messages by lists. Returns how many there are of each, a byte a list:
   a count in a register is no chain through memory. */
static uint64_t fin_groups_sort(fin_groups *groups, size_t count)
{
    uint64_t counts = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned which = groups->which[i];
        groups->places[which][counts >> 8 * which & 0xff] = (uint8_t)i;
        counts += UINT64_C(1) << 8 * which;
    }
    return counts;
}

/* Adds the messages of the window at so many places. */
static void fin_list_add(fin_list *list, const fin_extents *window, const uint8_t *places,
                         size_t count)
{
    fin_extents *to = &list->extents;
    const size_t listed = list->count;
    for (size_t i = 0; i < count; i++) {
        to->in[listed + i] = window->in[places[i]];
        to->digest[listed + i] = window->digest[places[i]];
        to->bytes[listed + i] = window->bytes[places[i]];
    }
    list->count = listed + count;
}

/* ---- Groups ---- */

/* True if messages follow one another in memory, with gaps of their size at most. */
static bool fin_are_in_order(const fin_message *messages, size_t count)
{
    const uintptr_t first = (uintptr_t)messages[0].in;
    const uintptr_t last = (uintptr_t)messages[count - 1].in;
    return last - first <= 128 * count;
}

static void fin_messages_prefetch(const fin_message *messages, size_t count, bool in_order)
{
    const uint8_t *first = messages[0].in, *last = messages[count - 1].in;
    if (in_order) {
        const size_t bytes = (uintptr_t)last - (uintptr_t)first + messages[count - 1].bytes;
        fin_prefetch_range((const uint8_t *)messages, count * sizeof *messages, count);
        fin_prefetch_range(first, bytes, 2 * count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        fin_prefetch_ends(messages[i].in, messages[i].bytes);
    }
}

/* Asks memory for as many messages of the next window and their digests' places as a group has, which is
   hashed meanwhile: those of a whole window are more lines than a core can wait for at a time. Small
   groups do so together. Hardware follows by itself what is read in order of address. */
static void fin_groups_prefetch(fin_groups *groups, size_t count)
{
    const fin_batch *batch = groups->batch;
    const size_t first = groups->ahead;
    const size_t left = batch->count - first;
    groups->due += count;
    if (groups->due < FIN_PREFETCHED_MESSAGES || left == 0) {
        return;
    }
    count = groups->due < left ? groups->due : left;
    groups->due = 0;
    groups->ahead += count;
    const fin_message *messages = batch->messages != NULL ? batch->messages + first : NULL;
    const bool in_order = messages != NULL        ? fin_are_in_order(messages, count)
                          : batch->column != NULL ? batch->column->layout != FIN_COLUMN_VIEWS
                                                  : true;
    if (in_order && groups->only != FIN_NOT_SHORT) {
        return;
    }
    fin_prefetch_range(fin_batch_digest(batch, first), count * batch->stride, count);
    if (messages != NULL) {
        fin_messages_prefetch(messages, count, in_order);
    } else if (batch->column != NULL) {
        fin_column_prefetch(batch->column, first, count);
    }
}

/* Hashes the waiting group; next waits then, and may be null. */
static void fin_groups_next(fin_groups *groups, fin_group *next)
{
    fin_group *group = groups->waiting;
    if (group != NULL) {
        const bool same = next != NULL && next->impl == group->impl;
        fin_group_hash(&groups->rules, group, same ? next : NULL);
    }
    groups->waiting = next;
}

/* Count messages, no more than there are lanes, whose extents begin at that place. There are extents
   for all lanes. */
static void fin_groups_hash(fin_groups *groups, const fin_impl *impl, size_t which,
                            const fin_extents *extents, size_t place, size_t count)
{
    const size_t turn = groups->waiting == &groups->group[0] ? 1 : 0;
    fin_group *group = &groups->group[turn];
    groups->used = groups->used > turn ? groups->used : turn + 1;
    if (impl->lanes != groups->rules.lanes) {
        fin_group_rules_set_lanes(&groups->rules, impl->lanes);
    }
    group->impl = impl;
    group->count = count;
    group->blocks = which + 1;
    const fin_group_source source = {extents->in + place, extents->bytes + place,
                                     extents->digest + place};
    fin_group_prepare(&groups->rules, group, &source);
    fin_groups_prefetch(groups, count);
    fin_groups_next(groups, group);
}

/* Hashes what fills the lanes, from an extent on; returns how many messages that are. */
static size_t fin_groups_hash_full(fin_groups *groups, size_t which, const fin_extents *extents,
                                   size_t count)
{
    const size_t lanes = groups->impl->lanes;
    size_t done = 0;
    for (; count - done >= lanes; done += lanes) {
        fin_groups_hash(groups, groups->impl, which, extents, done, lanes);
    }
    return done;
}

/* Adds the window's messages to their lists and hashes what fills the lanes: without a list, if all
   have the same number of blocks and the list is empty. */
static void fin_groups_window(fin_groups *groups, const fin_batch *batch, size_t first,
                              size_t count)
{
    fin_groups_take_up(groups, batch, first, count);
    groups->ahead = first + count;
    groups->due = 0;
    size_t only = groups->only;
    if (only == FIN_NOT_SHORT) {
        fin_groups_classify(groups, count);
        only = fin_groups_only(groups, count);
    }
    if (only != FIN_NOT_SHORT && groups->list[only].count == 0) {
        fin_list *list = &groups->list[only];
        list->count = count - fin_groups_hash_full(groups, only, &groups->window, count);
        fin_extents_copy(&list->extents, &groups->window, count - list->count, list->count);
        return;
    }
    uint64_t counts = fin_groups_sort(groups, count);
    for (size_t which = 0; which < groups->lists; which++, counts >>= 8) {
        fin_list *list = &groups->list[which];
        if ((counts & 0xff) == 0) {
            continue;
        }
        fin_list_add(list, &groups->window, groups->places[which], counts & 0xff);
        const size_t done = fin_groups_hash_full(groups, which, &list->extents, list->count);
        list->count -= done;
        fin_extents_copy(&list->extents, &list->extents, done, list->count);
    }
}

/* ---- What is left ---- */

static void fin_hash_alone(const fin_batch *batch, size_t index)
{
    uint8_t staged[128];
    fin_job job = {.staged = staged};
    fin_segment segment;
    fin_state own;
    fin_state state = *fin_job_begin(batch, index, &job, &own);
    if (fin_job_next(batch, &job, &segment)) {
        fin_job_run(batch, &job, &state, &segment);
    }
    fin_erase(&state, sizeof state);
    fin_erase(job.padded, sizeof job.padded);
    fin_erase(staged, sizeof staged);
}

/* Lists too short for the lanes go into narrower ones, or one message at a time. */
static void fin_groups_finish(fin_groups *groups, const fin_batch *batch)
{
    for (size_t which = 0; which < groups->lists; which++) {
        fin_list *list = &groups->list[which];
        for (size_t place = 0; place < list->count;) {
            const size_t left = list->count - place;
            const fin_impl *impl = fin_dispatch_lanes(batch->instance.compression, left);
            if (impl == NULL) {
                const uint8_t *digest = list->extents.digest[place++];
                fin_hash_alone(batch, (size_t)(digest - batch->digests) / batch->stride);
                continue;
            }
            const size_t taken = left < impl->lanes ? left : impl->lanes;
            fin_extents_fill(&list->extents, place, taken, impl->lanes);
            fin_groups_hash(groups, impl, which, &list->extents, place, taken);
            place += taken;
        }
    }
    fin_groups_next(groups, NULL);
}

/* ---- The whole batch ---- */

/* The list that all messages of the batch belong to, or FIN_NOT_SHORT if they have several or none. */
static size_t fin_only_list(const fin_batch *batch, fin_counting counting)
{
    const bool nulls = batch->column != NULL && batch->column->validity != NULL;
    if (nulls || fin_is_exception(batch, batch->bytes_min) ||
        batch->bytes_max >= counting.bytes_limit) {
        return FIN_NOT_SHORT;
    }
    const uint32_t least = fin_list_of(counting, (uint32_t)batch->bytes_min);
    const uint32_t most = fin_list_of(counting, (uint32_t)batch->bytes_max);
    return least == most ? least : (size_t)FIN_NOT_SHORT;
}

static void fin_groups_start(fin_groups *groups, const fin_batch *batch, const fin_impl *impl)
{
    const fin_instance *instance = &batch->instance;
    const fin_family family = fin_family_of(instance->variant);
    const uint32_t digest_bytes = instance->descriptor->info.digest_bytes;
    groups->impl = impl;
    groups->batch = batch;
    groups->counting.block_shift = instance->block_bytes == 64 ? 6 : 7;
    groups->counting.padding = (uint32_t)fin_length_bytes(instance->variant);
    groups->counting.prefixed = batch->prefixed;
    groups->lists =
        batch->prefixed ? (size_t)FIN_GROUP_PREFIXED_BLOCKS_MAX : (size_t)FIN_GROUP_BLOCKS_MAX;
    groups->exceptions = false;
    groups->rules.family = family;
    groups->rules.block_bytes = instance->block_bytes;
    groups->rules.start = &batch->started;
    groups->rules.digest_bytes = (size_t)instance->digest_bytes;
    groups->rules.last_node = batch->last_node ? UINT64_MAX : 0;
    groups->rules.full_length = fin_blake_is_full(digest_bytes);
    groups->rules.prefixed = batch->prefixed;
    groups->rules.prefix = batch->prefix;
    groups->rules.lanes = 0;
    groups->counting.bytes_limit = fin_bytes_limit(groups->lists, groups->counting);
    groups->only = fin_only_list(batch, groups->counting);
    groups->plain = batch->bytes_min != 0 && batch->bytes_max < FIN_BYTES_NOT_SHORT;
    for (size_t which = 0; which < groups->lists; which++) {
        groups->list[which].count = 0;
    }
    groups->waiting = NULL;
    groups->used = 0;
    for (size_t i = 0; i < 2; i++) {
        fin_lanes_start(&groups->group[i].lanes, &batch->started);
        groups->group[i].staged_bytes = 0;
    }
}

static void fin_groups_erase(fin_groups *groups)
{
    for (size_t i = 0; i < groups->used; i++) {
        fin_group_erase(&groups->rules, &groups->group[i], groups->impl->lanes);
    }
    fin_group_rules_erase(&groups->rules, groups->impl->lanes);
}

void fin_run_short_messages(fin_batch *batch, const fin_impl *impl)
{
    fin_groups groups;
    if (batch->nodes != NULL) {
        return;
    }
    fin_groups_start(&groups, batch, impl);
    if (batch->bytes_min >= groups.counting.bytes_limit) {
        return;
    }
    for (size_t first = 0; first < batch->count; first += FIN_WINDOW_MESSAGES) {
        const size_t left = batch->count - first;
        fin_groups_window(&groups, batch, first,
                          left < FIN_WINDOW_MESSAGES ? left : FIN_WINDOW_MESSAGES);
    }
    fin_groups_finish(&groups, batch);
    for (size_t i = 0; groups.exceptions && i < batch->count; i++) {
        if (!fin_batch_lacks(batch, i) &&
            fin_is_exception(batch, fin_batch_message(batch, i).bytes)) {
            fin_hash_alone(batch, i);
        }
    }
    batch->bytes_left = groups.counting.bytes_limit;
    fin_groups_erase(&groups);
    fin_erase_stack_if(batch->keyed, FIN_STACK_LANES_BYTES);
}
