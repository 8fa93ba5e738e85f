/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Messages of one length, one a lane, in lockstep: they need no scheduler.
 */
#ifndef FIN_LOCKSTEP_H
#define FIN_LOCKSTEP_H

#include "multi/batch.h"

#pragma GCC visibility push(hidden)

/* Hashes messages of batch->equal, without a key and a prefix, from batch->next on as long as they fill
   all lanes; they do at least once. */
void fin_run_lockstep(fin_batch *batch, const fin_impl *impl);

#pragma GCC visibility pop

#endif
