/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Batches: where many messages come from, what can be wrong with them, and who hashes them.
 */
#include "multi/batch.h"

#include "multi/short_messages.h"
#include "multi/lockstep.h"
#include "multi/schedule.h"

/* ---- One message at a time ---- */

static void fin_batch_run_alone(fin_batch *batch)
{
    uint8_t staged[128];
    fin_job job = {.staged = staged};
    fin_state state, own;
    fin_segment segment;
    for (; batch->next < batch->count; batch->next++) {
        if (batch->next + FIN_LOOKAHEAD < batch->count &&
            !fin_batch_lacks(batch, batch->next + FIN_LOOKAHEAD)) {
            fin_prefetch(fin_batch_message(batch, batch->next + FIN_LOOKAHEAD).in);
        }
        if (fin_batch_done(batch, batch->next)) {
            continue;
        }
        state = *fin_job_begin(batch, batch->next, &job, &own);
        if (fin_job_next(batch, &job, &segment)) {
            fin_job_run(batch, &job, &state, &segment);
        }
    }
    fin_erase(job.padded, sizeof job.padded);
    fin_erase(&state, sizeof state);
    fin_erase(&own, sizeof own);
    if (batch->prefixed) {
        fin_erase(staged, sizeof staged);
    }
    fin_erase_stack_if(batch->keyed, FIN_STACK_MESSAGE_BYTES);
}

/* ---- Checks ---- */

/* The longest message decides whether all can be counted. */
static fin_status fin_check_longest(const fin_batch *batch, const fin_params *params)
{
    const fin_instance *instance = &batch->instance;
    const uint64_t t[2] = {0, 0};
    const bool keyed = params != NULL && params->key_bytes != 0;
    const uint64_t pending = fin_key_pending_bytes(instance, keyed) + batch->prefixed;
    return fin_length_fits(instance, t, pending, batch->bytes_max, 0) ? FIN_OK
                                                                      : FIN_ERR_MESSAGE_LENGTH;
}

static fin_status fin_check_extents(const fin_message *messages, size_t count, size_t *bytes_min,
                                    size_t *bytes_max)
{
    size_t least = SIZE_MAX, most = 0, missing = 0;
    bool endless = false;
    if (!fin_items_in_memory(messages, count, sizeof *messages, sizeof *messages)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = messages[i].bytes;
        least = bytes < least ? bytes : least;
        most = bytes > most ? bytes : most;
        missing |= messages[i].in == NULL ? bytes : 0;
        endless |= !fin_in_memory(messages[i].in, bytes);
    }
    *bytes_min = least;
    *bytes_max = most;
    return missing != 0 ? FIN_ERR_NULL : endless ? FIN_ERR_MESSAGE_LENGTH : FIN_OK;
}

