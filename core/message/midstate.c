/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Messages in progress, serialised. Version 1, all numbers little-endian:
 *
 *   offset  bytes
 *        0      4  "FINM"
 *        4      1  version
 *        5      1  algorithm (fin_algorithm)
 *        6      1  last node (0 or 1)
 *        7      1  zero
 *        8      4  buffered bytes
 *       12      4  zero
 *       16      8  digest bytes (all ones: BLAKE2X of unknown length)
 *       24     16  counter of the compressed blocks, low word first
 *       40     64  BLAKE: the salt's four words; BLAKE2: the parameter block; BLAKE3: the key's
 *                  eight words and the mode's flags (0, 16 or 64) as one byte; else zeros
 *      104      H  chaining value: 32, 64 or 128 bytes; BLAKE2bp and BLAKE2sp: 256, the leaves;
 *                  BLAKE3: 32 for each subtree, the largest first
 *    104+H      B  the buffered bytes
 *
 * Words of a chaining value are stored little-endian, including BLAKE's.
 */
#include "message/message.h"

enum {
    FIN_AT_VERSION = 4,
    FIN_AT_ALGORITHM = 5,
    FIN_AT_LAST_NODE = 6,
    FIN_AT_BUFFERED = 8,
    FIN_AT_DIGEST = 16,
    FIN_AT_COUNTER = 24,
    FIN_AT_PARAMETERS = 40,
    FIN_AT_MODE = FIN_AT_PARAMETERS + 32,
    FIN_AT_H = 104,
    FIN_MIDSTATE_VERSION = 1
};

static const uint8_t fin_magic[4] = {'F', 'I', 'N', 'M'};

/* Fields whose sizes depend on the algorithm. */
typedef struct fin_layout {
    bool words64;
    uint32_t h_bytes;
    uint32_t buffered_max;
} fin_layout;

/* Returns the layout. t: the counter's low word. */
static fin_layout fin_layout_of(const fin_instance *instance, uint64_t t, uint32_t buffered_bytes)
{
    const uint32_t block_bytes = instance->block_bytes;
    const bool groestl = instance->descriptor->info.family == FIN_FAMILY_GROESTL;
    if (fin_is_chunked(instance->descriptor)) {
        const unsigned subtrees = fin_blake3_subtrees(t, buffered_bytes == 0);
        return (fin_layout){false, FIN_CV_BYTES * subtrees, FIN_CHUNK_BYTES};
    }
    if (instance->descriptor->shape == FIN_STRIPED) {
        return (fin_layout){block_bytes == 128, FIN_LEAVES_BYTES, FIN_BUFFER_BYTES};
    }
    return (fin_layout){groestl || block_bytes == 128, (uint32_t)fin_state_bytes(instance->variant),
                        block_bytes};
}

/* Copies native words to little-endian ones, or back. bytes: a multiple of 16. */
static void fin_copy_words(void *to, const void *from, uint32_t bytes, bool words64)
{
    fin_store_digest(to, from, bytes, words64, false);
}

/* Returns the bytes of BLAKE's salt or BLAKE3's key. */
static uint32_t fin_salt_words_bytes(const fin_descriptor *descriptor)
{
    return descriptor->info.family == FIN_FAMILY_BLAKE    ? descriptor->info.salt_bytes
           : descriptor->info.family == FIN_FAMILY_BLAKE3 ? 32
                                                          : 0;
}

static bool fin_all_zero(const uint8_t *p, size_t bytes)
{
    uint8_t any = 0;
    for (size_t i = 0; i < bytes; i++) {
        any |= p[i];
    }
    return any == 0;
}

/* True if fin_init could have made the parameter block. The key's length, salt and personalisation
   may have any value, and so may the node's fields if the algorithm has a tree mode. */
static bool fin_parameter_block_valid(const uint8_t *block, const fin_instance *instance)
{
    const fin_descriptor *descriptor = instance->descriptor;
    const bool wide = instance->block_bytes == 128;
    const size_t node_end = wide ? 18 : 16;
    const bool takes_trees = descriptor->shape == FIN_SERIAL;
    const fin_tree_mode tree = {.depth = block[FIN_NODE_DEPTH], .inner_bytes = block[node_end - 1]};
    uint8_t plain[64];
    fin_blake2_parameters(plain, instance, NULL);
    uint8_t differs = block[FIN_NODE_DIGEST] ^ plain[FIN_NODE_DIGEST];
    for (size_t i = takes_trees ? node_end : FIN_NODE_FANOUT; i < (wide ? 32 : 16); i++) {
        differs |= block[i] ^ plain[i];
    }
    return differs == 0 && block[FIN_NODE_KEY] <= descriptor->info.key_bytes_max &&
           (!takes_trees || fin_blake2_tree_mode_valid(descriptor, &tree));
}

