/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Reads the CPU and the environment. While one thread reads, others read the same into their own
 * storage, so none waits, and fork cannot leave a lock behind.
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

#include "dispatch/platform.h"

#include "dispatch/registry.h"
#include "spec/spec.h"

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

static const char fin_variable_impl[] = "FINALIST_IMPL", fin_variable_cpu[] = "FINALIST_CPU";

static void fin_set_wrong(fin_platform *platform, const char *variable, fin_span item,
                          fin_status status)
{
    if (platform->wrong_status == FIN_OK) {
        platform->wrong_status = status;
        platform->wrong_variable = variable;
        const size_t bytes = item.bytes < FIN_WRONG_ITEM_BYTES ? item.bytes : FIN_WRONG_ITEM_BYTES;
        memcpy(platform->wrong, item.at, bytes);
        platform->wrong_bytes = bytes;
    }
}

/* Records a wrong item that concerns every compression function. */
static void fin_set_all_wrong(fin_platform *platform, const char *variable, fin_span item)
{
    for (size_t c = 0; c < FIN_COMPRESSIONS; c++) {
        if (platform->named[c].status == FIN_OK) {
            platform->named[c].status = FIN_ERR_ENVIRONMENT;
        }
    }
    fin_set_wrong(platform, variable, item, FIN_ERR_ENVIRONMENT);
}

/* Returns the features that FINALIST_CPU hides: none if its list is malformed. */
static uint32_t fin_hidden_features(fin_platform *platform)
{
    const char *list = fin_environment(fin_variable_cpu);
    uint32_t hidden = 0;
    fin_span item;
    while (list != NULL && fin_next_item(&list, &item)) {
        const fin_span name = {item.at + 1, item.bytes - 1};
        const uint32_t found = item.at[0] == '-' ? fin_feature_of(name) : 0;
        if (found == 0) {
            fin_set_all_wrong(platform, fin_variable_cpu, item);
            return 0;
        }
        hidden |= found;
    }
    return hidden;
}

/* Parses an item of FINALIST_IMPL: ALGORITHM=NAME, with any algorithm that uses the compression
   function. */
static bool fin_parse_choice(fin_span item, fin_compression *compression, fin_span *name)
{
    size_t equals = 0;
    while (equals < item.bytes && item.at[equals] != '=') {
        equals++;
    }
    if (equals == item.bytes) {
        return false;
    }
    const fin_span algorithm = {item.at, equals};
    *name = (fin_span){item.at + equals + 1, item.bytes - equals - 1};
    for (size_t i = 0; i < FIN_DESCRIPTORS; i++) {
        const fin_descriptor *each = &fin_descriptors[i];
        if (fin_is_built(each) && fin_span_is(algorithm, each->info.name)) {
            *compression = fin_descriptor_compression(each, each->info.digest_bytes);
            return true;
        }
    }
    return false;
}

void fin_name(fin_named *named, const fin_impl *impl)
{
    named->multi = impl;
    if (!fin_is_multi(impl)) {
        named->single = impl;
    }
}

/* Reads FINALIST_IMPL. The last item for a compression function counts, unless an earlier one is
   wrong. */
static void fin_read_choices(fin_platform *platform)
{
    const char *list = fin_environment(fin_variable_impl);
    fin_span item;
    while (list != NULL && fin_next_item(&list, &item)) {
        fin_compression compression;
        fin_span name;
        const fin_registered *registered;
        if (!fin_parse_choice(item, &compression, &name)) {
            fin_set_all_wrong(platform, fin_variable_impl, item);
            return;
        }
        fin_named *named = &platform->named[compression];
        const fin_impl *impl = fin_impl_named(compression, name, &registered);
        if (named->status != FIN_OK) {
            continue;
        }
        if (impl != NULL && fin_supported(registered, platform->features)) {
            fin_name(named, impl);
        } else {
            named->status = impl == NULL ? FIN_ERR_IMPL_UNKNOWN : FIN_ERR_IMPL_UNSUPPORTED;
            fin_set_wrong(platform, fin_variable_impl, item, named->status);
        }
    }
}

static void fin_read(fin_platform *platform)
{
    *platform = (fin_platform){.features = 0};
    const uint32_t hidden = fin_hidden_features(platform);
    const fin_cpu cpu = fin_cpu_detect();
    platform->features = fin_usable_features(cpu.features & ~hidden);
    platform->core = cpu.core;
    fin_read_choices(platform);
}

const fin_platform *fin_platform_read(fin_platform *own)
{
    enum { UNREAD, BEING_READ, READ };
    static fin_platform shared;
    static _Atomic int stage;
    int unread = UNREAD;
    if (atomic_load_explicit(&stage, memory_order_acquire) == READ) {
        return &shared;
    }
    if (atomic_compare_exchange_strong(&stage, &unread, BEING_READ)) {
        fin_read(&shared);
        atomic_store_explicit(&stage, READ, memory_order_release);
        return &shared;
    }
    fin_read(own);
    return own;
}

uint32_t fin_platform_features(void)
{
    fin_platform own;
    return fin_platform_read(&own)->features;
}

fin_status fin_environment_check(const char **item, size_t *item_bytes)
{
    enum { TRIES = 1000 };
    static char wrong[FIN_WRONG_ITEM_BYTES];
    fin_platform own;
    if (item == NULL || item_bytes == NULL) {
        return FIN_ERR_NULL;
    }
    /* The item must outlive the call, so wait briefly for a thread that is still reading. If it
       never finishes, because fork left it behind, copy the item to static storage. */
    const fin_platform *platform = fin_platform_read(&own);
    for (int tries = 0; platform == &own && tries < TRIES; tries++) {
        platform = fin_platform_read(&own);
    }
    if (platform == &own) {
        memcpy(wrong, own.wrong, sizeof wrong);
    }
    const bool right = platform->wrong_status == FIN_OK;
    *item = right ? NULL : platform == &own ? wrong : platform->wrong;
    *item_bytes = platform->wrong_bytes;
    return platform->wrong_status;
}

const char *fin_environment_variable(void)
{
    fin_platform own;
    return fin_platform_read(&own)->wrong_variable;
}
