/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests messages at once, of any number of blocks, each after a prefix byte as in Merkle trees'
 * hashes. Needs internal symbols, hence a static library.
 */
#include "check.h"

#include "multi/batch.h"

enum { MESSAGES = FIN_LANES_MAX + 3, BYTES_MAX = 400 };

static uint8_t text[MESSAGES * BYTES_MAX];

static void check_prefixed(fin_algorithm algorithm)
{
    static uint8_t digests[MESSAGES * 64];
    const size_t stride = fin_algorithm_describe(algorithm)->digest_bytes;
    const uint8_t *in = text;
    /* Include lengths that fill whole blocks together with the prefix. */
    for (size_t bytes = 0; bytes <= BYTES_MAX;
         bytes += bytes % 64 < 55 ? 1 + check_random_below(9) : 1) {
        fin_batch batch;
        batch.source = (fin_source){.equal = in,
                                    .message_bytes = bytes,
                                    .count = MESSAGES,
                                    .digests = digests,
                                    .stride = stride};
        CHECK_STATUS(FIN_OK, fin_hash_prefixed(&batch, algorithm, NULL, 7));
        for (size_t i = 0; i < MESSAGES; i++) {
            uint8_t message[1 + BYTES_MAX] = {7}, expected[64];
            memcpy(message + 1, in + i * bytes, bytes);
            (void)CHECK_NEEDED(
                fin_hash(algorithm, NULL, message, bytes + 1, expected, sizeof expected) == FIN_OK);
            CHECK_BYTES(expected, digests + i * stride, stride);
        }
    }
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(text, sizeof text);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm_info *info = fin_algorithm_at(i);
        if (check_has_length(info)) {
            check_each_choice(info->algorithm, check_prefixed);
        }
    }
    return check_report();
}
