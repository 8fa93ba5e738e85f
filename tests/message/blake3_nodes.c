/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests single nodes of BLAKE3's tree: digests built from them equal those of fin_hash, and a
 * context that receives subtrees has the midstate of one that receives their bytes.
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
        check_context("BLAKE3 from nodes, mode %u, %lu bytes", mode, (unsigned long)bytes);
        expect_subtree(&params, message, left, 0, children);
        expect_subtree(&params, message + left, bytes - left, left / CHUNK, children + 32);
        CHECK_STATUS(FIN_OK, fin_blake3_merge(digest, &params, children, true));
        CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE3, &params, message, bytes, expected, 32));
        CHECK_BYTES(expected, digest, 32);
    }
}

/* Compares two contexts of the same message by their midstates. */
static void expect_equal_midstates(const fin_context *expected, const fin_context *actual)
{
    uint8_t midstates[2][FIN_MIDSTATE_BYTES_MAX];
    size_t bytes = sizeof midstates[0], other = sizeof midstates[1];
    CHECK_STATUS(FIN_OK, fin_save(expected, midstates[0], &bytes));
    CHECK_STATUS(FIN_OK, fin_save(actual, midstates[1], &other));
    CHECK(bytes == other);
    CHECK_BYTES(midstates[0], midstates[1], bytes);
}

/* Appends subtrees of any possible size, and bytes in between. */
static void test_append(fin_algorithm algorithm, const char *impl, void *data)
{
    (void)algorithm;
    (void)impl;
    (void)data;
    static uint8_t message[700 * CHUNK];
    check_random_bytes(message, sizeof message);
    for (unsigned i = 0; i < 100; i++) {
        const fin_params params = params_of(i % MODES);
        fin_context stream, appended;
        uint8_t cv[32], digests[2][100];
        CHECK_STATUS(FIN_OK, fin_init(&stream, FIN_BLAKE3, &params));
        CHECK_STATUS(FIN_OK, fin_init(&appended, FIN_BLAKE3, &params));
        size_t chunks = 1 + check_random_below(i % 2 == 0 ? 3 : 300);
        CHECK_STATUS(FIN_OK, fin_update(&stream, message, chunks * CHUNK));
        /* After a part of a chunk, the whole chunk waits in the buffer. */
        const size_t first = chunks * CHUNK - check_random_below(2);
        CHECK_STATUS(FIN_OK, fin_update(&appended, message, first));
        CHECK_STATUS(FIN_OK, fin_update(&appended, message + first, chunks * CHUNK - first));
        while (check_random_below(8) != 0) {
            size_t count = 1;
            while (chunks % (2 * count) == 0 && check_random_below(5) != 0) {
                count *= 2;
            }
            if (chunks + count > sizeof message / CHUNK) {
                break;
            }
            const uint8_t *in = message + chunks * CHUNK;
            const bool bytes = check_random_below(4) == 0;
            check_context("BLAKE3, mode %u, %u chunks after %u", i % MODES, (unsigned)count,
                          (unsigned)chunks);
            CHECK_STATUS(FIN_OK, fin_update(&stream, in, count * CHUNK));
            CHECK_STATUS(FIN_OK, fin_blake3_subtree_cv(cv, &params, in, count * CHUNK, chunks));
            CHECK_STATUS(FIN_OK, bytes ? fin_update(&appended, in, count * CHUNK)
                                       : fin_blake3_append(&appended, cv, count));
            chunks += count;
            if (chunks > 1) {
                expect_equal_midstates(&stream, &appended);
            }
        }
        const size_t rest = check_random_below(3) * 500;
        CHECK_STATUS(FIN_OK, fin_update(&stream, message, rest));
        CHECK_STATUS(FIN_OK, fin_update(&appended, message, rest));
        CHECK_STATUS(FIN_OK, fin_squeeze(&stream, digests[0], sizeof digests[0]));
        CHECK_STATUS(FIN_OK, fin_squeeze(&appended, digests[1], sizeof digests[1]));
        CHECK_BYTES(digests[0], digests[1], sizeof digests[0]);
    }
}

static void test_append_errors(void)
{
    static const uint8_t in[3 * CHUNK], cv[32];
    fin_context message, other;
    fin_share share;
    check_context("BLAKE3, wrong subtrees appended");
    CHECK_STATUS(FIN_OK, fin_init(&other, FIN_BLAKE2SP, NULL));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_blake3_append(&other, cv, 1));
    CHECK_STATUS(FIN_OK, fin_init(&message, FIN_BLAKE3, NULL));
    CHECK_STATUS(FIN_ERR_INDEX, fin_blake3_append(&message, cv, 1));
    CHECK_STATUS(FIN_OK, fin_update(&message, in, 3 * CHUNK));
    CHECK_STATUS(FIN_OK, fin_update(&message, in, 3 * CHUNK));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake3_append(NULL, cv, 1));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake3_append(&message, NULL, 1));
    CHECK_STATUS(FIN_ERR_INDEX, fin_blake3_append(&message, cv, 0));
    CHECK_STATUS(FIN_ERR_INDEX, fin_blake3_append(&message, cv, 3));
    CHECK_STATUS(FIN_ERR_INDEX, fin_blake3_append(&message, cv, 4));
    CHECK_STATUS(FIN_OK, fin_blake3_append(&message, cv, 2));
    for (uint64_t chunks = 8; chunks < UINT64_C(1) << 53; chunks *= 2) {
        CHECK_STATUS(FIN_OK, fin_blake3_append(&message, cv, chunks));
    }
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_blake3_append(&message, cv, UINT64_C(1) << 53));
    CHECK_STATUS(FIN_OK, fin_update(&message, in, 1));
    CHECK_STATUS(FIN_ERR_STATE, fin_blake3_append(&message, cv, 1));
    CHECK_STATUS(FIN_OK, fin_share_begin(&message, in, sizeof in, &share));
    CHECK_STATUS(FIN_ERR_STATE, fin_blake3_append(&message, cv, 1));
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
    check_each_impl(FIN_BLAKE3, test_append, NULL);
    test_node_errors();
    test_append_errors();
    return check_report();
}
