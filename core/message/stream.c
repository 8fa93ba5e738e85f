/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A message from its first byte to its digest: init, update, final, and the one-shot form.
 *
 * One rule serves every algorithm: a block is compressed once a byte after it is known, so the
 * buffer holds one to block_bytes bytes of a message that has begun, and the family pads the
 * message's true end.
 */
#include "internal.h"

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
        fin_erase(context, sizeof *context);
    }
}

static fin_status fin_check_digest_length(const fin_descriptor *descriptor,
                                          const fin_params *params, uint64_t *digest_bytes)
{
    uint64_t wanted = descriptor->info.digest_bytes;
    if (params != NULL && params->digest_bytes != 0) {
        wanted = params->digest_bytes;
    }
    *digest_bytes = wanted;
    return fin_digest_length_valid(descriptor, wanted) ? FIN_OK : FIN_ERR_DIGEST_LENGTH;
}

static fin_status fin_check_params(const fin_descriptor *descriptor, const fin_params *params)
{
    if (params == NULL) {
        return FIN_OK;
    }
    const bool blake2 = descriptor->info.family == FIN_FAMILY_BLAKE2;
    if ((params->key == NULL && params->key_bytes != 0) ||
        (params->salt == NULL && params->salt_bytes != 0) ||
        (params->personal == NULL && params->personal_bytes != 0)) {
        return FIN_ERR_NULL;
    }
    if (params->key_bytes > descriptor->info.key_bytes_max) {
        return FIN_ERR_KEY_LENGTH;
    }
    if (params->salt_bytes > descriptor->info.salt_bytes ||
        (!blake2 && params->salt_bytes != 0 && params->salt_bytes != descriptor->info.salt_bytes)) {
        return FIN_ERR_SALT_LENGTH;
    }
    if (params->personal_bytes > descriptor->info.personal_bytes) {
        return FIN_ERR_PERSONAL_LENGTH;
    }
    const bool tree_valid =
        params->tree == NULL || (blake2 && fin_blake2_tree_valid(descriptor, params->tree));
    return tree_valid ? FIN_OK : FIN_ERR_TREE;
}

static void fin_set_salt(fin_state *state, const fin_descriptor *descriptor,
                         const fin_params *params)
{
    memset(&state->salt, 0, sizeof state->salt);
    if (params == NULL || params->salt_bytes == 0) {
        return;
    }
    for (size_t i = 0; i < 4; i++) {
        if (descriptor->info.salt_bytes == 32) {
            state->salt.w64[i] = fin_load64_be(params->salt + 8 * i);
        } else {
            state->salt.w32[i] = fin_load32_be(params->salt + 4 * i);
        }
    }
}

static void fin_start(fin_context *context, const fin_descriptor *descriptor)
{
    context->phase = FIN_PHASE_ABSORB;
    context->buffered_bytes = 0;
    context->squeezed_bytes = 0;
    if (descriptor->shape == FIN_STRIPED) {
        fin_striped_start(context, descriptor);
    } else {
        fin_ops_of(descriptor)->start(context, descriptor);
    }
}

/* Everything of init but the choice of the implementation, which may fail on its own. */
static fin_status fin_prepare(fin_context *context, const fin_descriptor *descriptor,
                              const fin_params *params)
{
    uint64_t digest_bytes;
    fin_status status = fin_check_digest_length(descriptor, params, &digest_bytes);
    if (status == FIN_OK) {
        status = fin_check_params(descriptor, params);
    }
    if (status == FIN_OK) {
        status = fin_dispatch_check(fin_descriptor_compression(descriptor, digest_bytes));
    }
    if (status != FIN_OK) {
        return status;
    }
    if (descriptor->info.family == FIN_FAMILY_BLAKE2) {
        fin_blake2_parameters(context->parameter_block, descriptor, params, digest_bytes);
    } else {
        fin_set_salt(&context->state, descriptor, params);
    }
    context->algorithm = (uint8_t)descriptor->info.algorithm;
    context->digest_bytes = digest_bytes;
    context->key_bytes = 0;
    context->last_node = 0;
    context->state.rounds = descriptor->rounds;
    if (params != NULL) {
        context->key_bytes = (uint8_t)params->key_bytes;
        if (params->key_bytes != 0) {
            memcpy(context->key, params->key, params->key_bytes);
        }
        context->last_node = params->tree != NULL && params->tree->last_node;
    }
    fin_start(context, descriptor);
    return FIN_OK;
}

