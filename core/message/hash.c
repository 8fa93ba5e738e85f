/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A message in one call: whole blocks where they lie, then the padded end. Each variant has two texts,
 * one for messages without other parameters than the digest's length; without a context a call has so
 * few stores that it runs beside the compression of the call before (docs/bounds.md).
 */
#include "message/message.h"

/* A build of some algorithms does without the functions of the others. */
static const bool fin_has_striped = FIN_HAS_ALGORITHM(BLAKE2BP) + FIN_HAS_ALGORITHM(BLAKE2SP) != 0;
static const bool fin_has_xof = FIN_HAS_ALGORITHM(BLAKE2XB) + FIN_HAS_ALGORITHM(BLAKE2XS) != 0;

/* ---- One text ---- */

FIN_NOINLINE void fin_pad_key(uint8_t key_block[128], const fin_params *params)
{
    memset(key_block, 0, 128);
    fin_copy_padded(key_block, params->key, params->key_bytes);
}

/* A message, and where its digest goes. Written and read field by field: a copy of the whole would wait
   for its fields. */
typedef struct fin_call {
    const fin_descriptor *descriptor;
    const fin_impl *impl;
    const fin_params *params; /* null: none but the digest's length */
    const uint8_t *in;
    size_t bytes;
    unsigned bit_count; /* after the bytes */
    uint8_t *digest;
    size_t digest_bytes;
} fin_call;

/* The state before the first byte. */
FIN_INLINE void fin_seed(fin_variant variant, fin_state *state, const fin_call *call)
{
    const fin_params *params = call->params;
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE2) {
        fin_parameter_block block;
        fin_parameters_of(variant, &block, (uint8_t)call->digest_bytes, params);
        fin_blake2_seed(variant, state, &block);
    } else {
        state->rounds = call->descriptor->rounds;
    }
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE) {
        const bool salted = params != NULL && params->salt_bytes != 0;
        fin_blake_seed(variant, state, call->digest_bytes);
        fin_blake_set_salt(variant, state, salted ? params->salt : NULL);
    } else if (fin_family_of(variant) == FIN_FAMILY_GROESTL) {
        fin_groestl_seed(variant, state, call->digest_bytes);
    }
}

/* Compresses whole blocks of the message but the last one, takes them off it and counts them in t. */
FIN_INLINE void fin_take_blocks(fin_variant variant, fin_state *state, uint64_t t[2],
                                const fin_impl *impl, fin_tail *message)
{
    const size_t block_bytes = fin_variant_block(variant);
    const uint32_t increment = fin_variant_increment(variant);
    const size_t blocks = (message->bytes - 1) / block_bytes;
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE2) {
        fin_state_set_flags(state, false, 0);
    }
    fin_store_piece(state->t, t[0], t[1]);
    impl->compress(state, message->in, blocks, block_bytes, increment);
    fin_counter_advance(t, blocks, increment);
    message->in += blocks * block_bytes;
    message->bytes -= blocks * block_bytes;
}

/* With few registers compilers spill words of the digest, and of the message in fin_padded_take, deeper
   than kernels' frames reach: both in frames that fin_erase_stack overwrites. */
#if UINTPTR_MAX > UINT32_MAX
FIN_INLINE void fin_write_digest(fin_variant variant, const fin_state *state, uint8_t *digest,
                                 size_t digest_bytes)
{
    fin_output_as(variant, state, digest, digest_bytes);
}
#else
static FIN_NOINLINE void fin_write_digest(fin_variant variant, const fin_state *state,
                                          uint8_t *digest, size_t digest_bytes)
{
    FIN_FOR_VARIANT(variant, fin_output_as, state, digest, digest_bytes)
}
#endif

