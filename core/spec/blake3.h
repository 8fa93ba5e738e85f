/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE3 around its compression function: chunks, flags, the tree's shape. BLAKE3 paper, section 2.
 *
 * A message is cut into chunks of 1024 bytes. The last one may be shorter; that of an empty message
 * is empty. A chunk is a chain of blocks, and its chaining value a leaf of a binary tree whose left
 * subtrees are perfect and as large as possible:
 *
 *   chunks    0  1    2  3    4  5    6
 *              \/      \/      \/     |
 *                \    /         \    /
 *                  \/             \/
 *                     \         /
 *                        root
 *
 * So neighbours are paired level by level, and an odd last one moves up unchanged.
 */
#ifndef FIN_SPEC_BLAKE3_H
#define FIN_SPEC_BLAKE3_H

#include "spec/variant.h"

#include "spec/blake_iv.h"

enum {
    FIN_BLAKE3_BLOCK = 64, /* bytes */
    FIN_CHUNK_BLOCKS = 16,
    FIN_CHUNK_BYTES = FIN_CHUNK_BLOCKS * FIN_BLAKE3_BLOCK,
    FIN_CV_BYTES = 32,   /* a chaining value, half of a parent's block */
    FIN_CHUNKS_LOG2 = 54 /* fewer than 2^54 chunks precede the message's last byte */
};

/* Flags of a block: BLAKE3 paper, table 3. */
enum {
    FIN_CHUNK_START = 1,
    FIN_CHUNK_END = 2,
    FIN_PARENT = 4,
    FIN_ROOT = 8,
    FIN_KEYED_HASH = 16,
    FIN_DERIVE_KEY_CONTEXT = 32,
    FIN_DERIVE_KEY_MATERIAL = 64,
    FIN_KEYED_MODES = FIN_KEYED_HASH | FIN_DERIVE_KEY_CONTEXT | FIN_DERIVE_KEY_MATERIAL
};

/* Packs a chain's flags for fin_state and fin_lanes: the flags of all blocks, and additional ones
   for the first and the last block. */
FIN_INLINE uint64_t fin_chain_flags(uint32_t flags, uint32_t first, uint32_t last)
{
    return flags | first << 8 | last << 16;
}

/* Returns a chain's flags without the last block's additional ones. */
FIN_INLINE uint64_t fin_flags_before_last(uint64_t chain)
{
    return chain & 0xffff;
}

/* True if whole chunks and the pending bytes after them are fewer than 2^64 bytes. */
FIN_INLINE bool fin_blake3_fits(uint64_t chunks, uint64_t pending_bytes)
{
    return chunks >> FIN_CHUNKS_LOG2 == 0 && pending_bytes <= UINT64_MAX - chunks * FIN_CHUNK_BYTES;
}

/* Returns the number of perfect subtrees on the stack after these chunks: one for each 1 in the
   binary form of their number. While the message may end after 2^k chunks, the last two subtrees
   stay unmerged, because their parent would be the root. */
FIN_INLINE unsigned fin_blake3_subtrees(uint64_t chunks, bool may_end)
{
    const bool halves = may_end && chunks > 1 && (chunks & (chunks - 1)) == 0;
    return fin_ones(chunks) + halves;
}

#endif
