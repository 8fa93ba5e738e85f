/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests length counters beyond the reach of hashing: midstates and block states with a forged
 * counter cross 2^32 and 2^64 and reach the end, where calls must return a status and change
 * nothing.
 */
#include "block_state.h"

/* Offsets of the midstate format, core/midstate.c: two words of eight bytes, little-endian. */
enum { MIDSTATE_COUNTER = 24 };

static uint8_t message[1024];

/* Only BLAKE-384, BLAKE-512 and BLAKE2b use the high word of the counter. */
static bool counts_128(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    return info->block_bytes == 128 && info->family != FIN_FAMILY_GROESTL;
}

static void store_le64(uint8_t *out, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++) {
        out[i] = (uint8_t)(word >> 8 * i);
    }
}

/* Starts a message and forges its counter. */
static bool forge(fin_context *context, fin_algorithm algorithm, uint64_t low, uint64_t high)
{
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX];
    size_t bytes = sizeof midstate;
    if (!CHECK_STATUS(FIN_OK, fin_init(context, algorithm, NULL)) ||
        !CHECK_STATUS(FIN_OK, fin_save(context, midstate, &bytes))) {
        return false;
    }
    store_le64(midstate + MIDSTATE_COUNTER, low);
    store_le64(midstate + MIDSTATE_COUNTER + 8, high);
    return CHECK_STATUS(FIN_OK, fin_restore(context, midstate, bytes));
}

/* Compares one call for `blocks` blocks with one call for each, whose counter the test sets. */
static void check_carry_in_call(fin_algorithm algorithm, uint64_t low, uint64_t high)
{
    enum { BLOCKS = 7 };
    block_state whole;
    block_state single;
    CHECK(block_start(&whole, algorithm, NULL));
    memcpy(&single, &whole, sizeof single);
    block_set_counter(&whole, low, high);
    CHECK_STATUS(FIN_OK,
                 block_call(&whole, message, BLOCKS * whole.block_bytes, whole.block_bytes));
    for (uint64_t k = 0; k < BLOCKS; k++) {
        const uint64_t at = low + k * block_increment(&single);
        block_set_counter(&single, at, at < low ? high + 1 : high);
        CHECK_STATUS(FIN_OK, block_call(&single, message + k * single.block_bytes,
                                        single.block_bytes, single.block_bytes));
    }
    const uint64_t end = low + BLOCKS * block_increment(&single);
    block_set_counter(&single, end, end < low ? high + 1 : high);
    CHECK(memcmp(&whole, &single, sizeof whole) == 0);
}

/* Compares a stream that continues a forged midstate with blocks from the same counter. */
static void check_carry_in_stream(fin_algorithm algorithm, uint64_t low, uint64_t high, size_t rest)
{
    enum { BLOCKS = 5 };
    fin_context context;
    block_state state;
    uint8_t expected[64];
    uint8_t got[64];
    if (!CHECK(block_start(&state, algorithm, NULL)) || !forge(&context, algorithm, low, high)) {
        return;
    }
    const size_t whole = BLOCKS * state.block_bytes;
    block_set_counter(&state, low, high);
    CHECK_STATUS(FIN_OK, block_call(&state, message, whole, state.block_bytes));
    CHECK_STATUS(FIN_OK, block_final(&state, message + whole, rest));
    block_digest(&state, expected);
    /* The last part may fill the last block, which is still kept back. */
    CHECK_STATUS(FIN_OK, fin_update(&context, message, 10));
    CHECK_STATUS(FIN_OK, fin_update(&context, message + 10, 90));
    CHECK_STATUS(FIN_OK, fin_update(&context, message + 100, whole + rest - 120));
    CHECK_STATUS(FIN_OK, fin_update(&context, message + whole + rest - 20, 20));
    CHECK_STATUS(FIN_OK, fin_final(&context, got, sizeof got));
    CHECK_BYTES(expected, got, state.digest_bytes);
}

static void test_crossing(fin_algorithm algorithm, const char *impl, void *data)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    block_state state;
    (void)data;
    check_context("crossing, %s, %s", info->name, impl);
    if (!CHECK(block_start(&state, algorithm, NULL))) {
        return;
    }
    const uint64_t increment = block_increment(&state);
    for (uint64_t back = 0; back <= 6; back++) {
        for (unsigned bit = 29; bit <= 62; bit++) {
            check_carry_in_call(algorithm, (UINT64_C(1) << bit) - back * increment, 0);
        }
        for (size_t rest = 1; rest <= state.block_bytes; rest++) {
            check_carry_in_stream(algorithm, (UINT64_C(1) << 32) - back * increment, 0, rest);
            if (counts_128(algorithm)) {
                const uint64_t high = back == 0 ? 1 : 0;
                check_carry_in_stream(algorithm, 0 - back * increment, high, rest);
            }
        }
        if (counts_128(algorithm)) {
            check_carry_in_call(algorithm, 0 - back * increment, back == 0);
            check_carry_in_call(algorithm, 0 - back * increment, UINT32_MAX);
        }
    }
}

