/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests arguments at their limits: null pointers with and without a count, digest lengths that no
 * batch allows, widths and lengths of 0 and 1, and no byte written beyond the last digest. Each
 * check exists because generated faults survived without it.
 */
#include "check.h"

enum { COUNT_MAX = 40, DIGEST_BYTES = 64, PAINT = 0xa7 };

static uint8_t text[COUNT_MAX * 128 + 400];
static uint8_t digests[(COUNT_MAX + 1) * DIGEST_BYTES];
static const size_t counts[] = {1, 2, 3, 17};

static void test_batches_without(fin_algorithm algorithm)
{
    const fin_column column = {
        .layout = FIN_COLUMN_FIXED, .data = text, .data_bytes = sizeof text, .width = 8};
    fin_message messages[17];
    check_context("without, %s", fin_algorithm_describe(algorithm)->name);
    for (size_t i = 0; i < 17; i++) {
        messages[i] = (fin_message){text, 10};
    }
    CHECK_STATUS(FIN_OK, fin_hash_many(algorithm, NULL, NULL, 0, NULL, DIGEST_BYTES));
    CHECK_STATUS(FIN_OK, fin_hash_equal(algorithm, NULL, NULL, 64, 0, NULL, DIGEST_BYTES));
    CHECK_STATUS(FIN_OK, fin_hash_equal(algorithm, NULL, NULL, SIZE_MAX, 0, NULL, DIGEST_BYTES));
    CHECK_STATUS(FIN_OK, fin_hash_column(algorithm, NULL, &column, 0, NULL, DIGEST_BYTES));
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_column(algorithm, NULL, NULL, 0, digests, DIGEST_BYTES));
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        const size_t n = counts[c];
        CHECK_STATUS(FIN_ERR_NULL, fin_hash_many(algorithm, NULL, NULL, n, digests, DIGEST_BYTES));
        CHECK_STATUS(FIN_ERR_NULL, fin_hash_many(algorithm, NULL, messages, n, NULL, DIGEST_BYTES));
        CHECK_STATUS(FIN_ERR_NULL,
                     fin_hash_column(algorithm, NULL, NULL, n, digests, DIGEST_BYTES));
        CHECK_STATUS(FIN_ERR_NULL,
                     fin_hash_column(algorithm, NULL, &column, n, NULL, DIGEST_BYTES));
        CHECK_STATUS(FIN_ERR_NULL,
                     fin_hash_equal(algorithm, NULL, NULL, 64, n, digests, DIGEST_BYTES));
        CHECK_STATUS(FIN_ERR_NULL,
                     fin_hash_equal(algorithm, NULL, text, 64, n, NULL, DIGEST_BYTES));
        CHECK_STATUS(FIN_OK, fin_hash_equal(algorithm, NULL, NULL, 0, n, digests, DIGEST_BYTES));
    }
}

static void test_nodes_without(void)
{
    const fin_tree_mode shape = {.fanout = 2, .depth = 2, .leaf_bytes = 64, .inner_bytes = 64};
    const fin_tree_mode second = {
        .fanout = 2, .depth = 2, .leaf_bytes = 64, .inner_bytes = 64, .node_offset = 1};
    const fin_params params = {.tree_mode = &shape}, of_node = {.tree_mode = &second};
    fin_node nodes[17];
    check_context("nodes without");
    for (size_t i = 0; i < 17; i++) {
        nodes[i] = (fin_node){text, 10, i, false};
    }
    CHECK_STATUS(FIN_OK, fin_hash_nodes(FIN_BLAKE2B, &params, NULL, 0, NULL, DIGEST_BYTES));
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        CHECK_STATUS(FIN_ERR_NULL,
                     fin_hash_nodes(FIN_BLAKE2B, &params, NULL, counts[c], digests, DIGEST_BYTES));
        CHECK_STATUS(FIN_ERR_NULL,
                     fin_hash_nodes(FIN_BLAKE2B, &params, nodes, counts[c], NULL, DIGEST_BYTES));
        CHECK_STATUS(FIN_ERR_TREE_MODE, fin_hash_nodes(FIN_BLAKE2B, &of_node, nodes, counts[c],
                                                       digests, DIGEST_BYTES));
    }
}

