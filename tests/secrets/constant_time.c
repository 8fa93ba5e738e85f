/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * For valgrind's memcheck, which reports every branch and every address that depends on undefined
 * bytes: declares messages, keys and salts undefined and hashes them with one kind of
 * implementation.
 *
 *   constant_time yes   those declared constant-time: there must be no report
 *   constant_time no    the others: there must be one, or this test would prove nothing
 *
 * Limits: memcheck takes a byte shuffle or an AES instruction on secrets for an operation like any
 * other. valgrind's CPUID hides most instructions that it does not know; an implementation that
 * uses another unknown one (version 3.19 lacks vmovq between registers) is named and skipped.
 */
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "check.h"
#include "finalist.h"

enum { COUNT = 9, MESSAGE_BYTES = 1200 };
static uint8_t message[MESSAGE_BYTES], key[64], salt[32];
/* Enough chunks of BLAKE3 for threads to share. */
static uint8_t chunks[(2 * 256 + 3) * 1024 + 5];

static sigjmp_buf unknown_instruction;

static void leave_implementation(int signal_number)
{
    siglongjmp(unknown_instruction, signal_number);
}

static void hash_secretly(const fin_algorithm_info *info)
{
    static const size_t lengths[] = {0, 1, 63, 64, 127, 128, 129, 600};
    fin_params params = {.salt = salt, .salt_bytes = info->salt_bytes};
    params.key = key;
    params.key_bytes = info->key_bytes_max;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint8_t digest[64];
        fin_context context;
        CHECK_STATUS(
            FIN_OK, fin_hash(info->algorithm, &params, message, lengths[i], digest, sizeof digest));
        CHECK_STATUS(FIN_OK, fin_init(&context, info->algorithm, &params));
        CHECK_STATUS(FIN_OK, fin_update(&context, message, lengths[i] / 3));
        CHECK_STATUS(FIN_OK, fin_update(&context, message, lengths[i] - lengths[i] / 3));
        CHECK_STATUS(FIN_OK, fin_final(&context, digest, sizeof digest));
    }
}

/* Makes calls that hash more than one message. */
static void hash_several_secretly(const fin_algorithm_info *info)
{
    static const size_t lengths[] = {0, 1, 63, 64, 100, 128, 129, 300, 0};
    const size_t stride = info->digest_bytes;
    fin_params params = {.salt = salt, .salt_bytes = info->salt_bytes};
    fin_message messages[COUNT];
    uint8_t digests[COUNT * 64], root[64], proof[FIN_MERKLE_PROOF_MAX * 64];
    size_t proof_count;
    fin_merkle merkle;
    params.key = key;
    params.key_bytes = info->key_bytes_max;
    params.digest_bytes = info->digest_bytes;
    for (size_t i = 0; i < COUNT; i++) {
        messages[i] = (fin_message){message + i, lengths[i]};
    }
    CHECK_STATUS(FIN_OK, fin_hash_many(info->algorithm, &params, messages, COUNT, digests, stride));
    if (check_has_length(info)) {
        CHECK_STATUS(FIN_OK,
                     fin_hash_equal(info->algorithm, NULL, message, 130, COUNT, digests, stride));
    }
    if (info->family == FIN_FAMILY_GROESTL) {
        CHECK_STATUS(FIN_OK, fin_groestl_pairs(info->algorithm, message, COUNT, digests, stride));
    }
    CHECK_STATUS(FIN_OK, fin_merkle_leaves(info->algorithm, &params, messages, COUNT, digests));
    CHECK_STATUS(FIN_OK, fin_merkle_init(&merkle, info->algorithm, &params));
    CHECK_STATUS(FIN_OK, fin_merkle_append(&merkle, digests, COUNT));
    CHECK_STATUS(FIN_OK, fin_merkle_append_equal(&merkle, digests, COUNT));
    CHECK_STATUS(FIN_OK, fin_merkle_root(&merkle, root, sizeof root));
    fin_merkle_wipe(&merkle);
    CHECK_STATUS(FIN_OK, fin_merkle_inclusion(info->algorithm, &params, digests, COUNT, 5, proof,
                                              FIN_MERKLE_PROOF_MAX, &proof_count));
    CHECK_STATUS(FIN_OK, fin_merkle_consistency(info->algorithm, &params, digests, COUNT, 5, proof,
                                                FIN_MERKLE_PROOF_MAX, &proof_count));
}

