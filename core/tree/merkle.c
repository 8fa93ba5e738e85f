/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Merkle trees of RFC 6962 and RFC 9162, section 2.1 of both: leaves and roots. Proofs are in
 * proofs.c.
 *
 * A tree under construction is a stack of perfect subtrees, one for each 1 in the binary form of
 * the number of leaves, the largest at the bottom. Groups of leaves as large as the scratch allows
 * are reduced level by level in lanes; only nodes above a group are hashed singly.
 */
#include "tree/merkle.h"

#include "multi/batch.h"

enum {
    FIN_MERKLE_LEAF = 0, /* prefix of a leaf, and of two children */
    FIN_MERKLE_NODE = 1,
    FIN_MERKLE_SHORT_BYTES = 256, /* longest single leaf that is copied */
    FIN_MERKLE_SCRATCH_BYTES = 4096
};

/* ---- The hash function of a tree ---- */

static fin_params fin_merkle_params(const fin_merkle *tree)
{
    return (fin_params){.digest_bytes = tree->digest_bytes,
                        .key = tree->key,
                        .key_bytes = tree->key_bytes,
                        .salt = tree->salt,
                        .salt_bytes = tree->salt_bytes,
                        .personal = tree->personal,
                        .personal_bytes = tree->personal_bytes};
}

static void fin_merkle_copy(uint8_t *to, uint8_t *bytes, const uint8_t *from, size_t from_bytes)
{
    *bytes = (uint8_t)from_bytes;
    if (from_bytes != 0) {
        memcpy(to, from, from_bytes);
    }
}

/* Checks a tree's hash function and sets the length of its digests. */
static fin_status fin_merkle_check(fin_algorithm algorithm, const fin_params *params,
                                   size_t *digest_bytes)
{
    fin_instance instance;
    if (params != NULL && params->tree_mode != NULL) {
        return FIN_ERR_TREE_MODE;
    }
    if (params != NULL && params->derive_key_context != NULL) {
        return FIN_ERR_DERIVE_KEY;
    }
    const fin_status status = fin_prepare(&instance, algorithm, params);
    if (status != FIN_OK) {
        return status;
    }
    *digest_bytes = (size_t)instance.digest_bytes;
    return instance.digest_bytes > FIN_MERKLE_HASH_BYTES_MAX ? FIN_ERR_DIGEST_LENGTH : FIN_OK;
}

fin_status fin_merkle_init(fin_merkle *tree, fin_algorithm algorithm, const fin_params *params)
{
    size_t digest_bytes;
    if (tree == NULL) {
        return FIN_ERR_NULL;
    }
    const fin_status status = fin_merkle_check(algorithm, params, &digest_bytes);
    if (status != FIN_OK) {
        return status;
    }
    tree->leaf_count = 0;
    tree->algorithm = (uint8_t)algorithm;
    tree->digest_bytes = (uint8_t)digest_bytes;
    tree->key_bytes = tree->salt_bytes = tree->personal_bytes = 0;
    fin_erase(tree->key, sizeof tree->key); /* a previous key */
    if (params != NULL) {
        fin_merkle_copy(tree->key, &tree->key_bytes, params->key, params->key_bytes);
        fin_merkle_copy(tree->salt, &tree->salt_bytes, params->salt, params->salt_bytes);
        fin_merkle_copy(tree->personal, &tree->personal_bytes, params->personal,
                        params->personal_bytes);
    }
    return FIN_OK;
}

void fin_merkle_wipe(fin_merkle *tree)
{
    if (tree != NULL) {
        fin_erase(tree, sizeof *tree);
    }
}

/* False if the tree, never passed to fin_merkle_init, has no valid algorithm or digest length. */
static bool fin_merkle_initialised(const fin_merkle *tree)
{
    return fin_descriptor_of(tree->algorithm) != NULL && tree->digest_bytes != 0 &&
           tree->digest_bytes <= FIN_MERKLE_HASH_BYTES_MAX;
}

