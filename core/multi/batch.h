/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A batch: many messages with the same parameters. Each message in progress is a job, which yields
 * the message's segments in order; the code that compresses them needs nothing else.
 */
#ifndef FIN_BATCH_H
#define FIN_BATCH_H

#include "multi/source.h"

#pragma GCC visibility push(hidden)

typedef struct fin_batch {
    fin_instance instance;
    fin_source source;
    const fin_params *params;
    size_t next;          /* messages begun so far */
    size_t bytes_grouped; /* messages shorter than this have been hashed in groups */
    bool keyed;
    bool last_node;
    bool padded;   /* else messages are whole blocks, the last of which ends the hash */
    bool prefixed; /* a byte precedes every message (Merkle trees) */
    uint8_t prefix;
    fin_state started; /* before a message; after the key's block if all messages share it */
    fin_state fresh;   /* with a key: before the key's block */
    uint8_t key_block[128];
} fin_batch;

/* True if fin_hash can hash the batch's messages, without a shared state. */
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
    const uint8_t *in; /* bytes not yet in a segment */
    size_t bytes;
    uint64_t t[2]; /* the counter after all segments so far */
    uint8_t stage;
    uint8_t final_taken;
    bool last_node;
    uint8_t *copied; /* a block: the prefix and the message's first bytes */
    fin_final_blocks final;
    _Alignas(64) uint8_t padded[FIN_PADDED_BYTES];
} fin_job;

/* Prefetch distance, in messages. */
enum { FIN_LOOKAHEAD = 8 };

/* Begins a message. Returns the state before its first segment, in *own if other messages do not
   share it. The job's owner sets job->copied once. */
const fin_state *fin_job_begin(const fin_batch *batch, const fin_message_descriptor *message,
                               fin_job *job, fin_state *own);

/* Yields the next segment; false after the last one. Pads the end only when it is reached, because
   by then the cache holds the tail. */
bool fin_job_next(const fin_batch *batch, fin_job *job, fin_segment *segment);

/* Hashes the rest of a message, from a segment on, without lanes and writes its digest. */
void fin_job_finish(const fin_batch *batch, fin_job *job, fin_state *state, fin_segment *segment);

/* Hashes a single message of the batch. With a key, the caller erases FIN_STACK_LANES_BYTES of the
   stack after the last one. */
void fin_hash_single(const fin_batch *batch, const fin_message_descriptor *message);

/* Hashes the batch's short messages, or all of them if they have the same number of blocks. Sets
   batch->bytes_grouped. (short_messages.c) */
void fin_run_short_messages(fin_batch *batch);

/* Hashes all other messages from batch->next on, one per lane. (schedule.c) */
void fin_run_scheduled(fin_batch *batch, const fin_impl *impl);

/* Hashes BLAKE3's other messages: chunks of several messages side by side in lanes, then their
   parents. Digests have up to FIN_CV_BYTES bytes. (chunks.c) */
void fin_run_chunks(fin_batch *batch);

/* Hashes as fin_hash_many does, from any source, with a byte before each message. Only
   batch->source must be set. */
fin_status fin_hash_prefixed(fin_batch *batch, fin_algorithm algorithm, const fin_params *params,
                             uint8_t prefix);

#pragma GCC visibility pop

#endif
