/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares every implementation with the first one registered for its compression function, the
 * portable one: the same random messages, parameters, alignments, strides and counters must give
 * the same chaining values and digests.
 */
#include "block_state.h"

#define TRIALS 300
#define MESSAGE_BYTES 4096

/* The command line may ask for fewer, where instructions are emulated. */
static unsigned trials = TRIALS;

static uint8_t message[MESSAGE_BYTES + 64];

static const char *reference_of(fin_algorithm algorithm)
{
    const char *compression = fin_algorithm_describe(algorithm)->compression;
    fin_impl_info impl;
    for (size_t i = 0; i < fin_impl_count(); i++) {
        if (fin_impl_at(i, &impl) == FIN_OK && strcmp(impl.algorithm, compression) == 0 &&
            strcmp(impl.mode, "single") == 0 && impl.supported) {
            return impl.name;
        }
    }
    return NULL;
}

typedef struct trial {
    fin_params params;
    size_t offset, bytes, split;
    uint8_t last_bits;
    unsigned bit_count;
} trial;

static void random_trial(const fin_algorithm_info *info, trial *t)
{
    const size_t limit = check_random_below(4) == 0 ? MESSAGE_BYTES : 5 * info->block_bytes;
    memset(t, 0, sizeof *t);
    t->offset = check_random_below(64);
    t->bytes = check_random_below(limit + 1);
    t->split = check_random_below(t->bytes + 1);
    /* Any digest length that uses the same compression function. */
    const bool groestl_long = info->family == FIN_FAMILY_GROESTL && info->digest_bytes > 32;
    const uint32_t shortest = groestl_long ? 33 : (uint32_t)info->digest_bytes_min;
    t->params.digest_bytes = shortest + check_random_below(info->digest_bytes - shortest + 1);
    t->params.key = message;
    t->params.key_bytes = check_random_below(info->key_bytes_max + 1);
    if (t->params.key_bytes < info->key_bytes_min) {
        t->params.key_bytes = check_random_below(2) * info->key_bytes_min;
    }
    t->params.salt = message + 7;
    t->params.salt_bytes = check_random_below(2) * info->salt_bytes;
    t->params.personal = message + 11;
    t->params.personal_bytes = check_random_below(info->personal_bytes + 1);
    if (info->bits) {
        t->bit_count = (unsigned)check_random_below(8);
        t->last_bits = (uint8_t)check_random();
    }
}

static void run_trial(const fin_algorithm_info *info, const char *impl, const trial *t,
                      uint8_t digest[64])
{
    const uint8_t *in = message + t->offset;
    fin_context context;
    CHECK_STATUS(FIN_OK, fin_impl_select(info->algorithm, impl));
    CHECK_STATUS(FIN_OK, fin_init(&context, info->algorithm, &t->params));
    CHECK_STATUS(FIN_OK, fin_update(&context, in, t->split));
    CHECK_STATUS(FIN_OK, fin_update(&context, in + t->split, t->bytes - t->split));
    CHECK_STATUS(FIN_OK, fin_final_bits(&context, t->last_bits, t->bit_count, digest, 64));
}

static void test_messages(fin_algorithm algorithm, const char *impl, void *data)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const char *reference = reference_of(algorithm);
    (void)data;
    for (unsigned i = 0; i < trials; i++) {
        uint8_t expected[64];
        uint8_t got[64];
        trial t;
        random_trial(info, &t);
        check_context("%s, %s, offset %u, %u bytes, %u bits", info->name, impl, (unsigned)t.offset,
                      (unsigned)t.bytes, t.bit_count);
        run_trial(info, reference, &t, expected);
        run_trial(info, impl, &t, got);
        CHECK_BYTES(expected, got, (size_t)t.params.digest_bytes);
    }
}

/* Chooses a counter shortly before a carry. */
static void random_counter(const block_state *state, uint64_t counter[2])
{
    const bool wide = state->block_bytes == 128 &&
                      fin_algorithm_describe(state->algorithm)->family != FIN_FAMILY_GROESTL;
    const uint64_t back = check_random_below(8) * block_increment(state);
    counter[1] = 0;
    switch (check_random_below(4)) {
    case 0:
        counter[0] = (UINT64_C(1) << 32) - back;
        break;
    case 1:
        counter[0] = wide ? 0 - back : (UINT64_C(1) << 63) - back;
        counter[1] = wide && back != 0 ? UINT32_MAX : 0;
        break;
    case 2:
        counter[0] = (check_random() >> 2) / block_increment(state) * block_increment(state);
        break;
    default:
        counter[0] = 0;
        break;
    }
}

static void test_blocks(fin_algorithm algorithm, const char *impl, void *data)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const char *reference = reference_of(algorithm);
    (void)data;
    for (unsigned i = 0; i < trials; i++) {
        const size_t blocks = check_random_below(10);
        const size_t stride = check_random_below(3) ? info->block_bytes : check_random_below(300);
        const uint8_t *in = message + check_random_below(64);
        block_state expected;
        block_state got;
        uint64_t counter[2];
        CHECK(block_start(&expected, algorithm, NULL));
        random_counter(&expected, counter);
        block_set_counter(&expected, counter[0], counter[1]);
        memcpy(&got, &expected, sizeof got);
        check_context("%s, %s, %u blocks, stride %u, counter %" PRIx64 " %" PRIx64, info->name,
                      impl, (unsigned)blocks, (unsigned)stride, counter[1], counter[0]);
        CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, reference));
        CHECK_STATUS(FIN_OK, block_call(&expected, in, blocks * info->block_bytes, stride));
        CHECK_STATUS(FIN_OK, block_final(&expected, in, 13));
        CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, impl));
        CHECK_STATUS(FIN_OK, block_call(&got, in, blocks * info->block_bytes, stride));
        CHECK_STATUS(FIN_OK, block_final(&got, in, 13));
        CHECK(memcmp(&expected, &got, sizeof got) == 0);
    }
}

/* Tests F with numbers of rounds that no named function has. */
static void test_rounds(fin_algorithm algorithm, const char *impl, void *data)
{
    const char *reference = reference_of(algorithm);
    (void)data;
    for (uint32_t rounds = 0; rounds < 40; rounds++) {
        uint64_t expected[8];
        uint64_t got[8];
        const uint64_t counter[2] = {check_random(), check_random()};
        const bool final = check_random_below(2) != 0;
        memcpy(expected, message + rounds, sizeof expected);
        memcpy(got, expected, sizeof got);
        check_context("F, %s, %u rounds", impl, (unsigned)rounds);
        CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, reference));
        CHECK_STATUS(FIN_OK, fin_blake2b_f(rounds, expected, message + 100, counter, final));
        CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, impl));
        CHECK_STATUS(FIN_OK, fin_blake2b_f(rounds, got, message + 100, counter, final));
        CHECK_BYTES((const uint8_t *)expected, (const uint8_t *)got, sizeof got);
    }
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    if (argument_count > 1) {
        const unsigned long wanted = strtoul(arguments[1], NULL, 10);
        trials = wanted >= 1 && wanted <= TRIALS ? (unsigned)wanted : TRIALS;
    }
    check_random_bytes(message, sizeof message);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        check_each_impl(fin_algorithm_at(i)->algorithm, test_messages, NULL);
    }
    block_each(test_blocks);
    check_each_impl(FIN_BLAKE2B, test_rounds, NULL);
    return check_report();
}
