/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares BLAKE2's tree mode with trees composed node by node: by Python's hashlib, and here from
 * single messages with tree parameters.
 */
#include "check.h"

enum { BYTES_MAX = 6000, NODES_MAX = 6001, DIGEST_MAX = 64 };

static uint8_t text[BYTES_MAX]; /* painted */
static const uint8_t key[] = "the leaves alone take this key  ";

/* A tree over the first bytes of text. */
typedef struct sapling {
    fin_algorithm algorithm;
    fin_tree_mode shape;
    fin_params params; /* params.tree_mode points to shape */
    size_t bytes;
    size_t digest_bytes;
} sapling;

/* Hashes one node. A node above the leaves has the key's length in its parameter block but no key:
   no parameters of fin_init express that, hence the second byte of the chaining value. */
static void hash_node(const sapling *tree, uint8_t depth, size_t offset, bool last,
                      const uint8_t *in, size_t bytes, size_t digest_bytes, uint8_t *digest)
{
    fin_context context;
    fin_tree_mode node = tree->shape;
    fin_params params = tree->params;
    node.node_depth = depth;
    node.node_offset = offset;
    node.last_node = last;
    params.tree_mode = &node;
    params.digest_bytes = digest_bytes;
    params.key_bytes = depth == 0 ? params.key_bytes : 0;
    (void)CHECK_NEEDED(fin_init(&context, tree->algorithm, &params) == FIN_OK);
    if (depth != 0 && tree->algorithm == FIN_BLAKE2B) {
        context.state.h.w64[0] ^= tree->params.key_bytes << 8;
    } else if (depth != 0) {
        context.state.h.w32[0] ^= (uint32_t)tree->params.key_bytes << 8;
    }
    (void)CHECK_NEEDED(fin_update(&context, in, bytes) == FIN_OK);
    (void)CHECK_NEEDED(fin_final(&context, digest, digest_bytes) == FIN_OK);
}

/* Composes the tree level by level. */
static void compose(const sapling *tree, uint8_t *digest)
{
    static uint8_t below[NODES_MAX * DIGEST_MAX], level[NODES_MAX * DIGEST_MAX];
    const size_t inner_bytes = tree->shape.inner_bytes;
    const uint8_t *in = text;
    size_t bytes = tree->bytes;
    size_t node_bytes = tree->shape.leaf_bytes != 0 ? tree->shape.leaf_bytes : bytes + 1;
    for (unsigned depth = 0;; depth++) {
        if (depth > 0) {
            const size_t fanout = tree->shape.fanout;
            const bool top = fanout == 0 || depth == tree->shape.depth - 1U;
            node_bytes = top ? bytes : fanout * inner_bytes;
        }
        const size_t count = bytes == 0 ? 1 : (bytes - 1) / node_bytes + 1;
        if (depth > 0 && count == 1) {
            hash_node(tree, (uint8_t)depth, 0, true, in, bytes, tree->digest_bytes, digest);
            return;
        }
        for (size_t i = 0; i < count; i++) {
            const size_t left = bytes - i * node_bytes;
            hash_node(tree, (uint8_t)depth, i, i + 1 == count, in + i * node_bytes,
                      left < node_bytes ? left : node_bytes, inner_bytes, level + i * inner_bytes);
        }
        bytes = count * inner_bytes;
        memcpy(below, level, bytes);
        in = below;
    }
}

