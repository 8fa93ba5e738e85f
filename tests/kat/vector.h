/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A line of a vectors file: its fields, as vectors/README.md describes them, and its reader.
 */
#include "check.h"
#include "json.h"

#define DIGEST_BYTES_MAX 4096
#define MONTE_CARLO_SEED_BYTES 128

typedef struct generated {
    json_hex text;
    uint64_t count;
} generated;

typedef struct tree_node {
    uint64_t fanout, depth, leaf_size, node_offset, node_depth, inner_size;
    bool last_node;
} tree_node;

typedef struct batch {
    uint64_t msg_bytes, count;
    json_span rule;
} batch;

typedef struct vector {
    json_span alg;
    uint64_t len_bits, out_bytes;
    json_hex msg, key, salt, personal, derive_key_context, md;
    json_hex mct_seed, md_of_mds, md_first, md_last, checksum;
    json_span gen, chunks, tree, two_level_tree, mct_md, batch, size, source;
    bool xof_unknown_length;
    unsigned seen;
    fin_algorithm algorithm;
    generated repeat;
    tree_node node;
    batch many;
} vector;

enum {
    ALG,
    LEN_BITS,
    OUT_BYTES,
    MSG,
    KEY,
    SALT,
    PERSONAL,
    DERIVE_KEY_CONTEXT,
    MD,
    MCT_SEED,
    MD_OF_MDS,
    MD_FIRST,
    MD_LAST,
    CHECKSUM,
    GEN,
    CHUNKS,
    TREE,
    TWO_LEVEL_TREE,
    MCT_MD,
    BATCH,
    SIZE,
    SOURCE,
    XOF_UNKNOWN_LENGTH
};

/* In the enumeration's order. */
static const json_field vector_fields[] = {
    {"alg", JSON_STRING, offsetof(vector, alg)},
    {"len_bits", JSON_NUMBER, offsetof(vector, len_bits)},
    {"out_bytes", JSON_NUMBER, offsetof(vector, out_bytes)},
    {"msg", JSON_HEX, offsetof(vector, msg)},
    {"key", JSON_HEX, offsetof(vector, key)},
    {"salt", JSON_HEX, offsetof(vector, salt)},
    {"personal", JSON_HEX, offsetof(vector, personal)},
    {"derive_key_context", JSON_HEX, offsetof(vector, derive_key_context)},
    {"md", JSON_HEX, offsetof(vector, md)},
    {"mct_seed", JSON_HEX, offsetof(vector, mct_seed)},
    {"md_of_mds", JSON_HEX, offsetof(vector, md_of_mds)},
    {"md_first", JSON_HEX, offsetof(vector, md_first)},
    {"md_last", JSON_HEX, offsetof(vector, md_last)},
    {"checksum", JSON_HEX, offsetof(vector, checksum)},
    {"gen", JSON_SPAN, offsetof(vector, gen)},
    {"chunks", JSON_SPAN, offsetof(vector, chunks)},
    {"tree", JSON_SPAN, offsetof(vector, tree)},
    {"two_level_tree", JSON_SPAN, offsetof(vector, two_level_tree)},
    {"mct_md", JSON_SPAN, offsetof(vector, mct_md)},
    {"batch", JSON_SPAN, offsetof(vector, batch)},
    {"size", JSON_STRING, offsetof(vector, size)},
    {"source", JSON_STRING, offsetof(vector, source)},
    {"xof_unknown_length", JSON_BOOL, offsetof(vector, xof_unknown_length)},
};

static const json_field generated_fields[] = {
    {"text", JSON_HEX, offsetof(generated, text)},
    {"count", JSON_NUMBER, offsetof(generated, count)},
};

static const json_field tree_fields[] = {
    {"fanout", JSON_NUMBER, offsetof(tree_node, fanout)},
    {"depth", JSON_NUMBER, offsetof(tree_node, depth)},
    {"leaf_size", JSON_NUMBER, offsetof(tree_node, leaf_size)},
    {"node_offset", JSON_NUMBER, offsetof(tree_node, node_offset)},
    {"node_depth", JSON_NUMBER, offsetof(tree_node, node_depth)},
    {"inner_size", JSON_NUMBER, offsetof(tree_node, inner_size)},
    {"last_node", JSON_BOOL, offsetof(tree_node, last_node)},
};

static const json_field batch_fields[] = {
    {"msg_bytes", JSON_NUMBER, offsetof(batch, msg_bytes)},
    {"count", JSON_NUMBER, offsetof(batch, count)},
    {"rule", JSON_STRING, offsetof(batch, rule)},
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static bool has(const vector *v, unsigned field)
{
    return (v->seen & 1U << field) != 0;
}

/* ---- Reading ---- */

static const char *read_nested(vector *v, uint8_t **arena)
{
    const char *wrong = NULL;
    unsigned seen;
    if (has(v, GEN)) {
        wrong = json_read(v->gen, generated_fields, COUNT_OF(generated_fields), arena, &v->repeat,
                          &seen);
    }
    if (wrong == NULL && has(v, TREE)) {
        wrong = json_read(v->tree, tree_fields, COUNT_OF(tree_fields), arena, &v->node, &seen);
    }
    if (wrong == NULL && has(v, TWO_LEVEL_TREE)) {
        wrong = json_read(v->two_level_tree, tree_fields, COUNT_OF(tree_fields), arena, &v->node,
                          &seen);
    }
    if (wrong == NULL && has(v, BATCH)) {
        wrong = json_read(v->batch, batch_fields, COUNT_OF(batch_fields), arena, &v->many, &seen);
    }
    return wrong;
}

/* A vector of one message must state its length and contain exactly that many bytes. */
static const char *check_message(const vector *v)
{
    if (!has(v, LEN_BITS) || !has(v, MD) || v->md.count == 0 || v->md.count > DIGEST_BYTES_MAX) {
        return "needs len_bits and md";
    }
    if (has(v, OUT_BYTES) && v->out_bytes != v->md.count) {
        return "out_bytes is not the length of md";
    }
    if (has(v, GEN)) {
        return v->repeat.text.count * v->repeat.count * 8 == v->len_bits
                   ? NULL
                   : "len_bits is not the length of the generated message";
    }
    return v->msg.count == v->len_bits / 8 + (v->len_bits % 8 != 0)
               ? NULL
               : "len_bits is not the length of msg";
}

static const char *read_vector(const char *line, size_t length, uint8_t *arena, vector *v)
{
    json_span object = {line, length, '{'};
    char name[32];
    const char *wrong;
    memset(v, 0, sizeof *v);
    wrong = json_read(object, vector_fields, COUNT_OF(vector_fields), &arena, v, &v->seen);
    if (wrong == NULL) {
        wrong = read_nested(v, &arena);
    }
    if (wrong != NULL) {
        return wrong;
    }
    snprintf(name, sizeof name, "%.*s", (int)(v->alg.length < 31 ? v->alg.length : 31),
             v->alg.text == NULL ? "" : v->alg.text);
    if (fin_algorithm_by_name(name, &v->algorithm) != FIN_OK) {
        return "no such algorithm";
    }
    if (has(v, MCT_SEED) || has(v, BATCH) || has(v, CHECKSUM)) {
        return NULL;
    }
    return check_message(v);
}

/* ---- One message ---- */
