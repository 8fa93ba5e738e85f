/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl around its compression function: initial value, padding, digest. Grøstl specification,
 * sections 3.3 to 3.5; Grøstl-0 differs only within the permutations.
 */
#ifndef FIN_SPEC_GROESTL_H
#define FIN_SPEC_GROESTL_H

#include "spec/variant.h"

/* Sets the initial value: the digest's length in bits as a big-endian number that fills the
   state. */
FIN_INLINE void fin_groestl_seed(fin_variant variant, fin_state *state, size_t digest_bytes)
{
    const uint64_t digest_bits = 8 * digest_bytes;
    const uint64_t last = (digest_bits & 0xff) << 56 | (digest_bits >> 8) << 48;
    memset(&state->h.w64[0], 0, 64);
    if (fin_is_wide(variant)) {
        memset(&state->h.w64[8], 0, 64);
    }
    fin_store_piece(&state->h.w64[fin_is_wide(variant) ? 14 : 6], 0, last);
}

/* Sets one segment for all padded blocks, and counts them. */
FIN_INLINE void fin_groestl_end(const uint64_t t[2], uint8_t *padded, size_t count,
                                fin_final_blocks *final, uint64_t after[2])
{
    after[0] = t[0] + count;
    after[1] = 0;
    fin_segment_set(&final->segment[0], padded, count, t, 1);
}

/* Writes the digest: the last bytes of a chaining value. */
FIN_INLINE void fin_groestl_output(fin_variant variant, const uint64_t *h, uint8_t *digest,
                                   size_t digest_bytes)
{
    const size_t half = fin_variant_block(variant) / 2;
    const uint64_t *second_half = h + half / 8;
    if (digest_bytes == half) {
        fin_store_digest(digest, second_half, half, true, false);
        return;
    }
    uint8_t whole[64];
    fin_store_digest(whole, second_half, half, true, false);
    memcpy(digest, whole + half - digest_bytes, digest_bytes);
    fin_erase(whole, sizeof whole);
}

#endif
