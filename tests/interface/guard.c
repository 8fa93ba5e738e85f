/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Passes every public function arguments between inaccessible pages: inputs, outputs, keys,
 * contexts, states, nodes, columns and proofs end right before such a page, then start right after
 * one. Inputs are read-only. An access beyond an argument ends the test, which names the call.
 * Lengths are at the edges of blocks, or with "all" every length to four blocks; each length has
 * another alignment.
 */
#include "block_state.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    COUNT_MAX = 21,
    MANY = 150, /* more messages than are described at once */
    LENGTH_MAX = 4 * 128 + 3,
    CHUNKS_MAX = 17 * 1024 + 1,
    SHARED_BYTES = 60 * 1024
};

/* ---- Guarded memory ---- */

typedef struct region {
    uint8_t *start;
    size_t bytes;
} region;

static bool at_end; /* if arguments end before the page behind, instead of starting after the one
                       before */

static region region_open(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t pages = (bytes + page - 1) / page * page;
    uint8_t *map =
        mmap(NULL, pages + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || mprotect(map, page, PROT_NONE) != 0 ||
        mprotect(map + page + pages, page, PROT_NONE) != 0) {
        printf("no guarded memory\n");
        exit(EXIT_FAILURE);
    }
    return (region){map + page, pages};
}

static region region_of_input(size_t bytes)
{
    const region r = region_open(bytes);
    check_random_bytes(r.start, r.bytes);
    if (mprotect(r.start, r.bytes, PROT_READ) != 0) {
        printf("no guarded memory\n");
        exit(EXIT_FAILURE);
    }
    return r;
}

static void *place(const region *r, size_t bytes)
{
    (void)CHECK_NEEDED(bytes <= r->bytes);
    return at_end ? r->start + (r->bytes - bytes) : r->start;
}

/* The current call, for the signal handler. */
static const char *call = "";

static void say(const char *text)
{
    ssize_t written = write(STDOUT_FILENO, text, strlen(text));
    (void)written;
}

static void beyond(int number)
{
    (void)number;
    say(check_subject);
    say(": ");
    say(call);
    say(at_end ? " goes beyond the end of an argument\n"
               : " goes before the start of an argument\n");
    _exit(EXIT_FAILURE);
}

/* ---- One algorithm, length and side ---- */

static region inputs[COUNT_MAX], input, key_input, salt_input, personal_input, outputs, roots[2],
    proofs, contexts[2], merkles, trees, midstates, parameters, shapes, message_lists, node_lists,
    states, shares, numbers;

static const fin_algorithm_info *info;
static fin_params *params;
static size_t length, digest_bytes;

#define MUST(function, ...) (call = #function, (void)CHECK_NEEDED(function(__VA_ARGS__) == FIN_OK))

static void open_regions(void)
{
    for (size_t i = 0; i < COUNT_MAX; i++) {
        inputs[i] = region_of_input(CHUNKS_MAX);
    }
    input = region_of_input(9 * SHARED_BYTES);
    key_input = region_of_input(64);
    salt_input = region_of_input(32);
    personal_input = region_of_input(16);
    outputs = region_open(MANY * 72);
    roots[0] = region_open(64);
    roots[1] = region_open(64);
    proofs = region_open(FIN_MERKLE_PROOF_MAX * 64);
    contexts[0] = region_open(sizeof(fin_context));
    contexts[1] = region_open(sizeof(fin_context));
    merkles = region_open(sizeof(fin_merkle));
    trees = region_open(sizeof(fin_tree_mode_context));
    midstates = region_open(FIN_MIDSTATE_BYTES_MAX);
    parameters = region_open(sizeof(fin_params));
    shapes = region_open(sizeof(fin_tree_mode));
    message_lists = region_open(MANY * sizeof(fin_message));
    node_lists = region_open(COUNT_MAX * sizeof(fin_node));
    states = region_open(sizeof(block_state));
    shares = region_open(sizeof(fin_share));
    numbers = region_open(sizeof(size_t));
}

/* Sets all parameters. several: in calls for many messages, of which lanes write at most 32 bytes of
   BLAKE3. */
