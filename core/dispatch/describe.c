/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The public calls that describe this build and CPU: implementations, the class of cores, features.
 */
#include "dispatch/platform.h"
#include "dispatch/registry.h"
#include "spec/spec.h"

static const char *const fin_compression_names[FIN_COMPRESSIONS] = {
#define FIN_COMPRESSION(id, name, block_bytes) name,
#include "alg.def"
#undef FIN_COMPRESSION
};

size_t fin_impl_count(void)
{
    size_t count = 0;
    FIN_FOR_EACH_IMPL(each, impl)
    {
        count++;
    }
    return count;
}

static void fin_describe(const fin_registered *registered, const fin_impl *impl,
                         fin_impl_info *info)
{
    const bool multi = fin_is_multi(impl);
    *info = (fin_impl_info){
        .algorithm = fin_compression_names[impl->compression],
        .name = impl->name,
        .technique = impl->technique,
        .source = impl->source,
        .features = registered->features,
        .mode = multi ? "multi" : "single",
        .lanes = impl->lanes,
        .block_bytes = fin_block_bytes[impl->compression],
        .bound_cycles = impl->bound_cycles,
        .constant_time = impl->constant_time,
        .supported = fin_supported(registered, fin_platform_features()),
        .selected = impl == (multi ? fin_dispatch_lanes(impl->compression, SIZE_MAX)
                                   : fin_dispatch(impl->compression)),
    };
}

/* Describes one of the implementations, ordered by compression function, then as in isa.def. */
fin_status fin_impl_at(size_t index, fin_impl_info *info)
{
    if (info == NULL) {
        return FIN_ERR_NULL;
    }
    for (size_t c = 0; c < FIN_COMPRESSIONS; c++) {
        FIN_FOR_EACH_IMPL(each, impl)
        {
            if (impl->compression == c && index-- == 0) {
                fin_describe(each, impl, info);
                return FIN_OK;
            }
        }
    }
    return FIN_ERR_IMPL_UNKNOWN;
}

const char *fin_core_class(void)
{
    fin_platform own;
    return fin_core_names[fin_platform_read(&own)->core];
}

size_t fin_cpu_features(char *text, size_t bytes)
{
    const uint32_t features = fin_platform_features();
    size_t length = 0;
    for (uint32_t i = 0; i < FIN_CPU_FEATURES; i++) {
        if ((features >> i & 1) == 0) {
            continue;
        }
        const fin_span name = fin_span_of(fin_feature_names[i]);
        for (size_t k = 0; k <= name.bytes; k++) {
            /* A comma precedes each name but the first. */
            if ((k != 0 || length != 0) && length++ + 1 < bytes) {
                text[length - 1] = k == 0 ? ',' : name.at[k - 1];
            }
        }
    }
    if (bytes != 0) {
        text[length < bytes ? length : bytes - 1] = '\0';
    }
    return length;
}
