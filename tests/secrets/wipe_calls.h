/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The public calls of tests/secrets/wipe.c, and the order in which they are made.
 */
#include "block_state.h"

static struct {
    fin_algorithm algorithm;
    fin_params params;
    bool no_params; /* pass null */
    fin_tree_mode shape;
    size_t bytes; /* length of a message */
    size_t count;
} now;

static uint8_t key[64], text[GROUP_BYTES + 1];
static fin_context context, copy;
static fin_merkle merkle;
static fin_tree_mode_context tree;
static fin_share share;
static block_state blocks;
static fin_message messages[MESSAGES_MAX];
static fin_node nodes[MESSAGES_MAX];
static uint8_t digests[MESSAGES_MAX * 64], proof[FIN_MERKLE_PROOF_MAX * 64], root[64], old_root[64];
static uint8_t midstate[FIN_MIDSTATE_BYTES_MAX];
static size_t midstate_bytes, proof_count;

static fin_status do_hash(void)
{
    return fin_hash(now.algorithm, now.no_params ? NULL : &now.params, text, now.bytes, digests,
                    64);
}

/* BLAKE2X finds only at its end that the digest does not fit. */
static fin_status do_hash_refused(void)
{
    const fin_status status = fin_hash(now.algorithm, &now.params, text, now.bytes, digests, 1);
    return status == FIN_ERR_OUTPUT_LENGTH ? FIN_OK : FIN_ERR_STATE;
}

/* Computes the chaining value of a whole message. */
static fin_status do_subtree(void)
{
    fin_params own = now.params;
    own.digest_bytes = 32;
    return fin_blake3_subtree_cv(root, &own, text, now.bytes, 0);
}

static fin_status do_init(void)
{
    return fin_init(&context, now.algorithm, &now.params);
}

static fin_status do_update(void)
{
    return fin_update(&context, text, now.bytes);
}

/* Hashes in parts that are buffered. */
static fin_status do_pieces(void)
{
    fin_status status = FIN_OK;
    for (size_t at = 0; at < now.bytes && status == FIN_OK; at += 40) {
        status = fin_update(&context, text + at, now.bytes - at < 40 ? now.bytes - at : 40);
    }
    return status;
}

static fin_status do_save(void)
{
    midstate_bytes = sizeof midstate;
    return fin_save(&context, midstate, &midstate_bytes);
}

static fin_status do_restore(void)
{
    return fin_restore(&copy, midstate, midstate_bytes);
}

static fin_status do_copy(void)
{
    return fin_copy(&copy, &context);
}

static fin_status do_reset(void)
{
    return fin_reset(&copy);
}

static fin_status do_final(void)
{
    return fin_final(&context, digests, 64);
}

static fin_status do_squeeze(void)
{
    return fin_squeeze(&context, digests, (size_t)now.params.digest_bytes);
}

static fin_status do_wipe(void)
{
    fin_wipe(&context);
    return FIN_OK;
}

static fin_status do_share_begin(void)
{
    return fin_share_begin(&context, text, now.bytes, &share);
}

/* Shares one leaf, which takes another path than several. */
static fin_status do_share_leaf(void)
{
    return fin_share_leaves(&context, &share, 0, 1);
}

static fin_status do_share_leaves(void)
{
    return fin_share_leaves(&context, &share, 1, share.leaf_count - 1);
}

static fin_status do_share_end(void)
{
    return fin_share_end(&context, &share);
}

static fin_status do_many(void)
{
    return fin_hash_many(now.algorithm, &now.params, messages, now.count, digests, 64);
}

static fin_status do_nodes(void)
{
    return fin_hash_nodes(now.algorithm, &now.params, nodes, now.count, digests, 64);
}

static fin_status do_merkle_leaves(void)
{
    return fin_merkle_leaves(now.algorithm, &now.params, messages, now.count, digests);
}

static fin_status do_merkle_init(void)
{
    return fin_merkle_init(&merkle, now.algorithm, &now.params);
}

static fin_status do_merkle_append(void)
{
    return fin_merkle_append(&merkle, digests, now.count);
}

static fin_status do_merkle_append_equal(void)
{
    return fin_merkle_append_equal(&merkle, digests, now.count);
}

static fin_status do_merkle_root(void)
{
    return fin_merkle_root(&merkle, root, sizeof root);
}

static fin_status do_merkle_wipe(void)
{
    fin_merkle_wipe(&merkle);
    return FIN_OK;
}

static fin_status do_inclusion(void)
{
    return fin_merkle_inclusion(now.algorithm, &now.params, digests, now.count, now.count / 2,
                                proof, FIN_MERKLE_PROOF_MAX, &proof_count);
}

/* There is no such leaf. */
static fin_status do_inclusion_refused(void)
{
    const fin_status status =
        fin_merkle_inclusion(now.algorithm, &now.params, digests, now.count, now.count, proof,
                             FIN_MERKLE_PROOF_MAX, &proof_count);
    return status == FIN_ERR_INDEX ? FIN_OK : FIN_ERR_STATE;
}

