/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages at once against one at a time, through every implementation of several messages
 * that the CPU supports: every lane, every mixture of lengths, parameters, and bad input.
 */
#include "check.h"

enum { MESSAGES_MAX = 100, BYTES_MAX = 1200, DIGEST_MAX = 64, GUARD = 0xc3 };

/* One batch and what must come of it. */
typedef struct batch {
    fin_algorithm algorithm;
    fin_params params;
    fin_tree tree;
    uint8_t key[64], salt[32];
    size_t count;
    fin_message messages[MESSAGES_MAX];
    fin_node nodes[MESSAGES_MAX];
    size_t digest_bytes, stride;
    uint8_t expected[MESSAGES_MAX][DIGEST_MAX];
    uint8_t digests[MESSAGES_MAX * (DIGEST_MAX + 16)];
} batch;

static uint8_t text[BYTES_MAX + 200];

/* Lengths at the edges of blocks are as likely as all others together. */
static size_t random_length(size_t block_bytes)
{
    switch (check_random_below(4)) {
    case 0:
        return check_random_below(3);
    case 1:
        return block_bytes * check_random_below(BYTES_MAX / block_bytes);
    case 2:
        return block_bytes * (1 + check_random_below(3)) - 20 + check_random_below(24);
    default:
        return check_random_below(BYTES_MAX + 1);
    }
}

static void choose_params(batch *b, const fin_algorithm_info *info, bool with_params)
{
    b->params = (fin_params){0};
    if (info->digest_bytes_max > DIGEST_MAX) {
        b->params.digest_bytes = 1 + check_random_below(DIGEST_MAX);
    } else if (with_params) {
        const size_t range = (size_t)(info->digest_bytes_max - info->digest_bytes_min + 1);
        b->params.digest_bytes = info->digest_bytes_min + check_random_below(range);
    }
    if (with_params) {
        check_random_bytes(b->key, sizeof b->key);
        check_random_bytes(b->salt, sizeof b->salt);
        b->params.key = b->key;
        b->params.key_bytes = check_random_below(info->key_bytes_max + 1U);
        b->params.salt = b->salt;
        b->params.salt_bytes = info->salt_bytes;
    }
    b->digest_bytes =
        (size_t)(b->params.digest_bytes != 0 ? b->params.digest_bytes : info->digest_bytes);
    b->stride = b->digest_bytes + check_random_below(16);
}

static void random_batch(batch *b, fin_algorithm algorithm, size_t count, bool with_params)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    b->algorithm = algorithm;
    b->count = count;
    choose_params(b, info, with_params);
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = random_length(info->block_bytes);
        const uint8_t *in = text + check_random_below(200);
        b->messages[i] = (fin_message){bytes == 0 && i % 2 == 0 ? NULL : in, bytes};
        const fin_status status = fin_hash(algorithm, &b->params, b->messages[i].in, bytes,
                                           b->expected[i], b->digest_bytes);
        (void)CHECK_NEEDED(status == FIN_OK);
    }
}

static void check_digests(const batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        const uint8_t *digest = b->digests + i * b->stride;
        bool guarded = true;
        for (size_t k = b->digest_bytes; k < b->stride; k++) {
            guarded = guarded && digest[k] == GUARD;
        }
        if (!CHECK_BYTES(b->expected[i], digest, b->digest_bytes) || !CHECK(guarded)) {
            printf("    message %lu of %lu, %lu bytes\n", (unsigned long)i, (unsigned long)b->count,
                   (unsigned long)b->messages[i].bytes);
            return;
        }
    }
}

static void check_batch(batch *b)
{
    memset(b->digests, GUARD, sizeof b->digests);
    CHECK_STATUS(FIN_OK, fin_hash_many(b->algorithm, &b->params, b->messages, b->count, b->digests,
                                       b->stride));
    check_digests(b);
}

static batch shared;

static void random_batches(fin_algorithm algorithm)
{
    static const size_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 100};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        random_batch(&shared, algorithm, counts[i], false);
        check_batch(&shared);
        random_batch(&shared, algorithm, counts[i], true);
        check_batch(&shared);
    }
}

/* One long message among short ones stands in each place of a batch once: in each lane, beside
   lanes that change their messages meanwhile. */
