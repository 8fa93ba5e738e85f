/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The output of BLAKE2X: node i is BLAKE2 of the root's digest with node offset i, so every part of
 * the output can be computed independently. BLAKE2X paper, section 2.
 */
#include "message/message.h"

static void fin_xof_node(const fin_context *context, const fin_instance *instance, uint32_t index,
                         uint8_t node_digest[64])
{
    const uint8_t unit = fin_blake2_digest_max(instance->variant);
    uint64_t node_bytes = unit;
    if (context->digest_bytes != FIN_XOF_UNKNOWN) {
        const uint64_t left = context->digest_bytes - (uint64_t)index * unit;
        node_bytes = left < unit ? left : unit;
    }
    uint8_t block[64];
    memcpy(block, context->parameter_block, sizeof block);
    const fin_node_fields fields = {
        .digest_bytes = (uint8_t)node_bytes,
        .leaf_bytes = unit,
        .offset = fin_xof_offset(instance->variant, instance->digest_bytes, index),
        .inner_bytes = unit};
    fin_blake2_replace_node(instance->variant, block, fields);

    uint8_t root_digest[64];
    fin_output(&context->state, instance->variant, root_digest, unit);
    fin_state node;
    fin_blake2_start(&node, instance->variant, block);
    const fin_tail tail = {root_digest, unit, 0, 0};
    fin_finish(&node, instance, &tail, NULL, 0);
    fin_output(&node, instance->variant, node_digest, unit);
    fin_erase(root_digest, sizeof root_digest);
    fin_erase(&node, sizeof node);
}

void fin_xof_output(fin_context *context, const fin_instance *instance, uint8_t *out, size_t bytes)
{
    const uint8_t unit = fin_blake2_digest_max(instance->variant);
    uint8_t node_digest[64];
    while (bytes != 0) {
        const size_t offset = (size_t)(context->squeezed_bytes % unit);
        const size_t take = bytes < unit - offset ? bytes : unit - offset;
        fin_xof_node(context, instance, (uint32_t)(context->squeezed_bytes / unit), node_digest);
        memcpy(out, node_digest + offset, take);
        context->squeezed_bytes += take;
        out += take;
        bytes -= take;
    }
    fin_erase(node_digest, sizeof node_digest);
    fin_erase_stack_if(fin_context_keyed(context), FIN_STACK_MESSAGE_BYTES);
}
