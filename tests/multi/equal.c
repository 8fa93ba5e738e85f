/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares fin_hash_equal, messages of one length at once, with and without parameters, with one
 * message at a time. The same for lists and columns of BLAKE3 whose messages lie one after another,
 * or all but one.
 */
#include "batch.h"

enum { LENGTH_MAX = 1088 }; /* whole blocks, more than a chunk of BLAKE3 */

static batch shared;

static void side_by_side_with(fin_algorithm algorithm, bool with_params, size_t bytes)
{
    static uint8_t in[MESSAGES_MAX * LENGTH_MAX];
    const size_t counts[] = {1, 1 + check_random_below(40), MESSAGES_MAX};
    check_random_bytes(in, sizeof in);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        choose_params(&shared, fin_algorithm_describe(algorithm), with_params);
        shared.algorithm = algorithm;
        shared.count = counts[k];
        for (size_t i = 0; i < shared.count; i++) {
            shared.messages[i] = (fin_message){in + i * bytes, bytes};
        }
        expect_digests(&shared);
        memset(shared.digests, GUARD, sizeof shared.digests);
        CHECK_STATUS(FIN_OK, fin_hash_equal(algorithm, &shared.params, in, bytes, shared.count,
                                            shared.digests, shared.stride));
        check_digests(&shared);
    }
}

/* ---- BLAKE3: messages one after another ---- */

static uint8_t consecutive_in[(MESSAGES_MAX + 1) * LENGTH_MAX];

/* Checks a list of consecutive messages, then one with a message elsewhere, then one with a message
   that is a byte shorter. */
static void consecutive_list(size_t bytes)
{
    fin_message *odd = &shared.messages[check_random_below((uint32_t)shared.count)];
    const fin_message kept = *odd;
    expect_digests(&shared);
    check_batch(&shared);
    odd->in = consecutive_in;
    expect_digests(&shared);
    check_batch(&shared);
    *odd = (fin_message){kept.in, bytes - 1};
    expect_digests(&shared);
    check_batch(&shared);
    *odd = kept;
}

/* Checks a column whose first value is not at its start, without nulls, then with one. */
static void consecutive_column(size_t bytes)
{
    static const uint8_t validity[MESSAGES_MAX / 8 + 1] = {0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                           0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    int32_t offsets[MESSAGES_MAX + 1];
    fin_column column = {.layout = FIN_COLUMN_OFFSETS32,
                         .data = consecutive_in,
                         .data_bytes = sizeof consecutive_in,
                         .items = offsets};
    for (size_t i = 0; i <= shared.count; i++) {
        offsets[i] = (int32_t)((i + 1) * bytes);
    }
    expect_digests(&shared);
    for (int nulls = 0; nulls < 2; nulls++) {
        CHECK_STATUS(FIN_OK, fin_hash_column(FIN_BLAKE3, NULL, &column, shared.count,
                                             shared.digests, shared.stride));
        check_digests(&shared);
        column.validity = validity;
        memset(shared.expected[1], 0, shared.digest_bytes);
    }
}

/* Checks a column of views whose values lie one after another, but in reverse order. */
static void reversed_views(size_t bytes)
{
    const fin_buffer buffer = {consecutive_in, sizeof consecutive_in};
    uint8_t views[16 * MESSAGES_MAX];
    const fin_column column = {
        .layout = FIN_COLUMN_VIEWS, .items = views, .buffers = &buffer, .buffer_count = 1};
    for (size_t i = 0; i < shared.count; i++) {
        const uint32_t view[4] = {(uint32_t)bytes, 0, 0, (uint32_t)((shared.count - i) * bytes)};
        memcpy(views + 16 * i, view, sizeof view);
        shared.messages[i].in = consecutive_in + (shared.count - i) * bytes;
    }
    expect_digests(&shared);
    CHECK_STATUS(FIN_OK, fin_hash_column(FIN_BLAKE3, NULL, &column, shared.count, shared.digests,
                                         shared.stride));
    check_digests(&shared);
}

/* Checks digests shorter than a chaining value, as far apart as chaining values are. */
static void consecutive_short(void)
{
    shared.params.digest_bytes = shared.digest_bytes = 31;
    expect_digests(&shared);
    check_batch(&shared);
    shared.params.digest_bytes = 0;
    shared.digest_bytes = 32;
}

static void consecutive(size_t bytes)
{
    const size_t counts[] = {2, 2 + check_random_below(40), MESSAGES_MAX};
    check_random_bytes(consecutive_in, sizeof consecutive_in);
    shared.algorithm = FIN_BLAKE3;
    shared.params = (fin_params){0};
    shared.digest_bytes = shared.stride = 32;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        shared.count = counts[k];
        for (size_t i = 0; i < shared.count; i++) {
            shared.messages[i] = (fin_message){consecutive_in + (i + 1) * bytes, bytes};
        }
        consecutive_list(bytes);
        consecutive_column(bytes);
        consecutive_short();
        if (bytes > 12) {
            reversed_views(bytes);
        }
    }
}

static void side_by_side(fin_algorithm algorithm)
{
    static const size_t lengths[] = {0, 1, 32, 64, 65, 128, 200, 600, 1024, LENGTH_MAX};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        side_by_side_with(algorithm, false, lengths[k]);
        side_by_side_with(algorithm, true, lengths[k]);
        if (algorithm == FIN_BLAKE3 && lengths[k] != 0) {
            consecutive(lengths[k]);
        }
    }
}

/* Tests more messages than groups take at a time. */
static void windows(fin_algorithm algorithm)
{
    enum { COUNT = 300, BYTES = 40 };
    static uint8_t in[COUNT * BYTES], digests[COUNT * DIGEST_MAX];
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    uint8_t expected[DIGEST_MAX];
    if (!check_has_length(info)) {
        return;
    }
    check_random_bytes(in, sizeof in);
    CHECK_STATUS(FIN_OK, fin_hash_equal(algorithm, NULL, in, BYTES, COUNT, digests, DIGEST_MAX));
    for (size_t i = 0; i < COUNT; i++) {
        (void)CHECK_NEEDED(fin_hash(algorithm, NULL, in + i * BYTES, BYTES, expected, DIGEST_MAX) ==
                           FIN_OK);
        CHECK_BYTES(expected, digests + i * DIGEST_MAX, info->digest_bytes);
    }
}

static void bad_input(void)
{
    uint8_t digests[3 * 64], untouched[3 * 64];
    memset(digests, GUARD, sizeof digests);
    memcpy(untouched, digests, sizeof digests);
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_equal(FIN_BLAKE2S, NULL, NULL, 64, 1, digests, 64));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                 fin_hash_equal(FIN_BLAKE2B, NULL, text, 64, 1, digests, 63));
    CHECK_STATUS(FIN_OK, fin_hash_equal(FIN_BLAKE2B, NULL, NULL, 64, 0, NULL, 64));
    CHECK_BYTES(untouched, digests, sizeof digests);
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(text, sizeof text);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        check_each_choice(fin_algorithm_at(i)->algorithm, side_by_side);
        check_each_choice(fin_algorithm_at(i)->algorithm, windows);
    }
    if (check_part("bad input")) {
        bad_input();
    }
    return check_report();
}
