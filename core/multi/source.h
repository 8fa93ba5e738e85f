/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sources of a batch's messages: a list, a column, nodes of a tree, or consecutive messages of
 * equal length. All four are checked here and converted to message descriptors, the only form that
 * hashing code uses.
 */
#ifndef FIN_SOURCE_H
#define FIN_SOURCE_H

#include "message/message.h"

#pragma GCC visibility push(hidden)

typedef struct fin_message_descriptor {
    const uint8_t *in;
    size_t bytes;
    uint8_t *digest; /* output; null: a null entry of a column, which has no message */
    uint64_t node_offset;
    bool last_node;
} fin_message_descriptor;

enum {
    FIN_WINDOW_MESSAGES = 128,                           /* described at a time */
    FIN_ARRAYS_MAX = FIN_WINDOW_MESSAGES + FIN_LANES_MAX /* and those left from before */
};

/* Replaces the length of a message that is as long or longer, or of a null entry. */
#define FIN_BYTES_NOT_SHORT UINT32_MAX

/* Descriptors of short messages, an array per field: loops over them have no branches, so compilers
   vectorise them. Aligned, because groups load whole cache lines. */
typedef struct fin_message_arrays {
    /* Never null, not even for an empty message. */
    _Alignas(64) const uint8_t *in[FIN_ARRAYS_MAX];
    _Alignas(64) uint8_t *digest[FIN_ARRAYS_MAX];
    _Alignas(64) uint32_t bytes[FIN_ARRAYS_MAX];
} fin_message_arrays;

/* The pointer that is not null selects one of the four; if all are null: equal lengths of 0. */
typedef struct fin_source {
    const fin_message *messages;
    const fin_column *column;
    const fin_node *nodes;
    const uint8_t *equal;
    size_t message_bytes; /* of equal */
    size_t count;
    uint8_t *digests; /* stride bytes apart */
    size_t stride;
    /* Set by fin_source_check. */
    size_t bytes_min; /* the shortest and the longest message's length */
    size_t bytes_max;
} fin_source;

/* Returns FIN_OK if every message is in memory, and sets the least and the greatest length. Nodes'
   offsets must be valid for the algorithm. */
fin_status fin_source_check(fin_source *source, const fin_descriptor *algorithm);

/* Describes message index, with an address even if it is empty. The source has passed
   fin_source_check. Writes field by field in place: a copy of the whole would wait for the
   stores. */
void fin_source_message_of(const fin_source *source, size_t index, fin_message_descriptor *message);
static inline void fin_source_message(const fin_source *source, size_t index,
                                      fin_message_descriptor *message)
{
    message->digest = source->digests + index * source->stride;
    message->node_offset = 0;
    message->last_node = false;
    if (source->messages != NULL) {
        message->in = source->messages[index].in;
        message->bytes = source->messages[index].bytes;
    } else {
        fin_source_message_of(source, index, message);
    }
    message->in = fin_in_or(message->in, source);
}

/* Describes messages first .. first + count - 1, from the arrays' index 0 on. */
void fin_source_describe(const fin_source *source, size_t first, size_t count,
                         fin_message_arrays *arrays);

/* Prefetches messages and the addresses of their digests. sequential: skips messages in order of
   address, which hardware prefetches. */
void fin_source_prefetch(const fin_source *source, size_t first, size_t count, bool sequential);

/* Returns the first message's address if all have the same length and each begins where the
   previous one ends; null otherwise. The source has passed fin_source_check, and no message is
   empty. */
const uint8_t *fin_source_consecutive(const fin_source *source);

/* True if entries may be null. */
static inline bool fin_source_has_nulls(const fin_source *source)
{
    return source->column != NULL && source->column->validity != NULL;
}

/* ---- Columns (column.c) ---- */

/* False if the entry is null. */
static inline bool fin_column_has(const fin_column *column, size_t index)
{
    const uint64_t bit = column->validity_offset + index;
    return column->validity == NULL || (column->validity[bit / 8] >> bit % 8 & 1) != 0;
}

/* Checks a column as fin_source_check does. */
fin_status fin_column_check(const fin_column *column, size_t count, size_t *bytes_min,
                            size_t *bytes_max);

/* Returns a value's address, and its length in *bytes. */
const uint8_t *fin_column_value(const fin_column *column, size_t index, size_t *bytes);

/* Describes as fin_source_describe does, except digests; for a null entry only the length is
   valid. */
void fin_column_describe(const fin_column *column, size_t first, size_t count,
                         fin_message_arrays *arrays);
void fin_column_prefetch(const fin_column *column, size_t first, size_t count);

/* ---- Arrays ---- */

static inline uint32_t fin_bytes_if_short(uint64_t bytes)
{
    return bytes < FIN_BYTES_NOT_SHORT ? (uint32_t)bytes : FIN_BYTES_NOT_SHORT;
}

/* Describes messages of equal length, back to back, from the arrays' index 0 on. */
static inline void fin_arrays_of_equal(fin_message_arrays *arrays, const uint8_t *in, size_t bytes,
                                       size_t count)
{
    const uint32_t short_bytes = fin_bytes_if_short(bytes);
    for (size_t i = 0; i < count; i++) {
        arrays->in[i] = in;
        in += bytes;
    }
    for (size_t i = 0; i < count; i++) {
        arrays->bytes[i] = short_bytes;
    }
}

/* Copies descriptors from an index on to index 0 of other arrays, or of the same ones. */
static inline void fin_arrays_copy(fin_message_arrays *to, const fin_message_arrays *from,
                                   size_t index, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to->in[i] = from->in[index + i];
        to->digest[i] = from->digest[index + i];
        to->bytes[i] = from->bytes[index + i];
    }
}

#pragma GCC visibility pop

#endif
