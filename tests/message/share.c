/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares the leaves of one BLAKE2bp, BLAKE2sp or BLAKE3 message in several threads with one
 * thread: every number of threads, in one part and in several, with each implementation.
 */
#include "check.h"

#include <pthread.h>

enum { BYTES_MAX = 20000, LEAVES_MAX = 32, CHUNK = 1024, CHUNKS_MAX = 3000 };

static uint8_t text[CHUNKS_MAX * CHUNK];

typedef struct part {
    fin_context *context;
    const fin_share *share;
    uint32_t first, count;
    fin_status status;
} part;

static void *advance(void *data)
{
    part *p = data;
    p->status = fin_share_leaves(p->context, p->share, p->first, p->count);
    return NULL;
}

/* True if messages are hashed one at a time: no implementation of several is selected. */
static bool runs_singly(fin_algorithm algorithm)
{
    fin_impl_info impl;
    for (size_t i = 0; fin_impl_at(i, &impl) == FIN_OK; i++) {
        if (strcmp(impl.algorithm, fin_algorithm_describe(algorithm)->compression) == 0 &&
            impl.lanes > 1 && impl.selected) {
            return false;
        }
    }
    return true;
}

/* Appends bytes as `threads` threads would, with the leaves divided evenly. */
static void update(fin_context *context, const uint8_t *in, size_t bytes, uint32_t threads)
{
    fin_share share;
    pthread_t thread[LEAVES_MAX];
    part parts[LEAVES_MAX];
    CHECK_STATUS(FIN_OK, fin_share_begin(context, in, bytes, &share));
    /* The lanes of BLAKE3 are filled by the chunks of one subtree. */
    CHECK(context->algorithm != FIN_BLAKE3 || share.lanes == 1);
    CHECK(share.lanes == 1 || (share.lanes > 1 && !runs_singly(context->algorithm)));
    for (uint32_t i = 0; i < threads; i++) {
        const uint32_t first = share.leaf_count * i / threads;
        const uint32_t end = share.leaf_count * (i + 1) / threads;
        parts[i] = (part){context, &share, first, end - first, FIN_ERR_STATE};
        (void)CHECK_NEEDED(pthread_create(&thread[i], NULL, advance, &parts[i]) == 0);
    }
    for (uint32_t i = 0; i < threads; i++) {
        (void)CHECK_NEEDED(pthread_join(thread[i], NULL) == 0);
        CHECK_STATUS(FIN_OK, parts[i].status);
    }
    CHECK_STATUS(FIN_OK, fin_share_end(context, &share));
}

static void any_threads(fin_algorithm algorithm)
{
    fin_params params = {.key = text};
    for (uint32_t threads = 1; threads <= 8; threads++) {
        for (size_t turn = 0; turn < 12; turn++) {
            const size_t bytes = check_random_below(turn % 2 == 0 ? BYTES_MAX : 3000);
            uint8_t expected[64], digest[64];
            fin_context context;
            params.key_bytes = turn % 3 == 0 ? 7 : 0;
            (void)CHECK_NEEDED(fin_hash(algorithm, &params, text, bytes, expected, 64) == FIN_OK);
            CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, &params));
            for (size_t at = 0; at < bytes;) {
                const size_t left = bytes - at;
                size_t take = turn < 4 ? left : 1 + check_random_below(bytes);
                take = take < left ? take : left;
                if (turn < 4 || check_random_below(3) != 0) {
                    update(&context, text + at, take, threads);
                } else {
                    CHECK_STATUS(FIN_OK, fin_update(&context, text + at, take));
                }
                at += take;
            }
            CHECK_STATUS(FIN_OK, fin_final(&context, digest, sizeof digest));
            CHECK_BYTES(expected, digest, fin_algorithm_describe(algorithm)->digest_bytes);
        }
    }
}

/* Tests BLAKE3 with parts that end a chunk, or a subtree whose parent may be the root, and others.
   */
