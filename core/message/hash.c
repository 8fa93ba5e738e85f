/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A message in one call: whole blocks in place, then the padded end. fin_hash_as is compiled twice
 * for each variant: for plain messages, and for any parameters. Without a context a call has few
 * stores, so it overlaps with the compression of the previous call (docs/design/bounds.md).
 */
#include "message/message.h"

/* A partial build omits the functions of algorithms that it leaves out. */
static const bool fin_has_striped = FIN_HAS_ALGORITHM(BLAKE2BP) + FIN_HAS_ALGORITHM(BLAKE2SP) != 0;
static const bool fin_has_xof = FIN_HAS_ALGORITHM(BLAKE2XB) + FIN_HAS_ALGORITHM(BLAKE2XS) != 0;

/* ---- One function for all variants ---- */

FIN_NOINLINE void fin_pad_key(uint8_t key_block[128], const uint8_t *key, size_t key_bytes)
{
    memset(key_block, 0, 128);
    fin_copy_padded(key_block, key, key_bytes);
}

typedef struct fin_algorithm_entry fin_entry;

/* Hashes a plain message: no parameter but the digest length is set. */
typedef fin_status fin_plain_fn(const fin_entry *entry, const fin_impl *impl, const uint8_t *in,
                                size_t bytes, uint8_t *digest, size_t digest_bytes);

/* An algorithm without parameters, for fin_hash. */
struct fin_algorithm_entry {
    fin_plain_fn *plain;
    _Atomic(const fin_impl *) const *chosen;
    uint8_t digest_bytes; /* the algorithm's own */
    uint8_t rounds;
};

/* A message, and the address of its digest. Set and read field by field: a copy of the whole would
   wait for the stores of its fields. */
typedef struct fin_call {
    const fin_entry *entry;
    const fin_impl *impl;
    const fin_params *params; /* null: none but the digest length */
    const uint8_t *in;
    size_t bytes;
    unsigned bit_count; /* after the bytes */
    uint8_t *digest;
    size_t digest_bytes;
} fin_call;

/* Sets the state before the first byte. */
FIN_INLINE void fin_seed(fin_variant variant, fin_state *state, const fin_call *call)
{
    const fin_params *params = call->params;
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE2) {
        fin_parameter_block block;
        fin_parameters_of(variant, &block, (uint8_t)call->digest_bytes, params);
        fin_blake2_seed(variant, state, &block);
    } else if (fin_family_of(variant) == FIN_FAMILY_BLAKE) {
        fin_blake_seed(variant, state, call->digest_bytes);
        fin_blake_set_salt(variant, state, params);
        state->rounds = call->entry->rounds;
    } else {
        fin_groestl_seed(variant, state, call->digest_bytes);
    }
}

/* Compresses whole blocks before the message's last and counts them in t. */
FIN_INLINE void fin_take_blocks(fin_variant variant, fin_state *state, uint64_t t[2],
                                const fin_impl *impl, const uint8_t *in, size_t blocks)
{
    const uint32_t increment = fin_variant_increment(variant);
    fin_store_piece(state->t, t[0], t[1]);
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE2) {
        fin_state_set_flags(state, false, 0);
    }
    fin_counter_add(t, blocks, increment);
    impl->compress(state, in, blocks, fin_variant_block(variant), increment);
}

/* Writes the digest; the longest one in whole pieces. With few registers, compilers spill its
   words, so there it is written in a frame that fin_erase_stack overwrites. */
FIN_INLINE void fin_write_digest(fin_variant variant, const fin_state *state, uint8_t *digest,
                                 size_t digest_bytes)
{
    const size_t most = fin_is_wide(variant) ? 64 : 32;
    if (UINTPTR_MAX > UINT32_MAX && digest_bytes == most) {
        fin_output_as(variant, state, digest, most);
    } else {
        fin_output(state, variant, digest, digest_bytes);
    }
}

