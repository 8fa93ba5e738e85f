/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares fin_hash_nodes with one node at a time: offsets, last nodes, keys, bad input.
 */
#include "batch.h"

static batch shared;

static void tree_nodes(fin_algorithm algorithm)
{
    const bool wide = algorithm == FIN_BLAKE2B;
    for (int keyed = 0; keyed < 2; keyed++) {
        random_batch(&shared, algorithm, 70, false);
        fin_tree_mode tree = {.fanout = 3, .depth = 2, .leaf_bytes = 77, .inner_bytes = 32};
        const uint64_t offsets = wide ? UINT64_MAX : (UINT64_C(1) << 48) - 1;
        fin_params params = shared.params;
        params.tree_mode = &tree;
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

/* Puts a wrong node at every index among good ones: nothing may be hashed. */
static void one_wrong_node(void)
{
    enum { NODES = 20 };
    static uint8_t digests[NODES * 64];
    static const uint64_t wrong[] = {UINT64_C(1) << 48, UINT64_C(1) << 63, UINT64_MAX};
    const fin_tree_mode tree = {.fanout = 2, .depth = 2, .inner_bytes = 32};
    const fin_params params = {.tree_mode = &tree};
    fin_node nodes[NODES];
    memset(digests, GUARD, sizeof digests);
    for (size_t count = 1; count <= NODES; count++) {
        for (size_t at = 0; at < count; at++) {
            for (size_t i = 0; i < NODES; i++) {
                nodes[i] = (fin_node){text, i, (UINT64_C(1) << 48) - 1 - i, false};
            }
            for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
                nodes[at].node_offset = wrong[i];
                CHECK_STATUS(FIN_ERR_TREE_MODE,
                             fin_hash_nodes(FIN_BLAKE2S, &params, nodes, count, digests, 64));
            }
            nodes[at] = (fin_node){NULL, 1, at, false};
            CHECK_STATUS(FIN_ERR_NULL,
                         fin_hash_nodes(FIN_BLAKE2S, &params, nodes, count, digests, 64));
            CHECK_STATUS(FIN_ERR_NULL,
                         fin_hash_nodes(FIN_BLAKE2B, &params, nodes, count, digests, 64));
        }
    }
    for (size_t i = 0; i < sizeof digests; i++) {
        (void)CHECK_NEEDED(digests[i] == GUARD);
    }
}

static void bad_input(void)
{
    uint8_t digests[3 * 64], untouched[3 * 64];
    memset(digests, GUARD, sizeof digests);
    memcpy(untouched, digests, sizeof digests);
    fin_node nodes[2] = {{text, 1, 0, false}, {text, 2, UINT64_C(1) << 48, true}};
    fin_tree_mode tree = {.fanout = 2, .depth = 2, .inner_bytes = 32};
    fin_params params = {.tree_mode = &tree};
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_hash_nodes(FIN_BLAKE2S, NULL, nodes, 2, digests, 64));
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_hash_nodes(FIN_BLAKE256, &params, nodes, 1, digests, 64));
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_hash_nodes(FIN_BLAKE2S, &params, nodes, 2, digests, 64));
    tree.last_node = true;
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_hash_nodes(FIN_BLAKE2S, &params, nodes, 1, digests, 64));
    CHECK_STATUS(FIN_ERR_NULL, fin_hash_nodes(FIN_BLAKE2S, &params, NULL, 1, digests, 64));
    CHECK_BYTES(untouched, digests, sizeof digests);
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(text, sizeof text);
    check_each_choice(FIN_BLAKE2B, tree_nodes);
    check_each_choice(FIN_BLAKE2S, tree_nodes);
    if (check_part("bad input")) {
        bad_input();
        one_wrong_node();
    }
    return check_report();
}
