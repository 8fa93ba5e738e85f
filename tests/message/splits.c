/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests that the partition of a message does not matter: every split of short messages into two
 * updates, random splits into many, every alignment, and memory that ends before a guard page
 * exactly at the end of the message or the digest.
 */
#if defined(__unix__) || defined(__APPLE__)
#define _DEFAULT_SOURCE 1
#define GUARD_PAGES 1
#endif

#include "check.h"

#ifdef GUARD_PAGES
#include <sys/mman.h>
#include <unistd.h>
#endif

#define MESSAGE_BYTES 2400

static uint8_t message[MESSAGE_BYTES + 16];

/* BLAKE2bp and BLAKE2sp buffer two stripes of blocks; exceed that. */
static size_t longest_of(const fin_algorithm_info *info)
{
    if (info->algorithm == FIN_BLAKE2BP || info->algorithm == FIN_BLAKE2SP) {
        return 1100;
    }
    return 3 * info->block_bytes + 3;
}

static void check_two_updates(const fin_algorithm_info *info, const uint8_t *expected,
                              size_t length, size_t split)
{
    uint8_t got[64];
    fin_context context;
    bool fine = fin_init(&context, info->algorithm, NULL) == FIN_OK &&
                fin_update(&context, message, split) == FIN_OK &&
                fin_update(&context, message + split, length - split) == FIN_OK &&
                fin_final(&context, got, sizeof got) == FIN_OK;
    CHECK(fine);
    CHECK_BYTES(expected, got, info->digest_bytes);
}

static void test_two_updates(fin_algorithm algorithm, const char *impl, void *data)
{
    unsigned *visited = data;
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const size_t longest = longest_of(info);
    /* Splitting does not depend on the implementation: test every length with one of them. */
    const bool first = (*visited)++ == 0;
    const size_t step = longest > 400 ? 37 : first ? 1 : 29;
    for (size_t length = 0; length <= longest; length += step) {
        uint8_t expected[64];
        check_context("two updates, %s, %s, %u bytes", info->name, impl, (unsigned)length);
        CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, message, length, expected, 64));
        for (size_t split = 0; split <= length; split++) {
            check_two_updates(info, expected, length, split);
        }
    }
}

/* Continues with a copy and a restored midstate, which must equal that of one update. */
static void go_on_elsewhere(fin_algorithm algorithm, fin_context *context, size_t bytes)
{
    uint8_t expected[FIN_MIDSTATE_BYTES_MAX], midstate[FIN_MIDSTATE_BYTES_MAX];
    size_t expected_bytes = sizeof expected, midstate_bytes = sizeof midstate;
    fin_context other;
    CHECK_STATUS(FIN_OK, fin_init(&other, algorithm, NULL));
    CHECK_STATUS(FIN_OK, fin_update(&other, message, bytes));
    CHECK_STATUS(FIN_OK, fin_save(&other, expected, &expected_bytes));
    CHECK_STATUS(FIN_OK, fin_save(context, midstate, &midstate_bytes));
    CHECK(midstate_bytes == expected_bytes);
    CHECK_BYTES(expected, midstate, expected_bytes);
    memset(&other, 0xee, sizeof other);
    CHECK_STATUS(FIN_OK, fin_copy(&other, context));
    memset(context, 0xee, sizeof *context);
    if (bytes % 2 == 0) {
        CHECK_STATUS(FIN_OK, fin_restore(context, midstate, midstate_bytes));
    } else {
        *context = other;
    }
}

static void test_many_updates(fin_algorithm algorithm, const char *impl, void *data)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    (void)data;
    for (unsigned trial = 0; trial < 200; trial++) {
        const size_t length = check_random_below(MESSAGE_BYTES);
        const size_t piece_max = 1 + check_random_below(300);
        uint8_t expected[64];
        uint8_t got[64];
        fin_context context;
        check_context("many updates, %s, %s, %u bytes", info->name, impl, (unsigned)length);
        CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, message, length, expected, 64));
        CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, NULL));
        for (size_t at = 0; at < length;) {
            size_t piece = check_random_below(piece_max + 1);
            piece = piece < length - at ? piece : length - at;
            CHECK_STATUS(FIN_OK, fin_update(&context, message + at, piece));
            at += piece;
            if (check_random_below(4) == 0) {
                go_on_elsewhere(algorithm, &context, at);
            }
        }
        CHECK_STATUS(FIN_OK, fin_final(&context, got, sizeof got));
        CHECK_BYTES(expected, got, info->digest_bytes);
    }
}

/* Computes the digest at every offset of the input, and of the output. */
static void test_alignment(fin_algorithm algorithm, const char *impl, void *data)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const size_t length = 5 * info->block_bytes + 17;
    uint8_t expected[64];
    (void)data;
    check_context("alignment, %s, %s", info->name, impl);
    CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, message, length, expected, 64));
    for (size_t offset = 0; offset < 16; offset++) {
        uint8_t shifted[5 * 128 + 17 + 16];
        uint8_t output[64 + 16];
        memcpy(shifted + offset, message, length);
        CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, shifted + offset, length, output + offset,
                                      info->digest_bytes));
        CHECK_BYTES(expected, output + offset, info->digest_bytes);
    }
}

#ifdef GUARD_PAGES

/* Two pages, the second without any access: `ends` points to the first byte of the second. */
typedef struct guarded {
    uint8_t *map;
    uint8_t *end;
    size_t page;
} guarded;

static bool guard_open(guarded *guard)
{
    guard->page = (size_t)sysconf(_SC_PAGESIZE);
    guard->map =
        mmap(NULL, 2 * guard->page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    guard->end = guard->map + guard->page;
    return CHECK(guard->map != MAP_FAILED) &&
           CHECK(mprotect(guard->end, guard->page, PROT_NONE) == 0);
}

static void test_guard_pages(fin_algorithm algorithm, const char *impl, void *data)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    guarded in;
    guarded out;
    (void)data;
    check_context("guard pages, %s, %s", info->name, impl);
    if (!guard_open(&in) || !guard_open(&out)) {
        return;
    }
    for (size_t length = 0; length <= longest_of(info); length++) {
        uint8_t expected[64];
        fin_context context;
        uint8_t *digest = out.end - info->digest_bytes;
        memcpy(in.end - length, message, length);
        CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, message, length, expected, 64));
        CHECK_STATUS(
            FIN_OK, fin_hash(algorithm, NULL, in.end - length, length, digest, info->digest_bytes));
        CHECK_BYTES(expected, digest, info->digest_bytes);
        CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, NULL));
        CHECK_STATUS(FIN_OK, fin_update(&context, in.end - length, length));
        CHECK_STATUS(FIN_OK, fin_final(&context, digest, info->digest_bytes));
        CHECK_BYTES(expected, digest, info->digest_bytes);
    }
    munmap(in.map, 2 * in.page);
    munmap(out.map, 2 * out.page);
}

#endif

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_paint(message, sizeof message);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm algorithm = fin_algorithm_at(i)->algorithm;
        unsigned visited = 0;
        check_each_impl(algorithm, test_two_updates, &visited);
        check_each_impl(algorithm, test_many_updates, NULL);
        check_each_impl(algorithm, test_alignment, NULL);
#ifdef GUARD_PAGES
        check_each_impl(algorithm, test_guard_pages, NULL);
#endif
    }
    return check_report();
}
