/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Extents: where messages lie and where their digests go, in an array for each, whatever a batch's
 * source is. Loops over them have no branches, so that compilers use vectors.
 */
#ifndef FIN_EXTENTS_H
#define FIN_EXTENTS_H

#include "impl.h"

#pragma GCC visibility push(hidden)

enum {
    FIN_WINDOW_MESSAGES = 128,                            /* what is taken up at a time */
    FIN_EXTENTS_MAX = FIN_WINDOW_MESSAGES + FIN_LANES_MAX /* and what was left before */
};

/* Stands for the length of a message that is as long or longer, and of none at all. */
#define FIN_BYTES_NOT_SHORT UINT32_MAX

/* Aligned: groups take lines of them. */
typedef struct fin_extents {
    /* Never null, not even of an empty message. */
    _Alignas(64) const uint8_t *in[FIN_EXTENTS_MAX];
    _Alignas(64) uint8_t *digest[FIN_EXTENTS_MAX];
    _Alignas(64) uint32_t bytes[FIN_EXTENTS_MAX];
} fin_extents;

static inline uint32_t fin_bytes_if_short(uint64_t bytes)
{
    return bytes < FIN_BYTES_NOT_SHORT ? (uint32_t)bytes : FIN_BYTES_NOT_SHORT;
}

/* Where an empty message lies that has no address: nothing is read there. */
static inline const uint8_t *fin_in_or(const void *in, const void *other)
{
    return in != NULL ? in : other;
}

/* The first count extents: values of equal length, one right after the other. */
static inline void fin_extents_of_equal(fin_extents *extents, const uint8_t *in, size_t bytes,
                                        size_t count)
{
    const uint32_t short_bytes = fin_bytes_if_short(bytes);
    for (size_t i = 0; i < count; i++) {
        extents->in[i] = in + i * bytes;
        extents->bytes[i] = short_bytes;
    }
}

/* plain: none is empty, and none has FIN_BYTES_NOT_SHORT bytes or more. */
static inline void fin_extents_of_messages(fin_extents *extents, const fin_message *messages,
                                           size_t count, bool plain)
{
    for (size_t i = 0; plain && i < count; i++) {
        extents->in[i] = messages[i].in;
        extents->bytes[i] = (uint32_t)messages[i].bytes;
    }
    for (size_t i = 0; !plain && i < count; i++) {
        extents->in[i] = fin_in_or(messages[i].in, messages);
        extents->bytes[i] = fin_bytes_if_short(messages[i].bytes);
    }
}

/* Extents from a place on to the first places of a list, which may be the same. */
static inline void fin_extents_copy(fin_extents *to, const fin_extents *from, size_t place,
                                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to->in[i] = from->in[place + i];
        to->digest[i] = from->digest[place + i];
        to->bytes[i] = from->bytes[place + i];
    }
}

/* Lanes from count on, which a group leaves idle, repeat its first message; the group begins at that
   place. */
static inline void fin_extents_fill(fin_extents *extents, size_t place, size_t count, size_t lanes)
{
    for (size_t lane = count; lane < lanes; lane++) {
        extents->in[place + lane] = extents->in[place];
        extents->digest[place + lane] = extents->digest[place];
        extents->bytes[place + lane] = extents->bytes[place];
    }
}

#pragma GCC visibility pop

#endif
