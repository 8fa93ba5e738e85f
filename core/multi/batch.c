/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Batches: checks, and the choice of the code that hashes them.
 */
#include "multi/batch.h"

#include "message/blake3.h"

/* ---- Checks ---- */

/* True if the counter can count the longest message, and so every one. */
static bool fin_longest_fits(const fin_batch *batch)
{
    const uint64_t t[2] = {0, 0};
    const bool keyed = batch->params != NULL && batch->params->key_bytes != 0;
    const uint64_t pending = fin_key_pending_bytes(&batch->instance, keyed) + batch->prefixed;
    return fin_length_fits(&batch->instance, t, pending, batch->source.bytes_max, 0);
}

static fin_status fin_check_output(const fin_batch *batch)
{
    const fin_source *source = &batch->source;
    const uint64_t digest_bytes = batch->instance.digest_bytes;
    if (digest_bytes == FIN_XOF_UNKNOWN) {
        return FIN_ERR_DIGEST_LENGTH;
    }
    return source->stride >= digest_bytes &&
                   fin_items_in_memory(source->digests, source->count, source->stride,
                                       (size_t)digest_bytes)
               ? FIN_OK
               : FIN_ERR_OUTPUT_LENGTH;
}

/* Checks everything before the first digest is written. */
static fin_status fin_batch_check(fin_batch *batch, fin_algorithm algorithm)
{
    fin_status status = fin_prepare(&batch->instance, algorithm, batch->params);
    if (status == FIN_OK) {
        status = fin_check_output(batch);
    }
    if (status == FIN_OK) {
        status = fin_source_check(&batch->source, batch->instance.descriptor);
    }
    if (status == FIN_OK && batch->source.count != 0 && !fin_longest_fits(batch)) {
        status = FIN_ERR_MESSAGE_LENGTH;
    }
    return status;
}

/* ---- The whole batch ---- */

/* Sets the state before a message's first block or, if the key's block is the same for all, after
   it. */
static void fin_batch_start(fin_batch *batch)
{
    const fin_instance *instance = &batch->instance;
    const fin_params *params = batch->params;
    uint8_t parameter_block[64];
    if (instance->descriptor->shape == FIN_CHUNKED) {
        fin_blake3_begin(&batch->started, params);
        batch->keyed = batch->started.f[1] != 0;
        batch->last_node = false;
        return;
    }
    fin_customise(&batch->started, parameter_block, instance, params);
    fin_start(&batch->started, instance, parameter_block);
    batch->last_node = params != NULL && params->tree_mode != NULL && params->tree_mode->last_node;
    if (!batch->keyed) {
        return;
    }
    fin_pad_key(batch->key_block, params->key, params->key_bytes);
    batch->fresh = batch->started;
    if (batch->source.nodes == NULL) {
        fin_compress(&batch->started, instance, batch->key_block, 1);
        fin_erase_stack(FIN_STACK_MESSAGE_BYTES);
    }
}

/* Writes zeros for a column's null entries. */
static void fin_write_nulls(const fin_batch *batch)
{
    const fin_source *source = &batch->source;
    for (size_t i = 0; fin_source_has_nulls(source) && i < source->count; i++) {
        if (!fin_column_has(source->column, i)) {
            memset(source->digests + i * source->stride, 0, (size_t)batch->instance.digest_bytes);
        }
    }
}

/* Hashes messages from batch->next on that no group has hashed, one at a time. */
static void fin_run_singles(fin_batch *batch)
{
    const fin_source *source = &batch->source;
    for (; batch->next < source->count; batch->next++) {
        fin_message_descriptor message;
        if (batch->next + FIN_LOOKAHEAD < source->count) {
            fin_source_message(source, batch->next + FIN_LOOKAHEAD, &message);
            __builtin_prefetch(message.in);
        }
        fin_source_message(source, batch->next, &message);
        if (message.digest != NULL && fin_is_left(batch, message.bytes)) {
            fin_hash_single(batch, &message);
        }
    }
    fin_erase_stack_if(batch->keyed, FIN_STACK_LANES_BYTES);
}

/* Returns the implementation for the first of count messages, the shortest of which has bytes_min;
   null if one at a time is better or the only way. */
static const fin_impl *fin_dispatch_bytes(const fin_instance *instance, bool padded,
                                          size_t bytes_min, size_t count)
{
    const uint32_t length_bytes = padded ? (uint32_t)fin_length_bytes(instance->variant) : 0;
    const size_t most = FIN_LONG_BLOCKS * (size_t)instance->block_bytes;
    const uint32_t bytes = (uint32_t)(bytes_min < most ? bytes_min : most);
    const unsigned block_shift = instance->block_bytes == 64 ? 6 : 7;
    const size_t blocks = 1 + fin_blocks_before_end(length_bytes, block_shift, bytes);
    return fin_dispatch_blocks(instance->compression, blocks, count);
}