FIN_INLINE void fin_hash_as(fin_variant variant, const fin_call *call)
{
    _Alignas(64) fin_state state;
    _Alignas(64) uint8_t padded[FIN_PADDED_BYTES];
    _Alignas(64) uint8_t key_block[128];
    const fin_params *params = call->params;
    const bool keyed =
        fin_family_of(variant) == FIN_FAMILY_BLAKE2 && params != NULL && params->key_bytes != 0;
    const bool last_node = params != NULL && params->tree != NULL && params->tree->last_node;
    const uint8_t last_bits = call->bit_count != 0 ? call->in[call->bytes] : 0;
    fin_tail message = {call->in, call->bytes, last_bits, call->bit_count};
    uint64_t t[2] = {0, 0};
    fin_seed(variant, &state, call);
    if (keyed) {
        const size_t block_bytes = fin_variant_block(variant);
        fin_pad_key(key_block, params);
        if (message.bytes != 0) {
            fin_tail key = {key_block, block_bytes + 1, 0, 0};
            fin_take_blocks(variant, &state, t, call->impl, &key);
        } else {
            message = (fin_tail){key_block, block_bytes, 0, 0};
        }
    }
    if (message.bytes > fin_variant_block(variant)) {
        fin_take_blocks(variant, &state, t, call->impl, &message);
    }
    (void)fin_finish_as(variant, &state, t, call->impl, call->digest_bytes, &message, padded,
                        last_node ? UINT64_MAX : 0);
    fin_padded_erase(padded, message.bytes);
    fin_write_digest(variant, &state, call->digest, call->digest_bytes);
    if (UINTPTR_MAX <= UINT32_MAX) {
        fin_erase_stack(FIN_STACK_PADDING_BYTES);
    }
    fin_erase(&state.h, 64);
    if (fin_family_of(variant) == FIN_FAMILY_GROESTL && fin_is_wide(variant)) {
        fin_erase(&state.h.w64[8], 64);
    }
    if (keyed) {
        fin_erase(key_block, 64);
        fin_erase_stack(FIN_STACK_MESSAGE_BYTES);
    }
}

/* ---- The texts ---- */

/* The plain one takes its arguments in registers. All return FIN_OK, so that a call ends in a jump. */
#define FIN_TEXTS(name, family, wide)                                                            \
    static FIN_NOINLINE fin_status fin_hash_##name(                                              \
        const fin_impl *impl, const fin_descriptor *descriptor, const uint8_t *in, size_t bytes, \
        uint8_t *digest, size_t digest_bytes)                                                    \
    {                                                                                            \
        const fin_call call = {descriptor, impl, NULL, in, bytes, 0, digest, digest_bytes};      \
        fin_hash_as(fin_variant_of(family, wide), &call);                                        \
        return FIN_OK;                                                                           \
    }                                                                                            \
    static FIN_NOINLINE fin_status fin_hash_##name##_with(const fin_call *call)                  \
    {                                                                                            \
        fin_hash_as(fin_variant_of(family, wide), call);                                         \
        return FIN_OK;                                                                           \
    }

FIN_TEXTS(blake256, FIN_FAMILY_BLAKE, false)
FIN_TEXTS(blake512, FIN_FAMILY_BLAKE, true)
FIN_TEXTS(blake2s, FIN_FAMILY_BLAKE2, false)
FIN_TEXTS(blake2b, FIN_FAMILY_BLAKE2, true)
FIN_TEXTS(groestl256, FIN_FAMILY_GROESTL, false)
FIN_TEXTS(groestl512, FIN_FAMILY_GROESTL, true)

/* Returns what the text of a compression function does. A build of some algorithms leaves out the
   others. */