/* BLAKE2X refuses an unknown length in a batch, and for a single message. */
static void test_unknown_length(void)
{
    const fin_params params = {.digest_bytes = FIN_XOF_UNKNOWN};
    const fin_message messages[2] = {{text, 10}, {text, 20}};
    const fin_column column = {
        .layout = FIN_COLUMN_FIXED, .data = text, .data_bytes = sizeof text, .width = 8};
    for (size_t n = 1; n <= 2; n++) {
        check_context("unknown length, %u messages", (unsigned)n);
        CHECK_STATUS(FIN_ERR_DIGEST_LENGTH,
                     fin_hash_many(FIN_BLAKE2XB, &params, messages, n, digests, DIGEST_BYTES));
        CHECK_STATUS(FIN_ERR_DIGEST_LENGTH,
                     fin_hash_column(FIN_BLAKE2XB, &params, &column, n, digests, DIGEST_BYTES));
    }
}

/* Tests widths from 0 on, with fields set that this layout does not read. */
static void test_fixed(fin_algorithm algorithm)
{
    const size_t digest_bytes = fin_algorithm_describe(algorithm)->digest_bytes;
    for (size_t width = 0; width <= 3; width++) {
        const fin_column column = {.layout = FIN_COLUMN_FIXED,
                                   .data = width != 0 ? text : NULL,
                                   .data_bytes = width != 0 ? sizeof text : 0,
                                   .width = width,
                                   .buffer_count = 5};
        check_context("fixed, %s, %u bytes", fin_algorithm_describe(algorithm)->name,
                      (unsigned)width);
        for (size_t n = 1; n <= 20; n++) {
            uint8_t expected[DIGEST_BYTES];
            CHECK_STATUS(FIN_OK,
                         fin_hash_column(algorithm, NULL, &column, n, digests, DIGEST_BYTES));
            CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, text + (n - 1) * width, width, expected,
                                          sizeof expected));
            CHECK_BYTES(expected, digests + (n - 1) * DIGEST_BYTES, digest_bytes);
        }
    }
}

/* Views hold their bytes in buffers or inline: `data` is not read. */
static void test_views(void)
{
    uint8_t views[32] = {0, 0, 0, 0, 'a', 'b', 'c'};
    const fin_column column = {.layout = FIN_COLUMN_VIEWS, .data_bytes = 100, .items = views};
    uint8_t expected[DIGEST_BYTES];
    memcpy(views, &(int32_t){3}, 4);
    check_context("views");
    CHECK_STATUS(FIN_OK, fin_hash_column(FIN_BLAKE2S, NULL, &column, 2, digests, DIGEST_BYTES));
    CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE2S, NULL, "abc", 3, expected, sizeof expected));
    CHECK_BYTES(expected, digests, 32);
    CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE2S, NULL, NULL, 0, expected, sizeof expected));
    CHECK_BYTES(expected, digests + DIGEST_BYTES, 32);
}

/* Tests every number of pairs: memory after the last digest must not change. */
static void test_pairs(fin_algorithm algorithm)
{
    const size_t bytes = fin_algorithm_describe(algorithm)->digest_bytes;
    check_context("pairs, %s", fin_algorithm_describe(algorithm)->name);
    CHECK_STATUS(FIN_ERR_ALGORITHM,
                 fin_groestl_pairs((fin_algorithm)99, text, 2, digests, DIGEST_BYTES));
    for (size_t n = 0; n <= COUNT_MAX; n++) {
        memset(digests, PAINT, sizeof digests);
        CHECK_STATUS(FIN_OK, fin_groestl_pairs(algorithm, text, n, digests, bytes));
        CHECK(digests[n * bytes] == PAINT && digests[n * bytes + bytes - 1] == PAINT);
    }
}

