/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The end of a message whose variant is not a constant.
 */
#include "message/message.h"

FIN_INLINE void fin_finish_counting(fin_variant variant, fin_state *state, const fin_impl *impl,
                                    size_t digest_bytes, const fin_tail *tail, uint8_t *padded,
                                    bool in_place, uint64_t last_node)
{
    const uint64_t t[2] = {state->t[0], state->t[1]};
    fin_ends ends;
    fin_pad(variant, digest_bytes, t, tail, padded, in_place, &ends);
    fin_compress_ends(variant, state, impl, &ends, last_node);
    fin_copy_piece(state->t, ends.t);
}

FIN_NOINLINE void fin_finish(fin_state *state, const fin_instance *instance, const fin_tail *tail,
                             uint8_t *padded, uint64_t last_node)
{
    _Alignas(64) uint8_t own[FIN_PADDED_BYTES];
    FIN_FOR_VARIANT(instance->variant, fin_finish_counting, state,
                    fin_dispatch(instance->compression), (size_t)instance->digest_bytes, tail,
                    padded != NULL ? padded : own, padded != NULL, last_node);
    if (padded == NULL) {
        fin_erase(own, sizeof own);
    }
}
