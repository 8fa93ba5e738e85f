/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A message in one call. Without a context it is compressed where it lies; one_block.c has the way of
 * short messages.
 */
#include "message/message.h"

/* A build of some algorithms does without the functions of the others. */
static const bool fin_has_striped = FIN_HAS_ALGORITHM(BLAKE2BP) + FIN_HAS_ALGORITHM(BLAKE2SP) != 0;
static const bool fin_has_xof = FIN_HAS_ALGORITHM(BLAKE2XB) + FIN_HAS_ALGORITHM(BLAKE2XS) != 0;
static const bool fin_has_blake2 = FIN_HAS_COMPRESSION(BLAKE2S) + FIN_HAS_COMPRESSION(BLAKE2B) != 0;

/* BLAKE2X. */
static FIN_NOINLINE fin_status fin_hash_in_context(fin_algorithm algorithm,
                                                   const fin_params *params,
                                                   const fin_tail *message, uint8_t *digest,
                                                   size_t digest_bytes)
{
    fin_context context;
    fin_status status = fin_init(&context, algorithm, params);
    if (status == FIN_OK) {
        status = fin_update(&context, message->in, message->bytes);
    }
    if (status == FIN_OK) {
        status = fin_final(&context, digest, digest_bytes);
    }
    fin_wipe(&context);
    return status;
}

FIN_NOINLINE void fin_pad_key(uint8_t key_block[128], const fin_params *params)
{
    memset(key_block, 0, 128);
    fin_copy_padded(key_block, params->key, params->key_bytes);
}

/* Serial: compresses the message where it lies and pads only its end. */
static fin_status fin_hash_in_place(const fin_instance *instance, const fin_params *params,
                                    fin_tail *message, uint8_t *digest)
{
    _Alignas(64) fin_state state;
    _Alignas(64) uint8_t parameter_block[64];
    _Alignas(64) uint8_t key_block[128];
    const uint32_t block_bytes = instance->block_bytes;
    const bool keyed = params != NULL && params->key_bytes != 0;
    const bool last_node = params != NULL && params->tree != NULL && params->tree->last_node;
    const uint64_t pending = (uint64_t)message->bytes + (keyed ? block_bytes : 0);
    fin_customise(&state, parameter_block, instance, params);
    instance->family->start(&state, instance, parameter_block);
    /* Any counter holds the key and a block. */
    if (message->bytes > block_bytes &&
        (pending < message->bytes ||
         !instance->family->fits(state.t, instance, pending, message->bit_count))) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    if (keyed) {
        fin_pad_key(key_block, params);
        if (message->bytes != 0) {
            fin_compress(&state, instance, key_block, 1);
        } else {
            *message = (fin_tail){key_block, block_bytes, 0, 0, false};
        }
    }
    if (message->bytes > block_bytes) {
        const size_t blocks = (message->bytes - 1) / block_bytes;
        fin_compress(&state, instance, message->in, blocks);
        message->in += blocks * block_bytes;
        message->bytes -= blocks * block_bytes;
    }
    fin_finish(&state, instance, message, last_node ? UINT64_MAX : 0);
    instance->family->output(&state, instance, digest, (size_t)instance->digest_bytes);
    fin_erase(&state.h, sizeof state.h);
    if (keyed) {
        fin_erase(key_block, 64);
        fin_erase_stack(FIN_STACK_MESSAGE_BYTES);
    }
    return FIN_OK;
}

/* BLAKE2bp and BLAKE2sp, whose counter begins with the key's blocks. */
static fin_status fin_hash_stripes(const fin_instance *instance, const fin_params *params,
                                   const fin_tail *message, uint8_t *digest)
{
    const uint64_t t[2] = {0, 0};
    const bool keyed = params != NULL && params->key_bytes != 0;
    const uint64_t pending = (uint64_t)message->bytes + (keyed ? FIN_BUFFER_BYTES / 2 : 0);
    if (pending < message->bytes || !instance->family->fits(t, instance, pending, 0)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    fin_striped_hash(instance, params, message->in, message->bytes, digest);
    return FIN_OK;
}

static inline fin_status fin_hash_tail(fin_algorithm algorithm, const fin_params *params,
                                       fin_tail *message, uint8_t *digest, size_t digest_bytes)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    fin_instance instance;
    if (digest == NULL || (message->in == NULL && message->bytes != 0)) {
        return FIN_ERR_NULL;
    }
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    if (message->bit_count != 0 && !descriptor->info.bits) {
        return FIN_ERR_BITS;
    }
    if (fin_has_xof && descriptor->shape == FIN_XOF) {
        return fin_hash_in_context(algorithm, params, message, digest, digest_bytes);
    }
    const fin_status status = fin_prepare(&instance, descriptor, params);
    if (status != FIN_OK) {
        return status;
    }
    if (digest_bytes < instance.digest_bytes) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    if (fin_has_striped && descriptor->shape == FIN_STRIPED) {
        return fin_hash_stripes(&instance, params, message, digest);
    }
    if (fin_has_blake2 && descriptor->info.family == FIN_FAMILY_BLAKE2 && params != NULL &&
        params->key_bytes == 0 && message->bytes <= instance.block_bytes) {
        fin_hash_blake2_unkeyed(descriptor, params, message->in, message->bytes, digest,
                                (size_t)instance.digest_bytes);
        return FIN_OK;
    }
    return fin_hash_in_place(&instance, params, message, digest);
}

/* The digest's length, or 0 if there are other parameters or it is wrong. */
static inline uint64_t fin_plain_digest_bytes(const fin_descriptor *descriptor,
                                              const fin_params *params)
{
    if (params == NULL || params->digest_bytes == 0) {
        return fin_is_plain(params) ? descriptor->info.digest_bytes : 0;
    }
    const bool valid = fin_digest_length_valid(descriptor, params->digest_bytes);
    return valid && fin_is_plain(params) ? params->digest_bytes : 0;
}

fin_status fin_hash(fin_algorithm algorithm, const fin_params *params, const void *in, size_t bytes,
                    uint8_t *digest, size_t digest_bytes)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    const uint64_t plain = descriptor != NULL ? fin_plain_digest_bytes(descriptor, params) : 0;
    if (plain != 0 && digest != NULL && (in != NULL || bytes == 0) && digest_bytes >= plain &&
        fin_is_one_block(descriptor, bytes, plain)) {
        fin_hash_one_block(descriptor, in, bytes, digest, (size_t)plain);
        return FIN_OK;
    }
    fin_tail message = {in, bytes, 0, 0, false};
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
    if (bit_count == 0) {
        return fin_hash(algorithm, params, in, bytes, digest, digest_bytes);
    }
    fin_tail message = {in, bytes, ((const uint8_t *)in)[bytes], bit_count, false};
    return fin_hash_tail(algorithm, params, &message, digest, digest_bytes);
}