static void subtrees(fin_algorithm algorithm)
{
    static const size_t chunks[] = {0, 1, 2, 255, 256, 512, 513, 700, 1024, 2048};
    for (size_t turn = 0; turn < 40; turn++) {
        const fin_params params = {.key = text, .key_bytes = turn % 3 == 0 ? 32 : 0};
        uint8_t expected[32], digest[32];
        fin_context context;
        size_t at = 0;
        CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, &params));
        for (size_t pieces = turn < 10 ? 1 : 2 + turn % 3; pieces != 0; pieces--) {
            const size_t which = turn < 10 ? turn : check_random_below(10);
            size_t take = chunks[which] * CHUNK + (turn % 4 == 3 ? check_random_below(1500) : 0);
            take = take < sizeof text - at ? take : sizeof text - at;
            if (turn < 10 || check_random_below(4) != 0) {
                update(&context, text + at, take, 1 + (uint32_t)check_random_below(LEAVES_MAX));
            } else {
                CHECK_STATUS(FIN_OK, fin_update(&context, text + at, take));
            }
            at += take;
        }
        (void)CHECK_NEEDED(fin_hash(algorithm, &params, text, at, expected, 32) == FIN_OK);
        CHECK_STATUS(FIN_OK, fin_final(&context, digest, sizeof digest));
        check_context("%s, %u bytes", check_part_name, (unsigned)at);
        CHECK_BYTES(expected, digest, sizeof digest);
    }
}

/* Tests BLAKE3 with a part that just completes a chunk: it may be the last one, or the only one. */
static void completed_chunk(fin_algorithm algorithm)
{
    for (size_t before = 1; before < 3 * CHUNK; before += 500) {
        for (size_t after = 0; after < 2; after++) {
            const size_t whole = (before / CHUNK + 1) * CHUNK;
            uint8_t expected[32], digest[32];
            fin_context context;
            CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, NULL));
            CHECK_STATUS(FIN_OK, fin_update(&context, text, before));
            update(&context, text + before, whole - before, 2);
            CHECK_STATUS(FIN_OK, fin_update(&context, text + whole, after));
            CHECK_STATUS(FIN_OK, fin_final(&context, digest, sizeof digest));
            (void)CHECK_NEEDED(fin_hash(algorithm, NULL, text, whole + after, expected,
                                        sizeof expected) == FIN_OK);
            CHECK_BYTES(expected, digest, sizeof digest);
        }
    }
}

/* Tests BLAKE3 after subtrees of 45 sizes, which leave no space in the context for shared ones. Their
   chaining values are any bytes. */
static void full_context(fin_algorithm algorithm)
{
    uint8_t expected[32], digest[32];
    fin_context context, copy;
    CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, NULL));
    CHECK_STATUS(FIN_OK, fin_update(&context, text, CHUNK));
    for (unsigned k = 0; k < 52; k++) {
        CHECK_STATUS(FIN_OK, fin_blake3_append(&context, text + k, UINT64_C(1) << k));
    }
    for (unsigned k = 51; k >= 8; k--) {
        CHECK_STATUS(FIN_OK, fin_blake3_append(&context, text + k, UINT64_C(1) << k));
    }
    CHECK_STATUS(FIN_OK, fin_copy(&copy, &context));
    CHECK_STATUS(FIN_OK, fin_update(&copy, text, sizeof text));
    CHECK_STATUS(FIN_OK, fin_final(&copy, expected, sizeof expected));
    update(&context, text, sizeof text, 3);
    CHECK_STATUS(FIN_OK, fin_final(&context, digest, sizeof digest));
    CHECK_BYTES(expected, digest, sizeof digest);
}

/* Checks that most of a long part is shared, after any number of chunks. */
static void most_is_shared(void)
{
    fin_context context;
    fin_share share;
    for (size_t before = 0; before < 6; before++) {
        CHECK_STATUS(FIN_OK, fin_init(&context, FIN_BLAKE3, NULL));
        CHECK_STATUS(FIN_OK, fin_update(&context, text, before * 700));
        CHECK_STATUS(FIN_OK, fin_share_begin(&context, text, 2800 * CHUNK, &share));
        check_context("after %u bytes", (unsigned)before * 700);
        CHECK(share.leaf_count > 8 && share.rest_bytes < 256 * CHUNK);
    }
}

