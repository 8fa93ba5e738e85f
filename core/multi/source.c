/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Checks a batch's messages and describes them.
 */
#include "multi/source.h"

/* ---- Checks ---- */

/* Checks addresses and lengths. Messages and nodes both begin with a fin_message. */
FIN_INLINE fin_status fin_check_items(fin_source *source, const void *items, size_t item_bytes)
{
    size_t least = SIZE_MAX, most = 0, missing = 0;
    bool endless = false;
    if (!fin_items_in_memory(items, source->count, item_bytes, item_bytes)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    for (size_t i = 0; i < source->count; i++) {
        fin_message message;
        memcpy(&message, (const uint8_t *)items + i * item_bytes, sizeof message);
        least = message.bytes < least ? message.bytes : least;
        most = message.bytes > most ? message.bytes : most;
        missing |= message.in == NULL ? message.bytes : 0;
        endless |= !fin_in_memory(message.in, message.bytes);
    }
    source->bytes_min = least;
    source->bytes_max = most;
    return missing != 0 ? FIN_ERR_NULL : endless ? FIN_ERR_MESSAGE_LENGTH : FIN_OK;
}

_Static_assert(offsetof(fin_node, in) == offsetof(fin_message, in) &&
                   offsetof(fin_node, bytes) == offsetof(fin_message, bytes),
               "fin_check_items");

static fin_status fin_check_nodes(fin_source *source, const fin_descriptor *algorithm)
{
    const fin_status status = fin_check_items(source, source->nodes, sizeof *source->nodes);
    bool valid = true;
    for (size_t i = 0; status == FIN_OK && i < source->count; i++) {
        const fin_tree_mode tree = {.depth = 1, .node_offset = source->nodes[i].node_offset};
        valid &= fin_blake2_tree_mode_valid(algorithm, &tree);
    }
    return valid ? status : FIN_ERR_TREE_MODE;
}

static fin_status fin_check_equal(fin_source *source)
{
    const size_t bytes = source->message_bytes;
    source->bytes_min = source->bytes_max = bytes;
    if (source->equal == NULL && bytes != 0 && source->count != 0) {
        return FIN_ERR_NULL;
    }
    return fin_items_in_memory(source->equal, source->count, bytes, bytes) ? FIN_OK
                                                                           : FIN_ERR_MESSAGE_LENGTH;
}

fin_status fin_source_check(fin_source *source, const fin_descriptor *algorithm)
{
    return source->messages != NULL
               ? fin_check_items(source, source->messages, sizeof *source->messages)
           : source->column != NULL ? fin_column_check(source->column, source->count,
                                                       &source->bytes_min, &source->bytes_max)
           : source->nodes != NULL  ? fin_check_nodes(source, algorithm)
                                    : fin_check_equal(source);
}

/* ---- One message ---- */

void fin_source_message_of(const fin_source *source, size_t index, fin_message_descriptor *message)
{
    if (source->column != NULL && fin_column_has(source->column, index)) {
        message->in = fin_column_value(source->column, index, &message->bytes);
    } else if (source->column != NULL) {
        *message = (fin_message_descriptor){.digest = NULL};
    } else if (source->nodes != NULL) {
        message->in = source->nodes[index].in;
        message->bytes = source->nodes[index].bytes;
        message->node_offset = source->nodes[index].node_offset;
        message->last_node = source->nodes[index].last_node;
    } else {
        message->bytes = source->message_bytes;
        message->in = message->bytes != 0 ? source->equal + index * message->bytes : NULL;
    }
}

/* ---- Many messages ---- */

/* Describes a list. some_long: some may have FIN_BYTES_NOT_SHORT bytes or more. */
static void fin_describe_list(fin_message_arrays *arrays, const fin_message *messages, size_t count,
                              bool some_empty, bool some_long)
{
    for (size_t i = 0; i < count; i++) {
        arrays->in[i] = messages[i].in;
        arrays->bytes[i] = (uint32_t)messages[i].bytes;
    }
    for (size_t i = 0; (some_empty || some_long) && i < count; i++) {
        arrays->in[i] = fin_in_or(messages[i].in, messages);
        arrays->bytes[i] = fin_bytes_if_short(messages[i].bytes);
    }
}

void fin_source_describe(const fin_source *source, size_t first, size_t count,
                         fin_message_arrays *arrays)
{
    uint8_t *digest = source->digests + first * source->stride;
    if (source->messages != NULL) {
        fin_describe_list(arrays, source->messages + first, count, source->bytes_min == 0,
                          source->bytes_max >= FIN_BYTES_NOT_SHORT);
    } else if (source->column != NULL) {
        fin_column_describe(source->column, first, count, arrays);
    } else {
        const size_t bytes = source->message_bytes;
        fin_arrays_of_equal(arrays, fin_in_or(source->equal, source) + first * bytes, bytes, count);
    }
    for (size_t i = 0; i < count; i++) {
        arrays->digest[i] = digest;
        digest += source->stride;
    }
}

const uint8_t *fin_source_consecutive(const fin_source *source)
{
    const fin_message *messages = source->messages;
    size_t bytes = source->bytes_max;
    bool apart = source->bytes_min != bytes || fin_source_has_nulls(source);
    if (apart || source->nodes != NULL) {
        return NULL;
    }
    if (source->column != NULL) {
        return source->column->layout != FIN_COLUMN_VIEWS
                   ? fin_column_value(source->column, 0, &bytes)
                   : NULL;
    }
    if (messages == NULL) {
        return source->equal;
    }
    for (size_t i = 0; i < source->count; i++) {
        apart |= (uintptr_t)messages[i].in - (uintptr_t)messages[0].in != i * bytes;
    }
    return apart ? NULL : messages->in;
}

/* ---- Prefetching ---- */

/* True if the messages seem to be in order of address: at most 128 bytes apart on average. */
static bool fin_are_in_order(const fin_message *messages, size_t count)
{
    const uintptr_t first = (uintptr_t)messages[0].in;
    const uintptr_t last = (uintptr_t)messages[count - 1].in;
    return last - first <= 128 * count;
}

static void fin_list_prefetch(const fin_message *messages, size_t count, bool in_order)
{
    const uint8_t *first = messages[0].in, *last = messages[count - 1].in;
    if (in_order) {
        const size_t bytes = (uintptr_t)last - (uintptr_t)first + messages[count - 1].bytes;
        fin_prefetch_range((const uint8_t *)messages, count * sizeof *messages, count);
        fin_prefetch_range(first, bytes, 2 * count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        fin_prefetch_ends(messages[i].in, messages[i].bytes);
    }
}

void fin_source_prefetch(const fin_source *source, size_t first, size_t count, bool sequential)
{
    const fin_message *messages = source->messages != NULL ? source->messages + first : NULL;
    const bool in_order = messages != NULL         ? fin_are_in_order(messages, count)
                          : source->column != NULL ? source->column->layout != FIN_COLUMN_VIEWS
                                                   : true;
    if (in_order && sequential) {
        return;
    }
    fin_prefetch_range(source->digests + first * source->stride, count * source->stride, count);
    if (messages != NULL) {
        fin_list_prefetch(messages, count, in_order);
    } else if (source->column != NULL) {
        fin_column_prefetch(source->column, first, count);
    }
}
