/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * One message: its segments through the selected implementation, its context, and the modes that
 * are built of several states (BLAKE2bp, BLAKE2sp, BLAKE2X).
 */
#ifndef FIN_MESSAGE_H
#define FIN_MESSAGE_H

#include "dispatch/dispatch.h"
#include "family/family.h"

#pragma GCC visibility push(hidden)

/* ---- Instances ---- */

/* The instance for valid parameters, once there is an implementation for it. */
static inline fin_status fin_prepare(fin_instance *instance, const fin_descriptor *descriptor,
                                     const fin_params *params)
{
    const fin_status status = fin_instance_resolve(instance, descriptor, params);
    return status == FIN_OK ? fin_dispatch_check(instance->compression) : status;
}

/* ---- Segments ---- */

/* The flag words of BLAKE2 (RFC 7693, section 2.4): all ones for the last block, and in it for the
   last node of a level. Other families ignore them. */
static inline void fin_state_set_flags(fin_state *state, bool last, uint64_t last_node)
{
    fin_store_piece(state->f, last ? UINT64_MAX : 0, last ? last_node : 0);
}

/* Compresses whole blocks, none of which is the message's last, and advances the counter. */
static inline void fin_compress(fin_state *state, const fin_instance *instance, const uint8_t *in,
                                size_t blocks)
{
    fin_dispatch(instance->compression)
        ->compress(state, in, blocks, instance->block_bytes, instance->increment);
    fin_counter_advance(state->t, blocks, instance->increment);
}

/* Compresses a segment, whose blocks lie stride bytes apart; state->t is the counter before it.
   last_node: the flag word of a message that is the last node of its level, else 0. */
static inline void fin_compress_segment(fin_state *state, const fin_impl *impl,
                                        const fin_segment *segment, size_t stride,
                                        uint64_t last_node)
{
    fin_store_piece(state->t, segment->t[0], segment->t[1]);
    fin_state_set_flags(state, segment->last, last_node);
    fin_compress_fn *compress = segment->last ? impl->finish : impl->compress;
    compress(state, segment->in, segment->blocks, stride, segment->increment);
}

/* From a message's tail to the finished state. */
static inline void fin_finish(fin_state *state, const fin_instance *instance, const fin_tail *tail,
                              uint64_t last_node)
{
    const fin_impl *impl = fin_dispatch(instance->compression);
    fin_ends ends;
    instance->family->pad(state->t, instance, tail, &ends);
    for (size_t i = 0; i < ends.count; i++) {
        fin_compress_segment(state, impl, &ends.segment[i], instance->block_bytes, last_node);
    }
    fin_store_piece(state->t, ends.t[0], ends.t[1]);
    fin_padded_erase(&ends);
}

/* ---- What kernels leave on the stack ---- */

/*
 * What kernels of BLAKE2, for one message and in lanes, and the functions that call them take of the
 * stack. tools/check_frames.py compares the kernels' frames with it.
 */
enum {
    FIN_STACK_MESSAGE_BYTES = UINTPTR_MAX > UINT32_MAX ? 2048 : 4096,
    FIN_STACK_LANES_BYTES = 2 * FIN_STACK_MESSAGE_BYTES
};

/* Overwrites so many bytes, up to FIN_STACK_LANES_BYTES, of the stack below the caller's frame. With
   a key, kernels leave the key or what is as good as the key there. */
void fin_erase_stack(size_t bytes);

static inline void fin_erase_stack_if(bool keyed, size_t bytes)
{
    if (keyed) {
        fin_erase_stack(bytes);
    }
}

/* BLAKE2's key, padded with zeros to a block. In a frame of its own, which fin_erase_stack reaches. */
void fin_pad_key(uint8_t key_block[128], const fin_params *params);

/* ---- One block ---- */

/* True for parameters without key, salt, personalisation and tree. */
static inline bool fin_is_plain(const fin_params *params)
{
    return params == NULL ||
           ((params->key_bytes | params->salt_bytes | params->personal_bytes) == 0 &&
            params->tree == NULL);
}

/* True if fin_hash_one_block takes a message of plain parameters with a digest of so many bytes. */
static inline bool fin_is_one_block(const fin_descriptor *descriptor, size_t bytes,
                                    uint64_t digest_bytes)
{
    const fin_compression compression = fin_descriptor_compression(descriptor, digest_bytes);
    return descriptor->shape == FIN_SERIAL && bytes <= fin_block_bytes[compression] &&
           fin_dispatch_check(compression) == FIN_OK;
}

void fin_hash_one_block(const fin_descriptor *descriptor, const uint8_t *in, size_t bytes,
                        uint8_t *digest, size_t digest_bytes);

/* The same for BLAKE2b and BLAKE2s with any parameters but a key. */
void fin_hash_blake2_unkeyed(const fin_descriptor *descriptor, const fin_params *params,
                             const uint8_t *in, size_t bytes, uint8_t *digest, size_t digest_bytes);

/* ---- Contexts ---- */

enum {
    FIN_PHASE_ABSORB = 0xa5,
    FIN_PHASE_SQUEEZE = 0xb6,
    FIN_PHASE_DONE = 0xc7,
    FIN_PHASE_SHARED = 0xd8
};

/* The instance of a context that fin_init or fin_restore has seen. */
static inline fin_instance fin_context_instance(const fin_context *context)
{
    return fin_instance_of(fin_descriptor_of(context->algorithm), context->digest_bytes);
}

/* True for a message with a key, also after fin_restore. */
static inline bool fin_context_keyed(const fin_context *context)
{
    const fin_descriptor *descriptor = fin_descriptor_of(context->algorithm);
    return descriptor->info.family == FIN_FAMILY_BLAKE2 &&
           context->parameter_block[FIN_NODE_KEY] != 0;
}

/* BLAKE2bp and BLAKE2sp: leaves that take the message's blocks in turn. */
void fin_striped_start(fin_context *context, const fin_instance *instance);
void fin_striped_update(fin_context *context, const fin_instance *instance, const uint8_t *in,
                        size_t bytes);
/* Leaves the whole stripes in the middle to fin_share_leaves. */
void fin_striped_share(fin_context *context, const fin_instance *instance, const uint8_t *in,
                       size_t bytes, fin_share *share);
void fin_striped_finish(fin_context *context, const fin_instance *instance);
/* A whole message in one call; its length fits the counter. */
void fin_striped_hash(const fin_instance *instance, const fin_params *params, const uint8_t *in,
                      size_t bytes, uint8_t *digest);

/* BLAKE2X: writes the output's next bytes. context->state is the finished state of the root. */
void fin_xof_output(fin_context *context, const fin_instance *instance, uint8_t *out, size_t bytes);

#pragma GCC visibility pop

#endif
