/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests what calls leave in memory. Each public call that takes a key or a key's result, and
 * fin_hash and fin_hash_many without a key, run in a thread of their own whose stack is painted
 * before and searched afterwards for
 *
 *   - the key,
 *   - chaining values: the one after the key's block, with which one can forge, and all later ones,
 *   - the message,
 *   - the digest, which may be another key.
 *
 * Contexts are outside the stack; those that a call must wipe have to be zero. Covers every number
 * of messages that takes another path through the scheduler.
 *
 * Built twice. With kernels that leave nothing (clean_kernels.c), anything found was left by their
 * callers. With the library's own kernels (WIPE_KERNELS defined), which keep words where compilers
 * put them, it runs every implementation and searches for keys and chaining values only: parts of a
 * message are erased only after keyed calls, and only within the kernels' frames.
 */
#include "check.h"

#include <pthread.h>

#ifdef WIPE_KERNELS
enum { CLEAN_KERNELS = false };
#else
enum { CLEAN_KERNELS = true };
#endif

enum {
    STACK_BYTES = 256 << 10,
    STACK_MOST = 80000, /* that any call uses: finalist.h */
    PAINT = 0xa5,
    MESSAGES_MAX = 40,
    SHARED_BYTES = 2000,
    MESSAGE_BYTES_MAX = 40000,
    GROUP_BYTES = 256 << 10, /* that BLAKE3 adds to its tree at once */
    SECRETS_MAX = 1000,
    SLOTS = 1 << 14
};

#include "secrets.h"

#include "wipe_calls.h"

/* ---- Painting and searching ---- */

static uint8_t *stack;

static void *run_step(void *data)
{
    const step *s = data;
    return s->run() == FIN_OK ? NULL : data;
}

/* Finds a secret in the part of the stack that was written. */
static const char *find_on_stack(void)
{
    size_t unused = 0;
    while (unused < STACK_BYTES && stack[unused] == PAINT) {
        unused++;
    }
    CHECK(STACK_BYTES - unused <= STACK_MOST);
    return find_secret(stack + unused, STACK_BYTES - unused);
}

static void check_wiped(const char *name, const void *memory, size_t bytes)
{
    const uint8_t *byte = memory;
    size_t zeros = 0;
    while (zeros < bytes && byte[zeros] == 0) {
        zeros++;
    }
    if (!CHECK(zeros == bytes)) {
        printf("    %s: byte %lu is left\n", name, (unsigned long)zeros);
    }
}

/* Checks the memory that a call which ends or wipes must have overwritten. */
static void check_contexts(const char *name)
{
    if (strcmp(name, "final") == 0) {
        check_wiped("key after final", context.key, sizeof context.key);
        check_wiped("buffer after final", context.buffer, sizeof context.buffer);
        check_wiped("leaves after final", context.leaves, sizeof context.leaves);
        const char *left = find_secret((const uint8_t *)&context, sizeof context);
        if (!CHECK(left == NULL)) {
            printf("    fin_final leaves in the context: %s\n", left);
        }
    } else if (strcmp(name, "reset") == 0 && now.algorithm != FIN_BLAKE3 &&
               now.algorithm != FIN_BLAKE2BP && now.algorithm != FIN_BLAKE2SP) {
        /* A short message does not overwrite bytes buffered after its block. */
        check_wiped("buffer after reset", copy.buffer + 128, sizeof copy.buffer - 128);
    } else if (strcmp(name, "wipe") == 0) {
        check_wiped("context", &context, sizeof context);
    } else if (strcmp(name, "merkle_wipe") == 0) {
        check_wiped("Merkle tree", &merkle, sizeof merkle);
    } else if (strcmp(name, "tree_wipe") == 0 || strcmp(name, "tree_final") == 0) {
        check_wiped("tree", &tree, sizeof tree);
    }
}

