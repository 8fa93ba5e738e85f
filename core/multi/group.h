/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Groups by any implementation: kern/group.h says what a group is.
 */
#ifndef FIN_GROUP_H
#define FIN_GROUP_H

#include "kern/group.h"

#pragma GCC visibility push(hidden)

/* To be called before groups of an implementation of another number of lanes are prepared. */
void fin_group_rules_set_lanes(fin_group_rules *rules, size_t lanes);

/* Takes up the messages, for each lane one, pads their ends and sets the lanes. impl, count and blocks
   are set. What a kernel loads whole is written here in pieces, long before it. */
void fin_group_prepare(const fin_group_rules *rules, fin_group *group,
                       const fin_group_source *source);

/* Hashes a prepared group. next is the prepared group that will be hashed next, with the same
   implementation, or null: its first blocks are transposed meanwhile. */
void fin_group_hash(const fin_group_rules *rules, fin_group *group, fin_group *next);

/* Erase what groups of so many lanes, or fewer, have written. */
void fin_group_erase(const fin_group_rules *rules, fin_group *group, size_t lanes);
void fin_group_rules_erase(fin_group_rules *rules, size_t lanes);

#pragma GCC visibility pop

#endif
