/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The scheduler: messages of any lengths, one a lane.
 */
#ifndef FIN_SCHEDULE_H
#define FIN_SCHEDULE_H

#include "multi/batch.h"

#pragma GCC visibility push(hidden)

/* Hashes all messages of the batch from batch->next on; there is one at least. */
void fin_run_scheduled(fin_batch *batch, const fin_impl *impl);

#pragma GCC visibility pop

#endif
