/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Fuzzes Merkle trees against RFC 9162's recursion over the reference, with proofs that must verify
 * and altered ones that must not, and BLAKE2's tree mode in parts of any length.
 */
#include "input.h"

enum { LEAVES_MAX = 40, HASH_MAX = 64, LEAF_MAX = 100, MESSAGE_MAX = 3000 };

static fin_algorithm algorithm;
static parameters own;
static size_t hash_bytes;
static uint8_t hashes[LEAVES_MAX * HASH_MAX];

/* ---- Merkle trees ---- */

static void hash_prefixed(uint8_t prefix, const uint8_t *in, size_t bytes, uint8_t *hash)
{
    uint8_t message[1 + 2 * HASH_MAX + LEAF_MAX];
    message[0] = prefix;
    memcpy(message + 1, in, bytes);
    reference_hash(algorithm, &own.params, message, bytes + 1, hash);
}

static void root_of(size_t first, size_t count, uint8_t *root)
{
    uint8_t pair[2 * HASH_MAX];
    if (count == 0) {
        reference_hash(algorithm, &own.params, NULL, 0, root);
        return;
    }
    if (count == 1) {
        memcpy(root, hashes + first * hash_bytes, hash_bytes);
        return;
    }
    size_t left = 1;
    while (2 * left < count) {
        left *= 2;
    }
    root_of(first, left, pair);
    root_of(first + left, count - left, pair + hash_bytes);
    hash_prefixed(1, pair, 2 * hash_bytes, root);
}

/* Expects FIN_ERR_PROOF after a change of any byte or number of nodes. */
static void check_inclusion(input *in, size_t count, const uint8_t *root)
{
    uint8_t proof[(FIN_MERKLE_PROOF_MAX + 1) * HASH_MAX], leaf[HASH_MAX];
    const size_t index = take_byte(in) % count;
    size_t nodes;
    EXPECT(fin_merkle_inclusion(algorithm, &own.params, hashes, count, index, proof,
                                FIN_MERKLE_PROOF_MAX, &nodes) == FIN_OK);
    memcpy(leaf, hashes + index * hash_bytes, hash_bytes);
    EXPECT(fin_merkle_verify_inclusion(algorithm, &own.params, leaf, index, count, proof, nodes,
                                       root) == FIN_OK);
    const uint8_t change = (uint8_t)(take_byte(in) | 1);
    uint8_t *changed = nodes != 0 ? proof + take_number(in) % (nodes * hash_bytes) : leaf;
    *changed ^= change;
    EXPECT(fin_merkle_verify_inclusion(algorithm, &own.params, leaf, index, count, proof, nodes,
                                       root) == FIN_ERR_PROOF);
    *changed ^= change;
    memset(proof + nodes * hash_bytes, 0, hash_bytes);
    EXPECT(fin_merkle_verify_inclusion(algorithm, &own.params, leaf, index, count, proof, nodes + 1,
                                       root) == FIN_ERR_PROOF);
    EXPECT(nodes == 0 || fin_merkle_verify_inclusion(algorithm, &own.params, leaf, index, count,
                                                     proof, nodes - 1, root) == FIN_ERR_PROOF);
    EXPECT(fin_merkle_verify_inclusion(algorithm, &own.params, leaf, count, count, proof, nodes,
                                       root) == FIN_ERR_INDEX);
}

static void check_consistency(input *in, size_t count, const uint8_t *root)
{
    uint8_t proof[FIN_MERKLE_PROOF_MAX * HASH_MAX], old_root[HASH_MAX];
    const size_t old_count = 1 + take_byte(in) % count;
    size_t nodes;
    root_of(0, old_count, old_root);
    EXPECT(fin_merkle_consistency(algorithm, &own.params, hashes, count, old_count, proof,
                                  FIN_MERKLE_PROOF_MAX, &nodes) == FIN_OK);
    EXPECT(fin_merkle_verify_consistency(algorithm, &own.params, old_count, old_root, count, root,
                                         proof, nodes) == FIN_OK);
    uint8_t *changed = nodes != 0 && take_byte(in) % 2 == 0
                           ? proof + take_number(in) % (nodes * hash_bytes)
                           : old_root + take_number(in) % hash_bytes;
    *changed ^= (uint8_t)(take_byte(in) | 1);
    EXPECT(fin_merkle_verify_consistency(algorithm, &own.params, old_count, old_root, count, root,
                                         proof, nodes) == FIN_ERR_PROOF);
}

/* Passes arbitrary numbers and hashes: the calls must return, and no proof may verify. */
static void check_nonsense(input *in)
{
    uint8_t proof[8 * HASH_MAX], root[HASH_MAX];
    const uint64_t count = take_wide(in) >> take_byte(in) % 64;
    const uint64_t index = take_wide(in) >> take_byte(in) % 64;
    const size_t nodes = 1 + take_byte(in) % 8;
    take_filling(in, proof, sizeof proof);
    take_filling(in, root, sizeof root);
    const fin_status inclusion = fin_merkle_verify_inclusion(algorithm, &own.params, hashes, index,
                                                             count, proof, nodes, root);
    EXPECT(inclusion == (index >= count ? FIN_ERR_INDEX : FIN_ERR_PROOF) || hash_bytes < 4);
    const fin_status consistency = fin_merkle_verify_consistency(algorithm, &own.params, index,
                                                                 hashes, count, root, proof, nodes);
    EXPECT(consistency == (index == 0 || index > count ? FIN_ERR_INDEX : FIN_ERR_PROOF) ||
           hash_bytes < 4);
}

