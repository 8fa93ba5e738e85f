/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A batch: many messages with the same parameters. Each message in progress is a job, which hands out
 * the message's segments in order; the code that compresses them knows nothing else of it.
 */
#ifndef FIN_BATCH_H
#define FIN_BATCH_H

#include "multi/source.h"

#pragma GCC visibility push(hidden)

typedef struct fin_batch {
    fin_instance instance;
    fin_source source;
    const fin_params *params;
    size_t next;          /* messages taken up so far */
    size_t bytes_grouped; /* messages shorter than this have been hashed in groups */
    bool keyed;
    bool last_node;
    bool padded;   /* else messages are whole blocks, the last of which ends the hash */
    bool prefixed; /* a byte comes before every message (Merkle trees) */
    uint8_t prefix;
    fin_state started; /* before a message, the key's block included where all messages share it */
    fin_state fresh;   /* with a key: before the key's block */
    uint8_t key_block[128];
} fin_batch;

/* True if fin_hash takes a message of the batch, without a state that all share. */
static inline bool fin_batch_is_plain(const fin_batch *batch)
{
    const bool shared = batch->instance.descriptor->shape == FIN_SERIAL;
    return batch->padded && !batch->prefixed && !(shared && !fin_is_plain(batch->params));
}

/* True for an empty keyed message: its only block is the key's, so it has no group. */
static inline bool fin_is_exception(const fin_batch *batch, size_t bytes)
{
    return batch->keyed && bytes == 0 && !batch->prefixed &&
           batch->instance.descriptor->shape == FIN_SERIAL;
}

/* True if no group has hashed messages of this length. */
static inline bool fin_is_left(const fin_batch *batch, size_t bytes)
{
    return bytes >= batch->bytes_grouped || fin_is_exception(batch, bytes);
}

/* A message in progress. */
typedef struct fin_job {
    uint8_t *digest;
    const uint8_t *in; /* what no segment has covered yet */
    size_t bytes;
    uint64_t t[2]; /* the counter after all segments so far */
    uint8_t stage;
    uint8_t ends_taken;
    bool last_node;
    uint8_t *staged; /* a block: the prefix and what fits after it */
    fin_ends ends;
    _Alignas(64) uint8_t padded[FIN_PADDED_BYTES];
} fin_job;

/* Prefetch distance, in messages. */
enum { FIN_LOOKAHEAD = 8 };

/* Takes up a message. Returns the state before its first segment, in *own if it is the message's
   alone. job->staged is set once by whoever owns the job. */
const fin_state *fin_job_begin(const fin_batch *batch, const fin_message_descriptor *message,
                               fin_job *job, fin_state *own);

/* The next segment; false after the last one. The end is padded when it is its turn, since by then
   the cache has the tail. */
bool fin_job_next(const fin_batch *batch, fin_job *job, fin_segment *segment);

/* Hashes the rest of a message by itself, from a segment on, and writes its digest. */
void fin_job_finish(const fin_batch *batch, fin_job *job, fin_state *state, fin_segment *segment);

/* Hashes a message of the batch by itself. With a key, the caller erases FIN_STACK_LANES_BYTES of the
   stack once it has hashed the last one. */
void fin_hash_single(const fin_batch *batch, const fin_message_descriptor *message);

/* Hashes the batch's short messages, or all of them if they have the same number of blocks. Sets
   batch->bytes_grouped. (short_messages.c) */
void fin_run_short_messages(fin_batch *batch);

/* Hashes all other messages from batch->next on, one a lane. (schedule.c) */
void fin_run_scheduled(fin_batch *batch, const fin_impl *impl);

/* Hashes BLAKE3's other messages: chunks of several messages in the lanes of one register, then their
   parents. Digests have up to FIN_CV_BYTES bytes. (chunks.c) */
void fin_run_chunks(fin_batch *batch);

/* As fin_hash_many for any source, with a byte before each message. batch has its source, and nothing
   else. */
fin_status fin_hash_prefixed(fin_batch *batch, fin_algorithm algorithm, const fin_params *params,
                             uint8_t prefix);

#pragma GCC visibility pop

#endif
