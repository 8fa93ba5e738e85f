/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests the contract of include/finalist.h, call by call: the status for each misuse, no change
 * after an error, contexts that are reset, copied, saved and restored, and the typed functions
 * against the generic ones.
 */
#include "check.h"

#define MESSAGE_BYTES 400
#define OUTPUT_BYTES 200

static uint8_t message[MESSAGE_BYTES];
static const uint8_t key_bytes_of_test[65] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static bool is_xof(const fin_algorithm_info *info)
{
    return info->digest_bytes_max > 64;
}

static bool takes_tree(const fin_algorithm_info *info)
{
    return info->algorithm == FIN_BLAKE2B || info->algorithm == FIN_BLAKE2S;
}

/* The call must return the status and leave both context and output unchanged. */
#define CHECK_REFUSED(expected, call)                        \
    do {                                                     \
        fin_context before;                                  \
        memcpy(&before, context, sizeof before);             \
        memset(output, 0x5a, sizeof output);                 \
        CHECK_STATUS(expected, call);                        \
        CHECK(memcmp(&before, context, sizeof before) == 0); \
        CHECK(output_untouched(output));                     \
    } while (0)

static bool output_untouched(const uint8_t output[OUTPUT_BYTES])
{
    for (size_t i = 0; i < OUTPUT_BYTES; i++) {
        if (output[i] != 0x5a) {
            return false;
        }
    }
    return true;
}

#include "api_tables.h"

/* ---- Parameters ---- */

static void test_digest_lengths(const fin_algorithm_info *info, fin_context *context)
{
    uint8_t output[OUTPUT_BYTES];
    fin_params params = {0};
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
    CHECK_STATUS(FIN_OK, fin_update(context, message, 5));
    if (info->digest_bytes_max + 1 != FIN_XOF_UNKNOWN) {
        params.digest_bytes = info->digest_bytes_max + 1;
        CHECK_REFUSED(FIN_ERR_DIGEST_LENGTH, fin_init(context, info->algorithm, &params));
    }
    params.digest_bytes = info->digest_bytes_min - 1;
    if (params.digest_bytes != 0) {
        CHECK_REFUSED(FIN_ERR_DIGEST_LENGTH, fin_init(context, info->algorithm, &params));
    }
    params.digest_bytes = FIN_XOF_UNKNOWN;
    if (is_xof(info)) {
        CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, &params));
    } else {
        CHECK_REFUSED(FIN_ERR_DIGEST_LENGTH, fin_init(context, info->algorithm, &params));
    }
    for (uint64_t n = info->digest_bytes_min; n <= info->digest_bytes_max && n <= 70; n++) {
        params.digest_bytes = n;
        memset(output, 0x5a, sizeof output);
        CHECK_STATUS(FIN_OK, fin_hash(info->algorithm, &params, message, 3, output, (size_t)n));
        CHECK(output[n] == 0x5a);
    }
}

static void test_byte_params(const fin_algorithm_info *info, fin_context *context)
{
    static const uint8_t bytes[100] = {1, 2, 3};
    uint8_t output[OUTPUT_BYTES];
    fin_params params = {0};
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
    params.key = bytes;
    params.key_bytes = info->key_bytes_max + 1;
    CHECK_REFUSED(FIN_ERR_KEY_LENGTH, fin_init(context, info->algorithm, &params));
    params.key_bytes = SIZE_MAX;
    CHECK_REFUSED(FIN_ERR_KEY_LENGTH, fin_init(context, info->algorithm, &params));
    params.key = NULL;
    params.key_bytes = 1;
    CHECK_REFUSED(FIN_ERR_NULL, fin_init(context, info->algorithm, &params));
    params.key_bytes = 0;
    params.salt = bytes;
    params.salt_bytes = info->salt_bytes + 1;
    CHECK_REFUSED(FIN_ERR_SALT_LENGTH, fin_init(context, info->algorithm, &params));
    if (info->family == FIN_FAMILY_BLAKE) {
        params.salt_bytes = info->salt_bytes - 1;
        CHECK_REFUSED(FIN_ERR_SALT_LENGTH, fin_init(context, info->algorithm, &params));
    }
    params.salt = NULL;
    params.salt_bytes = 1;
    CHECK_REFUSED(FIN_ERR_NULL, fin_init(context, info->algorithm, &params));
    params.salt_bytes = 0;
    params.personal = bytes;
    params.personal_bytes = info->personal_bytes + 1;
    CHECK_REFUSED(FIN_ERR_PERSONAL_LENGTH, fin_init(context, info->algorithm, &params));
    params.personal = NULL;
    params.personal_bytes = 1;
    CHECK_REFUSED(FIN_ERR_NULL, fin_init(context, info->algorithm, &params));
}

