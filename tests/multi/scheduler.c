/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares fin_hash_many with one message at a time, through every implementation of several
 * messages that the CPU supports: every lane, every mixture of lengths, parameters, and bad input.
 */
#include "batch.h"

static batch shared;

static void random_batches(fin_algorithm algorithm)
{
    static const size_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 100};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        random_batch(&shared, algorithm, counts[i], false);
        check_batch(&shared);
        random_batch(&shared, algorithm, counts[i], true);
        check_batch(&shared);
    }
}

/* Puts one long message at each index of a batch of short ones: it is once in each lane, beside
   lanes that change their messages meanwhile. */
static void every_lane(fin_algorithm algorithm)
{
    random_batch(&shared, algorithm, MESSAGES_MAX, false);
    for (size_t place = 0; place < 40; place++) {
        for (size_t i = 0; i < 40; i++) {
            const size_t bytes = i == place ? BYTES_MAX : i % 5;
            shared.messages[i] = (fin_message){text + i, bytes};
            const fin_status status = fin_hash(algorithm, &shared.params, text + i, bytes,
                                               shared.expected[i], shared.digest_bytes);
            (void)CHECK_NEEDED(status == FIN_OK);
        }
        shared.count = 40;
        check_batch(&shared);
    }
}

/* The scheduler sorts messages by length within windows of 256, with coarser lengths beyond 16 KiB:
   tests more messages than two windows, with lengths on both sides. */
static void windows(fin_algorithm algorithm)
{
    enum { COUNT = 600, LONGEST = 70000 };
    static uint8_t in[LONGEST + COUNT], digests[COUNT * DIGEST_MAX], expected[DIGEST_MAX];
    static fin_message messages[COUNT];
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    if (!check_has_length(info)) {
        return;
    }
    check_random_bytes(in, sizeof in);
    for (size_t i = 0; i < COUNT; i++) {
        const bool is_long = i % 97 == 5;
        messages[i] = (fin_message){in + i, check_random_below(is_long ? LONGEST : 300)};
    }
    CHECK_STATUS(FIN_OK, fin_hash_many(algorithm, NULL, messages, COUNT, digests, DIGEST_MAX));
    for (size_t i = 0; i < COUNT; i++) {
        const fin_message message = messages[i];
        (void)CHECK_NEEDED(fin_hash(algorithm, NULL, message.in, message.bytes, expected,
                                    sizeof expected) == FIN_OK);
        if (!CHECK_BYTES(expected, digests + i * DIGEST_MAX, info->digest_bytes)) {
            return;
        }
    }
}

/* Tests the longest message of a window at the edges of its units of length, beside empty messages,
   which the scheduler takes if there is a key. */
static void edges_of_windows(fin_algorithm algorithm)
{
    enum { COUNT = 40 };
    static const size_t longest[] = {16319, 16320, 16383, 16384, 32767, 32768};
    static uint8_t in[32768 + COUNT];
    const size_t key_bytes = fin_algorithm_describe(algorithm)->key_bytes_max;
    if (key_bytes == 0 || !check_has_length(fin_algorithm_describe(algorithm))) {
        return;
    }
    check_random_bytes(in, sizeof in);
    shared.algorithm = algorithm;
    shared.params = (fin_params){.key = in, .key_bytes = key_bytes};
    shared.count = COUNT;
    shared.digest_bytes = shared.stride = fin_algorithm_describe(algorithm)->digest_bytes;
    for (size_t k = 0; k < sizeof longest / sizeof longest[0]; k++) {
        for (size_t i = 0; i < COUNT; i++) {
            shared.messages[i] = (fin_message){in + i, i % 2 == 0 ? 0 : check_random_below(2000)};
        }
        shared.messages[check_random_below(COUNT)].bytes = longest[k];
        expect_digests(&shared);
        check_batch(&shared);
    }
}

static void a_million_empty_messages(void)
{
    enum { MILLION = 1000000 };
    fin_message *messages = check_allocate(MILLION * sizeof messages[0]);
    uint8_t *digests = check_allocate(32 * (size_t)MILLION);
    uint8_t expected[32];
    memset(messages, 0, MILLION * sizeof messages[0]);
    CHECK_STATUS(FIN_OK, fin_hash_many(FIN_BLAKE2S, NULL, messages, MILLION, digests, 32));
    (void)CHECK_NEEDED(fin_hash(FIN_BLAKE2S, NULL, NULL, 0, expected, 32) == FIN_OK);
    size_t equal = 0;
    for (size_t i = 0; i < MILLION; i++) {
        equal += memcmp(expected, digests + 32 * i, 32) == 0;
    }
    CHECK(equal == MILLION);
    free(messages);
    free(digests);
}