static fin_status do_verify_inclusion(void)
{
    const size_t hash_bytes = now.params.digest_bytes != 0
                                  ? (size_t)now.params.digest_bytes
                                  : fin_algorithm_describe(now.algorithm)->digest_bytes;
    return fin_merkle_verify_inclusion(now.algorithm, &now.params,
                                       digests + now.count / 2 * hash_bytes, now.count / 2,
                                       now.count, proof, proof_count, root);
}

static fin_status do_consistency(void)
{
    return fin_merkle_consistency(now.algorithm, &now.params, digests, now.count,
                                  (now.count + 1) / 2, proof, FIN_MERKLE_PROOF_MAX, &proof_count);
}

static fin_status do_verify_consistency(void)
{
    return fin_merkle_verify_consistency(now.algorithm, &now.params, (now.count + 1) / 2, old_root,
                                         now.count, root, proof, proof_count);
}

static fin_status do_old_root(void)
{
    fin_status status = fin_merkle_append(&merkle, digests, (now.count + 1) / 2);
    return status == FIN_OK ? fin_merkle_root(&merkle, old_root, sizeof old_root) : status;
}

static fin_status do_tree_hash(void)
{
    return fin_tree_mode_hash(now.algorithm, &now.params, text, now.bytes, digests, 64);
}

/* Makes a call that is refused because the output is too short. */
static fin_status do_tree_hash_refused(void)
{
    const fin_status status =
        fin_tree_mode_hash(now.algorithm, &now.params, text, now.bytes, digests, 1);
    return status == FIN_ERR_OUTPUT_LENGTH ? FIN_OK : FIN_ERR_STATE;
}

static fin_status do_tree_init(void)
{
    return fin_tree_mode_init(&tree, now.algorithm, &now.params);
}

static fin_status do_tree_leaves(void)
{
    const size_t whole = now.bytes / now.shape.leaf_bytes * now.shape.leaf_bytes;
    return fin_tree_mode_leaves(&tree, text, whole, 0, digests);
}

static fin_status do_tree_append(void)
{
    return fin_tree_mode_append(&tree, digests, now.bytes / now.shape.leaf_bytes);
}

static fin_status do_tree_update(void)
{
    return fin_tree_mode_update(&tree, text, now.bytes);
}

static fin_status do_tree_final(void)
{
    return fin_tree_mode_final(&tree, digests, 64);
}

static fin_status do_tree_wipe(void)
{
    fin_tree_mode_wipe(&tree);
    return FIN_OK;
}

typedef struct step {
    const char *name;
    fin_status (*run)(void);
    bool hashes; /* writes digests, one or now.count of them */
} step;

/* The last blocks of a message, which need not be whole. */
static fin_status do_blocks(void)
{
    const fin_algorithm algorithm = now.algorithm;
    return block_call_on(algorithm, &blocks.is, text, now.bytes % (blocks.block_bytes + 1),
                         blocks.block_bytes);
}

#define STEP(name) {#name, do_##name, false}
#define HASH(name) {#name, do_##name, true}
static const step hash_steps[] = {HASH(hash), {0}};
static const step block_steps[] = {STEP(blocks), {0}};
static const step stream_steps[] = {
    STEP(init),   STEP(update), STEP(save), STEP(restore), STEP(copy),  STEP(reset),
    STEP(update), HASH(final),  STEP(init), STEP(update),  STEP(wipe),  STEP(init),
    STEP(pieces), STEP(save),   STEP(copy), STEP(reset),   HASH(final), {0}};
static const step squeeze_steps[] = {STEP(init), STEP(update),       HASH(squeeze),
                                     STEP(wipe), STEP(hash_refused), {0}};
static const step subtree_steps[] = {STEP(subtree), {0}};
static const step share_steps[] = {STEP(init),
                                   STEP(share_begin),
                                   STEP(share_leaf),
                                   STEP(share_leaves),
                                   STEP(share_end),
                                   HASH(final),
                                   {0}};
static const step many_steps[] = {HASH(many), {0}};
static const step nodes_steps[] = {HASH(nodes), {0}};
static const step merkle_steps[] = {STEP(merkle_leaves),
                                    STEP(merkle_init),
                                    STEP(old_root),
                                    STEP(merkle_init),
                                    STEP(merkle_append),
                                    STEP(merkle_root),
                                    STEP(merkle_append_equal),
                                    STEP(merkle_wipe),
                                    STEP(inclusion),
                                    STEP(inclusion_refused),
                                    STEP(verify_inclusion),
                                    STEP(consistency),
                                    STEP(verify_consistency),
                                    {0}};
static const step tree_steps[] = {HASH(tree_hash),
                                  STEP(tree_hash_refused),
                                  STEP(tree_init),
                                  STEP(tree_leaves),
                                  STEP(tree_append),
                                  STEP(tree_update),
                                  HASH(tree_final),
                                  STEP(tree_init),
                                  STEP(tree_update),
                                  STEP(tree_wipe),
                                  {0}};