static void merkle(input *in)
{
    fin_message leaves[LEAVES_MAX] = {{NULL, 0}};
    uint8_t text[LEAF_MAX], root[HASH_MAX], expected[HASH_MAX];
    fin_merkle tree;
    const size_t count = take_byte(in) % (LEAVES_MAX + 1);
    take_filling(in, text, sizeof text);
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = take_up_to(in, LEAF_MAX);
        leaves[i] = (fin_message){text + (LEAF_MAX - bytes), bytes};
    }
    own.params.tree_mode = NULL;
    EXPECT(fin_merkle_leaves(algorithm, &own.params, leaves, count, hashes) == FIN_OK);
    for (size_t i = 0; i < count; i++) {
        hash_prefixed(0, leaves[i].in, leaves[i].bytes, expected);
        EXPECT(memcmp(hashes + i * hash_bytes, expected, hash_bytes) == 0);
    }
    EXPECT(fin_merkle_init(&tree, algorithm, &own.params) == FIN_OK);
    for (size_t at = 0; at < count;) {
        const size_t step = 1 + take_byte(in) % (count - at);
        EXPECT(fin_merkle_append(&tree, hashes + at * hash_bytes, step) == FIN_OK);
        at += step;
    }
    EXPECT(fin_merkle_root(&tree, root, sizeof root) == FIN_OK);
    root_of(0, count, expected);
    EXPECT(memcmp(root, expected, hash_bytes) == 0);
    /* Shorter hashes collide by chance. */
    if (count != 0 && hash_bytes >= 8) {
        check_inclusion(in, count, root);
        check_consistency(in, count, root);
    }
    check_nonsense(in);
}

/* ---- BLAKE2's tree mode ---- */

static void take_shape(input *in)
{
    const bool sequential = take_byte(in) % 16 == 0;
    const uint8_t fanout = take_byte(in) % 9;
    own.tree = (fin_tree_mode){
        .fanout = sequential ? 1 : (uint8_t)(fanout == 1 ? 0 : fanout),
        .depth = sequential ? 1 : (uint8_t)(2 + take_byte(in) % 6),
        .leaf_bytes = sequential ? 0 : (uint32_t)take_up_to(in, 300),
        .inner_bytes =
            (uint8_t)(sequential ? 0 : 1 + take_byte(in) % (algorithm == FIN_BLAKE2B ? 64 : 32))};
    own.params.tree_mode = &own.tree;
}

static void blake2_tree(input *in)
{
    static uint8_t message[MESSAGE_MAX];
    uint8_t digest[HASH_MAX], expected[HASH_MAX];
    static fin_tree_mode_context tree;
    algorithm = algorithm % 2 == 0 ? FIN_BLAKE2B : FIN_BLAKE2S;
    take_parameters(in, algorithm, HASH_MAX, &own);
    hash_bytes = (size_t)reference_digest_bytes(algorithm, &own.params);
    take_shape(in);
    const size_t bytes = take_up_to(in, MESSAGE_MAX);
    take_filling(in, message, bytes);
    if (own.tree.leaf_bytes != 0 && own.tree.leaf_bytes < 8) {
        own.tree.leaf_bytes += 8; /* a few hundred nodes are enough */
    }
    reference_tree(algorithm, &own.params, message, bytes, expected);
    EXPECT(fin_tree_mode_hash(algorithm, &own.params, message, bytes, digest, hash_bytes) ==
           FIN_OK);
    EXPECT(memcmp(digest, expected, hash_bytes) == 0);
    EXPECT(fin_tree_mode_init(&tree, algorithm, &own.params) == FIN_OK);
    for (size_t at = 0; at < bytes;) {
        const size_t left = bytes - at;
        const size_t step = take_byte(in) % 2 == 0 ? left : 1 + take_number(in) % left;
        EXPECT(fin_tree_mode_update(&tree, message + at, step) == FIN_OK);
        at += step;
    }
    EXPECT(fin_tree_mode_final(&tree, digest, hash_bytes - 1) == FIN_ERR_OUTPUT_LENGTH);
    EXPECT(fin_tree_mode_final(&tree, digest, hash_bytes) == FIN_OK);
    EXPECT(memcmp(digest, expected, hash_bytes) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    input in = {bytes, count};
    algorithm = take_algorithm(&in);
    take_implementation(&in, algorithm);
    take_parameters(&in, algorithm, HASH_MAX, &own);
    hash_bytes = (size_t)reference_digest_bytes(algorithm, &own.params);
    if (take_byte(&in) % 2 == 0) {
        merkle(&in);
    } else {
        blake2_tree(&in);
    }
    EXPECT(fin_impl_select(algorithm, NULL) == FIN_OK);
    return 0;
}