/* Tests single leaves, which have a separate code path. */
static void test_single_leaves(fin_algorithm algorithm)
{
    const size_t digest_bytes = fin_algorithm_describe(algorithm)->digest_bytes;
    check_context("single leaves, %s", fin_algorithm_describe(algorithm)->name);
    for (size_t bytes = 0; bytes <= 300; bytes++) {
        /* Change the bytes each time, since the last ones may still be on the stack. */
        const uint8_t *in = text + 3 * bytes;
        const fin_message leaf = {bytes != 0 ? in : NULL, bytes};
        uint8_t prefixed[301], expected[DIGEST_BYTES];
        prefixed[0] = 0;
        memcpy(prefixed + 1, in, bytes);
        CHECK_STATUS(FIN_OK, fin_merkle_leaves(algorithm, NULL, &leaf, 1, digests));
        CHECK_STATUS(FIN_OK,
                     fin_hash(algorithm, NULL, prefixed, bytes + 1, expected, sizeof expected));
        CHECK_BYTES(expected, digests, digest_bytes);
    }
}

/* Tests a Merkle tree of three leaves. The root of an empty tree is compared with fin_hash. */
static void test_merkle(void)
{
    fin_merkle tree;
    uint8_t root[32], proof[2 * 32];
    size_t nodes = 0;
    check_context("Merkle tree");
    CHECK_STATUS(FIN_OK, fin_merkle_init(&tree, FIN_BLAKE2S, NULL));
    CHECK_STATUS(FIN_ERR_NULL, fin_merkle_append(NULL, text, 3));
    CHECK_STATUS(FIN_ERR_NULL, fin_merkle_append_equal(NULL, text, 3));
    CHECK_STATUS(FIN_OK, fin_merkle_append(&tree, text, 3));
    CHECK_STATUS(FIN_ERR_NULL, fin_merkle_root(NULL, root, sizeof root));
    CHECK_STATUS(FIN_ERR_NULL, fin_merkle_root(&tree, NULL, sizeof root));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_merkle_root(&tree, root, sizeof root - 1));
    CHECK_STATUS(FIN_OK, fin_merkle_root(&tree, root, sizeof root));
    CHECK_STATUS(FIN_OK, fin_merkle_inclusion(FIN_BLAKE2S, NULL, text, 3, 0, proof, 2, &nodes));
    CHECK(nodes == 2);
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                 fin_merkle_inclusion(FIN_BLAKE2S, NULL, text, 3, 0, NULL, 2, &nodes));
    CHECK_STATUS(FIN_OK, fin_merkle_inclusion(FIN_BLAKE2S, NULL, text, 1, 0, NULL, 0, &nodes));
    CHECK_STATUS(FIN_OK,
                 fin_merkle_verify_inclusion(FIN_BLAKE2S, NULL, text, 0, 3, proof, 2, root));
    CHECK_STATUS(FIN_ERR_NULL,
                 fin_merkle_verify_inclusion(FIN_BLAKE2S, NULL, text, 0, 3, proof, 2, NULL));
    CHECK_STATUS(FIN_ERR_NULL,
                 fin_merkle_verify_inclusion(FIN_BLAKE2S, NULL, NULL, 0, 3, proof, 2, root));
    CHECK_STATUS(FIN_ERR_ALGORITHM,
                 fin_merkle_verify_inclusion((fin_algorithm)99, NULL, text, 3, 3, proof, 2, root));
    CHECK_STATUS(FIN_ERR_NULL,
                 fin_merkle_verify_consistency(FIN_BLAKE2S, NULL, 2, text, 3, root, NULL, 1));
    CHECK_STATUS(FIN_ERR_PROOF,
                 fin_merkle_verify_consistency(FIN_BLAKE2S, NULL, 3, root, 4, root, NULL, 0));
    CHECK_STATUS(FIN_ERR_ALGORITHM,
                 fin_merkle_verify_consistency((fin_algorithm)99, NULL, 0, root, 3, root, NULL, 0));
    CHECK_STATUS(FIN_OK, fin_merkle_leaves(FIN_BLAKE2S, NULL, NULL, 0, NULL));
}