FIN_INLINE void fin_hash_as(fin_variant variant, const fin_call *call)
{
    _Alignas(16) fin_state state;
    _Alignas(16) uint8_t padded[FIN_PADDED_BYTES];
    _Alignas(16) uint8_t key_block[128];
    const size_t block_bytes = fin_variant_block(variant);
    const fin_params *params = call->params;
    const bool keyed =
        fin_family_of(variant) == FIN_FAMILY_BLAKE2 && params != NULL && params->key_bytes != 0;
    const bool last_node =
        params != NULL && params->tree_mode != NULL && params->tree_mode->last_node;
    const uint8_t last_bits = call->bit_count != 0 ? call->in[call->bytes] : 0;
    fin_tail tail = {call->in, call->bytes, last_bits, call->bit_count};
    uint64_t t[2] = {0, 0};
    fin_final_blocks final;
    fin_seed(variant, &state, call);
    if (keyed) {
        fin_pad_key(key_block, params->key, params->key_bytes);
        if (tail.bytes != 0) {
            fin_take_blocks(variant, &state, t, call->impl, key_block, 1);
        } else {
            tail = (fin_tail){key_block, block_bytes, 0, 0};
        }
    }
    if (tail.bytes > block_bytes) {
        const uint8_t *in = tail.in;
        const size_t blocks = (tail.bytes - 1) / block_bytes;
        tail.in += blocks * block_bytes;
        tail.bytes -= blocks * block_bytes;
        fin_take_blocks(variant, &state, t, call->impl, in, blocks);
    }
    fin_pad(variant, call->digest_bytes, t, &tail, padded, false, &final);
    fin_compress_final(variant, &state, call->impl, &final, last_node ? UINT64_MAX : 0);
    if (fin_family_of(variant) != FIN_FAMILY_BLAKE2 || tail.bytes != block_bytes) {
        fin_padded_erase(variant, padded, tail.bytes);
    }
    fin_write_digest(variant, &state, call->digest, call->digest_bytes);
    if (UINTPTR_MAX <= UINT32_MAX) {
        fin_erase_stack(FIN_STACK_PADDING_BYTES);
    }
    fin_erase(&state.h, fin_state_bytes(variant));
    if (keyed) {
        fin_erase(key_block, 64);
        fin_erase_stack(FIN_STACK_MESSAGE_BYTES);
    }
}

/* ---- Two functions for each variant ---- */

