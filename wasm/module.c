/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Checks the layouts in memory that the JavaScript beside it reads and writes: the module does not
 * build if one of them changes.
 */
#include <finalist.h>

#include <stddef.h>

#define LAYOUT(type, field, offset) \
    _Static_assert(offsetof(type, field) == (offset), "the offset in the JavaScript differs")

#define LENGTH(type, bytes) \
    _Static_assert(sizeof(type) == (bytes), "the length in the JavaScript differs")

_Static_assert(sizeof(void *) == 4 && sizeof(size_t) == 4, "finalist.mjs is for wasm32");

LAYOUT(fin_algorithm_info, algorithm, 0);
LAYOUT(fin_algorithm_info, family, 4);
LAYOUT(fin_algorithm_info, name, 8);
LAYOUT(fin_algorithm_info, title, 12);
LAYOUT(fin_algorithm_info, compression, 16);
LAYOUT(fin_algorithm_info, block_bytes, 20);
LAYOUT(fin_algorithm_info, digest_bytes, 24);
LAYOUT(fin_algorithm_info, digest_bytes_min, 32);
LAYOUT(fin_algorithm_info, digest_bytes_max, 40);
LAYOUT(fin_algorithm_info, key_bytes_max, 48);
LAYOUT(fin_algorithm_info, salt_bytes, 52);
LAYOUT(fin_algorithm_info, personal_bytes, 56);
LAYOUT(fin_algorithm_info, bits, 60);
LAYOUT(fin_algorithm_info, derive_key, 61);
LAYOUT(fin_algorithm_info, key_bytes_min, 64);
_Static_assert(FIN_FAMILY_BLAKE == 0 && FIN_FAMILY_BLAKE2 == 1 && FIN_FAMILY_GROESTL == 2 &&
                   FIN_FAMILY_BLAKE3 == 3,
               "the families in the JavaScript differ");

LAYOUT(fin_impl_info, algorithm, 0);
LAYOUT(fin_impl_info, name, 4);
LAYOUT(fin_impl_info, technique, 8);
LAYOUT(fin_impl_info, source, 12);
LAYOUT(fin_impl_info, features, 16);
LAYOUT(fin_impl_info, mode, 20);
LAYOUT(fin_impl_info, lanes, 24);
LAYOUT(fin_impl_info, block_bytes, 28);
LAYOUT(fin_impl_info, bound_cycles, 32);
LAYOUT(fin_impl_info, constant_time, 36);
LAYOUT(fin_impl_info, supported, 37);
LAYOUT(fin_impl_info, selected, 38);
LENGTH(fin_impl_info, 40);

LAYOUT(fin_params, digest_bytes, 0);
LAYOUT(fin_params, key, 8);
LAYOUT(fin_params, salt, 16);
LAYOUT(fin_params, personal, 24);
LAYOUT(fin_params, tree_mode, 32);
LAYOUT(fin_params, derive_key_context, 36);
LENGTH(fin_params, 48);

LAYOUT(fin_tree_mode, fanout, 0);
LAYOUT(fin_tree_mode, depth, 1);
LAYOUT(fin_tree_mode, leaf_bytes, 4);
LAYOUT(fin_tree_mode, node_offset, 8);
LAYOUT(fin_tree_mode, node_depth, 16);
LAYOUT(fin_tree_mode, inner_bytes, 17);
LAYOUT(fin_tree_mode, last_node, 18);
LENGTH(fin_tree_mode, 24);

LAYOUT(fin_message, in, 0);
LAYOUT(fin_message, bytes, 4);
LENGTH(fin_message, 8);

LAYOUT(fin_node, in, 0);
LAYOUT(fin_node, bytes, 4);
LAYOUT(fin_node, node_offset, 8);
LAYOUT(fin_node, last_node, 16);
LENGTH(fin_node, 24);

LAYOUT(fin_context, digest_bytes, 200);
LAYOUT(fin_context, buffer[FIN_BUFFER_BYTES - 128], 1248);

LAYOUT(fin_merkle, leaf_count, 0);
LAYOUT(fin_merkle, digest_bytes, 9);
LENGTH(fin_merkle, 4224);
_Static_assert(FIN_MERKLE_HASH_BYTES_MAX == 64 && FIN_MERKLE_PROOF_MAX == 65 &&
                   FIN_MIDSTATE_BYTES_MAX == 3072,
               "the limit in the JavaScript differs");

LAYOUT(fin_tree_mode_context, shape.inner_bytes, 3121);
LAYOUT(fin_tree_mode_context, digest_bytes, 3128);
LENGTH(fin_tree_mode_context, 17688);

/* States of blocks are words without padding. */
LAYOUT(fin_blake2b_state, F, 80);
LENGTH(fin_blake2b_state, 96);
LAYOUT(fin_blake2s_state, F, 40);
LENGTH(fin_blake2s_state, 48);
LAYOUT(fin_blake256_state, S, 32);
LENGTH(fin_blake256_state, 64);
LAYOUT(fin_blake512_state, S, 64);
LENGTH(fin_blake512_state, 128);
LAYOUT(fin_groestl256_state, T, 64);
LENGTH(fin_groestl256_state, 80);
LAYOUT(fin_groestl512_state, T, 128);
LENGTH(fin_groestl512_state, 144);
