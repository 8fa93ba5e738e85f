/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Checks parameters, and makes BLAKE2's parameter block or BLAKE's salt words from them.
 */
#include "lengths.h"
#include "spec/spec.h"

static fin_status fin_check_params(const fin_descriptor *descriptor, const fin_params *params)
{
    const fin_algorithm_info *info = &descriptor->info;
    const bool blake2 = info->family == FIN_FAMILY_BLAKE2;
    if ((params->key == NULL && params->key_bytes != 0) ||
        (params->salt == NULL && params->salt_bytes != 0) ||
        (params->personal == NULL && params->personal_bytes != 0) ||
        (params->derive_key_context == NULL && params->derive_key_context_bytes != 0)) {
        return FIN_ERR_NULL;
    }
    if (params->key_bytes > info->key_bytes_max ||
        (params->key_bytes != 0 && params->key_bytes < info->key_bytes_min)) {
        return FIN_ERR_KEY_LENGTH;
    }
    if (params->derive_key_context != NULL &&
        (!info->derive_key || params->key_bytes != 0 ||
         !fin_in_memory(params->derive_key_context, params->derive_key_context_bytes))) {
        return FIN_ERR_DERIVE_KEY;
    }
    if (params->salt_bytes > info->salt_bytes ||
        (!blake2 && params->salt_bytes != 0 && params->salt_bytes != info->salt_bytes)) {
        return FIN_ERR_SALT_LENGTH;
    }
    if (params->personal_bytes > info->personal_bytes) {
        return FIN_ERR_PERSONAL_LENGTH;
    }
    const bool tree_valid = params->tree_mode == NULL ||
                            (blake2 && fin_blake2_tree_mode_valid(descriptor, params->tree_mode));
    return tree_valid ? FIN_OK : FIN_ERR_TREE_MODE;
}

fin_status fin_instance_resolve(fin_instance *instance, const fin_descriptor *descriptor,
                                const fin_params *params)
{
    uint64_t digest_bytes = descriptor->info.digest_bytes;
    if (params != NULL && params->digest_bytes != 0) {
        digest_bytes = params->digest_bytes;
    }
    if (!fin_digest_length_valid(descriptor, digest_bytes)) {
        return FIN_ERR_DIGEST_LENGTH;
    }
    *instance = fin_instance_of(descriptor, digest_bytes);
    return fin_is_plain(params) ? FIN_OK : fin_check_params(descriptor, params);
}

/* ---- BLAKE2's parameter block ---- */

bool fin_blake2_tree_mode_valid(const fin_descriptor *descriptor, const fin_tree_mode *tree)
{
    const fin_variant variant = fin_instance_of(descriptor, 1).variant;
    /* The node offset has eight bytes in BLAKE2b, six in BLAKE2s; the node depth follows. */
    const size_t offset_bits = 8 * (fin_node_depth_at(variant) - FIN_NODE_OFFSET);
    return descriptor->shape == FIN_SERIAL && tree->depth != 0 &&
           tree->inner_bytes <= fin_blake2_digest_max(variant) &&
           (offset_bits == 64 || tree->node_offset >> offset_bits == 0);
}

/* Sets the node whose digest BLAKE2X expands. */
static FIN_NOINLINE void fin_set_expanded(fin_parameter_block *block, const fin_instance *instance,
                                          uint8_t key_bytes)
{
    const fin_node_fields node = {.digest_bytes = fin_blake2_digest_max(instance->variant),
                                  .key_bytes = key_bytes,
                                  .fanout = 1,
                                  .depth = 1,
                                  .offset =
                                      fin_xof_offset(instance->variant, instance->digest_bytes, 0)};
    fin_parameters_set_node(instance->variant, block, node);
}

void fin_blake2_parameters(uint8_t bytes[64], const fin_instance *instance,
                           const fin_params *params)
{
    fin_parameter_block block = {.pair = {{0}}};
    fin_parameters_of(instance->variant, &block, (uint8_t)instance->digest_bytes, params);
    const uint8_t key_bytes = params != NULL ? (uint8_t)params->key_bytes : 0;
    if (instance->descriptor->shape == FIN_STRIPED) {
        fin_parameters_set_root(instance->variant, &block, (uint8_t)instance->digest_bytes,
                                key_bytes);
    } else if (instance->descriptor->shape == FIN_XOF) {
        fin_set_expanded(&block, instance, key_bytes);
    }
    fin_parameters_store(bytes, &block, 4);
}

void fin_customise(fin_state *state, uint8_t parameter_block[64], const fin_instance *instance,
                   const fin_params *params)
{
    if (fin_family_of(instance->variant) == FIN_FAMILY_BLAKE2) {
        fin_blake2_parameters(parameter_block, instance, params);
    } else if (fin_family_of(instance->variant) == FIN_FAMILY_BLAKE) {
        fin_blake_set_salt(instance->variant, state, params);
    }
}