#define FIN_RETURN_TEXT(compression, with, ...)               \
    switch (compression) {                                    \
        FIN_CASE(BLAKE256, blake256##with, __VA_ARGS__)       \
        FIN_CASE(BLAKE512, blake512##with, __VA_ARGS__)       \
        FIN_CASE(BLAKE2B, blake2b##with, __VA_ARGS__)         \
        FIN_CASE(BLAKE2S, blake2s##with, __VA_ARGS__)         \
        FIN_CASE(GROESTL256, groestl256##with, __VA_ARGS__)   \
        FIN_CASE(GROESTL512, groestl512##with, __VA_ARGS__)   \
        FIN_CASE(GROESTL0_256, groestl256##with, __VA_ARGS__) \
        FIN_CASE(GROESTL0_512, groestl512##with, __VA_ARGS__) \
    default:                                                  \
        return FIN_ERR_ALGORITHM;                             \
    }
#define FIN_CASE(id, name, ...) \
    case FIN_COMPRESSION_##id:  \
        return FIN_HAS_COMPRESSION(id) ? fin_hash_##name(__VA_ARGS__) : FIN_ERR_ALGORITHM;

/* ---- The calls ---- */

/* BLAKE2X. */
static FIN_NOINLINE fin_status fin_hash_in_context(fin_algorithm algorithm, const fin_call *call)
{
    fin_context context;
    fin_status status = fin_init(&context, algorithm, call->params);
    if (status == FIN_OK) {
        status = fin_update(&context, call->in, call->bytes);
    }
    if (status == FIN_OK) {
        status = fin_final(&context, call->digest, call->digest_bytes);
    }
    fin_wipe(&context);
    return status;
}

/* Any counter holds the key and a block. */
static bool fin_message_allowed(const fin_instance *instance, const fin_call *call)
{
    const uint64_t t[2] = {0, 0};
    const bool keyed = call->params != NULL && call->params->key_bytes != 0;
    return call->bytes <= instance->block_bytes ||
           (fin_in_memory(call->in, call->bytes) &&
            fin_length_fits(instance, t, fin_key_pending_bytes(instance, keyed), call->bytes,
                            call->bit_count));
}

/* Any parameters and any length. call->digest_bytes: how many fit. */
static FIN_NOINLINE fin_status fin_hash_any(fin_algorithm algorithm, fin_call *call)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    fin_instance instance;
    if (call->digest == NULL || (call->in == NULL && call->bytes != 0)) {
        return FIN_ERR_NULL;
    }
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    if (call->bit_count != 0 && !descriptor->info.bits) {
        return FIN_ERR_BITS;
    }
    if (fin_has_xof && descriptor->shape == FIN_XOF) {
        return fin_hash_in_context(algorithm, call);
    }
    const fin_status status = fin_prepare(&instance, descriptor, call->params);
    if (status != FIN_OK) {
        return status;
    }
    if (call->digest_bytes < instance.digest_bytes) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    if (!fin_message_allowed(&instance, call)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    if (fin_has_striped && descriptor->shape == FIN_STRIPED) {
        fin_striped_hash(&instance, call->params, call->in, call->bytes, call->digest);
        return FIN_OK;
    }
    call->descriptor = descriptor;
    call->impl = fin_dispatch(instance.compression);
    call->digest_bytes = (size_t)instance.digest_bytes;
    if (call->bit_count == 0 && fin_is_plain(call->params)) {
        FIN_RETURN_TEXT(instance.compression, , call->impl, descriptor, call->in, call->bytes,
                        call->digest, call->digest_bytes)
    }
    FIN_RETURN_TEXT(instance.compression, _with, call)
}

static FIN_NOINLINE fin_status fin_hash_with(fin_algorithm algorithm, const fin_params *params,
                                             const void *in, size_t bytes, uint8_t *digest,
                                             size_t digest_bytes)
{
    fin_call call = {NULL, NULL, params, in, bytes, 0, digest, digest_bytes};
    return fin_hash_any(algorithm, &call);
}

/* Every counter holds messages of up to this length. */
static const uint64_t fin_bytes_always_counted = UINT64_C(1) << 60;

fin_status fin_hash(fin_algorithm algorithm, const fin_params *params, const void *in, size_t bytes,
                    uint8_t *digest, size_t digest_bytes)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (params != NULL || descriptor == NULL || descriptor->shape != FIN_SERIAL || digest == NULL ||
        in == NULL || bytes > fin_bytes_always_counted || !fin_in_memory(in, bytes)) {
        return fin_hash_with(algorithm, params, in, bytes, digest, digest_bytes);
    }
    const size_t own_bytes = descriptor->info.digest_bytes;
    const fin_compression compression = fin_descriptor_compression(descriptor, own_bytes);
    const fin_impl *impl = atomic_load_explicit(&fin_chosen[compression], memory_order_acquire);
    if (digest_bytes < own_bytes || impl == NULL) {
        return fin_hash_with(algorithm, params, in, bytes, digest, digest_bytes);
    }
    FIN_RETURN_TEXT(compression, , impl, descriptor, in, bytes, digest, own_bytes)
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
    fin_call call = {NULL, NULL, params, in, bytes, bit_count, digest, digest_bytes};
    return fin_hash_any(algorithm, &call);
}