static void check_steps(const step *steps)
{
    for (const step *s = steps; s->run != NULL; s++) {
        step this = *s;
        pthread_t thread;
        pthread_attr_t attributes;
        void *failed = NULL;
        memset(stack, PAINT, STACK_BYTES);
        (void)CHECK_NEEDED(pthread_attr_init(&attributes) == 0);
        (void)CHECK_NEEDED(pthread_attr_setstack(&attributes, stack, STACK_BYTES) == 0);
        if (!CHECK(pthread_create(&thread, &attributes, run_step, &this) == 0)) {
            return;
        }
        (void)CHECK_NEEDED(pthread_join(thread, &failed) == 0);
        (void)pthread_attr_destroy(&attributes);
        if (!CHECK(failed == NULL)) {
            printf("    %s\n", s->name);
        }
        const unsigned known = secret_count;
        const size_t word = word_bytes(now.algorithm);
        for (size_t i = 0; s->hashes && i < now.count; i++) {
            add_secret("digest", digests + i * 64, 7 * word, word);
        }
        if (s->hashes && fin_algorithm_describe(now.algorithm)->family == FIN_FAMILY_BLAKE) {
            add_reversed("state", digests, fin_algorithm_describe(now.algorithm)->digest_bytes);
        }
        const char *left = find_on_stack();
        check_contexts(s->name);
        forget_since(known);
        if (!CHECK(left == NULL)) {
            printf("    fin_%s leaves on the stack: %s (%lu messages, %lu bytes)\n", s->name, left,
                   (unsigned long)now.count, (unsigned long)now.bytes);
        }
    }
}

/* Leaves a key on purpose: the search must find it, or it would prove nothing. The copies reach
   below the calls that the thread makes at its end. */
static fin_status do_leave_key(void)
{
    volatile uint8_t left[64 * 64];
    for (size_t i = 0; i < sizeof left; i++) {
        left[i] = key[i % 64];
    }
    return left[0] == key[0] ? FIN_OK : FIN_ERR_NULL;
}

static void sees_faults(void)
{
    step leave = STEP(leave_key);
    pthread_t thread;
    pthread_attr_t attributes;
    forget_secrets();
    add_secret("key", key, sizeof key, 8);
    memset(stack, PAINT, STACK_BYTES);
    CHECK(find_secret(stack, STACK_BYTES) == NULL);
    (void)CHECK_NEEDED(pthread_attr_init(&attributes) == 0);
    (void)CHECK_NEEDED(pthread_attr_setstack(&attributes, stack, STACK_BYTES) == 0);
    (void)CHECK_NEEDED(pthread_create(&thread, &attributes, run_step, &leave) == 0);
    (void)CHECK_NEEDED(pthread_join(thread, NULL) == 0);
    (void)pthread_attr_destroy(&attributes);
    CHECK(find_secret(stack, STACK_BYTES) != NULL);
}

/* ---- Every algorithm with a key ---- */

/* Adds the digest of a leaf of BLAKE2bp or BLAKE2sp, which hashes every leaves-th block. */
static void add_leaf_digest(const fin_params *params, const uint8_t *in, size_t bytes, size_t leaf,
                            size_t leaves)
{
    const size_t word = word_bytes(now.algorithm), block_bytes = 16 * word;
    const bool is_last = leaf + 1 == leaves;
    const fin_tree_mode node = {(uint8_t)leaves, 2, 0, leaf, 0, (uint8_t)(8 * word), is_last};
    fin_params own = *params;
    uint8_t digest[64];
    own.tree_mode = &node;
    const fin_algorithm algorithm = word == 8 ? FIN_BLAKE2B : FIN_BLAKE2S;
    (void)CHECK_NEEDED(fin_init(&context, algorithm, &own) == FIN_OK);
    for (size_t at = leaf * block_bytes; at < bytes; at += leaves * block_bytes) {
        const size_t take = bytes - at < block_bytes ? bytes - at : block_bytes;
        (void)CHECK_NEEDED(fin_update(&context, in + at, take) == FIN_OK);
    }
    (void)CHECK_NEEDED(fin_final(&context, digest, sizeof digest) == FIN_OK);
    add_secret("leaf's digest", digest, 8 * word, word);
}

/* Adds BLAKE3's chaining values: the first chunk's, with which an output begins, subtrees', and that
   of the last chunk if it is not whole. */
