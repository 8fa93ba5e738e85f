/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE2's tree mode: BLAKE2 paper of 2013-01-29, section 2.10. finalist.h defines the details that
 * the paper leaves open.
 *
 * Leaves are hashed in lanes; levels.c computes the nodes above them.
 */
#include "tree/levels.h"

enum { FIN_TREE_MODE_GROUP = 64 /* leaves hashed together */ };

/* ---- Parameters ---- */

/* True for depth 1, sequential hashing: the tree is a single leaf. */
static bool fin_tree_mode_sequential(const fin_tree_mode_context *tree)
{
    return tree->shape.depth == 1;
}

static bool fin_tree_mode_shape_valid(const fin_descriptor *descriptor, const fin_tree_mode *shape)
{
    if (!fin_blake2_tree_mode_valid(descriptor, shape) || shape->node_offset != 0 ||
        shape->node_depth != 0 || shape->last_node) {
        return false;
    }
    if (shape->depth == 1) {
        return shape->fanout == 1 && shape->leaf_bytes == 0 && shape->inner_bytes == 0;
    }
    return shape->fanout != 1 && shape->inner_bytes != 0;
}

/*
 * Returns the parameters of a leaf, valid as long as shape. The parameter block holds salt and
 * personalisation, padded, after other fields of two salts' length.
 */
static fin_params fin_tree_mode_leaf_params(const fin_tree_mode_context *tree,
                                            const fin_tree_mode *shape)
{
    const fin_algorithm_info *info = &fin_descriptor_of(tree->algorithm)->info;
    const uint8_t *salt = tree->parameter_block + 2 * info->salt_bytes;
    return (fin_params){.digest_bytes = fin_tree_mode_sequential(tree) ? tree->digest_bytes
                                                                       : tree->shape.inner_bytes,
                        .key = tree->key,
                        .key_bytes = tree->key_bytes,
                        .salt = salt,
                        .salt_bytes = info->salt_bytes,
                        .personal = salt + info->salt_bytes,
                        .personal_bytes = info->personal_bytes,
                        .tree_mode = shape};
}

fin_status fin_tree_mode_init(fin_tree_mode_context *tree, fin_algorithm algorithm,
                              const fin_params *params)
{
    fin_instance instance;
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (tree == NULL) {
        return FIN_ERR_NULL;
    }
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    if (params == NULL || params->tree_mode == NULL ||
        !fin_tree_mode_shape_valid(descriptor, params->tree_mode)) {
        return FIN_ERR_TREE_MODE;
    }
    const fin_status status = fin_prepare(&instance, algorithm, params);
    if (status != FIN_OK) {
        return status;
    }
    tree->shape = *params->tree_mode;
    tree->digest_bytes = instance.digest_bytes;
    fin_blake2_parameters(tree->parameter_block, &instance, params);
    tree->key_bytes = (uint8_t)params->key_bytes;
    fin_erase(tree->key, sizeof tree->key); /* a previous key */
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

void fin_tree_mode_wipe(fin_tree_mode_context *tree)
{
    if (tree != NULL) {
        fin_erase(tree, sizeof *tree);
    }
}

/* Erases all fields that a message has written. */
static void fin_tree_mode_erase(fin_tree_mode_context *tree)
{
    fin_erase(tree,
              offsetof(fin_tree_mode_context, levels) + tree->level_count * sizeof *tree->levels);
}

/* ---- Leaves ---- */

/* True if the algorithm has node offsets for count leaves, starting with first. */
static bool fin_tree_mode_offsets_fit(const fin_tree_mode_context *tree, uint64_t first,
                                      uint64_t count)
{
    const bool wide = fin_tree_mode_instance(tree).compression == FIN_COMPRESSION_BLAKE2B;
    const uint64_t most = wide ? UINT64_MAX : UINT64_C(1) << 48;
    return first <= most && count <= most - first;
}

/* True if the tree can take these bytes, which may begin in the open leaf. */
static bool fin_tree_mode_takes(const fin_tree_mode_context *tree, const void *in, size_t bytes)
{
    const uint64_t leaf_bytes = tree->shape.leaf_bytes;
    uint64_t count;
    return fin_in_memory(in, bytes) &&
           (leaf_bytes == 0 || (fin_sum(bytes / leaf_bytes, 1, &count) &&
                                fin_tree_mode_offsets_fit(tree, tree->leaf_count, count)));
}

static fin_status fin_tree_mode_open_leaf(fin_tree_mode_context *tree)
{
    fin_tree_mode shape = tree->shape;
    shape.node_offset = tree->leaf_count;
    const fin_params params = fin_tree_mode_leaf_params(tree, &shape);
    const fin_status status = fin_init(&tree->leaf, tree->algorithm, &params);
    if (status == FIN_OK) {
        tree->leaf_open = true;
        tree->open_bytes = 0;
        tree->leaf_count++;
    }
    return status;
}

static fin_status fin_tree_mode_close_leaf(fin_tree_mode_context *tree, bool last)
{
    uint8_t digest[64];
    tree->leaf.last_node = last;
    const fin_status status = fin_final(&tree->leaf, digest, sizeof digest);
    if (status == FIN_OK) {
        tree->leaf_open = false;
        fin_tree_mode_absorb(tree, 1, digest);
        fin_erase_stack_if(tree->key_bytes != 0, FIN_STACK_MESSAGE_BYTES);
    }
    fin_erase(digest, sizeof digest);
    return status;
}

/* Hashes the next leaves in place, up to FIN_TREE_MODE_GROUP, the first of which has number first;
   advances in and bytes. last: the bytes end the message, so the last leaf may be shorter. */
static fin_status fin_tree_mode_group(const fin_tree_mode_context *tree, const uint8_t **in,
                                      size_t *bytes, uint64_t first, bool last, uint8_t *digests,
                                      size_t *count)
{
    const size_t leaf_bytes = tree->shape.leaf_bytes;
    const fin_params params = fin_tree_mode_leaf_params(tree, &tree->shape);
    fin_node nodes[FIN_TREE_MODE_GROUP];
    size_t n = 0;
    for (; n < FIN_TREE_MODE_GROUP && *bytes != 0; n++) {
        const size_t take = *bytes < leaf_bytes ? *bytes : leaf_bytes;
        nodes[n] = (fin_node){*in, take, first + n, last && take == *bytes};
        *in += take;
        *bytes -= take;
    }
    *count = n;
    return fin_hash_nodes(tree->algorithm, &params, nodes, n, digests, tree->shape.inner_bytes);
}

static void fin_tree_mode_absorb_leaves(fin_tree_mode_context *tree, const uint8_t *digests,
                                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fin_tree_mode_absorb(tree, 1, digests + i * tree->shape.inner_bytes);
    }
    fin_erase_stack_if(tree->key_bytes != 0, FIN_STACK_MESSAGE_BYTES);
    tree->leaf_count += count;
}