/* Returns the address of BLAKE3's messages if they are like the nodes of a level of its tree: of whole
   blocks, one after another. Returns null otherwise. */
static const uint8_t *fin_level_of(const fin_batch *batch)
{
    const fin_source *source = &batch->source;
    const size_t bytes = source->bytes_max;
    return bytes != 0 && bytes <= FIN_CHUNK_BYTES && bytes % FIN_BLAKE3_BLOCK == 0 &&
                   !batch->prefixed && source->stride == FIN_CV_BYTES &&
                   batch->instance.digest_bytes == FIN_CV_BYTES
               ? fin_source_consecutive(source)
               : NULL;
}

/* Hashes short messages, and those with the same number of blocks, in groups, and leaves the others
   to the scheduler; or hashes one message at a time. */
static void fin_batch_run(fin_batch *batch)
{
    const bool serial = batch->instance.descriptor->shape == FIN_SERIAL;
    const bool chunked = batch->instance.descriptor->shape == FIN_CHUNKED &&
                         batch->instance.digest_bytes <= FIN_CV_BYTES;
    const fin_impl *impl =
        serial || chunked
            ? fin_dispatch_bytes(&batch->instance, batch->padded,
                                 batch->source.bytes_min + batch->prefixed, batch->source.count)
            : NULL;
    batch->next = batch->bytes_grouped = 0;
    batch->keyed = serial && batch->params != NULL && batch->params->key_bytes != 0;
    if (impl != NULL || (serial && !fin_batch_is_plain(batch))) {
        fin_batch_start(batch);
    }
    if (impl == NULL) {
        fin_run_singles(batch);
        return;
    }
    const uint8_t *level = chunked ? fin_level_of(batch) : NULL;
    if (level != NULL) {
        const fin_source *source = &batch->source;
        fin_blake3_hash_equal(&batch->started, level, source->bytes_max / FIN_BLAKE3_BLOCK,
                              source->count, source->digests);
        return;
    }
    fin_run_short_messages(batch);
    if (!fin_is_left(batch, batch->source.bytes_max) &&
        !fin_is_left(batch, batch->source.bytes_min)) {
        return;
    }
    if (serial) {
        fin_run_scheduled(batch, impl);
    } else {
        fin_run_chunks(batch);
    }
}

/* Hashes a batch. The caller has set batch->source in place, because a copy would wait for the
   stores of its fields. */
static FIN_NOINLINE fin_status fin_hash_batch(fin_batch *batch, fin_algorithm algorithm,
                                              const fin_params *params, bool padded, bool prefixed)
{
    if (batch->source.count != 0 && batch->source.digests == NULL) {
        return FIN_ERR_NULL;
    }
    batch->params = params;
    batch->padded = padded;
    batch->prefixed = prefixed;
    const fin_status status = fin_batch_check(batch, algorithm);
    if (status != FIN_OK || batch->source.count == 0) {
        return status;
    }
    fin_write_nulls(batch);
    fin_batch_run(batch);
    if (batch->keyed) {
        fin_erase(batch, sizeof *batch);
    }
    return FIN_OK;
}

/* ---- The calls ---- */

fin_status fin_hash_prefixed(fin_batch *batch, fin_algorithm algorithm, const fin_params *params,
                             uint8_t prefix)
{
    batch->prefix = prefix;
    return fin_hash_batch(batch, algorithm, params, true, true);
}

/* True for a single message whose digest length is defined. */
static bool fin_is_single(const fin_params *params, size_t count)
{
    return count == 1 && (params == NULL || params->digest_bytes != FIN_XOF_UNKNOWN);
}

/* True for a few plain messages that take less time one by one than in lanes. All must be valid,
   because a batch is refused as a whole. */
static bool fin_go_singly(fin_algorithm algorithm, const fin_params *params,
                          const fin_message *messages, size_t count)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (count > FIN_LOOKAHEAD || descriptor == NULL || descriptor->shape != FIN_SERIAL ||
        !fin_is_plain(params)) {
        return false;
    }
    const uint64_t digest_bytes = params != NULL && params->digest_bytes != 0
                                      ? params->digest_bytes
                                      : descriptor->info.digest_bytes;
    const fin_instance instance = fin_instance_of(descriptor, digest_bytes);
    if (fin_dispatch_lanes(instance.compression, count) != NULL) {
        return false;
    }
    size_t bytes_min = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (messages[i].in == NULL || messages[i].bytes >= FIN_BYTES_NOT_SHORT ||
            !fin_in_memory(messages[i].in, messages[i].bytes)) {
            return false;
        }
        bytes_min = messages[i].bytes < bytes_min ? messages[i].bytes : bytes_min;
    }
    return fin_dispatch_bytes(&instance, true, bytes_min, count) == NULL;
}

