/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE2bp and BLAKE2sp: the message's blocks are dealt out to four or eight leaves; a root hashes
 * their digests. BLAKE2 paper, section 2.11 ("parallel modes").
 *
 * A stripe is one block for each leaf. A stripe is compressed once every leaf is known to get a
 * byte after it; up to two stripes wait in the buffer. All leaves have absorbed the same number of
 * whole blocks, so one counter, state.t, serves them all, and the stride of the compression
 * functions deals out the blocks.
 */
#include "message/leaves.h"

void fin_striped_start(fin_context *context, const fin_instance *instance)
{
    const fin_stripes *stripes = fin_stripes_of(instance);
    fin_leaf_states states;
    fin_blake2_start(&context->state, instance->variant, context->parameter_block);
    fin_leaf_states_begin(&states, stripes, context->leaves);
    fin_leaf_states_start(&states, stripes, &context->state);
    fin_leaf_states_leave_lanes(&states);
    if (context->key_bytes != 0) {
        memset(context->buffer, 0, FIN_STRIPE_BYTES);
        for (uint32_t leaf = 0; leaf < stripes->leaf_count; leaf++) {
            memcpy(context->buffer + leaf * stripes->block_bytes, context->key, context->key_bytes);
        }
        context->buffered_bytes = FIN_STRIPE_BYTES;
    }
}

/* ---- Whole stripes ---- */

/* Compresses whole blocks into some of the leaves: count each, the first ones apart bytes apart. */
static FIN_NOINLINE void fin_stripes_compress(fin_leaf_states *states, const fin_stripes *stripes,
                                              fin_leaves part, const uint64_t t[2],
                                              const uint8_t *in, size_t apart, size_t count)
{
    fin_leaf_blocks blocks = {.count = count, .t = {t[0], t[1]}, .final = stripes->leaf_count};
    for (uint32_t leaf = part.first; leaf < part.end; leaf++) {
        blocks.in[leaf] = in + leaf * apart;
        blocks.bytes[leaf] = stripes->block_bytes;
    }
    fin_leaves_compress(states, stripes, part, &blocks);
}

/* Compresses whole stripes into some of a context's leaves. */
static void fin_stripes_take(fin_context *context, const fin_stripes *stripes, fin_leaves part,
                             const uint8_t *in, size_t count)
{
    fin_leaf_states states;
    fin_leaf_states_begin(&states, stripes, context->leaves);
    fin_stripes_compress(&states, stripes, part, context->state.t, in, stripes->block_bytes, count);
    fin_leaf_states_leave_lanes(&states);
    fin_leaf_states_end(&states, fin_context_keyed(context));
}

static void fin_stripes_take_all(fin_context *context, const fin_stripes *stripes,
                                 const uint8_t *in, size_t count)
{
    fin_stripes_take(context, stripes, (fin_leaves){0, stripes->leaf_count}, in, count);
    fin_counter_advance(context->state.t, count, stripes->block_bytes);
}

/* Returns how many bytes after a stripe give every leaf at least one, so that no block of the
   stripe is a leaf's last. */
static uint32_t fin_stripes_lookahead(const fin_stripes *stripes)
{
    return FIN_STRIPE_BYTES - stripes->block_bytes + 1;
}

/*
 * Splits further bytes of a message into whole stripes, to be compressed in place, and the rest,
 * which the buffer holds. Compresses buffered stripes first, completed from in.
 */