static void set_params(bool several)
{
    params = place(&parameters, sizeof *params);
    *params = (fin_params){.key = place(&key_input, info->key_bytes_max),
                           .key_bytes = info->key_bytes_max,
                           .salt = place(&salt_input, info->salt_bytes),
                           .salt_bytes = info->salt_bytes,
                           .personal = place(&personal_input, info->personal_bytes),
                           .personal_bytes = info->personal_bytes};
    digest_bytes = info->digest_bytes;
    if (info->digest_bytes_max > 64) {
        params->digest_bytes = digest_bytes = several && info->algorithm == FIN_BLAKE3 ? 32 : 61;
    }
}

static const uint8_t *one_input(void)
{
    return place(&inputs[0], length);
}

static void streams(void)
{
    const uint8_t *in = one_input();
    uint8_t *digest = place(&outputs, digest_bytes);
    fin_context *context = place(&contexts[0], sizeof *context);
    fin_context *other = place(&contexts[1], sizeof *other);
    size_t *bytes = place(&numbers, sizeof *bytes);
    MUST(fin_hash, info->algorithm, params, in, length, digest, digest_bytes);
    MUST(fin_init, context, info->algorithm, params);
    MUST(fin_update, context, in, length / 3);
    MUST(fin_copy, other, context);
    MUST(fin_update, context, in + length / 3, length - length / 3);
    MUST(fin_final, context, digest, digest_bytes);
    *bytes = FIN_MIDSTATE_BYTES_MAX;
    MUST(fin_save, other, place(&midstates, FIN_MIDSTATE_BYTES_MAX), bytes);
    uint8_t *midstate = place(&midstates, *bytes);
    MUST(fin_save, other, midstate, bytes);
    MUST(fin_restore, context, midstate, *bytes);
    MUST(fin_update, context, in + length / 3, length - length / 3);
    MUST(fin_final, context, digest, digest_bytes);
    fin_wipe(context);
    MUST(fin_init, context, info->algorithm, params);
    MUST(fin_reset, context);
    if (info->digest_bytes_max > 64) {
        MUST(fin_squeeze, context, digest, 1);
        MUST(fin_squeeze, context, place(&outputs, 60), 60);
    }
    if (info->bits) {
        const size_t bits = length == 0 ? 0 : 8 * length - length % 8;
        MUST(fin_hash_bits, info->algorithm, params, in, bits, digest, digest_bytes);
        MUST(fin_final_bits, context, 0xa0, 3, digest, digest_bytes);
    }
}

static void shared_leaves(void)
{
    const size_t bytes = 9 * length;
    const uint8_t *in = place(&input, bytes);
    fin_context *context = place(&contexts[0], sizeof *context);
    fin_share *share = place(&shares, sizeof *share);
    MUST(fin_init, context, info->algorithm, params);
    MUST(fin_share_begin, context, in, bytes, share);
    MUST(fin_share_leaves, context, share, 0, 1);
    MUST(fin_share_leaves, context, share, 1, share->leaf_count - 1);
    MUST(fin_share_end, context, share);
    MUST(fin_final, context, place(&outputs, digest_bytes), digest_bytes);
}

/* Returns messages of one length, or of any up to it. */
static fin_message *messages_of(size_t count, bool equal)
{
    fin_message *messages = place(&message_lists, count * sizeof *messages);
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = equal ? length : check_random_below(length + 1);
        messages[i] = (fin_message){place(&inputs[i], bytes), bytes};
    }
    return messages;
}

static size_t spread(size_t count, size_t stride)
{
    return count == 0 ? 0 : (count - 1) * stride + digest_bytes;
}

static void batches(size_t count, bool equal)
{
    const size_t stride = digest_bytes + (equal ? 0 : 5);
    const fin_message *messages = messages_of(count, equal);
    uint8_t *digests = place(&outputs, spread(count, stride));
    MUST(fin_hash_many, info->algorithm, params, messages, count, digests, stride);
    digests = place(&outputs, spread(count, stride));
    MUST(fin_hash_equal, info->algorithm, info->digest_bytes_max > 64 ? params : NULL,
         place(&input, count * length), length, count, digests, stride);
    if (info->algorithm == FIN_BLAKE3) { /* digests back to back: nodes, if blocks are whole */
        digests = place(&outputs, count * info->digest_bytes);
        MUST(fin_hash_equal, info->algorithm, NULL, place(&input, count * length), length, count,
             digests, info->digest_bytes);
    }
    if (info->family == FIN_FAMILY_GROESTL) {
        const size_t block_bytes = info->block_bytes;
        MUST(fin_groestl_pairs, info->algorithm, place(&input, count * block_bytes), count, digests,
             stride);
    }
}

