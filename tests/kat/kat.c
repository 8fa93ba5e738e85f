/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Known answers: runs the JSON-lines files named as arguments (format: vectors/README.md) through
 * every supported implementation, one-shot and in parts, and by squeezing where there is a stream.
 * A vector passes or fails once with each implementation. With --selected before the files only the
 * default implementation runs: enough for messages of 1 GiB.
 */
/* A wrong vector fails once for every implementation. */
#define CHECK_PRINTED_MAX 500

#include "check.h"
#include "json.h"
#include "oracles.h"
#include "vector.h"

static void node_params(const tree_node *node, fin_tree_mode *tree)
{
    tree->fanout = (uint8_t)node->fanout;
    tree->depth = (uint8_t)node->depth;
    tree->leaf_bytes = (uint32_t)node->leaf_size;
    tree->node_offset = node->node_offset;
    tree->node_depth = (uint8_t)node->node_depth;
    tree->inner_bytes = (uint8_t)node->inner_size;
    tree->last_node = node->last_node;
}

static void message_params(const vector *v, fin_params *params, fin_tree_mode *tree)
{
    memset(params, 0, sizeof *params);
    params->digest_bytes = v->xof_unknown_length ? FIN_XOF_UNKNOWN : v->md.count;
    params->key = v->key.bytes;
    params->key_bytes = v->key.count;
    params->salt = v->salt.bytes;
    params->salt_bytes = v->salt.count;
    params->personal = v->personal.bytes;
    params->personal_bytes = v->personal.count;
    if (has(v, DERIVE_KEY_CONTEXT)) {
        params->derive_key_context = v->derive_key_context.bytes;
        params->derive_key_context_bytes = v->derive_key_context.count;
    }
    if (has(v, TREE)) {
        node_params(&v->node, tree);
        params->tree_mode = tree;
    }
}

/* Feeds the message's whole bytes, in the vector's parts if it has any. */
static fin_status feed(const vector *v, fin_context *context)
{
    const size_t bytes = (size_t)(v->len_bits / 8);
    fin_status status = FIN_OK;
    if (has(v, GEN)) {
        for (uint64_t i = 0; i < v->repeat.count && status == FIN_OK; i++) {
            status = fin_update(context, v->repeat.text.bytes, v->repeat.text.count);
        }
        return status;
    }
    size_t fed = 0;
    if (has(v, CHUNKS)) {
        const char *at = NULL;
        json_span element;
        uint64_t chunk;
        while (status == FIN_OK && json_element(v->chunks, &at, &element)) {
            if (!json_number(element, &chunk) || chunk > bytes - fed) {
                return FIN_ERR_MESSAGE_LENGTH;
            }
            status = fin_update(context, v->msg.bytes + fed, (size_t)chunk);
            fed += (size_t)chunk;
        }
    }
    return status == FIN_OK ? fin_update(context, v->msg.bytes + fed, bytes - fed) : status;
}

static const char *run_stream(const vector *v, const fin_params *params)
{
    uint8_t digest[DIGEST_BYTES_MAX];
    const unsigned bits = (unsigned)(v->len_bits % 8);
    const uint8_t last = bits == 0 ? 0 : v->msg.bytes[v->len_bits / 8];
    fin_context context;
    if (fin_init(&context, v->algorithm, params) != FIN_OK || feed(v, &context) != FIN_OK ||
        fin_final_bits(&context, last, bits, digest, v->md.count) != FIN_OK) {
        return "a call failed (init, update, final)";
    }
    return memcmp(digest, v->md.bytes, v->md.count) == 0 ? NULL : "wrong digest (in parts)";
}

static const char *run_one_shot(const vector *v, const fin_params *params)
{
    uint8_t digest[DIGEST_BYTES_MAX];
    if (v->len_bits % 8 == 0) {
        if (fin_hash(v->algorithm, params, v->msg.bytes, v->msg.count, digest, v->md.count) !=
            FIN_OK) {
            return "fin_hash failed";
        }
        if (memcmp(digest, v->md.bytes, v->md.count) != 0) {
            return "wrong digest (one-shot)";
        }
    }
    if (fin_algorithm_describe(v->algorithm)->bits) {
        if (fin_hash_bits(v->algorithm, params, v->msg.bytes, v->len_bits, digest, v->md.count) !=
            FIN_OK) {
            return "fin_hash_bits failed";
        }
        if (memcmp(digest, v->md.bytes, v->md.count) != 0) {
            return "wrong digest (one-shot, bits)";
        }
    }
    return NULL;
}

/* Squeezes an output of BLAKE2X or BLAKE3 in parts of 1, 2, 4 ... bytes. */
static const char *run_squeeze(const vector *v, const fin_params *params)
{
    uint8_t out[DIGEST_BYTES_MAX];
    fin_context context;
    if (fin_init(&context, v->algorithm, params) != FIN_OK || feed(v, &context) != FIN_OK) {
        return "a call failed (init, update)";
    }
    for (size_t at = 0, piece = 1; at < v->md.count; at += piece, piece *= 2) {
        piece = piece < v->md.count - at ? piece : v->md.count - at;
        if (fin_squeeze(&context, out + at, piece) != FIN_OK) {
            return "fin_squeeze failed";
        }
    }
    return memcmp(out, v->md.bytes, v->md.count) == 0 ? NULL : "wrong output (squeezed)";
}