static void every_lane(fin_algorithm algorithm)
{
    random_batch(&shared, algorithm, MESSAGES_MAX, false);
    for (size_t place = 0; place < 40; place++) {
        for (size_t i = 0; i < 40; i++) {
            const size_t bytes = i == place ? BYTES_MAX : i % 5;
            shared.messages[i] = (fin_message){text + i, bytes};
            const fin_status status = fin_hash(algorithm, &shared.params, text + i, bytes,
                                               shared.expected[i], shared.digest_bytes);
            (void)CHECK_NEEDED(status == FIN_OK);
        }
        shared.count = 40;
        check_batch(&shared);
    }
}

/* The scheduler orders messages by length within windows of 256 and counts lengths coarser beyond
   16 KiB: more messages than two windows, lengths on both sides. */
static void windows(fin_algorithm algorithm)
{
    enum { COUNT = 600, LONGEST = 70000 };
    static uint8_t in[LONGEST + COUNT], digests[COUNT * DIGEST_MAX], expected[DIGEST_MAX];
    static fin_message messages[COUNT];
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    if (info->digest_bytes_max > DIGEST_MAX) {
        return;
    }
    check_random_bytes(in, sizeof in);
    for (size_t i = 0; i < COUNT; i++) {
        const bool is_long = i % 97 == 5;
        messages[i] = (fin_message){in + i, check_random_below(is_long ? LONGEST : 300)};
    }
    CHECK_STATUS(FIN_OK, fin_hash_many(algorithm, NULL, messages, COUNT, digests, DIGEST_MAX));
    for (size_t i = 0; i < COUNT; i++) {
        const fin_message message = messages[i];
        (void)CHECK_NEEDED(fin_hash(algorithm, NULL, message.in, message.bytes, expected,
                                    sizeof expected) == FIN_OK);
        if (!CHECK_BYTES(expected, digests + i * DIGEST_MAX, info->digest_bytes)) {
            return;
        }
    }
}

static void side_by_side(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    static const size_t lengths[] = {0, 1, 32, 64, 65, 128, 200};
    if (info->digest_bytes_max > DIGEST_MAX) {
        return;
    }
    static uint8_t in[MESSAGES_MAX * 200];
    check_random_bytes(in, sizeof in);
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        random_batch(&shared, algorithm, MESSAGES_MAX, false);
        for (size_t i = 0; i < shared.count; i++) {
            shared.messages[i] = (fin_message){in + i * lengths[k], lengths[k]};
            const fin_status status = fin_hash(algorithm, NULL, in + i * lengths[k], lengths[k],
                                               shared.expected[i], shared.digest_bytes);
            (void)CHECK_NEEDED(status == FIN_OK);
        }
        memset(shared.digests, GUARD, sizeof shared.digests);
        CHECK_STATUS(FIN_OK, fin_compress_many(algorithm, in, lengths[k], shared.count,
                                               shared.digests, shared.stride));
        check_digests(&shared);
    }
}

static void tree_nodes(fin_algorithm algorithm)
{
    const bool wide = algorithm == FIN_BLAKE2B;
    for (int keyed = 0; keyed < 2; keyed++) {
        random_batch(&shared, algorithm, 70, false);
        fin_tree tree = {.fanout = 3, .depth = 2, .leaf_bytes = 77, .inner_bytes = 32};
        const uint64_t offsets = wide ? UINT64_MAX : (UINT64_C(1) << 48) - 1;
        fin_params params = shared.params;
        params.tree = &tree;
        params.key = shared.key;
        params.key_bytes = keyed != 0 ? 9 : 0;
        for (size_t i = 0; i < shared.count; i++) {
            const fin_message message = shared.messages[i];
            tree.node_offset = check_random() & offsets;
            tree.last_node = i % 3 == 0;
            shared.nodes[i] =
                (fin_node){message.in, message.bytes, tree.node_offset, tree.last_node};
            (void)CHECK_NEEDED(fin_hash(algorithm, &params, message.in, message.bytes,
                                        shared.expected[i], shared.digest_bytes) == FIN_OK);
        }
        tree.node_offset = 0;
        tree.last_node = false;
        memset(shared.digests, GUARD, sizeof shared.digests);
        CHECK_STATUS(FIN_OK, fin_hash_nodes(algorithm, &params, shared.nodes, shared.count,
                                            shared.digests, shared.stride));
        check_digests(&shared);
    }
}