fin_status fin_merkle_parent(const fin_merkle *tree, const uint8_t *left, const uint8_t *right,
                             uint8_t *parent)
{
    const fin_params params = fin_merkle_params(tree);
    const size_t bytes = tree->digest_bytes;
    uint8_t node[1 + 2 * FIN_MERKLE_HASH_BYTES_MAX];
    node[0] = FIN_MERKLE_NODE;
    memcpy(node + 1, left, bytes);
    memcpy(node + 1 + bytes, right, bytes);
    const fin_status status =
        fin_hash(tree->algorithm, &params, node, 1 + 2 * bytes, parent, bytes);
    fin_erase(node, sizeof node);
    return status;
}

/* Hashes count consecutive pairs to their parents. */
static fin_status fin_merkle_parents(const fin_merkle *tree, const uint8_t *pairs, size_t count,
                                     uint8_t *parents)
{
    const size_t bytes = tree->digest_bytes;
    if (count == 1) {
        return fin_merkle_parent(tree, pairs, pairs + bytes, parents);
    }
    const fin_params params = fin_merkle_params(tree);
    fin_batch batch;
    batch.source = (fin_source){.equal = pairs,
                                .message_bytes = 2 * bytes,
                                .count = count,
                                .digests = parents,
                                .stride = bytes};
    return fin_hash_prefixed(&batch, tree->algorithm, &params, FIN_MERKLE_NODE);
}

static fin_status fin_merkle_short_leaf(fin_algorithm algorithm, const fin_params *params,
                                        const fin_message *leaf, uint8_t *hash, size_t hash_bytes)
{
    uint8_t copied[1 + FIN_MERKLE_SHORT_BYTES];
    copied[0] = FIN_MERKLE_LEAF;
    if (leaf->bytes != 0) {
        memcpy(copied + 1, leaf->in, leaf->bytes);
    }
    const fin_status status =
        fin_hash(algorithm, params, copied, 1 + leaf->bytes, hash, hash_bytes);
    fin_erase(copied, 1 + leaf->bytes);
    return status;
}

fin_status fin_merkle_leaves(fin_algorithm algorithm, const fin_params *params,
                             const fin_message *leaves, size_t count, uint8_t *hashes)
{
    size_t stride;
    const fin_status status = fin_merkle_check(algorithm, params, &stride);
    if (status != FIN_OK) {
        return status;
    }
    if (count != 0 && leaves == NULL) {
        return FIN_ERR_NULL;
    }
    if (count == 1 && leaves->bytes <= FIN_MERKLE_SHORT_BYTES &&
        (leaves->in != NULL || leaves->bytes == 0)) {
        return fin_merkle_short_leaf(algorithm, params, leaves, hashes, stride);
    }
    fin_batch batch;
    batch.source =
        (fin_source){.messages = leaves, .count = count, .digests = hashes, .stride = stride};
    return fin_hash_prefixed(&batch, algorithm, params, FIN_MERKLE_LEAF);
}

/* ---- The tree under construction ---- */

/* Computes the root of a perfect tree of count leaves, a power of two. The scratch holds half of
   them. */
static fin_status fin_merkle_reduce(const fin_merkle *tree, const uint8_t *leaf_hashes,
                                    size_t count, uint8_t *root)
{
    uint8_t scratch[2][FIN_MERKLE_SCRATCH_BYTES];
    const uint8_t *level = leaf_hashes;
    fin_status status = FIN_OK;
    for (unsigned turn = 0; count > 1 && status == FIN_OK; turn ^= 1) {
        count /= 2;
        status = fin_merkle_parents(tree, level, count, scratch[turn]);
        level = scratch[turn];
    }
    if (status == FIN_OK) {
        memcpy(root, level, tree->digest_bytes);
    }
    return status;
}

/* Pushes a perfect subtree of this number of leaves; the stack holds no smaller one. */
static fin_status fin_merkle_push(fin_merkle *tree, const uint8_t *subtree_root, uint64_t leaves)
{
    const size_t bytes = tree->digest_bytes;
    uint8_t root[FIN_MERKLE_HASH_BYTES_MAX];
    memcpy(root, subtree_root, bytes);
    unsigned height = fin_ones(tree->leaf_count);
    for (uint64_t same = leaves; (tree->leaf_count & same) != 0; same *= 2) {
        height--;
        const fin_status status = fin_merkle_parent(tree, tree->stack + height * bytes, root, root);
        if (status != FIN_OK) {
            return status;
        }
    }
    memcpy(tree->stack + height * bytes, root, bytes);
    tree->leaf_count += leaves;
    return FIN_OK;
}

