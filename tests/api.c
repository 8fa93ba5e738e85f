/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The contract of include/finalist.h, call by call: which status for which wrong use, nothing
 * changed after an error, contexts that are reset, copied, saved and restored, and the typed
 * functions against the generic ones.
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

/* The call must give the status and leave both the context and the output as they were. */
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

/* ---- Tables and texts ---- */

static void test_descriptions(void)
{
    check_context("descriptions");
    CHECK(fin_algorithm_count() == 23);
    CHECK(fin_algorithm_at(fin_algorithm_count()) == NULL);
    CHECK(fin_algorithm_at(SIZE_MAX) == NULL);
    CHECK(fin_algorithm_describe((fin_algorithm)0) == NULL);
    CHECK(fin_algorithm_describe((fin_algorithm)24) == NULL);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm_info *info = fin_algorithm_at(i);
        fin_algorithm found = (fin_algorithm)0;
        check_context("descriptions, %s", info->name);
        CHECK(fin_algorithm_describe(info->algorithm) == info);
        CHECK_STATUS(FIN_OK, fin_algorithm_by_name(info->name, &found));
        CHECK(found == info->algorithm);
        CHECK(info->digest_bytes_min <= info->digest_bytes);
        CHECK(info->digest_bytes <= info->digest_bytes_max);
        CHECK(strlen(info->title) > 0 && strlen(info->compression) > 0);
        CHECK(info->bits == (info->key_bytes_max == 0));
        CHECK(info->key_bytes_min <= info->key_bytes_max);
        CHECK((info->key_bytes_min == 0) == (info->key_bytes_max == 0));
        CHECK(info->derive_key == (info->family == FIN_FAMILY_BLAKE3));
    }
}

static void test_names(void)
{
    fin_algorithm algorithm = FIN_BLAKE2B;
    check_context("names");
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_algorithm_by_name("BLAKE2B", &algorithm));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_algorithm_by_name("", &algorithm));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_algorithm_by_name("blake2bb", &algorithm));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_algorithm_by_name("blake2bps", &algorithm));
    CHECK_STATUS(FIN_ERR_NULL, fin_algorithm_by_name(NULL, &algorithm));
    CHECK_STATUS(FIN_ERR_NULL, fin_algorithm_by_name("blake2b", NULL));
    CHECK(algorithm == FIN_BLAKE2B);
}

static void test_texts(void)
{
    const int beyond = FIN_ERR_DERIVE_KEY + 1;
    char version[32];
    check_context("texts");
    snprintf(version, sizeof version, "%d.%d.%d", FIN_VERSION_MAJOR, FIN_VERSION_MINOR,
             FIN_VERSION_PATCH);
    CHECK(strcmp(version, fin_version()) == 0);
    for (int i = 0; i < beyond; i++) {
        const char *text = fin_status_text((fin_status)i);
        CHECK(text != NULL && strlen(text) > 0 && text[strlen(text) - 1] != '.');
        for (int j = 0; text != NULL && j < i; j++) {
            CHECK(strcmp(text, fin_status_text((fin_status)j)) != 0);
        }
    }
    CHECK(fin_status_text((fin_status)beyond) != NULL);
    CHECK(fin_status_text((fin_status)-1) != NULL);
    CHECK(fin_context_bytes() == sizeof(fin_context));
    CHECK(fin_context_alignment() == _Alignof(fin_context));
    CHECK(_Alignof(fin_context) <= 8);
}

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

static void refuse_tree(const fin_algorithm_info *info, fin_context *context, fin_tree tree)
{
    uint8_t output[OUTPUT_BYTES];
    fin_params params = {0};
    params.tree = &tree;
    CHECK_REFUSED(FIN_ERR_TREE, fin_init(context, info->algorithm, &params));
    CHECK_REFUSED(FIN_ERR_TREE, fin_hash(info->algorithm, &params, message, 1, output, 64));
}