static fin_status fin_check_nodes(fin_batch *batch)
{
    bool missing = false, valid = true, endless = false;
    if (!fin_items_in_memory(batch->nodes, batch->count, sizeof *batch->nodes,
                             sizeof *batch->nodes)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    batch->bytes_min = SIZE_MAX;
    for (size_t i = 0; i < batch->count; i++) {
        const fin_node *node = &batch->nodes[i];
        const fin_tree tree = {.depth = 1, .node_offset = node->node_offset};
        batch->bytes_min = node->bytes < batch->bytes_min ? node->bytes : batch->bytes_min;
        batch->bytes_max = node->bytes > batch->bytes_max ? node->bytes : batch->bytes_max;
        missing |= node->in == NULL && node->bytes != 0;
        valid &= fin_blake2_tree_valid(batch->instance.descriptor, &tree);
        endless |= !fin_in_memory(node->in, node->bytes);
    }
    const fin_status status = endless ? FIN_ERR_MESSAGE_LENGTH : FIN_OK;
    return missing ? FIN_ERR_NULL : valid ? status : FIN_ERR_TREE;
}

static fin_status fin_check_equal(fin_batch *batch)
{
    const size_t bytes = batch->message_bytes;
    batch->bytes_min = batch->bytes_max = bytes;
    if (batch->equal == NULL && bytes != 0 && batch->count != 0) {
        return FIN_ERR_NULL;
    }
    return fin_items_in_memory(batch->equal, batch->count, bytes, bytes) ? FIN_OK
                                                                         : FIN_ERR_MESSAGE_LENGTH;
}

/* Nothing is written unless every message can be hashed. Sets the least and the greatest length. */
static fin_status fin_check_messages(fin_batch *batch, const fin_params *params)
{
    fin_status status = FIN_OK;
    if (batch->column != NULL) {
        status =
            fin_column_check(batch->column, batch->count, &batch->bytes_min, &batch->bytes_max);
    } else if (batch->messages != NULL) {
        status =
            fin_check_extents(batch->messages, batch->count, &batch->bytes_min, &batch->bytes_max);
    } else if (batch->nodes != NULL) {
        status = fin_check_nodes(batch);
    } else {
        status = fin_check_equal(batch);
    }
    return status == FIN_OK && batch->count != 0 ? fin_check_longest(batch, params) : status;
}

static fin_status fin_check_output(const fin_batch *batch)
{
    if (batch->instance.digest_bytes == FIN_XOF_UNKNOWN) {
        return FIN_ERR_DIGEST_LENGTH;
    }
    const uint64_t digest_bytes = batch->instance.digest_bytes;
    return batch->stride >= digest_bytes && fin_items_in_memory(batch->digests, batch->count,
                                                                batch->stride, (size_t)digest_bytes)
               ? FIN_OK
               : FIN_ERR_OUTPUT_LENGTH;
}

/* ---- The calls ---- */

/* BLAKE2bp and BLAKE2sp have lanes of their own, BLAKE2X an output of any length. */
static fin_status fin_hash_each(const fin_batch *batch, const fin_params *params)
{
    const fin_algorithm algorithm = batch->instance.descriptor->info.algorithm;
    const size_t digest_bytes = (size_t)batch->instance.digest_bytes;
    fin_context context;
    fin_status status = FIN_OK;
    for (size_t i = 0; i < batch->count && status == FIN_OK; i++) {
        if (fin_batch_lacks(batch, i)) {
            continue;
        }
        const fin_extent message = fin_batch_message(batch, i);
        status = fin_init(&context, algorithm, params);
        if (status == FIN_OK && batch->prefixed) {
            status = fin_update(&context, &batch->prefix, 1);
        }
        if (status == FIN_OK) {
            status = fin_update(&context, message.in, message.bytes);
        }
        if (status == FIN_OK) {
            status = fin_final(&context, fin_batch_digest(batch, i), digest_bytes);
        }
    }
    fin_wipe(&context);
    return status;
}

/* The state before a message's first block, and after the key's where that is the same for all. */
static void fin_batch_start(fin_batch *batch, const fin_params *params)
{
    const fin_instance *instance = &batch->instance;
    uint8_t parameter_block[64];
    fin_customise(&batch->fresh, parameter_block, instance, params);
    fin_start(&batch->fresh, instance, parameter_block);
    batch->started = batch->fresh;
    batch->last_node = params != NULL && params->tree != NULL && params->tree->last_node;
    if (params != NULL && batch->keyed) {
        memset(batch->key_block, 0, sizeof batch->key_block);
        memcpy(batch->key_block, params->key, params->key_bytes);
    }
    if (batch->keyed && batch->nodes == NULL) {
        fin_compress(&batch->started, instance, batch->key_block, 1);
        fin_erase_stack(FIN_STACK_MESSAGE_BYTES);
    }
}

/* Short messages in groups, messages of one length in lockstep as long as they fill the lanes, the
   others as the scheduler has it. */
static void fin_batch_run(fin_batch *batch)
{
    const fin_compression compression = batch->instance.compression;
    const fin_impl *impl = fin_dispatch_lanes(compression, batch->count);
    /* Those with a key or a prefix, nodes of Merkle trees, are all short. */
    const bool of_one_length = batch->messages == NULL && batch->column == NULL &&
                               batch->nodes == NULL && !batch->keyed && !batch->prefixed;
    if (impl != NULL) {
        fin_run_short_messages(batch, impl);
    }
    if (batch->bytes_max < batch->bytes_left) {
        return;
    }
    if (impl != NULL && of_one_length && batch->count >= impl->lanes) {
        fin_run_lockstep(batch, impl);
        impl = fin_dispatch_lanes(compression, batch->count - batch->next);
    }
    if (impl != NULL && batch->next < batch->count) {
        fin_run_scheduled(batch, impl);
    } else {
        fin_batch_run_alone(batch);
    }
}

/* Zeros where a column has no value. */
static void fin_write_nulls(const fin_batch *batch)
{
    for (size_t i = 0; batch->column->validity != NULL && i < batch->count; i++) {
        if (fin_batch_lacks(batch, i)) {
            memset(fin_batch_digest(batch, i), 0, (size_t)batch->instance.digest_bytes);
        }
    }
}

/* batch has its source, count, digests, stride and prefix; all else is still 0. */
static fin_status fin_hash_batch(fin_batch *batch, fin_algorithm algorithm,
                                 const fin_params *params)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    fin_status status = fin_prepare(&batch->instance, descriptor, params);
    if (status == FIN_OK) {
        status = fin_check_output(batch);
    }
    if (status == FIN_OK) {
        batch->keyed = params != NULL && params->key_bytes != 0 && descriptor->shape == FIN_SERIAL;
        status = fin_check_messages(batch, params);
    }
    if (status != FIN_OK || batch->count == 0) {
        return status;
    }
    if (batch->column != NULL) {
        fin_write_nulls(batch);
    }
    if (descriptor->shape != FIN_SERIAL) {
        return fin_hash_each(batch, params);
    }
    fin_batch_start(batch, params);
    fin_batch_run(batch);
    fin_erase(batch, sizeof *batch);
    return FIN_OK;
}

