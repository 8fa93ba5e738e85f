/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lists messages by their number of blocks, a window at a time. What does not fill the lanes waits
 * for the next window. Nothing is sorted, and no lane waits for another.
 */
#include "multi/short_messages.h"

#include "multi/group.h"
#include "multi/lanes.h"

enum {
    FIN_GROUPS_WINDOW = 256,
    FIN_NOT_SHORT = FIN_GROUP_BLOCKS_MAX /* for lists: a longer message */
};

typedef struct fin_groups {
    const fin_impl *impl;
    size_t padding; /* what the last block holds beside the message's bytes, at least: less one */
    unsigned block_shift;
    size_t lists;    /* of messages with 1, 2, .. blocks */
    bool exceptions; /* found among the messages */
    fin_group_rules rules;
    uint8_t which[FIN_GROUPS_WINDOW]; /* the list of each of the window's messages */
    size_t listed[FIN_GROUP_BLOCKS_MAX];
    size_t list[FIN_GROUP_BLOCKS_MAX][FIN_GROUPS_WINDOW + FIN_LANES_MAX];
    /* A group waits for the next one, whose first blocks are transposed beside its own. */
    fin_group group[2];
    fin_group *waiting; /* one of the two, or null */
    size_t used;        /* how many of the two */
} fin_groups;

/* ---- Lists ---- */

/* A message's blocks, less one. An empty message has one. */
static inline size_t fin_blocks_before_last(const fin_groups *groups, size_t bytes)
{
    const bool fills = groups->padding == 0 && bytes != 0;
    return (bytes + groups->padding - (fills ? 1 : 0)) >> groups->block_shift;
}

/* The shortest message that has no list: it is too long for any counter to be near its end. */
static size_t fin_bytes_not_short(const fin_groups *groups, const fin_batch *batch)
{
    const size_t bytes = groups->lists << groups->block_shift;
    return bytes - groups->padding + (groups->padding == 0) - batch->prefixed;
}

/* True for a message that a list cannot take: with a key, an empty one ends with the key's block. */
static inline bool fin_is_exception(const fin_batch *batch, size_t bytes)
{
    return batch->keyed && bytes == 0 && !batch->prefixed;
}

/* Returns a bit for each list that gets a message. */
static unsigned fin_groups_classify(fin_groups *groups, const fin_batch *batch, size_t first,
                                    size_t count)
{
    unsigned present = 0;
    for (size_t i = 0; i < count; i++) {
        if (fin_batch_lacks(batch, first + i)) {
            groups->which[i] = FIN_NOT_SHORT;
            continue;
        }
        const fin_extent message = fin_batch_message(batch, first + i);
        const size_t list = fin_blocks_before_last(groups, message.bytes + batch->prefixed);
        const bool exception = fin_is_exception(batch, message.bytes);
        const bool listed = list < groups->lists && !exception;
        groups->exceptions |= exception;
        fin_prefetch(message.in);
        groups->which[i] = (uint8_t)(listed ? list : FIN_NOT_SHORT);
        present |= 1U << groups->which[i];
    }
    return present;
}

/* ---- Groups ---- */

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

static void fin_groups_hash(fin_groups *groups, const fin_batch *batch, const fin_impl *impl,
                            size_t which, const size_t *index, size_t count)
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
    for (size_t lane = 0; lane < impl->lanes; lane++) {
        const size_t number = index[lane < count ? lane : 0];
        const fin_extent message = fin_batch_message(batch, number);
        group->in[lane] = message.bytes != 0 ? message.in : group->staged;
        group->bytes[lane] = (uint32_t)message.bytes;
        group->digest[lane] = fin_batch_digest(batch, number);
    }
    fin_group_prepare(&groups->rules, group);
    fin_groups_next(groups, group);
}

