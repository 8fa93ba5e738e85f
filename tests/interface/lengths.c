/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests lengths, counts and strides beyond any memory, whose sums and products would wrap. Every
 * call must return a status, the same one in all calls, and read and write nothing.
 */
#include "check.h"

enum { ITEMS = 20, BYTES = 64 };

static uint8_t text[BYTES], digests[ITEMS * 64], untouched[ITEMS * 64];
static const uint8_t key[64];

/* Returns the first length that reaches past the last address from `text`, and others up to
   SIZE_MAX. */
static size_t huge(size_t number)
{
    static const size_t below[] = {0, 1, 7, 63, 64, 65, 127, 128, 129, 511, 512, 1023};
    const size_t least = SIZE_MAX - (size_t)(uintptr_t)text + 1;
    const size_t count = sizeof below / sizeof below[0];
    return number < count ? SIZE_MAX - below[number] : least + below[number - count];
}

enum { HUGE = 24 };

/* Tests calls in which one message is too long. */
static void check_many(fin_algorithm algorithm, const fin_params *params, size_t bytes)
{
    static const size_t counts[] = {1, 2, 3, ITEMS};
    fin_message messages[ITEMS];
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (size_t which = 0; which < counts[c]; which++) {
            for (size_t i = 0; i < counts[c]; i++) {
                messages[i] = (fin_message){text, i == which ? bytes : i};
            }
            CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                         fin_hash_many(algorithm, params, messages, counts[c], digests, 64));
            CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                         fin_merkle_leaves(algorithm, params, messages, counts[c], digests));
        }
    }
}

static void check_nodes(fin_algorithm algorithm, const fin_params *params, size_t bytes)
{
    const fin_tree_mode tree = {.fanout = 2, .depth = 2, .inner_bytes = 32};
    fin_params with_tree = *params;
    with_tree.tree_mode = &tree;
    fin_node nodes[3] = {{text, 1, 0, false}, {text, 64, 1, false}, {text, bytes, 2, true}};
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                 fin_hash_nodes(algorithm, &with_tree, nodes, 3, digests, 64));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                 fin_hash_nodes(algorithm, &with_tree, nodes + 2, 1, digests, 64));
}

static void check_share(fin_context *context, size_t bytes, fin_status expected)
{
    fin_share share;
    memset(&share, 0, sizeof share);
    CHECK_STATUS(expected, fin_share_begin(context, text, bytes, &share));
    CHECK(share.in == NULL);
}

static void check_message(const fin_algorithm_info *info, const fin_params *params, size_t bytes)
{
    const fin_algorithm algorithm = info->algorithm;
    const fin_column column = {
        .layout = FIN_COLUMN_FIXED, .data = text, .data_bytes = bytes, .width = bytes};
    fin_context context, before;
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_hash(algorithm, params, text, bytes, digests, 64));
    CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, params));
    CHECK_STATUS(FIN_OK, fin_update(&context, text, 5));
    memcpy(&before, &context, sizeof before);
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_update(&context, text, bytes));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_update(&context, (void *)(UINTPTR_MAX - 8), 20));
    check_share(&context, bytes, FIN_ERR_MESSAGE_LENGTH);
    CHECK(memcmp(&before, &context, sizeof before) == 0);
    check_many(algorithm, params, bytes);
    CHECK_STATUS(FIN_ERR_COLUMN, fin_hash_column(algorithm, params, &column, 1, digests, 64));
    if (check_has_length(info)) {
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_hash_equal(algorithm, NULL, text, bytes, 1, digests, 64));
    }
    if (algorithm == FIN_BLAKE2B || algorithm == FIN_BLAKE2S) {
        check_nodes(algorithm, params, bytes);
    }
    if (SIZE_MAX == UINT32_MAX && info->bits) {
        const uint64_t bits = 8 * (uint64_t)bytes;
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_hash_bits(algorithm, params, text, bits + 3, digests, 64));
    }
}

