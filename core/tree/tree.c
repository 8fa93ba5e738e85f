/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE2's tree mode: BLAKE2 paper of 2013-01-29, section 2.10. What the paper leaves open is said
 * in finalist.h.
 *
 * Leaves are hashed in lanes. Each level above them has one node that is not complete; it absorbs
 * its children's digests as they come, so memory does not grow with the message. A node is complete
 * when a child arrives that it has no place for: then it is known not to be the last of its level.
 *
 * Whether the first node of a level is the root shows only at the end, but the root has a digest
 * length of its own and hence another initial value. It is the first node of the highest level so
 * far: that one is computed both ways.
 */
#include "message/message.h"

enum { FIN_TREE_GROUP = 64 /* leaves hashed together */ };

/* ---- Parameters ---- */

/* The instance of the root. Other nodes have digests of shape.inner_bytes, and the same otherwise. */
static fin_instance fin_tree_instance(const fin_tree_context *tree)
{
    return fin_instance_of(fin_descriptor_of(tree->algorithm), tree->digest_bytes);
}

/* Depth 1 is sequential hashing: the only leaf is all there is. */
static bool fin_tree_sequential(const fin_tree_context *tree)
{
    return tree->shape.depth == 1;
}

/* The level whose only node takes all that is below it. */
static size_t fin_tree_top(const fin_tree_context *tree)
{
    const size_t top = tree->shape.depth - 1U;
    if (tree->shape.fanout == 0) {
        return 1;
    }
    return top < FIN_TREE_LEVELS_MAX ? top : FIN_TREE_LEVELS_MAX;
}

static bool fin_tree_shape_valid(const fin_descriptor *descriptor, const fin_tree *shape)
{
    if (!fin_blake2_tree_valid(descriptor, shape) || shape->node_offset != 0 ||
        shape->node_depth != 0 || shape->last_node) {
        return false;
    }
    if (shape->depth == 1) {
        return shape->fanout == 1 && shape->leaf_bytes == 0 && shape->inner_bytes == 0;
    }
    return shape->fanout != 1 && shape->inner_bytes != 0;
}

/*
 * The parameters of a leaf, for as long as shape lives. Salt and personalisation stand padded in
 * the parameter block, which holds two salts' lengths of other things first.
 */
static fin_params fin_tree_leaf_params(const fin_tree_context *tree, const fin_tree *shape)
{
    const fin_algorithm_info *info = &fin_descriptor_of(tree->algorithm)->info;
    const uint8_t *salt = tree->parameter_block + 2 * info->salt_bytes;
    return (fin_params){.digest_bytes = fin_tree_sequential(tree) ? tree->digest_bytes
                                                                  : tree->shape.inner_bytes,
                        .key = tree->key,
                        .key_bytes = tree->key_bytes,
                        .salt = salt,
                        .salt_bytes = info->salt_bytes,
                        .personal = salt + info->salt_bytes,
                        .personal_bytes = info->personal_bytes,
                        .tree = shape};
}

fin_status fin_tree_init(fin_tree_context *tree, fin_algorithm algorithm, const fin_params *params)
{
    fin_instance instance;
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (tree == NULL) {
        return FIN_ERR_NULL;
    }
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    if (params == NULL || params->tree == NULL || !fin_tree_shape_valid(descriptor, params->tree)) {
        return FIN_ERR_TREE;
    }
    const fin_status status = fin_prepare(&instance, descriptor, params);
    if (status != FIN_OK) {
        return status;
    }
    tree->shape = *params->tree;
    tree->digest_bytes = instance.digest_bytes;
    fin_blake2_parameters(tree->parameter_block, &instance, params);
    tree->key_bytes = (uint8_t)params->key_bytes;
    if (params->key_bytes != 0) {
        memcpy(tree->key, params->key, params->key_bytes);
    }
    tree->algorithm = (uint8_t)algorithm;
    tree->leaf_count = 0;
    tree->open_bytes = 0;
    tree->leaf_open = false;
    tree->level_count = 0;
    tree->phase = FIN_PHASE_ABSORB;
    return FIN_OK;
}

void fin_tree_wipe(fin_tree_context *tree)
{
    if (tree != NULL) {
        fin_erase(tree, sizeof *tree);
    }
}

/* Erases all that a message has written. */
static void fin_tree_erase(fin_tree_context *tree)
{
    fin_erase(tree, offsetof(fin_tree_context, levels) + tree->level_count * sizeof *tree->levels);
}

/* ---- Levels above the leaves: level k is tree->levels[k - 1] ---- */

