/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares the block interface with the stream interface: blocks at any stride, final calls of
 * every length, counters, flags and statuses; and BLAKE2b's function F.
 */
#include "block_state.h"

#define BLOCKS_MAX 5

static uint8_t message[(BLOCKS_MAX + 1) * 128];

static void check_digest(const block_state *state, const uint8_t *in, size_t bytes,
                         const fin_params *params)
{
    uint8_t expected[64];
    uint8_t got[64];
    CHECK_STATUS(FIN_OK, fin_hash(state->algorithm, params, in, bytes, expected, 64));
    block_digest(state, got);
    CHECK_BYTES(expected, got, state->digest_bytes);
}

/* Some blocks in one call, then a final call of any length, give the message's digest. */
static void test_final_lengths(fin_algorithm algorithm, const char *impl, void *data)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const bool blake2 = info->family == FIN_FAMILY_BLAKE2;
    fin_params params = {0};
    (void)data;
    check_context("final lengths, %s, %s", info->name, impl);
    if (info->salt_bytes != 0) {
        params.salt = message + 1;
        params.salt_bytes = info->salt_bytes;
    }
    for (size_t blocks = 0; blocks <= BLOCKS_MAX; blocks++) {
        for (size_t rest = 0; rest <= info->block_bytes; rest++) {
            const size_t whole = blocks * info->block_bytes;
            block_state state;
            if ((blake2 && rest == 0 && blocks != 0) || !block_start(&state, algorithm, &params)) {
                continue; /* BLAKE2 flags the block that holds the message's last byte. */
            }
            CHECK_STATUS(FIN_OK, block_call(&state, message, whole, info->block_bytes));
            CHECK_STATUS(FIN_OK, block_final(&state, message + whole, rest));
            check_digest(&state, message, whole + rest, &params);
        }
    }
}

/* Tests blocks apart, adjacent, overlapping and identical; memory ends with the last byte. */
static void test_strides(fin_algorithm algorithm, const char *impl, void *data)
{
    static const size_t strides[] = {0, 1, 8, 63, 64, 65, 127, 128, 129, 192, 1000};
    const size_t block_bytes = fin_algorithm_describe(algorithm)->block_bytes;
    (void)data;
    check_context("strides, %s, %s", fin_algorithm_describe(algorithm)->name, impl);
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        for (size_t blocks = 1; blocks <= BLOCKS_MAX; blocks++) {
            const size_t span = (blocks - 1) * strides[i] + block_bytes;
            uint8_t *apart = check_allocate(span);
            uint8_t joined[BLOCKS_MAX * 128 + 1];
            block_state state;
            check_random_bytes(apart, span);
            for (size_t k = 0; k < blocks; k++) {
                memcpy(joined + k * block_bytes, apart + k * strides[i], block_bytes);
            }
            joined[blocks * block_bytes] = 0x77;
            CHECK(block_start(&state, algorithm, NULL));
            CHECK_STATUS(FIN_OK, block_call(&state, apart, blocks * block_bytes, strides[i]));
            free(apart);
            CHECK_STATUS(FIN_OK, block_final(&state, joined + blocks * block_bytes, 1));
            check_digest(&state, joined, blocks * block_bytes + 1, NULL);
        }
    }
}

