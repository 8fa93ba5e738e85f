/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Padded blocks of which one arbitrary byte is watched. Each write is checked against the bounds,
 * and its effect on that byte is recorded: so a proof covers every byte without an array that is
 * written at unknown indices, which would take hours. bytes.c proves that the functions write these
 * bytes.
 */
#ifndef PROOF_WATCHED_H
#define PROOF_WATCHED_H

#include "bytes.h"
#include "proof.h"

enum { WATCHED_BYTES = 2 * 128 };

static const uint8_t *watched_blocks; /* the padded blocks, WATCHED_BYTES, */
static size_t watched_at;             /* this byte, */
static uint8_t watched_value;         /* and its value */

/* Finds the offset of p in the padded blocks; returns false if it is elsewhere. */
static bool watched_offset(const void *p, size_t *offset)
{
    if (__CPROVER_POINTER_OBJECT(p) != __CPROVER_POINTER_OBJECT(watched_blocks)) {
        return false;
    }
    *offset = __CPROVER_POINTER_OFFSET(p) - __CPROVER_POINTER_OFFSET(watched_blocks);
    return *offset < WATCHED_BYTES;
}

/* Writes a tail and the byte after it over zeros. */
static void watched_copy_tail(uint8_t *to, const uint8_t *in, size_t bytes, uint8_t after)
{
    size_t offset = 0;
    PROOF_ASSERT(watched_offset(to, &offset), "a tail goes into padded blocks");
    PROOF_ASSERT(offset + bytes + (after != 0) <= WATCHED_BYTES, "the tail fits");
    PROOF_ASSERT(bytes == 0 || PROOF_READABLE(in, bytes), "the tail is readable");
    PROOF_ASSERT(watched_at < offset + bytes || watched_at >= offset + (bytes + 16) / 16 * 16 ||
                     watched_value == 0,
                 "zeros follow the tail");
    if (watched_at >= offset && watched_at < offset + bytes) {
        watched_value = in[watched_at - offset];
    } else if (watched_at == offset + bytes) {
        watched_value = after;
    }
}

/* Pads a tail that is already in place. */
static void watched_pad_in_place(uint8_t *blocks, size_t padded_bytes, size_t bytes, uint8_t after)
{
    size_t offset = 0;
    PROOF_ASSERT(watched_offset(blocks, &offset), "a tail lies in padded blocks");
    PROOF_ASSERT(offset + padded_bytes <= WATCHED_BYTES, "the padding fits");
    PROOF_ASSERT(bytes < padded_bytes || (bytes == padded_bytes && after == 0),
                 "the byte after the tail fits");
    if (watched_at >= offset && watched_at < offset + padded_bytes) {
        const size_t at = watched_at - offset;
        watched_value = at < bytes ? blocks[at] : at == bytes ? after : 0;
    }
}

static void watched_zero(void *to, int value, size_t bytes)
{
    size_t offset = 0;
    PROOF_ASSERT(value == 0 && watched_offset(to, &offset), "zeros go into padded blocks");
    PROOF_ASSERT(offset + bytes <= WATCHED_BYTES, "the zeros fit");
    if (watched_at >= offset && watched_at < offset + bytes) {
        watched_value = 0;
    }
}

static uint8_t watched_piece_byte(size_t at, uint64_t first, uint64_t second)
{
    return (uint8_t)((at < 8 ? first : second) >> 8 * (at % 8));
}

static void watched_or_piece(uint8_t *p, uint64_t first, uint64_t second)
{
    size_t offset = 0;
    PROOF_ASSERT(watched_offset(p, &offset), "a length goes into padded blocks");
    PROOF_ASSERT(offset + 16 <= WATCHED_BYTES, "the length fits");
    if (watched_at >= offset && watched_at < offset + 16) {
        watched_value |= watched_piece_byte(watched_at - offset, first, second);
    }
}

static void watched_store_piece(void *to, uint64_t first, uint64_t second)
{
    size_t offset = 0;
    if (!watched_offset(to, &offset)) {
        fin_store_piece(to, first, second);
        return;
    }
    PROOF_ASSERT(offset + 16 <= WATCHED_BYTES, "the chunk fits");
    if (watched_at >= offset && watched_at < offset + 16) {
        watched_value = watched_piece_byte(watched_at - offset, first, second);
    }
}

#define fin_or_piece watched_or_piece
#define fin_store_piece watched_store_piece
#define fin_copy_tail watched_copy_tail
#define fin_pad_in_place watched_pad_in_place
#define memset watched_zero

#endif
