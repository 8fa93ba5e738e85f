/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE3 around its compression function: chunks, flags, the tree's shape. BLAKE3 paper, section 2.
 *
 * A message is cut into chunks of 1024 bytes, the last one shorter or, of the empty message, empty. A
 * chunk is a chain of blocks, and its chaining value a leaf of a binary tree whose left subtrees are
 * perfect and as large as can be:
 *
 *   chunks    0  1    2  3    4  5    6
 *              \/      \/      \/     |
 *                \    /         \    /
 *                  \/             \/
 *                     \         /
 *                        root
 *
 * So neighbours pair level by level, and an odd last one goes up as it is.
 */
#ifndef FIN_SPEC_BLAKE3_H
#define FIN_SPEC_BLAKE3_H

#include "spec/variant.h"

#include "spec/blake_iv.h"

enum {
    FIN_BLAKE3_BLOCK = 64, /* bytes */
    FIN_CHUNK_BLOCKS = 16,
    FIN_CHUNK_BYTES = FIN_CHUNK_BLOCKS * FIN_BLAKE3_BLOCK,
    FIN_CV_BYTES = 32,   /* a chaining value, in a parent's block */
    FIN_CHUNKS_LOG2 = 54 /* fewer than 2^54 chunks are before the message's last byte */
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

/* Returns a chain's flags as fin_state and fin_lanes hold them: flags of all blocks, and further ones of
   the first and of the last block. */
FIN_INLINE uint64_t fin_chain_flags(uint32_t flags, uint32_t first, uint32_t last)
{
    return flags | first << 8 | last << 16;
}

/* True if a message of whole chunks and pending bytes after them has fewer than 2^64 bytes. */
FIN_INLINE bool fin_blake3_fits(uint64_t chunks, uint64_t pending_bytes)
{
    return chunks >> 54 == 0 && pending_bytes <= UINT64_MAX - chunks * FIN_CHUNK_BYTES;
}

/* Returns the number of perfect subtrees on the stack after these chunks: one for each 1 in their
   number. While the message may end after 2^k chunks, the last two subtrees are not merged: their parent
   would be the root. */
FIN_INLINE unsigned fin_blake3_subtrees(uint64_t chunks, bool may_end)
{
    const bool halves = may_end && chunks > 1 && (chunks & (chunks - 1)) == 0;
    unsigned ones = halves ? 1 : 0;
    for (; chunks != 0; chunks &= chunks - 1) {
        ones++;
    }
    return ones;
}

#endif