static void test_tree_params(const fin_algorithm_info *info, fin_context *context)
{
    const uint32_t inner_max = info->digest_bytes;
    const fin_tree good = {2, 2, 4096, 0, 0, (uint8_t)inner_max, false};
    fin_params params = {0};
    fin_tree tree = good;
    CHECK_STATUS(FIN_OK, fin_init(context, info->algorithm, NULL));
    if (!takes_tree(info)) {
        refuse_tree(info, context, good);
        return;
    }
    params.tree = &tree;
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

/* One-shot, init/update/final, a larger buffer, and bits that are whole bytes: one digest. */
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

/* What a call finds on the stack is not zero. */
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

/* After fin_final no 8 bytes of the key or of the message's last block are left anywhere. */
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

/* ---- Midstates ---- */

/* Saved, restored elsewhere, and gone on with, the digest is the same. */
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

/* A restored keyed message goes on, but has no key to start again with. */
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

/* Damaged midstates are refused or, where the damage makes another valid one, usable. */
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
            /* Four bytes say that it is a midstate, the next of which version. */
            CHECK(i > 4 || status == FIN_ERR_MIDSTATE);
            midstate[i] ^= flips[j];
        }
    }
}

/* More buffered bytes than the buffer holds, in a midstate that is as long as it says. */
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
    const fin_tree tree = {3, 4, 5000, 6, 2, 20, true};
    fin_params params = {0};
    (void)context;
    params.tree = &tree;
    if (takes_tree(info)) {
        save_and_go_on(info, &params, 77);
    }
}

/* ---- Typed functions ---- */

typedef fin_status plain_function(uint8_t *digest, const void *in, size_t bytes);
typedef fin_status salted_init(fin_context *context, const uint8_t *salt);

static void test_typed_plain(void)
{
    static const struct {
        fin_algorithm algorithm;
        plain_function *hash;
        salted_init *init;
    } rows[] = {
        {FIN_BLAKE224, fin_blake224, fin_blake224_init},
        {FIN_BLAKE256, fin_blake256, fin_blake256_init},
        {FIN_BLAKE384, fin_blake384, fin_blake384_init},
        {FIN_BLAKE512, fin_blake512, fin_blake512_init},
        {FIN_BLAKE28, fin_blake28, fin_blake28_init},
        {FIN_BLAKE32, fin_blake32, fin_blake32_init},
        {FIN_BLAKE48, fin_blake48, fin_blake48_init},
        {FIN_BLAKE64, fin_blake64, fin_blake64_init},
        {FIN_GROESTL224, fin_groestl224, NULL},
        {FIN_GROESTL256, fin_groestl256, NULL},
        {FIN_GROESTL384, fin_groestl384, NULL},
        {FIN_GROESTL512, fin_groestl512, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const fin_algorithm_info *info = fin_algorithm_describe(rows[i].algorithm);
        uint8_t expected[64];
        uint8_t got[64];
        fin_context context;
        fin_params params = {0};
        check_context("typed, %s", info->name);
        CHECK_STATUS(FIN_OK, fin_hash(rows[i].algorithm, NULL, message, 200, expected, 64));
        CHECK_STATUS(FIN_OK, rows[i].hash(got, message, 200));
        CHECK_BYTES(expected, got, info->digest_bytes);
        CHECK_STATUS(FIN_ERR_NULL, rows[i].hash(NULL, message, 200));
        CHECK_STATUS(FIN_ERR_NULL, rows[i].hash(got, NULL, 200));
        for (int salted = 0; rows[i].init != NULL && salted < 2; salted++) {
            params.salt = salted ? message : NULL;
            params.salt_bytes = salted ? info->salt_bytes : 0;
            CHECK_STATUS(FIN_OK, fin_hash(rows[i].algorithm, &params, message, 9, expected, 64));
            CHECK_STATUS(FIN_OK, rows[i].init(&context, params.salt));
            CHECK_STATUS(FIN_OK, fin_update(&context, message, 9));
            CHECK_STATUS(FIN_OK, fin_final(&context, got, sizeof got));
            CHECK_BYTES(expected, got, info->digest_bytes);
        }
    }
}

typedef fin_status keyed_function(uint8_t *digest, size_t digest_bytes, const void *in,
                                  size_t bytes, const uint8_t *key, size_t key_bytes);

/* The init functions take size_t or uint64_t lengths: one shape for all. */
#define KEYED_INIT(name)                                                                         \
    static fin_status init_##name(fin_context *context, size_t digest_bytes, const uint8_t *key, \
                                  size_t key_bytes)                                              \
    {                                                                                            \
        return fin_##name##_init(context, digest_bytes, key, key_bytes);                         \
    }
KEYED_INIT(blake2b)
KEYED_INIT(blake2s)
KEYED_INIT(blake2bp)
KEYED_INIT(blake2sp)
KEYED_INIT(blake2xb)
KEYED_INIT(blake2xs)