static fin_share fin_stripes_split(fin_context *context, const fin_stripes *stripes,
                                   const uint8_t *in, size_t bytes)
{
    const size_t buffered = context->buffered_bytes;
    const size_t lookahead_bytes = fin_stripes_lookahead(stripes);
    const size_t begun = (buffered + FIN_STRIPE_BYTES - 1) / FIN_STRIPE_BYTES;
    const size_t head = begun * FIN_STRIPE_BYTES - buffered;
    fin_share share = {in, 0, in, bytes, stripes->leaf_count, 1};
    if (buffered + bytes < FIN_STRIPE_BYTES + lookahead_bytes) {
        return share;
    }
    const size_t ready = (buffered + bytes - lookahead_bytes) / FIN_STRIPE_BYTES;
    if (ready < begun) {
        fin_stripes_take_all(context, stripes, context->buffer, 1);
        context->buffered_bytes -= FIN_STRIPE_BYTES;
        memcpy(context->buffer, context->buffer + FIN_STRIPE_BYTES, context->buffered_bytes);
        return share;
    }
    if (begun != 0) {
        memcpy(context->buffer + buffered, in, head);
        fin_stripes_take_all(context, stripes, context->buffer, begun);
        context->buffered_bytes = 0;
    }
    share.in = in + head;
    share.stripes = ready - begun;
    share.rest = share.in + share.stripes * FIN_STRIPE_BYTES;
    share.rest_bytes = bytes - head - share.stripes * FIN_STRIPE_BYTES;
    return share;
}

void fin_striped_update(fin_context *context, const fin_instance *instance, const uint8_t *in,
                        size_t bytes)
{
    const fin_stripes *stripes = fin_stripes_of(instance);
    const fin_share share = fin_stripes_split(context, stripes, in, bytes);
    if (share.stripes != 0) {
        fin_stripes_take_all(context, stripes, share.in, share.stripes);
    }
    if (share.rest_bytes != 0) {
        memcpy(context->buffer + context->buffered_bytes, share.rest, share.rest_bytes);
        context->buffered_bytes += (uint32_t)share.rest_bytes;
    }
}

void fin_striped_share(fin_context *context, const fin_instance *instance, const uint8_t *in,
                       size_t bytes, fin_share *share)
{
    const fin_stripes *stripes = fin_stripes_of(instance);
    *share = fin_stripes_split(context, stripes, in, bytes);
    const fin_impl *impl = fin_dispatch_lanes(stripes->compression, stripes->leaf_count);
    share->lanes = impl != NULL ? impl->lanes : 1;
    context->phase = FIN_PHASE_SHARED;
}

/* ---- The leaves of one message in several threads ---- */

static fin_status fin_share_check(const fin_context *context, const fin_share *share,
                                  fin_instance *instance)
{
    return context == NULL || share == NULL                             ? FIN_ERR_NULL
           : fin_instance_in_phase(instance, context, FIN_PHASE_SHARED) ? FIN_OK
                                                                        : FIN_ERR_STATE;
}

fin_status fin_share_leaves(fin_context *context, const fin_share *share, uint32_t first,
                            uint32_t count)
{
    fin_instance instance;
    const fin_status status = fin_share_check(context, share, &instance);
    if (status != FIN_OK) {
        return status;
    }
    const bool chunked = fin_is_chunked(instance.descriptor);
    const fin_stripes *stripes = fin_stripes_of(&instance);
    const uint32_t leaf_count = chunked ? share->leaf_count : stripes->leaf_count;
    if (first > leaf_count || count > leaf_count - first) {
        return FIN_ERR_INDEX;
    }
    if (chunked) {
        fin_blake3_share_leaves(context, share, first, count);
    } else if (share->stripes != 0 && count != 0) {
        const fin_leaves part = {first, first + count};
        fin_stripes_take(context, stripes, part, share->in, share->stripes);
    }
    return FIN_OK;
}

fin_status fin_share_end(fin_context *context, const fin_share *share)
{
    fin_instance instance;
    const fin_status status = fin_share_check(context, share, &instance);
    if (status != FIN_OK) {
        return status;
    }
    if (fin_is_chunked(instance.descriptor)) {
        fin_blake3_share_end(context, share);
        return FIN_OK;
    }
    fin_counter_advance(context->state.t, share->stripes, instance.block_bytes);
    context->phase = FIN_PHASE_ABSORB;
    fin_striped_update(context, &instance, share->rest, share->rest_bytes);
    return FIN_OK;
}

/* ---- Final blocks ---- */

