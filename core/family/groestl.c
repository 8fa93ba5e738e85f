/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl around its compression function: initial value, padding, digest. Grøstl specification,
 * sections 3.3 to 3.5; Grøstl-0 differs only within the permutations.
 */
#include "internal.h"

static size_t fin_groestl_padded_blocks(size_t block_bytes, size_t bytes, unsigned bit_count)
{
    const size_t with_padding = 8 * bytes + bit_count + 1 + 64;
    return (with_padding + 8 * block_bytes - 1) / (8 * block_bytes);
}

/* The padding holds the number of all blocks, its own included, in 64 bits. */
static bool fin_groestl_fits(const fin_state *state, fin_compression compression,
                             uint64_t pending_bytes, unsigned bit_count)
{
    const size_t block_bytes = fin_block_bytes[compression];
    const uint64_t whole = pending_bytes / block_bytes;
    const size_t rest = (size_t)(pending_bytes % block_bytes);
    const uint64_t last = fin_groestl_padded_blocks(block_bytes, rest, bit_count);
    return whole + last <= UINT64_MAX - state->t[0];
}

/* The digest's length in bits as a big-endian number that fills the state. */
static void fin_groestl_start(fin_context *context, const fin_descriptor *descriptor)
{
    fin_state *state = &context->state;
    const size_t columns =
        fin_block_bytes[fin_descriptor_compression(descriptor, context->digest_bytes)] / 8U;
    const uint64_t digest_bits = 8 * context->digest_bytes;
    memset(state->h.w64, 0, 8 * columns);
    state->h.w64[columns - 1] = (digest_bits & 0xff) << 56 | (digest_bits >> 8) << 48;
    state->t[0] = state->t[1] = 0;
    state->f[0] = 0;
}

/* message, 1, 0 .. 0, number of blocks; then the output transformation. */
static void fin_groestl_pad(const fin_state *state, const fin_descriptor *descriptor,
                            fin_compression compression, const fin_tail *tail, fin_ends *ends)
{
    (void)descriptor;
    const size_t block_bytes = fin_block_bytes[compression];
    const size_t count = fin_groestl_padded_blocks(block_bytes, tail->bytes, tail->bit_count);
    uint8_t *blocks = ends->padded;
    fin_clear_padded(ends, count * block_bytes);
    fin_copy_tail(blocks, tail->in, tail->bytes, fin_padded_bits(tail));
    ends->t[0] = state->t[0] + count;
    ends->t[1] = 0;
    fin_store64_be(blocks + count * block_bytes - 8, ends->t[0]);
    ends->flag = UINT64_MAX;
    ends->count = 1;
    ends->end[0] = (fin_end){blocks, count, {state->t[0], 0}, 1};
}

static void fin_groestl_output(const fin_state *state, fin_compression compression, uint8_t *digest,
                               size_t digest_bytes)
{
    const size_t half = fin_block_bytes[compression] == 64 ? 4 : 8;
    uint8_t tail[64];
    for (size_t i = 0; i < half; i++) {
        fin_store64_le(tail + 8 * i, state->h.w64[half + i]);
    }
    memcpy(digest, tail + 8 * half - digest_bytes, digest_bytes);
}

const fin_family_ops fin_groestl_ops = {fin_groestl_fits, fin_groestl_start, fin_groestl_pad,
                                        fin_groestl_output};
