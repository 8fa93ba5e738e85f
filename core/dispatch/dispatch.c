/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Which implementation serves: the registry of units, the CPU's features, the environment.
 *
 * A choice is made at its first use and kept in an atomic pointer. Threads that race make the
 * same choice and store the same pointer, so no lock is needed.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* secure_getenv */
#endif
#if !defined(FIN_NO_ENVIRONMENT)
#include <stdlib.h>
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
#include <unistd.h>
#define FIN_HAVE_ISSETUGID 1
#endif
#endif

#include "dispatch/dispatch.h"
#include "family/family.h"

/* ---- Registry ---- */

#define FIN_UNIT(name, architecture, features, flags) \
    FIN_IF_##architecture(extern const fin_unit fin_unit_##name;)
#include "isa.def"
#undef FIN_UNIT

typedef struct fin_registered {
    const fin_unit *unit;
    const char *features;
} fin_registered;

static const fin_registered fin_units[] = {
#define FIN_UNIT(name, architecture, features, flags) \
    FIN_IF_##architecture({&fin_unit_##name, features}, )
#include "isa.def"
#undef FIN_UNIT
};

enum { FIN_UNITS = sizeof(fin_units) / sizeof(fin_units[0]) };

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

/* A stretch of text, as items of the environment are. */
typedef struct fin_span {
    const char *at;
    size_t bytes;
} fin_span;

static bool fin_span_is(fin_span span, const char *text)
{
    size_t i = 0;
    while (i < span.bytes && text[i] != '\0' && span.at[i] == text[i]) {
        i++;
    }
    return i == span.bytes && text[i] == '\0';
}

static fin_span fin_span_of(const char *text)
{
    size_t bytes = 0;
    while (text[bytes] != '\0') {
        bytes++;
#ifdef __GNUC__
        __asm__("" : "+r"(bytes)); /* or gcc makes a call to strlen of it */
#endif
    }
    return (fin_span){text, bytes};
}

/* The bit of a feature's name; 0 for none. */
static uint32_t fin_feature_of(fin_span name)
{
    for (uint32_t i = 0; i < FIN_CPU_FEATURES; i++) {
        if (fin_span_is(name, fin_feature_names[i])) {
            return UINT32_C(1) << i;
        }
    }
    return 0;
}

/* ---- Environment ---- */

static const char *fin_environment(const char *name)
{
#if defined(FIN_NO_ENVIRONMENT)
    (void)name;
    return NULL;
#elif defined(__linux__)
    return secure_getenv(name);
#elif defined(FIN_HAVE_ISSETUGID)
    return issetugid() ? NULL : getenv(name);
#else
    return getenv(name);
#endif
}

/* Takes the next item off a comma-separated list; false at its end. Empty items are skipped. */
static bool fin_next_item(const char **list, fin_span *item)
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

/* FINALIST_CPU: the features to hide; false and the item if one is not understood. */
static bool fin_hidden_features(uint32_t *hidden, fin_span *wrong)
{
    const char *list = fin_environment("FINALIST_CPU");
    fin_span item;
    *hidden = 0;
    while (list != NULL && fin_next_item(&list, &item)) {
        const fin_span name = {item.at + 1, item.bytes - 1};
        const uint32_t found = item.at[0] == '-' ? fin_feature_of(name) : 0;
        if (found == 0) {
            *wrong = item;
            return false;
        }
        *hidden |= found;
    }
    return true;
}

/* ---- Features ---- */

/* A feature is present only if all that it implies is. */
static uint32_t fin_close_features(uint32_t found)
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

static _Atomic uint32_t fin_features_cache;

/* What this CPU has and FINALIST_CPU leaves; a list that is not understood hides nothing. */
static uint32_t fin_features(void)
{
    uint32_t features = atomic_load_explicit(&fin_features_cache, memory_order_relaxed);
    if (features == 0) {
        uint32_t hidden;
        fin_span wrong;
        const bool understood = fin_hidden_features(&hidden, &wrong);
        features = fin_close_features(fin_cpu_detect() & ~(understood ? hidden : 0));
        features |= FIN_CPU_KNOWN;
        atomic_store_explicit(&fin_features_cache, features, memory_order_relaxed);
    }
    return features;
}

static bool fin_supported(const fin_registered *registered)
{
    const char *list = registered->features;
    fin_span item;
    while (fin_next_item(&list, &item)) {
        if ((fin_features() & fin_feature_of(item)) == 0) {
            return false;
        }
    }
    return true;
}

