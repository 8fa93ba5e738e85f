/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Proves: a Merkle proof is climbed with exactly as many nodes as the leaf has siblings on its way
 *         to the root, and no node beside the proof is read
 * Bounds: any leaf in trees of up to 2^10, any number of nodes up to 11, hashes of 20 and 64 bytes
 * Runs: HASH_BYTES=20 | HASH_BYTES=64 | SHAPE
 * Options: --unwind 12
 * Faults: merkle-long-proof merkle-short-proof
 */
#include "proof.h"

enum { LEVELS = 10 };

/* Neither computes hashes nor copies nodes: only their addresses matter. */
static void *checked_copy(void *to, const void *from, size_t bytes)
{
    PROOF_ASSERT(PROOF_READABLE(from, bytes), "every node read is in the proof");
    PROOF_ASSERT(PROOF_WRITABLE(to, bytes), "its target is writable");
    return to;
}

#define memcpy checked_copy
#include "tree/merkle.c"
#include "tree/proofs.c"
#undef memcpy

fin_status fin_hash(fin_algorithm algorithm, const fin_params *params, const void *in, size_t bytes,
                    uint8_t *digest, size_t digest_bytes)
{
    (void)algorithm;
    (void)params;
    PROOF_ASSERT(PROOF_READABLE(in, bytes) && bytes == 1 + 2 * digest_bytes &&
                     *(const uint8_t *)in == FIN_MERKLE_NODE,
                 "a parent is the hash of two nodes");
    PROOF_ASSERT(PROOF_WRITABLE(digest, digest_bytes), "the parent is writable");
    return FIN_OK;
}

/* Counts the siblings: one in each level in which leaf and last leaf are in different subtrees, and
   above those one for each left subtree beside them. */
static size_t siblings_of(uint64_t index, uint64_t last)
{
    const uint64_t apart = index ^ last;
    const unsigned levels = apart == 0 ? 0 : 64 - (unsigned)__builtin_clzll(apart);
    return levels + (levels == 64 ? 0 : (size_t)__builtin_popcountll(index >> levels));
}

/* Counts them by RFC 9162, section 2.1.3.1, from the root down: the left subtree has the largest
   power of two of leaves below their number. */
static size_t siblings_by_definition(uint64_t index, uint64_t count)
{
    size_t siblings = 0;
    for (; count > 1; siblings++) {
        const uint64_t left = (uint64_t)1 << (63 - __builtin_clzll(count - 1));
        const bool on_the_right = index >= left;
        index -= on_the_right ? left : 0;
        count = on_the_right ? count - left : left;
    }
    return siblings;
}

int main(void)
{
    const uint64_t count = proof_u64();
    const uint64_t index = proof_u64();
    PROOF_ASSUME(count <= (uint64_t)1 << LEVELS && index < count);
#ifdef SHAPE
    PROOF_ASSERT(siblings_of(index, count - 1) == siblings_by_definition(index, count),
                 "this proof counts siblings as RFC 9162 does");
#else
    const fin_merkle tree = {.digest_bytes = HASH_BYTES};
    const size_t proof_count = proof_size();
    PROOF_ASSUME(proof_count <= LEVELS + 1);
    const uint8_t *proof = malloc(proof_count * HASH_BYTES);
    PROOF_ASSUME(proof != NULL);
    uint8_t root[FIN_MERKLE_HASH_BYTES_MAX];
    const fin_status status =
        fin_merkle_climb(&tree, index, count - 1, proof, proof_count, root, NULL);
    PROOF_ASSERT(status == FIN_OK || status == FIN_ERR_PROOF, "a root, or a refusal");
    PROOF_ASSERT((status == FIN_OK) == (proof_count == siblings_of(index, count - 1)),
                 "too few nodes and too many are refused");
#endif
    return 0;
}