/* The only message of a batch, whose parameters do not say that its digest may have any length. */
static bool fin_is_alone(const fin_params *params, size_t count)
{
    return count == 1 && (params == NULL || params->digest_bytes != FIN_XOF_UNKNOWN);
}

/* True for two messages of at most a block each that take less time alone than in lanes. */
static bool fin_is_pair_of_blocks(fin_algorithm algorithm, const fin_params *params,
                                  const fin_message *messages, size_t count)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (count != 2 || descriptor == NULL || !fin_is_plain(params) ||
        descriptor->info.family != FIN_FAMILY_BLAKE2 || descriptor->shape != FIN_SERIAL) {
        return false;
    }
    const size_t block_bytes = descriptor->info.block_bytes;
    return messages[0].bytes <= block_bytes && messages[1].bytes <= block_bytes &&
           messages[0].in != NULL && messages[1].in != NULL;
}

fin_status fin_hash_many(fin_algorithm algorithm, const fin_params *params,
                         const fin_message *messages, size_t count, uint8_t *digests, size_t stride)
{
    if (count != 0 && (messages == NULL || digests == NULL)) {
        return FIN_ERR_NULL;
    }
    if (fin_is_alone(params, count)) {
        return fin_hash(algorithm, params, messages->in, messages->bytes, digests, stride);
    }
    if (fin_is_pair_of_blocks(algorithm, params, messages, count) &&
        fin_items_in_memory(digests, 2, stride, stride)) {
        const fin_message *second = &messages[1];
        const fin_status status =
            fin_hash(algorithm, params, messages->in, messages->bytes, digests, stride);
        return status != FIN_OK ? status
                                : fin_hash(algorithm, params, second->in, second->bytes,
                                           digests + stride, stride);
    }
    fin_batch batch = {.messages = messages, .count = count, .digests = digests, .stride = stride};
    return fin_hash_batch(&batch, algorithm, params);
}

fin_status fin_hash_column(fin_algorithm algorithm, const fin_params *params,
                           const fin_column *column, size_t count, uint8_t *digests, size_t stride)
{
    if (column == NULL || (count != 0 && digests == NULL)) {
        return FIN_ERR_NULL;
    }
    size_t bytes_min, bytes_max;
    if (fin_is_alone(params, count) &&
        fin_column_check(column, 1, &bytes_min, &bytes_max) == FIN_OK &&
        fin_column_has(column, 0)) {
        const fin_extent value = fin_column_value(column, 0);
        return fin_hash(algorithm, params, value.in, value.bytes, digests, stride);
    }
    fin_batch batch = {.column = column, .count = count, .digests = digests, .stride = stride};
    return fin_hash_batch(&batch, algorithm, params);
}