static void messages(void)
{
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm_info *info = fin_algorithm_at(i);
        const uint64_t digest_bytes = info->digest_bytes_max > 64 ? 32 : 0;
        const fin_params plain = {.digest_bytes = digest_bytes};
        const fin_params keyed = {
            .digest_bytes = digest_bytes, .key = key, .key_bytes = info->key_bytes_max};
        for (size_t number = 0; number < HUGE; number++) {
            check_context("%s, length %lu", info->name, (unsigned long)huge(number));
            check_message(info, &plain, huge(number));
            check_message(info, &keyed, huge(number));
        }
    }
}

/* Tests a message of BLAKE-256 that memory could hold but its 64-bit counter could not. */
static void longest(void)
{
#if SIZE_MAX > UINT32_MAX
    const fin_message messages[3] = {{text, (size_t)1 << 61}, {text, 1}, {text, (size_t)1 << 61}};
    check_context("2^64 bits");
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                 fin_hash(FIN_BLAKE256, NULL, text, messages[0].bytes, digests, 32));
    for (size_t count = 1; count <= 2; count++) {
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_hash_many(FIN_BLAKE256, NULL, messages, count, digests, 32));
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_merkle_leaves(FIN_BLAKE256, NULL, messages, count, digests));
    }
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                 fin_hash_many(FIN_BLAKE256, NULL, messages + 1, 2, digests, 32));
    CHECK_BYTES(untouched, digests, sizeof digests);
#endif
}

/* Returns a number of items whose product with their length wraps around to a small number. */
static size_t wrapping(size_t bytes)
{
    return SIZE_MAX / bytes + 2;
}

static void counts(void)
{
    const fin_tree_mode tree = {.fanout = 2, .depth = 2, .inner_bytes = 32};
    const fin_params one_byte = {.digest_bytes = 1};
    const fin_params of_tree = {.digest_bytes = 1, .tree_mode = &tree};
    const fin_node nodes[2] = {{text, 1, 0, false}, {text, 2, 1, true}};
    fin_message few[17] = {{text, 1}, {text, 2}};
    check_context("counts");
    for (size_t bytes = 32; bytes <= 64; bytes *= 2) {
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                     fin_hash_many(FIN_BLAKE2S, NULL, few, wrapping(bytes), digests, bytes));
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                     fin_hash_equal(FIN_BLAKE2S, NULL, text, 1, wrapping(bytes), digests, bytes));
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                     fin_groestl_pairs(FIN_GROESTL256, text, wrapping(bytes), digests, bytes));
    }
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                 fin_hash_many(FIN_BLAKE2B, &one_byte, few, wrapping(sizeof few[0]), digests, 1));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_hash_nodes(FIN_BLAKE2B, &of_tree, nodes,
                                                        wrapping(sizeof nodes[0]), digests, 1));
    for (size_t count = 3; count <= 17; count = 2 * count - 1) {
        const size_t stride = wrapping(count - 1);
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                     fin_hash_many(FIN_BLAKE2S, NULL, few, 2, digests, SIZE_MAX - count));
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                     fin_hash_many(FIN_BLAKE2S, NULL, few, count, digests, stride));
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                     fin_hash_many(FIN_BLAKE2S, NULL, few, count, digests, SIZE_MAX));
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                     fin_groestl_pairs(FIN_GROESTL512, text, count, digests, stride));
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_hash_equal(FIN_BLAKE2S, NULL, text, stride, count, digests, 32));
    }
    CHECK_BYTES(untouched, digests, sizeof digests);
    /* For one digest the stride does not matter. */
    CHECK_STATUS(FIN_OK, fin_hash_many(FIN_BLAKE2S, NULL, few, 1, digests, SIZE_MAX));
    memset(digests, 0, sizeof digests);
}

static void blocks(void)
{
    fin_blake2b_state state = {.H = {0}};
    const fin_blake2b_state before = state;
    check_context("blocks");
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_blake2b_blocks(&state, text, SIZE_MAX - 127, 128));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_blake2b_blocks(&state, text, 256, SIZE_MAX));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_blake2b_blocks(&state, text, 4 * 128, wrapping(3)));
    CHECK(memcmp(&before, &state, sizeof before) == 0);
}

