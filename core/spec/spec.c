/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The functions of padding.h for callers without a constant variant.
 */
#include "spec/spec.h"

void fin_blake2_start(fin_state *state, fin_variant variant, const uint8_t block[64])
{
    fin_parameter_block pairs;
    for (size_t i = 0; i < 4; i++) {
        fin_piece pair;
        memcpy(&pair, block + 16 * i, sizeof pair);
        pairs.pair[i] = (fin_piece){FIN_TO_LE(64, pair[0]), FIN_TO_LE(64, pair[1])};
    }
    fin_blake2_seed(variant, state, &pairs);
    fin_store_piece(state->t, 0, 0);
    fin_store_piece(state->f, 0, 0);
}

void fin_start(fin_state *state, const fin_instance *instance, const uint8_t *parameter_block)
{
    const fin_variant variant = instance->variant;
    const size_t digest_bytes = (size_t)instance->digest_bytes;
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE2) {
        fin_blake2_start(state, variant, parameter_block);
        return;
    }
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE) {
        fin_blake_seed(variant, state, digest_bytes);
    } else {
        fin_groestl_seed(variant, state, digest_bytes);
    }
    fin_store_piece(state->t, 0, 0);
    fin_store_piece(state->f, 0, 0);
    state->rounds = instance->descriptor->rounds;
}

void fin_pad_instance(const uint64_t t[2], const fin_instance *instance, const fin_tail *tail,
                      uint8_t *padded, fin_final_blocks *final)
{
    FIN_FOR_VARIANT(instance->variant, fin_pad, (size_t)instance->digest_bytes, t, tail, padded,
                    false, final);
}

void fin_output(const fin_state *state, fin_variant variant, uint8_t *digest, size_t digest_bytes)
{
    FIN_FOR_VARIANT(variant, fin_output_as, state, digest, digest_bytes);
}
