/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests single nodes of BLAKE3's tree: digests built from them equal those of fin_hash.
 */
#include "check.h"

enum { CHUNK = 1024, HASH = 0, KEYED = 1, DERIVE = 2, MODES = 3 };

static uint8_t key[32];
static const char context[] = "finalist 2026-11-25 tests of BLAKE3's nodes";

static fin_params params_of(unsigned mode)
{
    return mode == KEYED    ? (fin_params){.key = key, .key_bytes = sizeof key}
           : mode == DERIVE ? (fin_params){.derive_key_context = context,
                                           .derive_key_context_bytes = sizeof context - 1}
                            : (fin_params){0};
}

/* Builds the digest from single nodes. Splits subtrees down to chunks, or passes several at once.
   */
static void expect_subtree(const fin_params *params, const uint8_t *in, size_t bytes,
                           uint64_t first, uint8_t cv[32])
{
    uint8_t children[64];
    size_t left = CHUNK;
    if (bytes <= CHUNK || check_random_below(4) == 0) {
        CHECK_STATUS(FIN_OK, fin_blake3_subtree_cv(cv, params, in, bytes, first));
        return;
    }
    while (2 * left < bytes) {
        left *= 2;
    }
    expect_subtree(params, in, left, first, children);
    expect_subtree(params, in + left, bytes - left, first + left / CHUNK, children + 32);
    CHECK_STATUS(FIN_OK, fin_blake3_merge(cv, params, children, false));
}

static void test_nodes(fin_algorithm algorithm, const char *impl, void *data)
{
    (void)algorithm;
    (void)impl;
    (void)data;
    static uint8_t message[600 * CHUNK];
    uint8_t children[64], digest[32], expected[32];
    check_random_bytes(message, sizeof message);
    for (unsigned i = 0; i < 300; i++) {
        const unsigned mode = i % MODES;
        const fin_params params = params_of(mode);
        const size_t most = i % 10 == 0 ? sizeof message : 20 * CHUNK;
        const size_t bytes = CHUNK + 1 + check_random_below(most - CHUNK);
        size_t left = CHUNK;
        while (2 * left < bytes) {
            left *= 2;
        }
        check_context("BLAKE3 from nodes, mode %u, %zu bytes", mode, bytes);
        expect_subtree(&params, message, left, 0, children);
        expect_subtree(&params, message + left, bytes - left, left / CHUNK, children + 32);
        CHECK_STATUS(FIN_OK, fin_blake3_merge(digest, &params, children, true));
        CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE3, &params, message, bytes, expected, 32));
        CHECK_BYTES(expected, digest, 32);
    }
}

/* Tests the errors for impossible subtrees and other arguments. */
static void test_node_errors(void)
{
    static const uint8_t in[4 * CHUNK];
    const fin_params params = {.digest_bytes = 31}, keyed = {.key = in, .key_bytes = 31};
    uint8_t cv[32];
    check_context("BLAKE3, wrong nodes");
    CHECK_STATUS(FIN_ERR_INDEX, fin_blake3_subtree_cv(cv, NULL, in, 0, 0));
    CHECK_STATUS(FIN_ERR_INDEX, fin_blake3_subtree_cv(cv, NULL, in, CHUNK + 1, 1));
    CHECK_STATUS(FIN_OK, fin_blake3_subtree_cv(cv, NULL, in, CHUNK + 1, 2));
    CHECK_STATUS(FIN_ERR_INDEX, fin_blake3_subtree_cv(cv, NULL, in, 2 * CHUNK + 1, 2));
    CHECK_STATUS(FIN_OK, fin_blake3_subtree_cv(cv, NULL, in, CHUNK - 1, (1ULL << 54) - 1));
    CHECK_STATUS(FIN_ERR_INDEX, fin_blake3_subtree_cv(cv, NULL, in, CHUNK, (1ULL << 54) - 1));
    CHECK_STATUS(FIN_ERR_INDEX, fin_blake3_subtree_cv(cv, NULL, in, 1, 1ULL << 54));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake3_subtree_cv(NULL, NULL, in, 1, 0));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake3_subtree_cv(cv, NULL, NULL, 1, 0));
    CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, fin_blake3_subtree_cv(cv, &params, in, 1, 0));
    CHECK_STATUS(FIN_ERR_KEY_LENGTH, fin_blake3_subtree_cv(cv, &keyed, in, 1, 0));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake3_merge(NULL, NULL, in, false));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake3_merge(cv, NULL, NULL, false));
    CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, fin_blake3_merge(cv, &params, in, false));
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(key, sizeof key);
    check_each_impl(FIN_BLAKE3, test_nodes, NULL);
    test_node_errors();
    return check_report();
}