/*
 * BLAKE2b's F takes the counter as an argument: compares with the test's own sum across 2^64 and
 * padding of the last block.
 */
static void test_blake2b_by_f(fin_algorithm algorithm, const char *impl, void *data)
{
    (void)data;
    check_context("counter by F, %s", impl);
    /* The last value crosses within the last block, which is not whole. */
    for (uint64_t back = 128; back <= 576; back += 64) {
        uint64_t t[2] = {0 - back, 6};
        uint8_t last[128] = {0};
        uint64_t h[8];
        block_state state;
        CHECK(block_start(&state, algorithm, NULL));
        memcpy(h, state.is.blake2b.H, sizeof h);
        block_set_counter(&state, t[0], t[1]);
        CHECK_STATUS(FIN_OK, block_call(&state, message, 512, 128));
        CHECK_STATUS(FIN_OK, block_final(&state, message + 512, 100));
        for (size_t k = 0; k < 4; k++) {
            t[0] += 128;
            t[1] += t[0] < 128;
            CHECK_STATUS(FIN_OK, fin_blake2b_f(12, h, message + 128 * k, t, false));
        }
        t[0] += 100;
        t[1] += t[0] < 100;
        memcpy(last, message + 512, 100);
        CHECK_STATUS(FIN_OK, fin_blake2b_f(12, h, last, t, true));
        CHECK_BYTES((const uint8_t *)h, (const uint8_t *)state.is.blake2b.H, sizeof h);
        CHECK(state.is.blake2b.T[0] == t[0] && state.is.blake2b.T[1] == t[1]);
    }
}

/* Pads by hand: BLAKE's final call equals one call on a block that ends with the length. */
static void check_blake_by_padding(fin_algorithm algorithm, uint64_t low, uint64_t high)
{
    const size_t block_bytes = fin_algorithm_describe(algorithm)->block_bytes;
    const uint64_t block_bits = 8 * (uint64_t)block_bytes;
    for (size_t rest = 1; rest < block_bytes - block_bytes / 8; rest++) {
        const uint64_t total = low + 8 * rest;
        const uint64_t total_high = high + (total < low);
        uint8_t padded[128] = {0};
        block_state expected;
        block_state got;
        uint8_t digests[2][64];
        CHECK(block_start(&expected, algorithm, NULL));
        memcpy(&got, &expected, sizeof got);
        block_set_counter(&got, low, high);
        CHECK_STATUS(FIN_OK, block_final(&got, message, rest));
        memcpy(padded, message, rest);
        padded[rest] = 0x80;
        if (expected.digest_bytes == 32 || expected.digest_bytes == 64) {
            padded[block_bytes - block_bytes / 8 - 1] |= 1;
        }
        for (unsigned i = 0; i < block_bytes / 8; i++) {
            const uint64_t word = i < 8 ? total : total_high;
            padded[block_bytes - 1 - i] = (uint8_t)(word >> 8 * (i % 8));
        }
        block_set_counter(&expected, total - block_bits, total_high - (total < block_bits));
        CHECK_STATUS(FIN_OK, block_call(&expected, padded, block_bytes, block_bytes));
        block_digest(&expected, digests[0]);
        block_digest(&got, digests[1]);
        CHECK_BYTES(digests[0], digests[1], got.digest_bytes);
    }
}

static void test_blake_by_padding(fin_algorithm algorithm, const char *impl, void *data)
{
    const uint64_t half = 4 * (uint64_t)fin_algorithm_describe(algorithm)->block_bytes;
    (void)data;
    check_context("padding by hand, %s, %s", fin_algorithm_describe(algorithm)->name, impl);
    check_blake_by_padding(algorithm, (UINT64_C(1) << 32) - half, 0);
    if (counts_128(algorithm)) {
        check_blake_by_padding(algorithm, 0 - half, 5);
    }
}

/*
 * Pads by hand: Grøstl of a message of one block with a forged number of previous blocks is its
 * padded block, with the count of all, through fin_groestl_pairs.
 */
static void test_groestl_by_padding(fin_algorithm algorithm, const char *impl, void *data)
{
    const size_t block_bytes = fin_algorithm_describe(algorithm)->block_bytes;
    static const uint64_t counts[] = {UINT32_MAX, UINT64_C(1) << 40, UINT64_MAX - 5};
    (void)data;
    check_context("padding by hand, %s, %s", fin_algorithm_describe(algorithm)->name, impl);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        for (size_t rest = 1; rest < block_bytes - 8; rest++) {
            uint8_t padded[128] = {0};
            uint8_t expected[64];
            uint8_t got[64];
            block_state state;
            CHECK(block_start(&state, algorithm, NULL));
            block_set_counter(&state, counts[k], 0);
            CHECK_STATUS(FIN_OK, block_final(&state, message, rest));
            block_digest(&state, got);
            memcpy(padded, message, rest);
            padded[rest] = 0x80;
            for (unsigned i = 0; i < 8; i++) {
                padded[block_bytes - 1 - i] = (uint8_t)((counts[k] + 1) >> 8 * i);
            }
            CHECK_STATUS(FIN_OK, fin_groestl_pairs(algorithm, padded, 1, expected, 64));
            CHECK_BYTES(expected, got, state.digest_bytes);
        }
    }
}