size_t fin_cpu_features(char *text, size_t bytes)
{
    size_t length = 0;
    for (uint32_t i = 0; i < FIN_CPU_FEATURES; i++) {
        if ((fin_features() >> i & 1) == 0) {
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

/* ---- Choice ---- */

_Atomic(const fin_impl *) fin_chosen[FIN_COMPRESSIONS];

/*
 * The same for several messages at once, by width: of entry k for up to 2^k messages. fin_alone
 * stands where one message at a time is better or all there is.
 */
enum { FIN_WIDTHS = 6 };
static _Atomic(const fin_impl *) fin_chosen_many[FIN_COMPRESSIONS][FIN_WIDTHS];
static const fin_impl fin_alone = {.lanes = 1};

static bool fin_is_multi(const fin_impl *impl)
{
    return impl->lanes > 1;
}

/* Those to be avoided on this CPU rank below all others. */
static uint32_t fin_preference(const fin_impl *impl)
{
    enum { UNAVOIDED = 1000 };
    return (fin_features() & impl->avoid) != 0 ? impl->rank : impl->rank + UNAVOIDED;
}

/* The best record for one message. */
static const fin_impl *fin_find_single(fin_compression compression)
{
    const fin_impl *best = NULL;
    for (size_t u = 0; u < FIN_UNITS; u++) {
        for (size_t i = 0; i < fin_units[u].unit->count; i++) {
            const fin_impl *impl = &fin_units[u].unit->impls[i];
            if (impl->compression == compression && !fin_is_multi(impl) && impl->constant_time &&
                (best == NULL || fin_preference(impl) > fin_preference(best)) &&
                fin_supported(&fin_units[u])) {
                best = impl;
            }
        }
    }
    return best;
}

/* The best record for up to so many messages; none that this CPU had better avoid. */
static const fin_impl *fin_find_many(fin_compression compression, uint32_t lanes_max)
{
    const fin_impl *best = &fin_alone;
    for (size_t u = 0; u < FIN_UNITS; u++) {
        for (size_t i = 0; i < fin_units[u].unit->count; i++) {
            const fin_impl *impl = &fin_units[u].unit->impls[i];
            if (impl->compression == compression && fin_is_multi(impl) && impl->constant_time &&
                impl->lanes <= lanes_max && (fin_features() & impl->avoid) == 0 &&
                impl->rank > best->rank && fin_supported(&fin_units[u])) {
                best = impl;
            }
        }
    }
    return best;
}

static fin_status fin_find_by_name(fin_compression compression, fin_span name,
                                   const fin_impl **impl)
{
    for (size_t u = 0; u < FIN_UNITS; u++) {
        for (size_t i = 0; i < fin_units[u].unit->count; i++) {
            const fin_impl *named = &fin_units[u].unit->impls[i];
            if (named->compression == compression && fin_span_is(name, named->name)) {
                *impl = named;
                return fin_supported(&fin_units[u]) ? FIN_OK : FIN_ERR_IMPL_UNSUPPORTED;
            }
        }
    }
    return FIN_ERR_IMPL_UNKNOWN;
}

/* An item of FINALIST_IMPL: ALGORITHM=NAME; any algorithm that the compression function serves. */
static fin_status fin_parse_choice(fin_span item, fin_compression *compression, fin_span *name)
{
    size_t equals = 0;
    while (equals < item.bytes && item.at[equals] != '=') {
        equals++;
    }
    if (equals == item.bytes) {
        return FIN_ERR_ENVIRONMENT;
    }
    const fin_span algorithm = {item.at, equals};
    *name = (fin_span){item.at + equals + 1, item.bytes - equals - 1};
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm_info *info = fin_algorithm_at(i);
        if (fin_span_is(algorithm, info->name)) {
            *compression =
                fin_descriptor_compression(fin_descriptor_of(info->algorithm), info->digest_bytes);
            return FIN_OK;
        }
    }
    return FIN_ERR_ENVIRONMENT;
}

/*
 * What was asked for by name, null where nothing was. Who asks for a record of one message means
 * it for several, too, unless a record of several is named after it.
 */
typedef struct fin_named {
    const fin_impl *single;
    const fin_impl *many;
} fin_named;

static void fin_name(fin_named *named, const fin_impl *impl)
{
    if (fin_is_multi(impl)) {
        named->many = impl;
    } else {
        named->single = impl;
        named->many = &fin_alone;
    }
}

/* What FINALIST_IMPL says of a compression function: the last item counts. */
static fin_status fin_choice_of_environment(fin_compression compression, fin_named *named,
                                            fin_span *wrong)
{
    const char *list = fin_environment("FINALIST_IMPL");
    uint32_t hidden;
    *named = (fin_named){NULL, NULL};
    if (!fin_hidden_features(&hidden, wrong)) {
        return FIN_ERR_ENVIRONMENT;
    }
    while (list != NULL && fin_next_item(&list, wrong)) {
        fin_compression wanted;
        fin_span name;
        const fin_impl *impl = NULL;
        fin_status status = fin_parse_choice(*wrong, &wanted, &name);
        if (status == FIN_OK && wanted == compression) {
            status = fin_find_by_name(compression, name, &impl);
        }
        if (status != FIN_OK) {
            return status;
        }
        if (impl != NULL) {
            fin_name(named, impl);
        }
    }
    return FIN_OK;
}

static fin_status fin_choose_single(fin_compression compression, const fin_impl **impl)
{
    fin_span wrong;
    fin_named named;
    const fin_status status = fin_choice_of_environment(compression, &named, &wrong);
    if (status == FIN_OK) {
        *impl = named.single != NULL ? named.single : fin_find_single(compression);
        atomic_store_explicit(&fin_chosen[compression], *impl, memory_order_release);
    }
    return status;
}

fin_status fin_dispatch_choose(fin_compression compression)
{
    const fin_impl *impl;
    return fin_choose_single(compression, &impl);
}

const fin_impl *fin_dispatch_first(fin_compression compression)
{
    const fin_impl *impl;
    return fin_choose_single(compression, &impl) == FIN_OK ? impl : fin_find_single(compression);
}

/* A wrong environment is passed over: fin_dispatch_check has spoken of it. */
static const fin_impl *fin_choose_many(fin_compression compression, uint32_t width)
{
    fin_span wrong;
    fin_named named;
    const fin_status status = fin_choice_of_environment(compression, &named, &wrong);
    const fin_impl *impl = status == FIN_OK ? named.many : NULL;
    if (impl == NULL) {
        impl = fin_find_many(compression, UINT32_C(1) << width);
    }
    atomic_store_explicit(&fin_chosen_many[compression][width], impl, memory_order_release);
    return impl;
}

const fin_impl *fin_dispatch_lanes(fin_compression compression, size_t messages)
{
    uint32_t width = 0;
    while (width + 1 < FIN_WIDTHS && messages > (size_t)1 << width) {
        width++;
    }
    const fin_impl *impl =
        atomic_load_explicit(&fin_chosen_many[compression][width], memory_order_acquire);
    if (impl == NULL) {
        impl = fin_choose_many(compression, width);
    }
    return fin_is_multi(impl) ? impl : NULL;
}

/* ---- Public calls ---- */

fin_status fin_environment_check(const char **item, size_t *item_bytes)
{
    if (item == NULL || item_bytes == NULL) {
        return FIN_ERR_NULL;
    }
    fin_status status = FIN_OK;
    fin_span wrong = {NULL, 0};
    for (fin_compression c = 0; c < FIN_COMPRESSIONS && status == FIN_OK; c++) {
        fin_named named;
        status = fin_choice_of_environment(c, &named, &wrong);
    }
    *item = status == FIN_OK ? NULL : wrong.at;
    *item_bytes = status == FIN_OK ? 0 : wrong.bytes;
    return status;
}

static void fin_select_many(fin_compression compression, const fin_impl *impl)
{
    for (uint32_t width = 0; width < FIN_WIDTHS; width++) {
        atomic_store_explicit(&fin_chosen_many[compression][width], impl, memory_order_release);
    }
}

fin_status fin_impl_select(fin_algorithm algorithm, const char *name)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    const fin_compression compression =
        fin_descriptor_compression(descriptor, descriptor->info.digest_bytes);
    fin_named named = {NULL, NULL};
    if (name != NULL) {
        const fin_impl *impl;
        const fin_status status = fin_find_by_name(compression, fin_span_of(name), &impl);
        if (status != FIN_OK) {
            return status;
        }
        fin_name(&named, impl);
    }
    if (name == NULL || named.single != NULL) {
        atomic_store_explicit(&fin_chosen[compression], named.single, memory_order_release);
    }
    fin_select_many(compression, named.many);
    return FIN_OK;
}

const char *fin_impl_selected(fin_algorithm algorithm)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    return descriptor == NULL
               ? NULL
               : fin_dispatch(fin_descriptor_compression(descriptor, descriptor->info.digest_bytes))
                     ->name;
}