static void output(void)
{
    static const fin_algorithm algorithms[] = {FIN_BLAKE2XB, FIN_BLAKE3};
    const fin_params unknown = {.digest_bytes = FIN_XOF_UNKNOWN};
    fin_context context;
    for (size_t i = 0; i < 2; i++) {
        check_context("output of %s", fin_algorithm_describe(algorithms[i])->name);
        CHECK_STATUS(FIN_OK, fin_init(&context, algorithms[i], &unknown));
        for (size_t number = 0; number < HUGE; number++) {
            CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_squeeze(&context, text, huge(number)));
            CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_final(&context, text, huge(number)));
        }
    }
    for (size_t number = 0; number < HUGE; number++) {
        const fin_params params = {.digest_bytes = huge(number)};
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                     fin_hash(FIN_BLAKE3, &params, key, sizeof key, text, SIZE_MAX));
    }
}

/* ---- Columns ---- */

static void check_column(const fin_column *column, size_t count)
{
    const fin_params one_byte = {.digest_bytes = 1};
    CHECK_STATUS(FIN_ERR_COLUMN,
                 fin_hash_column(FIN_BLAKE2B, &one_byte, column, count, digests, 1));
    CHECK_STATUS(FIN_ERR_COLUMN,
                 fin_hash_column(FIN_BLAKE2SP, &one_byte, column, count, digests, 1));
}

static void columns(void)
{
    static const uint64_t offsets[3] = {0, 1, 2}, high[2] = {UINT64_C(1) << 40, UINT64_C(1) << 40};
    /* One view of 2^31 - 1 bytes from 2^31 - 1 on in buffer 0. */
    const uint32_t view[4] = {INT32_MAX, 0, 0, INT32_MAX};
    const fin_buffer buffer = {text, UINT64_MAX}, last = {(void *)(UINTPTR_MAX - 100), UINT64_MAX};
    const fin_column good = {
        .layout = FIN_COLUMN_OFFSETS64, .data = text, .data_bytes = 64, .items = offsets};
    fin_column column = good;
    check_context("columns");
    CHECK_STATUS(FIN_OK, fin_hash_column(FIN_BLAKE2S, NULL, &good, 2, digests, 64));
    memset(digests, 0, sizeof digests);
    for (uint64_t offset = UINT64_MAX - 1; offset != 0; offset++) {
        column.validity = text;
        column.validity_offset = offset;
        check_column(&column, 2);
    }
    /* The bits end just beyond the last address. */
    column.validity = (const uint8_t *)(UINTPTR_MAX - 20);
    column.validity_offset = 160 - 2;
    check_column(&column, 2);
    column = good;
    column.data_bytes = UINT64_MAX;
    check_column(&column, 2);
    check_column(&good, wrapping(8));
    column = good;
    column.layout = FIN_COLUMN_OFFSETS32;
    check_column(&column, wrapping(4));
    column = (fin_column){
        .layout = FIN_COLUMN_VIEWS, .items = view, .buffers = &last, .buffer_count = 1};
    check_column(&column, 1);
    column.buffers = &buffer;
    check_column(&column, wrapping(16));
    column.buffer_count = wrapping(sizeof buffer);
    check_column(&column, 1);
    column = (fin_column){
        .layout = FIN_COLUMN_FIXED, .data = text, .data_bytes = 64, .width = wrapping(4)};
    check_column(&column, 4);
    column.data_bytes = UINT64_MAX;
    check_column(&column, 4);
    if (SIZE_MAX == UINT32_MAX) {
        column = good;
        column.items = high;
        column.data_bytes = UINT64_C(1) << 41;
        check_column(&column, 1);
    }
}

/* ---- Trees ---- */

static void subtrees(void)
{
    const fin_params keyed = {.key = key, .key_bytes = 32};
    for (size_t number = 0; number < HUGE; number++) {
        check_context("subtree of %lu bytes", (unsigned long)huge(number));
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_blake3_subtree_cv(digests, NULL, text, huge(number), 0));
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_blake3_subtree_cv(digests, &keyed, text, huge(number), 0));
    }
}

