/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests messages in lanes whose bit counter exceeds 2^32, a little over 512 MiB of BLAKE-256, and
 * calls that take more than 2^32 bytes: a message alone or beside short ones, a part of one, a
 * subtree, a tree's leaves. All are in little memory that is mapped repeatedly. Compares them with
 * streams fed a mebibyte at a time. Needs POSIX.
 */
#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

enum { PIECE = 1 << 20, COUNT = 5, DIGEST = 32 };

/* Maps this many mebibytes or more. Content recurs every 17 * 2^16 bytes, a multiple of a page's size
   that does not divide 2^32: bytes at a position that was truncated to 32 bits are others. */
static const uint8_t *map_repeatedly(size_t mebibytes)
{
    enum { PERIOD = 17 << 16 };
    const size_t pieces = mebibytes * PIECE / PERIOD + 1;
    FILE *file = tmpfile();
    uint8_t *piece = check_allocate(PERIOD);
    check_random_bytes(piece, PERIOD);
    if (!CHECK(file != NULL) || !CHECK(fwrite(piece, 1, PERIOD, file) == PERIOD) ||
        !CHECK(fflush(file) == 0)) {
        return NULL;
    }
    uint8_t *all = mmap(NULL, PERIOD * pieces, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!CHECK(all != MAP_FAILED)) {
        return NULL;
    }
    for (size_t i = 0; i < pieces; i++) {
        void *at = all + i * PERIOD;
        if (!CHECK(mmap(at, PERIOD, PROT_READ, MAP_SHARED | MAP_FIXED, fileno(file), 0) == at)) {
            return NULL;
        }
    }
    free(piece);
    return all;
}

/* Tests messages of 512 MiB, at which the bit counter carries. */
static void check_bits(const uint8_t *text)
{
    /* They end one by one, so that the remaining ones move to ever fewer lanes. */
    static const size_t beyond[COUNT] = {0, 65, 5000, 400001, PIECE};
    const size_t common = ((size_t)1 << 29) - 4096;
    fin_message messages[COUNT];
    uint8_t digests[COUNT * DIGEST], expected[DIGEST];
    fin_context start, whole;
    check_context("blake256");
    CHECK_STATUS(FIN_OK, fin_init(&start, FIN_BLAKE256, NULL));
    CHECK_STATUS(FIN_OK, fin_update(&start, text, common));
    for (size_t i = 0; i < COUNT; i++) {
        messages[i] = (fin_message){text, common + 4096 + beyond[i]};
    }
    CHECK_STATUS(FIN_OK, fin_hash_many(FIN_BLAKE256, NULL, messages, COUNT, digests, DIGEST));
    for (size_t i = 0; i < COUNT; i++) {
        CHECK_STATUS(FIN_OK, fin_copy(&whole, &start));
        CHECK_STATUS(FIN_OK, fin_update(&whole, text + common, messages[i].bytes - common));
        CHECK_STATUS(FIN_OK, fin_final(&whole, expected, sizeof expected));
        CHECK_BYTES(expected, digests + i * DIGEST, DIGEST);
    }
}

/* Tests messages of the same length, from which on groups could count twice the bits of a message in
   32 bits no more. Their last block has no bits of them. */
static void check_doubled_bits(const uint8_t *text)
{
    fin_message messages[COUNT];
    uint8_t digests[COUNT * DIGEST], expected[DIGEST];
    const size_t bytes = ((size_t)1 << 28) + 60;
    check_context("blake256, doubled bits");
    for (size_t i = 0; i < COUNT; i++) {
        messages[i] = (fin_message){text, bytes};
    }
    CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE256, NULL, text, bytes, expected, DIGEST));
    CHECK_STATUS(FIN_OK, fin_hash_many(FIN_BLAKE256, NULL, messages, COUNT, digests, DIGEST));
    for (size_t i = 0; i < COUNT; i++) {
        CHECK_BYTES(expected, digests + i * DIGEST, DIGEST);
    }
}

/* ---- More than 2^32 bytes ---- */

/* Code that truncates a length to 32 bits takes such a message for a short one. Those of BLAKE2bp and
   BLAKE2sp have more than 2^32 bytes in whole stripes. */
enum { BEYOND = 77, STRIPES = 1024, MESSAGES = 4, LONG = MESSAGES, DIGEST_MAX = 64 };