fin_status fin_hash_nodes(fin_algorithm algorithm, const fin_params *params, const fin_node *nodes,
                          size_t count, uint8_t *digests, size_t stride)
{
    if (count != 0 && (nodes == NULL || digests == NULL)) {
        return FIN_ERR_NULL;
    }
    if (params == NULL || params->tree == NULL || params->tree->node_offset != 0 ||
        params->tree->last_node) {
        return FIN_ERR_TREE;
    }
    if (count == 1) {
        fin_tree tree = *params->tree;
        fin_params own = *params;
        own.tree = &tree;
        tree.node_offset = nodes->node_offset;
        tree.last_node = nodes->last_node;
        return fin_hash(algorithm, &own, nodes->in, nodes->bytes, digests, stride);
    }
    fin_batch batch = {.nodes = nodes, .count = count, .digests = digests, .stride = stride};
    return fin_hash_batch(&batch, algorithm, params);
}

fin_status fin_compress_many(fin_algorithm algorithm, const void *in, size_t node_bytes,
                             size_t count, uint8_t *digests, size_t stride)
{
    if (count != 0 && (digests == NULL || (in == NULL && node_bytes != 0))) {
        return FIN_ERR_NULL;
    }
    fin_batch batch = {.equal = in,
                       .message_bytes = node_bytes,
                       .count = count,
                       .digests = digests,
                       .stride = stride};
    return fin_hash_batch(&batch, algorithm, NULL);
}

enum { FIN_PREFIXED_BYTES = 256 }; /* one message with a prefix: two blocks at most */

/* The only message of a batch, with the prefix before it; false if it is too long. */
static bool fin_hash_prefixed_alone(fin_algorithm algorithm, const fin_params *params,
                                    uint8_t prefix, const uint8_t *in, size_t bytes,
                                    uint8_t *digest, size_t digest_bytes, fin_status *status)
{
    uint8_t staged[FIN_PREFIXED_BYTES + 1];
    if (bytes >= sizeof staged || (in == NULL && bytes != 0)) {
        return false;
    }
    staged[0] = prefix;
    if (bytes != 0) {
        memcpy(staged + 1, in, bytes);
    }
    *status = fin_hash(algorithm, params, staged, bytes + 1, digest, digest_bytes);
    fin_erase(staged, bytes + 1);
    return true;
}

fin_status fin_hash_prefixed(fin_algorithm algorithm, const fin_params *params, uint8_t prefix,
                             const fin_message *messages, size_t count, uint8_t *digests,
                             size_t stride)
{
    fin_status status;
    if (fin_is_alone(params, count) &&
        fin_hash_prefixed_alone(algorithm, params, prefix, messages->in, messages->bytes, digests,
                                stride, &status)) {
        return status;
    }
    fin_batch batch = {.messages = messages,
                       .count = count,
                       .digests = digests,
                       .stride = stride,
                       .prefixed = true,
                       .prefix = prefix};
    return fin_hash_batch(&batch, algorithm, params);
}

fin_status fin_compress_prefixed(fin_algorithm algorithm, const fin_params *params, uint8_t prefix,
                                 const uint8_t *in, size_t message_bytes, size_t count,
                                 uint8_t *digests, size_t stride)
{
    fin_status status;
    if (fin_is_alone(params, count) &&
        fin_hash_prefixed_alone(algorithm, params, prefix, in, message_bytes, digests, stride,
                                &status)) {
        return status;
    }
    fin_batch batch = {.equal = in,
                       .message_bytes = message_bytes,
                       .count = count,
                       .digests = digests,
                       .stride = stride,
                       .prefixed = true,
                       .prefix = prefix};
    return fin_hash_batch(&batch, algorithm, params);
}