static void refuse_tree(const fin_algorithm_info *info, fin_context *context, fin_tree_mode tree)
{
    uint8_t output[OUTPUT_BYTES];
    fin_params params = {0};
    params.tree_mode = &tree;
    CHECK_REFUSED(FIN_ERR_TREE_MODE, fin_init(context, info->algorithm, &params));
    CHECK_REFUSED(FIN_ERR_TREE_MODE, fin_hash(info->algorithm, &params, message, 1, output, 64));
}

static void test_tree_params(const fin_algorithm_info *info, fin_context *context)
{
    const uint32_t inner_max = info->digest_bytes;
    const fin_tree_mode good = {2, 2, 4096, 0, 0, (uint8_t)inner_max, false};
    fin_params params = {0};
    fin_tree_mode tree = good;
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
    if (!takes_tree(info)) {
        refuse_tree(info, context, good);
        return;
    }
    params.tree_mode = &tree;
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, &params));
    tree.depth = 0;
    refuse_tree(info, context, tree);
    tree = good;
    tree.inner_bytes = (uint8_t)(inner_max + 1);
    refuse_tree(info, context, tree);
    tree = good;
    tree.node_offset = UINT64_C(1) << 48;
    if (info->algorithm == FIN_BLAKE2S) {
        refuse_tree(info, context, tree);
        tree.node_offset--;
    }
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, &params));
    tree.fanout = 0;
    tree.depth = 255;
    tree.node_depth = 255;
    tree.leaf_bytes = UINT32_MAX;
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, &params));
}

/* ---- One message ---- */

static void test_states(const fin_algorithm_info *info, fin_context *context)
{
    uint8_t output[OUTPUT_BYTES];
    memset(context, 0, sizeof *context);
    CHECK_REFUSED(FIN_ERR_STATE, fin_update(context, message, 1));
    CHECK_REFUSED(FIN_ERR_STATE, fin_final(context, output, sizeof output));
    CHECK_REFUSED(FIN_ERR_STATE, fin_squeeze(context, output, 1));
    CHECK_REFUSED(FIN_ERR_STATE, fin_reset(context));
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
    CHECK_REFUSED(FIN_ERR_NULL, fin_update(context, NULL, 1));
    CHECK_STATUS(FIN_OK, fin_update(context, NULL, 0));
    CHECK_STATUS(FIN_OK, fin_update(context, message, 7));
    CHECK_REFUSED(FIN_ERR_NULL, fin_final(context, NULL, 64));
    CHECK_REFUSED(FIN_ERR_OUTPUT_LENGTH, fin_final(context, output, info->digest_bytes - 1));
    CHECK_REFUSED(FIN_ERR_OUTPUT_LENGTH, fin_final(context, output, 0));
    CHECK_REFUSED(FIN_ERR_BITS, fin_final_bits(context, 0, 8, output, sizeof output));
    if (!info->bits) {
        CHECK_REFUSED(FIN_ERR_BITS, fin_final_bits(context, 0x80, 1, output, sizeof output));
    }
    if (!is_xof(info)) {
        CHECK_REFUSED(FIN_ERR_ALGORITHM, fin_squeeze(context, output, 1));
        CHECK_REFUSED(FIN_ERR_ALGORITHM, fin_seek(context, 0));
    }
    CHECK_STATUS(FIN_OK, fin_final(context, output, sizeof output));
    CHECK_REFUSED(FIN_ERR_STATE, fin_update(context, message, 1));
    CHECK_REFUSED(FIN_ERR_STATE, fin_final(context, output, sizeof output));
    CHECK_REFUSED(FIN_ERR_STATE, fin_squeeze(context, output, 1));
    fin_wipe(context);
    CHECK_REFUSED(FIN_ERR_STATE, fin_update(context, message, 1));
}

