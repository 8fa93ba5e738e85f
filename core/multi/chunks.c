/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Hashes BLAKE3's messages, a window at a time: first all chunks, sorted by their number of blocks,
 * then level by level the parents of all messages together. A chunk that is a whole message is also
 * a root. Nothing is allocated.
 *
 *   message 0   c c c r      c: a whole chunk, r: the rest of a message
 *   message 1   c r
 *   message 2   r            16 blocks: c c c c; 3 blocks: r r; 9 blocks: r
 *
 * With a prefix, each message's first chunk is copied after it, and the others are read in place,
 * one byte earlier.
 */
#include "multi/batch.h"

#include "lanes/group.h"
#include "message/blake3.h"

enum {
    FIN_NODES = 192,                   /* per window */
    FIN_MESSAGE_CHUNKS = 64,           /* longer messages fill the lanes alone */
    FIN_COPIED_CHUNKS = 16,            /* per window: they fill 16 lanes */
    FIN_CLASSES = 2 * FIN_CHUNK_BLOCKS /* numbers of blocks, for roots and for others */
};

typedef struct fin_node_arrays {
    size_t count;
    const uint8_t *in[FIN_NODES];
    uint8_t *out[FIN_NODES];
    uint32_t bytes[FIN_NODES];
    uint64_t number[FIN_NODES];
} fin_node_arrays;

/* A message of more than one chunk. */
typedef struct fin_chunked {
    uint8_t *digest;
    size_t first; /* index of its first chaining value */
    size_t count; /* of chaining values in the current level */
} fin_chunked;

typedef struct fin_chunk_window {
    const fin_batch *batch;
    fin_blake3_tree tree; /* shared by all messages: without chunks */
    fin_node_arrays nodes, sorted;
    uint8_t class_of[FIN_NODES];
    size_t message_count;
    fin_chunked message[FIN_NODES / 2];
    size_t cv_count;
    uint8_t cvs[FIN_NODES * FIN_CV_BYTES];
    fin_group_pipeline pipeline;
    size_t copied_count, copied_max; /* in this window, and in any */
    uint8_t copied[FIN_COPIED_CHUNKS][FIN_CHUNK_BYTES];
} fin_chunk_window;

static void fin_nodes_add(fin_node_arrays *nodes, const uint8_t *in, size_t bytes, uint64_t number,
                          uint8_t *out)
{
    const size_t at = nodes->count++;
    nodes->in[at] = in;
    nodes->bytes[at] = (uint32_t)bytes;
    nodes->number[at] = number;
    nodes->out[at] = out;
}

/* ---- Nodes in lanes ---- */

/* Sets the parameters of all nodes until the next call. */
static void fin_window_rules(fin_chunk_window *window, bool parents, bool root)
{
    fin_group_rules *rules = &window->pipeline.rules;
    fin_pipeline_next(&window->pipeline, NULL);
    rules->flags = window->tree.flags | (parents ? FIN_PARENT : 0);
    rules->first_flags = parents ? 0 : FIN_CHUNK_START;
    rules->last_flags = (parents ? 0 : FIN_CHUNK_END) | (root ? FIN_ROOT : 0);
    rules->digest_bytes =
        root ? (size_t)window->batch->instance.digest_bytes : (size_t)FIN_CV_BYTES;
}

static void fin_hash_node(fin_chunk_window *window, const fin_node_arrays *nodes, size_t at)
{
    const fin_group_rules *rules = &window->pipeline.rules;
    const uint64_t flags = fin_chain_flags(rules->flags, rules->first_flags, rules->last_flags);
    /* First hash the waiting group, whose input this node's output may overwrite. */
    fin_pipeline_next(&window->pipeline, NULL);
    fin_blake3_hash_node(window->tree.impl, window->tree.key, nodes->number[at], flags,
                         nodes->in[at], nodes->bytes[at], nodes->out[at], rules->digest_bytes);
}