/* A block that happens to be a padded message of one block has that message's digest. */
static void padded_pairs(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const size_t block_bytes = info->digest_bytes > 32 ? 128 : 64;
    uint8_t in[5 * 128] = {0}, digests[5 * 80], expected[64];
    memset(digests, GUARD, sizeof digests);
    for (size_t i = 0; i < 5; i++) {
        uint8_t *block = in + block_bytes * i;
        memcpy(block, text, 10 * i);
        block[10 * i] = 0x80;
        block[block_bytes - 1] = 1;
    }
    CHECK_STATUS(FIN_OK, fin_groestl_pairs(algorithm, in, 5, digests, 80));
    for (size_t i = 0; i < 5; i++) {
        CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, text, 10 * i, expected, sizeof expected));
        CHECK_BYTES(expected, digests + 80 * i, info->digest_bytes);
        CHECK(digests[80 * i + info->digest_bytes] == GUARD);
    }
}

/* Any blocks, and what the portable code makes of them. */
static uint8_t pairs[MESSAGES_MAX * 128];

static void random_pairs(fin_algorithm algorithm)
{
    static const size_t counts[] = {0, 1, 2, 3, 4, 5, 8, 9, 15, 17, MESSAGES_MAX};
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    padded_pairs(algorithm);
    shared.digest_bytes = info->digest_bytes;
    shared.stride = shared.digest_bytes + 3;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        shared.count = counts[i];
        memset(shared.digests, GUARD, sizeof shared.digests);
        CHECK_STATUS(FIN_OK, fin_groestl_pairs(algorithm, pairs, shared.count, shared.digests,
                                               shared.stride));
        check_digests(&shared);
        CHECK(shared.digests[shared.count * shared.stride] == GUARD);
    }
}

static void groestl_pairs(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    check_random_bytes(pairs, sizeof pairs);
    CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, "bitslice"));
    CHECK_STATUS(FIN_OK,
                 fin_groestl_pairs(algorithm, pairs, MESSAGES_MAX, shared.expected[0], DIGEST_MAX));
    CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, NULL));
    for (size_t i = 0; i < MESSAGES_MAX; i++) {
        shared.messages[i] = (fin_message){pairs + info->block_bytes * i, info->block_bytes};
    }
    check_each_choice(algorithm, random_pairs);
}

static void a_million_empty_messages(void)
{
    enum { MILLION = 1000000 };
    fin_message *messages = check_allocate(MILLION * sizeof messages[0]);
    uint8_t *digests = check_allocate(32 * (size_t)MILLION);
    uint8_t expected[32];
    check_context("a million empty messages");
    memset(messages, 0, MILLION * sizeof messages[0]);
    CHECK_STATUS(FIN_OK, fin_hash_many(FIN_BLAKE2S, NULL, messages, MILLION, digests, 32));
    (void)CHECK_NEEDED(fin_hash(FIN_BLAKE2S, NULL, NULL, 0, expected, 32) == FIN_OK);
    size_t equal = 0;
    for (size_t i = 0; i < MILLION; i++) {
        equal += memcmp(expected, digests + 32 * i, 32) == 0;
    }
    CHECK(equal == MILLION);
    free(messages);
    free(digests);
}

