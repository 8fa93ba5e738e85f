/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A batch of messages for the calls that hash many at once, and its expected result: digests
 * computed one at a time, with bytes between them that must not change.
 */
#ifndef FINALIST_TESTS_BATCH_H
#define FINALIST_TESTS_BATCH_H

#include "check.h"

enum { MESSAGES_MAX = 100, BYTES_MAX = 1200, DIGEST_MAX = 64, GUARD = 0xc3 };

/* A batch and its expected result. */
typedef struct batch {
    fin_algorithm algorithm;
    fin_params params;
    fin_tree_mode tree;
    uint8_t key[64], salt[32];
    size_t count;
    fin_message messages[MESSAGES_MAX];
    fin_node nodes[MESSAGES_MAX];
    size_t digest_bytes, stride;
    uint8_t expected[MESSAGES_MAX][DIGEST_MAX];
    uint8_t digests[MESSAGES_MAX * (DIGEST_MAX + 16) + 1];
} batch;

CHECK_UNUSED static uint8_t text[BYTES_MAX + 200];

/* Returns a length; those at the edges of blocks are as likely as all others together. */
CHECK_UNUSED static size_t random_length(size_t block_bytes)
{
    switch (check_random_below(4)) {
    case 0:
        return check_random_below(3);
    case 1:
        return block_bytes * check_random_below(BYTES_MAX / block_bytes);
    case 2:
        return block_bytes * (1 + check_random_below(3)) - 20 + check_random_below(24);
    default:
        return check_random_below(BYTES_MAX + 1);
    }
}

CHECK_UNUSED static void choose_params(batch *b, const fin_algorithm_info *info, bool with_params)
{
    b->params = (fin_params){0};
    if (info->digest_bytes_max > DIGEST_MAX) {
        const bool own = info->digest_bytes != 0 && check_random_below(2) != 0;
        b->params.digest_bytes = own ? info->digest_bytes : 1 + check_random_below(DIGEST_MAX);
    } else if (with_params) {
        const size_t range = (size_t)(info->digest_bytes_max - info->digest_bytes_min + 1);
        b->params.digest_bytes = info->digest_bytes_min + check_random_below(range);
    }
    if (with_params) {
        check_random_bytes(b->key, sizeof b->key);
        check_random_bytes(b->salt, sizeof b->salt);
        b->params.key = b->key;
        b->params.key_bytes = check_random_below(info->key_bytes_max + 1U);
        if (b->params.key_bytes < info->key_bytes_min) {
            b->params.key_bytes = 0;
        }
        b->params.salt = b->salt;
        b->params.salt_bytes = info->salt_bytes;
    }
    b->digest_bytes =
        (size_t)(b->params.digest_bytes != 0 ? b->params.digest_bytes : info->digest_bytes);
    b->stride = b->digest_bytes + check_random_below(2) * check_random_below(16);
}

/* Sets the expected digests: those of one message at a time. */
CHECK_UNUSED static void expect_digests(batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        const fin_status status = fin_hash(b->algorithm, &b->params, b->messages[i].in,
                                           b->messages[i].bytes, b->expected[i], b->digest_bytes);
        (void)CHECK_NEEDED(status == FIN_OK);
    }
}

CHECK_UNUSED static void random_batch(batch *b, fin_algorithm algorithm, size_t count,
                                      bool with_params)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    b->algorithm = algorithm;
    b->count = count;
    choose_params(b, info, with_params);
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = random_length(info->block_bytes);
        const uint8_t *in = text + check_random_below(200);
        b->messages[i] = (fin_message){bytes == 0 && i % 2 == 0 ? NULL : in, bytes};
    }
    expect_digests(b);
}

CHECK_UNUSED static void check_digests(const batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        const uint8_t *digest = b->digests + i * b->stride;
        bool guarded = true;
        for (size_t k = b->digest_bytes; k < b->stride; k++) {
            guarded = guarded && digest[k] == GUARD;
        }
        if (!CHECK_BYTES(b->expected[i], digest, b->digest_bytes) || !CHECK(guarded)) {
            printf("    message %lu of %lu, %lu bytes\n", (unsigned long)i, (unsigned long)b->count,
                   (unsigned long)b->messages[i].bytes);
            return;
        }
    }
}

CHECK_UNUSED static void check_batch(batch *b)
{
    memset(b->digests, GUARD, sizeof b->digests);
    CHECK_STATUS(FIN_OK, fin_hash_many(b->algorithm, &b->params, b->messages, b->count, b->digests,
                                       b->stride));
    check_digests(b);
}

#endif
