/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares one message in one call, as a batch of one and in parts, with the reference of the fuzz
 * targets: every algorithm, every length up to three blocks, every length of digest, key, salt and
 * personalisation. Short messages have separate code paths.
 */
#include "check.h"

#include "../../fuzz/reference.h"

enum { BLOCKS = 3, MESSAGE_BYTES = BLOCKS * 128 + 2 };

static uint8_t message[MESSAGE_BYTES], key[64], salt[32], personal[16];

/* Fills the stack, so that calls do not depend on zeros there. */
static __attribute__((noinline)) void paint_stack(void)
{
    volatile uint8_t paint[8192];
    for (size_t i = 0; i < sizeof paint; i++) {
        paint[i] = 0xa5;
    }
}

static void check_message(const fin_algorithm_info *info, const fin_params *params, size_t bytes)
{
    const fin_params none = {0};
    const fin_params *const given = params == NULL ? &none : params;
    const size_t digest_bytes = (size_t)reference_digest_bytes(info->algorithm, given);
    const fin_message one = {message, bytes};
    uint8_t expected[64], digest[64];
    fin_context context;
    check_context("%s, %lu bytes, digest %lu, key %lu, salt %lu, personalisation %lu, tree %d",
                  info->name, (unsigned long)bytes, (unsigned long)digest_bytes,
                  (unsigned long)given->key_bytes, (unsigned long)given->salt_bytes,
                  (unsigned long)given->personal_bytes, given->tree_mode != NULL);
    reference_hash(info->algorithm, given, message, bytes, expected);
    paint_stack();
    CHECK_STATUS(FIN_OK, fin_hash(info->algorithm, params, message, bytes, digest, digest_bytes));
    CHECK_BYTES(expected, digest, digest_bytes);
    paint_stack();
    CHECK_STATUS(FIN_OK, fin_hash_many(info->algorithm, params, &one, 1, digest, digest_bytes));
    CHECK_BYTES(expected, digest, digest_bytes);
    CHECK_STATUS(FIN_OK, fin_init(&context, info->algorithm, params));
    CHECK_STATUS(FIN_OK, fin_update(&context, message, bytes));
    CHECK_STATUS(FIN_OK, fin_final(&context, digest, digest_bytes));
    CHECK_BYTES(expected, digest, digest_bytes);
}

/* Tests lengths around the ends of blocks and of their padding. */
static void check_lengths(const fin_algorithm_info *info, const fin_params *params)
{
    const size_t block_bytes =
        reference_digest_bytes(info->algorithm, params) > 32 ? 128 : info->block_bytes;
    const size_t less[] = {0, 1, 8, 9, 16, 17, block_bytes - 1};
    for (size_t blocks = 0; blocks <= BLOCKS; blocks++) {
        for (size_t i = 0; i < sizeof less / sizeof less[0]; i++) {
            if (blocks * block_bytes >= less[i]) {
                check_message(info, params, blocks * block_bytes - less[i]);
            }
        }
    }
}

static void check_params(const fin_algorithm_info *info)
{
    const fin_tree_mode tree = {2, 3, 4096, 70000, 1, 17, true};
    const bool takes_trees = info->algorithm == FIN_BLAKE2B || info->algorithm == FIN_BLAKE2S;
    const size_t salt_bytes_min = info->family == FIN_FAMILY_BLAKE ? info->salt_bytes : 1;
    for (uint64_t i = info->digest_bytes_min; i <= info->digest_bytes_max && i <= 64; i++) {
        check_lengths(info, &(fin_params){.digest_bytes = i});
    }
    for (size_t i = info->key_bytes_min; i != 0 && i <= info->key_bytes_max; i++) {
        check_lengths(info, &(fin_params){.key = key, .key_bytes = i});
    }
    for (size_t i = salt_bytes_min; i <= info->salt_bytes; i++) {
        check_lengths(info, &(fin_params){.salt = salt, .salt_bytes = i});
    }
    for (size_t i = 1; i <= info->personal_bytes; i++) {
        check_lengths(info, &(fin_params){.personal = personal, .personal_bytes = i});
    }
    if (takes_trees) {
        check_lengths(info, &(fin_params){.tree_mode = &tree});
    }
    check_lengths(info, &(fin_params){.digest_bytes = info->digest_bytes_min,
                                      .key = key,
                                      .key_bytes = info->key_bytes_max,
                                      .salt = salt,
                                      .salt_bytes = info->salt_bytes,
                                      .personal = personal,
                                      .personal_bytes = info->personal_bytes,
                                      .tree_mode = takes_trees ? &tree : NULL});
}

/* Tests lengths that, with the key's block, exceed the counter; nothing may be read. */
static void check_too_long(const fin_algorithm_info *info)
{
    const fin_params params = {.key = key, .key_bytes = info->key_bytes_max};
    uint8_t digest[64];
    if (info->key_bytes_max != 0 && check_has_length(info) && SIZE_MAX > UINT32_MAX) {
        check_context("%s, too long", info->name);
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_hash(info->algorithm, &params, message, SIZE_MAX, digest, 64));
    }
}

int main(void)
{
    check_random_bytes(message, sizeof message);
    check_random_bytes(key, sizeof key);
    check_random_bytes(salt, sizeof salt);
    check_random_bytes(personal, sizeof personal);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm_info *info = fin_algorithm_at(i);
        const bool has_length = check_has_length(info);
        for (size_t bytes = 0; bytes <= BLOCKS * info->block_bytes + 1 && has_length; bytes++) {
            check_message(info, NULL, bytes);
        }
        check_params(info);
        check_too_long(info);
    }
    return check_report();
}