/* Hashes nodes first .. end - 1, which have the same number of blocks. */
static void fin_hash_nodes_of(fin_chunk_window *window, size_t blocks, const fin_node_arrays *nodes,
                              size_t first, size_t end)
{
    while (first < end) {
        const size_t left = end - first;
        const fin_impl *impl = fin_dispatch_blocks(FIN_COMPRESSION_BLAKE3, blocks, left);
        if (impl == NULL) {
            fin_hash_node(window, nodes, first);
            first++;
        } else {
            const size_t taken = left < impl->lanes ? left : impl->lanes;
            const fin_group_source source = {nodes->in + first, nodes->bytes + first,
                                             nodes->out + first, nodes->number + first};
            fin_pipeline_next(&window->pipeline, fin_pipeline_prepare(&window->pipeline, impl,
                                                                      blocks, &source, taken));
            first += taken;
        }
    }
}

/* ---- Chunks ---- */

/* bytes is not 0: groups take empty messages. */
static uint8_t fin_class_of(size_t bytes, bool root)
{
    const size_t blocks = (bytes + FIN_BLAKE3_BLOCK - 1) / FIN_BLAKE3_BLOCK;
    return (uint8_t)(blocks - 1 + (root ? FIN_CHUNK_BLOCKS : 0));
}

/* Sorts the chunks by class. Sets the index of each class's first chunk, and the end of the last
   class. */
static void fin_sort_chunks(fin_chunk_window *window, size_t begins[FIN_CLASSES + 1])
{
    const fin_node_arrays *nodes = &window->nodes;
    size_t next[FIN_CLASSES + 1] = {0};
    for (size_t i = 0; i < nodes->count; i++) {
        next[window->class_of[i] + 1]++;
    }
    for (size_t c = 0; c < FIN_CLASSES; c++) {
        next[c + 1] += next[c];
    }
    memcpy(begins, next, sizeof next);
    for (size_t i = 0; i < nodes->count; i++) {
        const size_t to = next[window->class_of[i]]++;
        window->sorted.in[to] = nodes->in[i];
        window->sorted.out[to] = nodes->out[i];
        window->sorted.bytes[to] = nodes->bytes[i];
        window->sorted.number[to] = nodes->number[i];
    }
}

static void fin_hash_chunks(fin_chunk_window *window)
{
    size_t begins[FIN_CLASSES + 1];
    fin_sort_chunks(window, begins);
    for (size_t root = 0; root < 2; root++) {
        fin_window_rules(window, false, root != 0);
        for (size_t blocks = FIN_CHUNK_BLOCKS; blocks != 0; blocks--) {
            const size_t c = blocks - 1 + root * FIN_CHUNK_BLOCKS;
            fin_hash_nodes_of(window, blocks, &window->sorted, begins[c], begins[c + 1]);
        }
    }
}

/* ---- Parents ---- */

/* Hashes one level of all messages that have more than two chaining values, or the roots of all,
   once none has more. True if there was a node. */
static bool fin_hash_parents(fin_chunk_window *window, bool root)
{
    fin_node_arrays *nodes = &window->nodes;
    nodes->count = 0;
    for (size_t i = 0; i < window->message_count; i++) {
        const fin_chunked *message = &window->message[i];
        uint8_t *cvs = window->cvs + FIN_CV_BYTES * message->first;
        const size_t pairs = root || message->count > 2 ? message->count / 2 : 0;
        for (size_t pair = 0; pair < pairs; pair++) {
            fin_nodes_add(nodes, cvs + 2 * FIN_CV_BYTES * pair, FIN_BLAKE3_BLOCK, 0,
                          root ? message->digest : cvs + FIN_CV_BYTES * pair);
        }
    }
    fin_window_rules(window, true, root);
    fin_hash_nodes_of(window, 1, nodes, 0, nodes->count);
    fin_pipeline_next(&window->pipeline, NULL);
    for (size_t i = 0; !root && i < window->message_count; i++) {
        fin_chunked *message = &window->message[i];
        uint8_t *cvs = window->cvs + FIN_CV_BYTES * message->first;
        const size_t pairs = message->count / 2;
        if (message->count > 2) {
            if (message->count % 2 != 0) {
                memcpy(cvs + FIN_CV_BYTES * pairs, cvs + 2 * FIN_CV_BYTES * pairs, FIN_CV_BYTES);
            }
            message->count = pairs + message->count % 2;
        }
    }
    return nodes->count != 0;
}

