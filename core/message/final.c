/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The end of a message: its last block, its digest or its output of any length, and the wiping.
 */
#include "message/message.h"

/* ---- The last block ---- */

FIN_INLINE void fin_finish_counting(fin_variant variant, fin_state *state, const fin_impl *impl,
                                    size_t digest_bytes, const fin_tail *tail, uint8_t *padded,
                                    bool in_place, uint64_t last_node)
{
    const uint64_t t[2] = {state->t[0], state->t[1]};
    fin_final_blocks final;
    fin_pad(variant, digest_bytes, t, tail, padded, in_place, &final);
    fin_compress_final(variant, state, impl, &final, last_node);
    fin_copy_piece(state->t, final.t);
}

FIN_NOINLINE void fin_finish(fin_state *state, const fin_instance *instance, const fin_tail *tail,
                             uint8_t *padded, uint64_t last_node)
{
    _Alignas(64) uint8_t own[FIN_PADDED_BYTES];
    FIN_FOR_VARIANT(instance->variant, fin_finish_counting, state,
                    fin_dispatch(instance->compression), (size_t)instance->digest_bytes, tail,
                    padded != NULL ? padded : own, padded != NULL, last_node);
    if (padded == NULL) {
        fin_erase(own, sizeof own);
    }
}

static void fin_finish_buffered(fin_context *context, const fin_instance *instance,
                                uint8_t last_bits, unsigned bit_count)
{
    if (instance->descriptor->shape == FIN_STRIPED) {
        fin_striped_finish(context, instance);
        return;
    }
    if (fin_is_chunked(instance->descriptor)) {
        fin_blake3_finish(context);
        return;
    }
    const size_t blocks = fin_blocks_before_last(context, instance);
    const size_t at = blocks * instance->block_bytes;
    if (blocks != 0) {
        fin_compress(&context->state, instance, context->buffer, blocks);
    }
    /* The tail is padded in the buffer. */
    const fin_tail tail = {context->buffer + at, context->buffered_bytes - at, last_bits,
                           bit_count};
    fin_finish(&context->state, instance, &tail, context->buffer + at,
               context->last_node != 0 ? UINT64_MAX : 0);
}

/* Wipes the context, except what fin_reset needs: BLAKE's salt and, unless they are a key, the
   initial words of BLAKE3, both in the state. */
static inline void fin_wipe_secrets(fin_context *context, const fin_instance *instance)
{
    const bool striped = instance->descriptor->shape == FIN_STRIPED;
    const bool chunked = fin_is_chunked(instance->descriptor);
    const bool groestl = fin_family_of(instance->variant) == FIN_FAMILY_GROESTL;
    fin_erase(&context->state.h, 64);
    fin_erase(context->buffer, 64);
    if (groestl) {
        fin_erase(&context->state.h.w64[8], 64);
    }
    if (instance->block_bytes > 64) {
        fin_erase(context->buffer + 64, 64);
    }
    if (striped || chunked) {
        fin_erase(context->buffer, sizeof context->buffer);
        fin_erase(context->leaves, chunked ? FIN_SUBTREES_BYTES : FIN_LEAVES_BYTES);
    } else if (context->buffered_bytes > instance->block_bytes) {
        fin_erase(context->buffer, context->buffered_bytes + 1); /* the last bits, too */
    }
    if (chunked && context->parameter_block[0] == FIN_KEYED_HASH) {
        fin_erase(&context->state.salt, sizeof context->state.salt);
    }
    fin_erase(context->key, context->key_bytes);
    context->key_bytes = 0;
    context->buffered_bytes = 0;
    context->phase = FIN_PHASE_DONE;
}

/* ---- Output of any length ---- */

/* Returns the end of the output. BLAKE2X of unknown length has as many nodes as 32 bits can count.
   For BLAKE3, the digest length does not change the output, and limits fin_final only. */
static uint64_t fin_output_end(const fin_context *context, const fin_instance *instance)
{
    const uint64_t unit = fin_blake2_digest_max(instance->variant);
    const bool known = context->digest_bytes != FIN_XOF_UNKNOWN;
    return fin_is_chunked(instance->descriptor) ? UINT64_MAX
           : known                              ? context->digest_bytes
                                                : unit << 32;
}

