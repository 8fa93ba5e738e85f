/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE3 for the reference: any part of an output, and messages whose first chunks are known only
 * by the chaining values of their subtrees.
 */
#ifndef FUZZ_REFERENCE_BLAKE3_H
#define FUZZ_REFERENCE_BLAKE3_H

#include "finalist.h"

/* A message: chunks_before chunks, given by the chaining values of their perfect subtrees from the
   largest to the smallest, then these bytes. */
typedef struct reference_blake3_text {
    const uint8_t *in;
    size_t bytes;
    uint64_t chunks_before;
    const uint8_t (*subtrees)[32];
} reference_blake3_text;

/* Writes bytes of the output from `position` on. params may be null. */
void reference_blake3(const fin_params *params, const reference_blake3_text *text,
                      uint64_t position, uint8_t *out, size_t bytes);

#endif
