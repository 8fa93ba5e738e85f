/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Selects an implementation for each compression function.
 *
 * A selection is made at its first use and kept in an atomic pointer. Threads that race make the same
 * selection and store the same pointer, so no lock is needed.
 */
#include "dispatch/dispatch.h"

#include "dispatch/platform.h"
#include "dispatch/preference.h"
#include "dispatch/registry.h"
#include "spec/spec.h"

_Atomic(const fin_impl *) fin_chosen[FIN_COMPRESSIONS];

/* The same for several messages at once, by width: entry k is for up to 2^k messages. fin_alone
   stands where one message at a time is better or all there is. */
enum { FIN_WIDTHS = 6 };
static _Atomic(const fin_impl *) fin_chosen_lanes[FIN_COMPRESSIONS][FIN_WIDTHS];

/* The best implementation with up to so many lanes. */
static const fin_impl *fin_find(fin_compression compression, uint32_t lanes_max)
{
    fin_platform own;
    const fin_platform *platform = fin_platform_read(&own);
    return fin_prefer(platform->core, compression, platform->features, lanes_max);
}

static const fin_impl *fin_select_single(fin_compression compression, const fin_named *named)
{
    const bool asked = named->status == FIN_OK && named->single != NULL;
    return asked ? named->single : fin_find(compression, 1);
}

fin_status fin_dispatch_choose(fin_compression compression)
{
    fin_platform own;
    const fin_named *named = &fin_platform_read(&own)->named[compression];
    if (named->status != FIN_OK) {
        return named->status;
    }
    const fin_impl *impl = fin_select_single(compression, named);
    atomic_store_explicit(&fin_chosen[compression], impl, memory_order_release);
    return impl != NULL ? FIN_OK : FIN_ERR_ALGORITHM;
}

const fin_impl *fin_dispatch_first(fin_compression compression)
{
    fin_platform own;
    (void)fin_dispatch_choose(compression);
    return fin_select_single(compression, &fin_platform_read(&own)->named[compression]);
}

/* Ignores a wrong environment, which fin_dispatch_check has reported. */
static const fin_impl *fin_choose_lanes(fin_compression compression, uint32_t width)
{
    fin_platform own;
    const fin_named *named = &fin_platform_read(&own)->named[compression];
    const bool asked = named->status == FIN_OK && named->multi != NULL;
    const fin_impl *impl = asked ? named->multi : fin_find(compression, UINT32_C(1) << width);
    atomic_store_explicit(&fin_chosen_lanes[compression][width], impl, memory_order_release);
    return impl;
}

const fin_impl *fin_dispatch_lanes(fin_compression compression, size_t messages)
{
    uint32_t width = 0;
    while (width + 1 < FIN_WIDTHS && messages > (size_t)1 << width) {
        width++;
    }
    const fin_impl *impl =
        atomic_load_explicit(&fin_chosen_lanes[compression][width], memory_order_acquire);
    if (impl == NULL) {
        impl = fin_choose_lanes(compression, width);
    }
    return fin_is_multi(impl) ? impl : NULL;
}

/* ---- Selection by name ---- */

fin_status fin_impl_select(fin_algorithm algorithm, const char *name)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    if (descriptor == NULL) {
        return FIN_ERR_ALGORITHM;
    }
    const fin_compression compression =
        fin_descriptor_compression(descriptor, descriptor->info.digest_bytes);
    fin_named named = {NULL, NULL, FIN_OK};
    if (name != NULL) {
        const fin_registered *registered;
        const fin_impl *impl = fin_impl_named(compression, fin_span_of(name), &registered);
        if (impl == NULL) {
            return FIN_ERR_IMPL_UNKNOWN;
        }
        if (!fin_supported(registered, fin_platform_features())) {
            return FIN_ERR_IMPL_UNSUPPORTED;
        }
        fin_name(&named, impl);
    }
    if (name == NULL || named.single != NULL) {
        atomic_store_explicit(&fin_chosen[compression], named.single, memory_order_release);
    }
    for (uint32_t width = 0; width < FIN_WIDTHS; width++) {
        atomic_store_explicit(&fin_chosen_lanes[compression][width], named.multi,
                              memory_order_release);
    }
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