/* Refuses a tree that was never initialised, even if one of its fields looks valid, and stops at the
   first node that its hash function refuses. */
static void test_merkle_fields(void)
{
    fin_merkle good, trees[4];
    uint8_t root[DIGEST_BYTES];
    check_context("fields of a Merkle tree");
    CHECK_STATUS(FIN_OK, fin_merkle_init(&good, FIN_BLAKE2S, NULL));
    CHECK_STATUS(FIN_OK, fin_merkle_append(&good, text, 3));
    trees[0] = trees[1] = trees[2] = trees[3] = good;
    trees[0].algorithm = 0;
    trees[1].digest_bytes = 0;
    trees[2].digest_bytes = FIN_MERKLE_HASH_BYTES_MAX + 1;
    trees[3].key_bytes = 33;
    for (size_t i = 0; i < 4; i++) {
        const fin_status refused = i < 3 ? FIN_ERR_STATE : FIN_ERR_KEY_LENGTH;
        CHECK_STATUS(refused, fin_merkle_append(&trees[i], text, 1));
        CHECK_STATUS(refused, fin_merkle_append_equal(&trees[i], text, 1));
        CHECK_STATUS(refused, fin_merkle_root(&trees[i], root, sizeof root));
        CHECK(trees[i].leaf_count == 3);
    }
}

/* Tests the most leaves, all of them equal: a perfect subtree of every size. */
static void test_most_leaves(void)
{
    fin_merkle tree;
    uint8_t pair[1 + 2 * 32] = {1}, perfect[32], expected[32], root[32];
    check_context("most leaves");
    memcpy(perfect, text, 32);
    memcpy(expected, text, 32);
    for (unsigned k = 1; k < 64; k++) {
        memcpy(pair + 1, perfect, 32);
        memcpy(pair + 33, perfect, 32);
        CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE2S, NULL, pair, sizeof pair, perfect, 32));
        memcpy(pair + 1, perfect, 32);
        memcpy(pair + 33, expected, 32);
        CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE2S, NULL, pair, sizeof pair, expected, 32));
    }
    CHECK_STATUS(FIN_OK, fin_merkle_init(&tree, FIN_BLAKE2S, NULL));
    CHECK_STATUS(FIN_OK, fin_merkle_append_equal(&tree, text, UINT64_MAX));
    CHECK_STATUS(FIN_OK, fin_merkle_root(&tree, root, sizeof root));
    CHECK_BYTES(expected, root, 32);
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_merkle_append(&tree, text, 1));
}

static void test_tree(void)
{
    const fin_tree_mode shape = {.fanout = 2, .depth = 3, .leaf_bytes = 64, .inner_bytes = 32};
    const fin_params params = {.tree_mode = &shape};
    const uint64_t most = UINT64_C(1) << 48;
    fin_tree_mode_context tree;
    uint8_t digest[32];
    check_context("tree");
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, FIN_BLAKE2S, &params));
    CHECK_STATUS(FIN_ERR_NULL, fin_tree_mode_leaves(NULL, text, 64, 0, digests));
    CHECK_STATUS(FIN_ERR_NULL, fin_tree_mode_leaves(&tree, NULL, 64, 0, digests));
    CHECK_STATUS(FIN_ERR_NULL, fin_tree_mode_leaves(&tree, text, 64, 0, NULL));
    CHECK_STATUS(FIN_OK, fin_tree_mode_leaves(&tree, NULL, 0, 0, NULL));
    CHECK_STATUS(FIN_OK, fin_tree_mode_leaves(&tree, NULL, 0, most, NULL));
    CHECK_STATUS(FIN_OK, fin_tree_mode_leaves(&tree, text, 64, most - 1, digests));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_tree_mode_leaves(&tree, text, 64, most, digests));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_tree_mode_leaves(&tree, text, 128, most - 1, digests));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_tree_mode_leaves(&tree, text, 64, most + 1, digests));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                 fin_tree_mode_leaves(&tree, text, 64, UINT64_MAX, digests));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                 fin_tree_mode_leaves(&tree, text, 64, 0, (uint8_t *)(UINTPTR_MAX - 20)));
    CHECK_STATUS(FIN_ERR_NULL, fin_tree_mode_hash(FIN_BLAKE2S, &params, text, 1, NULL, 32));
    for (size_t bytes = 1; bytes <= 65; bytes += 64) {
        CHECK_STATUS(FIN_ERR_NULL,
                     fin_tree_mode_hash(FIN_BLAKE2S, &params, NULL, bytes, digest, sizeof digest));
    }
    CHECK_STATUS(FIN_OK, fin_tree_mode_hash(FIN_BLAKE2S, &params, NULL, 0, digest, sizeof digest));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                 fin_tree_mode_hash(FIN_BLAKE2S, &params, text, 100, digest, sizeof digest - 1));
}

