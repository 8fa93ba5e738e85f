/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Short messages in groups: one list of messages for each number of blocks; those that fill the
 * lanes are hashed together.
 */
#ifndef FIN_SHORT_MESSAGES_H
#define FIN_SHORT_MESSAGES_H

#include "multi/batch.h"

#pragma GCC visibility push(hidden)

/* Hashes the batch's short messages, if there are any, and sets batch->bytes_left. */
void fin_run_short_messages(fin_batch *batch, const fin_impl *impl);

#pragma GCC visibility pop

#endif