size_t fin_impl_count(void)
{
    size_t count = 0;
    for (size_t u = 0; u < FIN_UNITS; u++) {
        count += fin_units[u].unit->count;
    }
    return count;
}

static void fin_describe(const fin_registered *registered, const fin_impl *impl,
                         fin_impl_info *info)
{
    *info = (fin_impl_info){
        .algorithm = fin_compression_names[impl->compression],
        .name = impl->name,
        .technique = impl->technique,
        .source = impl->source,
        .features = registered->features,
        .mode = fin_is_multi(impl) ? "multi" : "single",
        .lanes = impl->lanes,
        .block_bytes = fin_block_bytes[impl->compression],
        .bound_cycles = impl->bound_cycles,
        .constant_time = impl->constant_time,
        .supported = fin_supported(registered),
        .selected = impl == (fin_is_multi(impl) ? fin_dispatch_lanes(impl->compression, SIZE_MAX)
                                                : fin_dispatch(impl->compression)),
    };
}

/* By compression function, then in the order of isa.def. */
fin_status fin_impl_at(size_t index, fin_impl_info *info)
{
    if (info == NULL) {
        return FIN_ERR_NULL;
    }
    for (size_t c = 0; c < FIN_COMPRESSIONS; c++) {
        for (size_t u = 0; u < FIN_UNITS; u++) {
            const fin_unit *unit = fin_units[u].unit;
            for (size_t i = 0; i < unit->count; i++) {
                if (unit->impls[i].compression == c && index-- == 0) {
                    fin_describe(&fin_units[u], &unit->impls[i], info);
                    return FIN_OK;
                }
            }
        }
    }
    return FIN_ERR_IMPL_UNKNOWN;
}
