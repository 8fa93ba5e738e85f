/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Nothing but the layouts in memory that finalist.mjs reads and writes: if one of them changes, the
 * module does not build.
 */
#include <finalist.h>

#include <stddef.h>

#define LAYOUT(type, field, offset) \
    _Static_assert(offsetof(type, field) == (offset), "finalist.mjs has another offset")

_Static_assert(sizeof(void *) == 4 && sizeof(size_t) == 4, "finalist.mjs is for wasm32");

LAYOUT(fin_algorithm_info, algorithm, 0);
LAYOUT(fin_algorithm_info, name, 8);
LAYOUT(fin_algorithm_info, title, 12);
LAYOUT(fin_algorithm_info, compression, 16);
LAYOUT(fin_algorithm_info, block_bytes, 20);
LAYOUT(fin_algorithm_info, digest_bytes, 24);
LAYOUT(fin_algorithm_info, digest_bytes_max, 40);
LAYOUT(fin_algorithm_info, key_bytes_max, 48);
LAYOUT(fin_algorithm_info, salt_bytes, 52);
LAYOUT(fin_algorithm_info, personal_bytes, 56);

LAYOUT(fin_impl_info, algorithm, 0);
LAYOUT(fin_impl_info, name, 4);
LAYOUT(fin_impl_info, technique, 8);
LAYOUT(fin_impl_info, source, 12);
LAYOUT(fin_impl_info, mode, 20);

LAYOUT(fin_params, digest_bytes, 0);
LAYOUT(fin_params, key, 8);
LAYOUT(fin_params, salt, 16);
LAYOUT(fin_params, personal, 24);
LAYOUT(fin_params, tree, 32);
_Static_assert(sizeof(fin_params) == 40, "finalist.mjs has another length");

LAYOUT(fin_tree, fanout, 0);
LAYOUT(fin_tree, depth, 1);
LAYOUT(fin_tree, leaf_bytes, 4);
LAYOUT(fin_tree, node_offset, 8);
LAYOUT(fin_tree, node_depth, 16);
LAYOUT(fin_tree, inner_bytes, 17);
LAYOUT(fin_tree, last_node, 18);
_Static_assert(sizeof(fin_tree) == 24, "finalist.mjs has another length");

LAYOUT(fin_message, in, 0);
LAYOUT(fin_message, bytes, 4);
_Static_assert(sizeof(fin_message) == 8, "finalist.mjs has another length");
