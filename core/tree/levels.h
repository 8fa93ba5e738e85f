/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The levels of a BLAKE2 tree above its leaves. Level 1 is the lowest.
 */
#ifndef FIN_LEVELS_H
#define FIN_LEVELS_H

#include "message/message.h"

#pragma GCC visibility push(hidden)

/* Returns the root's instance. Other nodes differ only in their digest length,
   shape.inner_bytes. */
static inline fin_instance fin_tree_mode_instance(const fin_tree_mode_context *tree)
{
    return fin_instance_of(fin_descriptor_of(tree->algorithm), tree->digest_bytes);
}

/* Absorbs the digest of a node of the level below; passes completed nodes to the levels above. */
void fin_tree_mode_absorb(fin_tree_mode_context *tree, size_t k, const uint8_t *digest);

/* True if the node of this level is the root unless another one follows. */
bool fin_level_may_be_root(const fin_tree_mode_context *tree, size_t k);

/* Finalises the node of a level and writes its digest. last: it is the last node of its level. */
void fin_level_finish(fin_tree_mode_context *tree, size_t k, bool root, bool last, uint8_t *digest);

#pragma GCC visibility pop

#endif