fin_status fin_init(fin_context *context, fin_algorithm algorithm, const fin_params *params)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (context == NULL) {
        return FIN_ERR_NULL;
    }
    return descriptor == NULL ? FIN_ERR_ALGORITHM : fin_prepare(context, descriptor, params);
}

/* The descriptor of a context that fin_init or fin_restore has seen, or null. */
static const fin_descriptor *fin_descriptor_initialised(const fin_context *context)
{
    const bool initialised = context->phase == FIN_PHASE_ABSORB ||
                             context->phase == FIN_PHASE_SQUEEZE ||
                             context->phase == FIN_PHASE_DONE;
    return initialised ? fin_descriptor_of(context->algorithm) : NULL;
}

/* The descriptor of a context in the given phase, or null. */
static const fin_descriptor *fin_descriptor_in_phase(const fin_context *context, uint8_t phase)
{
    return context->phase == phase ? fin_descriptor_of(context->algorithm) : NULL;
}

static void fin_serial_update(fin_context *context, const fin_descriptor *descriptor,
                              const uint8_t *in, size_t bytes)
{
    const fin_compression compression =
        fin_descriptor_compression(descriptor, context->digest_bytes);
    const uint32_t block_bytes = fin_block_bytes[compression];
    const uint32_t increment = fin_block_increment(descriptor, block_bytes);
    fin_state *state = &context->state;
    const size_t room = block_bytes - context->buffered_bytes;
    if (bytes > room && context->buffered_bytes != 0) {
        memcpy(context->buffer + context->buffered_bytes, in, room);
        fin_compress(state, compression, context->buffer, 1, block_bytes, increment);
        context->buffered_bytes = 0;
        in += room;
        bytes -= room;
    }
    if (bytes > block_bytes) {
        const size_t blocks = (bytes - 1) / block_bytes;
        fin_compress(state, compression, in, blocks, block_bytes, increment);
        in += blocks * block_bytes;
        bytes -= blocks * block_bytes;
    }
    memcpy(context->buffer + context->buffered_bytes, in, bytes);
    context->buffered_bytes += (uint32_t)bytes;
}

static bool fin_message_fits(const fin_context *context, const fin_descriptor *descriptor,
                             uint64_t bytes, unsigned bit_count)
{
    const uint64_t pending = context->buffered_bytes + bytes;
    return pending >= bytes &&
           fin_ops_of(descriptor)
               ->fits(&context->state,
                      fin_descriptor_compression(descriptor, context->digest_bytes), pending,
                      bit_count);
}

/* May bytes be appended? descriptor: the context's, if it is one. */
static fin_status fin_check_update(const fin_context *context, const fin_descriptor **descriptor,
                                   const void *in, size_t bytes)
{
    if (context == NULL || (in == NULL && bytes != 0)) {
        return FIN_ERR_NULL;
    }
    *descriptor = fin_descriptor_in_phase(context, FIN_PHASE_ABSORB);
    if (*descriptor == NULL) {
        return FIN_ERR_STATE;
    }
    return fin_message_fits(context, *descriptor, bytes, 0) ? FIN_OK : FIN_ERR_MESSAGE_LENGTH;
}

fin_status fin_update(fin_context *context, const void *in, size_t bytes)
{
    const fin_descriptor *descriptor;
    const fin_status status = fin_check_update(context, &descriptor, in, bytes);
    if (status != FIN_OK || bytes == 0) {
        return status;
    }
    if (descriptor->shape == FIN_STRIPED) {
        fin_striped_update(context, descriptor, in, bytes);
    } else {
        fin_serial_update(context, descriptor, in, bytes);
    }
    return FIN_OK;
}

fin_status fin_share_begin(fin_context *context, const void *in, size_t bytes, fin_share *share)
{
    const fin_descriptor *descriptor;
    if (share == NULL) {
        return FIN_ERR_NULL;
    }
    const fin_status status = fin_check_update(context, &descriptor, in, bytes);
    if (status != FIN_OK) {
        return status;
    }
    if (descriptor->shape != FIN_STRIPED) {
        return FIN_ERR_ALGORITHM;
    }
    fin_striped_share(context, descriptor, in, bytes, share);
    return FIN_OK;
}