static void bad_input(void)
{
    uint8_t digests[3 * 64], untouched[3 * 64];
    memset(digests, GUARD, sizeof digests);
    memcpy(untouched, digests, sizeof digests);
    fin_message messages[3] = {{text, 1000}, {text, 1}, {NULL, 0}};
    fin_node nodes[2] = {{text, 1, 0, false}, {text, 2, UINT64_C(1) << 48, true}};
    fin_tree tree = {.fanout = 2, .depth = 2, .inner_bytes = 32};
    fin_params params = {0}, tree_params = {.tree = &tree};
    check_context("bad input");
    CHECK_STATUS(FIN_ERR_ALGORITHM,
                 fin_hash_many((fin_algorithm)0, NULL, messages, 3, digests, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_many(FIN_BLAKE256, NULL, NULL, 3, digests, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_many(FIN_BLAKE256, NULL, messages, 3, NULL, 64));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH,
                 fin_hash_many(FIN_BLAKE256, NULL, messages, 3, digests, 31));
    CHECK_STATUS(FIN_OK, fin_hash_many(FIN_BLAKE256, NULL, NULL, 0, NULL, 32));
    messages[2].bytes = 5;
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm algorithm = fin_algorithm_at(i)->algorithm;
        check_context("bad input, %s", fin_algorithm_at(i)->name);
        params.digest_bytes = fin_algorithm_at(i)->digest_bytes;
        CHECK_STATUS(FIN_ERR_NULL, fin_hash_many(algorithm, &params, messages, 3, digests, 64));
    }
    messages[2].bytes = 0;
    check_context("bad input");
    params = (fin_params){.digest_bytes = FIN_XOF_UNKNOWN};
    CHECK_STATUS(FIN_ERR_DIGEST_LENGTH,
                 fin_hash_many(FIN_BLAKE2XB, &params, messages, 3, digests, 64));
    if (SIZE_MAX > UINT32_MAX) {
        messages[1].bytes = SIZE_MAX;
        CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH,
                     fin_hash_many(FIN_BLAKE256, NULL, messages, 3, digests, 64));
    }
    CHECK_STATUS(FIN_ERR_TREE, fin_hash_nodes(FIN_BLAKE2S, NULL, nodes, 2, digests, 64));
    CHECK_STATUS(FIN_ERR_TREE, fin_hash_nodes(FIN_BLAKE256, &tree_params, nodes, 1, digests, 64));
    CHECK_STATUS(FIN_ERR_TREE, fin_hash_nodes(FIN_BLAKE2S, &tree_params, nodes, 2, digests, 64));
    tree.last_node = true;
    CHECK_STATUS(FIN_ERR_TREE, fin_hash_nodes(FIN_BLAKE2S, &tree_params, nodes, 1, digests, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_nodes(FIN_BLAKE2S, &tree_params, NULL, 1, digests, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_compress_many(FIN_BLAKE2S, NULL, 64, 1, digests, 64));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_compress_many(FIN_BLAKE2B, text, 64, 1, digests, 63));
    CHECK_STATUS(FIN_OK, fin_compress_many(FIN_BLAKE2B, NULL, 64, 0, NULL, 64));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_groestl_pairs(FIN_BLAKE2B, text, 1, digests, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_groestl_pairs(FIN_GROESTL256, NULL, 1, digests, 64));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_groestl_pairs(FIN_GROESTL256, text, 1, digests, 31));
    CHECK_BYTES(untouched, digests, sizeof digests);
}

/* A name of one mode leaves the other's choice as the header says. */
static void choices(void)
{
    fin_impl_info impl, many = {0};
    check_context("choices");
    for (size_t i = 0; i < fin_impl_count(); i++) {
        (void)CHECK_NEEDED(fin_impl_at(i, &impl) == FIN_OK);
        if (impl.supported && impl.lanes > 1 && strcmp(impl.algorithm, "blake2s") == 0) {
            many = impl;
        }
    }
    if (many.name == NULL) {
        return;
    }
    char before[32];
    snprintf(before, sizeof before, "%s", fin_impl_selected(FIN_BLAKE2S));
    CHECK_STATUS(FIN_OK, fin_impl_select(FIN_BLAKE2S, many.name));
    CHECK(strcmp(fin_impl_selected(FIN_BLAKE2S), before) == 0);
    for (int round = 0; round < 3; round++) {
        unsigned selected = 0;
        for (size_t i = 0; i < fin_impl_count(); i++) {
            (void)CHECK_NEEDED(fin_impl_at(i, &impl) == FIN_OK);
            selected += impl.selected && impl.lanes > 1 && strcmp(impl.algorithm, "blake2s") == 0;
        }
        CHECK(selected == (round == 1 ? 0 : 1));
        CHECK_STATUS(FIN_OK, fin_impl_select(FIN_BLAKE2S, round == 0 ? "portable" : NULL));
    }
}

int main(void)
{
    check_random_bytes(text, sizeof text);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm algorithm = fin_algorithm_at(i)->algorithm;
        check_each_choice(algorithm, random_batches);
        check_each_choice(algorithm, every_lane);
        check_each_choice(algorithm, windows);
        check_each_choice(algorithm, side_by_side);
        if (algorithm == FIN_BLAKE2B || algorithm == FIN_BLAKE2S) {
            check_each_choice(algorithm, tree_nodes);
        }
        if (fin_algorithm_at(i)->family == FIN_FAMILY_GROESTL) {
            groestl_pairs(algorithm);
        }
    }
    a_million_empty_messages();
    bad_input();
    choices();
    return check_report();
}
