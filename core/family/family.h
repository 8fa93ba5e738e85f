/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What is known of an algorithm, and what its family does around the compression function: initial
 * values, padding, digests. Knows nothing of implementations.
 */
#ifndef FIN_FAMILY_H
#define FIN_FAMILY_H

#include "bytes.h"
#include "impl.h"

/* Nothing here leaves the library, so calls need no table and data no indirection. */
#pragma GCC visibility push(hidden)

/* ---- Algorithms ---- */

/* One stream of blocks; BLAKE2bp and BLAKE2sp; an output of any length (BLAKE2X). */
enum { FIN_SERIAL, FIN_STRIPED, FIN_XOF };

typedef struct fin_descriptor {
    fin_algorithm_info info;
    uint8_t shape;
    fin_compression small_compression; /* of digests up to 32 bytes */
    fin_compression large_compression;
    uint8_t rounds;
} fin_descriptor;

enum {
#define FIN_ALGORITHM(id, ...) FIN_INDEX_##id,
#include "alg.def"
#undef FIN_ALGORITHM
    FIN_DESCRIPTORS
};

/* In the order of their numbers, from 1. */
extern const fin_descriptor fin_descriptors[FIN_DESCRIPTORS];

/* False for an algorithm that is left out of this build. */
static inline bool fin_is_built(const fin_descriptor *descriptor)
{
#ifdef FIN_PARTS
    return descriptor->info.name != NULL;
#else
    (void)descriptor;
    return true;
#endif
}

/* The descriptor of an algorithm, or null. */
static inline const fin_descriptor *fin_descriptor_of(unsigned algorithm)
{
    if (algorithm - 1 >= FIN_DESCRIPTORS) {
        return NULL;
    }
    const fin_descriptor *descriptor = &fin_descriptors[algorithm - 1];
    return fin_is_built(descriptor) ? descriptor : NULL;
}

/* The compression function for a digest's length. */
static inline fin_compression fin_descriptor_compression(const fin_descriptor *descriptor,
                                                         uint64_t digest_bytes)
{
    return digest_bytes <= 32 ? descriptor->small_compression : descriptor->large_compression;
}

/* True if the algorithm has digests of this length. */
static inline bool fin_digest_length_valid(const fin_descriptor *descriptor, uint64_t digest_bytes)
{
    return (descriptor->shape == FIN_XOF && digest_bytes == FIN_XOF_UNKNOWN) ||
           (digest_bytes >= descriptor->info.digest_bytes_min &&
            digest_bytes <= descriptor->info.digest_bytes_max);
}

extern const uint8_t fin_block_bytes[FIN_COMPRESSIONS];

/* Words of 64 bits, else of 32. */
static inline bool fin_words_are_wide(fin_compression compression)
{
    return compression != FIN_COMPRESSION_BLAKE256 && compression != FIN_COMPRESSION_BLAKE2S;
}

/* ---- Instances ---- */

typedef struct fin_family_ops fin_family_ops;

/* An algorithm with the length of its digest: what streams, batches, trees and blocks share. */
typedef struct fin_instance {
    const fin_descriptor *descriptor;
    const fin_family_ops *family;
    uint64_t digest_bytes;
    uint32_t block_bytes;
    uint32_t increment; /* what the counter grows by for a whole block */
    fin_compression compression;
} fin_instance;

/* By fin_family. */
extern const fin_family_ops *const fin_family_table[3];

static inline uint32_t fin_block_increment(const fin_descriptor *descriptor, uint32_t block_bytes)
{
    switch (descriptor->info.family) {
    case FIN_FAMILY_BLAKE:
        return 8 * block_bytes;
    case FIN_FAMILY_BLAKE2:
        return block_bytes;
    default:
        return 1;
    }
}

/* The algorithm must have digests of this length. */
static inline fin_instance fin_instance_of(const fin_descriptor *descriptor, uint64_t digest_bytes)
{
    const fin_compression compression = fin_descriptor_compression(descriptor, digest_bytes);
    const uint32_t block_bytes = fin_block_bytes[compression];
    return (fin_instance){descriptor,  fin_family_table[descriptor->info.family],    digest_bytes,
                          block_bytes, fin_block_increment(descriptor, block_bytes), compression};
}

/* Checks everything in params that can be wrong for the algorithm. */
fin_status fin_instance_resolve(fin_instance *instance, const fin_descriptor *descriptor,
                                const fin_params *params);

/* ---- Segments ---- */

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

/* A message's last bytes: at most one block, and up to seven bits after them. */
typedef struct fin_tail {
    const uint8_t *in;
    size_t bytes;
    uint8_t last_bits;
    unsigned bit_count;
    bool in_pieces; /* written in pieces, of which the last may be read whole */
} fin_tail;

/* The byte after the tail's whole ones: its last bits and the 1 of the padding. */
static inline uint8_t fin_padded_bits(const fin_tail *tail)
{
    const unsigned kept = 0xff00U >> tail->bit_count;
    return (uint8_t)((tail->last_bits & kept) | 0x80U >> tail->bit_count);
}

/* The segments that hold a message's tail and the padding: one or two. */
typedef struct fin_ends {
    size_t count;
    fin_segment segment[2];
    uint64_t t[2]; /* the counter after the message */
    size_t padded_bytes;
    _Alignas(64) uint8_t padded[2 * 128];
} fin_ends;