/* Adds the window's messages to their lists and hashes what fills the lanes. */
static void fin_groups_window(fin_groups *groups, const fin_batch *batch, size_t first,
                              size_t count)
{
    const size_t lanes = groups->impl->lanes;
    const unsigned present = fin_groups_classify(groups, batch, first, count);
    for (size_t which = 0; which < groups->lists; which++) {
        if ((present >> which & 1) == 0) {
            continue;
        }
        size_t *list = groups->list[which];
        size_t listed = groups->listed[which];
        for (size_t i = 0; i < count; i++) {
            list[listed] = first + i;
            listed += groups->which[i] == which;
        }
        for (; listed >= lanes; listed -= lanes, list += lanes) {
            fin_groups_hash(groups, batch, groups->impl, which, list, lanes);
        }
        memmove(groups->list[which], list, listed * sizeof list[0]);
        groups->listed[which] = listed;
    }
}

/* ---- What is left ---- */

static void fin_groups_hash_alone(const fin_batch *batch, size_t index)
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
    fin_erase(&job.ends.padded, sizeof job.ends.padded);
    fin_erase(staged, sizeof staged);
}

/* Lists too short for the lanes go into narrower ones, or one message at a time. */
static void fin_groups_finish(fin_groups *groups, const fin_batch *batch)
{
    for (size_t which = 0; which < groups->lists; which++) {
        const size_t *list = groups->list[which];
        for (size_t left = groups->listed[which]; left != 0;) {
            const fin_impl *impl = fin_dispatch_lanes(batch->instance.compression, left);
            if (impl == NULL) {
                fin_groups_hash_alone(batch, *list);
                list++;
                left--;
                continue;
            }
            const size_t taken = left < impl->lanes ? left : impl->lanes;
            fin_groups_hash(groups, batch, impl, which, list, taken);
            list += taken;
            left -= taken;
        }
    }
    fin_groups_next(groups, NULL);
}

/* ---- The whole batch ---- */

static void fin_groups_start(fin_groups *groups, const fin_batch *batch, const fin_impl *impl)
{
    const fin_instance *instance = &batch->instance;
    const fin_family family = instance->descriptor->info.family;
    const uint32_t digest_bytes = instance->descriptor->info.digest_bytes;
    groups->impl = impl;
    groups->block_shift = instance->block_bytes == 64 ? 6 : 7;
    groups->padding = family == FIN_FAMILY_BLAKE     ? instance->block_bytes / 8
                      : family == FIN_FAMILY_GROESTL ? 8
                                                     : 0;
    groups->lists =
        batch->prefixed ? (size_t)FIN_GROUP_PREFIXED_BLOCKS_MAX : (size_t)FIN_GROUP_BLOCKS_MAX;
    groups->exceptions = false;
    groups->rules.family = family;
    groups->rules.block_bytes = instance->block_bytes;
    groups->rules.start = &batch->started;
    groups->rules.digest_bytes = (size_t)instance->digest_bytes;
    groups->rules.last_node = batch->last_node ? UINT64_MAX : 0;
    groups->rules.full_length = digest_bytes == 32 || digest_bytes == 64;
    groups->rules.prefixed = batch->prefixed;
    groups->rules.prefix = batch->prefix;
    groups->rules.lanes = 0;
    memset(groups->listed, 0, sizeof groups->listed);
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
    const size_t bytes_left = fin_bytes_not_short(&groups, batch);
    if (batch->bytes_min >= bytes_left) {
        return;
    }
    for (size_t first = 0; first < batch->count; first += FIN_GROUPS_WINDOW) {
        const size_t left = batch->count - first;
        fin_groups_window(&groups, batch, first,
                          left < FIN_GROUPS_WINDOW ? left : FIN_GROUPS_WINDOW);
    }
    fin_groups_finish(&groups, batch);
    for (size_t i = 0; groups.exceptions && i < batch->count; i++) {
        if (!fin_batch_lacks(batch, i) &&
            fin_is_exception(batch, fin_batch_message(batch, i).bytes)) {
            fin_groups_hash_alone(batch, i);
        }
    }
    batch->bytes_left = bytes_left;
    fin_groups_erase(&groups);
    fin_erase_stack_if(batch->keyed, FIN_STACK_LANES_BYTES);
}