static void test_typed_blake2(void)
{
    static const struct {
        fin_algorithm algorithm;
        keyed_function *hash;
        fin_status (*init)(fin_context *context, size_t digest_bytes, const uint8_t *key,
                           size_t key_bytes);
    } rows[] = {
        {FIN_BLAKE2B, fin_blake2b, init_blake2b},    {FIN_BLAKE2S, fin_blake2s, init_blake2s},
        {FIN_BLAKE2BP, fin_blake2bp, init_blake2bp}, {FIN_BLAKE2SP, fin_blake2sp, init_blake2sp},
        {FIN_BLAKE2XB, fin_blake2xb, init_blake2xb}, {FIN_BLAKE2XS, fin_blake2xs, init_blake2xs},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const fin_algorithm_info *info = fin_algorithm_describe(rows[i].algorithm);
        check_context("typed, %s", info->name);
        for (size_t bytes = 1; bytes <= info->digest_bytes; bytes += 5) {
            uint8_t expected[64];
            uint8_t got[64];
            fin_context context;
            fin_params params = {0};
            params.digest_bytes = bytes;
            params.key = bytes % 2 ? key_bytes_of_test : NULL;
            params.key_bytes = bytes % 2 ? bytes % 32 : 0;
            CHECK_STATUS(FIN_OK, fin_hash(rows[i].algorithm, &params, message, 77, expected, 64));
            CHECK_STATUS(FIN_OK,
                         rows[i].hash(got, bytes, message, 77, params.key, params.key_bytes));
            CHECK_BYTES(expected, got, bytes);
            CHECK_STATUS(FIN_OK, rows[i].init(&context, bytes, params.key, params.key_bytes));
            CHECK_STATUS(FIN_OK, fin_update(&context, message, 77));
            CHECK_STATUS(FIN_OK, fin_final(&context, got, bytes));
            CHECK_BYTES(expected, got, bytes);
        }
        uint8_t digest[64];
        CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, rows[i].hash(digest, 0, message, 1, NULL, 0));
        CHECK_STATUS(FIN_ERR_NULL, rows[i].hash(NULL, 1, message, 1, NULL, 0));
        CHECK_STATUS(FIN_ERR_NULL, rows[i].hash(digest, 1, message, 1, NULL, 1));
        CHECK_STATUS(FIN_ERR_KEY_LENGTH, rows[i].hash(digest, 1, message, 1, key_bytes_of_test,
                                                      info->key_bytes_max + 1));
    }
}

static void test_typed_groestl(void)
{
    check_context("typed, groestl");
    for (size_t bytes = 0; bytes <= 65; bytes++) {
        uint8_t expected[64];
        uint8_t got[64];
        fin_context context;
        fin_params params = {0};
        params.digest_bytes = bytes;
        for (int first = 0; first < 2; first++) {
            const fin_algorithm algorithm = first ? FIN_GROESTL0_512 : FIN_GROESTL512;
            fin_status (*hash)(uint8_t *, size_t, const void *, size_t) =
                first ? fin_groestl0 : fin_groestl;
            fin_status (*init)(fin_context *, size_t) =
                first ? fin_groestl0_init : fin_groestl_init;
            if (bytes == 0 || bytes == 65) {
                CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, hash(got, bytes, message, 1));
                CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, init(&context, bytes));
                continue;
            }
            CHECK_STATUS(FIN_OK, fin_hash(algorithm, &params, message, 150, expected, bytes));
            CHECK_STATUS(FIN_OK, hash(got, bytes, message, 150));
            CHECK_BYTES(expected, got, bytes);
            CHECK_STATUS(FIN_OK, init(&context, bytes));
            CHECK_STATUS(FIN_OK, fin_update(&context, message, 150));
            CHECK_STATUS(FIN_OK, fin_final(&context, got, bytes));
            CHECK_BYTES(expected, got, bytes);
        }
    }
}

/* ---- No algorithm, no context ---- */

static void test_nothing_there(void)
{
    static const int none[] = {0, 24, 255, 256 + FIN_BLAKE2B, -1};
    uint8_t output[OUTPUT_BYTES];
    fin_context memory;
    fin_context *context = &memory;
    check_context("nothing there");
    memset(context, 0, sizeof *context);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        const fin_algorithm algorithm = (fin_algorithm)none[i];
        CHECK_REFUSED(FIN_ERR_ALGORITHM, fin_init(context, algorithm, NULL));
        CHECK_REFUSED(FIN_ERR_ALGORITHM, fin_hash(algorithm, NULL, message, 1, output, 64));
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
