/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A message in parts: init, update, reset and copy.
 *
 * One rule holds for every algorithm: a block is compressed only if a byte after it is known. So
 * the buffer holds at least one byte of a message that has begun, and final.c pads its true end.
 * Short updates are collected up to FIN_BUFFERED_MAX bytes: one call compresses several blocks,
 * whose stores are long complete.
 */
#include "message/message.h"

size_t fin_context_bytes(void)
{
    return sizeof(fin_context);
}

size_t fin_context_alignment(void)
{
    return _Alignof(fin_context);
}

void fin_wipe(fin_context *context)
{
    if (context != NULL) {
        /* Above 2048 bytes, glibc's memset uses a string instruction, which takes twice as long. */
        fin_erase(context, offsetof(fin_context, leaves));
        fin_erase(context->leaves, sizeof context->leaves);
    }
}

/* ---- Start ---- */

static void fin_begin(fin_context *context, const fin_instance *instance)
{
    context->phase = FIN_PHASE_ABSORB;
    context->buffered_bytes = 0;
    context->squeezed_bytes = 0;
    if (instance->descriptor->shape == FIN_STRIPED) {
        fin_striped_start(context, instance);
    } else if (fin_is_chunked(instance->descriptor)) {
        fin_blake3_start(context);
    } else {
        fin_start(&context->state, instance, context->parameter_block);
        if (context->key_bytes != 0) {
            fin_pad_key(context->buffer, context->key, context->key_bytes);
            context->buffered_bytes = instance->block_bytes;
        }
    }
}

static void fin_init_context(fin_context *context, const fin_instance *instance,
                             const fin_params *params)
{
    context->algorithm = (uint8_t)instance->descriptor->info.algorithm;
    context->digest_bytes = instance->digest_bytes;
    context->key_bytes = 0;
    context->last_node = 0;
    fin_erase(context->key, sizeof context->key); /* a previous key; no other call wipes it */
    if (params != NULL) {
        context->key_bytes = (uint8_t)params->key_bytes;
        if (params->key_bytes != 0) {
            fin_copy_padded(context->key, params->key, params->key_bytes);
        }
        context->last_node = params->tree_mode != NULL && params->tree_mode->last_node;
    }
    if (fin_is_chunked(instance->descriptor)) {
        fin_blake3_customise(context, params);
    } else {
        fin_customise(&context->state, context->parameter_block, instance, params);
    }
    fin_begin(context, instance);
}

fin_status fin_init(fin_context *context, fin_algorithm algorithm, const fin_params *params)
{
    fin_instance instance;
    if (context == NULL) {
        return FIN_ERR_NULL;
    }
    const fin_status status = fin_prepare(&instance, algorithm, params);
    if (status == FIN_OK) {
        fin_init_context(context, &instance, params);
    }
    return status;
}

/* True for a context that fin_init or fin_restore has initialised and that no threads share. */
static bool fin_initialised(const fin_context *context)
{
    const bool phase_valid = context->phase == FIN_PHASE_ABSORB ||
                             context->phase == FIN_PHASE_SQUEEZE ||
                             context->phase == FIN_PHASE_DONE;
    return phase_valid && fin_descriptor_of(context->algorithm) != NULL;
}

/* ---- Update ---- */

/* True if a block may begin here: its bytes are then stored in the units of kernels' loads
   (bytes.h). */
static inline bool fin_is_at_block(size_t buffered)
{
    return buffered % 64 == 0;
}

/* Buffers up to FIN_SHORT_UPDATE bytes. */
static inline void fin_buffer_short(fin_context *context, const uint8_t *in, size_t bytes)
{
    const size_t buffered = context->buffered_bytes;
    if (fin_is_at_block(buffered)) {
        fin_copy_padded(context->buffer + buffered, in, bytes);
    } else {
        fin_copy_short(context->buffer + buffered, in, bytes);
    }
    context->buffered_bytes = (uint32_t)(buffered + bytes);
}

/* Compresses the buffer, completed to whole blocks from in, then whole blocks in place. */
static void fin_serial_update(fin_context *context, const fin_instance *instance, const uint8_t *in,
                              size_t bytes)
{
    const size_t block_bytes = instance->block_bytes, buffered = context->buffered_bytes;
    const size_t space = -buffered & (block_bytes - 1);
    if (buffered != 0 && bytes > space) {
        fin_copy_short(context->buffer + buffered, in, space);
        fin_compress(&context->state, instance, context->buffer,
                     fin_whole_blocks(instance, buffered + space));
        if (buffered > block_bytes) {
            fin_erase(context->buffer + block_bytes, buffered + space - block_bytes);
        }
        context->buffered_bytes = 0;
        in += space;
        bytes -= space;
    }
    if (bytes > block_bytes) {
        const size_t blocks = fin_whole_blocks(instance, bytes - 1);
        fin_compress(&context->state, instance, in, blocks);
        in += blocks * block_bytes;
        bytes -= blocks * block_bytes;
    }
    fin_buffer_short(context, in, bytes);
}

static fin_status fin_check_update(const fin_context *context, fin_instance *instance,
                                   const void *in, size_t bytes)
{
    if (context == NULL || (in == NULL && bytes != 0)) {
        return FIN_ERR_NULL;
    }
    if (!fin_instance_in_phase(instance, context, FIN_PHASE_ABSORB)) {
        return FIN_ERR_STATE;
    }
    const bool fits = fin_in_memory(in, bytes) && fin_message_fits(context, instance, bytes, 0);
    return fits ? FIN_OK : FIN_ERR_MESSAGE_LENGTH;
}

