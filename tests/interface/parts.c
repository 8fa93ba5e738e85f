/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests a library built with some algorithms only: parts ALGORITHM... The named algorithms must
 * work in every implementation; every call with another one must return FIN_ERR_ALGORITHM. The
 * reference is that of the fuzz targets. tools/test_parts.sh builds and runs this test.
 */
#include "../../fuzz/reference.h"
#include "check.h"

enum { BYTES_MAX = 700, MESSAGES = 33 };

static uint8_t text[BYTES_MAX + MESSAGES], digest[MESSAGES * 64];
static const fin_params plain;

/* ---- Included algorithms ---- */

static void check_digests(fin_algorithm algorithm)
{
    const size_t digest_bytes = fin_algorithm_describe(algorithm)->digest_bytes;
    fin_message messages[MESSAGES];
    uint8_t expected[64];
    for (size_t i = 0; i < MESSAGES; i++) {
        messages[i] = (fin_message){text + i, i * 37 % BYTES_MAX};
    }
    CHECK_STATUS(FIN_OK, fin_hash_many(algorithm, NULL, messages, MESSAGES, digest, 64));
    for (size_t i = 0; i < MESSAGES; i++) {
        reference_hash(algorithm, &plain, messages[i].in, messages[i].bytes, expected);
        CHECK(memcmp(digest + 64 * i, expected, digest_bytes) == 0);
    }
    CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, text, BYTES_MAX, digest, 64));
    reference_hash(algorithm, &plain, text, BYTES_MAX, expected);
    CHECK(memcmp(digest, expected, digest_bytes) == 0);
}

static void check_built(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    fin_impl_info impl;
    size_t implementations = 0;
    for (size_t i = 0; fin_impl_at(i, &impl) == FIN_OK; i++) {
        if (strcmp(impl.algorithm, info->compression) == 0 && impl.supported) {
            CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, impl.name));
            check_digests(algorithm);
            implementations++;
        }
    }
    CHECK(implementations != 0);
    CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, NULL));
    check_digests(algorithm);
}

/* ---- Excluded algorithms ---- */

#define CHECK_LEFT_OUT(call) CHECK_STATUS(FIN_ERR_ALGORITHM, call)

static void check_left_out(fin_algorithm algorithm)
{
    static fin_context context;
    static fin_merkle merkle;
    static fin_tree_mode_context tree;
    static const fin_tree_mode shape = {
        .fanout = 2, .depth = 2, .leaf_bytes = 64, .inner_bytes = 32};
    const fin_params shaped = {.tree_mode = &shape};
    const fin_message message = {text, 10};
    const fin_node node = {text, 10, 0, false};
    const fin_column column = {
        .layout = FIN_COLUMN_FIXED, .data = text, .data_bytes = 10, .width = 10};
    size_t proof_count;
    CHECK_LEFT_OUT(fin_init(&context, algorithm, NULL));
    CHECK_LEFT_OUT(fin_hash(algorithm, NULL, text, 10, digest, 64));
    CHECK_LEFT_OUT(fin_hash_bits(algorithm, NULL, text, 10, digest, 64));
    CHECK_LEFT_OUT(fin_hash_many(algorithm, NULL, &message, 1, digest, 64));
    CHECK_LEFT_OUT(fin_hash_column(algorithm, NULL, &column, 1, digest, 64));
    CHECK_LEFT_OUT(fin_hash_nodes(algorithm, &shaped, &node, 1, digest, 64));
    CHECK_LEFT_OUT(fin_hash_equal(algorithm, NULL, text, 10, 1, digest, 64));
    CHECK_LEFT_OUT(fin_groestl_pairs(algorithm, text, 1, digest, 64));
    CHECK_LEFT_OUT(fin_merkle_init(&merkle, algorithm, NULL));
    CHECK_LEFT_OUT(fin_merkle_leaves(algorithm, NULL, &message, 1, digest));
    CHECK_LEFT_OUT(fin_merkle_inclusion(algorithm, NULL, text, 1, 0, digest, 1, &proof_count));
    CHECK_LEFT_OUT(fin_merkle_verify_inclusion(algorithm, NULL, text, 0, 1, NULL, 0, text));
    CHECK_LEFT_OUT(fin_tree_mode_init(&tree, algorithm, &shaped));
    CHECK_LEFT_OUT(fin_tree_mode_hash(algorithm, &shaped, text, 10, digest, 64));
    CHECK_LEFT_OUT(fin_impl_select(algorithm, NULL));
    CHECK(fin_impl_selected(algorithm) == NULL);
}

