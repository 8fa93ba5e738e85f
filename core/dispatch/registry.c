/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The registry's table and what is looked up in it.
 */
#include "dispatch/registry.h"

#include "dispatch/order.h"
#include "dispatch/platform.h"
#include "family/family.h"

#define FIN_UNIT(name, architecture, features, flags) \
    FIN_IF_##architecture(extern const fin_unit fin_unit_##name;)
#include "isa.def"
#undef FIN_UNIT

#ifdef FIN_PARTS
/* Stands for a unit that is left out of this build. */
static const fin_unit fin_no_unit = {NULL, 0};
#endif

const fin_registered fin_units[] = {
#define FIN_UNIT(name, architecture, features, flags) \
    FIN_IF_##architecture(                            \
        {FIN_IF_ELSE(FIN_HAS_UNIT(name), &fin_unit_##name, &fin_no_unit), features}, )
#include "isa.def"
#undef FIN_UNIT
};

const fin_registered *const fin_units_end = fin_units + sizeof(fin_units) / sizeof(fin_units[0]);

static const char *const fin_compression_names[FIN_COMPRESSIONS] = {
#define FIN_COMPRESSION(id, name, block_bytes) name,
#include "alg.def"
#undef FIN_COMPRESSION
};

static const char *const fin_feature_names[FIN_CPU_FEATURES] = {
#define FIN_CPU_FEATURE(id, name, implied) name,
#include "cpu.def"
#undef FIN_CPU_FEATURE
};

static const uint32_t fin_feature_implies[FIN_CPU_FEATURES] = {
#define FIN_CPU_FEATURE(id, name, implied) implied,
#include "cpu.def"
#undef FIN_CPU_FEATURE
};

/* ---- Text ---- */

bool fin_span_is(fin_span span, const char *text)
{
    size_t i = 0;
    while (i < span.bytes && text[i] != '\0' && span.at[i] == text[i]) {
        i++;
    }
    return i == span.bytes && text[i] == '\0';
}

fin_span fin_span_of(const char *text)
{
    size_t bytes = 0;
    while (text[bytes] != '\0') {
        bytes++;
        __asm__("" : "+r"(bytes)); /* or gcc makes a call to strlen of it */
    }
    return (fin_span){text, bytes};
}

bool fin_next_item(const char **list, fin_span *item)
{
    while (**list == ',') {
        ++*list;
    }
    item->at = *list;
    while (**list != '\0' && **list != ',') {
        ++*list;
    }
    item->bytes = (size_t)(*list - item->at);
    return item->bytes != 0;
}

/* ---- Features ---- */

uint32_t fin_feature_of(fin_span name)
{
    for (uint32_t i = 0; i < FIN_CPU_FEATURES; i++) {
        if (fin_span_is(name, fin_feature_names[i])) {
            return UINT32_C(1) << i;
        }
    }
    return 0;
}

uint32_t fin_close_features(uint32_t found)
{
    for (uint32_t before = ~found; before != found;) {
        before = found;
        for (uint32_t i = 0; i < FIN_CPU_FEATURES; i++) {
            if ((found & fin_feature_implies[i]) != fin_feature_implies[i]) {
                found &= ~(UINT32_C(1) << i);
            }
        }
    }
    return found;
}

bool fin_supported(const fin_registered *registered, uint32_t features)
{
    const char *list = registered->features;
    fin_span item;
    while (fin_next_item(&list, &item)) {
        if ((features & fin_feature_of(item)) == 0) {
            return false;
        }
    }
    return true;
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
            /* A comma before each name but the first. */
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

/* ---- Implementations ---- */

const fin_impl *fin_impl_named(fin_compression compression, fin_span name,
                               const fin_registered **registered)
{
    FIN_FOR_EACH_IMPL(each, impl)
    {
        if (impl->compression == compression && fin_span_is(name, impl->name)) {
            *registered = each;
            return impl;
        }
    }
    return NULL;
}

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
        .measured = fin_order_measured(fin_order_for(fin_platform_microarchitecture()), impl),
    };
}

/* By compression function, then in the order of isa.def. */
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

fin_status fin_order_describe(fin_order_info *info)
{
    if (info == NULL) {
        return FIN_ERR_NULL;
    }
    const fin_microarchitecture microarchitecture = fin_platform_microarchitecture();
    const fin_order *order = fin_order_for(microarchitecture);
    *info = (fin_order_info){
        .microarchitecture = fin_microarchitecture_name(microarchitecture),
        .order = fin_order_name(order),
        .file = fin_order_file(order),
    };
    return FIN_OK;
}
