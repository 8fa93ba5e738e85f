/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE around its compression function: initial values, salt, padding, counter, digest.
 * SHA-3 proposal BLAKE, sections 2.1.3, 2.1.4, 2.2.3 and 2.2.4.
 */
#include "internal.h"

#include "gen/blake_iv.inc"

static bool fin_is_blake512(fin_compression compression)
{
    return compression == FIN_COMPRESSION_BLAKE512;
}

/* The counter is of 64 (BLAKE-256) or 128 (BLAKE-512) bits and counts bits. */
static bool fin_blake_fits(const fin_state *state, fin_compression compression,
                           uint64_t pending_bytes, unsigned bit_count)
{
    const uint64_t low = (pending_bytes << 3) + bit_count;
    const uint64_t high = pending_bytes >> 61;
    const bool carry = low > UINT64_MAX - state->t[0];
    if (fin_is_blake512(compression)) {
        const uint64_t sum = state->t[1] + high;
        return sum >= high && !(carry && sum == UINT64_MAX);
    }
    return high == 0 && !carry;
}

static void fin_blake_start(fin_context *context, const fin_descriptor *descriptor)
{
    fin_state *state = &context->state;
    state->t[0] = state->t[1] = 0;
    switch (descriptor->info.digest_bytes) {
    case 28:
        memcpy(state->h.w32, fin_iv224, sizeof fin_iv224);
        break;
    case 32:
        memcpy(state->h.w32, fin_iv256, sizeof fin_iv256);
        break;
    case 48:
        memcpy(state->h.w64, fin_iv384, sizeof fin_iv384);
        break;
    default:
        memcpy(state->h.w64, fin_iv512, sizeof fin_iv512);
    }
}

static void fin_blake_length(uint8_t *at, const uint64_t t[2], bool wide)
{
    if (wide) {
        fin_store64_be(at, t[1]);
        at += 8;
    }
    fin_store64_be(at, t[0]);
}

/*
 * message, 1, 0 .. 0, full_length, length: the bit before the length tells the full digest
 * (-256, -512) from the shortened one. A block without any message bit is hashed with counter 0.
 */
static void fin_blake_pad(const fin_state *state, const fin_descriptor *descriptor,
                          fin_compression compression, const fin_tail *tail, fin_ends *ends)
{
    const size_t block_bytes = fin_block_bytes[compression];
    const size_t length_at = block_bytes - block_bytes / 8;
    const bool full_length =
        descriptor->info.digest_bytes == 32 || descriptor->info.digest_bytes == 64;
    const bool whole = tail->bytes == block_bytes;
    const uint32_t bits = (uint32_t)(8 * tail->bytes + tail->bit_count);
    const uint64_t t0 = state->t[0];
    const uint64_t t1 = state->t[1];
    const uint64_t sum = t0 + bits;
    ends->t[0] = sum;
    ends->t[1] = t1 + (sum < t0);
    ends->flag = 0;
    ends->count = bits + 2 > 8 * length_at ? 2 : 1;
    ends->end[0] = (fin_end){ends->padded, 1, {bits != 0 ? t0 : 0, bits != 0 ? t1 : 0}, bits};
    ends->end[1] = (fin_end){ends->padded + block_bytes, 1, {0, 0}, 0};
    fin_clear_padded(ends, ends->count * block_bytes);
    if (whole) {
        ends->end[0].in = tail->in;
        fin_store64_le(ends->padded + block_bytes, fin_padded_bits(tail));
        if (tail->bit_count != 0) {
            /* The second block has message bits of its own. */
            ends->end[0].increment = bits - tail->bit_count;
            ends->end[1].increment = tail->bit_count;
            ends->end[1].t[0] = t0 + ends->end[0].increment;
            ends->end[1].t[1] = t1 + (ends->end[1].t[0] < t0);
        }
    } else {
        fin_copy_tail(ends->padded, tail->in, tail->bytes, fin_padded_bits(tail));
    }
    uint8_t *last = ends->padded + (ends->count - 1) * block_bytes;
    if (full_length) {
        const uint64_t before_length = fin_load64_le(last + length_at - 8);
        fin_store64_le(last + length_at - 8, before_length | UINT64_C(1) << 56);
    }
    fin_blake_length(last + length_at, ends->t, fin_is_blake512(compression));
}

static void fin_blake_output(const fin_state *state, fin_compression compression, uint8_t *digest,
                             size_t digest_bytes)
{
    if (fin_is_blake512(compression)) {
        for (size_t i = 0; i < digest_bytes / 8; i++) {
            fin_store64_be(digest + 8 * i, state->h.w64[i]);
        }
    } else {
        for (size_t i = 0; i < digest_bytes / 4; i++) {
            fin_store32_be(digest + 4 * i, state->h.w32[i]);
        }
    }
}

const fin_family_ops fin_blake_ops = {fin_blake_fits, fin_blake_start, fin_blake_pad,
                                      fin_blake_output};
