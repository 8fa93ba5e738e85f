/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Midstates: contexts that are saved, restored and continued, and bytes that fin_save never writes.
 */

/* Saves, restores elsewhere, continues, and expects the same digest. */
static void save_and_go_on(const fin_algorithm_info *info, const fin_params *params, size_t length)
{
    uint8_t expected[OUTPUT_BYTES];
    uint8_t got[OUTPUT_BYTES];
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX];
    size_t bytes = sizeof midstate;
    size_t needed = 0;
    fin_context first;
    fin_context second;
    memset(&second, 0xa5, sizeof second);
    CHECK_STATUS(FIN_OK, fin_hash(info->algorithm, params, message, MESSAGE_BYTES, expected, 64));
    CHECK_STATUS(FIN_OK, fin_init(&first, info->algorithm, params));
    CHECK_STATUS(FIN_OK, fin_update(&first, message, length));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_save(&first, NULL, &needed));
    CHECK_STATUS(FIN_OK, fin_save(&first, midstate, &bytes));
    CHECK(bytes == needed && bytes <= FIN_MIDSTATE_BYTES_MAX);
    CHECK_STATUS(FIN_OK, fin_restore(&second, midstate, bytes));
    CHECK_STATUS(FIN_OK, fin_update(&second, message + length, MESSAGE_BYTES - length));
    CHECK_STATUS(FIN_OK, fin_final(&second, got, sizeof got));
    CHECK_BYTES(expected, got, info->digest_bytes);
    CHECK_STATUS(FIN_OK, fin_update(&first, message + length, MESSAGE_BYTES - length));
    CHECK_STATUS(FIN_OK, fin_final(&first, got, sizeof got));
    CHECK_BYTES(expected, got, info->digest_bytes);
}

static void test_midstates(const fin_algorithm_info *info, fin_context *context)
{
    fin_params params = {0};
    (void)context;
    params.salt = message + 1;
    params.salt_bytes = info->salt_bytes;
    params.key = key_bytes_of_test;
    params.key_bytes = info->key_bytes_max;
    for (size_t length = 0; length <= 3 * info->block_bytes && length <= MESSAGE_BYTES; length++) {
        save_and_go_on(info, NULL, length);
        save_and_go_on(info, &params, length);
    }
}

/* A restored keyed message can continue, but cannot be reset without its key. */
static void test_midstate_of_keyed(const fin_algorithm_info *info, fin_context *context)
{
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX];
    uint8_t output[OUTPUT_BYTES];
    size_t bytes = sizeof midstate;
    fin_params params = {0};
    if (info->key_bytes_max == 0) {
        return;
    }
    params.key = message + 100;
    params.key_bytes = info->key_bytes_min > 20 ? info->key_bytes_min : 20;
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, &params));
    CHECK_STATUS(FIN_OK, fin_update(context, message, MESSAGE_BYTES));
    CHECK_STATUS(FIN_OK, fin_save(context, midstate, &bytes));
    CHECK_STATUS(FIN_OK, fin_restore(context, midstate, bytes));
    CHECK_REFUSED(FIN_ERR_KEY_WIPED, fin_reset(context));
}

static void test_save_statuses(const fin_algorithm_info *info, fin_context *context)
{
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX];
    uint8_t output[OUTPUT_BYTES];
    size_t bytes = 0;
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
    CHECK_STATUS(FIN_OK, fin_update(context, message, 111));
    CHECK_REFUSED(FIN_ERR_OUTPUT_LENGTH, fin_save(context, NULL, &bytes));
    bytes--;
    CHECK_REFUSED(FIN_ERR_OUTPUT_LENGTH, fin_save(context, midstate, &bytes));
    CHECK_REFUSED(FIN_ERR_NULL, fin_save(context, midstate, NULL));
    CHECK_STATUS(FIN_ERR_NULL, fin_save(NULL, midstate, &bytes));
    CHECK_STATUS(FIN_OK, fin_save(context, midstate, &bytes));
    CHECK_REFUSED(FIN_ERR_NULL, fin_restore(context, NULL, bytes));
    CHECK_STATUS(FIN_ERR_NULL, fin_restore(NULL, midstate, bytes));
    for (size_t shorter = 0; shorter < bytes; shorter++) {
        CHECK_REFUSED(FIN_ERR_MIDSTATE, fin_restore(context, midstate, shorter));
    }
    CHECK_REFUSED(FIN_ERR_MIDSTATE, fin_restore(context, midstate, sizeof midstate));
    CHECK_STATUS(FIN_OK, fin_final(context, output, sizeof output));
    bytes = sizeof midstate;
    CHECK_REFUSED(FIN_ERR_STATE, fin_save(context, midstate, &bytes));
}

/* Damaged midstates are refused or, if still valid, usable. */
static void test_damaged_midstates(const fin_algorithm_info *info, fin_context *context)
{
    static const uint8_t flips[] = {0x01, 0x80, 0xff};
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX];
    uint8_t output[OUTPUT_BYTES];
    size_t bytes = sizeof midstate;
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
    CHECK_STATUS(FIN_OK, fin_update(context, message, 3 * info->block_bytes - 1));
    CHECK_STATUS(FIN_OK, fin_save(context, midstate, &bytes));
    for (size_t i = 0; i < bytes; i++) {
        for (size_t j = 0; j < sizeof flips; j++) {
            fin_context restored;
            fin_status status;
            memset(&restored, 0, sizeof restored);
            midstate[i] ^= flips[j];
            status = fin_restore(&restored, midstate, bytes);
            if (status == FIN_OK) {
                (void)fin_update(&restored, message, MESSAGE_BYTES);
                (void)fin_final(&restored, output, sizeof output);
            } else {
                CHECK_STATUS(FIN_ERR_MIDSTATE, status);
            }
            /* Four bytes identify a midstate, the fifth its version. */
            CHECK(i > 4 || status == FIN_ERR_MIDSTATE);
            midstate[i] ^= flips[j];
        }
    }
}

/* A midstate of consistent length with more buffered bytes than the buffer can hold. */
static void test_overfull_midstate(const fin_algorithm_info *info, fin_context *context)
{
    enum { BUFFERED = 8 };
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX + 256] = {0};
    uint8_t output[OUTPUT_BYTES];
    size_t bytes = sizeof midstate;
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
    CHECK_STATUS(FIN_OK, fin_save(context, midstate, &bytes));
    for (size_t more = 1; bytes + more <= sizeof midstate; more++) {
        midstate[BUFFERED] = (uint8_t)more;
        midstate[BUFFERED + 1] = (uint8_t)(more >> 8);
        if (more > FIN_BUFFER_BYTES ||
            (more > info->block_bytes && info->algorithm != FIN_BLAKE2BP &&
             info->algorithm != FIN_BLAKE2SP && info->algorithm != FIN_BLAKE3)) {
            CHECK_REFUSED(FIN_ERR_MIDSTATE, fin_restore(context, midstate, bytes + more));
        }
    }
}

static void test_midstate_of_node(const fin_algorithm_info *info, fin_context *context)
{
    const fin_tree_mode tree = {3, 4, 5000, 6, 2, 20, true};
    fin_params params = {0};
    (void)context;
    params.tree_mode = &tree;
    if (takes_tree(info)) {
        save_and_go_on(info, &params, 77);
    }
}
