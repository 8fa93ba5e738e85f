/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE3 of the reference, with what only BLAKE3 has: any part of an output, and messages of which the
 * chaining values of the first chunks' subtrees are all that is known.
 */
#ifndef FUZZ_REFERENCE_BLAKE3_H
#define FUZZ_REFERENCE_BLAKE3_H

#include "finalist.h"

/* The bytes of a message after chunks_before chunks, whose perfect subtrees, from the largest to the
   smallest, have these chaining values. */
typedef struct reference_blake3_text {
    const uint8_t *in;
    size_t bytes;
    uint64_t chunks_before;
    const uint8_t (*subtrees)[32];
} reference_blake3_text;

/* Bytes of the output from a position on. params may be null. */
void reference_blake3(const fin_params *params, const reference_blake3_text *text,
                      uint64_t position, uint8_t *out, size_t bytes);

#endif