static void fin_finish_context(fin_context *context, const fin_descriptor *descriptor,
                               const fin_tail *tail)
{
    if (descriptor->info.family == FIN_FAMILY_BLAKE2) {
        context->state.f[1] = context->last_node != 0 ? UINT64_MAX : 0;
    }
    fin_finish(&context->state, descriptor,
               fin_descriptor_compression(descriptor, context->digest_bytes), tail);
}

static void fin_finish_buffered(fin_context *context, const fin_descriptor *descriptor,
                                uint8_t last_bits, unsigned bit_count)
{
    if (descriptor->shape == FIN_STRIPED) {
        fin_striped_finish(context, descriptor);
        return;
    }
    const fin_tail tail = {context->buffer, context->buffered_bytes, last_bits, bit_count};
    fin_finish_context(context, descriptor, &tail);
}

/* BLAKE's salt stays in the chain for fin_reset. */
static void fin_wipe_secrets(fin_context *context, const fin_descriptor *descriptor)
{
    fin_erase(&context->state.h, sizeof context->state.h);
    const bool striped = descriptor->shape == FIN_STRIPED;
    fin_erase(context->buffer, striped ? sizeof context->buffer : 128);
    if (striped) {
        fin_erase(context->leaves, sizeof context->leaves);
    }
    fin_erase(context->key, context->key_bytes);
    context->key_bytes = 0;
    context->buffered_bytes = 0;
    context->phase = FIN_PHASE_DONE;
}

fin_status fin_squeeze(fin_context *context, uint8_t *out, size_t bytes)
{
    if (context == NULL || (out == NULL && bytes != 0)) {
        return FIN_ERR_NULL;
    }
    const fin_descriptor *descriptor = fin_descriptor_in_phase(context, FIN_PHASE_ABSORB);
    const bool first = descriptor != NULL;
    if (descriptor == NULL) {
        descriptor = fin_descriptor_in_phase(context, FIN_PHASE_SQUEEZE);
    }
    if (descriptor == NULL) {
        return FIN_ERR_STATE;
    }
    if (descriptor->shape != FIN_XOF) {
        return FIN_ERR_ALGORITHM;
    }
    /* An unknown length ends where the 32-bit number of the output nodes does. */
    const uint64_t unit = fin_blake2_digest_max(descriptor->small_compression);
    const uint64_t limit =
        context->digest_bytes == FIN_XOF_UNKNOWN ? unit << 32 : context->digest_bytes;
    if (bytes > limit - context->squeezed_bytes) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    if (first) {
        fin_finish_buffered(context, descriptor, 0, 0);
        context->phase = FIN_PHASE_SQUEEZE;
    }
    fin_xof_output(context, descriptor->small_compression, out, bytes);
    return FIN_OK;
}

static fin_status fin_final_xof(fin_context *context, const fin_descriptor *descriptor,
                                uint8_t *digest, size_t digest_bytes)
{
    const bool known = context->digest_bytes != FIN_XOF_UNKNOWN;
    if (known && digest_bytes < context->digest_bytes) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    const size_t wanted = known ? (size_t)context->digest_bytes : digest_bytes;
    const fin_status status = fin_squeeze(context, digest, wanted);
    if (status == FIN_OK) {
        fin_wipe_secrets(context, descriptor);
    }
    return status;
}