/* The last bytes of a message, at most two stripes, the key's among them. */
typedef struct fin_stripes_rest {
    const uint8_t *in;
    size_t bytes;
    const uint8_t *key_block; /* every leaf's block of the first stripe; or null */
} fin_stripes_rest;

/* Sets blocks to the next stripe of the rest, with zeros after its end, and advances the rest. The
   tail, if there is one, is padded. */
FIN_INLINE void fin_rest_take(fin_stripes_rest *rest, const fin_stripes *stripes,
                              fin_leaf_blocks *blocks, uint8_t padded[128])
{
    static const _Alignas(64) uint8_t zeros[128];
    const uint32_t block_bytes = stripes->block_bytes;
    const uint8_t *in = rest->in;
    size_t left = rest->bytes;
    for (uint32_t leaf = 0; leaf < stripes->leaf_count; leaf++) {
        const size_t take = left < block_bytes ? left : block_bytes;
        const bool whole = take == block_bytes;
        blocks->in[leaf] = rest->key_block != NULL ? rest->key_block : whole ? in : zeros;
        blocks->bytes[leaf] = rest->key_block != NULL ? block_bytes : (uint32_t)take;
        if (rest->key_block == NULL && take != 0 && !whole) {
            memset(padded, 0, 128);
            /* The remainder equals take; it tells GCC that the copy fits in padded. */
            fin_copy_tail(padded, in, take % 128, 0);
            blocks->in[leaf] = padded;
        }
        in += take;
        left -= take;
    }
    if (rest->key_block == NULL) {
        rest->in = in;
        rest->bytes = left;
    }
    rest->key_block = NULL;
}

/*
 * Compresses the rest of a message: the first leaves have a whole block and a final one, the others
 * only a final one, which may be empty.
 *
 *   leaf        0   1   2   3
 *   stripe 0    ..  ..  ..  ..    two leaves are ahead by a block
 *   stripe 1    ..  .
 */
FIN_INLINE void fin_leaves_finish(fin_leaf_states *states, const fin_stripes *stripes,
                                  const uint64_t t[2], fin_stripes_rest rest)
{
    const size_t all_bytes = rest.bytes + (rest.key_block != NULL ? FIN_STRIPE_BYTES : 0);
    const size_t more = all_bytes > FIN_STRIPE_BYTES ? all_bytes - FIN_STRIPE_BYTES : 0;
    const uint32_t ahead = (uint32_t)(more + stripes->block_bytes - 1) / stripes->block_bytes;
    _Alignas(64) uint8_t padded[128];
    fin_leaf_blocks blocks;
    blocks.count = 1;
    blocks.final = ahead;
    fin_store_piece(blocks.t, t[0], t[1]);
    fin_rest_take(&rest, stripes, &blocks, padded);
    fin_leaves_compress(states, stripes, (fin_leaves){0, stripes->leaf_count}, &blocks);
    if (ahead != 0) {
        fin_counter_advance(blocks.t, 1, stripes->block_bytes);
        blocks.final = 0;
        fin_rest_take(&rest, stripes, &blocks, padded);
        fin_leaves_compress(states, stripes, (fin_leaves){0, ahead}, &blocks);
    }
    fin_erase(padded, sizeof padded);
}

/* Hashes the leaves' digests, which are their chaining values, to the root. */
FIN_INLINE void fin_striped_root(fin_state *root, const fin_stripes *stripes,
                                 fin_leaf_states *states)
{
    const fin_impl *impl = fin_dispatch(stripes->compression);
    const size_t block_bytes = stripes->block_bytes;
    uint8_t *h = states->h;
    fin_leaf_states_leave_lanes(states);
    for (size_t at = 0; FIN_CPU_IS_BIG_ENDIAN && at < FIN_LEAVES_BYTES; at += 16) {
        fin_copy_piece_reversed(h + at, h + at, block_bytes == 128);
    }
    impl->compress(root, h, FIN_LEAVES_BYTES / block_bytes - 1, block_bytes, stripes->block_bytes);
    fin_store_piece(root->t, FIN_LEAVES_BYTES - block_bytes, 0);
    fin_state_set_flags(root, true, UINT64_MAX);
    impl->finish(root, h + FIN_LEAVES_BYTES - block_bytes, 1, block_bytes, stripes->block_bytes);
}

