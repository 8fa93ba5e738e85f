/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl around its compression function: initial value, padding, digest. Grøstl specification,
 * sections 3.3 to 3.5; Grøstl-0 differs only within the permutations.
 */
#include "family/family.h"

/* The padding holds the number of all blocks, its own included, in 64 bits. */
static bool fin_groestl_fits(const uint64_t t[2], const fin_instance *instance,
                             uint64_t pending_bytes, unsigned bit_count)
{
    (void)bit_count;
    const size_t block_bytes = instance->block_bytes;
    const uint64_t whole = pending_bytes / block_bytes;
    const size_t rest = (size_t)(pending_bytes % block_bytes);
    return whole + fin_groestl_padded_blocks(block_bytes, rest) <= UINT64_MAX - t[0];
}

/* The digest's length in bits as a big-endian number that fills the state. */
void fin_groestl_plain(fin_state *state, const fin_descriptor *descriptor, size_t digest_bytes)
{
    const uint64_t digest_bits = 8 * digest_bytes;
    const uint64_t last = (digest_bits & 0xff) << 56 | (digest_bits >> 8) << 48;
    const bool wide = digest_bytes > 32;
    memset(&state->h.w64[0], 0, 64);
    if (wide) {
        memset(&state->h.w64[8], 0, 64);
    }
    fin_store_piece(&state->h.w64[wide ? 14 : 6], 0, last);
    fin_store_piece(state->t, 0, 0);
    state->rounds = descriptor->rounds;
}

static void fin_groestl_start(fin_state *state, const fin_instance *instance,
                              const uint8_t *parameter_block)
{
    (void)parameter_block;
    fin_store_piece(state->f, 0, 0);
    fin_groestl_plain(state, instance->descriptor, (size_t)instance->digest_bytes);
}

void fin_groestl_set_count(uint8_t *end, uint64_t count)
{
    fin_or_piece(end - 16, 0, __builtin_bswap64(count));
}

/* message, 1, 0 .. 0, number of blocks. */
static void fin_groestl_pad(const uint64_t t[2], const fin_instance *instance, const fin_tail *tail,
                            fin_ends *ends)
{
    const size_t block_bytes = instance->block_bytes;
    const size_t count = fin_groestl_padded_blocks(block_bytes, tail->bytes);
    fin_padded_take(ends, count * block_bytes);
    fin_copy_tail(ends->padded, tail->in, tail->bytes, fin_padded_bits(tail), tail->in_pieces);
    fin_groestl_set_count(ends->padded + count * block_bytes, t[0] + count);
    fin_store_piece(ends->t, t[0] + count, 0);
    ends->count = 1;
    fin_segment_set(&ends->segment[0], ends->padded, count, t, 1);
    ends->segment[0].last = true;
}

void fin_groestl_digest(const fin_state *state, size_t block_bytes, uint8_t *digest,
                        size_t digest_bytes)
{
    const size_t half = block_bytes / 2;
    const uint64_t *second_half = &state->h.w64[half / 8];
    if (digest_bytes == half) {
        fin_store_digest(digest, second_half, half, true, false);
        return;
    }
    uint8_t whole[64];
    fin_store_digest(whole, second_half, half, true, false);
    memcpy(digest, whole + half - digest_bytes, digest_bytes);
    fin_erase(whole, sizeof whole);
}

static void fin_groestl_output(const fin_state *state, const fin_instance *instance,
                               uint8_t *digest, size_t digest_bytes)
{
    fin_groestl_digest(state, instance->block_bytes, digest, digest_bytes);
}

const fin_family_ops fin_groestl_ops = {fin_groestl_fits, fin_groestl_start, fin_groestl_pad,
                                        fin_groestl_output};