/* Compares hashes that are known to differ in their last byte; their other differences are secret.
   */
static void compare_secretly(void)
{
    uint8_t hashes[2][32] = {{0}, {0}};
    hashes[1][31] = 1;
    (void)VALGRIND_MAKE_MEM_UNDEFINED(hashes[0], 31);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(hashes[1], 31);
    fin_status inclusion =
        fin_merkle_verify_inclusion(FIN_BLAKE2S, NULL, hashes[0], 0, 1, NULL, 0, hashes[1]);
    fin_status consistency =
        fin_merkle_verify_consistency(FIN_BLAKE2S, NULL, 3, hashes[0], 3, hashes[1], NULL, 0);
    /* The result is public. */
    (void)VALGRIND_MAKE_MEM_DEFINED(&inclusion, sizeof inclusion);
    (void)VALGRIND_MAKE_MEM_DEFINED(&consistency, sizeof consistency);
    CHECK(inclusion == FIN_ERR_PROOF && consistency == FIN_ERR_PROOF);
}

static void hash_trees_secretly(const fin_algorithm_info *info)
{
    fin_tree_mode shape = {.fanout = 3, .depth = 3, .leaf_bytes = 130, .inner_bytes = 30};
    const fin_params params = {.key = key, .key_bytes = info->key_bytes_max, .tree_mode = &shape};
    fin_node nodes[COUNT];
    uint8_t digests[COUNT * 64];
    fin_tree_mode_context tree;
    for (size_t i = 0; i < COUNT; i++) {
        nodes[i] = (fin_node){message + i, 77 * i, i, i == 5};
    }
    CHECK_STATUS(FIN_OK, fin_hash_nodes(info->algorithm, &params, nodes, COUNT, digests, 64));
    CHECK_STATUS(FIN_OK,
                 fin_tree_mode_hash(info->algorithm, &params, message, MESSAGE_BYTES, digests, 64));
    CHECK_STATUS(FIN_OK, fin_tree_mode_init(&tree, info->algorithm, &params));
    CHECK_STATUS(FIN_OK, fin_tree_mode_leaves(&tree, message, 260, 0, digests));
    CHECK_STATUS(FIN_OK, fin_tree_mode_append(&tree, digests, 2));
    CHECK_STATUS(FIN_OK, fin_tree_mode_update(&tree, message, 1000));
    CHECK_STATUS(FIN_OK, fin_tree_mode_final(&tree, digests, 64));
}

/* Tests streams that are saved, restored and shared. */
static void stream_secretly(const fin_algorithm_info *info)
{
    const bool has_leaves = info->algorithm == FIN_BLAKE2BP || info->algorithm == FIN_BLAKE2SP;
    fin_params params = {.key = key, .key_bytes = info->key_bytes_max};
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX], digest[64];
    size_t bytes = sizeof midstate;
    fin_context context, other;
    CHECK_STATUS(FIN_OK, fin_init(&context, info->algorithm, &params));
    CHECK_STATUS(FIN_OK, fin_update(&context, message, 333));
    CHECK_STATUS(FIN_OK, fin_save(&context, midstate, &bytes));
    CHECK_STATUS(FIN_OK, fin_restore(&other, midstate, bytes));
    CHECK_STATUS(FIN_OK, fin_update(&other, message, 333));
    if (info->digest_bytes_max > 64) {
        CHECK_STATUS(FIN_OK, fin_squeeze(&other, digest, 10));
    } else {
        CHECK_STATUS(FIN_OK, fin_final(&other, digest, sizeof digest));
    }
    if (has_leaves) {
        fin_share share;
        CHECK_STATUS(FIN_OK, fin_share_begin(&context, message, MESSAGE_BYTES, &share));
        CHECK_STATUS(FIN_OK, fin_share_leaves(&context, &share, 0, share.leaf_count));
        CHECK_STATUS(FIN_OK, fin_share_end(&context, &share));
    }
    if (info->bits) {
        CHECK_STATUS(FIN_OK, fin_hash_bits(info->algorithm, NULL, message, 333, digest, 64));
        CHECK_STATUS(FIN_OK, fin_final_bits(&context, message[0], 3, digest, sizeof digest));
    } else {
        CHECK_STATUS(FIN_OK, fin_final(&context, digest, sizeof digest));
    }
}

