/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Merkle trees of RFC 6962 and RFC 9162, section 2.1 of both: roots, proofs, their verification.
 *
 * A tree under construction is a stack of perfect subtrees, one for each 1 in the binary form of
 * the number of leaves, the largest at the bottom. Groups of leaves as large as the scratch allows
 * are reduced level by level in lanes; only what joins groups is hashed singly.
 */
#include "multi/batch.h"

enum {
    FIN_MERKLE_LEAF = 0, /* the byte before a leaf, and that before two children */
    FIN_MERKLE_NODE = 1,
    FIN_MERKLE_SHORT_BYTES = 256, /* a leaf that is copied if it is the only one */
    FIN_MERKLE_SCRATCH_BYTES = 4096
};

/* ---- What all hashes of a tree have in common ---- */

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

/* What can be wrong with a tree's hash function; the length of its digests. */
static fin_status fin_merkle_check(fin_algorithm algorithm, const fin_params *params,
                                   size_t *digest_bytes)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    fin_instance instance;
    if (params != NULL && params->tree != NULL) {
        return FIN_ERR_TREE;
    }
    if (params != NULL && params->derive_key_context != NULL) {
        return FIN_ERR_DERIVE_KEY;
    }
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    const fin_status status = fin_prepare(&instance, descriptor, params);
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
    fin_erase(tree->key, sizeof tree->key); /* a key of before */
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

/* A tree that fin_merkle_init has not seen names no algorithm or no length. */
static bool fin_merkle_initialised(const fin_merkle *tree)
{
    return fin_descriptor_of(tree->algorithm) != NULL && tree->digest_bytes != 0 &&
           tree->digest_bytes <= FIN_MERKLE_HASH_BYTES_MAX;
}

/* The parent of two nodes; it may replace either. */
static fin_status fin_merkle_parent(const fin_merkle *tree, const uint8_t *left,
                                    const uint8_t *right, uint8_t *parent)
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