/* True if BLAKE3's mode is one of three, with the standard initial value as the key of the first,
   and if this number of chunks can precede the buffered bytes. */
static bool fin_blake3_valid(const uint8_t *midstate)
{
    const uint64_t chunks = fin_load64_le(midstate + FIN_AT_COUNTER);
    const bool ends_with_chunk = chunks == 1 && fin_load32_le(midstate + FIN_AT_BUFFERED) == 0;
    const uint8_t mode = midstate[FIN_AT_MODE];
    uint32_t differs = 0;
    for (size_t i = 0; i < 8; i++) {
        differs |= fin_load32_le(midstate + FIN_AT_PARAMETERS + 4 * i) ^ fin_iv256[i];
    }
    return ((mode == 0 && differs == 0) || mode == FIN_KEYED_HASH ||
            mode == FIN_DERIVE_KEY_MATERIAL) &&
           chunks >> FIN_CHUNKS_LOG2 == 0 && !ends_with_chunk;
}

/* True if fin_save can have written the fixed part: fields that the algorithm does not use are
   zero. */
static bool fin_reserved_valid(const uint8_t *midstate, const fin_instance *instance)
{
    const fin_family family = instance->descriptor->info.family;
    const bool blake2 = family == FIN_FAMILY_BLAKE2;
    const bool blake3 = fin_is_chunked(instance->descriptor);
    const bool takes_trees = blake2 && instance->descriptor->shape == FIN_SERIAL;
    const bool wide_counter = family != FIN_FAMILY_GROESTL && instance->block_bytes == 128;
    /* BLAKE2s has only 32 bytes of parameters; the others are zero too. */
    const size_t used = blake2 ? (size_t)instance->block_bytes / 2
                               : fin_salt_words_bytes(instance->descriptor) + (blake3 ? 1U : 0U);
    return midstate[FIN_AT_LAST_NODE] <= (takes_trees ? 1 : 0) &&
           (!blake2 || fin_parameter_block_valid(midstate + FIN_AT_PARAMETERS, instance)) &&
           (!blake3 || fin_blake3_valid(midstate)) && midstate[FIN_AT_LAST_NODE + 1] == 0 &&
           fin_all_zero(midstate + FIN_AT_BUFFERED + 4, 4) &&
           (wide_counter || fin_all_zero(midstate + FIN_AT_COUNTER + 8, 8)) &&
           fin_all_zero(midstate + FIN_AT_PARAMETERS + used, 64 - used);
}

fin_status fin_save(const fin_context *context, uint8_t *midstate, size_t *bytes)
{
    fin_instance instance;
    if (context == NULL || bytes == NULL) {
        return FIN_ERR_NULL;
    }
    if (!fin_instance_in_phase(&instance, context, FIN_PHASE_ABSORB)) {
        return FIN_ERR_STATE;
    }
    const fin_descriptor *descriptor = instance.descriptor;
    const size_t blocks = fin_blocks_before_last(context, &instance);
    const uint8_t *buffered = context->buffer + blocks * instance.block_bytes;
    const uint32_t buffered_bytes =
        context->buffered_bytes - (uint32_t)(buffered - context->buffer);
    const fin_layout layout = fin_layout_of(&instance, context->state.t[0], buffered_bytes);
    const size_t needed = FIN_AT_H + layout.h_bytes + buffered_bytes;
    const bool fits = midstate != NULL && *bytes >= needed;
    *bytes = needed;
    if (!fits) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    fin_state state = context->state;
    if (blocks != 0) {
        fin_compress(&state, &instance, context->buffer, blocks);
    }
    memset(midstate, 0, FIN_AT_H);
    memcpy(midstate, fin_magic, sizeof fin_magic);
    midstate[FIN_AT_VERSION] = FIN_MIDSTATE_VERSION;
    midstate[FIN_AT_ALGORITHM] = context->algorithm;
    midstate[FIN_AT_LAST_NODE] = context->last_node;
    fin_store32_le(midstate + FIN_AT_BUFFERED, buffered_bytes);
    fin_store64_le(midstate + FIN_AT_DIGEST, context->digest_bytes);
    fin_store64_le(midstate + FIN_AT_COUNTER, state.t[0]);
    fin_store64_le(midstate + FIN_AT_COUNTER + 8, state.t[1]);
    if (descriptor->info.family == FIN_FAMILY_BLAKE2) {
        memcpy(midstate + FIN_AT_PARAMETERS, context->parameter_block, 64);
    } else if (fin_is_chunked(descriptor)) {
        midstate[FIN_AT_MODE] = context->parameter_block[0];
    }
    fin_copy_words(midstate + FIN_AT_PARAMETERS, &state.salt, fin_salt_words_bytes(descriptor),
                   layout.words64);
    if (fin_is_chunked(descriptor)) {
        memcpy(midstate + FIN_AT_H, context->leaves, layout.h_bytes);
    } else {
        const void *words = descriptor->shape == FIN_STRIPED ? (const void *)context->leaves
                                                             : (const void *)&state.h;
        fin_copy_words(midstate + FIN_AT_H, words, layout.h_bytes, layout.words64);
    }
    memcpy(midstate + FIN_AT_H + layout.h_bytes, buffered, buffered_bytes);
    fin_erase(&state, sizeof state);
    fin_erase_stack_if(blocks != 0 && fin_context_keyed(context), FIN_STACK_MESSAGE_BYTES);
    return FIN_OK;
}

