/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What the texts of the specifications are written in: a variant, a message's tail, its last segments.
 */
#ifndef FIN_VARIANT_H
#define FIN_VARIANT_H

#include "bytes.h"
#include "impl.h"

/*
 * What distinguishes the algorithms of the three families: words of 64 bits and blocks of 128 bytes, or
 * half of both (Grøstl: the larger permutations, or the smaller ones). A constant wherever speed counts.
 */
typedef uint8_t fin_variant;

FIN_INLINE fin_variant fin_variant_of(fin_family family, bool wide)
{
    return (fin_variant)(2 * (unsigned)family + wide);
}

FIN_INLINE fin_family fin_family_of(fin_variant variant)
{
    return variant < 2 ? FIN_FAMILY_BLAKE : variant < 4 ? FIN_FAMILY_BLAKE2 : FIN_FAMILY_GROESTL;
}

FIN_INLINE bool fin_is_wide(fin_variant variant)
{
    return variant % 2 != 0;
}

FIN_INLINE size_t fin_variant_block(fin_variant variant)
{
    return fin_is_wide(variant) ? 128 : 64;
}

/* What the counter grows by for a whole block: BLAKE counts bits, BLAKE2 bytes, Grøstl blocks. */
FIN_INLINE uint32_t fin_variant_increment(fin_variant variant)
{
    const uint32_t block_bytes = (uint32_t)fin_variant_block(variant);
    return fin_family_of(variant) == FIN_FAMILY_BLAKE    ? 8 * block_bytes
           : fin_family_of(variant) == FIN_FAMILY_BLAKE2 ? block_bytes
                                                         : 1;
}

/*
 * Blocks that a compression function takes in one call: where they lie, the counter before the first
 * one, and what it grows by for each. A message is a short sequence of segments.
 */
typedef struct fin_segment {
    const uint8_t *in;
    size_t blocks;
    uint64_t t[2];
    uint32_t increment;
    bool last; /* the message ends with it */
} fin_segment;

static inline void fin_segment_set(fin_segment *segment, const uint8_t *in, size_t blocks,
                                   const uint64_t t[2], uint32_t increment)
{
    segment->in = in;
    segment->blocks = blocks;
    fin_store_piece(segment->t, t[0], t[1]);
    segment->increment = increment;
    segment->last = false;
}

/* Advances a counter by blocks * increment, which the caller knows to fit. */
static inline void fin_counter_advance(uint64_t t[2], uint64_t blocks, uint32_t increment)
{
    const uint64_t low = (blocks & 0xffffffff) * increment;
    const uint64_t middle = (blocks >> 32) * increment + (low >> 32);
    const uint64_t sum = t[0] + ((middle << 32) | (low & 0xffffffff));
    fin_store_piece(t, sum, t[1] + (middle >> 32) + (sum < t[0]));
}

/* A message's last bytes, at most one block, and up to seven bits after them. */
typedef struct fin_tail {
    const uint8_t *in;
    size_t bytes;
    uint8_t last_bits;
    unsigned bit_count;
} fin_tail;

/* The segments that hold a message's tail and the padding, and the counter after the message. */
typedef struct fin_ends {
    size_t count; /* one or two */
    fin_segment segment[2];
    uint64_t t[2];
} fin_ends;

/* The longest padding: two blocks. */
enum { FIN_PADDED_BYTES = 2 * 128 };

/* The tail, the byte after it, and zeros: padded_bytes in all. The tail may lie in padded already. In a
   frame of its own, since compilers put words of the message on the stack: the kernel's frame
   overwrites it. */
#pragma GCC visibility push(hidden)
void fin_padded_take(uint8_t *padded, size_t padded_bytes, const uint8_t *in, size_t bytes,
                     uint8_t after);
#pragma GCC visibility pop

/* Erases what a tail of tail_bytes has left in padded blocks. */
FIN_INLINE void fin_padded_erase(uint8_t *padded, size_t tail_bytes)
{
    fin_erase(padded, 64);
    if (tail_bytes > 64) {
        fin_erase(padded + 64, 64);
    }
}

#endif