/* Appends parts of any length, and some leaves hashed separately. */
static void grow(const sapling *tree, uint8_t *digest)
{
    static fin_tree_mode_context context;
    const size_t leaf_bytes = tree->shape.leaf_bytes;
    const size_t inner_bytes = tree->shape.inner_bytes;
    const size_t piece_max = 1 + check_random_below(tree->bytes + 1);
    uint8_t leaf[DIGEST_MAX];
    memset(&context, (int)check_random(), sizeof context);
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&context, tree->algorithm, &tree->params));
    for (size_t at = 0; at < tree->bytes;) {
        const size_t left = tree->bytes - at;
        if (leaf_bytes != 0 && at % leaf_bytes == 0 && left > leaf_bytes &&
            check_random_below(4) == 0) {
            static uint8_t digests[BYTES_MAX * DIGEST_MAX];
            const size_t count = check_random_below((left - 1) / leaf_bytes + 1);
            CHECK_STATUS(FIN_OK, fin_tree_mode_leaves(&context, text + at, count * leaf_bytes,
                                                      at / leaf_bytes, digests));
            CHECK_STATUS(FIN_OK, fin_tree_mode_append(&context, digests, count));
            at += count * leaf_bytes;
        } else if (leaf_bytes != 0 && at % leaf_bytes == 0 && check_random_below(4) == 0) {
            const size_t take = left < leaf_bytes ? left : leaf_bytes;
            hash_node(tree, 0, at / leaf_bytes, take == left, text + at, take, inner_bytes, leaf);
            CHECK_STATUS(FIN_OK, fin_tree_mode_append(&context, leaf, 1));
            at += take;
        } else {
            const size_t piece = check_random_below(piece_max + 1);
            const size_t take = left < piece ? left : piece;
            CHECK_STATUS(FIN_OK, fin_tree_mode_update(&context, text + at, take));
            at += take;
        }
    }
    CHECK_STATUS(FIN_OK, fin_tree_mode_final(&context, digest, tree->digest_bytes));
    CHECK_STATUS(FIN_ERR_STATE, fin_tree_mode_final(&context, digest, tree->digest_bytes));
}

static void check_tree(const sapling *tree, const uint8_t *expected)
{
    uint8_t digest[DIGEST_MAX + 1] = {0};
    digest[tree->digest_bytes] = 0xc3;
    CHECK_STATUS(FIN_OK, fin_tree_mode_hash(tree->algorithm, &tree->params, text, tree->bytes,
                                            digest, tree->digest_bytes));
    const bool equal = CHECK_BYTES(expected, digest, tree->digest_bytes);
    CHECK(digest[tree->digest_bytes] == 0xc3);
    memset(digest, 0, tree->digest_bytes);
    grow(tree, digest);
    if (!CHECK_BYTES(expected, digest, tree->digest_bytes) || !equal) {
        printf("    fanout %u, depth %u, leaf %lu, inner %u, %lu bytes\n", tree->shape.fanout,
               tree->shape.depth, (unsigned long)tree->shape.leaf_bytes, tree->shape.inner_bytes,
               (unsigned long)tree->bytes);
    }
}

typedef struct published {
    fin_algorithm algorithm;
    uint8_t fanout, depth;
    uint32_t leaf_bytes;
    uint8_t inner_bytes;
    size_t digest_bytes, bytes, salt_bytes, personal_bytes;
    const char *digest;
} published;

static const published of_hashlib[] = {
#include "../gen/blake2_trees.inc"
};

