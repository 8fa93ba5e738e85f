/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The table of units, and look-ups in it.
 */
#include "dispatch/registry.h"

#include "spec/spec.h"

#define FIN_UNIT(name, architecture, features, flags) \
    FIN_IF_##architecture(extern const fin_unit fin_unit_##name;)
#include "isa.def"
#undef FIN_UNIT

#ifdef FIN_PARTS
/* Replaces a unit that this build leaves out. */
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

const char *const fin_feature_names[FIN_CPU_FEATURES] = {
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
        __asm__("" : "+r"(bytes)); /* else gcc makes it a call to strlen */
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

uint32_t fin_usable_features(uint32_t found)
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