static void add_blake3_chaining_values(const fin_params *params, const uint8_t *in, size_t bytes)
{
    enum { BLOCK = 64, CHUNK = 1024 };
    for (size_t at = BLOCK; at < bytes && at < CHUNK; at += BLOCK) {
        (void)CHECK_NEEDED(fin_init(&context, now.algorithm, params) == FIN_OK);
        (void)CHECK_NEEDED(fin_update(&context, in, at + 1) == FIN_OK);
        (void)CHECK_NEEDED(fin_seek(&context, 0) == FIN_OK);
        add_secret("chaining value", &context.state.h, 32, 4);
    }
    (void)CHECK_NEEDED(fin_init(&context, now.algorithm, params) == FIN_OK);
    for (size_t at = 0; at < bytes; at += CHUNK) {
        const size_t take = bytes - at < CHUNK ? bytes - at : CHUNK;
        (void)CHECK_NEEDED(fin_update(&context, in + at, take) == FIN_OK);
        uint64_t chunks = context.state.t[0];
        for (size_t i = 0; chunks != 0; i++, chunks &= chunks - 1) {
            add_secret("subtree's chaining value", (const uint8_t *)context.leaves + 32 * i, 32, 4);
        }
    }
    if (bytes > CHUNK && bytes % CHUNK != 0) {
        static uint8_t cv[32];
        fin_params of_nodes = *params;
        of_nodes.digest_bytes = 32;
        (void)CHECK_NEEDED(fin_blake3_subtree_cv(cv, &of_nodes, in + bytes - bytes % CHUNK,
                                                 bytes % CHUNK, bytes / CHUNK) == FIN_OK);
        add_secret("last chunk's chaining value", cv, sizeof cv, 4);
        memset(cv, 0, sizeof cv);
    }
    fin_wipe(&context);
}

/* Adds the chaining values of a message after the key's block and after each later block. */
static void add_chaining_values(const fin_params *params, const uint8_t *in, size_t bytes)
{
    if (now.algorithm == FIN_BLAKE3) {
        add_blake3_chaining_values(params, in, bytes);
        return;
    }
    const size_t word = word_bytes(now.algorithm);
    const size_t block_bytes = fin_algorithm_describe(now.algorithm)->block_bytes;
    const size_t leaves = now.algorithm == FIN_BLAKE2BP ? 4 : now.algorithm == FIN_BLAKE2SP ? 8 : 0;
    const size_t step_bytes = (leaves == 0 ? 1 : leaves) * block_bytes;
    (void)CHECK_NEEDED(fin_init(&context, now.algorithm, params) == FIN_OK);
    for (size_t at = 0; at < bytes; at += step_bytes) {
        const size_t take = bytes - at < step_bytes ? bytes - at : step_bytes;
        (void)CHECK_NEEDED(fin_update(&context, in + at, take) == FIN_OK);
        if (leaves == 0) {
            /* A midstate has the chaining value after all compressed blocks; the last block is
               buffered. */
            (void)CHECK_NEEDED(do_save() == FIN_OK && do_restore() == FIN_OK);
            add_secret(at == 0 ? "keyed chaining value" : "chaining value", &copy.state.h, 8 * word,
                       word);
        }
        for (size_t i = 0; i < leaves && at != 0; i++) {
            add_secret("leaf's chaining value", (const uint8_t *)context.leaves + i * 8 * word,
                       8 * word, word);
        }
    }
    for (size_t i = 0; i < leaves; i++) {
        add_leaf_digest(params, in, bytes, i, leaves);
    }
    fin_wipe(&context);
}

static void set_up(fin_algorithm algorithm, size_t count, size_t bytes)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    now.algorithm = algorithm;
    now.count = count;
    now.bytes = bytes;
    now.params = (fin_params){.key = key, .key_bytes = info->key_bytes_max};
    if (bytes == info->block_bytes + 1 && algorithm != FIN_BLAKE3) {
        now.params.key_bytes = 1; /* the shortest key; its chaining values are as secret */
    }
    if (info->digest_bytes_max > 64 || bytes % 2 != 0) {
        /* Whole words, or a part of one. */
        now.params.digest_bytes = info->digest_bytes - 3 * (bytes % 2);
    }
    forget_secrets();
    add_secret("key", key, info->key_bytes_max, word_bytes(algorithm));
    add_secret("message", text, MESSAGE_BYTES_MAX + MESSAGES_MAX, 8);
    for (size_t i = 0; i < count; i++) {
        /* Different lengths, so that the remaining messages move to fewer lanes. */
        const size_t own_bytes = bytes + i % 3 * info->block_bytes;
        messages[i] = (fin_message){text + i, own_bytes};
        add_chaining_values(&now.params, text + i, own_bytes);
    }
}