/* One-shot, init/update/final, a larger buffer and whole bytes as bits give the same digest. */
static void test_forms(const fin_algorithm_info *info, fin_context *context)
{
    const size_t bytes = info->digest_bytes;
    for (size_t length = 0; length <= MESSAGE_BYTES; length += length < 10 ? 1 : 39) {
        uint8_t expected[OUTPUT_BYTES];
        uint8_t got[OUTPUT_BYTES];
        CHECK_STATUS(FIN_OK,
                     fin_hash(info->algorithm, NULL, message, length, expected, sizeof expected));
        CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
        CHECK_STATUS(FIN_OK, fin_update(context, message, length));
        CHECK_STATUS(FIN_OK, fin_final(context, got, bytes));
        CHECK_BYTES(expected, got, bytes);
        memset(got, 0x5a, sizeof got);
        if (info->bits) {
            CHECK_STATUS(FIN_OK,
                         fin_hash_bits(info->algorithm, NULL, message, 8 * length, got, bytes));
            CHECK_BYTES(expected, got, bytes);
        }
        CHECK(got[bytes] == 0x5a);
    }
}

/* Fills the stack, so that calls do not depend on zeros there. */
static __attribute__((noinline)) void paint_stack(void)
{
    volatile uint8_t paint[8192];
    for (size_t i = 0; i < sizeof paint; i++) {
        paint[i] = 0xa5;
    }
}

static void test_one_shot_lengths(const fin_algorithm_info *info, fin_context *context)
{
    for (size_t bytes = 0; bytes <= 2 * info->block_bytes && !is_xof(info); bytes++) {
        uint8_t streamed[OUTPUT_BYTES], whole[OUTPUT_BYTES];
        CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
        CHECK_STATUS(FIN_OK, fin_update(context, message, bytes));
        CHECK_STATUS(FIN_OK, fin_final(context, streamed, info->digest_bytes));
        paint_stack();
        CHECK_STATUS(FIN_OK,
                     fin_hash(info->algorithm, NULL, message, bytes, whole, info->digest_bytes));
        CHECK_BYTES(streamed, whole, info->digest_bytes);
    }
}

static void test_one_shot_statuses(const fin_algorithm_info *info, fin_context *context)
{
    uint8_t output[OUTPUT_BYTES];
    const fin_algorithm a = info->algorithm;
    memset(context, 0, sizeof *context);
    CHECK_REFUSED(FIN_ERR_NULL, fin_hash(a, NULL, NULL, 1, output, 64));
    CHECK_REFUSED(FIN_ERR_NULL, fin_hash(a, NULL, message, 1, NULL, 64));
    CHECK_REFUSED(FIN_ERR_OUTPUT_LENGTH,
                  fin_hash(a, NULL, message, 1, output, info->digest_bytes - 1));
    CHECK_REFUSED(FIN_ERR_NULL, fin_hash_bits(a, NULL, NULL, 1, output, 64));
    CHECK_REFUSED(info->bits ? FIN_ERR_OUTPUT_LENGTH : FIN_ERR_BITS,
                  fin_hash_bits(a, NULL, message, 9, output, info->digest_bytes - 1));
    CHECK_STATUS(FIN_OK, fin_hash(a, NULL, NULL, 0, output, 64));
}

/* The unused low bits of the last byte do not matter, the used ones do. */
static void test_bits(const fin_algorithm_info *info, fin_context *context)
{
    for (unsigned bits = 1; info->bits && bits < 8; bits++) {
        uint8_t digests[3][64];
        const uint8_t used = (uint8_t)(0xff00U >> bits);
        for (unsigned i = 0; i < 3; i++) {
            const uint8_t last = (uint8_t)(i == 0 ? used : i == 1 ? 0xff : used << 1);
            CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
            CHECK_STATUS(FIN_OK, fin_update(context, message, 17));
            CHECK_STATUS(FIN_OK, fin_final_bits(context, last, bits, digests[i], 64));
        }
        CHECK(memcmp(digests[0], digests[1], info->digest_bytes) == 0);
        CHECK(memcmp(digests[0], digests[2], info->digest_bytes) != 0);
    }
}

