/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Nodes of BLAKE3 that are one block, consecutive in memory: parents, and messages of 64 bytes. One
 * per lane, from bytes to chaining values. For kern/blake/lanes.h, with FN(_one_block) or FIN_BLOCKS.
 */

#include "spec/blake3.h"

/* Sets the address of each lane's node. Lanes after the last node repeat the first one. Computes a
   vector of numbers, because a comparison for each lane takes more code; constant distances take a
   cycle less for each node. */
FIN_INLINE void FN(_point)(const uint8_t *node[LANES], const uint8_t *in, size_t count)
{
    if (count >= LANES) {
        for (size_t lane = 0; lane < LANES; lane++) {
            node[lane] = in + FIN_BLAKE3_BLOCK * V(_node)(lane);
        }
        return;
    }
    typedef uint32_t numbers __attribute__((vector_size(4 * LANES)));
    static const uint32_t of_lane[16] = {V(_node)(0),  V(_node)(1),  V(_node)(2),  V(_node)(3),
                                         V(_node)(4),  V(_node)(5),  V(_node)(6),  V(_node)(7),
                                         V(_node)(8),  V(_node)(9),  V(_node)(10), V(_node)(11),
                                         V(_node)(12), V(_node)(13), V(_node)(14), V(_node)(15)};
    numbers number;
    memcpy(&number, of_lane, sizeof number);
    number &= (numbers)(number < (uint32_t)count);
    for (size_t lane = 0; lane < LANES; lane++) {
        node[lane] = in + FIN_BLAKE3_BLOCK * (size_t)number[lane];
    }
}

#ifdef FIN_BLOCKS
/* fin_hash_blocks_fn. While a vector of nodes is compressed, the next one is transposed. The
   chaining values of all lanes are stored, so those of few nodes are copied. */
FIN_NOINLINE void FIN_HASH_BLOCKS(const uint32_t *key, uint32_t flags, const uint8_t *in,
                                  size_t count, uint8_t *cvs, fin_lanes *lanes)
{
    _Alignas(64) uint8_t few_cvs[LANES * FIN_CV_BYTES];
    const uint8_t *nodes[LANES];
    lanes->ready = false;
    lanes->half = 0;
    FN(_point)(lanes->in, in, count);
    for (size_t s = 0; s < FIN_STREAMS; s++) {
        V(_store)(ROW(FIN_LANE_T, s), V(_set1)(0));
        V(_store)(ROW(FIN_LANE_T + 1, s), V(_set1)(0));
        V(_store)(ROW(FIN_LANE_F, s), V(_set1)(FIN_BLAKE3_BLOCK));
        V(_store)(ROW(FIN_LANE_F + 1, s), V(_set1)(flags));
    }
    while (count != 0) {
        const size_t taken = count < LANES ? count : LANES;
        const bool whole = taken == LANES;
        uint8_t *to = whole ? cvs : few_cvs;
        in += FIN_BLAKE3_BLOCK * taken;
        count -= taken;
        FN(_point)(nodes, in, count);
        for (size_t s = 0; s < FIN_STREAMS; s++) {
            for (size_t i = 0; i < 8; i++) {
                V(_store)(ROW(FIN_LANE_H + i, s), V(_set1)(key[i]));
            }
        }
        FN(_ahead)(lanes, 1, 0, count != 0 ? lanes : NULL, nodes);
        for (size_t s = 0; s < FIN_STREAMS; s++) {
            VEC h[8];
            for (size_t i = 0; i < 8; i++) {
                h[i] = V(_load)(ROW(FIN_LANE_H + i, s));
            }
            V(_store_nodes)(to + FIN_CV_BYTES * VEC_LANES * s, h);
        }
        fin_copy_items(cvs, few_cvs, FIN_CV_BYTES, whole ? 0 : taken);
        cvs += FIN_CV_BYTES * taken;
    }
    fin_erase(&lanes->row, 8 * LANES * sizeof(WORD));
    fin_erase(&lanes->message, 2 * 16 * LANES * sizeof(WORD));
}
#else
/* Hashes one node per lane, of count nodes. Parents, and messages of one block, have no number. */
FIN_INLINE void FN(_hash_all)(const uint32_t *key, uint32_t flags, const uint8_t *in, size_t count,
                              uint8_t *cvs)
{
    _Alignas(VEC) WORD m[16 * LANES];
    const uint8_t *node[LANES];
    VEC h[8];
    const VEC last[4] = {V(_set1)(0), V(_set1)(0), V(_set1)(FIN_BLAKE3_BLOCK), V(_set1)(flags)};
    FN(_point)(node, in, count);
    for (size_t word = 0; word < 16; word += LANES) {
        FN(_transpose_square)(m, node, 0, word, 0);
    }
    for (size_t i = 0; i < 8; i++) {
        h[i] = V(_set1)(key[i]);
    }
    FN(_one_block)(h, last, m);
    V(_store_nodes)(cvs, h);
}

/* fin_hash_blocks_fn. The chaining values of all lanes are stored, so those of few nodes are
   copied. */
FIN_NOINLINE void FIN_HASH_BLOCKS(const uint32_t *key, uint32_t flags, const uint8_t *in,
                                  size_t count, uint8_t *cvs, fin_lanes *lanes)
{
    _Alignas(64) uint8_t few_cvs[LANES * FIN_CV_BYTES];
    (void)lanes;
    while (count != 0) {
        const size_t taken = count < LANES ? count : LANES;
        const bool whole = taken == LANES;
        FN(_hash_all)(key, flags, in, taken, whole ? cvs : few_cvs);
        fin_copy_items(cvs, few_cvs, FIN_CV_BYTES, whole ? 0 : taken);
        in += FIN_BLAKE3_BLOCK * taken;
        cvs += FIN_CV_BYTES * taken;
        count -= taken;
    }
}
#endif
