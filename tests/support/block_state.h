/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A common interface to the fourteen functions of the block interface: starts a state for an
 * algorithm, calls its function, reads and sets the counter, returns the digest.
 */
#ifndef FINALIST_TESTS_BLOCK_STATE_H
#define FINALIST_TESTS_BLOCK_STATE_H

#include "check.h"

typedef struct block_state {
    fin_algorithm algorithm;
    size_t digest_bytes;
    size_t block_bytes;
    union {
        fin_blake2b_state blake2b;
        fin_blake2s_state blake2s;
        fin_blake256_state blake256;
        fin_blake512_state blake512;
        fin_groestl256_state groestl256;
        fin_groestl512_state groestl512;
    } is;
} block_state;

/* The member of the union that an algorithm uses. */
typedef enum block_kind {
    BLOCKS_NONE,
    BLOCKS_BLAKE2B,
    BLOCKS_BLAKE2S,
    BLOCKS_BLAKE256,
    BLOCKS_BLAKE512,
    BLOCKS_GROESTL256,
    BLOCKS_GROESTL512
} block_kind;

static block_kind block_kind_of(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const bool wide = info->block_bytes == 128;
    switch (info->family) {
    case FIN_FAMILY_BLAKE:
        return wide ? BLOCKS_BLAKE512 : BLOCKS_BLAKE256;
    case FIN_FAMILY_GROESTL:
        return wide ? BLOCKS_GROESTL512 : BLOCKS_GROESTL256;
    case FIN_FAMILY_BLAKE2:
    case FIN_FAMILY_BLAKE3:
        break;
    }
    return algorithm == FIN_BLAKE2B   ? BLOCKS_BLAKE2B
           : algorithm == FIN_BLAKE2S ? BLOCKS_BLAKE2S
                                      : BLOCKS_NONE;
}

/* Returns the increment of the counter T for one block. */
CHECK_UNUSED static uint64_t block_increment(const block_state *state)
{
    switch (fin_algorithm_describe(state->algorithm)->family) {
    case FIN_FAMILY_BLAKE:
        return 8 * (uint64_t)state->block_bytes;
    case FIN_FAMILY_BLAKE2:
        return state->block_bytes;
    case FIN_FAMILY_GROESTL:
    case FIN_FAMILY_BLAKE3:
        break;
    }
    return 1;
}

static uint64_t block_load_be(const uint8_t *in, size_t bytes)
{
    uint64_t word = 0;
    for (size_t i = 0; i < bytes; i++) {
        word = word << 8 | in[i];
    }
    return word;
}

/* Sets Grøstl's initial value: the digest's length in bits. */
static void block_start_groestl(uint8_t *h, size_t h_bytes, size_t digest_bytes)
{
    memset(h, 0, h_bytes);
    h[h_bytes - 2] = (uint8_t)(8 * digest_bytes >> 8);
    h[h_bytes - 1] = (uint8_t)(8 * digest_bytes);
}

/*
 * Sets the state before the first block. Takes BLAKE's and BLAKE2's chaining value from a context,
 * which applies the parameters. Returns false for algorithms without a block interface.
 */
static bool block_start(block_state *state, fin_algorithm algorithm, const fin_params *params)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const block_kind kind = block_kind_of(algorithm);
    fin_context context;
    memset(state, 0, sizeof *state);
    state->algorithm = algorithm;
    state->digest_bytes = info->digest_bytes;
    state->block_bytes = info->block_bytes;
    if (kind == BLOCKS_NONE || !CHECK_NEEDED(fin_init(&context, algorithm, params) == FIN_OK)) {
        return false;
    }
    if (kind == BLOCKS_BLAKE2B) {
        memcpy(state->is.blake2b.H, context.state.h.w64, 64);
    } else if (kind == BLOCKS_BLAKE2S) {
        memcpy(state->is.blake2s.H, context.state.h.w32, 32);
    } else if (kind == BLOCKS_BLAKE256) {
        memcpy(state->is.blake256.H, context.state.h.w32, 32);
    } else if (kind == BLOCKS_BLAKE512) {
        memcpy(state->is.blake512.H, context.state.h.w64, 64);
    } else if (kind == BLOCKS_GROESTL256) {
        block_start_groestl(state->is.groestl256.H, 64, info->digest_bytes);
    } else {
        block_start_groestl(state->is.groestl512.H, 128, info->digest_bytes);
    }
    for (size_t i = 0; i < 4 && params != NULL && params->salt_bytes != 0; i++) {
        if (kind == BLOCKS_BLAKE256) {
            state->is.blake256.S[i] = (uint32_t)block_load_be(params->salt + 4 * i, 4);
        } else if (kind == BLOCKS_BLAKE512) {
            state->is.blake512.S[i] = block_load_be(params->salt + 8 * i, 8);
        }
    }
    return true;
}

