/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl's compression of pairs, without padding: the output transformation after one block of two
 * chaining values. Grøstl specification, sections 3.1 and 3.2.
 */
#include "multi/lanes.h"

typedef struct fin_pairs {
    fin_instance instance;
    fin_state start;
    const uint8_t *in;
    uint8_t *digests;
    size_t stride;
} fin_pairs;

static void fin_pair_alone(const fin_pairs *pairs, size_t index)
{
    const fin_instance *instance = &pairs->instance;
    fin_state state = pairs->start;
    fin_dispatch(instance->compression)
        ->finish(&state, pairs->in + index * instance->block_bytes, 1, instance->block_bytes, 1);
    fin_output(&state, instance, pairs->digests + index * pairs->stride,
               (size_t)instance->digest_bytes);
}

/* Idle lanes take one of the first pairs once more. */
static void fin_pairs_in_lanes(const fin_pairs *pairs, const fin_impl *impl, size_t first,
                               size_t count)
{
    const fin_instance *instance = &pairs->instance;
    const fin_lane_layout layout = fin_lane_layout_of(instance, impl);
    fin_segment segment = {.blocks = 1, .increment = 1, .last = true};
    fin_lanes lanes;
    fin_lanes_start(&lanes, &pairs->start);
    for (size_t lane = 0; lane < impl->lanes; lane++) {
        segment.in = pairs->in + (first + (lane < count ? lane : 0)) * instance->block_bytes;
        fin_lanes_put_h(&lanes, &layout, lane, &pairs->start);
        fin_lanes_set_segment(&lanes, &layout, lane, &segment, false);
    }
    impl->finish_lanes(&lanes, 1, instance->block_bytes);
    for (size_t lane = 0; lane < count; lane++) {
        fin_lanes_output(&lanes, &layout, lane, instance,
                         pairs->digests + (first + lane) * pairs->stride);
    }
    fin_erase(&lanes, sizeof lanes);
}

fin_status fin_groestl_pairs(fin_algorithm algorithm, const void *in, size_t count,
                             uint8_t *digests, size_t stride)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (descriptor == NULL || descriptor->info.family != FIN_FAMILY_GROESTL) {
        return FIN_ERR_ALGORITHM;
    }
    if (count != 0 && (in == NULL || digests == NULL)) {
        return FIN_ERR_NULL;
    }
    if (stride < descriptor->info.digest_bytes ||
        !fin_items_in_memory(digests, count, stride, descriptor->info.digest_bytes)) {
        return FIN_ERR_OUTPUT_LENGTH;
    }
    const size_t block_bytes = descriptor->info.block_bytes;
    if (!fin_items_in_memory(in, count, block_bytes, block_bytes)) {
        return FIN_ERR_MESSAGE_LENGTH;
    }
    fin_pairs pairs = {.instance = fin_instance_of(descriptor, descriptor->info.digest_bytes),
                       .in = in,
                       .digests = digests,
                       .stride = stride};
    const fin_status status = fin_dispatch_check(pairs.instance.compression);
    if (status != FIN_OK) {
        return status;
    }
    fin_start(&pairs.start, &pairs.instance, NULL);
    for (size_t next = 0; next < count;) {
        const fin_impl *impl = fin_dispatch_lanes(pairs.instance.compression, count - next);
        if (impl == NULL) {
            fin_pair_alone(&pairs, next++);
            continue;
        }
        const size_t taken = count - next < impl->lanes ? count - next : impl->lanes;
        fin_pairs_in_lanes(&pairs, impl, next, taken);
        next += taken;
    }
    return FIN_OK;
}
