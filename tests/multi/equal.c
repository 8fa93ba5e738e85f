/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares fin_hash_equal, messages of one length at once, with and without parameters, with one
 * message at a time.
 */
#include "batch.h"

static batch shared;

static void side_by_side_with(fin_algorithm algorithm, bool with_params, size_t bytes)
{
    static uint8_t in[MESSAGES_MAX * 1024];
    const size_t counts[] = {1, 1 + check_random_below(40), MESSAGES_MAX};
    check_random_bytes(in, sizeof in);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        choose_params(&shared, fin_algorithm_describe(algorithm), with_params);
        shared.count = counts[k];
        for (size_t i = 0; i < shared.count; i++) {
            shared.messages[i] = (fin_message){in + i * bytes, bytes};
            const fin_status status = fin_hash(algorithm, &shared.params, in + i * bytes, bytes,
                                               shared.expected[i], shared.digest_bytes);
            (void)CHECK_NEEDED(status == FIN_OK);
        }
        memset(shared.digests, GUARD, sizeof shared.digests);
        CHECK_STATUS(FIN_OK, fin_hash_equal(algorithm, &shared.params, in, bytes, shared.count,
                                            shared.digests, shared.stride));
        check_digests(&shared);
    }
}

static void side_by_side(fin_algorithm algorithm)
{
    static const size_t lengths[] = {0, 1, 32, 64, 65, 128, 200, 600, 1024};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        side_by_side_with(algorithm, false, lengths[k]);
        side_by_side_with(algorithm, true, lengths[k]);
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
    }
    if (check_part("bad input")) {
        bad_input();
    }
    return check_report();
}