static void hash_stream(fin_algorithm algorithm, const uint8_t *in, size_t bytes, uint8_t *digest)
{
    fin_context context;
    CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, NULL));
    for (size_t at = 0; at < bytes; at += PIECE) {
        const size_t left = bytes - at;
        (void)CHECK_NEEDED(fin_update(&context, in + at, left < PIECE ? left : PIECE) == FIN_OK);
    }
    CHECK_STATUS(FIN_OK, fin_final(&context, digest, DIGEST_MAX));
}

/* Hashes the long message at index `at` among short ones. */
static void check_many(fin_algorithm algorithm, const uint8_t *text, size_t bytes, size_t at,
                       uint8_t expected[MESSAGES + 1][DIGEST_MAX])
{
    fin_message messages[MESSAGES];
    uint8_t digests[MESSAGES * DIGEST_MAX];
    const size_t digest_bytes = fin_algorithm_describe(algorithm)->digest_bytes;
    for (size_t i = 0; i < MESSAGES; i++) {
        messages[i] = (fin_message){text, i == at ? bytes : i + 1};
    }
    CHECK_STATUS(FIN_OK, fin_hash_many(algorithm, NULL, messages, MESSAGES, digests, DIGEST_MAX));
    for (size_t i = 0; i < MESSAGES; i++) {
        CHECK_BYTES(expected[i == at ? LONG : i], digests + i * DIGEST_MAX, digest_bytes);
    }
}

/* Hashes a LargeBinary column: the long value, then short ones, at offsets beyond 2^32. */
static void check_column(fin_algorithm algorithm, const uint8_t *text, size_t bytes,
                         uint8_t expected[MESSAGES + 1][DIGEST_MAX])
{
    const int64_t end = (int64_t)bytes;
    const int64_t offsets[MESSAGES + 1] = {0, end, end + 1, end + 3, end + 6};
    uint8_t digests[MESSAGES * DIGEST_MAX], alone[DIGEST_MAX];
    const size_t digest_bytes = fin_algorithm_describe(algorithm)->digest_bytes;
    const fin_column column = {
        .layout = FIN_COLUMN_OFFSETS64, .data = text, .data_bytes = bytes + 6, .items = offsets};
    CHECK_STATUS(FIN_OK, fin_hash_column(algorithm, NULL, &column, MESSAGES, digests, DIGEST_MAX));
    CHECK_BYTES(expected[LONG], digests, digest_bytes);
    for (size_t i = 1; i < MESSAGES; i++) {
        CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, text + offsets[i], i, alone, DIGEST_MAX));
        CHECK_BYTES(alone, digests + i * DIGEST_MAX, digest_bytes);
    }
}

/* Hashes two messages of the same length, one after the other. */
static void check_equal(fin_algorithm algorithm, const uint8_t *text, size_t bytes,
                        const uint8_t *first)
{
    const size_t digest_bytes = fin_algorithm_describe(algorithm)->digest_bytes;
    uint8_t digests[2 * DIGEST_MAX], second[DIGEST_MAX];
    hash_stream(algorithm, text + bytes, bytes, second);
    CHECK_STATUS(FIN_OK, fin_hash_equal(algorithm, NULL, text, bytes, 2, digests, DIGEST_MAX));
    CHECK_BYTES(first, digests, digest_bytes);
    CHECK_BYTES(second, digests + DIGEST_MAX, digest_bytes);
}

/* Hashes messages of the same length, the last of which are more than 2^32 bytes from the first, as
   one block of memory and as a column. Lengths within a group and beyond take different code. */
static void check_far_items(const uint8_t *text, size_t bytes)
{
    const size_t count = (size_t)(((UINT64_C(1) << 32) + PIECE) / bytes) + COUNT;
    const fin_column column = {
        .layout = FIN_COLUMN_FIXED, .data = text, .data_bytes = count * bytes, .width = bytes};
    uint8_t *digests = check_allocate(count * DIGEST), expected[DIGEST];
    check_context("%u bytes, more than 2^32 in all", (unsigned)bytes);
    for (unsigned k = 0; k < 2; k++) {
        CHECK_STATUS(FIN_OK,
                     k == 0 ? fin_hash_equal(FIN_BLAKE3, NULL, text, bytes, count, digests, DIGEST)
                            : fin_hash_column(FIN_BLAKE3, NULL, &column, count, digests, DIGEST));
        for (size_t i = count - COUNT; i < count; i++) {
            CHECK_STATUS(FIN_OK,
                         fin_hash(FIN_BLAKE3, NULL, text + i * bytes, bytes, expected, DIGEST));
            CHECK_BYTES(expected, digests + i * DIGEST, DIGEST);
        }
    }
    free(digests);
}

