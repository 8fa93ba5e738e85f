/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Every algorithm of finalist.h after its specification, written for the fuzz targets alone: bytes
 * and loops, whole messages, no line or table of core/.
 */
#ifndef FUZZ_REFERENCE_H
#define FUZZ_REFERENCE_H

#include "finalist.h"

/* The digest of valid parameters; digest_bytes must be known. digest takes that many bytes. */
void reference_hash(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                    size_t bytes, uint8_t *digest);

/* The same of a number of bits; BLAKE and Grøstl. */
void reference_hash_bits(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                         uint64_t bits, uint8_t *digest);

/* The first bytes of an output of BLAKE2X or BLAKE3, also of unknown length. */
void reference_xof(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                   size_t bytes, uint8_t *out, size_t out_bytes);

/* The root in BLAKE2's tree mode: params->tree_mode is the shape. */
void reference_tree(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                    size_t bytes, uint8_t *digest);

/* The length of the digest that params ask for. */
uint64_t reference_digest_bytes(fin_algorithm algorithm, const fin_params *params);

#endif
