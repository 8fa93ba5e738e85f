/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests fin_groestl_pairs, Grøstl's compression function for tree nodes: padded messages of one
 * block against their digests, random blocks against the portable code.
 */
#include "batch.h"

static batch shared;

/* A block that is a padded message must give that message's digest. */
static void padded_pairs(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const size_t block_bytes = info->digest_bytes > 32 ? 128 : 64;
    uint8_t in[5 * 128] = {0}, digests[5 * 80], expected[64];
    memset(digests, GUARD, sizeof digests);
    for (size_t i = 0; i < 5; i++) {
        uint8_t *block = in + block_bytes * i;
        memcpy(block, text, 10 * i);
        block[10 * i] = 0x80;
        block[block_bytes - 1] = 1;
    }
    CHECK_STATUS(FIN_OK, fin_groestl_pairs(algorithm, in, 5, digests, 80));
    for (size_t i = 0; i < 5; i++) {
        CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, text, 10 * i, expected, sizeof expected));
        CHECK_BYTES(expected, digests + 80 * i, info->digest_bytes);
        CHECK(digests[80 * i + info->digest_bytes] == GUARD);
    }
}

/* Random blocks, and the portable code's results. */
static uint8_t pairs[MESSAGES_MAX * 128];

static void random_pairs(fin_algorithm algorithm)
{
    static const size_t counts[] = {0, 1, 2, 3, 4, 5, 8, 9, 15, 17, MESSAGES_MAX};
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    padded_pairs(algorithm);
    shared.digest_bytes = info->digest_bytes;
    shared.stride = shared.digest_bytes + 3;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        shared.count = counts[i];
        memset(shared.digests, GUARD, sizeof shared.digests);
        CHECK_STATUS(FIN_OK, fin_groestl_pairs(algorithm, pairs, shared.count, shared.digests,
                                               shared.stride));
        check_digests(&shared);
        CHECK(shared.digests[shared.count * shared.stride] == GUARD);
    }
}

static void groestl_pairs(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    check_random_bytes(pairs, sizeof pairs);
    CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, "bitslice"));
    CHECK_STATUS(FIN_OK,
                 fin_groestl_pairs(algorithm, pairs, MESSAGES_MAX, shared.expected[0], DIGEST_MAX));
    CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, NULL));
    for (size_t i = 0; i < MESSAGES_MAX; i++) {
        shared.messages[i] = (fin_message){pairs + info->block_bytes * i, info->block_bytes};
    }
    check_each_choice(algorithm, random_pairs);
}

static void bad_input(void)
{
    uint8_t digests[3 * 64], untouched[3 * 64];
    memset(digests, GUARD, sizeof digests);
    memcpy(untouched, digests, sizeof digests);
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_groestl_pairs(FIN_BLAKE2B, text, 1, digests, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_groestl_pairs(FIN_GROESTL256, NULL, 1, digests, 64));
    CHECK_STATUS(FIN_OK, fin_groestl_pairs(FIN_GROESTL256, NULL, 0, NULL, 64));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_groestl_pairs(FIN_GROESTL256, text, 1, digests, 31));
    CHECK_BYTES(untouched, digests, sizeof digests);
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(text, sizeof text);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        if (fin_algorithm_at(i)->family == FIN_FAMILY_GROESTL) {
            groestl_pairs(fin_algorithm_at(i)->algorithm);
        }
    }
    if (check_part("bad input")) {
        bad_input();
    }
    return check_report();
}