/* Passes the message to one call of fin_update, and to one of fin_share_begin if it has leaves. */
static void check_update(fin_algorithm algorithm, const uint8_t *text, size_t bytes,
                         const uint8_t *expected)
{
    const size_t digest_bytes = fin_algorithm_describe(algorithm)->digest_bytes;
    uint8_t got[DIGEST_MAX];
    fin_context context;
    fin_share share;
    CHECK_STATUS(FIN_OK, fin_init(&context, algorithm, NULL));
    CHECK_STATUS(FIN_OK, fin_update(&context, text, bytes));
    CHECK_STATUS(FIN_OK, fin_final(&context, got, sizeof got));
    CHECK_BYTES(expected, got, digest_bytes);
    CHECK_STATUS(FIN_OK, fin_reset(&context));
    if (fin_share_begin(&context, text, bytes, &share) == FIN_OK) {
        CHECK_STATUS(FIN_OK, fin_share_leaves(&context, &share, 0, share.leaf_count));
        CHECK_STATUS(FIN_OK, fin_share_end(&context, &share));
        CHECK_STATUS(FIN_OK, fin_final(&context, got, sizeof got));
        CHECK_BYTES(expected, got, digest_bytes);
    }
}

/* Computes BLAKE3's root from the subtree of the first 2^32 bytes and that of the others. */
static void check_subtrees(const uint8_t *text, size_t bytes)
{
    const size_t left = (size_t)(UINT64_C(1) << 32);
    uint8_t children[2 * DIGEST], root[DIGEST], expected[DIGEST_MAX];
    check_context("subtrees of BLAKE3");
    hash_stream(FIN_BLAKE3, text, bytes, expected);
    CHECK_STATUS(FIN_OK, fin_blake3_subtree_cv(children, NULL, text, left, 0));
    CHECK_STATUS(FIN_OK, fin_blake3_subtree_cv(children + DIGEST, NULL, text + left, bytes - left,
                                               left / 1024));
    CHECK_STATUS(FIN_OK, fin_blake3_merge(root, NULL, children, true));
    CHECK_BYTES(expected, root, DIGEST);
    /* Both as one subtree, which is no root. */
    CHECK_STATUS(FIN_OK, fin_blake3_merge(expected, NULL, children, false));
    CHECK_STATUS(FIN_OK, fin_blake3_subtree_cv(root, NULL, text, bytes, 0));
    CHECK_BYTES(expected, root, DIGEST);
}

/* Hashes a tree in one call, in two, and from the digests of its leaves. */
static void check_tree(const uint8_t *text, size_t bytes)
{
    enum { LEAF = PIECE / 2, LEAVES = 2 * 4096 };
    static uint8_t leaves[LEAVES * DIGEST];
    static fin_tree_mode_context tree;
    const fin_tree_mode shape = {
        .fanout = 2, .depth = 255, .leaf_bytes = LEAF, .inner_bytes = DIGEST};
    const fin_params params = {.tree_mode = &shape};
    const size_t whole = (size_t)LEAVES * LEAF;
    uint8_t expected[DIGEST], got[DIGEST];
    check_context("tree of more than 2^32 bytes");
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, FIN_BLAKE2S, &params));
    for (size_t at = 0; at < bytes; at += LEAF) {
        const size_t left = bytes - at;
        (void)CHECK_NEEDED(fin_tree_mode_update(&tree, text + at, left < LEAF ? left : LEAF) ==
                           FIN_OK);
    }
    CHECK_STATUS(FIN_OK, fin_tree_mode_final(&tree, expected, DIGEST));
    CHECK_STATUS(FIN_OK, fin_tree_mode_hash(FIN_BLAKE2S, &params, text, bytes, got, DIGEST));
    CHECK_BYTES(expected, got, DIGEST);
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, FIN_BLAKE2S, &params));
    CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, text, bytes));
    CHECK_STATUS(FIN_OK, fin_tree_mode_final(&tree, got, DIGEST));
    CHECK_BYTES(expected, got, DIGEST);
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, FIN_BLAKE2S, &params));
    CHECK_STATUS(FIN_OK, fin_tree_mode_leaves(&tree, text, whole, 0, leaves));
    CHECK_STATUS(FIN_OK, fin_tree_mode_append(&tree, leaves, LEAVES));
    CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, text + whole, bytes - whole));
    CHECK_STATUS(FIN_OK, fin_tree_mode_final(&tree, got, DIGEST));
    CHECK_BYTES(expected, got, DIGEST);
}

