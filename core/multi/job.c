/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * From a batch's message to its segments.
 */
#include "multi/batch.h"

enum {
    FIN_JOB_KEY,    /* a node's own key block */
    FIN_JOB_PREFIX, /* the first block, staged with the prefix before it */
    FIN_JOB_WHOLE,  /* whole blocks where they lie */
    FIN_JOB_TAIL,   /* what is left is to be padded */
    FIN_JOB_ENDS
};

const fin_state *fin_job_begin(const fin_batch *batch, size_t index, fin_job *job, fin_state *own)
{
    const fin_extent message = fin_batch_message(batch, index);
    const fin_state *state = &batch->started;
    job->index = index;
    job->in = message.in;
    job->bytes = message.bytes;
    job->stage = batch->prefixed ? FIN_JOB_PREFIX : FIN_JOB_WHOLE;
    job->last_node = batch->last_node;
    if (batch->keyed && message.bytes == 0 && !batch->prefixed) {
        /* The key's block is the end of an empty message. */
        state = &batch->fresh;
        job->in = batch->key_block;
        job->bytes = batch->instance.block_bytes;
    } else if (batch->keyed && batch->nodes != NULL) {
        job->stage = FIN_JOB_KEY;
    }
    if (batch->nodes != NULL) {
        *own = batch->fresh;
        fin_blake2_set_offset(batch->instance.variant, &own->h, batch->nodes[index].node_offset);
        job->last_node = batch->nodes[index].last_node;
        state = own;
    }
    fin_store_piece(job->t, state->t[0], state->t[1]);
    return state;
}

/* The next blocks of the job, at in. */
static bool fin_job_take(const fin_batch *batch, fin_job *job, fin_segment *segment,
                         const uint8_t *in, size_t blocks)
{
    fin_segment_set(segment, in, blocks, job->t, batch->instance.increment);
    fin_counter_advance(job->t, blocks, batch->instance.increment);
    return true;
}

const uint8_t *fin_job_stage(const fin_batch *batch, const fin_job *job, const uint8_t *in,
                             size_t bytes)
{
    job->staged[0] = batch->prefix;
    if (bytes > 1) {
        memcpy(job->staged + 1, in, bytes - 1);
    }
    return job->staged;
}

/*
 * Puts the prefix before the message: false if it is then no longer than a block and all tail. Else
 * the first block is staged, and all after it is read where it lies, one byte earlier:
 *
 *   staged    p d d d | in ->  d d d d | d d d d | d d     tail
 *             block 0          block 1   block 2
 */
static FIN_NOINLINE bool fin_job_take_prefixed(const fin_batch *batch, fin_job *job,
                                               fin_segment *segment)
{
    const size_t block_bytes = batch->instance.block_bytes;
    if (job->bytes < block_bytes) {
        job->in = fin_job_stage(batch, job, job->in, job->bytes + 1);
        job->bytes++;
        return false;
    }
    const uint8_t *staged = fin_job_stage(batch, job, job->in, block_bytes);
    job->in += block_bytes - 1;
    job->bytes -= block_bytes - 1;
    return fin_job_take(batch, job, segment, staged, 1);
}

bool fin_job_next(const fin_batch *batch, fin_job *job, fin_segment *segment)
{
    const size_t block_bytes = batch->instance.block_bytes;
    switch (job->stage) {
    case FIN_JOB_KEY:
        job->stage = FIN_JOB_WHOLE;
        return fin_job_take(batch, job, segment, batch->key_block, 1);
    case FIN_JOB_PREFIX:
        job->stage = FIN_JOB_WHOLE;
        if (fin_job_take_prefixed(batch, job, segment)) {
            return true;
        }
        /* fall through */
    case FIN_JOB_WHOLE:
        job->stage = FIN_JOB_TAIL;
        if (job->bytes > block_bytes) {
            const size_t blocks = (job->bytes - 1) / block_bytes;
            const uint8_t *in = job->in;
            job->in += blocks * block_bytes;
            job->bytes -= blocks * block_bytes;
            return fin_job_take(batch, job, segment, in, blocks);
        }
        /* fall through */
    case FIN_JOB_TAIL: {
        const fin_tail tail = {job->in, job->bytes, 0, 0};
        job->stage = FIN_JOB_ENDS;
        job->ends_taken = 0;
        fin_pad_instance(job->t, &batch->instance, &tail, job->padded, &job->ends);
    }
        /* fall through */
    default:
        if (job->ends_taken == job->ends.count) {
            return false;
        }
        *segment = job->ends.segment[job->ends_taken++];
        return true;
    }
}

void fin_job_run(const fin_batch *batch, fin_job *job, fin_state *state, fin_segment *segment)
{
    const fin_instance *instance = &batch->instance;
    const fin_impl *impl = fin_dispatch(instance->compression);
    const uint64_t last_node = job->last_node ? UINT64_MAX : 0;
    do {
        fin_compress_segment(state, impl, segment, instance->block_bytes, last_node);
    } while (fin_job_next(batch, job, segment));
    fin_output(state, instance, fin_batch_digest(batch, job->index),
               (size_t)instance->digest_bytes);
}