/* The state of a node above the leaves before its first byte. */
static void fin_tree_node(const fin_tree_context *tree, size_t k, uint64_t offset,
                          uint64_t digest_bytes, fin_state *state)
{
    const fin_compression compression = fin_tree_instance(tree).compression;
    const size_t depth_at = fin_node_depth_at(compression);
    uint8_t block[64];
    memcpy(block, tree->parameter_block, sizeof block);
    block[FIN_NODE_DIGEST] = (uint8_t)digest_bytes;
    fin_store64_le(block + FIN_NODE_OFFSET, offset);
    block[depth_at] = (uint8_t)k;
    block[depth_at + 1] = tree->shape.inner_bytes;
    fin_blake2_node(state, compression, block);
}

static void fin_level_begin(fin_tree_context *tree, size_t k, uint64_t offset)
{
    fin_tree_level *level = &tree->levels[k - 1];
    fin_state state;
    fin_tree_node(tree, k, offset, tree->shape.inner_bytes, &state);
    memcpy(level->h, &state.h, sizeof level->h);
    if (offset == 0) {
        fin_tree_node(tree, k, offset, tree->digest_bytes, &state);
        memcpy(tree->root_h, &state.h, sizeof tree->root_h);
        tree->level_count = (uint32_t)k;
    }
    level->node_offset = offset;
    level->child_count = 0;
    level->absorbed_bytes = 0;
    level->buffered_bytes = 0;
}

/* True if the node of this level is the root unless another one follows. */
static bool fin_level_may_be_root(const fin_tree_context *tree, size_t k)
{
    return k == tree->level_count && tree->levels[k - 1].node_offset == 0;
}

static void fin_level_load(const fin_tree_context *tree, size_t k, bool root, fin_state *state)
{
    const fin_tree_level *level = &tree->levels[k - 1];
    memcpy(&state->h, root ? tree->root_h : level->h, sizeof level->h);
    fin_store_piece(state->t, level->absorbed_bytes, 0);
    fin_store_piece(state->f, 0, 0);
    state->rounds = fin_descriptor_of(tree->algorithm)->rounds;
}

/* The full buffer into one of the two chaining values. */
static void fin_level_compress(fin_tree_context *tree, size_t k, bool root)
{
    fin_tree_level *level = &tree->levels[k - 1];
    const fin_instance instance = fin_tree_instance(tree);
    fin_state state;
    fin_level_load(tree, k, root, &state);
    fin_compress(&state, &instance, level->buffer, 1);
    memcpy(root ? tree->root_h : level->h, &state.h, sizeof level->h);
    fin_erase(&state, sizeof state);
}

