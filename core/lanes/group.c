/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Groups of implementations with any number of lanes, and the functions for all groups.
 */
#include "lanes/group.h"

#include "bytes.h"
#include "lanes/lanes.h"

#define FIN_GROUP_BLAKE 1
#define FIN_GROUP_BLAKE2 1
#define FIN_GROUP_BLAKE3 1
#define FIN_GROUP_GROESTL 1
#define FIN_GROUP_LANES32 0
#define FIN_GROUP_LANES64 0
#define FIN_GROUP_LANES512 0
#define FIN_GROUP_LANES1024 0
#include "lanes/group_steps.h"

/* Returns the implementation's own steps, or those for any number of lanes. */
static const fin_group_steps *fin_steps_of(const fin_group *group)
{
    const fin_group_steps *own = group->impl->group;
    return own != NULL && own->prepare != NULL ? own : &FIN_GROUP_STEPS;
}

/* The messages of a group with idle lanes, which repeat its first message. */
typedef struct fin_filled {
    const uint8_t *in[FIN_LANES_MAX];
    uint8_t *digest[FIN_LANES_MAX];
    uint32_t bytes[FIN_LANES_MAX];
    uint64_t number[FIN_LANES_MAX];
} fin_filled;

static FIN_NOINLINE void fin_prepare_filled(const fin_group_rules *rules, fin_group *group,
                                            const fin_group_source *source)
{
    fin_filled filled;
    for (size_t lane = 0; lane < group->impl->lanes; lane++) {
        const size_t from = lane < group->count ? lane : 0;
        filled.in[lane] = source->in[from];
        filled.digest[lane] = source->digest[from];
        filled.bytes[lane] = source->bytes[from];
        filled.number[lane] = source->number != NULL ? source->number[from] : 0;
    }
    const fin_group_source whole = {filled.in, filled.bytes, filled.digest,
                                    source->number != NULL ? filled.number : NULL};
    fin_steps_of(group)->prepare(rules, group, &whole);
}

fin_group *fin_pipeline_prepare(fin_group_pipeline *pipeline, const fin_impl *impl, size_t blocks,
                                const fin_group_source *source, size_t count)
{
    const size_t turn = pipeline->waiting == &pipeline->group[0] ? 1 : 0;
    fin_group *group = &pipeline->group[turn];
    if (turn == pipeline->used) {
        fin_lanes_start(&group->lanes, pipeline->rules.start);
        group->copied_bytes = group->lanes_max = 0;
        pipeline->used++;
    }
    group->impl = impl;
    group->count = count;
    group->blocks = blocks;
    group->lanes_max = impl->lanes > group->lanes_max ? impl->lanes : group->lanes_max;
    if (count < impl->lanes) {
        fin_prepare_filled(&pipeline->rules, group, source);
    } else {
        fin_steps_of(group)->prepare(&pipeline->rules, group, source);
    }
    return group;
}

void fin_pipeline_next(fin_group_pipeline *pipeline, fin_group *next)
{
    fin_group *group = pipeline->waiting;
    if (group != NULL) {
        const bool same = next != NULL && next->impl == group->impl;
        fin_steps_of(group)->hash(&pipeline->rules, group, same ? next : NULL);
    }
    pipeline->waiting = next;
}

static void fin_group_erase(const fin_group_rules *rules, fin_group *group)
{
    fin_lanes_erase(&group->lanes, (fin_lane_layout){rules->variant, group->lanes_max});
    if (group->copied_bytes != 0) {
        fin_erase(group->copied, group->copied_bytes);
    }
}

void fin_pipeline_erase(fin_group_pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->used; i++) {
        fin_group_erase(&pipeline->rules, &pipeline->group[i]);
    }
}