void fin_striped_finish(fin_context *context, const fin_instance *instance)
{
    const fin_stripes *stripes = fin_stripes_of(instance);
    const fin_stripes_rest rest = {context->buffer, context->buffered_bytes, NULL};
    fin_leaf_states states;
    fin_leaf_states_begin(&states, stripes, context->leaves);
    fin_leaves_finish(&states, stripes, context->state.t, rest);
    fin_blake2_start(&context->state, instance->variant, context->parameter_block);
    fin_striped_root(&context->state, stripes, &states);
    fin_leaf_states_end(&states, fin_context_keyed(context));
}

/* ---- One call ---- */

FIN_INLINE void fin_striped_hash_as(const fin_stripes *stripes, const fin_params *params,
                                    fin_stripes_rest rest, uint8_t *digest, uint8_t digest_bytes)
{
    const bool keyed = params != NULL && params->key_bytes != 0;
    const size_t lookahead_bytes = fin_stripes_lookahead(stripes);
    const fin_leaves all = {0, stripes->leaf_count};
    fin_parameter_block parameters;
    _Alignas(64) fin_state root;
    _Alignas(64) uint8_t key_block[128];
    _Alignas(64) uint8_t h[FIN_LEAVES_BYTES];
    uint64_t t[2] = {0, 0};
    fin_leaf_states states;
    fin_parameters_set_root(stripes->variant, &parameters, digest_bytes,
                            keyed ? (uint8_t)params->key_bytes : 0);
    fin_parameters_set_salts(stripes->variant, &parameters, params);
    fin_blake2_seed(stripes->variant, &root, &parameters);
    fin_store_piece(root.t, 0, 0);
    fin_state_set_flags(&root, false, 0);
    fin_leaf_states_begin(&states, stripes, h);
    fin_leaf_states_start(&states, stripes, &root);
    if (keyed) {
        fin_pad_key(key_block, params->key, params->key_bytes);
        rest.key_block = key_block;
    }
    if (keyed && rest.bytes >= lookahead_bytes) {
        fin_stripes_compress(&states, stripes, all, t, key_block, 0, 1);
        fin_counter_advance(t, 1, stripes->block_bytes);
        rest.key_block = NULL;
    }
    if (rest.bytes >= FIN_STRIPE_BYTES + lookahead_bytes) {
        const size_t count = (rest.bytes - lookahead_bytes) / FIN_STRIPE_BYTES;
        fin_stripes_compress(&states, stripes, all, t, rest.in, stripes->block_bytes, count);
        fin_counter_advance(t, count, stripes->block_bytes);
        rest.in += count * FIN_STRIPE_BYTES;
        rest.bytes -= count * FIN_STRIPE_BYTES;
    }
    fin_leaves_finish(&states, stripes, t, rest);
    fin_striped_root(&root, stripes, &states);
    fin_output_as(stripes->variant, &root, digest, digest_bytes);
    fin_erase(&root.h, 64);
    fin_erase(h, sizeof h);
    if (keyed) {
        fin_erase(key_block, sizeof key_block);
    }
    fin_leaf_states_end(&states, keyed);
}

void fin_striped_hash(const fin_instance *instance, const fin_params *params, const uint8_t *in,
                      size_t bytes, uint8_t *digest)
{
    const fin_stripes_rest message = {in, bytes, NULL};
    const uint8_t digest_bytes = (uint8_t)instance->digest_bytes;
    if (fin_is_wide(instance->variant)) {
        fin_striped_hash_as(&fin_both_stripes[1], params, message, digest, digest_bytes);
    } else {
        fin_striped_hash_as(&fin_both_stripes[0], params, message, digest, digest_bytes);
    }
}