/* Checks that a tree can grow by count leaves. */
static fin_status fin_merkle_can_grow(const fin_merkle *tree, const uint8_t *hashes, uint64_t count)
{
    uint64_t all_leaves;
    if (tree == NULL || (hashes == NULL && count != 0)) {
        return FIN_ERR_NULL;
    }
    if (!fin_merkle_initialised(tree)) {
        return FIN_ERR_STATE;
    }
    return fin_sum(tree->leaf_count, count, &all_leaves) ? FIN_OK : FIN_ERR_MESSAGE_LENGTH;
}

fin_status fin_merkle_append_equal(fin_merkle *tree, const uint8_t *leaf_hash, uint64_t count)
{
    uint8_t roots[64][FIN_MERKLE_HASH_BYTES_MAX]; /* of 2^k leaves */
    unsigned known = 0;
    fin_status status = fin_merkle_can_grow(tree, leaf_hash, count);
    if (status == FIN_OK && count != 0) {
        memcpy(roots[0], leaf_hash, tree->digest_bytes);
    }
    while (status == FIN_OK && count != 0) {
        /* The largest perfect subtree of the whole tree that begins with the next leaf. */
        unsigned k = 0;
        while (count >> k > 1 && (tree->leaf_count >> k & 1) == 0) {
            k++;
        }
        for (; known < k && status == FIN_OK; known++) {
            status = fin_merkle_parent(tree, roots[known], roots[known], roots[known + 1]);
        }
        if (status == FIN_OK) {
            status = fin_merkle_push(tree, roots[k], UINT64_C(1) << k);
        }
        count -= UINT64_C(1) << k;
    }
    return status;
}

fin_status fin_merkle_append(fin_merkle *tree, const uint8_t *leaf_hashes, size_t count)
{
    const fin_status grows = fin_merkle_can_grow(tree, leaf_hashes, count);
    if (grows != FIN_OK) {
        return grows;
    }
    const size_t bytes = tree->digest_bytes;
    if (!fin_items_in_memory(leaf_hashes, count, bytes, bytes)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    const uint64_t group_max = 2 * fin_power_of_two(FIN_MERKLE_SCRATCH_BYTES / bytes);
    uint8_t root[FIN_MERKLE_HASH_BYTES_MAX];
    while (count != 0) {
        /* Each group is a perfect subtree of the whole tree. */
        uint64_t group = fin_power_of_two(count < group_max ? count : group_max);
        while ((tree->leaf_count & (group - 1)) != 0) {
            group /= 2;
        }
        fin_status status = fin_merkle_reduce(tree, leaf_hashes, (size_t)group, root);
        if (status == FIN_OK) {
            status = fin_merkle_push(tree, root, group);
        }
        if (status != FIN_OK) {
            return status;
        }
        leaf_hashes += group * bytes;
        count -= (size_t)group;
    }
    return FIN_OK;
}

fin_status fin_merkle_root(const fin_merkle *tree, uint8_t *root, size_t root_bytes)
{
    if (tree == NULL || root == NULL) {
        return FIN_ERR_NULL;
    }
    if (!fin_merkle_initialised(tree)) {
        return FIN_ERR_STATE;
    }
    const size_t bytes = tree->digest_bytes;
    if (root_bytes < bytes) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    if (tree->leaf_count == 0) {
        const fin_params params = fin_merkle_params(tree);
        return fin_hash(tree->algorithm, &params, NULL, 0, root, root_bytes);
    }
    unsigned height = fin_ones(tree->leaf_count) - 1;
    uint8_t right[FIN_MERKLE_HASH_BYTES_MAX];
    memcpy(right, tree->stack + height * bytes, bytes);
    while (height != 0) {
        height--;
        const fin_status status =
            fin_merkle_parent(tree, tree->stack + height * bytes, right, right);
        if (status != FIN_OK) {
            return status;
        }
    }
    memcpy(root, right, bytes);
    return FIN_OK;
}