/* Hashes leaves and absorbs their digests. last: as for fin_tree_mode_group. */
static fin_status fin_tree_mode_hash_leaves(fin_tree_mode_context *tree, const uint8_t *in,
                                            size_t bytes, bool last)
{
    uint8_t digests[FIN_TREE_MODE_GROUP * 64];
    fin_status status = FIN_OK;
    while (bytes != 0 && status == FIN_OK) {
        size_t count;
        status = fin_tree_mode_group(tree, &in, &bytes, tree->leaf_count, last, digests, &count);
        if (status == FIN_OK) {
            fin_tree_mode_absorb_leaves(tree, digests, count);
        }
        fin_erase(digests, count * tree->shape.inner_bytes);
    }
    return status;
}

fin_status fin_tree_mode_leaves(const fin_tree_mode_context *tree, const void *in, size_t bytes,
                                uint64_t first, uint8_t *digests)
{
    if (tree == NULL || (bytes != 0 && (in == NULL || digests == NULL))) {
        return FIN_ERR_NULL;
    }
    if (tree->phase != FIN_PHASE_ABSORB) {
        return FIN_ERR_STATE;
    }
    if (tree->shape.leaf_bytes == 0) {
        return FIN_ERR_TREE_MODE;
    }
    if (bytes % tree->shape.leaf_bytes != 0) {
        return FIN_ERR_BLOCK_LENGTH;
    }
    size_t count = bytes / tree->shape.leaf_bytes;
    const size_t inner_bytes = tree->shape.inner_bytes;
    if (!fin_tree_mode_offsets_fit(tree, first, count) || !fin_in_memory(in, bytes)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    if (!fin_items_in_memory(digests, count, inner_bytes, inner_bytes)) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    const uint8_t *at = in;
    fin_status status = FIN_OK;
    for (; bytes != 0 && status == FIN_OK; first += count, digests += count * inner_bytes) {
        status = fin_tree_mode_group(tree, &at, &bytes, first, false, digests, &count);
    }
    return status;
}

/* Passes bytes to the open leaf as far as they fit; opens one if there is none. */
static fin_status fin_tree_mode_fill_leaf(fin_tree_mode_context *tree, const uint8_t *in,
                                          size_t bytes, size_t *taken)
{
    fin_status status = tree->leaf_open ? FIN_OK : fin_tree_mode_open_leaf(tree);
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

/* Closes a leaf, or hashes it as a whole one, only once a byte after it has arrived. */
fin_status fin_tree_mode_update(fin_tree_mode_context *tree, const void *in, size_t bytes)
{
    if (tree == NULL || (in == NULL && bytes != 0)) {
        return FIN_ERR_NULL;
    }
    if (tree->phase != FIN_PHASE_ABSORB) {
        return FIN_ERR_STATE;
    }
    if (!fin_tree_mode_takes(tree, in, bytes)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    const size_t leaf_bytes = tree->shape.leaf_bytes;
    const uint8_t *at = in;
    fin_status status = FIN_OK;
    while (bytes != 0 && status == FIN_OK) {
        size_t taken = 0;
        if (leaf_bytes != 0 && tree->leaf_open && tree->open_bytes == leaf_bytes) {
            status = fin_tree_mode_close_leaf(tree, false);
        } else if (leaf_bytes != 0 && !tree->leaf_open && bytes > leaf_bytes) {
            taken = (bytes - 1) / leaf_bytes * leaf_bytes;
            status = fin_tree_mode_hash_leaves(tree, at, taken, false);
        } else {
            status = fin_tree_mode_fill_leaf(tree, at, bytes, &taken);
        }
        at += taken;
        bytes -= taken;
    }
    return status;
}

fin_status fin_tree_mode_append(fin_tree_mode_context *tree, const uint8_t *leaf_digests,
                                size_t count)
{
    if (tree == NULL || (leaf_digests == NULL && count != 0)) {
        return FIN_ERR_NULL;
    }
    const bool whole = tree->leaf_open == 0 || tree->open_bytes == tree->shape.leaf_bytes;
    if (tree->phase != FIN_PHASE_ABSORB || !whole) {
        return FIN_ERR_STATE;
    }
    if (tree->shape.leaf_bytes == 0) {
        return FIN_ERR_TREE_MODE;
    }
    const size_t inner_bytes = tree->shape.inner_bytes;
    if (!fin_tree_mode_offsets_fit(tree, tree->leaf_count, count) ||
        !fin_items_in_memory(leaf_digests, count, inner_bytes, inner_bytes)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    if (count != 0 && tree->leaf_open) {
        const fin_status status = fin_tree_mode_close_leaf(tree, false);
        if (status != FIN_OK) {
            return status;
        }
    }
    fin_tree_mode_absorb_leaves(tree, leaf_digests, count);
    return FIN_OK;
}

fin_status fin_tree_mode_final(fin_tree_mode_context *tree, uint8_t *digest, size_t digest_bytes)
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
        status = fin_tree_mode_open_leaf(tree);
    }
    if (status == FIN_OK && fin_tree_mode_sequential(tree)) {
        status = fin_final(&tree->leaf, digest, digest_bytes);
    } else if (status == FIN_OK) {
        if (tree->leaf_open) {
            status = fin_tree_mode_close_leaf(tree, true);
        }
        uint8_t inner[64];
        size_t k = 1;
        for (; !fin_level_may_be_root(tree, k); k++) {
            fin_level_finish(tree, k, false, true, inner);
            fin_tree_mode_absorb(tree, k + 1, inner);
        }
        fin_level_finish(tree, k, true, true, digest);
        fin_erase(inner, sizeof inner);
        fin_erase_stack_if(tree->key_bytes != 0, FIN_STACK_MESSAGE_BYTES);
    }
    if (status == FIN_OK) {
        fin_tree_mode_erase(tree);
    }
    return status;
}

fin_status fin_tree_mode_hash(fin_algorithm algorithm, const fin_params *params, const void *in,
                              size_t bytes, uint8_t *digest, size_t digest_bytes)
{
    fin_tree_mode_context tree;
    if (digest == NULL || (in == NULL && bytes != 0)) {
        return FIN_ERR_NULL;
    }
    fin_status status = fin_tree_mode_init(&tree, algorithm, params);
    if (status != FIN_OK) {
        return status;
    }
    const size_t leaf_bytes = tree.shape.leaf_bytes;
    if (digest_bytes < tree.digest_bytes) {
        status = FIN_ERR_OUTPUT_LENGTH;
    } else if (!fin_tree_mode_takes(&tree, in, bytes)) {
        status = FIN_ERR_MESSAGE_LENGTH;
    } else if (leaf_bytes == 0) {
        status = fin_tree_mode_update(&tree, in, bytes);
    } else {
        status = fin_tree_mode_hash_leaves(&tree, in, bytes, true);
    }
    if (status == FIN_OK) {
        status = fin_tree_mode_final(&tree, digest, digest_bytes);
    }
    if (status != FIN_OK) {
        fin_tree_mode_erase(&tree);
    }
    return status;
}