static void test_reset_and_copy(const fin_algorithm_info *info, fin_context *context)
{
    uint8_t expected[OUTPUT_BYTES];
    uint8_t got[OUTPUT_BYTES];
    fin_context copy;
    const size_t bytes = info->digest_bytes;
    CHECK_STATUS(FIN_OK, fin_hash(info->algorithm, NULL, message, MESSAGE_BYTES, expected, 64));
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
    CHECK_STATUS(FIN_OK, fin_update(context, message + 3, 333));
    CHECK_STATUS(FIN_OK, fin_reset(context));
    CHECK_STATUS(FIN_OK, fin_update(context, message, 200));
    CHECK_STATUS(FIN_OK, fin_copy(&copy, context));
    CHECK_STATUS(FIN_OK, fin_update(context, message + 200, MESSAGE_BYTES - 200));
    CHECK_STATUS(FIN_OK, fin_final(context, got, sizeof got));
    CHECK_BYTES(expected, got, bytes);
    CHECK_STATUS(FIN_OK, fin_update(&copy, message + 200, MESSAGE_BYTES - 200));
    CHECK_STATUS(FIN_OK, fin_final(&copy, got, sizeof got));
    CHECK_BYTES(expected, got, bytes);
    CHECK_STATUS(FIN_OK, fin_reset(context));
    CHECK_STATUS(FIN_OK, fin_update(context, message, MESSAGE_BYTES));
    CHECK_STATUS(FIN_OK, fin_final(context, got, sizeof got));
    CHECK_BYTES(expected, got, bytes);
    CHECK_STATUS(FIN_ERR_NULL, fin_copy(NULL, context));
    CHECK_STATUS(FIN_ERR_NULL, fin_copy(context, NULL));
    fin_wipe(&copy);
    CHECK_STATUS(FIN_ERR_STATE, fin_copy(context, &copy));
}

/* Salt and personalisation survive fin_final for fin_reset; the key must not. */
static void test_reset_with_params(const fin_algorithm_info *info, fin_context *context)
{
    uint8_t expected[OUTPUT_BYTES];
    uint8_t got[OUTPUT_BYTES];
    uint8_t output[OUTPUT_BYTES];
    fin_params params = {0};
    params.salt = message + 1;
    params.salt_bytes = info->salt_bytes;
    params.personal = message + 2;
    params.personal_bytes = info->personal_bytes;
    for (int keyed = 0; keyed <= (info->key_bytes_max != 0); keyed++) {
        params.key = keyed ? key_bytes_of_test : NULL;
        params.key_bytes = keyed ? info->key_bytes_max : 0;
        CHECK_STATUS(FIN_OK, fin_hash(info->algorithm, &params, message, 99, expected, 64));
        CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, &params));
        CHECK_STATUS(FIN_OK, fin_update(context, message, 300));
        CHECK_STATUS(FIN_OK, fin_reset(context));
        CHECK_STATUS(FIN_OK, fin_update(context, message, 99));
        CHECK_STATUS(FIN_OK, fin_final(context, got, sizeof got));
        CHECK_BYTES(expected, got, info->digest_bytes);
        if (keyed) {
            CHECK_REFUSED(FIN_ERR_KEY_WIPED, fin_reset(context));
            continue;
        }
        CHECK_STATUS(FIN_OK, fin_reset(context));
        CHECK_STATUS(FIN_OK, fin_update(context, message, 99));
        CHECK_STATUS(FIN_OK, fin_final(context, got, sizeof got));
        CHECK_BYTES(expected, got, info->digest_bytes);
    }
}

/* After fin_final no 8 bytes of the key or of the message's last block remain in the context. */
static void test_final_wipes(const fin_algorithm_info *info, fin_context *context)
{
    uint8_t digest[64];
    fin_params params = {0};
    const uint8_t *bytes = (const uint8_t *)context;
    params.key = message + 100;
    params.key_bytes = info->key_bytes_max;
    memset(context, 0, sizeof *context);
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, &params));
    CHECK_STATUS(FIN_OK, fin_update(context, message, MESSAGE_BYTES - 3));
    CHECK_STATUS(FIN_OK, fin_final(context, digest, sizeof digest));
    bool found = false;
    for (size_t i = 0; i + 8 <= sizeof *context; i++) {
        for (size_t j = 0; j + 8 <= MESSAGE_BYTES; j++) {
            found = found || memcmp(bytes + i, message + j, 8) == 0;
        }
        found = found || memcmp(bytes + i, digest, 8) == 0;
    }
    CHECK(!found);
    fin_wipe(context);
    for (size_t i = 0; i < sizeof *context; i++) {
        found = found || bytes[i] != 0;
    }
    CHECK(!found);
}

