/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The types of core/spec: a variant, a message's tail, its last segments.
 */
#ifndef FIN_VARIANT_H
#define FIN_VARIANT_H

#include "bytes.h"
#include "impl.h"

/*
 * Distinguishes a family's algorithms: 64-bit words and 128-byte blocks, or half of both (Grøstl:
 * the larger permutations, or the smaller ones). A constant wherever speed counts.
 */
typedef uint8_t fin_variant;

enum {
    FIN_VARIANT_BLAKE256 = 2 * FIN_FAMILY_BLAKE,
    FIN_VARIANT_BLAKE512 = 2 * FIN_FAMILY_BLAKE + 1,
    FIN_VARIANT_BLAKE2S = 2 * FIN_FAMILY_BLAKE2,
    FIN_VARIANT_BLAKE2B = 2 * FIN_FAMILY_BLAKE2 + 1,
    FIN_VARIANT_GROESTL256 = 2 * FIN_FAMILY_GROESTL,
    FIN_VARIANT_GROESTL512 = 2 * FIN_FAMILY_GROESTL + 1,
    FIN_VARIANT_BLAKE3 = 2 * FIN_FAMILY_BLAKE3
};

FIN_INLINE fin_variant fin_variant_of(fin_family family, bool wide)
{
    return (fin_variant)(2 * (unsigned)family + wide);
}

/* In a build of BLAKE3 alone this is a constant, so compilers remove the other families' code. */
FIN_INLINE fin_family fin_family_of(fin_variant variant)
{
    return FIN_OTHER_COUNT == 0 ? FIN_FAMILY_BLAKE3
           : variant < 2        ? FIN_FAMILY_BLAKE
           : variant < 4        ? FIN_FAMILY_BLAKE2
           : variant < 6        ? FIN_FAMILY_GROESTL
                                : FIN_FAMILY_BLAKE3;
}

FIN_INLINE bool fin_is_wide(fin_variant variant)
{
    return FIN_WIDE_COUNT != 0 && variant % 2 != 0;
}

FIN_INLINE size_t fin_variant_block(fin_variant variant)
{
    return fin_is_wide(variant) ? 128 : 64;
}

/* True for BLAKE2 and BLAKE3: the last block is filled with zeros, and the counter (BLAKE2) or the
   flags (BLAKE3) give its length. */
FIN_INLINE bool fin_is_unpadded(fin_variant variant)
{
    return fin_family_of(variant) == FIN_FAMILY_BLAKE2 ||
           fin_family_of(variant) == FIN_FAMILY_BLAKE3;
}

/* Returns the bytes of the chaining value; Grøstl's is as wide as a block. */
FIN_INLINE size_t fin_state_bytes(fin_variant variant)
{
    return fin_family_of(variant) == FIN_FAMILY_GROESTL ? fin_variant_block(variant)
                                                        : fin_variant_block(variant) / 2;
}

/* Returns the counter's increment per whole block: BLAKE counts bits, BLAKE2 bytes, Grøstl blocks.
   BLAKE3 counts chunks, whose blocks share one counter. */
FIN_INLINE uint32_t fin_variant_increment(fin_variant variant)
{
    const uint32_t block_bytes = (uint32_t)fin_variant_block(variant);
    return fin_family_of(variant) == FIN_FAMILY_BLAKE    ? 8 * block_bytes
           : fin_family_of(variant) == FIN_FAMILY_BLAKE2 ? block_bytes
           : fin_family_of(variant) == FIN_FAMILY_BLAKE3 ? 0
                                                         : 1;
}

/*
 * Blocks that a compression function takes in one call: their address, the counter before the first
 * one, and its increment per block. A message is a short sequence of segments.
 */
typedef struct fin_segment {
    const uint8_t *in;
    size_t blocks;
    uint64_t t[2];
    uint32_t increment;
    bool last; /* it ends the message */
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

/* Advances a counter in registers by blocks * increment. The caller checks for overflow. */
FIN_INLINE void fin_counter_add(uint64_t t[2], uint64_t blocks, uint32_t increment)
{
    const uint64_t middle = (blocks >> 32) * increment + ((blocks & UINT32_MAX) * increment >> 32);
    const uint64_t sum = t[0] + blocks * increment;
    t[1] += (middle >> 32) + (sum < t[0]);
    t[0] = sum;
}

/* Advances a counter in memory. */
static inline void fin_counter_advance(uint64_t t[2], uint64_t blocks, uint32_t increment)
{
    uint64_t sum[2] = {t[0], t[1]};
    fin_counter_add(sum, blocks, increment);
    fin_store_piece(t, sum[0], sum[1]);
}

/* A message's last bytes, at most one block, and up to seven bits after them. */
typedef struct fin_tail {
    const uint8_t *in;
    size_t bytes;
    uint8_t last_bits;
    unsigned bit_count;
} fin_tail;

/* The segments that hold a message's tail and the padding, and the counter after the message. */
typedef struct fin_final_blocks {
    size_t count; /* one or two */
    fin_segment segment[2];
    uint64_t t[2];
} fin_final_blocks;

/* The longest padding: two blocks. */
enum { FIN_PADDED_BYTES = 2 * 128 };

/* Erases a tail of tail_bytes from padded blocks. */
FIN_INLINE void fin_padded_erase(fin_variant variant, uint8_t *padded, size_t tail_bytes)
{
    fin_erase(padded, 64);
    if (fin_is_wide(variant) && tail_bytes > 64) {
        fin_erase(padded + 64, 64);
    }
}

#endif
