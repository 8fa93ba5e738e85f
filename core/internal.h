/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What the rooms of the core say to each other: the descriptor of an algorithm, the three functions of a
 * family, dispatch, and the helpers that everyone needs.
 */
#ifndef FIN_INTERNAL_H
#define FIN_INTERNAL_H

#include <stdatomic.h>

#include "bytes.h"
#include "impl.h"

/* Nothing here leaves the library, so calls need no table and data no indirection. */
#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

enum { FIN_SERIAL, FIN_STRIPED, FIN_XOF };

enum {
    FIN_PHASE_ABSORB = 0xa5,
    FIN_PHASE_SQUEEZE = 0xb6,
    FIN_PHASE_DONE = 0xc7,
    FIN_PHASE_SHARED = 0xd8
};

typedef struct fin_descriptor {
    fin_algorithm_info info;
    uint8_t shape;
    fin_compression small_compression; /* of digests up to 32 bytes */
    fin_compression large_compression;
    uint8_t rounds;
} fin_descriptor;

/* The descriptor of an algorithm, or null. */
const fin_descriptor *fin_descriptor_of(unsigned algorithm);

/* What of a descriptor follows from the digest's length as well. */
static inline fin_compression fin_descriptor_compression(const fin_descriptor *descriptor,
                                                         uint64_t digest_bytes)
{
    return digest_bytes <= 32 ? descriptor->small_compression : descriptor->large_compression;
}

/* Has the algorithm digests of this length? */
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

/* A message's last bytes: at most one block, and up to seven bits after them. */
typedef struct fin_tail {
    const uint8_t *in;
    size_t bytes;
    uint8_t last_bits;
    unsigned bit_count;
} fin_tail;

/* The byte after the tail's whole ones: its last bits and the 1 of the padding. */
static inline uint8_t fin_padded_bits(const fin_tail *tail)
{
    const unsigned kept = 0xff00U >> tail->bit_count;
    return (uint8_t)((tail->last_bits & kept) | 0x80U >> tail->bit_count);
}

/*
 * A message's end as the compression function gets it: the blocks that hold the tail and the
 * padding, one or two of them, each with the counter before it. Fields are written and read one by
 * one: what is stored in halves and read whole waits for the cache.
 */
typedef struct fin_end {
    const uint8_t *in;
    size_t blocks;
    uint64_t t[2];
    uint32_t increment;
} fin_end;

typedef struct fin_ends {
    size_t count;
    fin_end end[2];
    uint64_t flag; /* state->f[0] for the last one */
    uint64_t t[2]; /* the counter after the message */
    size_t padded_bytes;
    uint8_t padded[2 * 128];
} fin_ends;

typedef struct fin_family_ops {
    /* Is a message that goes on by pending bytes and bits after state->t within the counter? */
    bool (*fits)(const fin_state *state, fin_compression compression, uint64_t pending_bytes,
                 unsigned bit_count);
    /* From what init stored in the context to the chain (and buffer) before the first byte. */
    void (*start)(fin_context *context, const fin_descriptor *descriptor);
    /* Pads a message whose whole blocks before its tail are counted in state->t. Of the chain it
       reads nothing else. The tail must stay where it is until the ends are compressed. */
    void (*pad)(const fin_state *state, const fin_descriptor *descriptor,
                fin_compression compression, const fin_tail *tail, fin_ends *ends);
    /* The digest of a finished chain. */
    void (*output)(const fin_state *state, fin_compression compression, uint8_t *digest,
                   size_t digest_bytes);
} fin_family_ops;

extern const fin_family_ops fin_blake_ops, fin_blake2_ops, fin_groestl_ops;
/* By fin_family. */
extern const fin_family_ops *const fin_family_table[3];
static inline const fin_family_ops *fin_ops_of(const fin_descriptor *descriptor)
{
    return fin_family_table[descriptor->info.family];
}

/* BLAKE2's parameter block (RFC 7693, section 2.5; BLAKE2 paper, section 2.8). */
void fin_blake2_parameters(uint8_t block[64], const fin_descriptor *descriptor,
                           const fin_params *params, uint64_t digest_bytes);