/* Zeros. Of constant lengths, so that no call is made for it. */
static inline void fin_padded_zero(fin_ends *ends)
{
    if (ends->padded_bytes != 0) {
        memset(ends->padded, 0, 64);
    }
    if (ends->padded_bytes > 64) {
        memset(ends->padded + 64, 0, 64);
    }
    if (ends->padded_bytes > 128) {
        memset(ends->padded + 128, 0, 128);
    }
}

/* Takes so many bytes of padded blocks, which are zero. */
static inline void fin_padded_take(fin_ends *ends, size_t bytes)
{
    ends->padded_bytes = bytes;
    fin_padded_zero(ends);
}

static inline void fin_padded_erase(fin_ends *ends)
{
    fin_padded_zero(ends);
    __asm__ __volatile__("" : : "r"(ends->padded) : "memory");
}

/* ---- Families ---- */

struct fin_family_ops {
    /* True if appending so many bytes and bits to what state->t counts would not overflow the
       counter. */
    bool (*fits)(const uint64_t t[2], const fin_instance *instance, uint64_t pending_bytes,
                 unsigned bit_count);
    /* Sets all of a message's state before its first byte but the salt. parameter_block: BLAKE2's. */
    void (*start)(fin_state *state, const fin_instance *instance, const uint8_t *parameter_block);
    /* Pads a message whose whole blocks before its tail are counted in t. The tail must stay where
       it is until the segments are compressed. */
    void (*pad)(const uint64_t t[2], const fin_instance *instance, const fin_tail *tail,
                fin_ends *ends);
    /* The first bytes of the digest (Grøstl: the last ones of the state) of a finished state. */
    void (*output)(const fin_state *state, const fin_instance *instance, uint8_t *digest,
                   size_t digest_bytes);
};

extern const fin_family_ops fin_blake_ops, fin_blake2_ops, fin_groestl_ops;

/* Parameters, which fin_instance_resolve has checked: a parameter block (BLAKE2) or the salt's words
   in the state (BLAKE; zeros without one). */
void fin_customise(fin_state *state, uint8_t parameter_block[64], const fin_instance *instance,
                   const fin_params *params);

/* ---- BLAKE2's parameter block (RFC 7693, section 2.5; BLAKE2 paper, section 2.8) ---- */

enum {
    FIN_NODE_DIGEST = 0,
    FIN_NODE_KEY = 1,
    FIN_NODE_FANOUT = 2,
    FIN_NODE_DEPTH = 3,
    FIN_NODE_LEAF_BYTES = 4,
    FIN_NODE_OFFSET = 8,
    FIN_NODE_XOF_BYTES = 12 /* BLAKE2X: the upper half of the node offset */
};
static inline size_t fin_node_depth_at(fin_compression compression)
{
    return compression == FIN_COMPRESSION_BLAKE2B ? 16 : 14;
}
/* The longest digest of BLAKE2b and BLAKE2s, which is also their longest key. */
static inline uint8_t fin_blake2_digest_max(fin_compression compression)
{
    return compression == FIN_COMPRESSION_BLAKE2B ? 64 : 32;
}

void fin_blake2_parameters(uint8_t block[64], const fin_instance *instance,
                           const fin_params *params);
bool fin_blake2_tree_valid(const fin_descriptor *descriptor, const fin_tree *tree);
/* The state of the node that a parameter block describes, before its first byte. */
void fin_blake2_node(fin_state *state, fin_compression compression, const uint8_t block[64]);

/* ---- Messages without other parameters than the digest's length ---- */

/* The state before the first byte. */
void fin_blake_plain(fin_state *state, const fin_descriptor *descriptor);
void fin_blake2_plain(fin_state *state, fin_compression compression, size_t digest_bytes);
/* With parameters but for a key. */
void fin_blake2_unkeyed(fin_state *state, fin_compression compression, size_t digest_bytes,
                        const fin_params *params);
void fin_groestl_plain(fin_state *state, const fin_descriptor *descriptor, size_t digest_bytes);

/* The padded blocks of a tail of so many bits: BLAKE adds two bits at least and the length, an eighth
   of a block. */
static inline size_t fin_blake_padded_blocks(size_t block_bytes, size_t bits)
{
    return bits + 2 + block_bytes > 8 * block_bytes ? 2 : 1;
}
/* Of at most a block: up to seven bits and the 1 fill a byte, the number of blocks eight. */
static inline size_t fin_groestl_padded_blocks(size_t block_bytes, size_t bytes)
{
    return bytes + 1 + 8 > block_bytes ? 2 : 1;
}

/* Write to the end of padded blocks, where zeros are: BLAKE's bit of full digests and the length,
   Grøstl's number of blocks. */
void fin_blake_set_length(uint8_t *end, const fin_descriptor *descriptor, uint64_t bits,
                          uint64_t bits_high);
void fin_groestl_set_count(uint8_t *end, uint64_t count);

/* The digest of a finished state of Grøstl: its last bytes. */
void fin_groestl_digest(const fin_state *state, size_t block_bytes, uint8_t *digest,
                        size_t digest_bytes);

#pragma GCC visibility pop

#endif