/* Calls the functions named after an algorithm. */
static void check_named_functions(void)
{
    static fin_context context;
    static fin_blake256_state state256;
    static fin_blake512_state state512;
    static fin_blake2b_state state2b;
    static fin_blake2s_state state2s;
    static fin_groestl256_state groestl256;
    static fin_groestl512_state groestl512;
#define CHECK_NAMED(id, call) \
    CHECK_STATUS(fin_algorithm_describe(FIN_##id) != NULL ? FIN_OK : FIN_ERR_ALGORITHM, call)
#define CHECK_BLAKE(id, name, state)                    \
    CHECK_NAMED(id, fin_##name(digest, text, 10));      \
    CHECK_NAMED(id, fin_##name##_init(&context, text)); \
    CHECK_NAMED(id, fin_##name##_blocks(&state, text, 0, 0))
    CHECK_BLAKE(BLAKE224, blake224, state256);
    CHECK_BLAKE(BLAKE256, blake256, state256);
    CHECK_BLAKE(BLAKE384, blake384, state512);
    CHECK_BLAKE(BLAKE512, blake512, state512);
    CHECK_BLAKE(BLAKE28, blake28, state256);
    CHECK_BLAKE(BLAKE32, blake32, state256);
    CHECK_BLAKE(BLAKE48, blake48, state512);
    CHECK_BLAKE(BLAKE64, blake64, state512);
#define CHECK_BLAKE2(id, name)                                  \
    CHECK_NAMED(id, fin_##name(digest, 32, text, 10, text, 5)); \
    CHECK_NAMED(id, fin_##name##_init(&context, 32, text, 5))
    CHECK_BLAKE2(BLAKE2B, blake2b);
    CHECK_BLAKE2(BLAKE2S, blake2s);
    CHECK_BLAKE2(BLAKE2BP, blake2bp);
    CHECK_BLAKE2(BLAKE2SP, blake2sp);
    CHECK_BLAKE2(BLAKE2XB, blake2xb);
    CHECK_BLAKE2(BLAKE2XS, blake2xs);
    CHECK_NAMED(BLAKE3, fin_blake3(digest, 32, text, 10, text, 32));
    CHECK_NAMED(BLAKE3, fin_blake3_init(&context, 32, text, 32));
    CHECK_NAMED(BLAKE3, fin_blake3_derive_key(digest, 32, text, 5, text, 10));
    CHECK_NAMED(BLAKE3, fin_blake3_subtree_cv(digest, NULL, text, 10, 0));
    CHECK_NAMED(BLAKE3, fin_blake3_merge(digest, NULL, text, false));
    CHECK_NAMED(BLAKE2B, fin_blake2b_blocks(&state2b, text, 0, 0));
    CHECK_NAMED(BLAKE2S, fin_blake2s_blocks(&state2s, text, 0, 0));
    CHECK_NAMED(GROESTL224, fin_groestl224(digest, text, 10));
    CHECK_NAMED(GROESTL256, fin_groestl256(digest, text, 10));
    CHECK_NAMED(GROESTL384, fin_groestl384(digest, text, 10));
    CHECK_NAMED(GROESTL512, fin_groestl512(digest, text, 10));
    CHECK_NAMED(GROESTL512, fin_groestl(digest, 64, text, 10));
    CHECK_NAMED(GROESTL0_512, fin_groestl0(digest, 64, text, 10));
    CHECK_NAMED(GROESTL512, fin_groestl_init(&context, 64));
    CHECK_NAMED(GROESTL0_512, fin_groestl0_init(&context, 64));
    CHECK_NAMED(GROESTL256, fin_groestl256_blocks(&groestl256, text, 0, 0));
    CHECK_NAMED(GROESTL512, fin_groestl512_blocks(&groestl512, text, 0, 0));
    CHECK_NAMED(GROESTL0_256, fin_groestl0_256_blocks(&groestl256, text, 0, 0));
    CHECK_NAMED(GROESTL0_512, fin_groestl0_512_blocks(&groestl512, text, 0, 0));
    const bool wide = fin_algorithm_describe(FIN_BLAKE2B) != NULL ||
                      fin_algorithm_describe(FIN_BLAKE2BP) != NULL ||
                      fin_algorithm_describe(FIN_BLAKE2XB) != NULL;
    CHECK_STATUS(wide ? FIN_OK : FIN_ERR_ALGORITHM,
                 fin_blake2b_f(12, state2b.H, text, state2b.T, true));
}

int main(int count, char **names)
{
    size_t built = 0;
    fin_algorithm algorithm;
    check_random_bytes(text, sizeof text);
    for (int i = 1; i < count; i++) {
        check_context(names[i]);
        if (CHECK_NEEDED(fin_algorithm_by_name(names[i], &algorithm) == FIN_OK)) {
            check_built(algorithm);
        }
    }
    check_context("excluded algorithms");
    for (unsigned number = FIN_BLAKE224; number <= FIN_BLAKE3; number++) {
        if (fin_algorithm_describe((fin_algorithm)number) != NULL) {
            built++;
        } else {
            check_left_out((fin_algorithm)number);
        }
    }
    CHECK(built == fin_algorithm_count() && (count == 1 || built + 1 == (size_t)count));
    check_named_functions();
    return check_report();
}
