/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The end of a message whose variant is not a constant.
 */
#include "message/message.h"

FIN_INLINE void fin_finish_counting(fin_variant variant, fin_state *state, const fin_impl *impl,
                                    size_t digest_bytes, const fin_tail *tail, uint8_t *padded,
                                    uint64_t last_node)
{
    const uint64_t t[2] = {state->t[0], state->t[1]};
    const fin_ends ends =
        fin_finish_as(variant, state, t, impl, digest_bytes, tail, padded, last_node);
    fin_store_piece(state->t, ends.t[0], ends.t[1]);
}

FIN_NOINLINE void fin_finish(fin_state *state, const fin_instance *instance, const fin_tail *tail,
                             uint8_t *padded, uint64_t last_node)
{
    _Alignas(64) uint8_t own[FIN_PADDED_BYTES];
    FIN_FOR_VARIANT(instance->variant, fin_finish_counting, state,
                    fin_dispatch(instance->compression), (size_t)instance->digest_bytes, tail,
                    padded != NULL ? padded : own, last_node);
    if (padded == NULL) {
        fin_erase(own, sizeof own);
    }
}
