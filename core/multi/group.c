/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Groups by implementations of any number of lanes, and what groups have in common.
 */
#include "multi/group.h"

#include "bytes.h"

#define FIN_GROUP_BLAKE 1
#define FIN_GROUP_GROESTL 1
#define FIN_GROUP_LANES32 0
#define FIN_GROUP_LANES64 0
#define FIN_GROUP_LANES512 0
#define FIN_GROUP_LANES1024 0
#include "kern/group_steps.h"

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

void fin_group_rules_set_lanes(fin_group_rules *rules, size_t lanes)
{
    const fin_group_kind kind = {rules->family, rules->block_bytes, lanes};
    rules->lanes = lanes;
    fin_set_rows(kind, rules);
}

/* What implementations have that bring no steps of their own. */
static const fin_group_steps *fin_steps_of(const fin_group *group)
{
    return group->impl->group != NULL ? group->impl->group : &fin_group_steps_here;
}

void fin_group_prepare(const fin_group_rules *rules, fin_group *group,
                       const fin_group_source *source)
{
    fin_steps_of(group)->prepare(rules, group, source);
}

void fin_group_hash(const fin_group_rules *rules, fin_group *group, fin_group *next)
{
    fin_steps_of(group)->hash(rules, group, next);
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