static void many_messages(void)
{
    fin_message *messages = place(&message_lists, MANY * sizeof *messages);
    for (size_t i = 0; i < MANY; i++) {
        messages[i] = (fin_message){one_input(), length};
    }
    uint8_t *digests = place(&outputs, MANY * digest_bytes);
    MUST(fin_hash_many, info->algorithm, params, messages, MANY, digests, digest_bytes);
}

#include "guard_columns.h"

static void merkle_trees(size_t count)
{
    const fin_message *leaves = messages_of(count, true);
    const size_t old_count = (count + 1) / 2;
    uint8_t *hashes = place(&outputs, count * digest_bytes);
    uint8_t *root = place(&roots[0], digest_bytes), *old_root = place(&roots[1], digest_bytes);
    fin_merkle *tree = place(&merkles, sizeof *tree);
    size_t *proof_count = place(&numbers, sizeof *proof_count);
    MUST(fin_merkle_leaves, info->algorithm, params, leaves, count, hashes);
    MUST(fin_merkle_init, tree, info->algorithm, params);
    MUST(fin_merkle_append, tree, hashes, old_count);
    MUST(fin_merkle_root, tree, old_root, digest_bytes);
    MUST(fin_merkle_append, tree, hashes + old_count * digest_bytes, count - old_count);
    MUST(fin_merkle_root, tree, root, digest_bytes);
    fin_merkle_wipe(tree);
    uint8_t *proof = place(&proofs, FIN_MERKLE_PROOF_MAX * digest_bytes);
    MUST(fin_merkle_inclusion, info->algorithm, params, hashes, count, count / 2, proof,
         FIN_MERKLE_PROOF_MAX, proof_count);
    proof = place(&proofs, *proof_count * digest_bytes);
    MUST(fin_merkle_inclusion, info->algorithm, params, hashes, count, count / 2, proof,
         *proof_count, proof_count);
    MUST(fin_merkle_verify_inclusion, info->algorithm, params, hashes + count / 2 * digest_bytes,
         count / 2, count, proof, *proof_count, root);
    proof = place(&proofs, FIN_MERKLE_PROOF_MAX * digest_bytes);
    MUST(fin_merkle_consistency, info->algorithm, params, hashes, count, old_count, proof,
         FIN_MERKLE_PROOF_MAX, proof_count);
    proof = place(&proofs, *proof_count * digest_bytes);
    MUST(fin_merkle_consistency, info->algorithm, params, hashes, count, old_count, proof,
         *proof_count, proof_count);
    MUST(fin_merkle_verify_consistency, info->algorithm, params, old_count, old_root, count, root,
         proof, *proof_count);
}

static fin_tree_mode *shape_of(uint32_t leaf_bytes)
{
    fin_tree_mode *shape = place(&shapes, sizeof *shape);
    *shape = (fin_tree_mode){.fanout = 3,
                             .depth = 4,
                             .leaf_bytes = leaf_bytes,
                             .inner_bytes = (uint8_t)(digest_bytes - 3)};
    params->tree_mode = shape;
    return shape;
}

static void nodes(size_t count)
{
    fin_node *list = place(&node_lists, count * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        list[i] = (fin_node){place(&inputs[i], length), length, i, i % 5 == 0};
    }
    shape_of(100);
    uint8_t *digests = place(&outputs, count * digest_bytes);
    MUST(fin_hash_nodes, info->algorithm, params, list, count, digests, digest_bytes);
    params->tree_mode = NULL;
}

static void blake2_trees(void)
{
    const size_t bytes = 9 * length;
    const uint8_t *in = place(&input, bytes);
    const uint32_t leaf_bytes = 1 + (uint32_t)length;
    fin_tree_mode_context *tree = place(&trees, sizeof *tree);
    const fin_tree_mode *shape = shape_of(leaf_bytes);
    const size_t leaves = 9 * length / leaf_bytes, inner_bytes = shape->inner_bytes;
    uint8_t *digest = place(&roots[0], digest_bytes);
    uint8_t *leaf_digests = place(&outputs, leaves * inner_bytes);
    MUST(fin_tree_mode_hash, info->algorithm, params, in, bytes, digest, digest_bytes);
    MUST(fin_tree_mode_init, tree, info->algorithm, params);
    const uint8_t *whole = place(&input, leaves * leaf_bytes);
    MUST(fin_tree_mode_leaves, tree, whole, leaves * leaf_bytes, 0, leaf_digests);
    MUST(fin_tree_mode_append, tree, leaf_digests, leaves);
    MUST(fin_tree_mode_update, tree, in, bytes);
    MUST(fin_tree_mode_final, tree, digest, digest_bytes);
    fin_tree_mode_wipe(tree);
    params->tree_mode = NULL;
}