CHECK_UNUSED static void block_set_counter(block_state *state, uint64_t low, uint64_t high)
{
    switch (block_kind_of(state->algorithm)) {
    case BLOCKS_BLAKE2B:
        state->is.blake2b.T[0] = low;
        state->is.blake2b.T[1] = high;
        break;
    case BLOCKS_BLAKE512:
        state->is.blake512.T[0] = low;
        state->is.blake512.T[1] = high;
        break;
    case BLOCKS_BLAKE2S:
        state->is.blake2s.T[0] = (uint32_t)low;
        state->is.blake2s.T[1] = (uint32_t)(low >> 32);
        break;
    case BLOCKS_BLAKE256:
        state->is.blake256.T[0] = (uint32_t)low;
        state->is.blake256.T[1] = (uint32_t)(low >> 32);
        break;
    case BLOCKS_GROESTL256:
        state->is.groestl256.T[0] = low;
        break;
    case BLOCKS_GROESTL512:
        state->is.groestl512.T[0] = low;
        break;
    case BLOCKS_NONE:
        break;
    }
}

CHECK_UNUSED static void block_counter(const block_state *state, uint64_t counter[2])
{
    counter[1] = 0;
    switch (block_kind_of(state->algorithm)) {
    case BLOCKS_BLAKE2B:
        memcpy(counter, state->is.blake2b.T, 16);
        break;
    case BLOCKS_BLAKE512:
        memcpy(counter, state->is.blake512.T, 16);
        break;
    case BLOCKS_BLAKE2S:
        counter[0] = state->is.blake2s.T[0] | (uint64_t)state->is.blake2s.T[1] << 32;
        break;
    case BLOCKS_BLAKE256:
        counter[0] = state->is.blake256.T[0] | (uint64_t)state->is.blake256.T[1] << 32;
        break;
    case BLOCKS_GROESTL256:
        counter[0] = state->is.groestl256.T[0];
        break;
    case BLOCKS_GROESTL512:
        counter[0] = state->is.groestl512.T[0];
        break;
    case BLOCKS_NONE:
        counter[0] = 0;
        break;
    }
}

static void block_set_flags(block_state *state, uint64_t last, uint64_t last_node)
{
    switch (block_kind_of(state->algorithm)) {
    case BLOCKS_BLAKE2B:
        state->is.blake2b.F[0] = last;
        state->is.blake2b.F[1] = last_node;
        break;
    case BLOCKS_BLAKE2S:
        state->is.blake2s.F[0] = (uint32_t)last;
        state->is.blake2s.F[1] = (uint32_t)last_node;
        break;
    case BLOCKS_BLAKE256:
        state->is.blake256.F[0] = (uint32_t)last;
        break;
    case BLOCKS_BLAKE512:
        state->is.blake512.F[0] = last;
        break;
    case BLOCKS_GROESTL256:
        state->is.groestl256.F[0] = last;
        break;
    case BLOCKS_GROESTL512:
        state->is.groestl512.F[0] = last;
        break;
    case BLOCKS_NONE:
        break;
    }
}

/* Returns the size of the algorithm's own state. */
CHECK_UNUSED static size_t block_state_bytes(fin_algorithm algorithm)
{
    static const size_t bytes[] = {[BLOCKS_NONE] = 0,
                                   [BLOCKS_BLAKE2B] = sizeof(fin_blake2b_state),
                                   [BLOCKS_BLAKE2S] = sizeof(fin_blake2s_state),
                                   [BLOCKS_BLAKE256] = sizeof(fin_blake256_state),
                                   [BLOCKS_BLAKE512] = sizeof(fin_blake512_state),
                                   [BLOCKS_GROESTL256] = sizeof(fin_groestl256_state),
                                   [BLOCKS_GROESTL512] = sizeof(fin_groestl512_state)};
    return bytes[block_kind_of(algorithm)];
}

