/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The functions that Library.java calls, with types that are the same on all systems. */
#include "finalist.h"

#include <stdio.h>

#define EXPORTED __attribute__((visibility("default")))

enum { DIGEST_BYTES_MAX = 64, TEXT_BYTES = 128 };

EXPORTED int32_t finalist_spark_name(int32_t index, char *text);
EXPORTED int32_t finalist_spark_status(int32_t status, char *text);
EXPORTED int32_t finalist_spark_hash(int32_t index, const uint8_t *in, int64_t first, int64_t bytes,
                                     uint8_t *digest, int64_t digest_bytes);

/* Writes the name of the algorithm at an index and returns the length of its digest: 0 if that has no
   fixed length, -1 after the last algorithm. */
int32_t finalist_spark_name(int32_t index, char *text)
{
    const fin_algorithm_info *algorithm = fin_algorithm_at((size_t)index);
    if (algorithm == NULL) {
        return -1;
    }
    (void)snprintf(text, TEXT_BYTES, "%s", algorithm->name);
    /* BLAKE3's digest has 32 bytes by default; BLAKE2X has no default length. */
    const bool has_length =
        algorithm->digest_bytes_max <= DIGEST_BYTES_MAX || algorithm->family == FIN_FAMILY_BLAKE3;
    return has_length ? (int32_t)algorithm->digest_bytes : 0;
}

/* Writes what a status of finalist_spark_hash means. */
int32_t finalist_spark_status(int32_t status, char *text)
{
    return snprintf(text, TEXT_BYTES, "%s", fin_status_text((fin_status)status));
}

int32_t finalist_spark_hash(int32_t index, const uint8_t *in, int64_t first, int64_t bytes,
                            uint8_t *digest, int64_t digest_bytes)
{
    return (int32_t)fin_hash(fin_algorithm_at((size_t)index)->algorithm, NULL, in + first,
                             (size_t)bytes, digest, (size_t)digest_bytes);
}
