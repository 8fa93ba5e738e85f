/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The nodes of BLAKE2's trees above the leaves. Level k is tree->levels[k - 1].
 *
 * Each level has one incomplete node, which absorbs its children's digests as they arrive, so
 * memory does not grow with the message. A node is completed when one more child arrives than it
 * can have: only then is it known not to be the last of its level.
 *
 * Only the end shows whether the first node of a level is the root, but the root has its own digest
 * length and hence another initial value. So the first node of the highest level so far, which may
 * be the root, is computed both ways.
 */
#include "tree/levels.h"

/* Returns the level whose only node absorbs everything below it. */
static size_t fin_tree_mode_top(const fin_tree_mode_context *tree)
{
    const size_t top = tree->shape.depth - 1U;
    if (tree->shape.fanout == 0) {
        return 1;
    }
    return top < FIN_TREE_MODE_LEVELS_MAX ? top : FIN_TREE_MODE_LEVELS_MAX;
}

/* Sets the state of a node above the leaves before its first byte. */
static void fin_tree_mode_node(const fin_tree_mode_context *tree, size_t k, uint64_t offset,
                               uint64_t digest_bytes, fin_state *state)
{
    const fin_variant variant = fin_tree_mode_instance(tree).variant;
    const fin_node_fields node = {.digest_bytes = (uint8_t)digest_bytes,
                                  .key_bytes = tree->parameter_block[FIN_NODE_KEY],
                                  .fanout = tree->shape.fanout,
                                  .depth = tree->shape.depth,
                                  .leaf_bytes = tree->shape.leaf_bytes,
                                  .offset = offset,
                                  .node_depth = (uint8_t)k,
                                  .inner_bytes = tree->shape.inner_bytes};
    uint8_t block[64];
    memcpy(block, tree->parameter_block, sizeof block);
    fin_blake2_replace_node(variant, block, node);
    fin_blake2_start(state, variant, block);
}

static void fin_level_begin(fin_tree_mode_context *tree, size_t k, uint64_t offset)
{
    fin_tree_mode_level *level = &tree->levels[k - 1];
    fin_state state;
    fin_tree_mode_node(tree, k, offset, tree->shape.inner_bytes, &state);
    memcpy(level->h, &state.h, sizeof level->h);
    if (offset == 0) {
        fin_tree_mode_node(tree, k, offset, tree->digest_bytes, &state);
        memcpy(tree->root_h, &state.h, sizeof tree->root_h);
        tree->level_count = (uint32_t)k;
    }
    level->node_offset = offset;
    level->child_count = 0;
    level->absorbed_bytes = 0;
    level->buffered_bytes = 0;
}

/* A level above begins only once the first node is complete and the second one begins. */
bool fin_level_may_be_root(const fin_tree_mode_context *tree, size_t k)
{
    return tree->levels[k - 1].node_offset == 0;
}

static void fin_level_load(const fin_tree_mode_context *tree, size_t k, bool root, fin_state *state)
{
    const fin_tree_mode_level *level = &tree->levels[k - 1];
    memcpy(&state->h, root ? tree->root_h : level->h, sizeof level->h);
    fin_store_piece(state->t, level->absorbed_bytes, 0);
    fin_store_piece(state->f, 0, 0);
    state->rounds = fin_descriptor_of(tree->algorithm)->rounds;
}

/* Compresses the full buffer into one of the two chaining values. */
static void fin_level_compress(fin_tree_mode_context *tree, size_t k, bool root)
{
    fin_tree_mode_level *level = &tree->levels[k - 1];
    const fin_instance instance = fin_tree_mode_instance(tree);
    fin_state state;
    fin_level_load(tree, k, root, &state);
    fin_compress(&state, &instance, level->buffer, 1);
    memcpy(root ? tree->root_h : level->h, &state.h, sizeof level->h);
    fin_erase(&state, sizeof state);
}

static void fin_level_add(fin_tree_mode_context *tree, size_t k, const uint8_t *digest)
{
    fin_tree_mode_level *level = &tree->levels[k - 1];
    const uint32_t block_bytes = fin_tree_mode_instance(tree).block_bytes;
    size_t left = tree->shape.inner_bytes;
    level->child_count++;
    while (left != 0) {
        if (level->buffered_bytes == block_bytes) {
            if (k != fin_tree_mode_top(tree)) {
                fin_level_compress(tree, k, false);
            }
            if (fin_level_may_be_root(tree, k)) {
                fin_level_compress(tree, k, true);
            }
            level->absorbed_bytes += block_bytes;
            level->buffered_bytes = 0;
        }
        const size_t space = block_bytes - level->buffered_bytes;
        const size_t take = left < space ? left : space;
        memcpy(level->buffer + level->buffered_bytes, digest, take);
        level->buffered_bytes += (uint32_t)take;
        digest += take;
        left -= take;
    }
}

void fin_level_finish(fin_tree_mode_context *tree, size_t k, bool root, bool last, uint8_t *digest)
{
    const fin_tree_mode_level *level = &tree->levels[k - 1];
    const fin_instance instance = fin_tree_mode_instance(tree);
    const fin_tail tail = {level->buffer, level->buffered_bytes, 0, 0};
    fin_state state;
    fin_level_load(tree, k, root, &state);
    fin_finish(&state, &instance, &tail, NULL, last ? UINT64_MAX : 0);
    fin_output(&state, instance.variant, digest,
               root ? (size_t)tree->digest_bytes : tree->shape.inner_bytes);
    fin_erase(&state, sizeof state);
}

void fin_tree_mode_absorb(fin_tree_mode_context *tree, size_t k, const uint8_t *digest)
{
    uint8_t carried[64], completed[64];
    memcpy(carried, digest, tree->shape.inner_bytes);
    for (bool full = true; full; k++) {
        if (k > tree->level_count) {
            fin_level_begin(tree, k, 0);
        }
        const fin_tree_mode_level *level = &tree->levels[k - 1];
        full = k != fin_tree_mode_top(tree) && level->child_count == tree->shape.fanout;
        if (full) {
            fin_level_finish(tree, k, false, false, completed);
            fin_level_begin(tree, k, level->node_offset + 1);
        }
        fin_level_add(tree, k, carried);
        memcpy(carried, completed, full ? tree->shape.inner_bytes : 0);
    }
    fin_erase(carried, sizeof carried);
    fin_erase(completed, sizeof completed);
}
