/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares BLAKE2bp and BLAKE2sp with their definition: a tree of BLAKE2b or BLAKE2s nodes whose
 * leaves hash interleaved blocks. Every length to four stripes and a little, in one call and as a
 * stream, through every implementation of one message and of several; also with a key. Streams with
 * forged leaf counters cross 2^32 and 2^64.
 */
#include "check.h"

enum { BYTES_MAX = 2100 };

static uint8_t message[BYTES_MAX], key[64];

/* Hashes with a tree of BLAKE2b or BLAKE2s nodes, whose leaves hash interleaved blocks and start
   with the counter t. */
static void hash_striped(fin_algorithm node, uint8_t leaves, const uint64_t t[2], size_t bytes,
                         uint8_t *digest)
{
    const fin_algorithm_info *info = fin_algorithm_describe(node);
    fin_tree_mode tree = {leaves, 2, 0, 0, 0, (uint8_t)info->digest_bytes, false};
    fin_params params = {0};
    fin_context root;
    params.tree_mode = &tree;
    tree.node_depth = 1;
    tree.last_node = true;
    CHECK_STATUS(FIN_OK, fin_init(&root, node, &params));
    tree.node_depth = 0;
    for (uint8_t leaf = 0; leaf < leaves; leaf++) {
        fin_context context;
        tree.node_offset = leaf;
        tree.last_node = leaf == leaves - 1;
        CHECK_STATUS(FIN_OK, fin_init(&context, node, &params));
        memcpy(context.state.t, t, sizeof context.state.t);
        for (size_t at = leaf * (size_t)info->block_bytes; at < bytes;
             at += leaves * (size_t)info->block_bytes) {
            const size_t left = bytes - at;
            const size_t block = left < info->block_bytes ? left : info->block_bytes;
            CHECK_STATUS(FIN_OK, fin_update(&context, message + at, block));
        }
        CHECK_STATUS(FIN_OK, fin_final(&context, digest, info->digest_bytes));
        CHECK_STATUS(FIN_OK, fin_update(&root, digest, info->digest_bytes));
    }
    CHECK_STATUS(FIN_OK, fin_final(&root, digest, info->digest_bytes));
}

/* Hashes in two parts, so that the buffer is filled. */
static void hash_stream(fin_algorithm algorithm, const fin_params *params, size_t bytes,
                        uint8_t *digest)
{
    fin_context context;
    CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, params));
    CHECK_STATUS(FIN_OK, fin_update(&context, message, bytes / 3));
    CHECK_STATUS(FIN_OK, fin_update(&context, message + bytes / 3, bytes - bytes / 3));
    CHECK_STATUS(FIN_OK, fin_final(&context, digest, 64));
}

static void check_keyed(fin_algorithm algorithm, size_t bytes)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const fin_params params = {.key = key, .key_bytes = info->key_bytes_max};
    uint8_t expected[64];
    uint8_t got[64];
    hash_stream(algorithm, &params, bytes, expected);
    CHECK_STATUS(FIN_OK, fin_hash(algorithm, &params, message, bytes, got, sizeof got));
    if (!CHECK_BYTES(expected, got, info->digest_bytes)) {
        printf("    %u bytes with a key\n", (unsigned)bytes);
    }
}

/* Forges the leaves' counters shortly before 2^32 and 2^64, at most two blocks of each. */
static void check_counters(fin_algorithm algorithm)
{
    const bool wide = algorithm == FIN_BLAKE2BP;
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const uint64_t block = info->block_bytes;
    const uint64_t starts[][2] = {{(UINT64_C(1) << 32) - block, 0},
                                  {(UINT64_C(1) << 32) - 2 * block, 0},
                                  {(UINT64_C(1) << 40) - block, 0},
                                  {UINT64_MAX - block + 1, 5}};
    static const size_t lengths[] = {0,   1,   63,   128,  129,  511,
                                     512, 513, 1024, 1100, 1600, BYTES_MAX};
    for (size_t i = 0; i < (wide ? 4 : 3); i++) {
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            uint8_t expected[64], got[64];
            fin_context context;
            hash_striped(wide ? FIN_BLAKE2B : FIN_BLAKE2S, wide ? 4 : 8, starts[i], lengths[k],
                         expected);
            CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, NULL));
            memcpy(context.state.t, starts[i], sizeof context.state.t);
            CHECK_STATUS(FIN_OK, fin_update(&context, message, lengths[k]));
            CHECK_STATUS(FIN_OK, fin_final(&context, got, sizeof got));
            if (!CHECK_BYTES(expected, got, info->digest_bytes)) {
                printf("    %u bytes, start %u\n", (unsigned)lengths[k], (unsigned)i);
            }
        }
    }
}

static void check_definition(fin_algorithm algorithm)
{
    const bool wide = algorithm == FIN_BLAKE2BP;
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const uint64_t zero[2] = {0, 0};
    check_counters(algorithm);
    for (size_t bytes = 0; bytes <= BYTES_MAX; bytes++) {
        uint8_t expected[64];
        uint8_t got[64];
        hash_striped(wide ? FIN_BLAKE2B : FIN_BLAKE2S, wide ? 4 : 8, zero, bytes, expected);
        CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, message, bytes, got, sizeof got));
        if (!CHECK_BYTES(expected, got, info->digest_bytes)) {
            printf("    %u bytes\n", (unsigned)bytes);
        }
        hash_stream(algorithm, NULL, bytes, got);
        if (!CHECK_BYTES(expected, got, info->digest_bytes)) {
            printf("    %u bytes as a stream\n", (unsigned)bytes);
        }
        check_keyed(algorithm, bytes);
    }
}

static void check_with(fin_algorithm algorithm, const char *impl, void *data)
{
    (void)impl;
    (void)data;
    check_definition(algorithm);
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(message, sizeof message);
    check_random_bytes(key, sizeof key);
    check_each_impl(FIN_BLAKE2BP, check_with, NULL);
    check_each_choice(FIN_BLAKE2BP, check_definition);
    check_each_impl(FIN_BLAKE2SP, check_with, NULL);
    check_each_choice(FIN_BLAKE2SP, check_definition);
    return check_report();
}
