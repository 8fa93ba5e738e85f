/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * fin_compress_many, messages of one length side by side, against one message at a time. Those of
 * more than four blocks go in lockstep.
 */
#include "batch.h"

static batch shared;

static void side_by_side(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    static const size_t lengths[] = {0, 1, 32, 64, 65, 128, 200, 600};
    if (info->digest_bytes_max > DIGEST_MAX) {
        return;
    }
    static uint8_t in[MESSAGES_MAX * 600];
    check_random_bytes(in, sizeof in);
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        random_batch(&shared, algorithm, MESSAGES_MAX, false);
        for (size_t i = 0; i < shared.count; i++) {
            shared.messages[i] = (fin_message){in + i * lengths[k], lengths[k]};
            const fin_status status = fin_hash(algorithm, NULL, in + i * lengths[k], lengths[k],
                                               shared.expected[i], shared.digest_bytes);
            (void)CHECK_NEEDED(status == FIN_OK);
        }
        memset(shared.digests, GUARD, sizeof shared.digests);
        CHECK_STATUS(FIN_OK, fin_compress_many(algorithm, in, lengths[k], shared.count,
                                               shared.digests, shared.stride));
        check_digests(&shared);
    }
}

static void bad_input(void)
{
    uint8_t digests[3 * 64], untouched[3 * 64];
    memset(digests, GUARD, sizeof digests);
    memcpy(untouched, digests, sizeof digests);
    CHECK_STATUS(FIN_ERR_NULL, fin_compress_many(FIN_BLAKE2S, NULL, 64, 1, digests, 64));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_compress_many(FIN_BLAKE2B, text, 64, 1, digests, 63));
    CHECK_STATUS(FIN_OK, fin_compress_many(FIN_BLAKE2B, NULL, 64, 0, NULL, 64));
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