/* Every call needs its objects and outputs, and an input that has bytes. */
static void test_null(void)
{
    static const fin_tree_mode shape = {.fanout = 2, .depth = 3, .leaf_bytes = 8, .inner_bytes = 8};
    static const fin_params with_tree = {.tree_mode = &shape};
    fin_context context, xof, chunked, sharing;
    fin_share share;
    fin_merkle merkle;
    fin_tree_mode_context tree;
    fin_blake2b_state state = {0};
    uint64_t words[8] = {0};
    uint8_t *out = digests;
    size_t bytes = 0;
    CHECK_STATUS(FIN_OK, fin_init(&context, FIN_GROESTL256, NULL));
    CHECK_STATUS(FIN_OK, fin_init(&xof, FIN_BLAKE2XB, &(fin_params){.digest_bytes = 100}));
    CHECK_STATUS(FIN_OK, fin_init(&chunked, FIN_BLAKE3, NULL));
    CHECK_STATUS(FIN_OK, fin_init(&sharing, FIN_BLAKE2SP, NULL));
    CHECK_STATUS(FIN_OK, fin_share_begin(&sharing, text, 3000, &share));
    CHECK_STATUS(FIN_OK, fin_merkle_init(&merkle, FIN_BLAKE2S, NULL));
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, FIN_BLAKE2S, &with_tree));
    const fin_status refused[] = {
        fin_algorithm_by_name(NULL, &(fin_algorithm){FIN_BLAKE2B}),
        fin_algorithm_by_name("blake2b", NULL),
        fin_init(NULL, FIN_BLAKE2B, NULL),
        fin_init(&context, FIN_BLAKE2B, &(fin_params){.key_bytes = 1}),
        fin_init(&context, FIN_BLAKE2B, &(fin_params){.salt_bytes = 1}),
        fin_init(&context, FIN_BLAKE2B, &(fin_params){.personal_bytes = 1}),
        fin_init(&context, FIN_BLAKE3, &(fin_params){.derive_key_context_bytes = 1}),
        fin_update(NULL, text, 1),
        fin_update(&context, NULL, 1),
        fin_final(NULL, out, 64),
        fin_final(&context, NULL, 64),
        fin_final_bits(NULL, 0, 1, out, 64),
        fin_final_bits(&context, 0, 1, NULL, 64),
        fin_squeeze(NULL, out, 1),
        fin_squeeze(&xof, NULL, 1),
        fin_squeeze(&chunked, NULL, 1),
        fin_seek(NULL, 0),
        fin_reset(NULL),
        fin_copy(NULL, &context),
        fin_copy(&context, NULL),
        fin_hash(FIN_BLAKE2B, NULL, NULL, 1, out, 64),
        fin_hash(FIN_BLAKE2B, NULL, text, 1, NULL, 64),
        fin_hash_bits(FIN_BLAKE256, NULL, NULL, 1, out, 64),
        fin_hash_bits(FIN_BLAKE256, NULL, text, 1, NULL, 64),
        fin_share_begin(NULL, text, 1, &share),
        fin_share_begin(&chunked, NULL, 1, &share),
        fin_share_begin(&chunked, text, 1, NULL),
        fin_share_leaves(NULL, &share, 0, 1),
        fin_share_leaves(&sharing, NULL, 0, 1),
        fin_share_end(NULL, &share),
        fin_share_end(&sharing, NULL),
        fin_groestl_pairs(FIN_GROESTL256, NULL, 1, out, 64),
        fin_groestl_pairs(FIN_GROESTL256, text, 1, NULL, 64),
        fin_merkle_leaves(FIN_BLAKE2S, NULL, NULL, 2, out),
        fin_merkle_leaves(FIN_BLAKE2S, NULL, &(fin_message){NULL, 1}, 1, out),
        fin_merkle_leaves(FIN_BLAKE2S, NULL, &(fin_message){text, 1}, 1, NULL),
        fin_merkle_init(NULL, FIN_BLAKE2S, NULL),
        fin_merkle_append(NULL, text, 1),
        fin_merkle_append(&merkle, NULL, 1),
        fin_merkle_append_equal(NULL, text, 1),
        fin_merkle_append_equal(&merkle, NULL, 1),
        fin_merkle_root(NULL, out, 32),
        fin_merkle_root(&merkle, NULL, 32),
        fin_tree_mode_init(NULL, FIN_BLAKE2S, &with_tree),
        fin_tree_mode_update(NULL, text, 1),
        fin_tree_mode_update(&tree, NULL, 1),
        fin_tree_mode_leaves(NULL, text, 1, 0, out),
        fin_tree_mode_leaves(&tree, NULL, 1, 0, out),
        fin_tree_mode_leaves(&tree, text, 1, 0, NULL),
        fin_tree_mode_append(NULL, text, 1),
        fin_tree_mode_append(&tree, NULL, 1),
        fin_tree_mode_final(NULL, out, 32),
        fin_tree_mode_final(&tree, NULL, 32),
        fin_tree_mode_hash(FIN_BLAKE2S, &with_tree, NULL, 1, out, 32),
        fin_tree_mode_hash(FIN_BLAKE2S, &with_tree, text, 1, NULL, 32),
        fin_blake3_subtree_cv(NULL, NULL, text, 1, 0),
        fin_blake3_subtree_cv(out, NULL, NULL, 1, 0),
        fin_blake3_merge(NULL, NULL, text, false),
        fin_blake3_merge(out, NULL, NULL, false),
        fin_blake3_append(NULL, text, 1),
        fin_blake3_append(&chunked, NULL, 1),
        fin_save(NULL, out, &bytes),
        fin_save(&context, out, NULL),
        fin_restore(NULL, text, 200),
        fin_restore(&context, NULL, 200),
        fin_blake256(NULL, text, 1),
        fin_blake256(out, NULL, 1),
        fin_blake256_init(NULL, NULL),
        fin_blake2b(NULL, 64, text, 1, NULL, 0),
        fin_blake2b(out, 64, NULL, 1, NULL, 0),
        fin_blake2b(out, 64, text, 1, NULL, 1),
        fin_blake2b_init(NULL, 64, NULL, 0),
        fin_blake2b_init(&context, 64, NULL, 1),
        fin_blake3(NULL, 32, text, 1, NULL, 0),
        fin_blake3_init(NULL, 32, NULL, 0),
        fin_blake3_derive_key(NULL, 32, text, 1, text, 1),
        fin_blake3_derive_key(out, 32, NULL, 0, text, 1),
        fin_blake3_derive_key(out, 32, text, 1, NULL, 1),
        fin_groestl(NULL, 32, text, 1),
        fin_groestl(out, 32, NULL, 1),
        fin_groestl_init(NULL, 32),
        fin_blake2b_blocks(NULL, text, 128, 128),
        fin_blake2b_blocks(&state, NULL, 128, 128),
        fin_blake2b_f(12, NULL, text, words, true),
        fin_blake2b_f(12, words, NULL, words, true),
        fin_blake2b_f(12, words, text, NULL, true),
        fin_impl_at(0, NULL),
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        check_context("null, call %u", (unsigned)i);
        CHECK_STATUS(FIN_ERR_NULL, refused[i]);
    }
}