static void from_hex(const char *hex, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char pair[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
}

static void trees_of_hashlib(void)
{
    for (size_t i = 0; i < sizeof of_hashlib / sizeof of_hashlib[0]; i++) {
        const published *row = &of_hashlib[i];
        uint8_t expected[DIGEST_MAX];
        sapling tree = {.algorithm = row->algorithm,
                        .shape = {.fanout = row->fanout,
                                  .depth = row->depth,
                                  .leaf_bytes = row->leaf_bytes,
                                  .inner_bytes = row->inner_bytes},
                        .bytes = row->bytes,
                        .digest_bytes = row->digest_bytes};
        tree.params = (fin_params){.digest_bytes = row->digest_bytes,
                                   .salt = text,
                                   .salt_bytes = row->salt_bytes,
                                   .personal = text,
                                   .personal_bytes = row->personal_bytes,
                                   .tree_mode = &tree.shape};
        check_context("hashlib's tree %lu", (unsigned long)i);
        from_hex(row->digest, expected, row->digest_bytes);
        check_tree(&tree, expected);
    }
}

/* Tests the example in Python's documentation of hashlib, "Tree mode". */
static void example_of_python(void)
{
    static const uint8_t zeros[6000];
    const fin_tree_mode shape = {.fanout = 2, .depth = 2, .leaf_bytes = 4096, .inner_bytes = 64};
    const fin_params params = {.digest_bytes = 32, .tree_mode = &shape};
    uint8_t expected[32], digest[32];
    check_context("example of Python's documentation");
    from_hex("3ad2a9b37c6070e374c7a8c508fe20ca86b6ed54e286e93a0318e95e881db5aa", expected, 32);
    CHECK_STATUS(FIN_OK, fin_tree_mode_hash(FIN_BLAKE2B, &params, zeros, sizeof zeros, digest, 32));
    CHECK_BYTES(expected, digest, 32);
}

static void random_trees(fin_algorithm algorithm)
{
    const uint8_t most = algorithm == FIN_BLAKE2B ? 64 : 32;
    static const uint8_t fanouts[] = {0, 2, 2, 3, 4, 5, 8, 17, 255};
    static const uint8_t depths[] = {2, 3, 4, 5, 6, 255, 255, 255};
    static const uint32_t leaves[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 1000, UINT32_MAX};
    for (size_t i = 0; i < 150; i++) {
        uint8_t expected[DIGEST_MAX];
        sapling tree = {.algorithm = algorithm,
                        .shape = {.fanout = fanouts[check_random_below(sizeof fanouts)],
                                  .depth = depths[check_random_below(sizeof depths)],
                                  .leaf_bytes = leaves[check_random_below(11)],
                                  .inner_bytes = (uint8_t)(1 + check_random_below(most))},
                        .bytes = check_random_below(3) == 0 ? check_random_below(BYTES_MAX)
                                                            : check_random_below(300),
                        .digest_bytes = 1 + check_random_below(most)};
        tree.params = (fin_params){.digest_bytes = tree.digest_bytes,
                                   .key = key,
                                   .key_bytes = check_random_below(2) * check_random_below(33),
                                   .salt = text + 7,
                                   .salt_bytes = check_random_below(most / 4 + 1U),
                                   .personal = text + 3,
                                   .personal_bytes = check_random_below(most / 4 + 1U),
                                   .tree_mode = &tree.shape};
        compose(&tree, expected);
        check_tree(&tree, expected);
    }
}

static void sequential(void)
{
    fin_tree_mode shape = {.fanout = 1, .depth = 1};
    const fin_params plain = {.digest_bytes = 17, .key = key, .key_bytes = 32};
    fin_params params = plain;
    uint8_t expected[17], digest[17];
    check_context("depth 1");
    params.tree_mode = &shape;
    for (size_t bytes = 0; bytes < 400; bytes += 57) {
        (void)CHECK_NEEDED(fin_hash(FIN_BLAKE2S, &plain, text, bytes, expected, 17) == FIN_OK);
        CHECK_STATUS(FIN_OK, fin_tree_mode_hash(FIN_BLAKE2S, &params, text, bytes, digest, 17));
        CHECK_BYTES(expected, digest, 17);
    }
}

/* Node offsets beyond 2^32: forges the counts of a tree with three leaves and two nodes above. */
static void far_nodes(fin_algorithm algorithm)
{
    enum { LEAF = 10, INNER = 20, LEAVES = 3 };
    static fin_tree_mode_context context;
    const size_t far = (size_t)(UINT64_C(1) << 40);
    const bool has_space = SIZE_MAX > UINT32_MAX;
    sapling tree = {.algorithm = algorithm,
                    .shape = {.fanout = 2, .depth = 5, .leaf_bytes = LEAF, .inner_bytes = INNER},
                    .digest_bytes = 32};
    uint8_t leaves[LEAVES * INNER], nodes[2 * INNER], expected[32], digest[32];
    uint8_t at_once[LEAVES * INNER];
    tree.params = (fin_params){.digest_bytes = 32, .tree_mode = &tree.shape};
    for (size_t ways = 0; has_space && ways < 2; ways++) {
        check_context("far nodes of %s, way %u", fin_algorithm_describe(algorithm)->name,
                      (unsigned)ways);
        for (size_t i = 0; i < LEAVES; i++) {
            hash_node(&tree, 0, far + i, i + 1 == LEAVES, text + i * LEAF, LEAF, INNER,
                      leaves + i * INNER);
        }
        hash_node(&tree, 1, 0, false, leaves, 2 * INNER, INNER, nodes);
        hash_node(&tree, 1, far + 1, true, leaves + 2 * INNER, INNER, INNER, nodes + INNER);
        hash_node(&tree, 2, 0, true, nodes, 2 * INNER, 32, expected);
        CHECK_STATUS(FIN_OK, fin_tree_mode_init(&context, algorithm, &tree.params));
        CHECK_STATUS(FIN_OK,
                     fin_tree_mode_leaves(&context, text, (LEAVES - 1) * LEAF, far, at_once));
        CHECK_BYTES(leaves, at_once, (LEAVES - 1) * INNER);
        context.leaf_count = far;
        /* The first two leaves together, or byte by byte; the third one stays open. */
        for (size_t at = 0; at < LEAVES * LEAF; at += ways == 0 ? LEAVES * LEAF : 1) {
            CHECK_STATUS(FIN_OK, fin_tree_mode_update(&context, text + at,
                                                      ways == 0 ? (size_t)LEAVES * LEAF : 1));
        }
        CHECK(context.leaf_count == far + LEAVES && context.level_count == 1);
        context.levels[0].node_offset = far;
        CHECK_STATUS(FIN_OK, fin_tree_mode_final(&context, digest, sizeof digest));
        CHECK_BYTES(expected, digest, sizeof digest);
    }
}

static void bad_shapes(void)
{
    const fin_tree_mode wrong[] = {
        {.fanout = 2, .depth = 0, .inner_bytes = 32},
        {.fanout = 1, .depth = 2, .inner_bytes = 32},
        {.fanout = 2, .depth = 1},
        {.fanout = 1, .depth = 1, .leaf_bytes = 1},
        {.fanout = 1, .depth = 1, .inner_bytes = 1},
        {.fanout = 2, .depth = 2, .inner_bytes = 0},
        {.fanout = 2, .depth = 2, .inner_bytes = 33},
        {.fanout = 2, .depth = 2, .inner_bytes = 32, .node_offset = 1},
        {.fanout = 2, .depth = 2, .inner_bytes = 32, .node_depth = 1},
        {.fanout = 2, .depth = 2, .inner_bytes = 32, .last_node = true},
    };
    uint8_t digest[DIGEST_MAX];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const fin_params params = {.tree_mode = &wrong[i]};
        check_context("shape %lu", (unsigned long)i);
        CHECK_STATUS(FIN_ERR_TREE_MODE,
                     fin_tree_mode_hash(FIN_BLAKE2S, &params, text, 100, digest, 32));
    }
}