/* True if null parameters suffice for the vector: such messages may take another path. */
static bool is_plain(const vector *v)
{
    return v->key.count + v->salt.count + v->personal.count == 0 && !has(v, TREE) &&
           !has(v, DERIVE_KEY_CONTEXT) && !v->xof_unknown_length &&
           v->md.count == fin_algorithm_describe(v->algorithm)->digest_bytes;
}

static const char *run_message(const vector *v)
{
    fin_params params;
    fin_tree_mode tree;
    const char *wrong;
    message_params(v, &params, &tree);
    wrong = run_stream(v, &params);
    if (wrong == NULL && !has(v, GEN)) {
        wrong = run_one_shot(v, &params);
        if (wrong == NULL && is_plain(v)) {
            wrong = run_one_shot(v, NULL);
        }
    }
    if (wrong == NULL && (v->algorithm == FIN_BLAKE2XB || v->algorithm == FIN_BLAKE2XS ||
                          v->algorithm == FIN_BLAKE3)) {
        wrong = run_squeeze(v, &params);
    }
    return wrong;
}

/* ---- The other kinds ---- */

static const char *run_two_level_tree(const vector *v)
{
    fin_params params = {0};
    fin_tree_mode tree;
    fin_context root;
    uint8_t digest[64];
    const size_t leaf_bytes = (size_t)v->node.leaf_size;
    if (leaf_bytes == 0 || v->md.count > sizeof digest) {
        return "parameters that this kind cannot have";
    }
    node_params(&v->node, &tree);
    tree.depth = 2;
    tree.node_depth = 1;
    tree.last_node = true;
    params.tree_mode = &tree;
    params.digest_bytes = v->md.count;
    if (fin_init(&root, v->algorithm, &params) != FIN_OK) {
        return "fin_init of the root failed";
    }
    tree.node_depth = 0;
    params.digest_bytes = tree.inner_bytes;
    for (size_t at = 0;; at += leaf_bytes) {
        const size_t left = v->msg.count - at;
        tree.last_node = left <= leaf_bytes;
        if (fin_hash(v->algorithm, &params, v->msg.bytes + at,
                     left < leaf_bytes ? left : leaf_bytes, digest, sizeof digest) != FIN_OK ||
            fin_update(&root, digest, tree.inner_bytes) != FIN_OK) {
            return "a leaf failed";
        }
        tree.node_offset++;
        if (tree.last_node) {
            break;
        }
    }
    if (fin_final(&root, digest, v->md.count) != FIN_OK) {
        return "fin_final of the root failed";
    }
    if (memcmp(digest, v->md.bytes, v->md.count) != 0) {
        return "wrong digest (tree, node by node)";
    }
    tree.node_offset = 0;
    tree.last_node = false;
    params.digest_bytes = v->md.count;
    if (fin_tree_mode_hash(v->algorithm, &params, v->msg.bytes, v->msg.count, digest,
                           v->md.count) != FIN_OK) {
        return "fin_tree_mode_hash failed";
    }
    return memcmp(digest, v->md.bytes, v->md.count) == 0 ? NULL : "wrong digest (tree)";
}

static const char *run_monte_carlo(const vector *v)
{
    const uint32_t digest_bytes = fin_algorithm_describe(v->algorithm)->digest_bytes;
    uint8_t message[MONTE_CARLO_SEED_BYTES];
    uint8_t digest[64];
    uint8_t expected_bytes[64];
    const char *at = NULL;
    json_span element;
    unsigned rounds = 0;
    if (v->mct_seed.count != sizeof message || !has(v, MCT_MD)) {
        return "needs mct_seed of 128 bytes and mct_md";
    }
    memcpy(message, v->mct_seed.bytes, sizeof message);
    while (json_element(v->mct_md, &at, &element)) {
        uint8_t *arena = expected_bytes;
        json_hex expected;
        if (element.length != 2 * (size_t)digest_bytes ||
            !json_decode_hex(element, &arena, &expected)) {
            return "an element of mct_md is not a digest";
        }
        for (unsigned i = 0; i < 1000; i++) {
            if (fin_hash(v->algorithm, NULL, message, sizeof message, digest, sizeof digest) !=
                FIN_OK) {
                return "fin_hash failed";
            }
            memmove(message + digest_bytes, message, sizeof message - digest_bytes);
            memcpy(message, digest, digest_bytes);
        }
        if (memcmp(digest, expected.bytes, digest_bytes) != 0) {
            return "wrong digest (Monte Carlo)";
        }
        rounds++;
    }
    return rounds != 0 ? NULL : "mct_md is empty";
}

