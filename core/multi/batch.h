/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A batch: many messages with the same parameters, and where their digests go. Each message is a
 * job, which hands out the message's segments one after the other. Whatever compresses them knows
 * nothing else of a message.
 */
#ifndef FIN_BATCH_H
#define FIN_BATCH_H

#include "message/message.h"
#include "multi/extents.h"

#pragma GCC visibility push(hidden)

typedef struct fin_batch {
    fin_instance instance;
    /* One of four sources: separate messages, values of a column, nodes, or count times
       message_bytes from equal on. */
    const fin_message *messages;
    const fin_column *column;
    const fin_node *nodes;
    const uint8_t *equal;
    size_t message_bytes;
    size_t count;
    size_t next;      /* so many messages have been taken up */
    size_t bytes_min; /* the shortest message's length, and the longest's */
    size_t bytes_max;
    size_t bytes_left; /* messages shorter than this have been hashed already */
    uint8_t *digests;
    size_t stride;
    bool keyed;
    bool last_node;
    bool prefixed; /* prefix stands before every message (Merkle trees) */
    uint8_t prefix;
    fin_state fresh;   /* before the first block */
    fin_state started; /* after the key's block, where all messages share it */
    uint8_t key_block[128];
} fin_batch;

/* A message on its way. */
typedef struct fin_job {
    size_t index;
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

/* Messages that come so much later are asked for from memory. */
enum { FIN_LOOKAHEAD = 8 };

/* Where a message lies. */
typedef struct fin_extent {
    const uint8_t *in;
    size_t bytes;
} fin_extent;

/* A column's value; fin_column_check has passed. */
fin_extent fin_column_value(const fin_column *column, size_t index);

/* The column's values first .. first + count - 1; of a place without one only the length is set. */
void fin_column_extents(const fin_column *column, size_t first, size_t count, fin_extents *extents);
/* Asks memory for values ahead of their turn. */
void fin_column_prefetch(const fin_column *column, size_t first, size_t count);

/* False if there is no value at that place. */
static inline bool fin_column_has(const fin_column *column, size_t index)
{
    const uint64_t bit = column->validity_offset + index;
    return column->validity == NULL || (column->validity[bit / 8] >> bit % 8 & 1) != 0;
}

/* FIN_OK if every value lies within the column's bytes; then also the least and the greatest
   length. */
fin_status fin_column_check(const fin_column *column, size_t count, size_t *bytes_min,
                            size_t *bytes_max);

static inline fin_extent fin_batch_message(const fin_batch *batch, size_t index)
{
    if (batch->messages != NULL) {
        return (fin_extent){batch->messages[index].in, batch->messages[index].bytes};
    }
    if (batch->column != NULL) {
        return fin_column_value(batch->column, index);
    }
    if (batch->nodes != NULL) {
        return (fin_extent){batch->nodes[index].in, batch->nodes[index].bytes};
    }
    const size_t bytes = batch->message_bytes;
    return (fin_extent){bytes != 0 ? batch->equal + index * bytes : NULL, bytes};
}

/* True for a column's place without a value, which has no message. */
static inline bool fin_batch_lacks(const fin_batch *batch, size_t index)
{
    return batch->column != NULL && !fin_column_has(batch->column, index);
}

/* True if there is nothing to hash: no value, or a short message that is hashed already. */
static inline bool fin_batch_done(const fin_batch *batch, size_t index)
{
    return fin_batch_lacks(batch, index) ||
           fin_batch_message(batch, index).bytes < batch->bytes_left;
}

static inline uint8_t *fin_batch_digest(const fin_batch *batch, size_t index)
{
    return batch->digests + index * batch->stride;
}

/* Takes up message index. Returns the state before its first segment, in *own if it is the
   message's alone. job->staged is set once by whoever owns the job. */
const fin_state *fin_job_begin(const fin_batch *batch, size_t index, fin_job *job, fin_state *own);

/* The next segment; false after the last one. Ends are padded when it is their turn, since by then
   the cache has the tail. */
bool fin_job_next(const fin_batch *batch, fin_job *job, fin_segment *segment);

/* The bytes from in on with the batch's prefix before them, in job->staged: bytes in all. */
const uint8_t *fin_job_stage(const fin_batch *batch, const fin_job *job, const uint8_t *in,
                             size_t bytes);

/* Hashes the rest of a message by itself, from a segment on, and writes its digest. */
void fin_job_run(const fin_batch *batch, fin_job *job, fin_state *state, fin_segment *segment);

/* As fin_hash_many for messages with a byte before each of them. With count not 0, nothing that is
   needed may be null. */
fin_status fin_hash_prefixed(fin_algorithm algorithm, const fin_params *params, uint8_t prefix,
                             const fin_message *messages, size_t count, uint8_t *digests,
                             size_t stride);

/* The same for inputs of message_bytes bytes each, one right after the other. */
fin_status fin_compress_prefixed(fin_algorithm algorithm, const fin_params *params, uint8_t prefix,
                                 const uint8_t *in, size_t message_bytes, size_t count,
                                 uint8_t *digests, size_t stride);

#pragma GCC visibility pop

#endif
