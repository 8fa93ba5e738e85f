/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares Merkle trees with the definitions of RFC 6962 and RFC 9162, written here as recursions
 * and computed one hash at a time.
 */
#include "check.h"

enum { LEAVES_MAX = 131, HASH_MAX = FIN_MERKLE_HASH_BYTES_MAX, BYTES_MAX = 66 * 1024 };

#include "definition.h"

static void check_root(size_t count)
{
    uint8_t expected[HASH_MAX], root[HASH_MAX + 1];
    fin_merkle tree;
    tree_hash(0, count, expected);
    root[hash_bytes] = 0xc3;
    CHECK_STATUS(FIN_OK, fin_merkle_init(&tree, algorithm, &params));
    CHECK_STATUS(FIN_OK, fin_merkle_append(&tree, leaves, count));
    CHECK_STATUS(FIN_OK, fin_merkle_root(&tree, root, hash_bytes));
    CHECK_BYTES(expected, root, hash_bytes);
    CHECK(root[hash_bytes] == 0xc3);
}

static fin_status verify_inclusion(size_t index, size_t count, const proof *p, const uint8_t *root)
{
    return fin_merkle_verify_inclusion(algorithm, &params, leaves + index * hash_bytes, index,
                                       count, p->hashes, p->count, root);
}

static fin_status verify_consistency(size_t old_count, const uint8_t *old_root, size_t count,
                                     const uint8_t *root, const proof *p)
{
    return fin_merkle_verify_consistency(algorithm, &params, old_count, old_root, count, root,
                                         p->hashes, p->count);
}

static void check_inclusion(size_t index, size_t count, const uint8_t *root)
{
    proof expected = {0}, got;
    path(index, 0, count, &expected);
    CHECK_STATUS(FIN_OK, fin_merkle_inclusion(algorithm, &params, leaves, count, index, got.hashes,
                                              FIN_MERKLE_PROOF_MAX, &got.count));
    CHECK(expected.count == got.count);
    CHECK_BYTES(expected.hashes, got.hashes, expected.count * hash_bytes);
    CHECK_STATUS(FIN_OK, verify_inclusion(index, count, &expected, root));
}

static void check_consistency(size_t old_count, size_t count, const uint8_t *root)
{
    proof expected = {0}, got;
    uint8_t old_root[HASH_MAX];
    tree_hash(0, old_count, old_root);
    subproof(old_count, 0, count, true, &expected);
    CHECK_STATUS(FIN_OK, fin_merkle_consistency(algorithm, &params, leaves, count, old_count,
                                                got.hashes, FIN_MERKLE_PROOF_MAX, &got.count));
    CHECK(expected.count == got.count);
    CHECK_BYTES(expected.hashes, got.hashes, expected.count * hash_bytes);
    CHECK_STATUS(FIN_OK, verify_consistency(old_count, old_root, count, root, &expected));
}

/* Tests every proof in trees of every size. */
static void every_size(size_t count_max)
{
    uint8_t root[HASH_MAX];
    for (size_t count = 0; count <= count_max; count++) {
        check_context("%s, %lu leaves", fin_algorithm_describe(algorithm)->name,
                      (unsigned long)count);
        check_root(count);
        tree_hash(0, count, root);
        for (size_t i = 0; i < count; i++) {
            check_inclusion(i, count, root);
            check_consistency(i + 1, count, root);
        }
    }
}

