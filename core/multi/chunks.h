/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Messages of BLAKE3 of any length: chunks of several messages in the lanes of one register, then their
 * parents.
 */
#ifndef FIN_CHUNKS_H
#define FIN_CHUNKS_H

#include "multi/batch.h"

#pragma GCC visibility push(hidden)

/* Hashes the batch's messages of at least batch->bytes_grouped bytes. batch->started is set, digests have
   up to FIN_CV_BYTES bytes. */
void fin_run_chunks(fin_batch *batch);

#pragma GCC visibility pop

#endif
