/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The block interface of the BLAKE2b README: any number of blocks in one call, and a last one of
 * any length. Also BLAKE2b's F with a rounds argument.
 */
#include "message/message.h"

typedef struct fin_blocks_call {
    fin_algorithm algorithm;
    void *h; /* native words; Grøstl: bytes */
    const void *salt;
    void *t;       /* native words: two, or Grøstl's one of 64 bits */
    const void *f; /* likewise; if the first is set, the message ends here */
    const uint8_t *in;
    size_t bytes;
    size_t stride;
} fin_blocks_call;

static fin_status fin_blocks_check(const fin_blocks_call *call, const fin_instance *instance,
                                   const fin_state *state, bool last)
{
    const size_t block_bytes = instance->block_bytes, blocks = call->bytes / block_bytes;
    if (call->in == NULL && call->bytes != 0) {
        return FIN_ERR_NULL;
    }
    if (last &&
        state->f[0] != (fin_words_are_wide(instance->compression) ? UINT64_MAX : UINT32_MAX)) {
        return FIN_ERR_STATE;
    }
    if (last ? call->bytes > block_bytes : call->bytes % block_bytes != 0) {
        return FIN_ERR_BLOCK_LENGTH;
    }
    if (!fin_length_fits(instance, state->t, 0, call->bytes, 0) ||
        !fin_items_in_memory(call->in, last ? 0 : blocks, call->stride, block_bytes)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    return fin_dispatch_check(instance->compression);
}

static void fin_blocks_run(const fin_blocks_call *call, const fin_instance *instance,
                           fin_state *state, bool last)
{
    const bool big_endian =
        FIN_CPU_IS_BIG_ENDIAN && fin_family_of(instance->variant) != FIN_FAMILY_GROESTL;
    const size_t h_bytes = fin_state_bytes(instance->variant);
    fin_store_digest((uint8_t *)&state->h, call->h, h_bytes, true, big_endian);
    if (call->salt != NULL) {
        memcpy(&state->salt, call->salt, instance->block_bytes / 4);
    }
    if (last) {
        const fin_tail tail = {call->in, call->bytes, 0, 0};
        fin_finish(state, instance, &tail, NULL, state->f[1]);
    } else if (call->bytes != 0) {
        const size_t blocks = call->bytes / instance->block_bytes;
        fin_dispatch(instance->compression)
            ->compress(state, call->in, blocks, call->stride, instance->increment);
        fin_counter_advance(state->t, blocks, instance->increment);
    }
    fin_store_digest(call->h, &state->h, h_bytes, true, big_endian);
}

/* Compresses the call's blocks and advances its counter; changes nothing after an error. */
static fin_status fin_blocks(const fin_blocks_call *call)
{
    const fin_descriptor *descriptor = fin_descriptor_of(call->algorithm);
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    const fin_instance instance = fin_instance_of(descriptor, descriptor->info.digest_bytes);
    const bool groestl = descriptor->info.family == FIN_FAMILY_GROESTL;
    const bool wide = fin_words_are_wide(instance.compression);
    fin_state state = {.rounds = descriptor->rounds};
    if (wide) {
        memcpy(state.t, call->t, groestl ? 8 : 16);
        memcpy(state.f, call->f, groestl ? 8 : 16);
    } else {
        const uint32_t *t = call->t, *f = call->f;
        state.t[0] = t[0] | (uint64_t)t[1] << 32;
        fin_store_piece(state.f, f[0], f[1]);
    }
    const bool last = state.f[0] != 0;
    const fin_status status = fin_blocks_check(call, &instance, &state, last);
    if (status == FIN_OK) {
        fin_blocks_run(call, &instance, &state, last);
        const uint32_t t[2] = {(uint32_t)state.t[0], (uint32_t)(state.t[0] >> 32)};
        memcpy(call->t, wide ? (const void *)state.t : t, groestl || !wide ? 8 : 16);
    }
    fin_erase(&state, sizeof state);
    return status;
}

#define FIN_BLOCKS(name, id, state_name, salt)                                                    \
    fin_status fin_##name##_blocks(fin_##state_name##_state *state, const uint8_t *in,            \
                                   size_t bytes, size_t stride)                                   \
    {                                                                                             \
        if (state == NULL) {                                                                      \
            return FIN_ERR_NULL;                                                                  \
        }                                                                                         \
        const fin_blocks_call call = {id, state->H, salt, state->T, state->F, in, bytes, stride}; \
        return fin_blocks(&call);                                                                 \
    }

FIN_BLOCKS(blake2b, FIN_BLAKE2B, blake2b, NULL)
FIN_BLOCKS(blake2s, FIN_BLAKE2S, blake2s, NULL)
FIN_BLOCKS(blake224, FIN_BLAKE224, blake256, state->S)
FIN_BLOCKS(blake256, FIN_BLAKE256, blake256, state->S)
FIN_BLOCKS(blake384, FIN_BLAKE384, blake512, state->S)
FIN_BLOCKS(blake512, FIN_BLAKE512, blake512, state->S)
FIN_BLOCKS(blake28, FIN_BLAKE28, blake256, state->S)
FIN_BLOCKS(blake32, FIN_BLAKE32, blake256, state->S)
FIN_BLOCKS(blake48, FIN_BLAKE48, blake512, state->S)
FIN_BLOCKS(blake64, FIN_BLAKE64, blake512, state->S)
FIN_BLOCKS(groestl256, FIN_GROESTL256, groestl256, NULL)
FIN_BLOCKS(groestl512, FIN_GROESTL512, groestl512, NULL)
FIN_BLOCKS(groestl0_256, FIN_GROESTL0_256, groestl256, NULL)
FIN_BLOCKS(groestl0_512, FIN_GROESTL0_512, groestl512, NULL)

fin_status fin_blake2b_f(uint32_t rounds, uint64_t h[8], const uint8_t m[128], const uint64_t t[2],
                         bool final)
{
    if (h == NULL || m == NULL || t == NULL) {
        return FIN_ERR_NULL;
    }
    const fin_status status = fin_dispatch_check(FIN_COMPRESSION_BLAKE2B);
    if (status != FIN_OK) {
        return status;
    }
    fin_state state = {.t = {t[0], t[1]}, .f = {final ? UINT64_MAX : 0, 0}, .rounds = rounds};
    memcpy(state.h.w64, h, 64);
    fin_dispatch(FIN_COMPRESSION_BLAKE2B)->compress(&state, m, 1, 128, 0);
    memcpy(h, state.h.w64, 64);
    fin_erase(&state, sizeof state);
    return FIN_OK;
}
