/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Implements every algorithm of finalist.h from its specification: bytes and loops, whole messages,
 * no line or table of core/. For the fuzz targets alone.
 */
#ifndef FUZZ_REFERENCE_H
#define FUZZ_REFERENCE_H

#include "finalist.h"

/* Writes the digest for valid parameters, whose digest length must be known. */
void reference_hash(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                    size_t bytes, uint8_t *digest);

/* Writes the digest of a number of bits, for BLAKE and Grøstl. */
void reference_hash_bits(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                         uint64_t bits, uint8_t *digest);

/* Writes the first bytes of an output of BLAKE2X or BLAKE3, also of unknown length. */
void reference_xof(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                   size_t bytes, uint8_t *out, size_t out_bytes);

/* Writes the root in BLAKE2's tree mode with the shape params->tree_mode. */
void reference_tree(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                    size_t bytes, uint8_t *digest);

/* Returns the length of the digest that params ask for. */
uint64_t reference_digest_bytes(fin_algorithm algorithm, const fin_params *params);

#endif
