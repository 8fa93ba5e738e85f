/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE around its compression function: initial values, salt, padding, counter, digest.
 * SHA-3 proposal BLAKE, sections 2.1.3, 2.1.4, 2.2.3 and 2.2.4.
 */
#include "family/family.h"

#include "gen/blake_iv.inc"

static bool fin_is_blake512(fin_compression compression)
{
    return compression == FIN_COMPRESSION_BLAKE512;
}

/* The counter is of 64 (BLAKE-256) or 128 (BLAKE-512) bits and counts bits. */
static bool fin_blake_fits(const uint64_t t[2], const fin_instance *instance,
                           uint64_t pending_bytes, unsigned bit_count)
{
    const uint64_t low = (pending_bytes << 3) + bit_count;
    const uint64_t high = pending_bytes >> 61;
    const bool carry = low > UINT64_MAX - t[0];
    if (fin_is_blake512(instance->compression)) {
        const uint64_t sum = t[1] + high;
        return sum >= high && !(carry && sum == UINT64_MAX);
    }
    return high == 0 && !carry;
}

static void fin_copy_pieces(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 16) {
        fin_copy_piece((uint8_t *)to + i, (const uint8_t *)from + i);
    }
}

static void fin_blake_set_iv(fin_state *state, size_t digest_bytes)
{
    switch (digest_bytes) {
    case 28:
        fin_copy_pieces(&state->h, fin_iv224, 32);
        break;
    case 32:
        fin_copy_pieces(&state->h, fin_iv256, 32);
        break;
    case 48:
        fin_copy_pieces(&state->h, fin_iv384, 64);
        break;
    default:
        fin_copy_pieces(&state->h, fin_iv512, 64);
    }
}

static void fin_blake_start(fin_state *state, const fin_instance *instance,
                            const uint8_t *parameter_block)
{
    (void)parameter_block;
    fin_store_piece(state->t, 0, 0);
    fin_store_piece(state->f, 0, 0);
    state->rounds = instance->descriptor->rounds;
    fin_blake_set_iv(state, (size_t)instance->digest_bytes);
}

void fin_blake_plain(fin_state *state, const fin_descriptor *descriptor)
{
    fin_store_piece(state->t, 0, 0);
    fin_store_piece(&state->salt, 0, 0);
    fin_store_piece((uint8_t *)&state->salt + 16, 0, 0);
    state->rounds = descriptor->rounds;
    fin_blake_set_iv(state, descriptor->info.digest_bytes);
}

void fin_blake_set_length(uint8_t *end, const fin_descriptor *descriptor, uint64_t bits,
                          uint64_t bits_high)
{
    const size_t digest_bytes = descriptor->info.digest_bytes;
    const uint64_t full_length = digest_bytes == 32 || digest_bytes == 64 ? UINT64_C(1) << 56 : 0;
    if (fin_is_blake512(descriptor->small_compression)) {
        fin_or_piece(end - 32, 0, full_length);
        fin_or_piece(end - 16, __builtin_bswap64(bits_high), __builtin_bswap64(bits));
    } else {
        fin_or_piece(end - 16, full_length, __builtin_bswap64(bits));
    }
}

/* The two segments of a tail that is a whole block: its own bytes where they lie, and a padded block
   that may have message bits of its own. */
static void fin_blake_pad_whole(const uint64_t t[2], const fin_tail *tail, size_t block_bytes,
                                fin_ends *ends)
{
    uint8_t *second = ends->padded + block_bytes;
    const uint32_t whole_bits = 8 * (uint32_t)block_bytes;
    const uint64_t sum = t[0] + whole_bits;
    const uint64_t after[2] = {sum, t[1] + (sum < t[0])};
    const uint64_t zero[2] = {0, 0};
    fin_segment_set(&ends->segment[0], tail->in, 1, t, whole_bits);
    fin_segment_set(&ends->segment[1], second, 1, tail->bit_count != 0 ? after : zero,
                    tail->bit_count);
    fin_store_piece(second, FIN_TO_LE(64, (uint64_t)fin_padded_bits(tail)), 0);
}

/*
 * message, 1, 0 .. 0, full_length, length: the bit before the length tells the full digest
 * (-256, -512) from the shortened one. A block without any message bit is hashed with counter 0.
 */
static void fin_blake_pad(const uint64_t t[2], const fin_instance *instance, const fin_tail *tail,
                          fin_ends *ends)
{
    const size_t block_bytes = instance->block_bytes;
    const uint32_t bits = (uint32_t)(8 * tail->bytes + tail->bit_count);
    const uint64_t zero[2] = {0, 0};
    const uint64_t sum = t[0] + bits;
    const uint64_t sum_high = t[1] + (sum < t[0]);
    fin_store_piece(ends->t, sum, sum_high);
    ends->count = fin_blake_padded_blocks(block_bytes, bits);
    fin_padded_take(ends, ends->count * block_bytes);
    if (tail->bytes == block_bytes) {
        fin_blake_pad_whole(t, tail, block_bytes, ends);
    } else {
        fin_segment_set(&ends->segment[0], ends->padded, 1, bits != 0 ? t : zero, bits);
        fin_segment_set(&ends->segment[1], ends->padded + block_bytes, 1, zero, 0);
        fin_copy_tail(ends->padded, tail->in, tail->bytes, fin_padded_bits(tail), tail->in_pieces);
    }
    fin_blake_set_length(ends->padded + ends->count * block_bytes, instance->descriptor, sum,
                         sum_high);
    ends->segment[ends->count - 1].last = true;
}

static void fin_blake_output(const fin_state *state, const fin_instance *instance, uint8_t *digest,
                             size_t digest_bytes)
{
    fin_store_digest(digest, &state->h, digest_bytes, fin_is_blake512(instance->compression), true);
}

const fin_family_ops fin_blake_ops = {fin_blake_fits, fin_blake_start, fin_blake_pad,
                                      fin_blake_output};