/* Tests proofs with one wrong byte, length, index or tree size: none may verify. */
static void damaged_inclusion(size_t index, size_t count, uint8_t *root)
{
    proof p = {0};
    path(index, 0, count, &p);
    for (size_t i = 0; i < p.count * hash_bytes; i++) {
        p.hashes[i] ^= (uint8_t)(1U << i % 8);
        CHECK_STATUS(FIN_ERR_PROOF, verify_inclusion(index, count, &p, root));
        p.hashes[i] ^= (uint8_t)(1U << i % 8);
    }
    for (size_t i = 0; i < hash_bytes; i++) {
        root[i] ^= 0x80;
        CHECK_STATUS(FIN_ERR_PROOF, verify_inclusion(index, count, &p, root));
        root[i] ^= 0x80;
        leaves[index * hash_bytes + i] ^= 1;
        CHECK_STATUS(FIN_ERR_PROOF, verify_inclusion(index, count, &p, root));
        leaves[index * hash_bytes + i] ^= 1;
    }
    p.count++;
    CHECK_STATUS(FIN_ERR_PROOF, verify_inclusion(index, count, &p, root));
    p.count--;
    for (size_t other = 0; other < count; other++) {
        if (other != index) {
            CHECK_STATUS(FIN_ERR_PROOF, fin_merkle_verify_inclusion(
                                            algorithm, &params, leaves + index * hash_bytes, other,
                                            count, p.hashes, p.count, root));
        }
    }
    CHECK_STATUS(FIN_ERR_INDEX, verify_inclusion(index, index, &p, root));
    if (p.count != 0) {
        p.count--;
        CHECK_STATUS(FIN_ERR_PROOF, verify_inclusion(index, count, &p, root));
    }
}

static void damaged_consistency(size_t old_count, size_t count, uint8_t *root)
{
    proof p = {0};
    uint8_t old_root[HASH_MAX];
    tree_hash(0, old_count, old_root);
    subproof(old_count, 0, count, true, &p);
    for (size_t i = 0; i < p.count * hash_bytes; i++) {
        p.hashes[i] ^= (uint8_t)(1U << i % 8);
        CHECK_STATUS(FIN_ERR_PROOF, verify_consistency(old_count, old_root, count, root, &p));
        p.hashes[i] ^= (uint8_t)(1U << i % 8);
    }
    for (size_t i = 0; i < hash_bytes; i++) {
        root[i] ^= 0x80;
        CHECK_STATUS(FIN_ERR_PROOF, verify_consistency(old_count, old_root, count, root, &p));
        root[i] ^= 0x80;
        old_root[i] ^= 1;
        CHECK_STATUS(FIN_ERR_PROOF, verify_consistency(old_count, old_root, count, root, &p));
        old_root[i] ^= 1;
    }
    p.count++;
    CHECK_STATUS(FIN_ERR_PROOF, verify_consistency(old_count, old_root, count, root, &p));
    p.count--;
    for (size_t other = 1; other <= count; other++) {
        if (other != old_count) {
            CHECK_STATUS(FIN_ERR_PROOF, verify_consistency(other, old_root, count, root, &p));
        }
    }
    CHECK_STATUS(FIN_ERR_INDEX, verify_consistency(0, old_root, count, root, &p));
    CHECK_STATUS(FIN_ERR_INDEX, verify_consistency(count + 1, old_root, count, root, &p));
    if (p.count != 0) {
        p.count--;
        CHECK_STATUS(FIN_ERR_PROOF, verify_consistency(old_count, old_root, count, root, &p));
    }
}

static void damaged_proofs(size_t count_max)
{
    uint8_t root[HASH_MAX];
    for (size_t count = 1; count <= count_max; count++) {
        check_context("damaged, %s, %lu leaves", fin_algorithm_describe(algorithm)->name,
                      (unsigned long)count);
        tree_hash(0, count, root);
        for (size_t i = 0; i < count; i++) {
            damaged_inclusion(i, count, root);
            damaged_consistency(i + 1, count, root);
        }
    }
}