fin_status fin_restore(fin_context *context, const uint8_t *midstate, size_t bytes)
{
    if (context == NULL || (midstate == NULL && bytes != 0)) {
        return FIN_ERR_NULL;
    }
    if (bytes < FIN_AT_H || memcmp(midstate, fin_magic, sizeof fin_magic) != 0 ||
        midstate[FIN_AT_VERSION] != FIN_MIDSTATE_VERSION) {
        return FIN_ERR_MIDSTATE;
    }
    const fin_descriptor *descriptor = fin_descriptor_of(midstate[FIN_AT_ALGORITHM]);
    const uint64_t digest_bytes = fin_load64_le(midstate + FIN_AT_DIGEST);
    if (descriptor == NULL || !fin_digest_length_valid(descriptor, digest_bytes)) {
        return FIN_ERR_MIDSTATE;
    }
    const fin_instance instance = fin_instance_of(descriptor, digest_bytes);
    const uint32_t buffered_bytes = fin_load32_le(midstate + FIN_AT_BUFFERED);
    const uint64_t t = fin_load64_le(midstate + FIN_AT_COUNTER);
    const fin_layout layout = fin_layout_of(&instance, t, buffered_bytes);
    if (!fin_reserved_valid(midstate, &instance) || buffered_bytes > layout.buffered_max ||
        bytes != FIN_AT_H + layout.h_bytes + (size_t)buffered_bytes) {
        return FIN_ERR_MIDSTATE;
    }
    const fin_status status = fin_dispatch_check(instance.compression);
    if (status != FIN_OK) {
        return status;
    }
    memset(context, 0, sizeof *context);
    context->phase = FIN_PHASE_ABSORB;
    context->algorithm = midstate[FIN_AT_ALGORITHM];
    context->last_node = midstate[FIN_AT_LAST_NODE];
    context->buffered_bytes = buffered_bytes;
    context->digest_bytes = digest_bytes;
    context->state.rounds = descriptor->rounds;
    context->state.t[0] = t;
    context->state.t[1] = fin_load64_le(midstate + FIN_AT_COUNTER + 8);
    if (descriptor->info.family == FIN_FAMILY_BLAKE2) {
        memcpy(context->parameter_block, midstate + FIN_AT_PARAMETERS, 64);
    } else if (fin_is_chunked(descriptor)) {
        context->parameter_block[0] = midstate[FIN_AT_MODE];
    }
    fin_copy_words(&context->state.salt, midstate + FIN_AT_PARAMETERS,
                   fin_salt_words_bytes(descriptor), layout.words64);
    if (fin_is_chunked(descriptor)) {
        memcpy(context->leaves, midstate + FIN_AT_H, layout.h_bytes);
    } else {
        void *words =
            descriptor->shape == FIN_STRIPED ? (void *)context->leaves : (void *)&context->state.h;
        fin_copy_words(words, midstate + FIN_AT_H, layout.h_bytes, layout.words64);
    }
    memcpy(context->buffer, midstate + FIN_AT_H + layout.h_bytes, buffered_bytes);
    return FIN_OK;
}