static void fin_level_add(fin_tree_context *tree, size_t k, const uint8_t *digest)
{
    fin_tree_level *level = &tree->levels[k - 1];
    const uint32_t block_bytes = fin_tree_instance(tree).block_bytes;
    size_t left = tree->shape.inner_bytes;
    level->child_count++;
    while (left != 0) {
        if (level->buffered_bytes == block_bytes) {
            if (k != fin_tree_top(tree)) {
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

static void fin_level_finish(fin_tree_context *tree, size_t k, bool root, bool last,
                             uint8_t *digest)
{
    const fin_tree_level *level = &tree->levels[k - 1];
    const fin_instance instance = fin_tree_instance(tree);
    const fin_tail tail = {level->buffer, level->buffered_bytes, 0, 0, false};
    fin_state state;
    fin_level_load(tree, k, root, &state);
    fin_finish(&state, &instance, &tail, last ? UINT64_MAX : 0);
    fin_blake2_ops.output(&state, &instance, digest,
                          root ? (size_t)tree->digest_bytes : tree->shape.inner_bytes);
    fin_erase(&state, sizeof state);
}

/* Gives a level the digest of a node below it, and what that completes to the levels above. */
static void fin_tree_absorb(fin_tree_context *tree, size_t k, const uint8_t *digest)
{
    uint8_t carried[64], completed[64];
    memcpy(carried, digest, tree->shape.inner_bytes);
    for (bool full = true; full; k++) {
        if (k > tree->level_count) {
            fin_level_begin(tree, k, 0);
        }
        const fin_tree_level *level = &tree->levels[k - 1];
        full = k != fin_tree_top(tree) && level->child_count == tree->shape.fanout;
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

/* ---- Leaves ---- */

/* True if the algorithm has node offsets for leaves from first on, so many of them. */
static bool fin_tree_offsets_fit(const fin_tree_context *tree, uint64_t first, uint64_t count)
{
    const bool wide = fin_tree_instance(tree).compression == FIN_COMPRESSION_BLAKE2B;
    const uint64_t most = wide ? UINT64_MAX : UINT64_C(1) << 48;
    return first <= most && count <= most - first;
}

static fin_status fin_tree_open_leaf(fin_tree_context *tree)
{
    fin_tree shape = tree->shape;
    shape.node_offset = tree->leaf_count;
    const fin_params params = fin_tree_leaf_params(tree, &shape);
    const fin_status status = fin_init(&tree->leaf, tree->algorithm, &params);
    if (status == FIN_OK) {
        tree->leaf_open = true;
        tree->open_bytes = 0;
        tree->leaf_count++;
    }
    return status;
}

static fin_status fin_tree_close_leaf(fin_tree_context *tree, bool last)
{
    uint8_t digest[64];
    tree->leaf.last_node = last;
    const fin_status status = fin_final(&tree->leaf, digest, sizeof digest);
    if (status == FIN_OK) {
        tree->leaf_open = false;
        fin_tree_absorb(tree, 1, digest);
        fin_erase_stack_if(tree->key_bytes != 0, FIN_STACK_MESSAGE_BYTES);
    }
    fin_erase(digest, sizeof digest);
    return status;
}

/* The digests of leaves where they lie, the first of them leaf first of the message. If the last
   one ends the message, it may be shorter. */
static fin_status fin_tree_digests(const fin_tree_context *tree, const uint8_t *in, size_t bytes,
                                   uint64_t first, bool last, uint8_t *digests)
{
    const size_t leaf_bytes = tree->shape.leaf_bytes;
    const fin_params params = fin_tree_leaf_params(tree, &tree->shape);
    fin_node nodes[FIN_TREE_GROUP];
    fin_status status = FIN_OK;
    while (bytes != 0 && status == FIN_OK) {
        size_t count = 0;
        for (; count < FIN_TREE_GROUP && bytes != 0; count++) {
            const size_t take = bytes < leaf_bytes ? bytes : leaf_bytes;
            nodes[count] = (fin_node){in, take, first + count, last && take == bytes};
            in += take;
            bytes -= take;
        }
        status = fin_hash_nodes(tree->algorithm, &params, nodes, count, digests,
                                tree->shape.inner_bytes);
        first += count;
        digests += count * tree->shape.inner_bytes;
    }
    return status;
}

static void fin_tree_absorb_leaves(fin_tree_context *tree, const uint8_t *digests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fin_tree_absorb(tree, 1, digests + i * tree->shape.inner_bytes);
    }
    fin_erase_stack_if(tree->key_bytes != 0, FIN_STACK_MESSAGE_BYTES);
    tree->leaf_count += count;
}

/* Leaves as for fin_tree_digests, into the tree. */
static fin_status fin_tree_hash_leaves(fin_tree_context *tree, const uint8_t *in, size_t bytes,
                                       bool last)
{
    const size_t leaf_bytes = tree->shape.leaf_bytes;
    uint8_t digests[FIN_TREE_GROUP * 64];
    fin_status status = FIN_OK;
    while (bytes != 0 && status == FIN_OK) {
        size_t take = bytes;
        size_t count = (bytes - 1) / leaf_bytes + 1;
        if (count > FIN_TREE_GROUP) {
            count = FIN_TREE_GROUP;
            take = FIN_TREE_GROUP * leaf_bytes;
        }
        status = fin_tree_digests(tree, in, take, tree->leaf_count, last && take == bytes, digests);
        if (status == FIN_OK) {
            fin_tree_absorb_leaves(tree, digests, count);
        }
        fin_erase(digests, count * tree->shape.inner_bytes);
        in += take;
        bytes -= take;
    }
    return status;
}

fin_status fin_tree_leaves(const fin_tree_context *tree, const void *in, size_t bytes,
                           uint64_t first, uint8_t *digests)
{
    if (tree == NULL || (bytes != 0 && (in == NULL || digests == NULL))) {
        return FIN_ERR_NULL;
    }
    if (tree->phase != FIN_PHASE_ABSORB) {
        return FIN_ERR_STATE;
    }
    if (tree->shape.leaf_bytes == 0) {
        return FIN_ERR_TREE;
    }
    if (bytes % tree->shape.leaf_bytes != 0) {
        return FIN_ERR_BLOCK_LENGTH;
    }
    if (!fin_tree_offsets_fit(tree, first, bytes / tree->shape.leaf_bytes)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    return fin_tree_digests(tree, in, bytes, first, false, digests);
}

/* The part of an update that the open leaf takes; opens one if there is none. */
static fin_status fin_tree_fill_leaf(fin_tree_context *tree, const uint8_t *in, size_t bytes,
                                     size_t *taken)
{
    fin_status status = tree->leaf_open ? FIN_OK : fin_tree_open_leaf(tree);
    *taken = bytes;
    if (tree->shape.leaf_bytes != 0) {
        const size_t space = (size_t)(tree->shape.leaf_bytes - tree->open_bytes);
        *taken = bytes < space ? bytes : space;
        tree->open_bytes += *taken;
    }
    if (status == FIN_OK) {
        status = fin_update(&tree->leaf, in, *taken);
    }
    return status;
}

/* A leaf is closed, or taken for a whole one, once a byte after it is known. */
fin_status fin_tree_update(fin_tree_context *tree, const void *in, size_t bytes)
{
    if (tree == NULL || (in == NULL && bytes != 0)) {
        return FIN_ERR_NULL;
    }
    if (tree->phase != FIN_PHASE_ABSORB) {
        return FIN_ERR_STATE;
    }
    const size_t leaf_bytes = tree->shape.leaf_bytes;
    if (leaf_bytes != 0 &&
        !fin_tree_offsets_fit(tree, tree->leaf_count, (uint64_t)bytes / leaf_bytes + 1)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    const uint8_t *at = in;
    fin_status status = FIN_OK;
    while (bytes != 0 && status == FIN_OK) {
        size_t taken = 0;
        if (leaf_bytes != 0 && tree->leaf_open && tree->open_bytes == leaf_bytes) {
            status = fin_tree_close_leaf(tree, false);
        } else if (leaf_bytes != 0 && !tree->leaf_open && bytes > leaf_bytes) {
            taken = (bytes - 1) / leaf_bytes * leaf_bytes;
            status = fin_tree_hash_leaves(tree, at, taken, false);
        } else {
            status = fin_tree_fill_leaf(tree, at, bytes, &taken);
        }
        at += taken;
        bytes -= taken;
    }
    return status;
}

fin_status fin_tree_append(fin_tree_context *tree, const uint8_t *leaf_digests, size_t count)
{
    if (tree == NULL || (leaf_digests == NULL && count != 0)) {
        return FIN_ERR_NULL;
    }
    const bool whole = tree->leaf_open == 0 || tree->open_bytes == tree->shape.leaf_bytes;
    if (tree->phase != FIN_PHASE_ABSORB || !whole) {
        return FIN_ERR_STATE;
    }
    if (tree->shape.leaf_bytes == 0) {
        return FIN_ERR_TREE;
    }
    if (!fin_tree_offsets_fit(tree, tree->leaf_count, count)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    if (count != 0 && tree->leaf_open) {
        const fin_status status = fin_tree_close_leaf(tree, false);
        if (status != FIN_OK) {
            return status;
        }
    }
    fin_tree_absorb_leaves(tree, leaf_digests, count);
    return FIN_OK;
}

fin_status fin_tree_final(fin_tree_context *tree, uint8_t *digest, size_t digest_bytes)
{
    if (tree == NULL || digest == NULL) {
        return FIN_ERR_NULL;
    }
    if (tree->phase != FIN_PHASE_ABSORB) {
        return FIN_ERR_STATE;
    }
    if (digest_bytes < tree->digest_bytes) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    fin_status status = FIN_OK;
    if (tree->leaf_count == 0) {
        status = fin_tree_open_leaf(tree);
    }
    if (status == FIN_OK && fin_tree_sequential(tree)) {
        status = fin_final(&tree->leaf, digest, digest_bytes);
    } else if (status == FIN_OK) {
        if (tree->leaf_open) {
            status = fin_tree_close_leaf(tree, true);
        }
        uint8_t inner[64];
        size_t k = 1;
        for (; !fin_level_may_be_root(tree, k); k++) {
            fin_level_finish(tree, k, false, true, inner);
            fin_tree_absorb(tree, k + 1, inner);
        }
        fin_level_finish(tree, k, true, true, digest);
        fin_erase(inner, sizeof inner);
        fin_erase_stack_if(tree->key_bytes != 0, FIN_STACK_MESSAGE_BYTES);
    }
    if (status == FIN_OK) {
        fin_tree_erase(tree);
    }
    return status;
}

fin_status fin_tree_hash(fin_algorithm algorithm, const fin_params *params, const void *in,
                         size_t bytes, uint8_t *digest, size_t digest_bytes)
{
    fin_tree_context tree;
    if (digest == NULL || (in == NULL && bytes != 0)) {
        return FIN_ERR_NULL;
    }
    fin_status status = fin_tree_init(&tree, algorithm, params);
    if (status != FIN_OK) {
        return status;
    }
    const size_t leaf_bytes = tree.shape.leaf_bytes;
    if (digest_bytes < tree.digest_bytes) {
        status = FIN_ERR_OUTPUT_LENGTH;
    } else if (leaf_bytes == 0) {
        status = fin_tree_update(&tree, in, bytes);
    } else if (!fin_tree_offsets_fit(&tree, tree.leaf_count, bytes / leaf_bytes + 1)) {
        status = FIN_ERR_MESSAGE_LENGTH;
    } else {
        status = fin_tree_hash_leaves(&tree, in, bytes, true);
    }
    if (status == FIN_OK) {
        status = fin_tree_final(&tree, digest, digest_bytes);
    }
    if (status != FIN_OK) {
        fin_tree_erase(&tree);
    }
    return status;
}