/* Tests the tree of RFC 6962, section 2.1.3, node by node with the RFC's letters. */
static void example_of_the_rfc(void)
{
    uint8_t g[HASH_MAX], h[HASH_MAX], i[HASH_MAX], k[HASH_MAX], l[HASH_MAX], root[HASH_MAX];
    const uint8_t *leaf[7];
    for (size_t n = 0; n < 7; n++) {
        leaf[n] = leaves + n * hash_bytes;
    }
    hash_pair(leaf[0], leaf[1], g);
    hash_pair(leaf[2], leaf[3], h);
    hash_pair(leaf[4], leaf[5], i);
    const uint8_t *j = leaf[6];
    hash_pair(g, h, k);
    hash_pair(i, j, l);
    hash_pair(k, l, root);
    const struct {
        size_t index, old_count, count;
        const uint8_t *hashes[4];
    } paths[] = {
        {0, 0, 3, {leaf[1], h, l}}, {3, 0, 3, {leaf[2], g, l}},          {4, 0, 3, {leaf[5], j, k}},
        {6, 0, 2, {i, k}},          {0, 3, 4, {leaf[2], leaf[3], g, l}}, {0, 4, 1, {l}},
        {0, 6, 3, {i, j, k}}};
    for (size_t n = 0; n < sizeof paths / sizeof paths[0]; n++) {
        proof got;
        check_context("example of RFC 6962, proof %lu", (unsigned long)n);
        if (paths[n].old_count == 0) {
            CHECK_STATUS(FIN_OK, fin_merkle_inclusion(algorithm, &params, leaves, 7, paths[n].index,
                                                      got.hashes, 4, &got.count));
            CHECK_STATUS(FIN_OK, verify_inclusion(paths[n].index, 7, &got, root));
        } else {
            CHECK_STATUS(FIN_OK,
                         fin_merkle_consistency(algorithm, &params, leaves, 7, paths[n].old_count,
                                                got.hashes, 4, &got.count));
        }
        CHECK(got.count == paths[n].count);
        for (size_t m = 0; m < paths[n].count; m++) {
            CHECK_BYTES(paths[n].hashes[m], got.hashes + m * hash_bytes, hash_bytes);
        }
    }
    fin_merkle tree;
    uint8_t got[HASH_MAX];
    (void)CHECK_NEEDED(fin_merkle_init(&tree, algorithm, &params) == FIN_OK);
    CHECK_STATUS(FIN_OK, fin_merkle_append(&tree, leaves, 7));
    CHECK_STATUS(FIN_OK, fin_merkle_root(&tree, got, hash_bytes));
    CHECK_BYTES(root, got, hash_bytes);
}

/* Computes the root for a path through a tree of any size whose other nodes are random. */
static void climb(uint64_t index, uint64_t count, proof *p, uint8_t *root)
{
    uint8_t own[HASH_MAX];
    if (count == 1) {
        memcpy(root, leaves, hash_bytes);
        return;
    }
    const uint64_t k = split(count);
    climb(index < k ? index : index - k, index < k ? k : count - k, p, own);
    uint8_t *sibling = p->hashes + p->count++ * hash_bytes;
    check_random_bytes(sibling, hash_bytes);
    if (index < k) {
        hash_pair(own, sibling, root);
    } else {
        hash_pair(sibling, own, root);
    }
}

static void large_sizes(void)
{
    static const uint64_t counts[] = {UINT64_MAX, UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1,
                                      UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1};
    uint8_t root[HASH_MAX];
    check_context("large sizes");
    for (size_t i = 0; i < 400; i++) {
        proof p = {0};
        const uint64_t count = i < 20 ? counts[i / 4] : check_random() >> i % 64 | 1;
        const uint64_t indices[] = {0, count - 1, count / 2, check_random() % count};
        const uint64_t index = indices[i % 4];
        climb(index, count, &p, root);
        CHECK_STATUS(FIN_OK, fin_merkle_verify_inclusion(algorithm, &params, leaves, index, count,
                                                         p.hashes, p.count, root));
        const size_t byte = check_random_below(p.count * hash_bytes + 1);
        if (byte < p.count * hash_bytes) {
            p.hashes[byte] ^= 4;
            CHECK_STATUS(FIN_ERR_PROOF,
                         fin_merkle_verify_inclusion(algorithm, &params, leaves, index, count,
                                                     p.hashes, p.count, root));
            p.hashes[byte] ^= 4;
            CHECK_STATUS(FIN_ERR_PROOF,
                         fin_merkle_verify_inclusion(algorithm, &params, leaves, index, count,
                                                     p.hashes, p.count - 1, root));
        }
    }
}

