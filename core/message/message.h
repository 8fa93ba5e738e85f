/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * One message: its segments through the selected implementation, its context, and the modes that
 * consist of several states (BLAKE2bp, BLAKE2sp, BLAKE2X, BLAKE3).
 */
#ifndef FIN_MESSAGE_H
#define FIN_MESSAGE_H

#include "dispatch/dispatch.h"
#include "spec/spec.h"
#include "lengths.h"

#pragma GCC visibility push(hidden)

/* ---- Instances ---- */

/* Sets the instance if the parameters are valid and an implementation is selected. */
static inline fin_status fin_prepare(fin_instance *instance, fin_algorithm algorithm,
                                     const fin_params *params)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    const fin_status status = fin_instance_resolve(instance, descriptor, params);
    return status == FIN_OK ? fin_dispatch_check(instance->compression) : status;
}

/* ---- Lengths ---- */

/* True if the counter t can count the pending bytes and then bytes and bits. Every call that takes
   a message checks this, so that all refuse the same lengths. */
static inline bool fin_length_fits(const fin_instance *instance, const uint64_t t[2],
                                   uint64_t pending_bytes, uint64_t bytes, unsigned bit_count)
{
    uint64_t all_bytes;
    if ((t[0] | pending_bytes | bytes) >> 53 == 0) {
        return true; /* fits every counter, in bits or in chunks of 1024 bytes */
    }
    return fin_sum(pending_bytes, bytes, &all_bytes) &&
           fin_fits(instance->variant, t, all_bytes, bit_count);
}

/* Returns the bytes that a key adds before a message: one block, or one for each leaf. */
static inline uint64_t fin_key_pending_bytes(const fin_instance *instance, bool keyed)
{
    const bool striped = instance->descriptor->shape == FIN_STRIPED;
    return !keyed ? 0 : striped ? FIN_BUFFER_BYTES / 2 : instance->block_bytes;
}

/* ---- Segments ---- */

/* Compresses whole blocks before the message's last and advances the counter. */
static inline void fin_compress(fin_state *state, const fin_instance *instance, const uint8_t *in,
                                size_t blocks)
{
    fin_dispatch(instance->compression)
        ->compress(state, in, blocks, instance->block_bytes, instance->increment);
    fin_counter_advance(state->t, blocks, instance->increment);
}

/* Compresses a segment, whose blocks are stride bytes apart; state->t is the counter before it.
   last_node: all ones for the message of a level's last node, else 0. */
static inline void fin_compress_segment(fin_state *state, const fin_impl *impl,
                                        const fin_segment *segment, size_t stride,
                                        uint64_t last_node)
{
    fin_copy_piece(state->t, segment->t);
    fin_state_set_flags(state, segment->last, last_node);
    fin_compress_fn *compress = segment->last ? impl->finish : impl->compress;
    compress(state, segment->in, segment->blocks, stride, segment->increment);
}

/* Compresses a message's last segment. */
FIN_INLINE void fin_compress_last(fin_variant variant, fin_state *state, const fin_impl *impl,
                                  const fin_segment *segment, uint64_t last_node)
{
    fin_copy_piece(state->t, segment->t);
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE2) {
        fin_state_set_flags(state, true, last_node);
    }
    impl->finish(state, segment->in, segment->blocks, fin_variant_block(variant),
                 segment->increment);
}

/* Compresses a message's padded final blocks. */
FIN_INLINE void fin_compress_final(fin_variant variant, fin_state *state, const fin_impl *impl,
                                   const fin_final_blocks *final, uint64_t last_node)
{
    const fin_segment *last = &final->segment[0];
    const size_t block_bytes = fin_variant_block(variant);
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE && final->count == 2) {
        fin_copy_piece(state->t, last->t);
        impl->compress(state, last->in, 1, block_bytes, last->increment);
        fin_compress_last(variant, state, impl, &final->segment[1], last_node);
    } else {
        fin_compress_last(variant, state, impl, last, last_node);
    }
}

/* Pads and compresses a message's tail. padded: FIN_PADDED_BYTES, which may begin with the tail, or
   null. */
void fin_finish(fin_state *state, const fin_instance *instance, const fin_tail *tail,
                uint8_t *padded, uint64_t last_node);

/* ---- Erasing the stack that kernels used ---- */

/*
 * Upper bounds of the stack that BLAKE2's kernels, for one message and in lanes, and their callers
 * use. tools/check_frames.py compares the kernels' frames with them.
 */
enum {
    FIN_STACK_MESSAGE_BYTES = UINTPTR_MAX > UINT32_MAX ? 3072 : 4096,
    FIN_STACK_LANES_BYTES = 2 * FIN_STACK_MESSAGE_BYTES,
    FIN_STACK_PADDING_BYTES = 512
};

/* Overwrites bytes, at most FIN_STACK_LANES_BYTES, of the stack below the caller's frame, where
   kernels leave a key or words that reveal it. */
void fin_erase_stack(size_t bytes);

static inline void fin_erase_stack_if(bool keyed, size_t bytes)
{
    if (keyed) {
        fin_erase_stack(bytes);
    }
}