fin_status fin_final_bits(fin_context *context, uint8_t last_bits, unsigned bit_count,
                          uint8_t *digest, size_t digest_bytes)
{
    if (context == NULL || digest == NULL) {
        return FIN_ERR_NULL;
    }
    const fin_descriptor *descriptor = fin_descriptor_in_phase(context, FIN_PHASE_ABSORB);
    if (descriptor == NULL) {
        return FIN_ERR_STATE;
    }
    if (bit_count > 7 || (bit_count != 0 && !descriptor->info.bits)) {
        return FIN_ERR_BITS;
    }
    if (!fin_message_fits(context, descriptor, 0, bit_count)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    if (descriptor->shape == FIN_XOF) {
        return fin_final_xof(context, descriptor, digest, digest_bytes);
    }
    if (digest_bytes < context->digest_bytes) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    fin_finish_buffered(context, descriptor, last_bits, bit_count);
    fin_ops_of(descriptor)
        ->output(&context->state, fin_descriptor_compression(descriptor, context->digest_bytes),
                 digest, (size_t)context->digest_bytes);
    fin_wipe_secrets(context, descriptor);
    return FIN_OK;
}

fin_status fin_final(fin_context *context, uint8_t *digest, size_t digest_bytes)
{
    return fin_final_bits(context, 0, 0, digest, digest_bytes);
}

fin_status fin_reset(fin_context *context)
{
    if (context == NULL) {
        return FIN_ERR_NULL;
    }
    const fin_descriptor *descriptor = fin_descriptor_initialised(context);
    if (descriptor == NULL) {
        return FIN_ERR_STATE;
    }
    if (descriptor->info.family == FIN_FAMILY_BLAKE2 &&
        context->parameter_block[FIN_NODE_KEY] != context->key_bytes) {
        return FIN_ERR_KEY_WIPED;
    }
    fin_start(context, descriptor);
    return FIN_OK;
}

fin_status fin_copy(fin_context *to, const fin_context *from)
{
    if (to == NULL || from == NULL) {
        return FIN_ERR_NULL;
    }
    if (fin_descriptor_initialised(from) == NULL) {
        return FIN_ERR_STATE;
    }
    if (to != from) {
        memcpy(to, from, sizeof *to);
    }
    return FIN_OK;
}

static fin_status fin_hash_tail(fin_algorithm algorithm, const fin_params *params,
                                const fin_tail *message, uint8_t *digest, size_t digest_bytes)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (digest == NULL || (message->in == NULL && message->bytes != 0)) {
        return FIN_ERR_NULL;
    }
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    if (message->bit_count != 0 && !descriptor->info.bits) {
        return FIN_ERR_BITS;
    }
    fin_context context;
    fin_status status = fin_prepare(&context, descriptor, params);
    if (status != FIN_OK) {
        return status;
    }
    if (descriptor->shape != FIN_SERIAL || context.buffered_bytes != 0) {
        status = fin_update(&context, message->in, message->bytes);
        if (status == FIN_OK) {
            status = fin_final_bits(&context, message->last_bits, message->bit_count, digest,
                                    digest_bytes);
        }
        fin_wipe(&context);
        return status;
    }
    /* Serial and nothing buffered: compress where the message lies, pad only its end. */
    const fin_compression compression =
        fin_descriptor_compression(descriptor, context.digest_bytes);
    if (digest_bytes < context.digest_bytes) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    if (!fin_message_fits(&context, descriptor, message->bytes, message->bit_count)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    const uint32_t block_bytes = fin_block_bytes[compression];
    fin_tail tail = *message;
    if (tail.bytes > block_bytes) {
        const size_t blocks = (tail.bytes - 1) / block_bytes;
        fin_compress(&context.state, compression, tail.in, blocks, block_bytes,
                     fin_block_increment(descriptor, block_bytes));
        tail.in += blocks * block_bytes;
        tail.bytes -= blocks * block_bytes;
    }
    fin_finish_context(&context, descriptor, &tail);
    fin_ops_of(descriptor)
        ->output(&context.state, compression, digest, (size_t)context.digest_bytes);
    fin_erase(&context.state.h, sizeof context.state.h);
    return FIN_OK;
}

fin_status fin_hash(fin_algorithm algorithm, const fin_params *params, const void *in, size_t bytes,
                    uint8_t *digest, size_t digest_bytes)
{
    const fin_tail message = {in, bytes, 0, 0};
    return fin_hash_tail(algorithm, params, &message, digest, digest_bytes);
}

fin_status fin_hash_bits(fin_algorithm algorithm, const fin_params *params, const void *in,
                         uint64_t bits, uint8_t *digest, size_t digest_bytes)
{
    const unsigned bit_count = (unsigned)(bits & 7);
    if (in == NULL && bits != 0) {
        return FIN_ERR_NULL;
    }
    if (bits / 8 > SIZE_MAX) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    const size_t bytes = (size_t)(bits / 8);
    const uint8_t last_bits = bit_count != 0 ? ((const uint8_t *)in)[bytes] : 0;
    const fin_tail message = {in, bytes, last_bits, bit_count};
    return fin_hash_tail(algorithm, params, &message, digest, digest_bytes);
}
