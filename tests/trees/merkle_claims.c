/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests false claims of Merkle proofs. In all trees up to 20 leaves, every node, leaf or not, is
 * claimed to be the leaf at every index, with the path of every node, cut at either end or with one
 * hash exchanged. With the right number of leaves only true claims verify. With a wrong number
 * false ones do, which is why the verifier must know it: docs/format/proofs.md.
 */
#include "check.h"

enum { LEAVES_MAX = 20, NODES_MAX = 2 * LEAVES_MAX, HASH = 16, PATH_MAX_HASHES = 8 };

static const fin_algorithm algorithm = FIN_BLAKE2S;
static const fin_params params = {.digest_bytes = HASH};

/* A node and its path to the root. */
typedef struct node {
    uint8_t hash[HASH];
    size_t first, count; /* its leaves */
    size_t path_count;
    uint8_t path[PATH_MAX_HASHES][HASH];
} node;

static uint8_t leaves[LEAVES_MAX][HASH];
static node nodes[NODES_MAX];
static size_t node_count;

static void root_of(size_t first, size_t count, uint8_t root[HASH])
{
    fin_merkle tree;
    (void)CHECK_NEEDED(fin_merkle_init(&tree, algorithm, &params) == FIN_OK);
    (void)CHECK_NEEDED(fin_merkle_append(&tree, leaves[first], count) == FIN_OK);
    (void)CHECK_NEEDED(fin_merkle_root(&tree, root, HASH) == FIN_OK);
}

/* Lists all nodes of a subtree whose path is known: RFC 9162, section 2.1.1. */
static void list_nodes(size_t first, size_t count, size_t path_count,
                       uint8_t path[PATH_MAX_HASHES][HASH])
{
    node *own = &nodes[node_count++];
    root_of(first, count, own->hash);
    own->first = first;
    own->count = count;
    own->path_count = path_count;
    memcpy(own->path, path, sizeof own->path);
    size_t left = 1;
    while (2 * left < count) {
        left *= 2;
    }
    for (int side = 0; count > 1 && side < 2; side++) {
        uint8_t below[PATH_MAX_HASHES][HASH];
        memcpy(below + 1, own->path, (PATH_MAX_HASHES - 1) * HASH);
        root_of(side == 0 ? first + left : first, side == 0 ? count - left : left, below[0]);
        list_nodes(side == 0 ? first : first + left, side == 0 ? left : count - left,
                   path_count + 1, below);
    }
}

static bool verifies(const node *claimed, size_t index, size_t count, uint8_t proof[][HASH],
                     size_t proof_count, const uint8_t *root)
{
    return fin_merkle_verify_inclusion(algorithm, &params, claimed->hash, index, count,
                                       (const uint8_t *)proof, proof_count, root) == FIN_OK;
}

/* Returns true if the claim is: this node is the leaf, and this is its path. */
static bool is_true(const node *claimed, size_t index, uint8_t proof[][HASH], size_t proof_count)
{
    return claimed->count == 1 && claimed->first == index && claimed->path_count == proof_count &&
           memcmp(proof, claimed->path, proof_count * HASH) == 0;
}

static void check_claim(const node *claimed, size_t index, size_t count, uint8_t proof[][HASH],
                        size_t proof_count, const uint8_t *root)
{
    if (!CHECK(verifies(claimed, index, count, proof, proof_count, root) ==
               is_true(claimed, index, proof, proof_count))) {
        printf("    %u leaves: the node of %u from %u on as leaf %u, %u hashes\n", (unsigned)count,
               (unsigned)claimed->count, (unsigned)claimed->first, (unsigned)index,
               (unsigned)proof_count);
    }
}

static void check_tree(size_t count)
{
    static uint8_t nothing[PATH_MAX_HASHES][HASH];
    uint8_t root[HASH];
    node_count = 0;
    root_of(0, count, root);
    list_nodes(0, count, 0, nothing);
    CHECK(node_count == 2 * count - 1);
    for (size_t i = 0; i < node_count; i++) {
        for (size_t index = 0; index < count; index++) {
            for (size_t of = 0; of < node_count; of++) {
                node *path = &nodes[of];
                for (size_t cut = 0; cut <= path->path_count; cut++) {
                    check_claim(&nodes[i], index, count, path->path + cut, path->path_count - cut,
                                root);
                    check_claim(&nodes[i], index, count, path->path, cut, root);
                }
            }
        }
    }
}

/* Replaces one hash of a true path by any other node's. */
static void check_exchanged(size_t count)
{
    uint8_t root[HASH];
    root_of(0, count, root);
    for (size_t i = 0; i < node_count; i++) {
        for (size_t at = 0; at < nodes[i].path_count; at++) {
            for (size_t other = 0; other < node_count; other++) {
                uint8_t path[PATH_MAX_HASHES][HASH];
                memcpy(path, nodes[i].path, sizeof path);
                memcpy(path[at], nodes[other].hash, HASH);
                check_claim(&nodes[i], nodes[i].first, count, path, nodes[i].path_count, root);
            }
        }
    }
}

/* If the proof states the number of leaves, the root of three leaves passes for one of two. */
static void wrong_counts(void)
{
    static uint8_t nothing[PATH_MAX_HASHES][HASH];
    uint8_t root[HASH];
    node_count = 0;
    root_of(0, 3, root);
    list_nodes(0, 3, 0, nothing);
    node *inner = &nodes[1], *first = &nodes[2];
    CHECK(inner->count == 2 && first->count == 1 && first->first == 0);
    CHECK(verifies(inner, 0, 2, inner->path, inner->path_count, root));
    CHECK(!verifies(inner, 0, 3, inner->path, inner->path_count, root));
    CHECK(verifies(first, 0, 3, first->path, first->path_count, root));
    CHECK(verifies(first, 0, 4, first->path, first->path_count, root));
}

int main(void)
{
    check_random_bytes(leaves[0], sizeof leaves);
    for (size_t count = 1; count <= LEAVES_MAX; count++) {
        check_context("a tree of %u leaves", (unsigned)count);
        check_tree(count);
        check_exchanged(count);
    }
    check_context("wrong numbers of leaves");
    wrong_counts();
    return check_report();
}
