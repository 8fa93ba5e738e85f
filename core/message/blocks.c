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
    uint64_t flag, all_ones; /* F[0]: if set, the message ends here */
    const uint8_t *in;
    size_t bytes;
    size_t stride;
} fin_blocks_call;

static fin_status fin_blocks_check(const fin_blocks_call *call, const fin_instance *instance,
                                   const fin_state *state)
{
    const size_t block_bytes = instance->block_bytes, blocks = call->bytes / block_bytes;
    const bool last = call->flag != 0;
    if (call->in == NULL && call->bytes != 0) {
        return FIN_ERR_NULL;
    }
    if (last && call->flag != call->all_ones) {
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
                           fin_state *state)
{
    if (call->flag != 0) {
        const fin_tail tail = {call->in, call->bytes, 0, 0};
        fin_finish(state, instance, &tail, NULL, state->f[1]);
    } else if (call->bytes != 0) {
        const size_t blocks = call->bytes / instance->block_bytes;
        fin_dispatch(instance->compression)
            ->compress(state, call->in, blocks, call->stride, instance->increment);
        fin_counter_advance(state->t, blocks, instance->increment);
    }
}

/* Compresses the call's blocks. state: the counter and BLAKE2's last-node flag before them;
   unchanged after an error. */
static fin_status fin_blocks(const fin_blocks_call *call, fin_state *state)
{
    const fin_descriptor *descriptor = fin_descriptor_of(call->algorithm);
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    const fin_instance instance = fin_instance_of(descriptor, descriptor->info.digest_bytes);
    const fin_status status = fin_blocks_check(call, &instance, state);
    if (status != FIN_OK) {
        return status;
    }
    const bool big_endian = FIN_CPU_IS_BIG_ENDIAN && descriptor->info.family != FIN_FAMILY_GROESTL;
    const size_t h_bytes = fin_state_bytes(instance.variant);
    state->rounds = descriptor->rounds;
    fin_store_digest((uint8_t *)&state->h, call->h, h_bytes, true, big_endian);
    if (call->salt != NULL) {
        memcpy(&state->salt, call->salt, instance.block_bytes / 4);
    }
    fin_blocks_run(call, &instance, state);
    fin_store_digest(call->h, &state->h, h_bytes, true, big_endian);
    return FIN_OK;
}

static fin_status fin_blocks64(fin_algorithm algorithm, uint64_t h[8], const uint64_t *salt,
                               uint64_t t[2], const uint64_t f[2], const uint8_t *in, size_t bytes,
                               size_t stride)
{
    const fin_blocks_call call = {algorithm, h, salt, f[0], UINT64_MAX, in, bytes, stride};
    fin_state state = {.t = {t[0], t[1]}, .f = {0, f[1]}};
    const fin_status status = fin_blocks(&call, &state);
    memcpy(t, state.t, 16);
    fin_erase(&state, sizeof state);
    return status;
}

static fin_status fin_blocks32(fin_algorithm algorithm, uint32_t h[8], const uint32_t *salt,
                               uint32_t t[2], const uint32_t f[2], const uint8_t *in, size_t bytes,
                               size_t stride)
{
    const fin_blocks_call call = {algorithm, h, salt, f[0], UINT32_MAX, in, bytes, stride};
    fin_state state = {.t = {t[0] | (uint64_t)t[1] << 32, 0}, .f = {0, f[1]}};
    const fin_status status = fin_blocks(&call, &state);
    t[0] = (uint32_t)state.t[0];
    t[1] = (uint32_t)(state.t[0] >> 32);
    fin_erase(&state, sizeof state);
    return status;
}

static fin_status fin_groestl_blocks(fin_algorithm algorithm, uint8_t *h, uint64_t *t, uint64_t f,
                                     const uint8_t *in, size_t bytes, size_t stride)
{
    const fin_blocks_call call = {algorithm, h, NULL, f, UINT64_MAX, in, bytes, stride};
    fin_state state = {.t = {*t, 0}};
    const fin_status status = fin_blocks(&call, &state);
    *t = state.t[0];
    fin_erase(&state, sizeof state);
    return status;
}

#define FIN_BLAKE2_BLOCKS(name, id, bits)                                                         \
    fin_status fin_##name##_blocks(fin_##name##_state *state, const uint8_t *in, size_t bytes,    \
                                   size_t stride)                                                 \
    {                                                                                             \
        return state == NULL                                                                      \
                   ? FIN_ERR_NULL                                                                 \
                   : fin_blocks##bits(id, state->H, NULL, state->T, state->F, in, bytes, stride); \
    }

#define FIN_BLAKE_BLOCKS(name, id, state_name, bits)                                            \
    fin_status fin_##name##_blocks(fin_##state_name##_state *state, const uint8_t *in,          \
                                   size_t bytes, size_t stride)                                 \
    {                                                                                           \
        return state == NULL ? FIN_ERR_NULL                                                     \
                             : fin_blocks##bits(id, state->H, state->S, state->T, state->F, in, \
                                                bytes, stride);                                 \
    }

#define FIN_GROESTL_BLOCKS(name, id, state_name)                                                 \
    fin_status fin_##name##_blocks(fin_##state_name##_state *state, const uint8_t *in,           \
                                   size_t bytes, size_t stride)                                  \
    {                                                                                            \
        return state == NULL                                                                     \
                   ? FIN_ERR_NULL                                                                \
                   : fin_groestl_blocks(id, state->H, state->T, state->F[0], in, bytes, stride); \
    }

FIN_BLAKE2_BLOCKS(blake2b, FIN_BLAKE2B, 64)
FIN_BLAKE2_BLOCKS(blake2s, FIN_BLAKE2S, 32)
FIN_BLAKE_BLOCKS(blake224, FIN_BLAKE224, blake256, 32)
FIN_BLAKE_BLOCKS(blake256, FIN_BLAKE256, blake256, 32)
FIN_BLAKE_BLOCKS(blake384, FIN_BLAKE384, blake512, 64)
FIN_BLAKE_BLOCKS(blake512, FIN_BLAKE512, blake512, 64)
FIN_BLAKE_BLOCKS(blake28, FIN_BLAKE28, blake256, 32)
FIN_BLAKE_BLOCKS(blake32, FIN_BLAKE32, blake256, 32)
FIN_BLAKE_BLOCKS(blake48, FIN_BLAKE48, blake512, 64)
FIN_BLAKE_BLOCKS(blake64, FIN_BLAKE64, blake512, 64)
FIN_GROESTL_BLOCKS(groestl256, FIN_GROESTL256, groestl256)
FIN_GROESTL_BLOCKS(groestl512, FIN_GROESTL512, groestl512)
FIN_GROESTL_BLOCKS(groestl0_256, FIN_GROESTL0_256, groestl256)
FIN_GROESTL_BLOCKS(groestl0_512, FIN_GROESTL0_512, groestl512)

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