static void check_beyond(fin_algorithm algorithm, const uint8_t *text, size_t bytes)
{
    uint8_t expected[MESSAGES + 1][DIGEST_MAX], got[DIGEST_MAX];
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    check_context("%s, more than 2^32 bytes", info->name);
    for (size_t i = 0; i < MESSAGES; i++) {
        CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, text, i + 1, expected[i], DIGEST_MAX));
    }
    hash_stream(algorithm, text, bytes, expected[LONG]);
    CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, text, bytes, got, DIGEST_MAX));
    CHECK_BYTES(expected[LONG], got, info->digest_bytes);
    check_update(algorithm, text, bytes, expected[LONG]);
    check_many(algorithm, text, bytes, 1, expected);
    check_column(algorithm, text, bytes, expected);
    if (algorithm == FIN_BLAKE2B) {
        check_equal(algorithm, text, bytes, expected[LONG]);
    }
}

/* Digests and blocks more than 2^32 bytes apart. */
static void check_strides(void)
{
    static const fin_algorithm algorithms[] = {FIN_BLAKE2S,  FIN_BLAKE2B,    FIN_BLAKE256,
                                               FIN_BLAKE512, FIN_GROESTL256, FIN_GROESTL512,
                                               FIN_BLAKE2BP, FIN_BLAKE3};
    const size_t stride = (size_t)((UINT64_C(1) << 32) + 1024);
    uint8_t near[COUNT * 128], expected[DIGEST_MAX];
    fin_message messages[COUNT];
    fin_blake2b_state state = {.H = {1, 2, 3}}, same = state;
    uint8_t *far = mmap(NULL, COUNT * stride, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    check_context("strides");
    if (!CHECK(far != MAP_FAILED)) {
        return;
    }
    check_random_bytes(near, sizeof near);
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(far + i * stride, near + i * 128, 128);
    }
    CHECK_STATUS(FIN_OK, fin_blake2b_blocks(&state, far, sizeof near, stride));
    CHECK_STATUS(FIN_OK, fin_blake2b_blocks(&same, near, sizeof near, 128));
    CHECK(memcmp(&state, &same, sizeof state) == 0);
    /* One block and several, of one length and of any. */
    for (size_t k = 0; k < 4 * (sizeof algorithms / sizeof algorithms[0]); k++) {
        const fin_algorithm_info *info = fin_algorithm_describe(algorithms[k / 4]);
        check_context("digests of %s far apart, %u", info->name, (unsigned)k % 4);
        for (size_t i = 0; i < COUNT; i++) {
            messages[i] = (fin_message){near, (k % 2 == 0 ? 50 : 400) + (k % 4 < 2 ? 0 : 7 * i)};
        }
        CHECK_STATUS(FIN_OK, fin_hash_many(info->algorithm, NULL, messages, COUNT, far, stride));
        for (size_t i = 0; i < COUNT; i++) {
            CHECK_STATUS(FIN_OK, fin_hash(info->algorithm, NULL, near, messages[i].bytes, expected,
                                          sizeof expected));
            CHECK_BYTES(expected, far + i * stride, info->digest_bytes);
        }
    }
    (void)munmap(far, COUNT * stride);
}

int main(int argument_count, char **arguments)
{
    static const fin_algorithm algorithms[] = {FIN_BLAKE3, FIN_BLAKE2B, FIN_BLAKE2SP, FIN_BLAKE2BP,
                                               FIN_GROESTL256};
    const size_t beyond = (size_t)((UINT64_C(1) << 32) + BEYOND);
    const bool has_space = SIZE_MAX > UINT32_MAX;
    check_options(&argument_count, arguments);
    const uint8_t *text = map_repeatedly(has_space ? 2 * 4096 + 2 : 513);
    if (text == NULL) {
        return check_report();
    }
    if (check_part("blake256")) {
        check_bits(text);
        check_doubled_bits(text);
    }
    for (size_t i = 0; has_space && i < sizeof algorithms / sizeof algorithms[0]; i++) {
        const bool striped = algorithms[i] == FIN_BLAKE2BP || algorithms[i] == FIN_BLAKE2SP;
        if (check_part("%s, more", fin_algorithm_describe(algorithms[i])->name)) {
            check_beyond(algorithms[i], text, striped ? beyond + STRIPES : beyond);
        }
    }
    if (has_space && check_part("far items")) {
        check_far_items(text, 1000);
        check_far_items(text, PIECE + 64);
    }
    if (has_space && check_part("strides")) {
        check_strides();
    }
    if (has_space && check_part("trees")) {
        check_subtrees(text, beyond);
        check_tree(text, beyond);
    }
    return check_report();
}
