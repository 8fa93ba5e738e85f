/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Parameters: what an algorithm takes, and what becomes of it before a message's first byte.
 */
#include "family/family.h"

static fin_status fin_check_params(const fin_descriptor *descriptor, const fin_params *params)
{
    const fin_algorithm_info *info = &descriptor->info;
    const bool blake2 = info->family == FIN_FAMILY_BLAKE2;
    if ((params->key == NULL && params->key_bytes != 0) ||
        (params->salt == NULL && params->salt_bytes != 0) ||
        (params->personal == NULL && params->personal_bytes != 0)) {
        return FIN_ERR_NULL;
    }
    if (params->key_bytes > info->key_bytes_max) {
        return FIN_ERR_KEY_LENGTH;
    }
    if (params->salt_bytes > info->salt_bytes ||
        (!blake2 && params->salt_bytes != 0 && params->salt_bytes != info->salt_bytes)) {
        return FIN_ERR_SALT_LENGTH;
    }
    if (params->personal_bytes > info->personal_bytes) {
        return FIN_ERR_PERSONAL_LENGTH;
    }
    const bool tree_valid =
        params->tree == NULL || (blake2 && fin_blake2_tree_valid(descriptor, params->tree));
    return tree_valid ? FIN_OK : FIN_ERR_TREE;
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
    return params == NULL ? FIN_OK : fin_check_params(descriptor, params);
}

static void fin_set_salt(fin_state *state, const fin_instance *instance, const uint8_t *salt)
{
    const size_t salt_bytes = instance->descriptor->info.salt_bytes;
    for (size_t i = 0; i < salt_bytes; i += 16) {
        if (salt == NULL) {
            fin_store_piece((uint8_t *)&state->salt + i, 0, 0);
        } else if (FIN_CPU_IS_BIG_ENDIAN) {
            fin_copy_piece((uint8_t *)&state->salt + i, salt + i);
        } else {
            fin_copy_piece_reversed((uint8_t *)&state->salt + i, salt + i, salt_bytes == 32);
        }
    }
}

void fin_customise(fin_state *state, uint8_t parameter_block[64], const fin_instance *instance,
                   const fin_params *params)
{
    if (instance->descriptor->info.family == FIN_FAMILY_BLAKE2) {
        fin_blake2_parameters(parameter_block, instance, params);
    } else {
        const bool salted = params != NULL && params->salt_bytes != 0;
        fin_set_salt(state, instance, salted ? params->salt : NULL);
    }
}
