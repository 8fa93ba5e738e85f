/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Short messages in groups: one list of messages for each number of blocks; those that fill the
 * lanes are hashed together.
 */
#ifndef FIN_GROUPS_H
#define FIN_GROUPS_H

#include "multi/batch.h"

#pragma GCC visibility push(hidden)

/* Hashes the batch's short messages, if there are any and the implementation has a function for
   them, and sets batch->bytes_left. */
void fin_run_groups(fin_batch *batch, const fin_impl *impl);

#pragma GCC visibility pop

#endif