static void test_squeeze(const fin_algorithm_info *info, fin_context *context)
{
    uint8_t expected[OUTPUT_BYTES];
    uint8_t output[OUTPUT_BYTES];
    fin_params params = {0};
    if (!is_xof(info)) {
        return;
    }
    for (int unknown = 0; unknown < 2; unknown++) {
        params.digest_bytes = unknown ? FIN_XOF_UNKNOWN : OUTPUT_BYTES;
        CHECK_STATUS(FIN_OK,
                     fin_hash(info->algorithm, &params, message, 50, expected, OUTPUT_BYTES));
        for (size_t piece = 1; piece <= OUTPUT_BYTES; piece += 1 + piece / 7) {
            CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, &params));
            CHECK_STATUS(FIN_OK, fin_update(context, message, 50));
            for (size_t at = 0; at < OUTPUT_BYTES; at += piece) {
                const size_t left = OUTPUT_BYTES - at;
                CHECK_STATUS(FIN_OK,
                             fin_squeeze(context, output + at, left < piece ? left : piece));
            }
            CHECK_BYTES(expected, output, OUTPUT_BYTES);
            CHECK_STATUS(FIN_OK, fin_seek(context, piece - 1));
            CHECK_STATUS(FIN_OK, fin_squeeze(context, output, OUTPUT_BYTES - (piece - 1)));
            CHECK_BYTES(expected + piece - 1, output, OUTPUT_BYTES - (piece - 1));
        }
        CHECK_REFUSED(FIN_ERR_STATE, fin_update(context, message, 1));
        CHECK_REFUSED(FIN_ERR_NULL, fin_squeeze(context, NULL, 1));
        if (!unknown && info->algorithm != FIN_BLAKE3) {
            CHECK_REFUSED(FIN_ERR_OUTPUT_LENGTH, fin_squeeze(context, output, 1));
            CHECK_STATUS(FIN_OK, fin_squeeze(context, output, 0));
            CHECK_STATUS(FIN_OK, fin_seek(context, OUTPUT_BYTES));
            CHECK_REFUSED(FIN_ERR_OUTPUT_LENGTH, fin_seek(context, OUTPUT_BYTES + 1));
        }
    }
}

#include "api_midstates.h"

#include "api_typed.h"

/* ---- No algorithm, no context ---- */

static void test_nothing_there(void)
{
    static const int none[] = {0, 24, 255, 256 + FIN_BLAKE2B, -1};
    static const fin_params params = {.digest_bytes = 64};
    uint8_t output[OUTPUT_BYTES];
    fin_context memory;
    fin_context *context = &memory;
    check_context("nothing there");
    memset(context, 0, sizeof *context);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        const fin_algorithm algorithm = (fin_algorithm)none[i];
        CHECK_REFUSED(FIN_ERR_ALGORITHM, fin_init(context, algorithm, NULL));
        CHECK_REFUSED(FIN_ERR_ALGORITHM, fin_hash(algorithm, NULL, message, 1, output, 64));
        CHECK_REFUSED(FIN_ERR_ALGORITHM, fin_hash(algorithm, &params, message, 1, output, 64));
        CHECK_REFUSED(FIN_ERR_ALGORITHM, fin_hash_bits(algorithm, NULL, message, 1, output, 64));
    }
    CHECK_STATUS(FIN_ERR_NULL, fin_init(NULL, FIN_BLAKE2B, NULL));
    CHECK_STATUS(FIN_ERR_NULL, fin_update(NULL, message, 1));
    CHECK_STATUS(FIN_ERR_NULL, fin_seek(NULL, 0));
    CHECK_STATUS(FIN_ERR_NULL, fin_final(NULL, output, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_final_bits(NULL, 0, 1, output, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_squeeze(NULL, output, 1));
    CHECK_STATUS(FIN_ERR_NULL, fin_reset(NULL));
    fin_wipe(NULL);
}

int main(void)
{
    static void (*const tests[])(const fin_algorithm_info *info, fin_context *context) = {
        test_digest_lengths,
        test_byte_params,
        test_tree_params,
        test_states,
        test_forms,
        test_one_shot_lengths,
        test_one_shot_statuses,
        test_bits,
        test_reset_and_copy,
        test_reset_with_params,
        test_final_wipes,
        test_squeeze,
        test_midstates,
        test_midstate_of_keyed,
        test_save_statuses,
        test_damaged_midstates,
        test_overfull_midstate,
        test_midstate_of_node,
    };
    check_paint(message, sizeof message);
    test_descriptions();
    test_names();
    test_texts();
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm_info *info = fin_algorithm_at(i);
        for (size_t j = 0; j < sizeof tests / sizeof tests[0]; j++) {
            fin_context context;
            check_context("test %u, %s", (unsigned)j, info->name);
            tests[j](info, &context);
        }
    }
    test_typed_plain();
    test_typed_blake2();
    test_typed_groestl();
    test_nothing_there();
    return check_report();
}