static bool takes_trees(fin_algorithm algorithm)
{
    return algorithm == FIN_BLAKE2B || algorithm == FIN_BLAKE2S;
}

/* Sets up a tree, whose leaves have keyed chaining values of their own. */
static void set_up_tree(fin_algorithm algorithm, size_t count, size_t bytes)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    set_up(algorithm, count, bytes);
    forget_secrets();
    add_secret("key", key, info->key_bytes_max, word_bytes(algorithm));
    add_secret("message", text, MESSAGE_BYTES_MAX + MESSAGES_MAX, 8);
    now.shape = (fin_tree_mode){.fanout = 2,
                                .depth = 3,
                                .leaf_bytes = info->block_bytes,
                                .inner_bytes = (uint8_t)info->digest_bytes};
    for (size_t i = 0; i < count; i++) {
        fin_tree_mode own = now.shape;
        fin_params params = now.params;
        own.node_offset = i;
        params.tree_mode = &own;
        nodes[i] = (fin_node){text + i, messages[i].bytes, i, false};
        add_chaining_values(&params, text + i, messages[i].bytes);
    }
    now.params.tree_mode = &now.shape;
}

/* Adds the digests of the leaves that the calls of tree_steps hash. */
static void add_tree_leaves(void)
{
    const size_t inner_bytes = now.shape.inner_bytes;
    const size_t count = now.bytes / now.shape.leaf_bytes;
    (void)CHECK_NEEDED(do_tree_init() == FIN_OK && do_tree_leaves() == FIN_OK);
    for (size_t i = 0; i < count; i++) {
        add_secret("leaf's digest", digests + i * inner_bytes, inner_bytes,
                   word_bytes(now.algorithm));
    }
}

/* Checks calls without a key: kernels may leave parts of the message, other code may not. */
static void check_without_key(void)
{
    now.params.key = NULL;
    now.params.key_bytes = 0;
    check_steps(hash_steps);
    now.no_params = true;
    check_steps(hash_steps);
    now.no_params = false;
    if (block_start(&blocks, now.algorithm, NULL)) {
        block_set_flags(&blocks, UINT64_MAX, 0);
        check_steps(block_steps);
    }
}

/* Checks that digests and messages of a batch without a key are not left. Its chaining values may be,
   where compilers spill them. */
static void check_batch_without_key(void)
{
    now.params.key = NULL;
    now.params.key_bytes = 0;
    check_steps(many_steps);
}

/* Checks an algorithm that takes no key. */
static void check_unkeyed(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    for (size_t bytes = 1; bytes <= 3 * info->block_bytes; bytes += 1 + bytes / 4) {
        now.algorithm = algorithm;
        now.count = 1;
        now.bytes = bytes;
        now.params = (fin_params){0};
        forget_secrets();
        add_secret("message", text, MESSAGE_BYTES_MAX + MESSAGES_MAX, 8);
        check_without_key();
    }
}

/* Checks BLAKE3 of several chunks, in lanes and singly, with a key and deriving one. */
static void check_chunks(void)
{
    enum { MANY = 5, MANY_BYTES = 4 * 1024 };
    static const size_t lengths[] = {1024, 1025, 2 * 1024, 3 * 1024 + 70, 9 * 1024 + 1, 37 * 1024};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        set_up(FIN_BLAKE3, 1, lengths[k]);
        check_steps(hash_steps);
        check_steps(stream_steps);
        check_steps(squeeze_steps);
        check_steps(subtree_steps);
        if (lengths[k] <= MANY_BYTES) {
            set_up(FIN_BLAKE3, MANY, lengths[k]);
            check_steps(many_steps);
        }
    }
}

/*
 * Checks BLAKE3 of a byte more than a group: one call has a stack of subtrees then. The chaining
 * values of the group's halves are pushed, and the next byte merges them. The message is no secret
 * here, nor are the chaining values within a half, which shorter messages have too: they would not
 * fit in the slots.
 */
