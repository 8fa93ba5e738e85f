/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Inclusion and consistency proofs of Merkle trees, and their verification: RFC 9162, sections
 * 2.1.3 and 2.1.4.
 */
#include "tree/merkle.h"

/* ---- Proving ---- */

/* Leaves first .. end - 1 of a tree. */
typedef struct fin_range {
    size_t first;
    size_t end;
} fin_range;

/*
 * Narrows the range of a subtree to its child on the path to leaf end - 1 and returns the sibling.
 * A left subtree has the largest power of two below the number of leaves.
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
 * Writes a proof: the siblings on the path from the root down to a subtree, the lowest first. An
 * inclusion proof goes down to leaf end - 1. A consistency proof stops at a subtree that ends with
 * the old tree; unless it is the whole old tree, its root comes first.
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

/* Checks the parameters, writes either proof, and wipes. end, to_leaf: as for
   fin_merkle_proof_nodes. */
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

/* SIZE_MAX is no leaf's index: its end, index + 1, is 0. */
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

/* Compares in constant time, because the hashes may be keyed. */
static bool fin_hashes_equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    unsigned difference = 0;
    for (size_t i = 0; i < bytes; i++) {
        difference |= a[i] ^ (unsigned)b[i];
    }
    return difference == 0;
}

/*
 * Climbs from a node to the root over the nodes of a proof: RFC 9162, sections 2.1.3.2 and 2.1.4.2.
 * index is the node's in its level, last that of the level's last node. root becomes the root of
 * the whole tree, and old_root, unless null, that of the tree that ends with the first node.
 * Returns FIN_ERR_PROOF if the proof has too many or too few nodes; reads none if it has more than
 * FIN_MERKLE_PROOF_MAX.
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
            /* A last node without a right sibling is its own parent. */
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

/* Verifies a consistency proof. old_count is neither 0 nor count. */
static fin_status fin_merkle_check_growth(const fin_merkle *tree, uint64_t old_count,
                                          const uint8_t *old_root, uint64_t count,
                                          const uint8_t *root, const uint8_t *proof,
                                          size_t proof_count)
{
    uint8_t reached[FIN_MERKLE_HASH_BYTES_MAX], old_reached[FIN_MERKLE_HASH_BYTES_MAX];
    const size_t bytes = tree->digest_bytes;
    uint64_t index = old_count - 1;
    uint64_t last = count - 1;
    /* The proof starts at the largest subtree that ends with the old tree. */
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
    /* No short circuit: both comparisons always run. */
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
