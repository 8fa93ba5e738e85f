/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Functions shared by Merkle trees and their proofs.
 */
#ifndef FIN_MERKLE_H
#define FIN_MERKLE_H

#include "message/message.h"

#pragma GCC visibility push(hidden)

/* Returns the largest power of two up to x, which is not 0. */
static inline uint64_t fin_power_of_two(uint64_t x)
{
    uint64_t power = 1;
    while (power <= x / 2) {
        power *= 2;
    }
    return power;
}

/* Hashes two nodes to their parent, which may replace either. */
fin_status fin_merkle_parent(const fin_merkle *tree, const uint8_t *left, const uint8_t *right,
                             uint8_t *parent);

#pragma GCC visibility pop

#endif