static void check_tree(fin_algorithm algorithm, uint32_t leaf_bytes, size_t bytes)
{
    const fin_tree_mode shape = {
        .fanout = 2, .depth = 255, .leaf_bytes = leaf_bytes, .inner_bytes = 32};
    const fin_params params = {.tree_mode = &shape};
    static fin_tree_mode_context tree, before;
    check_context("tree with leaves of %lu bytes, length %lu", (unsigned long)leaf_bytes,
                  (unsigned long)bytes);
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                 fin_tree_mode_hash(algorithm, &params, text, bytes, digests, 64));
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, algorithm, &params));
    for (size_t begun = 0; begun < 2; begun++) {
        CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, text, begun));
        memcpy(&before, &tree, sizeof before);
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_tree_mode_update(&tree, text, bytes));
        CHECK(memcmp(&before, &tree, sizeof before) == 0);
    }
    if (leaf_bytes != 0 && bytes > SIZE_MAX - BYTES) {
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_tree_mode_leaves(&tree, text, bytes - bytes % leaf_bytes, 0, digests));
    }
    if (leaf_bytes == 1) {
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_tree_mode_append(&tree, text, wrapping(32)));
    }
}

/* The digests of the first group of leaves would be in memory, those of the others would not. */
static void check_leaves(void)
{
    enum { LEAVES = 200, INNER = 32 };
    const fin_tree_mode shape = {.fanout = 2, .depth = 255, .leaf_bytes = 1, .inner_bytes = INNER};
    const fin_params params = {.tree_mode = &shape};
    static fin_tree_mode_context tree;
    check_context("digests of leaves");
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, FIN_BLAKE2S, &params));
    for (size_t fit = 0; fit < LEAVES; fit++) {
        uint8_t *to = (uint8_t *)(UINTPTR_MAX - INNER * fit - INNER / 2);
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_tree_mode_leaves(&tree, untouched, LEAVES, 0, to));
    }
}

static void trees(void)
{
    static const uint32_t leaf_bytes[] = {0, 1, 2, 3, 64, 1000};
    for (size_t i = 0; i < sizeof leaf_bytes / sizeof leaf_bytes[0]; i++) {
        for (size_t number = 0; number < HUGE; number++) {
            check_tree(FIN_BLAKE2B, leaf_bytes[i], huge(number));
            check_tree(FIN_BLAKE2S, leaf_bytes[i], huge(number));
        }
    }
}

static void merkle(void)
{
    const size_t count = wrapping(32);
    const uint8_t *nowhere = (const uint8_t *)16;
    fin_merkle tree, before;
    size_t proof_count = 7;
    check_context("merkle");
    memset(&tree, 0, sizeof tree);
    CHECK_STATUS(FIN_OK, fin_merkle_init(&tree, FIN_BLAKE2S, NULL));
    memcpy(&before, &tree, sizeof before);
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_merkle_append(&tree, text, count));
    CHECK(memcmp(&before, &tree, sizeof before) == 0);
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_merkle_inclusion(FIN_BLAKE2S, NULL, text, count, 5,
                                                              digests, 20, &proof_count));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_merkle_consistency(FIN_BLAKE2S, NULL, text, count, 5,
                                                                digests, 20, &proof_count));
    CHECK_STATUS(FIN_ERR_INDEX, fin_merkle_inclusion(FIN_BLAKE2S, NULL, text, count, count, digests,
                                                     20, &proof_count));
    CHECK(proof_count == 7);
    /* No tree has such long proofs, so nothing may be read. */
    for (size_t hashes = SIZE_MAX; hashes > FIN_MERKLE_PROOF_MAX; hashes /= 2) {
        CHECK_STATUS(FIN_ERR_PROOF, fin_merkle_verify_inclusion(FIN_BLAKE2S, NULL, text, 0,
                                                                UINT64_MAX, nowhere, hashes, text));
        CHECK_STATUS(FIN_ERR_PROOF,
                     fin_merkle_verify_consistency(FIN_BLAKE2S, NULL, UINT64_C(1) << 40, text,
                                                   UINT64_MAX, text, nowhere, hashes));
    }
}

int main(void)
{
    messages();
    longest();
    counts();
    blocks();
    output();
    columns();
    subtrees();
    trees();
    check_leaves();
    merkle();
    check_context("all");
    CHECK_BYTES(untouched, digests, sizeof digests);
    return check_report();
}
