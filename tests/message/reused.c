/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests contexts in used memory: filled with any bytes, or left by an unfinished message with every
 * parameter. A message started there must have the same digest as in fresh memory, and the old key
 * must be gone. Wiping overwrites what a message of any length may have left.
 */
#include "check.h"

enum { BYTES = 3000 };

static uint8_t message[BYTES];
static const uint8_t key[64] = "a key to be found nowhere once another message has begun, at al";
static const uint8_t salt[32] = {1, 2, 3}, personal[16] = {4, 5, 6};

/* Kinds of memory: filled with one byte, random, or used. */
static const uint8_t fillings[] = {0x00, 0xff, 0x5a, 0xa5, 0xb6, 0xd8};
enum { FILLINGS = sizeof fillings, RANDOM = FILLINGS, USED, KINDS };

static void fill(void *memory, size_t bytes, size_t kind)
{
    if (kind < FILLINGS) {
        memset(memory, fillings[kind], bytes);
    } else {
        check_random_bytes(memory, bytes);
    }
}

/* Returns true if memory contains eight consecutive bytes of the key. */
static bool has_key(const void *memory, size_t bytes)
{
    const uint8_t *at = memory;
    for (size_t i = 0; i + 8 <= bytes; i++) {
        for (size_t k = 0; k + 8 <= sizeof key; k++) {
            if (memcmp(at + i, key + k, 8) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_zero(const void *memory, size_t bytes)
{
    const uint8_t *at = memory;
    size_t zeros = 0;
    while (zeros < bytes && at[zeros] == 0) {
        zeros++;
    }
    return zeros == bytes;
}

static fin_params every_parameter(const fin_algorithm_info *info, const fin_tree_mode *tree)
{
    const bool takes_trees = info->algorithm == FIN_BLAKE2B || info->algorithm == FIN_BLAKE2S;
    return (fin_params){.key = key,
                        .key_bytes = info->key_bytes_max,
                        .salt = salt,
                        .salt_bytes = info->salt_bytes,
                        .personal = personal,
                        .personal_bytes = info->personal_bytes,
                        .tree_mode = takes_trees ? tree : NULL};
}

/* ---- Messages ---- */

static void use_context(fin_context *context, const fin_algorithm_info *info)
{
    const fin_tree_mode last = {.fanout = 3, .depth = 2, .inner_bytes = 20, .last_node = true};
    const fin_params params = every_parameter(info, &last);
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, &params));
    CHECK_STATUS(FIN_OK, fin_update(context, message, 1000));
    if (info->digest_bytes_max > 64) {
        CHECK_STATUS(FIN_OK, fin_squeeze(context, (uint8_t[5]){0}, 5));
    }
}

static void check_message(const fin_algorithm_info *info, size_t kind)
{
    static const size_t lengths[] = {0, 1, 200, BYTES};
    static const uint8_t short_key[32] = {1, 2, 3, 4, 5};
    const size_t key_bytes = info->key_bytes_min > 5 ? info->key_bytes_min : 5;
    for (size_t i = 0; i < 2 * (sizeof lengths / sizeof lengths[0]); i++) {
        const bool keyed = i % 2 != 0 && info->key_bytes_max != 0;
        const fin_params params = {.key = short_key, .key_bytes = keyed ? key_bytes : 0};
        const size_t bytes = lengths[i / 2];
        uint8_t expected[64], got[64];
        static fin_context context;
        CHECK_STATUS(FIN_OK, fin_hash(info->algorithm, &params, message, bytes, expected, 64));
        fill(&context, sizeof context, kind);
        if (kind == USED) {
            use_context(&context, info);
        }
        CHECK_STATUS(FIN_OK, fin_init(&context, info->algorithm, keyed ? &params : NULL));
        CHECK(!has_key(context.key, sizeof context.key));
        CHECK_STATUS(FIN_OK, fin_update(&context, message, bytes / 2));
        CHECK_STATUS(FIN_OK, fin_update(&context, message + bytes / 2, bytes - bytes / 2));
        CHECK_STATUS(FIN_OK, fin_final(&context, got, sizeof got));
        CHECK_BYTES(expected, got, info->digest_bytes);
        /* A longer message would have had more subtrees. */
        CHECK(info->algorithm != FIN_BLAKE3 || is_zero(context.leaves, sizeof context.leaves));
        CHECK_STATUS(keyed ? FIN_ERR_KEY_WIPED : FIN_OK, fin_reset(&context));
        fill(&context, sizeof context, kind);
        fin_wipe(&context);
        CHECK(is_zero(&context, sizeof context));
    }
}

static void check_restored(const fin_algorithm_info *info, size_t kind)
{
    static fin_context context, begun;
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX], expected[64], got[64];
    size_t bytes = sizeof midstate;
    CHECK_STATUS(FIN_OK, fin_hash(info->algorithm, NULL, message, 500, expected, 64));
    CHECK_STATUS(FIN_OK, fin_init(&begun, info->algorithm, NULL));
    CHECK_STATUS(FIN_OK, fin_update(&begun, message, 333));
    CHECK_STATUS(FIN_OK, fin_save(&begun, midstate, &bytes));
    fill(&context, sizeof context, kind);
    if (kind == USED) {
        use_context(&context, info);
    }
    CHECK_STATUS(FIN_OK, fin_restore(&context, midstate, bytes));
    CHECK(!has_key(&context, sizeof context));
    CHECK_STATUS(FIN_OK, fin_update(&context, message + 333, 500 - 333));
    CHECK_STATUS(FIN_OK, fin_final(&context, got, sizeof got));
    CHECK_BYTES(expected, got, info->digest_bytes);
}

/* ---- Trees ---- */

static void check_merkle(const fin_algorithm_info *info, size_t kind)
{
    static fin_merkle tree, fresh;
    const fin_params params = every_parameter(info, NULL);
    uint8_t expected[64], got[64], untouched[64];
    const size_t leaves = 13;
    memset(&fresh, 0, sizeof fresh);
    CHECK_STATUS(FIN_OK, fin_merkle_init(&fresh, info->algorithm, NULL));
    fill(&tree, sizeof tree, kind);
    if (kind == USED) {
        CHECK_STATUS(FIN_OK, fin_merkle_init(&tree, info->algorithm, &params));
        CHECK_STATUS(FIN_OK, fin_merkle_append(&tree, message, 7));
    }
    CHECK_STATUS(FIN_OK, fin_merkle_init(&tree, info->algorithm, NULL));
    CHECK(!has_key(tree.key, sizeof tree.key));
    /* Without leaves the root is that of the empty message, before and after. */
    CHECK_STATUS(FIN_OK, fin_hash(info->algorithm, NULL, NULL, 0, untouched, 64));
    for (int zero = 0; zero < 3; zero++) {
        CHECK_STATUS(FIN_OK, fin_merkle_root(&tree, got, sizeof got));
        CHECK_BYTES(untouched, got, info->digest_bytes);
        CHECK_STATUS(FIN_OK, fin_merkle_append(&tree, zero == 0 ? NULL : message, 0));
    }
    for (size_t leaf = 0; leaf < leaves; leaf++) {
        CHECK_STATUS(FIN_OK, fin_merkle_append(&tree, message + leaf * info->digest_bytes, 1));
        CHECK_STATUS(FIN_OK, fin_merkle_append(&tree, message, 0));
        CHECK(tree.leaf_count == leaf + 1);
    }
    CHECK_STATUS(FIN_OK, fin_merkle_append(&fresh, message, leaves));
    CHECK_STATUS(FIN_OK, fin_merkle_root(&fresh, expected, sizeof expected));
    CHECK_STATUS(FIN_OK, fin_merkle_root(&tree, got, sizeof got));
    CHECK_BYTES(expected, got, info->digest_bytes);
}

static void check_tree(fin_algorithm algorithm, size_t kind)
{
    static fin_tree_mode_context tree;
    static uint8_t leaves[BYTES / 100 * 32];
    const fin_tree_mode shape = {.fanout = 2, .depth = 255, .leaf_bytes = 100, .inner_bytes = 32};
    const fin_tree_mode other = {.fanout = 3, .depth = 3, .leaf_bytes = 1, .inner_bytes = 7};
    const fin_params params = {.tree_mode = &shape};
    fin_params used = every_parameter(fin_algorithm_describe(algorithm), &other);
    uint8_t expected[64], got[64];
    const size_t bytes = fin_algorithm_describe(algorithm)->digest_bytes;
    CHECK_STATUS(FIN_OK, fin_tree_mode_hash(algorithm, &params, message, BYTES, expected, 64));
    for (size_t with_leaf = 0; with_leaf < 2; with_leaf++) {
        fill(&tree, sizeof tree, kind);
        if (kind == USED) {
            CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, algorithm, &used));
            CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, message, 77));
        }
        CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, algorithm, &params));
        CHECK(!has_key(tree.key, sizeof tree.key));
        CHECK_STATUS(FIN_OK, fin_tree_mode_append(&tree, NULL, 0));
        CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, message, 100 * with_leaf));
        /* Appending no leaves must not end the current one, which may be the last. */
        CHECK_STATUS(FIN_OK, fin_tree_mode_append(&tree, leaves, 0));
        CHECK(tree.leaf_open == with_leaf && tree.leaf_count == with_leaf);
        CHECK_STATUS(FIN_OK, fin_tree_mode_leaves(&tree, NULL, 0, 5, NULL));
        CHECK_STATUS(FIN_OK, fin_tree_mode_leaves(&tree, message + 100, BYTES - 200, 1, leaves));
        CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, message, 100 * (1 - with_leaf)));
        CHECK_STATUS(FIN_OK, fin_tree_mode_append(&tree, leaves, BYTES / 100 - 2));
        CHECK_STATUS(FIN_OK, fin_tree_mode_append(&tree, leaves, 0));
        CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, message + BYTES - 100, 100));
        CHECK_STATUS(FIN_OK, fin_tree_mode_append(&tree, leaves, 0));
        CHECK_STATUS(FIN_OK, fin_tree_mode_final(&tree, got, sizeof got));
        CHECK_BYTES(expected, got, bytes);
    }
}

int main(void)
{
    check_random_bytes(message, sizeof message);
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < fin_algorithm_count(); i++) {
            const fin_algorithm_info *info = fin_algorithm_at(i);
            check_context("%s, memory of kind %u", info->name, (unsigned)kind);
            check_message(info, kind);
            check_restored(info, kind);
            check_merkle(info, kind);
        }
        check_context("trees, memory of kind %u", (unsigned)kind);
        check_tree(FIN_BLAKE2B, kind);
        check_tree(FIN_BLAKE2S, kind);
    }
    return check_report();
}
