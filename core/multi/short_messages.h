/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Short messages in groups: one bucket of messages for each number of blocks; those that fill the
 * lanes are hashed together.
 */
#ifndef FIN_SHORT_MESSAGES_H
#define FIN_SHORT_MESSAGES_H

#include "multi/batch.h"

#pragma GCC visibility push(hidden)

/* Hashes the batch's short messages, or all of them if they have the same number of blocks. Sets
   batch->bytes_grouped. */
void fin_run_short_messages(fin_batch *batch);

#pragma GCC visibility pop

#endif