/* Uninitialised memory must not be taken for a context, whatever bytes it holds. */
static void test_context(void)
{
    fin_context context;
    size_t midstate_bytes = FIN_MIDSTATE_BYTES_MAX;
    check_context("context");
    CHECK_STATUS(FIN_ERR_NULL, fin_restore(&context, NULL, 1));
    CHECK_STATUS(FIN_ERR_MIDSTATE, fin_restore(&context, NULL, 0));
    CHECK_STATUS(FIN_OK, fin_init(&context, FIN_BLAKE3, NULL));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_save(&context, NULL, &midstate_bytes));
    CHECK_STATUS(FIN_OK, fin_squeeze(&context, NULL, 0));
    for (size_t bytes = 0; bytes < 2; bytes++) {
        CHECK_STATUS(FIN_OK, fin_init(&context, FIN_BLAKE2B, NULL));
        CHECK_STATUS(FIN_OK, fin_update(&context, text, bytes));
        context.algorithm = 0;
        CHECK_STATUS(FIN_ERR_STATE, fin_update(&context, text, 1));
    }
    for (int byte = 0; byte < 256; byte++) {
        memset(&context, byte, sizeof context);
        CHECK_STATUS(FIN_ERR_STATE, fin_update(&context, text, 1));
        CHECK_STATUS(FIN_ERR_STATE, fin_final(&context, digests, DIGEST_BYTES));
        CHECK_STATUS(FIN_ERR_STATE, fin_reset(&context));
    }
}