static void check_group(void)
{
    enum { HALF = GROUP_BYTES / 2, CHUNK = 1024 };
    uint8_t cv[32];
    now.algorithm = FIN_BLAKE3;
    now.count = 1;
    now.bytes = GROUP_BYTES + 1;
    now.params = (fin_params){.key = key, .key_bytes = 32, .digest_bytes = 32};
    forget_secrets();
    add_secret("key", key, 32, 4);
    for (size_t at = 0; at < GROUP_BYTES; at += HALF) {
        (void)CHECK_NEEDED(fin_blake3_subtree_cv(cv, &now.params, text + at, HALF, at / CHUNK) ==
                           FIN_OK);
        add_secret("half's chaining value", cv, sizeof cv, 4);
    }
    (void)CHECK_NEEDED(fin_blake3_subtree_cv(cv, &now.params, text, GROUP_BYTES, 0) == FIN_OK);
    add_secret("group's chaining value", cv, sizeof cv, 4);
    (void)CHECK_NEEDED(fin_blake3_subtree_cv(cv, &now.params, text + GROUP_BYTES, 1,
                                             GROUP_BYTES / CHUNK) == FIN_OK);
    add_secret("last chunk's chaining value", cv, sizeof cv, 4);
    check_steps(hash_steps);
    check_steps(stream_steps);
    check_steps(subtree_steps);
}

static void check_calls(fin_algorithm algorithm)
{
    static const size_t counts[] = {1, 2, 7, 17, MESSAGES_MAX};
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const size_t block_bytes = info->block_bytes;
    const size_t lengths[] = {
        0, 1, block_bytes - 1, block_bytes, block_bytes + 1, 5 * block_bytes, 9 * block_bytes + 5};
    if (algorithm == FIN_BLAKE2BP || algorithm == FIN_BLAKE2SP) {
        /* Long enough to be shared. */
        set_up(algorithm, 1, SHARED_BYTES);
        check_steps(share_steps);
        CHECK(share.stripes != 0);
    }
    if (algorithm == FIN_BLAKE3) {
        check_chunks();
        check_group();
    }
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        set_up(algorithm, 1, lengths[k]);
        check_steps(hash_steps);
        check_steps(stream_steps);
        if (CLEAN_KERNELS) {
            check_without_key();
        }
        if (info->digest_bytes_max > 64) {
            check_steps(squeeze_steps);
        }
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            set_up(algorithm, counts[i], lengths[k]);
            check_steps(many_steps);
            if (k % 3 == 0) {
                check_steps(merkle_steps);
            }
            if (CLEAN_KERNELS) {
                check_batch_without_key();
            }
            if (takes_trees(algorithm)) {
                set_up_tree(algorithm, counts[i], lengths[k]);
                check_steps(nodes_steps);
            }
        }
        if (takes_trees(algorithm)) {
            set_up_tree(algorithm, 10, lengths[k]);
            add_tree_leaves();
            check_steps(tree_steps);
        }
    }
}

/* Checks every implementation of one message; check_each_choice runs the selected one only. */
static void check_each_single(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    fin_impl_info impl;
    for (size_t i = 0; fin_impl_at(i, &impl) == FIN_OK; i++) {
        if (impl.supported && strcmp(impl.algorithm, info->compression) == 0 &&
            strcmp(impl.mode, "single") == 0 && check_part("%s, %s", info->name, impl.name)) {
            CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, impl.name));
            check_calls(algorithm);
        }
    }
    CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, NULL));
}

/* Checks that the library is linked with the kernels that this test was built for. */
static void check_kernels(void)
{
    fin_impl_info impl;
    check_context("kernels");
    for (size_t i = 0; fin_impl_at(i, &impl) == FIN_OK; i++) {
        const bool clean = strncmp(impl.name, "clean", 5) == 0;
        CHECK(clean == CLEAN_KERNELS || strncmp(impl.algorithm, "groestl", 7) == 0);
    }
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    stack = check_allocate(STACK_BYTES + 4096);
    stack += 4096 - (uintptr_t)stack % 4096;
    check_random_bytes(key, sizeof key);
    check_random_bytes(text, sizeof text);
    if (check_part("planted copy of the key")) {
        sees_faults();
    }
    check_kernels();
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm algorithm = fin_algorithm_at(i)->algorithm;
        if (fin_algorithm_at(i)->key_bytes_max != 0) {
            check_each_choice(algorithm, check_calls);
            check_each_single(algorithm);
        } else if (CLEAN_KERNELS && check_part("%s", fin_algorithm_at(i)->name)) {
            check_unkeyed(algorithm);
        }
    }
    return check_report();
}