/* Finalises the message on the first call. Refuses output beyond its end. */
static fin_status fin_begin_output(fin_context *context, fin_instance *instance, uint64_t position,
                                   const uint8_t *out, size_t bytes)
{
    const bool first = fin_instance_in_phase(instance, context, FIN_PHASE_ABSORB);
    if (!first && !fin_instance_in_phase(instance, context, FIN_PHASE_SQUEEZE)) {
        return FIN_ERR_STATE;
    }
    if (!fin_is_xof(instance->descriptor)) {
        return FIN_ERR_ALGORITHM;
    }
    const uint64_t end = fin_output_end(context, instance);
    if (position > end || bytes > end - position || !fin_in_memory(out, bytes)) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    if (first && !fin_message_fits(context, instance, 0, 0)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    if (first) {
        fin_finish_buffered(context, instance, 0, 0);
        context->phase = FIN_PHASE_SQUEEZE;
    }
    return FIN_OK;
}

static fin_status fin_squeeze_bytes(fin_context *context, uint8_t *out, size_t bytes)
{
    fin_instance instance;
    if (context == NULL || (out == NULL && bytes != 0)) {
        return FIN_ERR_NULL;
    }
    const fin_status status =
        fin_begin_output(context, &instance, context->squeezed_bytes, out, bytes);
    if (status != FIN_OK) {
        return status;
    }
    if (fin_is_chunked(instance.descriptor)) {
        fin_blake3_squeeze(context, out, bytes);
    } else {
        fin_xof_output(context, &instance, out, bytes);
    }
    return FIN_OK;
}

fin_status fin_seek(fin_context *context, uint64_t position)
{
    fin_instance instance;
    if (context == NULL) {
        return FIN_ERR_NULL;
    }
    const fin_status status = fin_begin_output(context, &instance, position, NULL, 0);
    if (status == FIN_OK) {
        context->squeezed_bytes = position;
        fin_erase_stack_if(fin_context_keyed(context), FIN_STACK_MESSAGE_BYTES);
    }
    return status;
}

fin_status fin_squeeze(fin_context *context, uint8_t *out, size_t bytes)
{
    const fin_status status = fin_squeeze_bytes(context, out, bytes);
    if (status == FIN_OK) {
        fin_erase_stack_if(fin_context_keyed(context), FIN_STACK_MESSAGE_BYTES);
    }
    return status;
}

static fin_status fin_final_xof(fin_context *context, const fin_instance *instance, uint8_t *digest,
                                size_t digest_bytes)
{
    const bool known = context->digest_bytes != FIN_XOF_UNKNOWN;
    if (known && digest_bytes < context->digest_bytes) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    const size_t wanted = known ? (size_t)context->digest_bytes : digest_bytes;
    const fin_status status = fin_squeeze_bytes(context, digest, wanted);
    if (status == FIN_OK) {
        fin_wipe_secrets(context, instance);
    }
    return status;
}

/* ---- Digests ---- */

static FIN_NOINLINE fin_status fin_end(fin_context *context, uint8_t last_bits, unsigned bit_count,
                                       uint8_t *digest, size_t digest_bytes)
{
    fin_instance instance;
    if (context == NULL || digest == NULL) {
        return FIN_ERR_NULL;
    }
    if (!fin_instance_in_phase(&instance, context, FIN_PHASE_ABSORB)) {
        return FIN_ERR_STATE;
    }
    if (bit_count > 7 || (bit_count != 0 && !instance.descriptor->info.bits)) {
        return FIN_ERR_BITS;
    }
    if (!fin_message_fits(context, &instance, 0, bit_count)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    if (fin_is_xof(instance.descriptor)) {
        return fin_final_xof(context, &instance, digest, digest_bytes);
    }
    if (digest_bytes < context->digest_bytes) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    fin_finish_buffered(context, &instance, last_bits, bit_count);
    fin_output(&context->state, instance.variant, digest, (size_t)context->digest_bytes);
    fin_wipe_secrets(context, &instance);
    return FIN_OK;
}

fin_status fin_final_bits(fin_context *context, uint8_t last_bits, unsigned bit_count,
                          uint8_t *digest, size_t digest_bytes)
{
    const fin_status status = fin_end(context, last_bits, bit_count, digest, digest_bytes);
    if (status == FIN_OK) {
        fin_erase_stack_if(fin_context_keyed(context), FIN_STACK_MESSAGE_BYTES);
    }
    return status;
}

fin_status fin_final(fin_context *context, uint8_t *digest, size_t digest_bytes)
{
    return fin_final_bits(context, 0, 0, digest, digest_bytes);
}

fin_status fin_hash_in_context(fin_algorithm algorithm, const fin_params *params,
                               const uint8_t *prefix, const uint8_t *in, size_t bytes,
                               uint8_t *digest, size_t digest_bytes)
{
    fin_context context;
    fin_status status = fin_init(&context, algorithm, params);
    if (status == FIN_OK && prefix != NULL) {
        status = fin_update(&context, prefix, 1);
    }
    if (status == FIN_OK) {
        status = fin_update(&context, in, bytes);
    }
    if (status == FIN_OK) {
        status = fin_final(&context, digest, digest_bytes);
    }
    fin_wipe(&context);
    return status;
}