static void bad_input(void)
{
    uint8_t digests[3 * 64], untouched[3 * 64];
    memset(digests, GUARD, sizeof digests);
    memcpy(untouched, digests, sizeof digests);
    fin_message messages[3] = {{text, 1000}, {text, 1}, {NULL, 0}};
    fin_params params = {0};
    check_context("bad input");
    CHECK_STATUS(FIN_ERR_ALGORITHM,
                 fin_hash_many((fin_algorithm)0, NULL, messages, 3, digests, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_many(FIN_BLAKE256, NULL, NULL, 3, digests, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_many(FIN_BLAKE256, NULL, messages, 3, NULL, 64));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                 fin_hash_many(FIN_BLAKE256, NULL, messages, 3, digests, 31));
    CHECK_STATUS(FIN_OK, fin_hash_many(FIN_BLAKE256, NULL, NULL, 0, NULL, 32));
    messages[2].bytes = 5;
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm algorithm = fin_algorithm_at(i)->algorithm;
        check_context("bad input, %s", fin_algorithm_at(i)->name);
        params.digest_bytes = fin_algorithm_at(i)->digest_bytes;
        CHECK_STATUS(FIN_ERR_NULL, fin_hash_many(algorithm, &params, messages, 3, digests, 64));
    }
    messages[2].bytes = 0;
    check_context("bad input");
    params = (fin_params){.digest_bytes = FIN_XOF_UNKNOWN};
    CHECK_STATUS(FIN_ERR_DIGEST_LENGTH,
                 fin_hash_many(FIN_BLAKE2XB, &params, messages, 3, digests, 64));
    if (SIZE_MAX > UINT32_MAX) {
        messages[1].bytes = SIZE_MAX;
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_hash_many(FIN_BLAKE256, NULL, messages, 3, digests, 64));
    }
    CHECK_BYTES(untouched, digests, sizeof digests);
}

/* Tests two messages, which BLAKE2 hashes one at a time if both are at most a block. */
static void pairs(fin_algorithm algorithm)
{
    static const size_t lengths[] = {0, 1, 16, 63, 64, 65, 127, 128, 129, 300};
    const size_t count = sizeof lengths / sizeof lengths[0];
    for (size_t i = 0; i < count * count * 4; i++) {
        const bool keyed = i / count / count == 3;
        shared.algorithm = algorithm;
        shared.count = 2;
        choose_params(&shared, fin_algorithm_describe(algorithm), keyed);
        for (size_t k = 0; k < 2; k++) {
            const size_t bytes = lengths[k == 0 ? i % count : i / count % count];
            shared.messages[k] = (fin_message){bytes == 0 && k == 1 ? NULL : text + k, bytes};
            (void)CHECK_NEEDED(fin_hash(algorithm, &shared.params, shared.messages[k].in, bytes,
                                        shared.expected[k], shared.digest_bytes) == FIN_OK);
        }
        check_batch(&shared);
    }
}

/* Arguments invalid for one message are invalid for two, and so is a wrong stride. */
static void wrong_pairs(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const bool is_xof = info->digest_bytes_max > 64;
    const fin_params params = {.digest_bytes = is_xof ? 32 : 0};
    const size_t digest_bytes = is_xof ? 32 : info->digest_bytes;
    uint8_t digests[2 * 64], untouched[2 * 64];
    memset(digests, GUARD, sizeof digests);
    memcpy(untouched, digests, sizeof digests);
    for (size_t wrong = 0; wrong < 2; wrong++) {
        fin_message messages[2] = {{text, 20}, {text, 30}};
        messages[wrong].in = NULL;
        CHECK_STATUS(FIN_ERR_NULL, fin_hash_many(algorithm, &params, messages, 2, digests, 64));
        messages[wrong].in = (const uint8_t *)(UINTPTR_MAX - 10);
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_hash_many(algorithm, &params, messages, 2, digests, 64));
        messages[wrong].in = text;
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                     fin_hash_many(algorithm, &params, messages, 2, digests, digest_bytes - 1));
        CHECK_STATUS(FIN_ERR_NULL, fin_hash_many(algorithm, &params, messages, 2, NULL, 64));
    }
    CHECK_BYTES(untouched, digests, sizeof digests);
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(text, sizeof text);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm algorithm = fin_algorithm_at(i)->algorithm;
        check_each_choice(algorithm, random_batches);
        check_each_choice(algorithm, every_lane);
        check_each_choice(algorithm, windows);
        check_each_choice(algorithm, edges_of_windows);
        check_each_choice(algorithm, pairs);
        check_each_choice(algorithm, wrong_pairs);
    }
    if (check_part("a million empty messages")) {
        a_million_empty_messages();
    }
    if (check_part("bad input")) {
        bad_input();
    }
    return check_report();
}