static void test_counter(fin_algorithm algorithm, const char *impl, void *data)
{
    uint64_t counter[2];
    block_state state, same_flags;
    (void)data;
    check_context("counter, %s, %s", fin_algorithm_describe(algorithm)->name, impl);
    CHECK(block_start(&state, algorithm, NULL));
    CHECK_STATUS(FIN_OK, block_call(&state, NULL, 0, state.block_bytes));
    block_counter(&state, counter);
    CHECK(counter[0] == 0 && counter[1] == 0);
    CHECK_STATUS(FIN_OK, block_call(&state, message, 3 * state.block_bytes, state.block_bytes));
    block_counter(&state, counter);
    CHECK(counter[0] == 3 * block_increment(&state) && counter[1] == 0);
    CHECK_STATUS(FIN_OK, block_final(&state, message, 7));
    block_counter(&state, counter);
    CHECK(counter[1] == 0);
    same_flags = state;
    block_set_flags(&same_flags, UINT64_MAX, 0);
    CHECK(memcmp(&same_flags, &state, sizeof state) == 0);
    switch (fin_algorithm_describe(algorithm)->family) {
    case FIN_FAMILY_BLAKE:
        CHECK(counter[0] == 8 * (3 * state.block_bytes + 7));
        break;
    case FIN_FAMILY_BLAKE2:
        CHECK(counter[0] == 3 * state.block_bytes + 7);
        break;
    case FIN_FAMILY_GROESTL:
        CHECK(counter[0] == 4);
        break;
    case FIN_FAMILY_BLAKE3:
        break;
    }
    if (state.block_bytes == 128 &&
        fin_algorithm_describe(algorithm)->family != FIN_FAMILY_GROESTL) {
        /* Its low word overflows. */
        CHECK(block_start(&state, algorithm, NULL));
        block_set_counter(&state, UINT64_MAX - block_increment(&state) + 1, 5);
        CHECK_STATUS(FIN_OK, block_call(&state, message, state.block_bytes, state.block_bytes));
        block_counter(&state, counter);
        CHECK(counter[0] == 0 && counter[1] == 6);
    }
}

static void refuse(fin_status expected, block_state *state, const uint8_t *in, size_t bytes)
{
    block_state before;
    memcpy(&before, state, sizeof before);
    CHECK_STATUS(expected, block_call(state, in, bytes, state->block_bytes));
    CHECK(memcmp(&before, state, sizeof before) == 0);
}

static void test_statuses(fin_algorithm algorithm, const char *impl, void *data)
{
    block_state state;
    (void)data;
    check_context("statuses, %s, %s", fin_algorithm_describe(algorithm)->name, impl);
    CHECK(block_start(&state, algorithm, NULL));
    refuse(FIN_ERR_NULL, &state, NULL, state.block_bytes);
    refuse(FIN_ERR_BLOCK_LENGTH, &state, message, 1);
    refuse(FIN_ERR_BLOCK_LENGTH, &state, message, state.block_bytes - 1);
    refuse(FIN_ERR_BLOCK_LENGTH, &state, message, 3 * state.block_bytes + 1);
    block_set_flags(&state, UINT64_MAX, 0);
    refuse(FIN_ERR_NULL, &state, NULL, 1);
    refuse(FIN_ERR_BLOCK_LENGTH, &state, message, state.block_bytes + 1);
    refuse(FIN_ERR_BLOCK_LENGTH, &state, message, 2 * state.block_bytes);
    block_set_flags(&state, 1, 0);
    refuse(FIN_ERR_STATE, &state, message, state.block_bytes);
}

