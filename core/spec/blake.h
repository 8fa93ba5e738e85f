/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE around its compression function: initial values, salt, padding, counter.
 * SHA-3 proposal BLAKE, sections 2.1.3, 2.1.4, 2.2.3 and 2.2.4.
 */
#ifndef FIN_SPEC_BLAKE_H
#define FIN_SPEC_BLAKE_H

#include "spec/variant.h"

#include "spec/blake_iv.h"

/* True if the counter does not overflow: 64 bits (BLAKE-256) or 128 (BLAKE-512), counting bits. */
FIN_INLINE bool fin_blake_fits(fin_variant variant, const uint64_t t[2], uint64_t pending_bytes,
                               unsigned bit_count)
{
    const uint64_t low = (pending_bytes << 3) + bit_count;
    const uint64_t high = pending_bytes >> 61;
    const bool carry = low > UINT64_MAX - t[0];
    if (fin_is_wide(variant)) {
        const uint64_t sum = t[1] + high;
        return sum >= high && !(carry && sum == UINT64_MAX);
    }
    return high == 0 && !carry;
}

FIN_INLINE void fin_blake_seed(fin_variant variant, fin_state *state, size_t digest_bytes)
{
    const void *iv = fin_is_wide(variant) ? digest_bytes == 48 ? fin_iv384 : fin_iv512
                     : digest_bytes == 28 ? (const void *)fin_iv224
                                          : (const void *)fin_iv256;
    /* Hidden from gcc, which would store constants word by word and stall the kernel's loads. */
    __asm__("" : "+r"(iv));
    for (size_t i = 0; i < (fin_is_wide(variant) ? 64 : 32); i += 16) {
        fin_copy_piece((uint8_t *)&state->h + i, (const uint8_t *)iv + i);
    }
}

/* Stores the salt's words in the state; zeros without salt. */
FIN_INLINE void fin_blake_set_salt(fin_variant variant, fin_state *state, const fin_params *params)
{
    const uint8_t *salt = params != NULL && params->salt_bytes != 0 ? params->salt : NULL;
    for (size_t i = 0; i < fin_variant_block(variant) / 4; i += 16) {
        if (salt == NULL) {
            fin_store_piece((uint8_t *)&state->salt + i, 0, 0);
        } else if (FIN_CPU_IS_BIG_ENDIAN) {
            fin_copy_piece((uint8_t *)&state->salt + i, salt + i);
        } else {
            fin_copy_piece_reversed((uint8_t *)&state->salt + i, salt + i, fin_is_wide(variant));
        }
    }
}

/* True for BLAKE-256 and -512, whose padding has a 1 before the length; truncated digests have
   none. */
FIN_INLINE bool fin_blake_is_full(size_t digest_bytes)
{
    return digest_bytes == 32 || digest_bytes == 64;
}

/* Returns a counter of message bits or, for a block that holds none of them, 0. */
FIN_INLINE uint64_t fin_blake_counter(uint64_t bits, bool holds_bits)
{
    return holds_bits ? bits : 0;
}

/* Sets a segment of one block that holds this many message bits. BLAKE-256's counter has one word. */
FIN_INLINE void fin_blake_set_block(fin_variant variant, fin_segment *segment, const uint8_t *in,
                                    const uint64_t t[2], uint32_t bits)
{
    const uint64_t before[2] = {fin_blake_counter(t[0], bits != 0),
                                fin_is_wide(variant) ? fin_blake_counter(t[1], bits != 0) : 0};
    fin_segment_set(segment, in, 1, before, bits);
}

/* Sets the last two blocks; of a tail that is a whole block, the first one is read in place. */
FIN_INLINE void fin_blake_end(fin_variant variant, const uint64_t t[2], const fin_tail *tail,
                              uint8_t *padded, fin_final_blocks *final, uint64_t after[2])
{
    const size_t block_bytes = fin_variant_block(variant);
    const uint32_t bits = (uint32_t)(8 * tail->bytes + tail->bit_count);
    after[0] = t[0] + bits;
    after[1] = fin_is_wide(variant) ? t[1] + (after[0] < t[0]) : 0;
    if (tail->bytes == block_bytes) {
        const uint32_t block_bits = fin_variant_increment(variant);
        uint64_t next[2] = {t[0], t[1]};
        fin_counter_add(next, 1, block_bits);
        fin_blake_set_block(variant, &final->segment[0], tail->in, t, block_bits);
        fin_blake_set_block(variant, &final->segment[1], padded + block_bytes, next,
                            tail->bit_count);
    } else {
        fin_blake_set_block(variant, &final->segment[0], padded, t, bits);
        fin_blake_set_block(variant, &final->segment[1], padded + block_bytes, t, 0);
    }
}

#endif