/* Calls the algorithm's own function on its own state. */
static fin_status block_call_on(fin_algorithm algorithm, void *state, const uint8_t *in,
                                size_t bytes, size_t stride)
{
    switch (algorithm) {
    case FIN_BLAKE2B:
        return fin_blake2b_blocks(state, in, bytes, stride);
    case FIN_BLAKE2S:
        return fin_blake2s_blocks(state, in, bytes, stride);
    case FIN_BLAKE224:
        return fin_blake224_blocks(state, in, bytes, stride);
    case FIN_BLAKE256:
        return fin_blake256_blocks(state, in, bytes, stride);
    case FIN_BLAKE384:
        return fin_blake384_blocks(state, in, bytes, stride);
    case FIN_BLAKE512:
        return fin_blake512_blocks(state, in, bytes, stride);
    case FIN_BLAKE28:
        return fin_blake28_blocks(state, in, bytes, stride);
    case FIN_BLAKE32:
        return fin_blake32_blocks(state, in, bytes, stride);
    case FIN_BLAKE48:
        return fin_blake48_blocks(state, in, bytes, stride);
    case FIN_BLAKE64:
        return fin_blake64_blocks(state, in, bytes, stride);
    case FIN_GROESTL224:
    case FIN_GROESTL256:
        return fin_groestl256_blocks(state, in, bytes, stride);
    case FIN_GROESTL384:
    case FIN_GROESTL512:
        return fin_groestl512_blocks(state, in, bytes, stride);
    case FIN_GROESTL0_224:
    case FIN_GROESTL0_256:
        return fin_groestl0_256_blocks(state, in, bytes, stride);
    case FIN_GROESTL0_384:
    case FIN_GROESTL0_512:
        return fin_groestl0_512_blocks(state, in, bytes, stride);
    case FIN_BLAKE2BP:
    case FIN_BLAKE2SP:
    case FIN_BLAKE2XB:
    case FIN_BLAKE2XS:
    case FIN_BLAKE3:
        break;
    }
    return FIN_ERR_ALGORITHM;
}

/* Does the same with the flags in the state. */
static fin_status block_call(block_state *state, const uint8_t *in, size_t bytes, size_t stride)
{
    return block_call_on(state->algorithm, &state->is, in, bytes, stride);
}

CHECK_UNUSED static fin_status block_final(block_state *state, const uint8_t *in, size_t bytes)
{
    block_set_flags(state, UINT64_MAX, 0);
    return block_call(state, in, bytes, state->block_bytes);
}

/* Writes the digest of a state after its final call. */
CHECK_UNUSED static void block_digest(const block_state *state, uint8_t *digest)
{
    for (size_t i = 0; i < state->digest_bytes; i++) {
        const size_t from_end = state->digest_bytes - i;
        switch (block_kind_of(state->algorithm)) {
        case BLOCKS_BLAKE2B:
            digest[i] = (uint8_t)(state->is.blake2b.H[i / 8] >> 8 * (i % 8));
            break;
        case BLOCKS_BLAKE2S:
            digest[i] = (uint8_t)(state->is.blake2s.H[i / 4] >> 8 * (i % 4));
            break;
        case BLOCKS_BLAKE256:
            digest[i] = (uint8_t)(state->is.blake256.H[i / 4] >> (24 - 8 * (i % 4)));
            break;
        case BLOCKS_BLAKE512:
            digest[i] = (uint8_t)(state->is.blake512.H[i / 8] >> (56 - 8 * (i % 8)));
            break;
        case BLOCKS_GROESTL256:
            digest[i] = state->is.groestl256.H[64 - from_end];
            break;
        case BLOCKS_GROESTL512:
            digest[i] = state->is.groestl512.H[128 - from_end];
            break;
        case BLOCKS_NONE:
            break;
        }
    }
}

/* Runs `test` for every algorithm of the block interface with each of its implementations. */
CHECK_UNUSED static void block_each(check_visit *test)
{
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm algorithm = fin_algorithm_at(i)->algorithm;
        if (block_kind_of(algorithm) != BLOCKS_NONE) {
            check_each_impl(algorithm, test, NULL);
        }
    }
}

#endif