fin_status fin_hash_many(fin_algorithm algorithm, const fin_params *params,
                         const fin_message *messages, size_t count, uint8_t *digests, size_t stride)
{
    fin_batch batch;
    if (count != 0 && messages == NULL) {
        return FIN_ERR_NULL;
    }
    if (fin_is_single(params, count)) {
        return fin_hash(algorithm, params, messages->in, messages->bytes, digests, stride);
    }
    if (fin_go_singly(algorithm, params, messages, count) &&
        fin_items_in_memory(digests, count, stride, stride)) {
        fin_status status = FIN_OK;
        for (size_t i = 0; i < count && status == FIN_OK; i++) {
            status = fin_hash(algorithm, params, messages[i].in, messages[i].bytes,
                              digests + i * stride, stride);
        }
        return status;
    }
    batch.source =
        (fin_source){.messages = messages, .count = count, .digests = digests, .stride = stride};
    return fin_hash_batch(&batch, algorithm, params, true, false);
}

fin_status fin_hash_equal(fin_algorithm algorithm, const fin_params *params, const void *in,
                          size_t message_bytes, size_t count, uint8_t *digests, size_t stride)
{
    fin_batch batch;
    if (fin_is_single(params, count)) {
        return fin_hash(algorithm, params, in, message_bytes, digests, stride);
    }
    batch.source = (fin_source){.equal = in,
                                .message_bytes = message_bytes,
                                .count = count,
                                .digests = digests,
                                .stride = stride};
    return fin_hash_batch(&batch, algorithm, params, true, false);
}

fin_status fin_hash_column(fin_algorithm algorithm, const fin_params *params,
                           const fin_column *column, size_t count, uint8_t *digests, size_t stride)
{
    fin_batch batch;
    size_t bytes, bytes_max;
    if (column == NULL) {
        return FIN_ERR_NULL;
    }
    if (fin_is_single(params, count) && fin_column_check(column, 1, &bytes, &bytes_max) == FIN_OK &&
        fin_column_has(column, 0)) {
        const uint8_t *value = fin_column_value(column, 0, &bytes);
        return fin_hash(algorithm, params, value, bytes, digests, stride);
    }
    batch.source =
        (fin_source){.column = column, .count = count, .digests = digests, .stride = stride};
    return fin_hash_batch(&batch, algorithm, params, true, false);
}

fin_status fin_hash_nodes(fin_algorithm algorithm, const fin_params *params, const fin_node *nodes,
                          size_t count, uint8_t *digests, size_t stride)
{
    fin_batch batch;
    if (count != 0 && (nodes == NULL || digests == NULL)) {
        return FIN_ERR_NULL;
    }
    if (params == NULL || params->tree_mode == NULL || params->tree_mode->node_offset != 0 ||
        params->tree_mode->last_node) {
        return FIN_ERR_TREE_MODE;
    }
    if (count == 1) {
        fin_tree_mode tree = *params->tree_mode;
        fin_params own = *params;
        own.tree_mode = &tree;
        tree.node_offset = nodes->node_offset;
        tree.last_node = nodes->last_node;
        return fin_hash(algorithm, &own, nodes->in, nodes->bytes, digests, stride);
    }
    batch.source =
        (fin_source){.nodes = nodes, .count = count, .digests = digests, .stride = stride};
    return fin_hash_batch(&batch, algorithm, params, true, false);
}

/* Computes Grøstl's compression function without padding: the output transformation after one block
   of two chaining values. Grøstl specification, sections 3.1 and 3.2. */
fin_status fin_groestl_pairs(fin_algorithm algorithm, const void *in, size_t count,
                             uint8_t *digests, size_t stride)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (descriptor == NULL || descriptor->info.family != FIN_FAMILY_GROESTL) {
        return FIN_ERR_ALGORITHM;
    }
    if (count != 0 && in == NULL) {
        return FIN_ERR_NULL;
    }
    fin_batch batch;
    batch.source = (fin_source){.equal = in,
                                .message_bytes = descriptor->info.block_bytes,
                                .count = count,
                                .stride = stride};
    batch.source.digests = digests;
    return fin_hash_batch(&batch, algorithm, NULL, false, false);
}