/* Tests the longest update that must be accepted, and a longer one. */
static void check_end(fin_algorithm algorithm, uint64_t low, uint64_t high, size_t fits)
{
    fin_context context;
    fin_context before;
    uint8_t digest[64];
    if (!forge(&context, algorithm, low, high)) {
        return;
    }
    memcpy(&before, &context, sizeof before);
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_update(&context, message, fits + 1));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_update(&context, message, sizeof message));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_update(&context, message, SIZE_MAX));
    CHECK(memcmp(&before, &context, sizeof before) == 0);
    CHECK_STATUS(FIN_OK, fin_update(&context, message, fits));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_update(&context, message, 1));
    CHECK_STATUS(FIN_OK, fin_final(&context, digest, sizeof digest));
}

static void check_end_of_blocks(fin_algorithm algorithm, uint64_t low, uint64_t high)
{
    block_state state;
    block_state before;
    CHECK(block_start(&state, algorithm, NULL));
    block_set_counter(&state, low, high);
    memcpy(&before, &state, sizeof before);
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                 block_call(&state, message, 4 * state.block_bytes, state.block_bytes));
    CHECK(memcmp(&before, &state, sizeof before) == 0);
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, block_final(&state, message, state.block_bytes));
}

static void test_end(fin_algorithm algorithm, const char *impl, void *data)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const uint64_t high = counts_128(algorithm) ? UINT64_MAX : 0;
    const size_t block_bytes = info->block_bytes;
    (void)data;
    check_context("end of the counter, %s, %s", info->name, impl);
    switch (info->family) {
    case FIN_FAMILY_BLAKE:
        check_end(algorithm, 0 - 8 * (uint64_t)block_bytes, high, block_bytes - 1);
        check_end(algorithm, 0 - 24 * (uint64_t)block_bytes, high, 3 * block_bytes - 1);
        check_end_of_blocks(algorithm, 0 - 8 * (uint64_t)block_bytes, high);
        break;
    case FIN_FAMILY_BLAKE2:
        check_end(algorithm, 0 - (uint64_t)block_bytes, high, block_bytes - 1);
        check_end(algorithm, 0 - 3 * (uint64_t)block_bytes, high, 3 * block_bytes - 1);
        check_end_of_blocks(algorithm, 0 - (uint64_t)block_bytes, high);
        break;
    case FIN_FAMILY_GROESTL:
        /* The last block must hold a padding bit and eight bytes of block count. */
        check_end(algorithm, UINT64_MAX - 1, 0, block_bytes - 9);
        check_end(algorithm, UINT64_MAX - 3, 0, 3 * block_bytes - 9);
        check_end_of_blocks(algorithm, UINT64_MAX - 1, 0);
        break;
    case FIN_FAMILY_BLAKE3: /* tests/message/blake3.c */
        break;
    }
}

/* BLAKE counts bits: the last byte that fits may still have seven more bits. */
static void test_last_bits(fin_algorithm algorithm, const char *impl, void *data)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const uint64_t high = counts_128(algorithm) ? UINT64_MAX : 0;
    fin_context context;
    uint8_t digest[64];
    (void)data;
    check_context("last bits, %s, %s", info->name, impl);
    if (forge(&context, algorithm, 0 - 8 * (uint64_t)info->block_bytes, high)) {
        CHECK_STATUS(FIN_OK, fin_update(&context, message, info->block_bytes - 1));
        CHECK_STATUS(FIN_OK, fin_final_bits(&context, 0xfe, 7, digest, sizeof digest));
    }
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(message, sizeof message);
    block_each(test_crossing);
    block_each(test_end);
    check_each_impl(FIN_BLAKE2B, test_blake2b_by_f, NULL);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        if (fin_algorithm_at(i)->family == FIN_FAMILY_BLAKE) {
            check_each_impl(fin_algorithm_at(i)->algorithm, test_blake_by_padding, NULL);
            check_each_impl(fin_algorithm_at(i)->algorithm, test_last_bits, NULL);
        }
        if (fin_algorithm_at(i)->family == FIN_FAMILY_GROESTL) {
            check_each_impl(fin_algorithm_at(i)->algorithm, test_groestl_by_padding, NULL);
        }
    }
    return check_report();
}