/* ---- Calls in every phase of a message ---- */

enum { NEW, BEGUN, READ, ENDED, SHARED, PHASES };

static fin_share phase_share;

static fin_status call_update(fin_context *context)
{
    return fin_update(context, text, 1);
}

static fin_status call_final(fin_context *context)
{
    return fin_final(context, digests, DIGEST_BYTES);
}

static fin_status call_final_bits(fin_context *context)
{
    return fin_final_bits(context, 0, 0, digests, DIGEST_BYTES);
}

static fin_status call_squeeze(fin_context *context)
{
    return fin_squeeze(context, digests, 1);
}

static fin_status call_seek(fin_context *context)
{
    return fin_seek(context, 1);
}

static fin_status call_copy(fin_context *context)
{
    fin_context to;
    return fin_copy(&to, context);
}

static fin_status call_save(fin_context *context)
{
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX];
    size_t bytes = sizeof midstate;
    return fin_save(context, midstate, &bytes);
}

static fin_status call_share_begin(fin_context *context)
{
    fin_share share;
    return fin_share_begin(context, text, 1, &share);
}

static fin_status call_share_leaves(fin_context *context)
{
    return fin_share_leaves(context, &phase_share, 0, 1);
}

static fin_status call_share_end(fin_context *context)
{
    return fin_share_end(context, &phase_share);
}

static fin_status call_append(fin_context *context)
{
    return fin_blake3_append(context, text, 1);
}

/* The phases in which a call is allowed: after fin_init, after output, after the digest, and while
   leaves are shared. */
typedef struct phase_call {
    const char *name;
    fin_status (*run)(fin_context *context);
    bool allowed[PHASES];
} phase_call;

static const phase_call phase_calls[] = {
    {"update", call_update, {[BEGUN] = true}},
    {"final", call_final, {[BEGUN] = true}},
    {"final_bits", call_final_bits, {[BEGUN] = true}},
    {"squeeze", call_squeeze, {[BEGUN] = true, [READ] = true}},
    {"seek", call_seek, {[BEGUN] = true, [READ] = true}},
    {"reset", fin_reset, {[BEGUN] = true, [READ] = true, [ENDED] = true}},
    {"copy", call_copy, {[BEGUN] = true, [READ] = true, [ENDED] = true}},
    {"save", call_save, {[BEGUN] = true}},
    {"share_begin", call_share_begin, {[BEGUN] = true}},
    {"share_leaves", call_share_leaves, {[SHARED] = true}},
    {"share_end", call_share_end, {[SHARED] = true}},
    {"append", call_append, {[BEGUN] = true}},
};