/* Absorbs bytes after all checks. */
static FIN_NOINLINE fin_status fin_update_any(fin_context *context, const uint8_t *in, size_t bytes)
{
    fin_instance instance;
    const fin_status status = fin_check_update(context, &instance, in, bytes);
    if (status != FIN_OK || bytes == 0) {
        return status;
    }
    const uint64_t before = context->state.t[0];
    if (fin_is_chunked(instance.descriptor)) {
        fin_blake3_update(context, in, bytes);
    } else if (instance.descriptor->shape == FIN_STRIPED) {
        fin_striped_update(context, &instance, in, bytes);
    } else {
        fin_serial_update(context, &instance, in, bytes);
    }
    fin_erase_stack_if(context->state.t[0] != before && fin_context_keyed(context),
                       FIN_STACK_MESSAGE_BYTES);
    return FIN_OK;
}

/* Absorbs a short update where a block may begin. More than a block is compressed in place, and
   bytes after whole chunks of BLAKE3 first merge their subtrees; both need fin_update_any. */
static FIN_NOINLINE fin_status fin_update_at_block(fin_context *context, const uint8_t *in,
                                                   size_t bytes)
{
    const fin_descriptor *descriptor = fin_descriptor_of(context->algorithm);
    const fin_compression compression =
        fin_descriptor_compression(descriptor, context->digest_bytes);
    const bool settle = fin_is_chunked(descriptor) && context->state.t[0] != 0;
    if (bytes > fin_block_bytes[compression] || (settle && context->buffered_bytes == 0)) {
        return fin_update_any(context, in, bytes);
    }
    fin_buffer_short(context, in, bytes);
    return FIN_OK;
}

/* Buffers short updates: no algorithm has to compress a block before the buffer holds
   FIN_BUFFERED_MAX bytes. All other cases are tail calls, so that this function saves no
   registers. */
fin_status fin_update(fin_context *context, const void *in, size_t bytes)
{
    if (context == NULL || in == NULL || context->phase != FIN_PHASE_ABSORB ||
        fin_descriptor_of(context->algorithm) == NULL || bytes - 1 >= FIN_SHORT_UPDATE ||
        context->buffered_bytes + bytes > FIN_BUFFERED_MAX || !fin_is_ordinary(in, bytes) ||
        context->state.t[0] >> 53 != 0) {
        return fin_update_any(context, in, bytes);
    }
    if (fin_is_at_block(context->buffered_bytes)) {
        return fin_update_at_block(context, in, bytes);
    }
    fin_copy_short(context->buffer + context->buffered_bytes, in, bytes);
    context->buffered_bytes += (uint32_t)bytes;
    return FIN_OK;
}

fin_status fin_share_begin(fin_context *context, const void *in, size_t bytes, fin_share *share)
{
    fin_instance instance;
    if (share == NULL) {
        return FIN_ERR_NULL;
    }
    const fin_status status = fin_check_update(context, &instance, in, bytes);
    if (status != FIN_OK) {
        return status;
    }
    if (fin_is_chunked(instance.descriptor)) {
        fin_blake3_share(context, in, bytes, share);
        return FIN_OK;
    }
    if (instance.descriptor->shape != FIN_STRIPED) {
        return FIN_ERR_ALGORITHM;
    }
    fin_striped_share(context, &instance, in, bytes, share);
    return FIN_OK;
}

/* ---- Reset and copy ---- */

fin_status fin_reset(fin_context *context)
{
    if (context == NULL) {
        return FIN_ERR_NULL;
    }
    if (!fin_initialised(context)) {
        return FIN_ERR_STATE;
    }
    const fin_instance instance = fin_context_instance(context);
    if (fin_family_of(instance.variant) == FIN_FAMILY_BLAKE2 &&
        context->parameter_block[FIN_NODE_KEY] != context->key_bytes) {
        return FIN_ERR_KEY_WIPED;
    }
    if (fin_is_chunked(instance.descriptor) && context->parameter_block[0] == FIN_KEYED_HASH &&
        context->key_bytes == 0) {
        return FIN_ERR_KEY_WIPED;
    }
    if (context->buffered_bytes > instance.block_bytes) {
        fin_erase(context->buffer, sizeof context->buffer); /* fin_final would leave it */
    }
    fin_begin(context, &instance);
    return FIN_OK;
}

fin_status fin_copy(fin_context *to, const fin_context *from)
{
    if (to == NULL || from == NULL) {
        return FIN_ERR_NULL;
    }
    if (!fin_initialised(from)) {
        return FIN_ERR_STATE;
    }
    if (to != from) {
        const fin_descriptor *descriptor = fin_descriptor_of(from->algorithm);
        const bool striped = descriptor->shape == FIN_STRIPED;
        /* BLAKE3, BLAKE2bp and BLAKE2sp have chaining values after the buffer. */
        memcpy(to, from,
               fin_is_chunked(descriptor)   ? sizeof *to
               : striped                    ? offsetof(fin_context, leaves) + FIN_LEAVES_BYTES
               : from->buffered_bytes > 128 ? offsetof(fin_context, buffer) + FIN_BUFFERED_MAX
                                            : offsetof(fin_context, buffer) + 128);
    }
    return FIN_OK;
}