/* Tests BLAKE3's tree: chunks singly and in lanes, subtrees in several steps, output from any
   position, keys derived from secrets. */
static void hash_chunks_secretly(void)
{
    static const char context_of_keys[] = "finalist tests of constant time";
    static const size_t lengths[] = {1024, 1025, 2049, 17000, 300000};
    const fin_params with_key = {.key = key, .key_bytes = 32};
    const fin_params deriving = {.derive_key_context = context_of_keys,
                                 .derive_key_context_bytes = sizeof context_of_keys - 1};
    const fin_params *const modes[] = {&with_key, &deriving};
    for (size_t mode = 0; mode < 2; mode++) {
        uint8_t digests[4 * 64];
        fin_context context;
        fin_share share;
        fin_message messages[4];
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            CHECK_STATUS(FIN_OK,
                         fin_hash(FIN_BLAKE3, modes[mode], chunks, lengths[i], digests, 64));
        }
        for (size_t i = 0; i < 4; i++) {
            messages[i] = (fin_message){chunks + i, 1024 * i + 1000};
        }
        CHECK_STATUS(FIN_OK, fin_hash_many(FIN_BLAKE3, modes[mode], messages, 4, digests, 64));
        CHECK_STATUS(FIN_OK, fin_init(&context, FIN_BLAKE3, modes[mode]));
        CHECK_STATUS(FIN_OK, fin_share_begin(&context, chunks, sizeof chunks, &share));
        CHECK(share.leaf_count > 1);
        CHECK_STATUS(FIN_OK, fin_share_leaves(&context, &share, 0, share.leaf_count));
        CHECK_STATUS(FIN_OK, fin_share_end(&context, &share));
        CHECK_STATUS(FIN_OK, fin_squeeze(&context, digests, 100));
        CHECK_STATUS(FIN_OK, fin_seek(&context, UINT64_C(1) << 40));
        CHECK_STATUS(FIN_OK, fin_squeeze(&context, digests, 100));
        fin_wipe(&context);
    }
    uint8_t digests[3 * 64];
    CHECK_STATUS(FIN_OK, fin_hash_equal(FIN_BLAKE3, &with_key, chunks, 1500, 3, digests, 64));
}

/* Tests every algorithm that uses the implementation's compression function. */
static void hash_secretly_by(const fin_impl_info *impl)
{
    for (size_t a = 0; a < fin_algorithm_count(); a++) {
        const fin_algorithm_info *info = fin_algorithm_at(a);
        if (strcmp(info->compression, impl->algorithm) != 0) {
            continue;
        }
        CHECK_STATUS(FIN_OK, fin_impl_select(info->algorithm, impl->name));
        if (sigsetjmp(unknown_instruction, 1) == 0) {
            if (impl->lanes == 1) {
                hash_secretly(info);
                stream_secretly(info);
            }
            hash_several_secretly(info);
            if (info->algorithm == FIN_BLAKE2B || info->algorithm == FIN_BLAKE2S) {
                hash_trees_secretly(info);
            }
            if (info->algorithm == FIN_BLAKE3) {
                hash_chunks_secretly();
            }
        } else {
            printf("not seen by valgrind: %s %s\n", info->name, impl->name);
        }
        CHECK_STATUS(FIN_OK, fin_impl_select(info->algorithm, NULL));
    }
}

int main(int count, char **arguments)
{
    const bool wanted = count > 1 && strcmp(arguments[1], "yes") == 0;
    CHECK(count > 1 && RUNNING_ON_VALGRIND != 0);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(message, sizeof message);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(chunks, sizeof chunks);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(salt, sizeof salt);
    signal(SIGILL, leave_implementation);
    fin_impl_info impl;
    for (size_t i = 0; i < fin_impl_count(); i++) {
        CHECK_STATUS(FIN_OK, fin_impl_at(i, &impl));
        if (impl.supported && impl.constant_time == wanted) {
            hash_secretly_by(&impl);
        }
    }
    compare_secretly();
    return check_report();
}