/* Brings a message of one chunk to a phase; false if the algorithm does not have it. */
static bool enter_phase(fin_context *context, fin_algorithm algorithm, int phase)
{
    const fin_params params = {.digest_bytes = 32};
    memset(context, 0, sizeof *context);
    if (phase == NEW) {
        return true;
    }
    CHECK_STATUS(FIN_OK, fin_init(context, algorithm, &params));
    CHECK_STATUS(FIN_OK, fin_update(context, text, 1024));
    return phase == BEGUN   ? true
           : phase == READ  ? fin_squeeze(context, digests, 5) == FIN_OK
           : phase == ENDED ? fin_final(context, digests, DIGEST_BYTES) == FIN_OK
                            : fin_share_begin(context, text, 1024, &phase_share) == FIN_OK;
}

/* Makes every call in every phase: a refused one must not change the context. */
static void test_phases(void)
{
    static const fin_algorithm algorithms[] = {FIN_BLAKE3, FIN_BLAKE2XB, FIN_BLAKE2SP, FIN_BLAKE2B,
                                               FIN_GROESTL256};
    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0] * PHASES; i++) {
        const fin_algorithm algorithm = algorithms[i / PHASES];
        const int phase = (int)(i % PHASES);
        for (size_t k = 0; k < sizeof phase_calls / sizeof phase_calls[0]; k++) {
            const phase_call *call = &phase_calls[k];
            static fin_context context, before;
            if (!enter_phase(&context, algorithm, phase)) {
                continue;
            }
            memcpy(&before, &context, sizeof before);
            check_context("%s in phase %d of %s", call->name, phase,
                          fin_algorithm_describe(algorithm)->name);
            const fin_status status = call->run(&context);
            /* Some algorithms do not have the call at all. */
            CHECK(call->allowed[phase] ? status == FIN_OK || status == FIN_ERR_ALGORITHM
                                       : status == FIN_ERR_STATE);
            CHECK(algorithm != FIN_BLAKE3 || status != FIN_ERR_ALGORITHM);
            CHECK(status == FIN_OK || memcmp(&before, &context, sizeof before) == 0);
        }
    }
}

/* The numbers of algorithms begin at 1 and have no gaps. */
static void test_numbers(void)
{
    const fin_algorithm_info *last = fin_algorithm_at(fin_algorithm_count() - 1);
    const fin_algorithm beyond[] = {(fin_algorithm)0, (fin_algorithm)(last->algorithm + 1)};
    check_context("numbers of algorithms");
    for (size_t i = 0; i < 2; i++) {
        CHECK(fin_algorithm_describe(beyond[i]) == NULL);
        CHECK_STATUS(FIN_ERR_ALGORITHM, fin_hash(beyond[i], NULL, text, 1, digests, DIGEST_BYTES));
    }
}

int main(void)
{
    check_random_bytes(text, sizeof text);
    const fin_algorithm algorithms[] = {FIN_BLAKE2B,  FIN_BLAKE2S,    FIN_BLAKE2BP,
                                        FIN_BLAKE256, FIN_GROESTL256, FIN_GROESTL512};
    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        test_batches_without(algorithms[i]);
        test_fixed(algorithms[i]);
        test_single_leaves(algorithms[i]);
    }
    test_nodes_without();
    test_unknown_length();
    test_views();
    test_pairs(FIN_GROESTL256);
    test_pairs(FIN_GROESTL512);
    test_merkle();
    test_merkle_fields();
    test_most_leaves();
    test_tree();
    test_context();
    test_phases();
    test_numbers();
    test_null();
    return check_report();
}