/* The parents of count pairs that lie one after the other. */
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
    uint8_t staged[1 + FIN_MERKLE_SHORT_BYTES];
    staged[0] = FIN_MERKLE_LEAF;
    if (leaf->bytes != 0) {
        memcpy(staged + 1, leaf->in, leaf->bytes);
    }
    const fin_status status =
        fin_hash(algorithm, params, staged, 1 + leaf->bytes, hash, hash_bytes);
    fin_erase(staged, 1 + leaf->bytes);
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
    if (count != 0 && (leaves == NULL || hashes == NULL)) {
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

static unsigned fin_ones(uint64_t x)
{
    unsigned ones = 0;
    for (; x != 0; x &= x - 1) {
        ones++;
    }
    return ones;
}

/* The largest power of two up to x, which is not 0. */
static uint64_t fin_power_of_two(uint64_t x)
{
    uint64_t power = 1;
    while (power <= x / 2) {
        power *= 2;
    }
    return power;
}

/* The root of a perfect tree of so many leaves, a power of two whose half fits into the scratch. */
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

/* Puts a perfect subtree of so many leaves on the stack, which holds none that is smaller. */
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

fin_status fin_merkle_append(fin_merkle *tree, const uint8_t *leaf_hashes, size_t count)
{
    if (tree == NULL || (leaf_hashes == NULL && count != 0)) {
        return FIN_ERR_NULL;
    }
    if (!fin_merkle_initialised(tree)) {
        return FIN_ERR_STATE;
    }
    const size_t bytes = tree->digest_bytes;
    uint64_t all_leaves;
    if (!fin_sum(tree->leaf_count, count, &all_leaves) ||
        !fin_items_in_memory(leaf_hashes, count, bytes, bytes)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    const uint64_t group_max = 2 * fin_power_of_two(FIN_MERKLE_SCRATCH_BYTES / bytes);
    uint8_t root[FIN_MERKLE_HASH_BYTES_MAX];
    while (count != 0) {
        /* Groups lie where a perfect subtree of their size does. */
        uint64_t group = fin_power_of_two(count < group_max ? count : group_max);
        while (tree->leaf_count % group != 0) {
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

/* ---- Proofs ---- */

/* Leaves from first up to end of a tree. */
typedef struct fin_range {
    size_t first;
    size_t end;
} fin_range;

/*
 * Goes from the range of a subtree down to its child on the way to leaf end - 1; the other child
 * is the sibling. Left subtrees are the largest powers of two below the number of leaves.
 */
static fin_range fin_merkle_descend(fin_range *range, size_t end)
{
    const size_t count = range->end - range->first;
    const size_t middle = range->first + (size_t)fin_power_of_two(count - 1);
    fin_range sibling = *range;
    if (end <= middle) {
        range->end = middle;
        sibling.first = middle;
    } else {
        range->first = middle;
        sibling.end = middle;
    }
    return sibling;
}

static fin_status fin_merkle_root_of(fin_merkle *tree, const uint8_t *leaf_hashes, fin_range range,
                                     uint8_t *root)
{
    tree->leaf_count = 0;
    const fin_status status = fin_merkle_append(
        tree, leaf_hashes + range.first * tree->digest_bytes, range.end - range.first);
    return status == FIN_OK ? fin_merkle_root(tree, root, tree->digest_bytes) : status;
}

/*
 * Both proofs are the siblings on the way from the root down to a subtree, the lowest first. An
 * inclusion proof goes down to leaf end - 1. A consistency proof stops where a subtree ends with
 * the old tree; unless that is all of the old tree, the subtree itself comes first.
 */
static fin_status fin_merkle_proof_nodes(fin_merkle *tree, const uint8_t *leaf_hashes, size_t count,
                                         size_t end, bool to_leaf, uint8_t *proof, size_t capacity,
                                         size_t *proof_count)
{
    fin_range range = {0, count};
    size_t nodes = 0;
    while (to_leaf ? range.end - range.first > 1 : range.end != end) {
        fin_merkle_descend(&range, end);
        nodes++;
    }
    const bool with_subtree = !to_leaf && range.first != 0;
    nodes += with_subtree;
    *proof_count = nodes;
    if (nodes > capacity || (proof == NULL && nodes != 0)) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    fin_status status = FIN_OK;
    if (with_subtree) {
        status = fin_merkle_root_of(tree, leaf_hashes, range, proof);
    }
    range = (fin_range){0, count};
    for (; nodes > with_subtree && status == FIN_OK; nodes--) {
        const fin_range sibling = fin_merkle_descend(&range, end);
        status = fin_merkle_root_of(tree, leaf_hashes, sibling,
                                    proof + (nodes - 1) * tree->digest_bytes);
    }
    return status;
}

/* Either proof from checks to wiping: fin_merkle_proof_nodes says what end and to_leaf are. */
static fin_status fin_merkle_prove(fin_algorithm algorithm, const fin_params *params,
                                   const uint8_t *leaf_hashes, size_t count, size_t end,
                                   bool to_leaf, uint8_t *proof, size_t capacity,
                                   size_t *proof_count)
{
    fin_merkle tree;
    if (proof_count == NULL || (leaf_hashes == NULL && count != 0)) {
        return FIN_ERR_NULL;
    }
    fin_status status = fin_merkle_init(&tree, algorithm, params);
    if (status == FIN_OK && (end == 0 || end > count)) {
        status = FIN_ERR_INDEX;
    }
    if (status == FIN_OK &&
        !fin_items_in_memory(leaf_hashes, count, tree.digest_bytes, tree.digest_bytes)) {
        status = FIN_ERR_MESSAGE_LENGTH;
    }
    if (status == FIN_OK) {
        status = fin_merkle_proof_nodes(&tree, leaf_hashes, count, end, to_leaf, proof, capacity,
                                        proof_count);
    }
    fin_merkle_wipe(&tree);
    return status;
}

/* The end after index SIZE_MAX is 0, which no leaf has. */
fin_status fin_merkle_inclusion(fin_algorithm algorithm, const fin_params *params,
                                const uint8_t *leaf_hashes, size_t count, size_t index,
                                uint8_t *proof, size_t capacity, size_t *proof_count)
{
    return fin_merkle_prove(algorithm, params, leaf_hashes, count, index + 1, true, proof, capacity,
                            proof_count);
}

fin_status fin_merkle_consistency(fin_algorithm algorithm, const fin_params *params,
                                  const uint8_t *leaf_hashes, size_t count, size_t old_count,
                                  uint8_t *proof, size_t capacity, size_t *proof_count)
{
    return fin_merkle_prove(algorithm, params, leaf_hashes, count, old_count, false, proof,
                            capacity, proof_count);
}

/* ---- Verification ---- */

/* In a time that does not tell where they differ: the hashes may be keyed. */
static bool fin_hashes_equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    unsigned difference = 0;
    for (size_t i = 0; i < bytes; i++) {
        difference |= a[i] ^ (unsigned)b[i];
    }
    return difference == 0;
}

/*
 * Climbs from the node with this index in its level, of which last is the last index, over the
 * nodes of a proof: RFC 9162, sections 2.1.3.2 and 2.1.4.2. root becomes the root of the whole
 * tree; old_root, if there is one, that of the tree that ends with the first node. A proof with
 * too many or too few nodes is FIN_ERR_PROOF; one with more than any tree has is not read.
 */
static fin_status fin_merkle_climb(const fin_merkle *tree, uint64_t index, uint64_t last,
                                   const uint8_t *proof, size_t proof_count, uint8_t *root,
                                   uint8_t *old_root)
{
    fin_status status = proof_count > FIN_MERKLE_PROOF_MAX ? FIN_ERR_PROOF : FIN_OK;
    for (; proof_count != 0 && status == FIN_OK; proof_count--) {
        if (last == 0) {
            return FIN_ERR_PROOF;
        }
        if (index % 2 != 0 || index == last) {
            status = fin_merkle_parent(tree, proof, root, root);
            if (status == FIN_OK && old_root != NULL) {
                status = fin_merkle_parent(tree, proof, old_root, old_root);
            }
            /* A last node without a sibling on its right stands for its parents, too. */
            while (index % 2 == 0 && index != 0) {
                index /= 2;
                last /= 2;
            }
        } else {
            status = fin_merkle_parent(tree, root, proof, root);
        }
        index /= 2;
        last /= 2;
        proof += tree->digest_bytes;
    }
    return status == FIN_OK && last != 0 ? FIN_ERR_PROOF : status;
}

fin_status fin_merkle_verify_inclusion(fin_algorithm algorithm, const fin_params *params,
                                       const uint8_t *leaf_hash, uint64_t index, uint64_t count,
                                       const uint8_t *proof, size_t proof_count,
                                       const uint8_t *root)
{
    fin_merkle tree;
    if (leaf_hash == NULL || root == NULL || (proof == NULL && proof_count != 0)) {
        return FIN_ERR_NULL;
    }
    fin_status status = fin_merkle_init(&tree, algorithm, params);
    if (status == FIN_OK && index >= count) {
        status = FIN_ERR_INDEX;
    }
    if (status == FIN_OK) {
        uint8_t reached[FIN_MERKLE_HASH_BYTES_MAX];
        memcpy(reached, leaf_hash, tree.digest_bytes);
        status = fin_merkle_climb(&tree, index, count - 1, proof, proof_count, reached, NULL);
        if (status == FIN_OK && !fin_hashes_equal(reached, root, tree.digest_bytes)) {
            status = FIN_ERR_PROOF;
        }
    }
    fin_merkle_wipe(&tree);
    return status;
}

/* old_count is neither 0 nor count. */
static fin_status fin_merkle_check_growth(const fin_merkle *tree, uint64_t old_count,
                                          const uint8_t *old_root, uint64_t count,
                                          const uint8_t *root, const uint8_t *proof,
                                          size_t proof_count)
{
    uint8_t reached[FIN_MERKLE_HASH_BYTES_MAX], old_reached[FIN_MERKLE_HASH_BYTES_MAX];
    const size_t bytes = tree->digest_bytes;
    uint64_t index = old_count - 1;
    uint64_t last = count - 1;
    /* The subtree where the proof starts: the largest one that ends with the old tree. */
    while (index % 2 != 0) {
        index /= 2;
        last /= 2;
    }
    const uint8_t *start = old_root;
    if (index != 0) {
        if (proof_count == 0) {
            return FIN_ERR_PROOF;
        }
        start = proof;
        proof += bytes;
        proof_count--;
    }
    memcpy(reached, start, bytes);
    memcpy(old_reached, start, bytes);
    const fin_status status =
        fin_merkle_climb(tree, index, last, proof, proof_count, reached, old_reached);
    if (status != FIN_OK) {
        return status;
    }
    /* Both are compared, whatever the first comparison says. */
    const bool old_equal = fin_hashes_equal(old_reached, old_root, bytes);
    const bool equal = fin_hashes_equal(reached, root, bytes);
    return equal && old_equal ? FIN_OK : FIN_ERR_PROOF;
}

fin_status fin_merkle_verify_consistency(fin_algorithm algorithm, const fin_params *params,
                                         uint64_t old_count, const uint8_t *old_root,
                                         uint64_t count, const uint8_t *root, const uint8_t *proof,
                                         size_t proof_count)
{
    fin_merkle tree;
    if (old_root == NULL || root == NULL || (proof == NULL && proof_count != 0)) {
        return FIN_ERR_NULL;
    }
    fin_status status = fin_merkle_init(&tree, algorithm, params);
    if (status == FIN_OK && (old_count == 0 || old_count > count)) {
        status = FIN_ERR_INDEX;
    }
    if (status == FIN_OK && old_count == count) {
        const bool same = proof_count == 0 && fin_hashes_equal(old_root, root, tree.digest_bytes);
        status = same ? FIN_OK : FIN_ERR_PROOF;
    } else if (status == FIN_OK) {
        status =
            fin_merkle_check_growth(&tree, old_count, old_root, count, root, proof, proof_count);
    }
    fin_merkle_wipe(&tree);
    return status;
}