static void test_null_states(void)
{
    check_context("null states");
    CHECK_STATUS(FIN_ERR_NULL, fin_blake2b_blocks(NULL, message, 0, 128));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake2s_blocks(NULL, message, 0, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake224_blocks(NULL, message, 0, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake256_blocks(NULL, message, 0, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake384_blocks(NULL, message, 0, 128));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake512_blocks(NULL, message, 0, 128));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake28_blocks(NULL, message, 0, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake32_blocks(NULL, message, 0, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake48_blocks(NULL, message, 0, 128));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake64_blocks(NULL, message, 0, 128));
    CHECK_STATUS(FIN_ERR_NULL, fin_groestl256_blocks(NULL, message, 0, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_groestl512_blocks(NULL, message, 0, 128));
    CHECK_STATUS(FIN_ERR_NULL, fin_groestl0_256_blocks(NULL, message, 0, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_groestl0_512_blocks(NULL, message, 0, 128));
}

/* F[1] is the last-node flag of a tree, which blake2b_blocks passes to F. */
static void test_last_node(fin_algorithm algorithm, const char *impl, void *data)
{
    fin_tree_mode tree = {2, 2, 4096, 1, 0, 32, true};
    fin_params params = {0};
    block_state state;
    (void)data;
    params.tree_mode = &tree;
    check_context("last node, %s, %s", fin_algorithm_describe(algorithm)->name, impl);
    CHECK(block_start(&state, algorithm, &params));
    CHECK_STATUS(FIN_OK, block_call(&state, message, state.block_bytes, state.block_bytes));
    block_set_flags(&state, UINT64_MAX, UINT64_MAX);
    CHECK_STATUS(FIN_OK, block_call(&state, message + state.block_bytes, 50, 0));
    check_digest(&state, message, state.block_bytes + 50, &params);
    tree.last_node = false;
    CHECK(block_start(&state, algorithm, &params));
    CHECK_STATUS(FIN_OK, block_call(&state, message, state.block_bytes, state.block_bytes));
    CHECK_STATUS(FIN_OK, block_final(&state, message + state.block_bytes, 50));
    check_digest(&state, message, state.block_bytes + 50, &params);
}

/*
 * The test vectors 4 to 7 of EIP-152 (Ethereum, "Add BLAKE2 compression function `F`
 * precompile"): the message is abc, the counter 3. Vectors 0 to 3 are about the precompile's
 * input encoding, vector 8 repeats vector 7 with 2^32 - 1 rounds.
 */
static void test_f(fin_algorithm algorithm, const char *impl, void *data)
{
    static const struct {
        uint32_t rounds;
        bool final;
        uint64_t h[8];
    } rows[] = {
        {0,
         true,
         {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
          0x510e527fade682d2, 0x9b05688c2b3e6c1f, 0xe07c265404be4294, 0x5be0cd19137e2179}},
        {12,
         true,
         {0x0d4d1c983fa580ba, 0xe9f6129fb697276a, 0xb7c45a68142f214c, 0xd1a2ffdb6fbb124b,
          0x2d79ab2a39c5877d, 0x95cc3345ded552c2, 0x5a92f1dba88ad318, 0x239900d4ed8623b9}},
        {12,
         false,
         {0x2c560a19d369ab75, 0x75271c8fd8f8ae51, 0x2cc4707240446987, 0x5287d2262c254498,
          0xf2a25e6d7f3e7498, 0x1bd39c0326d2e8d3, 0x66d6d3f2c46a424e, 0x3547de6f11c210a6}},
        {1,
         true,
         {0x527d89b20c383ab6, 0x182cee3452a89419, 0x004c622c4d845f1b, 0xfbd2493470e97726,
          0xf5cd3b33a8b351a5, 0x2339d59389e0f7f2, 0x4e038cc6fc643dde, 0x21a4d7fe93927b71}},
    };
    const uint8_t block[128] = {'a', 'b', 'c'};
    const uint64_t counter[2] = {3, 0};
    (void)data;
    check_context("function F, %s", impl);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        block_state state;
        CHECK(block_start(&state, algorithm, NULL));
        CHECK_STATUS(FIN_OK, fin_blake2b_f(rows[i].rounds, state.is.blake2b.H, block, counter,
                                           rows[i].final));
        CHECK_BYTES((const uint8_t *)rows[i].h, (const uint8_t *)state.is.blake2b.H, 64);
    }
    uint64_t h[8] = {0};
    CHECK_STATUS(FIN_ERR_NULL, fin_blake2b_f(12, NULL, block, counter, true));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake2b_f(12, h, NULL, counter, true));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake2b_f(12, h, block, NULL, true));
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_paint(message, sizeof message);
    block_each(test_final_lengths);
    block_each(test_strides);
    block_each(test_counter);
    block_each(test_statuses);
    check_each_impl(FIN_BLAKE2B, test_last_node, NULL);
    check_each_impl(FIN_BLAKE2S, test_last_node, NULL);
    check_each_impl(FIN_BLAKE2B, test_f, NULL);
    test_null_states();
    return check_report();
}