bool fin_blake2_tree_valid(const fin_descriptor *descriptor, const fin_tree *tree);
/* The chain of the node that a parameter block describes. */
void fin_blake2_node(fin_state *state, fin_compression compression, const uint8_t block[64]);
/* Fields of the parameter block. */
enum {
    FIN_NODE_DIGEST = 0,
    FIN_NODE_KEY = 1,
    FIN_NODE_FANOUT = 2,
    FIN_NODE_DEPTH = 3,
    FIN_NODE_LEAF_BYTES = 4,
    FIN_NODE_OFFSET = 8
};
static inline size_t fin_node_depth_at(fin_compression compression)
{
    return compression == FIN_COMPRESSION_BLAKE2B ? 16 : 14;
}
/* The xof_length of BLAKE2X stands in the upper half of the node offset. */
static inline size_t fin_node_xof_at(void)
{
    return FIN_NODE_OFFSET + 4;
}
/* The longest digest of BLAKE2b and BLAKE2s, which is also their longest key. */
static inline uint8_t fin_blake2_digest_max(fin_compression compression)
{
    return compression == FIN_COMPRESSION_BLAKE2B ? 64 : 32;
}

/* BLAKE2bp and BLAKE2sp: leaves that take the message's blocks in turn. */
void fin_striped_start(fin_context *context, const fin_descriptor *descriptor);
void fin_striped_update(fin_context *context, const fin_descriptor *descriptor, const uint8_t *in,
                        size_t bytes);
/* Leaves the whole stripes in the middle to fin_share_leaves. */
void fin_striped_share(fin_context *context, const fin_descriptor *descriptor, const uint8_t *in,
                       size_t bytes, fin_share *share);
void fin_striped_finish(fin_context *context, const fin_descriptor *descriptor);

/* BLAKE2X: the output nodes after context->state holds the root's finished chain. */
void fin_xof_output(fin_context *context, fin_compression compression, uint8_t *out, size_t bytes);

/*
 * As fin_hash_many for messages with a byte before each of them: messages, or where that is null
 * inputs of message_bytes bytes each, one right after the other from side_by_side on. With count
 * not 0, nothing that is needed may be null.
 */
fin_status fin_hash_prefixed(fin_algorithm algorithm, const fin_params *params, uint8_t prefix,
                             const fin_message *messages, const uint8_t *side_by_side,
                             size_t message_bytes, size_t count, uint8_t *digests, size_t stride);

/* ---- Dispatch ---- */

/* The choice for each compression function; null until it was first asked for. */
extern _Atomic(const fin_impl *) fin_chosen[FIN_COMPRESSIONS];
/* Makes the choice. Whether the environment and the CPU leave one: FIN_OK or what fin_init shall
   return. */
fin_status fin_dispatch_choose(fin_compression compression);
/* As fin_dispatch_choose, but where the environment is wrong it is passed over. Never null. */
const fin_impl *fin_dispatch_first(fin_compression compression);

static inline fin_status fin_dispatch_check(fin_compression compression)
{
    const fin_impl *impl = atomic_load_explicit(&fin_chosen[compression], memory_order_acquire);
    return impl != NULL ? FIN_OK : fin_dispatch_choose(compression);
}

/* The implementation that serves. */
static inline const fin_impl *fin_dispatch(fin_compression compression)
{
    const fin_impl *impl = atomic_load_explicit(&fin_chosen[compression], memory_order_acquire);
    return impl != NULL ? impl : fin_dispatch_first(compression);
}

/*
 * The implementation of several messages at once for so many of them, or null where one at a time
 * is better or all there is. Its lanes may be more than the messages, or fewer.
 */
const fin_impl *fin_dispatch_lanes(fin_compression compression, size_t messages);

/* Word of a row: see fin_lanes. */
static inline void fin_lane_set(fin_lanes *lanes, bool wide, size_t at, uint64_t word)
{
    if (wide) {
        lanes->row.w64[at] = word;
    } else {
        lanes->row.w32[at] = (uint32_t)word;
    }
}