/* ---- Windows ---- */

static void fin_window_hash(fin_chunk_window *window)
{
    fin_hash_chunks(window);
    while (fin_hash_parents(window, false)) {
    }
    (void)fin_hash_parents(window, true);
    window->nodes.count = window->message_count = window->cv_count = window->copied_count = 0;
}

/* Copies a message's first chunk, which has bytes with the prefix. */
static const uint8_t *fin_copy_chunk(fin_chunk_window *window, const uint8_t *in, size_t bytes)
{
    uint8_t *copied = window->copied[window->copied_count++];
    if (window->copied_count > window->copied_max) {
        window->copied_max = window->copied_count;
    }
    copied[0] = window->batch->prefix;
    memcpy(copied + 1, in, bytes - 1);
    return copied;
}

/* Adds a message of at most FIN_MESSAGE_CHUNKS. bytes include the prefix. */
static void fin_window_add(fin_chunk_window *window, const fin_message_descriptor *message,
                           size_t bytes)
{
    const bool prefixed = window->batch->prefixed;
    const bool root = bytes <= FIN_CHUNK_BYTES;
    const size_t count = root ? 1 : (bytes + FIN_CHUNK_BYTES - 1) / FIN_CHUNK_BYTES;
    if (window->nodes.count + count > FIN_NODES || window->copied_count == FIN_COPIED_CHUNKS) {
        fin_window_hash(window);
    }
    if (!root) {
        window->message[window->message_count++] =
            (fin_chunked){message->digest, window->cv_count, count};
    }
    for (size_t i = 0; i < count; i++) {
        const size_t at = i * FIN_CHUNK_BYTES;
        const size_t left = bytes - at;
        const size_t chunk_bytes = left < FIN_CHUNK_BYTES ? left : (size_t)FIN_CHUNK_BYTES;
        const uint8_t *in = prefixed && i == 0 ? fin_copy_chunk(window, message->in, chunk_bytes)
                                               : message->in + at - prefixed;
        uint8_t *cv = window->cvs + FIN_CV_BYTES * (window->cv_count + i);
        window->class_of[window->nodes.count] = fin_class_of(chunk_bytes, root);
        fin_nodes_add(&window->nodes, in, chunk_bytes, i, root ? message->digest : cv);
    }
    window->cv_count += root ? 0 : count;
}

void fin_run_chunks(fin_batch *batch)
{
    const fin_source *source = &batch->source;
    fin_chunk_window window;
    window.batch = batch;
    window.tree = fin_blake3_tree_from(&batch->started);
    window.nodes.count = window.message_count = window.cv_count = 0;
    window.copied_count = window.copied_max = 0;
    window.pipeline.rules =
        (fin_group_rules){.variant = FIN_VARIANT_BLAKE3, .start = &batch->started, .padded = true};
    fin_pipeline_start(&window.pipeline);
    for (size_t i = 0; i < source->count; i++) {
        fin_message_descriptor message;
        fin_source_message(source, i, &message);
        if (message.digest == NULL || !fin_is_left(batch, message.bytes)) {
            continue;
        }
        const size_t bytes = message.bytes + batch->prefixed;
        if (bytes > FIN_MESSAGE_CHUNKS * FIN_CHUNK_BYTES) {
            fin_hash_single(batch, &message);
        } else {
            fin_window_add(&window, &message, bytes);
        }
    }
    fin_window_hash(&window);
    fin_pipeline_erase(&window.pipeline);
    fin_erase(window.cvs, sizeof window.cvs);
    fin_erase(window.copied, window.copied_max * sizeof window.copied[0]);
    fin_erase_stack_if(batch->keyed, FIN_STACK_LANES_BYTES);
}