static void bad_input(void)
{
    static fin_tree_mode_context tree, untouched;
    fin_tree_mode shape = {.fanout = 2, .depth = 9, .leaf_bytes = 10, .inner_bytes = 32};
    fin_params params = {.tree_mode = &shape};
    const fin_tree_mode other = {.fanout = 3, .depth = 4, .leaf_bytes = 7, .inner_bytes = 32};
    const fin_params keyed = {.key = text, .key_bytes = 64, .tree_mode = &other};
    uint8_t digest[DIGEST_MAX] = {0};
    check_context("bad input");
    CHECK_STATUS(FIN_ERR_STATE, fin_tree_mode_update(&tree, text, 1));
    CHECK_STATUS(FIN_ERR_STATE, fin_tree_mode_append(&tree, text, 1));
    CHECK_STATUS(FIN_ERR_STATE, fin_tree_mode_leaves(&tree, text, 10, 0, digest));
    /* A message in progress survives a refused call. */
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, FIN_BLAKE2B, &keyed));
    CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, text, 15));
    untouched = tree;
    CHECK_STATUS(FIN_ERR_NULL, fin_tree_mode_init(NULL, FIN_BLAKE2S, &params));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_tree_mode_init(&tree, (fin_algorithm)0, &params));
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_tree_mode_init(&tree, FIN_BLAKE2S, NULL));
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_tree_mode_init(&tree, FIN_BLAKE2S, &(fin_params){0}));
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_tree_mode_init(&tree, FIN_BLAKE2SP, &params));
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_tree_mode_init(&tree, FIN_GROESTL256, &params));
    CHECK_STATUS(FIN_ERR_KEY_LENGTH, fin_tree_mode_init(&tree, FIN_BLAKE2S, &keyed));
    params.digest_bytes = 33;
    CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, fin_tree_mode_init(&tree, FIN_BLAKE2S, &params));
    params.digest_bytes = 32;
    CHECK(memcmp(&tree, &untouched, sizeof tree) == 0);
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, FIN_BLAKE2S, &params));
    CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, text, 15));
    untouched = tree;
    CHECK_STATUS(FIN_ERR_STATE, fin_tree_mode_append(&tree, text, 1));
    CHECK_STATUS(FIN_ERR_NULL, fin_tree_mode_append(&tree, NULL, 1));
    CHECK_STATUS(FIN_ERR_NULL, fin_tree_mode_update(&tree, NULL, 1));
    CHECK_STATUS(FIN_ERR_NULL, fin_tree_mode_leaves(&tree, text, 10, 0, NULL));
    CHECK_STATUS(FIN_ERR_BLOCK_LENGTH, fin_tree_mode_leaves(&tree, text, 11, 0, digest));
    CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, NULL, 0));
    CHECK_STATUS(FIN_ERR_NULL, fin_tree_mode_final(&tree, NULL, 32));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_tree_mode_final(&tree, digest, 31));
    CHECK_STATUS(FIN_ERR_NULL, fin_tree_mode_hash(FIN_BLAKE2S, &params, NULL, 1, digest, 32));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                 fin_tree_mode_hash(FIN_BLAKE2S, &params, text, 1, digest, 31));
    /* Node offsets are exhausted. */
    CHECK(memcmp(&tree, &untouched, sizeof tree) == 0);
    tree.leaf_count = UINT64_C(1) << 48;
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_tree_mode_update(&tree, text, 20));
    tree.leaf_open = false;
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_tree_mode_append(&tree, text, 1));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_tree_mode_update(&tree, text, 1));
    tree.leaf_count--;
    CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, text, 1));
    shape.leaf_bytes = 0;
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, FIN_BLAKE2S, &params));
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_tree_mode_append(&tree, text, 1));
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_tree_mode_leaves(&tree, text, 1, 0, digest));
    static const fin_tree_mode_context zero;
    fin_tree_mode_wipe(&tree);
    CHECK(memcmp(&tree, &zero, sizeof tree) == 0);
    fin_tree_mode_wipe(NULL);
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_paint(text, sizeof text);
    if (check_part("known trees")) {
        example_of_python();
        trees_of_hashlib();
    }
    check_each_choice(FIN_BLAKE2B, random_trees);
    check_each_choice(FIN_BLAKE2S, random_trees);
    if (check_part("sequential and wrong shapes")) {
        sequential();
        far_nodes(FIN_BLAKE2B);
        far_nodes(FIN_BLAKE2S);
        bad_shapes();
        bad_input();
    }
    return check_report();
}