/* Pads BLAKE2's key with zeros to a block. Not inlined, so that fin_erase_stack reaches its
   frame. */
void fin_pad_key(uint8_t key_block[128], const uint8_t *key, size_t key_bytes);

/* ---- Contexts ---- */

enum {
    FIN_PHASE_ABSORB = 0xa5,
    FIN_PHASE_SQUEEZE = 0xb6,
    FIN_PHASE_DONE = 0xc7,
    FIN_PHASE_SHARED = 0xd8
};

/* The capacity of a buffer, with space after it for padding the last block, and the longest update
   that is always buffered. */
enum { FIN_BUFFERED_MAX = FIN_BUFFER_BYTES - 128, FIN_SHORT_UPDATE = 128 };

/* Returns the instance of a context initialised by fin_init or fin_restore. */
static inline fin_instance fin_context_instance(const fin_context *context)
{
    return fin_instance_of(fin_descriptor_of(context->algorithm), context->digest_bytes);
}

/* Sets the instance of a context; false if the context is not in the given phase. */
static inline bool fin_instance_in_phase(fin_instance *instance, const fin_context *context,
                                         uint8_t phase)
{
    if (context->phase != phase || fin_descriptor_of(context->algorithm) == NULL) {
        return false;
    }
    *instance = fin_context_instance(context);
    return true;
}

/* True if the counter can count bytes and bits after the context's message so far. */
static inline bool fin_message_fits(const fin_context *context, const fin_instance *instance,
                                    uint64_t bytes, unsigned bit_count)
{
    return fin_length_fits(instance, context->state.t, context->buffered_bytes, bytes, bit_count);
}

/* Returns the number of whole blocks in these bytes. */
static inline size_t fin_whole_blocks(const fin_instance *instance, size_t bytes)
{
    return bytes >> (instance->block_bytes == 128 ? 7 : 6);
}

/* Returns the number of buffered blocks before the last one. */
static inline size_t fin_blocks_before_last(const fin_context *context,
                                            const fin_instance *instance)
{
    const bool serial =
        instance->descriptor->shape == FIN_SERIAL || instance->descriptor->shape == FIN_XOF;
    return serial && context->buffered_bytes > instance->block_bytes
               ? fin_whole_blocks(instance, context->buffered_bytes - 1)
               : 0;
}

/* True for a message with a key, also after fin_restore, and for key material. */
static inline bool fin_context_keyed(const fin_context *context)
{
    const fin_descriptor *descriptor = fin_descriptor_of(context->algorithm);
    return (descriptor->info.family == FIN_FAMILY_BLAKE2 &&
            context->parameter_block[FIN_NODE_KEY] != 0) ||
           (fin_is_chunked(descriptor) && context->parameter_block[0] != 0);
}

/* BLAKE2bp and BLAKE2sp: a stream's beginning, bytes and end. */
void fin_striped_start(fin_context *context, const fin_instance *instance);
void fin_striped_update(fin_context *context, const fin_instance *instance, const uint8_t *in,
                        size_t bytes);
/* Takes the bytes except whole stripes, which it leaves to fin_share_leaves. */
void fin_striped_share(fin_context *context, const fin_instance *instance, const uint8_t *in,
                       size_t bytes, fin_share *share);
void fin_striped_finish(fin_context *context, const fin_instance *instance);
/* Hashes a whole message, whose length fits the counter. */
void fin_striped_hash(const fin_instance *instance, const fin_params *params, const uint8_t *in,
                      size_t bytes, uint8_t *digest);

/* Hashes a message, and the byte before it unless prefix is null, in a context. */
fin_status fin_hash_in_context(fin_algorithm algorithm, const fin_params *params,
                               const uint8_t *prefix, const uint8_t *in, size_t bytes,
                               uint8_t *digest, size_t digest_bytes);

/* BLAKE3. Hashes a whole message; its length and all parameters are valid. */
void fin_blake3_hash(const fin_impl *impl, const fin_params *params, const uint8_t *in,
                     size_t bytes, uint8_t *digest, size_t digest_bytes);
/* A stream: its parameters, its beginning, its bytes, its end. */
void fin_blake3_customise(fin_context *context, const fin_params *params);
void fin_blake3_start(fin_context *context);
void fin_blake3_share(fin_context *context, const uint8_t *in, size_t bytes, fin_share *share);
void fin_blake3_share_leaves(fin_context *context, const fin_share *share, uint32_t first,
                             uint32_t count);
void fin_blake3_share_end(fin_context *context, const fin_share *share);
void fin_blake3_update(fin_context *context, const uint8_t *in, size_t bytes);
void fin_blake3_finish(fin_context *context);
/* Writes the output's next bytes. */
void fin_blake3_squeeze(fin_context *context, uint8_t *out, size_t bytes);

/* BLAKE2X: writes the output's next bytes. context->state is the finished state of the root. */
void fin_xof_output(fin_context *context, const fin_instance *instance, uint8_t *out, size_t bytes);

#pragma GCC visibility pop

#endif