static void blocks(void)
{
    const size_t block_bytes = info->block_bytes, stride = block_bytes + length % 7;
    const size_t count = 1 + length % 4, rest = length % (block_bytes + 1);
    const size_t span = (count - 1) * stride + block_bytes;
    block_state begun;
    if (!block_start(&begun, info->algorithm, NULL)) {
        return;
    }
    void *state = place(&states, block_state_bytes(info->algorithm));
    memcpy(state, &begun.is, block_state_bytes(info->algorithm));
    MUST(block_call_on, info->algorithm, state, place(&input, span), count * block_bytes, stride);
    block_set_flags(&begun, UINT64_MAX, 0);
    memcpy(state, &begun.is, block_state_bytes(info->algorithm));
    MUST(block_call_on, info->algorithm, state, place(&input, rest), rest, block_bytes);
    if (info->algorithm == FIN_BLAKE2B) {
        uint64_t *h = place(&states, 64);
        const uint64_t *t = place(&key_input, 16);
        MUST(fin_blake2b_f, 12, h, place(&inputs[0], 128), t, true);
    }
}

/* Calls the functions named after an algorithm. */
static void by_name(void)
{
    typedef fin_status one_shot(uint8_t *digest, const void *in, size_t bytes);
    typedef fin_status salted(fin_context * context, const uint8_t *salt);
    typedef fin_status keyed(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes,
                             const uint8_t *key, size_t key_bytes);
    static one_shot *const one_shots[] = {[FIN_BLAKE224] = fin_blake224,
                                          [FIN_BLAKE256] = fin_blake256,
                                          [FIN_BLAKE384] = fin_blake384,
                                          [FIN_BLAKE512] = fin_blake512,
                                          [FIN_BLAKE28] = fin_blake28,
                                          [FIN_BLAKE32] = fin_blake32,
                                          [FIN_BLAKE48] = fin_blake48,
                                          [FIN_BLAKE64] = fin_blake64,
                                          [FIN_GROESTL224] = fin_groestl224,
                                          [FIN_GROESTL256] = fin_groestl256,
                                          [FIN_GROESTL384] = fin_groestl384,
                                          [FIN_GROESTL512] = fin_groestl512,
                                          [FIN_BLAKE3] = NULL};
    static salted *const inits[] = {[FIN_BLAKE224] = fin_blake224_init,
                                    [FIN_BLAKE256] = fin_blake256_init,
                                    [FIN_BLAKE384] = fin_blake384_init,
                                    [FIN_BLAKE512] = fin_blake512_init,
                                    [FIN_BLAKE28] = fin_blake28_init,
                                    [FIN_BLAKE32] = fin_blake32_init,
                                    [FIN_BLAKE48] = fin_blake48_init,
                                    [FIN_BLAKE64] = fin_blake64_init,
                                    [FIN_BLAKE3] = NULL};
    static keyed *const keyed_shots[] = {
        [FIN_BLAKE2B] = fin_blake2b,   [FIN_BLAKE2S] = fin_blake2s,   [FIN_BLAKE2BP] = fin_blake2bp,
        [FIN_BLAKE2SP] = fin_blake2sp, [FIN_BLAKE2XB] = fin_blake2xb, [FIN_BLAKE2XS] = fin_blake2xs,
        [FIN_BLAKE3] = fin_blake3};
    uint8_t *digest = place(&outputs, digest_bytes);
    fin_context *context = place(&contexts[0], sizeof *context);
    if (one_shots[info->algorithm] != NULL) {
        MUST(one_shots[info->algorithm], digest, one_input(), length);
    }
    if (inits[info->algorithm] != NULL) {
        MUST(inits[info->algorithm], context, params->salt);
    }
    if (keyed_shots[info->algorithm] != NULL) {
        MUST(keyed_shots[info->algorithm], digest, digest_bytes, one_input(), length, params->key,
             params->key_bytes);
    }
    if (info->family == FIN_FAMILY_GROESTL) {
        MUST(fin_groestl, digest, digest_bytes, one_input(), length);
        MUST(fin_groestl0, digest, digest_bytes, one_input(), length);
    }
}

