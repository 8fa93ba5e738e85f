/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Algorithms and their parameters, and the functions of padding.h for callers without a constant
 * variant. Independent of implementations.
 */
#ifndef FIN_SPEC_H
#define FIN_SPEC_H

#include "spec/padding.h"

/* Hidden: calls need no PLT and data no GOT. */
#pragma GCC visibility push(hidden)

/* ---- Algorithms ---- */

/* One stream of blocks; BLAKE3; BLAKE2bp and BLAKE2sp; BLAKE2X, with an output of any length.
   fin_hash has its own functions for the shapes up to FIN_CHUNKED. */
enum { FIN_SERIAL, FIN_CHUNKED, FIN_STRIPED, FIN_XOF };

typedef struct fin_descriptor {
    fin_algorithm_info info;
    uint8_t shape;
    fin_compression small_compression; /* for digests up to 32 bytes */
    fin_compression large_compression;
    uint8_t rounds;
} fin_descriptor;

enum {
#define FIN_ALGORITHM(id, ...) FIN_INDEX_##id,
#include "alg.def"
#undef FIN_ALGORITHM
    FIN_DESCRIPTORS
};

/* Indexed by the algorithm's number less 1. */
extern const fin_descriptor fin_descriptors[FIN_DESCRIPTORS];

/* False if this build leaves out the algorithm. */
static inline bool fin_is_built(const fin_descriptor *descriptor)
{
#ifdef FIN_PARTS
    return descriptor->info.name != NULL;
#else
    (void)descriptor;
    return true;
#endif
}

/* Returns an algorithm's descriptor, or null. */
static inline const fin_descriptor *fin_descriptor_of(unsigned algorithm)
{
    if (algorithm - 1 >= FIN_DESCRIPTORS) {
        return NULL;
    }
    const fin_descriptor *descriptor = &fin_descriptors[algorithm - 1];
    return fin_is_built(descriptor) ? descriptor : NULL;
}

/* Returns the compression function for a digest length. */
static inline fin_compression fin_descriptor_compression(const fin_descriptor *descriptor,
                                                         uint64_t digest_bytes)
{
    return digest_bytes <= 32 ? descriptor->small_compression : descriptor->large_compression;
}

/* True for BLAKE3, if this build has it. */
static inline bool fin_is_chunked(const fin_descriptor *descriptor)
{
    return FIN_HAS_ALGORITHM(BLAKE3) != 0 && descriptor->shape == FIN_CHUNKED;
}

/* True for an algorithm with output of any length, which fin_squeeze reads. */
static inline bool fin_is_xof(const fin_descriptor *descriptor)
{
    return descriptor->shape == FIN_XOF || fin_is_chunked(descriptor);
}

/* True if the algorithm has digests of this length. */
static inline bool fin_digest_length_valid(const fin_descriptor *descriptor, uint64_t digest_bytes)
{
    return (fin_is_xof(descriptor) && digest_bytes == FIN_XOF_UNKNOWN) ||
           (digest_bytes >= descriptor->info.digest_bytes_min &&
            digest_bytes <= descriptor->info.digest_bytes_max);
}

extern const uint8_t fin_block_bytes[FIN_COMPRESSIONS];

/* True for 64-bit words, false for 32-bit ones. */
static inline bool fin_words_are_wide(fin_compression compression)
{
    return compression != FIN_COMPRESSION_BLAKE256 && compression != FIN_COMPRESSION_BLAKE2S &&
           compression != FIN_COMPRESSION_BLAKE3;
}

/* ---- Instances ---- */

/* An algorithm with a digest length; shared by streams, batches, trees and the block interface. */
typedef struct fin_instance {
    const fin_descriptor *descriptor;
    fin_variant variant;
    uint64_t digest_bytes;
    uint32_t block_bytes;
    uint32_t increment; /* of the counter, per whole block */
    fin_compression compression;
} fin_instance;

/* Returns the instance for a valid digest length. */
static inline fin_instance fin_instance_of(const fin_descriptor *descriptor, uint64_t digest_bytes)
{
    const fin_compression compression = fin_descriptor_compression(descriptor, digest_bytes);
    const fin_variant variant =
        fin_variant_of(descriptor->info.family, fin_block_bytes[compression] == 128);
    return (fin_instance){descriptor,
                          variant,
                          digest_bytes,
                          fin_block_bytes[compression],
                          fin_variant_increment(variant),
                          compression};
}

/* True if no parameter but the digest length is set. */
static inline bool fin_is_plain(const fin_params *params)
{
    return params == NULL || ((params->key_bytes | params->salt_bytes | params->personal_bytes |
                               params->derive_key_context_bytes) == 0 &&
                              params->tree_mode == NULL && params->derive_key_context == NULL);
}

/* Checks params against the algorithm and sets the instance. */
fin_status fin_instance_resolve(fin_instance *instance, const fin_descriptor *descriptor,
                                const fin_params *params);

/* ---- States and messages ---- */

/* Sets the state before the first byte, except the salt. parameter_block: for BLAKE2 only. */
void fin_start(fin_state *state, const fin_instance *instance, const uint8_t *parameter_block);

/* Pads as fin_pad does, for any instance. */
void fin_pad_instance(const uint64_t t[2], const fin_instance *instance, const fin_tail *tail,
                      uint8_t *padded, fin_final_blocks *final);

/* Writes the digest as fin_output_as does, for any instance. */
void fin_output(const fin_state *state, fin_variant variant, uint8_t *digest, size_t digest_bytes);

/* Stores parameters checked by fin_instance_resolve: in the parameter block (BLAKE2), or as salt
   words in the state (BLAKE; zeros without salt). */
void fin_customise(fin_state *state, uint8_t parameter_block[64], const fin_instance *instance,
                   const fin_params *params);

/* ---- BLAKE2's parameter block (RFC 7693, section 2.5; BLAKE2 paper, section 2.8) ---- */

bool fin_blake2_tree_mode_valid(const fin_descriptor *descriptor, const fin_tree_mode *tree);

/* Writes the parameter block of a message or a tree's leaf. */
void fin_blake2_parameters(uint8_t bytes[64], const fin_instance *instance,
                           const fin_params *params);

/* Sets the state of the BLAKE2 node that a parameter block describes, before its first byte. */
void fin_blake2_start(fin_state *state, fin_variant variant, const uint8_t block[64]);

#pragma GCC visibility pop

#endif
