/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * From a batch's message to its segments.
 */
#include "multi/batch.h"

enum {
    FIN_JOB_KEY,    /* the key block of a node */
    FIN_JOB_PREFIX, /* the first block, copied after the prefix */
    FIN_JOB_WHOLE,  /* whole blocks in place */
    FIN_JOB_TAIL,   /* the tail, to be padded */
    FIN_JOB_FINAL
};

const fin_state *fin_job_begin(const fin_batch *batch, const fin_message_descriptor *message,
                               fin_job *job, fin_state *own)
{
    const bool nodes = batch->source.nodes != NULL;
    const fin_state *state = &batch->started;
    job->digest = message->digest;
    job->in = message->in;
    job->bytes = message->bytes;
    job->stage = batch->prefixed ? FIN_JOB_PREFIX : FIN_JOB_WHOLE;
    job->last_node = batch->last_node || message->last_node;
    if (batch->keyed && message->bytes == 0 && !batch->prefixed) {
        /* An empty message ends with the key's block. */
        state = &batch->fresh;
        job->in = batch->key_block;
        job->bytes = batch->instance.block_bytes;
    } else if (batch->keyed && nodes) {
        job->stage = FIN_JOB_KEY;
    }
    if (nodes) {
        *own = *state;
        fin_blake2_set_offset(batch->instance.variant, &own->h, message->node_offset);
        state = own;
    }
    fin_store_piece(job->t, state->t[0], state->t[1]);
    return state;
}

/* Sets the segment to the job's next blocks, at in. */
static bool fin_job_take(const fin_batch *batch, fin_job *job, fin_segment *segment,
                         const uint8_t *in, size_t blocks)
{
    fin_segment_set(segment, in, blocks, job->t, batch->instance.increment);
    fin_counter_advance(job->t, blocks, batch->instance.increment);
    return true;
}

/* Copies the batch's prefix and the message's next bytes: bytes in total. */
static const uint8_t *fin_job_copy(const fin_batch *batch, const fin_job *job, size_t bytes)
{
    job->copied[0] = batch->prefix;
    if (bytes > 1) {
        memcpy(job->copied + 1, job->in, bytes - 1);
    }
    return job->copied;
}

/*
 * Prepends the prefix. Returns false if the message is then at most a block and all tail. Otherwise
 * the first block is copied, and the rest is read in place, one byte earlier:
 *
 *   copied    p d d d | in ->  d d d d | d d d d | d d     tail
 *             block 0          block 1   block 2
 */
static FIN_NOINLINE bool fin_job_take_prefixed(const fin_batch *batch, fin_job *job,
                                               fin_segment *segment)
{
    const size_t block_bytes = batch->instance.block_bytes;
    if (job->bytes < block_bytes) {
        job->in = fin_job_copy(batch, job, job->bytes + 1);
        job->bytes++;
        return false;
    }
    const uint8_t *copied = fin_job_copy(batch, job, block_bytes);
    job->in += block_bytes - 1;
    job->bytes -= block_bytes - 1;
    return fin_job_take(batch, job, segment, copied, 1);
}

/* Pads the end of the message. */
static void fin_job_pad(const fin_batch *batch, fin_job *job)
{
    const fin_tail tail = {job->in, job->bytes, 0, 0};
    job->final_taken = 0;
    if (batch->padded) {
        fin_pad_instance(job->t, &batch->instance, &tail, job->padded, &job->final);
        return;
    }
    job->final.count = 1;
    fin_segment_set(&job->final.segment[0], job->in, 1, job->t, batch->instance.increment);
    job->final.segment[0].last = true;
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
            const size_t blocks = fin_whole_blocks(&batch->instance, job->bytes - 1);
            const uint8_t *in = job->in;
            job->in += blocks * block_bytes;
            job->bytes -= blocks * block_bytes;
            return fin_job_take(batch, job, segment, in, blocks);
        }
        /* fall through */
    case FIN_JOB_TAIL:
        job->stage = FIN_JOB_FINAL;
        fin_job_pad(batch, job);
        /* fall through */
    default:
        if (job->final_taken == job->final.count) {
            return false;
        }
        *segment = job->final.segment[job->final_taken++];
        return true;
    }
}

void fin_job_finish(const fin_batch *batch, fin_job *job, fin_state *state, fin_segment *segment)
{
    const fin_instance *instance = &batch->instance;
    const fin_impl *impl = fin_dispatch(instance->compression);
    const uint64_t last_node = job->last_node ? UINT64_MAX : 0;
    do {
        fin_compress_segment(state, impl, segment, instance->block_bytes, last_node);
    } while (fin_job_next(batch, job, segment));
    fin_output(state, instance->variant, job->digest, (size_t)instance->digest_bytes);
}

/* ---- One message at a time ---- */

/* Hashes a job. Not inlined, so that plain messages do without its frame. The initial state of a
   node depends on parameters only and is not secret. */
static FIN_NOINLINE void fin_hash_job(const fin_batch *batch, const fin_message_descriptor *message)
{
    uint8_t copied[128];
    fin_job job;
    fin_segment segment;
    fin_state state, own;
    job.copied = copied;
    job.final.count = 0;
    state = *fin_job_begin(batch, message, &job, &own);
    if (fin_job_next(batch, &job, &segment)) {
        fin_job_finish(batch, &job, &state, &segment);
    }
    fin_erase(job.padded, sizeof job.padded);
    fin_erase(&state, sizeof state);
    if (batch->prefixed) {
        fin_erase(copied, sizeof copied);
    }
}

void fin_hash_single(const fin_batch *batch, const fin_message_descriptor *message)
{
    const fin_algorithm algorithm = batch->instance.descriptor->info.algorithm;
    const size_t digest_bytes = (size_t)batch->instance.digest_bytes;
    if (fin_batch_is_plain(batch)) {
        (void)fin_hash(algorithm, batch->params, message->in, message->bytes, message->digest,
                       digest_bytes);
    } else if (batch->instance.descriptor->shape == FIN_SERIAL) {
        fin_hash_job(batch, message);
    } else {
        /* BLAKE2bp and BLAKE2sp have leaves, BLAKE2X and BLAKE3 an output of any length. */
        (void)fin_hash_in_context(algorithm, batch->params, &batch->prefix, message->in,
                                  message->bytes, message->digest, digest_bytes);
    }
}