/* Makes calls that take texts, and calls that write descriptions. */
static void texts(void)
{
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const char *text = fin_algorithm_at(i)->name;
        const size_t bytes = strlen(text) + 1;
        char *name = place(&outputs, bytes);
        fin_algorithm *algorithm = place(&numbers, sizeof *algorithm);
        memcpy(name, text, bytes);
        MUST(fin_algorithm_by_name, name, algorithm);
        text = fin_impl_selected(fin_algorithm_at(i)->algorithm);
        name = memcpy(place(&outputs, strlen(text) + 1), text, strlen(text) + 1);
        MUST(fin_impl_select, fin_algorithm_at(i)->algorithm, name);
        MUST(fin_impl_select, fin_algorithm_at(i)->algorithm, NULL);
    }
    fin_impl_info *impl = place(&states, sizeof *impl);
    for (size_t i = 0; i < fin_impl_count(); i++) {
        MUST(fin_impl_at, i, impl);
    }
    const size_t features_bytes = fin_cpu_features(NULL, 0) + 1;
    call = "fin_cpu_features";
    CHECK(fin_cpu_features(place(&outputs, features_bytes), features_bytes) == features_bytes - 1);
    CHECK(fin_cpu_features(place(&outputs, 3), 3) == features_bytes - 1);
}

/* ---- All of them ---- */

static bool every_length;

/* Tests BLAKE3's chunks: single, in lanes, and more than one kernel call can take. */
static void check_chunks(bool several)
{
    static const size_t lengths[] = {1023, 1024, 1025, 2048, 3001, 5 * 1024, CHUNKS_MAX};
    info = fin_algorithm_describe(FIN_BLAKE3);
    for (int side = 0; side < 2; side++) {
        at_end = side == 0;
        set_params(several);
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            length = lengths[i];
            streams();
            if (length <= 2048) {
                batches(3, true);
                batches(3, false);
                merkle_trees(COUNT_MAX);
            }
        }
        length = SHARED_BYTES;
        shared_leaves();
    }
}

static void check_single(fin_algorithm algorithm, const char *impl, void *data)
{
    (void)impl;
    (void)data;
    if (algorithm == FIN_BLAKE3) {
        check_chunks(false);
    }
    info = fin_algorithm_describe(algorithm);
    for (int side = 0; side < 2; side++) {
        at_end = side == 0;
        set_params(false);
        for (length = 0; length <= 4 * info->block_bytes + 3; length++) {
            const size_t from_edge = (length + 2) % info->block_bytes;
            if (!every_length && from_edge > 4 && length % 61 != 0) {
                continue;
            }
            streams();
            blocks();
            by_name();
            if (algorithm == FIN_BLAKE2BP || algorithm == FIN_BLAKE2SP) {
                shared_leaves();
            }
        }
    }
}

static void check_several(fin_algorithm algorithm)
{
    if (algorithm == FIN_BLAKE3) {
        check_chunks(true);
    }
    info = fin_algorithm_describe(algorithm);
    for (int side = 0; side < 2; side++) {
        at_end = side == 0;
        set_params(true);
        for (length = 0; length <= 4 * info->block_bytes + 3; length++) {
            const size_t from_edge = (length + 2) % info->block_bytes;
            if (!every_length && from_edge > 4 && length % 61 != 0) {
                continue;
            }
            batches(COUNT_MAX, true);
            if (length % 4 == 0) {
                batches(1 + check_random_below(COUNT_MAX), false);
            }
            columns(1 + length % COUNT_MAX, length % 2 == 0);
            if (length % 61 == 0) {
                many_messages();
            }
            if (length % 3 == 0) {
                merkle_trees(1 + length % COUNT_MAX);
            }
            if (algorithm == FIN_BLAKE2B || algorithm == FIN_BLAKE2S) {
                nodes(1 + length % COUNT_MAX);
                blake2_trees();
            }
        }
    }
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    every_length = argument_count > 1 && strcmp(arguments[1], "all") == 0;
    (void)signal(SIGSEGV, beyond);
    (void)signal(SIGBUS, beyond);
    open_regions();
    open_column_regions();
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm algorithm = fin_algorithm_at(i)->algorithm;
        check_each_impl(algorithm, check_single, NULL);
        check_each_choice(algorithm, check_several);
    }
    if (check_part("texts")) {
        for (int side = 0; side < 2; side++) {
            at_end = side == 0;
            texts();
        }
    }
    CHECK(true);
    return check_report();
}