/* Checks the number of leaves that each implementation of several messages advances at once. */
static void named_lanes(fin_algorithm algorithm, uint32_t leaf_count)
{
    const char *compression = fin_algorithm_describe(algorithm)->compression;
    fin_context context;
    fin_share share;
    fin_impl_info impl;
    for (size_t i = 0; fin_impl_at(i, &impl) == FIN_OK; i++) {
        if (strcmp(impl.algorithm, compression) == 0 && impl.supported && impl.lanes > 1 &&
            impl.lanes <= leaf_count) {
            check_context("%s", impl.name);
            CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, impl.name));
            CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, NULL));
            CHECK_STATUS(FIN_OK, fin_share_begin(&context, text, 5000, &share));
            CHECK(share.lanes == impl.lanes);
        }
    }
    CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, NULL));
}

static void bad_input(void)
{
    fin_context context, copy;
    fin_share share;
    uint8_t digest[64], midstate[FIN_MIDSTATE_BYTES_MAX];
    size_t bytes = sizeof midstate;
    CHECK_STATUS(FIN_OK, fin_init(&context, FIN_BLAKE2B, NULL));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_share_begin(&context, text, 1, &share));
    CHECK_STATUS(FIN_OK, fin_init(&context, FIN_BLAKE2BP, NULL));
    CHECK_STATUS(FIN_ERR_NULL, fin_share_begin(&context, NULL, 1, &share));
    CHECK_STATUS(FIN_ERR_NULL, fin_share_begin(&context, text, 1, NULL));
    CHECK_STATUS(FIN_ERR_NULL, fin_share_begin(NULL, text, 1, &share));
    CHECK_STATUS(FIN_OK, fin_share_begin(&context, text, 5000, &share));
    CHECK(share.stripes != 0 && share.leaf_count == 4 && share.lanes >= 1);
    CHECK_STATUS(FIN_ERR_STATE, fin_share_begin(&context, text, 1, &share));
    CHECK_STATUS(FIN_ERR_STATE, fin_update(&context, text, 1));
    CHECK_STATUS(FIN_ERR_STATE, fin_final(&context, digest, sizeof digest));
    CHECK_STATUS(FIN_ERR_STATE, fin_reset(&context));
    CHECK_STATUS(FIN_ERR_STATE, fin_copy(&copy, &context));
    CHECK_STATUS(FIN_ERR_STATE, fin_save(&context, midstate, &bytes));
    CHECK_STATUS(FIN_ERR_INDEX, fin_share_leaves(&context, &share, 0, 5));
    CHECK_STATUS(FIN_ERR_INDEX, fin_share_leaves(&context, &share, 1, 4));
    CHECK_STATUS(FIN_ERR_INDEX, fin_share_leaves(&context, &share, 5, 0));
    CHECK_STATUS(FIN_ERR_INDEX, fin_share_leaves(&context, &share, 1, UINT32_MAX));
    CHECK_STATUS(FIN_ERR_NULL, fin_share_leaves(&context, NULL, 0, 1));
    CHECK_STATUS(FIN_ERR_NULL, fin_share_end(&context, NULL));
    CHECK_STATUS(FIN_OK, fin_share_leaves(&context, &share, 0, 4));
    CHECK_STATUS(FIN_OK, fin_share_end(&context, &share));
    CHECK_STATUS(FIN_ERR_STATE, fin_share_end(&context, &share));
    CHECK_STATUS(FIN_ERR_STATE, fin_share_leaves(&context, &share, 0, 4));
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_paint(text, sizeof text);
    check_each_choice(FIN_BLAKE2BP, any_threads);
    check_each_choice(FIN_BLAKE2SP, any_threads);
    check_each_choice(FIN_BLAKE3, subtrees);
    check_each_choice(FIN_BLAKE3, completed_chunk);
    check_each_choice(FIN_BLAKE3, full_context);
    if (check_part("named lanes")) {
        named_lanes(FIN_BLAKE2BP, 4);
        named_lanes(FIN_BLAKE2SP, 8);
    }
    if (check_part("bad input")) {
        bad_input();
        most_is_shared();
    }
    return check_report();
}