/* Compares a tree that grows by several leaves at a time, different or equal ones, with one leaf at a
   time. */
static void growth(void)
{
    enum { MANY = 20000 };
    uint8_t *hashes = check_allocate((size_t)MANY * HASH_MAX);
    fin_merkle slow, quick;
    uint8_t expected[HASH_MAX], root[HASH_MAX];
    check_random_bytes(hashes, (size_t)MANY * HASH_MAX);
    check_context("growth, %s", fin_algorithm_describe(algorithm)->name);
    CHECK_STATUS(FIN_OK, fin_merkle_init(&slow, algorithm, &params));
    CHECK_STATUS(FIN_OK, fin_merkle_init(&quick, algorithm, &params));
    for (size_t at = 0; at < MANY;) {
        size_t count = check_random_below(check_random_below(3) == 0 ? 3000 : 40);
        count = count < MANY - at ? count : MANY - at;
        uint8_t *next = hashes + at * hash_bytes;
        if (check_random_below(3) == 0) {
            for (size_t i = 1; i < count; i++) {
                memcpy(next + i * hash_bytes, next, hash_bytes);
            }
            CHECK_STATUS(FIN_OK, fin_merkle_append_equal(&quick, next, count));
        } else {
            CHECK_STATUS(FIN_OK, fin_merkle_append(&quick, next, count));
        }
        for (; count != 0; count--, at++) {
            (void)CHECK_NEEDED(fin_merkle_append(&slow, hashes + at * hash_bytes, 1) == FIN_OK);
        }
        CHECK_STATUS(FIN_OK, fin_merkle_root(&slow, expected, hash_bytes));
        CHECK_STATUS(FIN_OK, fin_merkle_root(&quick, root, hash_bytes));
        CHECK_BYTES(expected, root, hash_bytes);
    }
    /* The tree's state follows from its number of leaves, so its end can be forged. */
    quick.leaf_count = UINT64_MAX - 1;
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_merkle_append(&quick, hashes, 2));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_merkle_append_equal(&quick, hashes, 2));
    CHECK(quick.leaf_count == UINT64_MAX - 1);
    CHECK_STATUS(FIN_OK, fin_merkle_append(&quick, hashes, 1));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_merkle_append(&quick, hashes, 1));
    free(hashes);
}

/* Compares leaves of all lengths, in every lane, with hashes of the same bytes after a 00. Half of
   them are at most three bytes from a whole number of blocks, or of BLAKE3's chunks. */
static void leaf_hashes(fin_algorithm chosen)
{
    enum { COUNT = 67, TURNS = 8, CHUNK_BYTES = 1024 };
    static uint8_t hashes[COUNT * HASH_MAX + 1];
    fin_message messages[COUNT];
    for (size_t turn = 0; turn < TURNS; turn++) {
        const size_t unit = chosen == FIN_BLAKE3 && turn >= TURNS / 2
                                ? (size_t)CHUNK_BYTES
                                : fin_algorithm_describe(chosen)->block_bytes;
        const size_t units = turn + 1 == TURNS ? 65 : 5; /* 64 chunks are the most in a window */
        const bool keyed = fin_algorithm_describe(chosen)->key_bytes_max != 0 && turn % 2 != 0;
        const uint32_t shortest = fin_algorithm_describe(chosen)->key_bytes_min;
        /* Lanes write at most 32 bytes of BLAKE3. */
        const size_t digest_bytes = chosen == FIN_BLAKE3 && turn % 4 != 0 ? 32 : 0;
        choose(chosen, digest_bytes, !keyed ? 0 : shortest > KEY_BYTES ? shortest : KEY_BYTES);
        const size_t count = turn < 2 ? COUNT : check_random_below(COUNT + 1);
        for (size_t i = 0; i < count; i++) {
            const size_t edge = unit * check_random_below(units) + check_random_below(4);
            const size_t any = check_random_below(11 * unit);
            const size_t bytes = i % 2 != 0 ? any : (edge < 2 ? 0 : edge - 2);
            messages[i] = (fin_message){bytes == 0 ? NULL : text + check_random_below(100), bytes};
        }
        hashes[count * hash_bytes] = 0xc3;
        CHECK_STATUS(FIN_OK, fin_merkle_leaves(algorithm, &params, messages, count, hashes));
        for (size_t i = 0; i < count; i++) {
            uint8_t expected[HASH_MAX];
            hash_with(0, messages[i].in, messages[i].bytes, expected);
            CHECK_BYTES(expected, hashes + i * hash_bytes, hash_bytes);
        }
        CHECK(hashes[count * hash_bytes] == 0xc3);
    }
    /* Pairs in lanes, for every digest length that the algorithm allows. */
    const fin_algorithm_info *info = fin_algorithm_describe(chosen);
    const size_t last = info->digest_bytes_min == info->digest_bytes_max ? 1 : HASH_MAX;
    for (size_t bytes = 1; bytes <= last && bytes <= info->digest_bytes_max; bytes++) {
        choose(chosen, last == 1 ? 0 : bytes, 0);
        check_root(LEAVES_MAX);
    }
}