/* A lane's counter, as state->t has it, and what it grows by; no flags. */
static inline void fin_lane_set_phase(fin_lanes *lanes, fin_compression compression,
                                      size_t lane_count, size_t lane, const uint64_t t[2],
                                      uint32_t increment)
{
    const bool wide = fin_words_are_wide(compression);
    fin_lane_set(lanes, wide, FIN_LANE_T * lane_count + lane, t[0]);
    fin_lane_set(lanes, wide, (FIN_LANE_T + 1) * lane_count + lane, wide ? t[1] : t[0] >> 32);
    fin_lane_set(lanes, wide, FIN_LANE_F * lane_count + lane, 0);
    fin_lane_set(lanes, wide, (FIN_LANE_F + 1) * lane_count + lane, 0);
    fin_lane_set(lanes, wide, FIN_LANE_INCREMENT * lane_count + lane, increment);
}

/* The features of this CPU that the operating system supports too. */
uint32_t fin_cpu_detect(void);

/* Advances state->t by blocks * increment, which the caller knows to fit. */
static inline void fin_state_advance(fin_state *state, uint64_t blocks, uint32_t increment)
{
    const uint64_t low = (blocks & 0xffffffff) * increment;
    const uint64_t middle = (blocks >> 32) * increment + (low >> 32);
    const uint64_t sum = state->t[0] + ((middle << 32) | (low & 0xffffffff));
    state->t[1] += (middle >> 32) + (sum < state->t[0]);
    state->t[0] = sum;
}

/* What state->t counts of one block. */
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

/* Compresses whole blocks and advances the counter. */
static inline void fin_compress(fin_state *state, fin_compression compression, const uint8_t *in,
                                size_t blocks, size_t stride, uint32_t increment)
{
    fin_dispatch(compression)->compress(state, in, blocks, stride, increment);
    fin_state_advance(state, blocks, increment);
}

/* The same for a message's last blocks. */
static inline void fin_compress_end(fin_state *state, fin_compression compression,
                                    const uint8_t *in, size_t blocks, size_t stride,
                                    uint32_t increment)
{
    fin_dispatch(compression)->finish(state, in, blocks, stride, increment);
    fin_state_advance(state, blocks, increment);
}

/* Room for so many bytes of padded blocks. Of constant lengths, so that no call is made for it. */
static inline void fin_clear_padded(fin_ends *ends, size_t bytes)
{
    ends->padded_bytes = bytes;
    memset(ends->padded, 0, 128);
    if (bytes > 128) {
        memset(ends->padded + 128, 0, 128);
    }
}

/* ---- A message's end ---- */

/* Compresses a message's ends. */
static inline void fin_compress_ends(fin_state *state, fin_compression compression,
                                     const fin_ends *ends)
{
    const fin_impl *impl = fin_dispatch(compression);
    for (size_t i = 0; i < ends->count; i++) {
        const fin_end *end = &ends->end[i];
        state->t[0] = end->t[0];
        state->t[1] = end->t[1];
        const bool last = i + 1 == ends->count;
        if (last) {
            state->f[0] = ends->flag;
        }
        (last ? impl->finish : impl->compress)(state, end->in, end->blocks,
                                               fin_block_bytes[compression], end->increment);
    }
    state->t[0] = ends->t[0];
    state->t[1] = ends->t[1];
}

/* From a message's tail to the finished chain. BLAKE2: the caller has set state->f[1]. */
static inline void fin_finish(fin_state *state, const fin_descriptor *descriptor,
                              fin_compression compression, const fin_tail *tail)
{
    fin_ends ends;
    fin_ops_of(descriptor)->pad(state, descriptor, compression, tail, &ends);
    fin_compress_ends(state, compression, &ends);
    if (ends.padded_bytes != 0) {
        fin_erase(ends.padded, 128);
    }
    if (ends.padded_bytes > 128) {
        fin_erase(ends.padded + 128, 128);
    }
}

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