/* All return FIN_OK, so that a call ends with a jump. */
#define FIN_FUNCTIONS(id, family, wide)                                                         \
    static FIN_NOINLINE fin_status fin_plain_##id(const fin_entry *entry, const fin_impl *impl, \
                                                  const uint8_t *in, size_t bytes,              \
                                                  uint8_t *digest, size_t digest_bytes)         \
    {                                                                                           \
        const fin_call call = {entry, impl, NULL, in, bytes, 0, digest, digest_bytes};          \
        fin_hash_as(fin_variant_of(FIN_FAMILY_##family, wide), &call);                          \
        return FIN_OK;                                                                          \
    }                                                                                           \
    static FIN_NOINLINE fin_status fin_hash_##id(const fin_call *call)                          \
    {                                                                                           \
        fin_hash_as(fin_variant_of(FIN_FAMILY_##family, wide), call);                           \
        return FIN_OK;                                                                          \
    }

FIN_FUNCTIONS(BLAKE256, BLAKE, false)
FIN_FUNCTIONS(BLAKE512, BLAKE, true)
FIN_FUNCTIONS(BLAKE2S, BLAKE2, false)
FIN_FUNCTIONS(BLAKE2B, BLAKE2, true)
FIN_FUNCTIONS(GROESTL256, GROESTL, false)
FIN_FUNCTIONS(GROESTL512, GROESTL, true)

static FIN_NOINLINE fin_status fin_plain_BLAKE3(const fin_entry *entry, const fin_impl *impl,
                                                const uint8_t *in, size_t bytes, uint8_t *digest,
                                                size_t digest_bytes)
{
    (void)entry;
    fin_blake3_hash(impl, NULL, in, bytes, digest, digest_bytes);
    return FIN_OK;
}

static FIN_NOINLINE fin_status fin_hash_BLAKE3(const fin_call *call)
{
    fin_blake3_hash(call->impl, call->params, call->in, call->bytes, call->digest,
                    call->digest_bytes);
    return FIN_OK;
}

/* Grøstl-0 differs only within the kernels. */
#define fin_plain_GROESTL0_256 fin_plain_GROESTL256
#define fin_plain_GROESTL0_512 fin_plain_GROESTL512
#define fin_hash_GROESTL0_256 fin_hash_GROESTL256
#define fin_hash_GROESTL0_512 fin_hash_GROESTL512

/* A partial build has null for the functions that it leaves out. */
static const struct {
    fin_plain_fn *plain;
    fin_status (*any)(const fin_call *call);
} fin_functions[FIN_COMPRESSIONS] = {
#define FIN_COMPRESSION(id, name, block_bytes)        \
    {FIN_HAS_COMPRESSION(id) ? fin_plain_##id : NULL, \
     FIN_HAS_COMPRESSION(id) ? fin_hash_##id : NULL},
#include "alg.def"
#undef FIN_COMPRESSION
};

/* ---- The calls ---- */

static const fin_entry fin_entries[FIN_DESCRIPTORS];

/* Hashes a plain message of BLAKE2bp or BLAKE2sp. */
static fin_status fin_plain_striped(const fin_entry *entry, const fin_impl *impl, const uint8_t *in,
                                    size_t bytes, uint8_t *digest, size_t digest_bytes)
{
    const fin_instance instance =
        fin_instance_of(&fin_descriptors[entry - fin_entries], digest_bytes);
    (void)impl;
    fin_striped_hash(&instance, NULL, in, bytes, digest);
    return FIN_OK;
}

/* Always null, so that fin_hash_any reports the error or hashes in a context. */
static const _Atomic(const fin_impl *) fin_none;

/* Indexed by the algorithm's number less 1. */
static const fin_entry fin_entries[FIN_DESCRIPTORS] = {
#define FIN_ALGORITHM(id, name, title, family, shape, small, large, rounds, digest, ...)          \
    {FIN_HAS_ALGORITHM(id) ? (digest) <= 32 ? FIN_PLAIN_##shape(small) : FIN_PLAIN_##shape(large) \
                           : NULL,                                                                \
     FIN_HAS_ALGORITHM(id) && FIN_##shape != FIN_XOF                                              \
         ? &fin_chosen[(digest) <= 32 ? FIN_COMPRESSION_##small : FIN_COMPRESSION_##large]        \
         : &fin_none,                                                                             \
     digest, rounds},
#define FIN_PLAIN_SERIAL(compression) fin_plain_##compression
#define FIN_PLAIN_CHUNKED(compression) fin_plain_##compression
#define FIN_PLAIN_STRIPED(compression) fin_plain_striped
#define FIN_PLAIN_XOF(compression) (fin_plain_fn *)NULL
#include "alg.def"
#undef FIN_ALGORITHM
};

/* True if the message's length is valid, as up to a block always: every counter can count a key and
   a block. */
static bool fin_message_allowed(const fin_instance *instance, const fin_call *call)
{
    const uint64_t t[2] = {0, 0};
    const bool keyed = call->params != NULL && call->params->key_bytes != 0;
    return call->bytes <= instance->block_bytes ||
           (fin_in_memory(call->in, call->bytes) &&
            fin_length_fits(instance, t, fin_key_pending_bytes(instance, keyed), call->bytes,
                            call->bit_count));
}

/* Hashes with any parameters. call->digest_bytes: the capacity of digest. */
static FIN_NOINLINE fin_status fin_hash_any(fin_algorithm algorithm, fin_call *call)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    fin_instance instance;
    if (call->digest == NULL || (call->in == NULL && call->bytes != 0)) {
        return FIN_ERR_NULL;
    }
    call->in = fin_in_or(call->in, call);
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    if (call->bit_count != 0 && !descriptor->info.bits) {
        return FIN_ERR_BITS;
    }
    if (fin_has_xof && descriptor->shape == FIN_XOF) {
        return fin_hash_in_context(algorithm, call->params, NULL, call->in, call->bytes,
                                   call->digest, call->digest_bytes);
    }
    const fin_status status = fin_prepare(&instance, algorithm, call->params);
    if (status != FIN_OK) {
        return status;
    }
    if (instance.digest_bytes == FIN_XOF_UNKNOWN) {
        instance.digest_bytes = call->digest_bytes;
    }
    if (call->digest_bytes < instance.digest_bytes ||
        !fin_in_memory(call->digest, instance.digest_bytes)) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    if (!fin_message_allowed(&instance, call)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    if (fin_has_striped && descriptor->shape == FIN_STRIPED) {
        fin_striped_hash(&instance, call->params, call->in, call->bytes, call->digest);
        return FIN_OK;
    }
    call->entry = &fin_entries[algorithm - 1];
    call->impl = fin_dispatch(instance.compression);
    call->digest_bytes = (size_t)instance.digest_bytes;
    if (call->bit_count == 0 && fin_is_plain(call->params)) {
        return fin_functions[instance.compression].plain(
            call->entry, call->impl, call->in, call->bytes, call->digest, call->digest_bytes);
    }
    return fin_functions[instance.compression].any(call);
}

static FIN_NOINLINE fin_status fin_hash_with(fin_algorithm algorithm, const fin_params *params,
                                             const void *in, size_t bytes, uint8_t *digest,
                                             size_t digest_bytes)
{
    const unsigned index = (unsigned)algorithm - 1;
    if (index < FIN_DESCRIPTORS && params != NULL && fin_is_plain(params) &&
        params->digest_bytes == fin_entries[index].digest_bytes) {
        return fin_hash(algorithm, NULL, in, bytes, digest, digest_bytes); /* 40 cycles less */
    }
    fin_call call = {NULL, NULL, params, in, bytes, 0, digest, digest_bytes};
    return fin_hash_any(algorithm, &call);
}

fin_status fin_hash(fin_algorithm algorithm, const fin_params *params, const void *in, size_t bytes,
                    uint8_t *digest, size_t digest_bytes)
{
    const unsigned index = (unsigned)algorithm - 1;
    if (index >= FIN_DESCRIPTORS || params != NULL || digest == NULL || in == NULL ||
        !fin_is_ordinary(in, bytes)) {
        return fin_hash_with(algorithm, params, in, bytes, digest, digest_bytes);
    }
    const fin_entry *entry = &fin_entries[index];
    const fin_impl *impl = atomic_load_explicit(entry->chosen, memory_order_acquire);
    if (impl == NULL || digest_bytes < entry->digest_bytes) {
        return fin_hash_with(algorithm, params, in, bytes, digest, digest_bytes);
    }
    return entry->plain(entry, impl, in, bytes, digest, entry->digest_bytes);
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