static const char *run_batch(const vector *v)
{
    const size_t digest_bytes = v->md_of_mds.count;
    uint8_t seed[9] = "batch";
    uint8_t message[4096];
    uint8_t digest[64];
    fin_context all;
    if (v->many.msg_bytes > sizeof message || v->many.count == 0 || digest_bytes == 0 ||
        digest_bytes > sizeof digest || v->md_first.count != digest_bytes ||
        v->md_last.count != digest_bytes || fin_init(&all, v->algorithm, NULL) != FIN_OK) {
        return "parameters that this kind cannot have";
    }
    for (uint64_t i = 0; i < v->many.count; i++) {
        for (unsigned byte = 0; byte < 4; byte++) {
            seed[5 + byte] = (uint8_t)(i >> (24 - 8 * byte));
        }
        shake256(seed, sizeof seed, message, (size_t)v->many.msg_bytes);
        if (fin_hash(v->algorithm, NULL, message, (size_t)v->many.msg_bytes, digest,
                     sizeof digest) != FIN_OK ||
            fin_update(&all, digest, digest_bytes) != FIN_OK) {
            return "a call failed (batch)";
        }
        if (i == 0 && memcmp(digest, v->md_first.bytes, digest_bytes) != 0) {
            return "wrong md_first";
        }
    }
    if (memcmp(digest, v->md_last.bytes, digest_bytes) != 0) {
        return "wrong md_last";
    }
    if (fin_final(&all, digest, sizeof digest) != FIN_OK) {
        return "fin_final failed";
    }
    return memcmp(digest, v->md_of_mds.bytes, digest_bytes) == 0 ? NULL : "wrong md_of_mds";
}

/* Folds a digest into the 64-byte state, as SUPERCOP does. */
static void absorb_checksum(uint8_t state[64], const uint8_t *digest, size_t bytes)
{
    uint8_t rest[16] = {0};
    size_t at = 0;
    for (; bytes - at >= 16; at += 16) {
        salsa20_core(state, state, digest + at);
    }
    memcpy(rest, digest + at, bytes - at);
    rest[bytes - at] = 1;
    state[0] ^= 1;
    salsa20_core(state, state, rest);
}

static const char *run_checksum(const vector *v)
{
    static const uint8_t key[] = "generate inputs for test vectors";
    const bool big = json_equals(v->size, "big");
    const size_t message_bytes_max = big ? 4096 : 128;
    const uint32_t digest_bytes = fin_algorithm_describe(v->algorithm)->digest_bytes;
    uint8_t state[64] = {0};
    uint8_t message[4096];
    uint8_t digest[64];
    uint64_t request = 0;
    if (v->checksum.count != 32 || (!big && !json_equals(v->size, "small"))) {
        return "needs size small or big and a checksum of 32 bytes";
    }
    for (unsigned loop = 0; loop < (big ? 512U : 64U); loop++) {
        uint8_t number[8];
        uint64_t bytes = 0;
        salsa20_stream(number, sizeof number, key, request++);
        for (unsigned i = 8; i-- > 0;) {
            bytes = bytes << 8 | number[i];
        }
        bytes %= message_bytes_max + 1;
        salsa20_stream(message, (size_t)bytes, key, request++);
        if (fin_hash(v->algorithm, NULL, message, (size_t)bytes, digest, sizeof digest) != FIN_OK) {
            return "fin_hash failed";
        }
        absorb_checksum(state, digest, digest_bytes);
    }
    return memcmp(state, v->checksum.bytes, 32) == 0 ? NULL : "wrong checksum";
}

/* ---- Files ---- */

static const char *run_vector(const vector *v)
{
    if (has(v, MCT_SEED)) {
        return run_monte_carlo(v);
    }
    if (has(v, BATCH)) {
        return run_batch(v);
    }
    if (has(v, CHECKSUM)) {
        return run_checksum(v);
    }
    if (has(v, TWO_LEVEL_TREE)) {
        return run_two_level_tree(v);
    }
    return run_message(v);
}

typedef struct place {
    const char *file;
    int line;
    const vector *v;
} place;

static void run_with_impl(fin_algorithm algorithm, const char *impl, void *data)
{
    const place *at = data;
    const char *wrong = run_vector(at->v);
    check_context("%s, %s", fin_algorithm_describe(algorithm)->name, impl);
    check_that(wrong == NULL, at->file, at->line, wrong == NULL ? "" : wrong);
}

static bool selected_only;

static void run_line(const char *file, int number, const char *line, size_t length)
{
    uint8_t *arena = check_allocate(length / 2);
    vector v;
    const char *wrong = read_vector(line, length, arena, &v);
    if (wrong == NULL) {
        place at = {file, number, &v};
        if (selected_only) {
            run_with_impl(v.algorithm, fin_impl_selected(v.algorithm), &at);
        } else {
            check_each_impl(v.algorithm, run_with_impl, &at);
        }
    } else {
        check_context("malformed");
        check_that(false, file, number, wrong);
    }
    free(arena);
}

int main(int argument_count, char **arguments)
{
    selected_only = argument_count > 1 && strcmp(arguments[1], "--selected") == 0;
    if (argument_count < 2 + selected_only) {
        printf("usage: kat [--selected] FILE.jsonl...\n");
        return EXIT_FAILURE;
    }
    for (int i = 1 + selected_only; i < argument_count; i++) {
        json_each_line(arguments[i], run_line);
    }
    return check_report();
}