static void bad_input(void)
{
    fin_merkle tree, untouched;
    fin_message message = {NULL, 1};
    fin_tree_mode node = {.fanout = 2, .depth = 2};
    fin_params of_node = {.tree_mode = &node}, long_key = {.key = key, .key_bytes = KEY_BYTES};
    uint8_t hashes[4 * HASH_MAX] = {0};
    size_t count = 77;
    check_context("bad input");
    choose(FIN_BLAKE2S, 0, 0);
    memset(&tree, 0, sizeof tree);
    CHECK_STATUS(FIN_ERR_STATE, fin_merkle_append(&tree, leaves, 1));
    CHECK_STATUS(FIN_ERR_STATE, fin_merkle_append_equal(&tree, leaves, 1));
    CHECK_STATUS(FIN_ERR_STATE, fin_merkle_root(&tree, hashes, sizeof hashes));
    CHECK_STATUS(FIN_ERR_NULL, fin_merkle_init(NULL, FIN_BLAKE2S, NULL));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_merkle_init(&tree, (fin_algorithm)99, NULL));
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_merkle_init(&tree, FIN_BLAKE2S, &of_node));
    CHECK_STATUS(FIN_ERR_KEY_LENGTH, fin_merkle_init(&tree, FIN_BLAKE256, &long_key));
    CHECK_STATUS(FIN_ERR_DIGEST_LENGTH,
                 fin_merkle_init(&tree, FIN_BLAKE2XB, &(fin_params){.digest_bytes = 65}));
    CHECK_STATUS(
        FIN_ERR_DIGEST_LENGTH,
        fin_merkle_init(&tree, FIN_BLAKE2XB, &(fin_params){.digest_bytes = FIN_XOF_UNKNOWN}));
    CHECK_STATUS(FIN_OK, fin_merkle_init(&tree, FIN_BLAKE2S, NULL));
    untouched = tree;
    CHECK_STATUS(FIN_ERR_NULL, fin_merkle_append(&tree, NULL, 1));
    CHECK_STATUS(FIN_OK, fin_merkle_append(&tree, NULL, 0));
    CHECK_STATUS(FIN_ERR_NULL, fin_merkle_append_equal(&tree, NULL, 1));
    CHECK_STATUS(FIN_OK, fin_merkle_append_equal(&tree, NULL, 0));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_merkle_root(&tree, hashes, 31));
    CHECK_STATUS(FIN_ERR_NULL, fin_merkle_root(&tree, NULL, 32));
    CHECK(memcmp(&tree, &untouched, sizeof tree) == 0);
    CHECK_STATUS(FIN_ERR_NULL, fin_merkle_leaves(FIN_BLAKE2S, NULL, &message, 1, hashes));
    CHECK_STATUS(FIN_ERR_NULL, fin_merkle_leaves(FIN_BLAKE2S, NULL, NULL, 1, hashes));
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_merkle_leaves(FIN_BLAKE2S, &of_node, &message, 0, hashes));
    if (SIZE_MAX > UINT32_MAX) {
        message = (fin_message){text, SIZE_MAX};
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_merkle_leaves(FIN_BLAKE2S, NULL, &message, 1, hashes));
    }
    CHECK_STATUS(FIN_ERR_INDEX,
                 fin_merkle_inclusion(FIN_BLAKE2S, NULL, leaves, 7, 7, hashes, 4, &count));
    CHECK_STATUS(FIN_ERR_INDEX,
                 fin_merkle_inclusion(FIN_BLAKE2S, NULL, NULL, 0, 0, hashes, 4, &count));
    CHECK_STATUS(FIN_ERR_INDEX,
                 fin_merkle_inclusion(FIN_BLAKE2S, NULL, leaves, 7, SIZE_MAX, hashes, 4, &count));
    CHECK_STATUS(FIN_ERR_INDEX,
                 fin_merkle_consistency(FIN_BLAKE2S, NULL, leaves, 7, 8, hashes, 4, &count));
    CHECK_STATUS(FIN_ERR_INDEX,
                 fin_merkle_consistency(FIN_BLAKE2S, NULL, leaves, 7, 0, hashes, 4, &count));
    CHECK_STATUS(FIN_ERR_NULL,
                 fin_merkle_inclusion(FIN_BLAKE2S, NULL, leaves, 7, 0, hashes, 4, NULL));
    CHECK_STATUS(FIN_ERR_NULL,
                 fin_merkle_consistency(FIN_BLAKE2S, NULL, NULL, 7, 3, hashes, 4, &count));
    CHECK_STATUS(FIN_ERR_ALGORITHM,
                 fin_merkle_inclusion((fin_algorithm)99, NULL, leaves, 7, 7, hashes, 4, &count));
    CHECK(count == 77);
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                 fin_merkle_inclusion(FIN_BLAKE2S, NULL, leaves, 7, 0, NULL, 0, &count));
    CHECK(count == 3);
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                 fin_merkle_consistency(FIN_BLAKE2S, NULL, leaves, 7, 3, hashes, 3, &count));
    CHECK(count == 4);
    CHECK_STATUS(FIN_ERR_NULL,
                 fin_merkle_verify_inclusion(FIN_BLAKE2S, NULL, leaves, 0, 2, NULL, 1, hashes));
    for (size_t i = 0; i < 3; i++) {
        CHECK_STATUS(FIN_ERR_NULL, fin_merkle_verify_consistency(
                                       FIN_BLAKE2S, NULL, 1, i == 0 ? NULL : leaves, 2,
                                       i == 1 ? NULL : leaves, i == 2 ? NULL : hashes, 1));
    }
    CHECK_STATUS(FIN_ERR_TREE_MODE,
                 fin_merkle_verify_inclusion(FIN_BLAKE2S, &of_node, leaves, 0, 1, NULL, 0, leaves));
    CHECK_STATUS(FIN_OK,
                 fin_merkle_verify_inclusion(FIN_BLAKE2S, NULL, leaves, 0, 1, NULL, 0, leaves));
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(text, sizeof text);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm each = fin_algorithm_at(i)->algorithm;
        check_each_choice(each, leaf_hashes);
        if (check_part("%s, small trees", fin_algorithm_at(i)->name)) {
            choose(each, 0, 0);
            example_of_the_rfc();
            every_size(20);
        }
    }
    if (check_part("blake2b with a key")) {
        choose(FIN_BLAKE2B, 32, KEY_BYTES);
        every_size(LEAVES_MAX - 1);
        damaged_proofs(12);
        large_sizes();
        growth();
    }
    if (check_part("blake256, trees that grow")) {
        choose(FIN_BLAKE256, 0, 0);
        damaged_proofs(9);
        growth();
    }
    if (check_part("blake2s, short hashes")) {
        choose(FIN_BLAKE2S, 5, 0);
        every_size(LEAVES_MAX - 1);
        damaged_proofs(17);
        bad_input();
    }
    return check_report();
}
