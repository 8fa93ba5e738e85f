/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Selects an implementation for each compression function.
 *
 * A selection is made at its first use and kept in an atomic pointer. Threads that race make the
 * same selection and store the same pointer, so no lock is needed.
 */
#include "dispatch/dispatch.h"

#include "dispatch/platform.h"
#include "dispatch/registry.h"
#include "spec/spec.h"

_Atomic(const fin_impl *) fin_chosen[FIN_COMPRESSIONS];

_Atomic(const fin_impl *) fin_chosen_lanes[FIN_BATCH_KINDS][FIN_LANES_MAX + 1];

const fin_impl *fin_dispatch_first(fin_compression compression)
{
    fin_platform own;
    const fin_platform *platform = fin_platform_read(&own);
    const fin_named *named = &platform->named[compression];
    const bool asked = named->status == FIN_OK && named->single != NULL;
    const fin_impl *impl =
        asked ? named->single : fin_prefer(platform->core, compression, platform->features);
    if (named->status == FIN_OK) {
        atomic_store_explicit(&fin_chosen[compression], impl, memory_order_release);
    }
    return impl;
}

fin_status fin_dispatch_choose(fin_compression compression)
{
    fin_platform own;
    const fin_status status = fin_platform_read(&own)->named[compression].status;
    return status != FIN_OK                          ? status
           : fin_dispatch_first(compression) != NULL ? FIN_OK
                                                     : FIN_ERR_ALGORITHM;
}

/* Stores the selection for several messages; null: selected at the next use. */
static void fin_store_lanes(fin_batch_kind kind, const fin_impl *impl)
{
    for (size_t n = 0; n <= FIN_LANES_MAX; n++) {
        atomic_store_explicit(&fin_chosen_lanes[kind][n], impl, memory_order_release);
    }
}

const fin_impl *fin_dispatch_lanes_first(fin_batch_kind kind, size_t messages)
{
    const bool nodes = kind == FIN_BATCH_OF_NODES;
    const fin_compression compression =
        nodes ? FIN_COMPRESSION_BLAKE3 : (fin_compression)(kind % FIN_COMPRESSIONS);
    fin_platform own;
    const fin_platform *platform = fin_platform_read(&own);
    const fin_named *named = &platform->named[compression];
    const bool asked = named->status == FIN_OK && named->multi != NULL;
    const fin_impl *chosen[FIN_LANES_MAX + 1];
    fin_prefer_lanes(platform->core, compression, platform->features,
                     (fin_purpose)(kind / FIN_COMPRESSIONS), chosen);
    for (size_t n = 0; n <= FIN_LANES_MAX; n++) {
        chosen[n] = asked ? named->multi : chosen[n];
        atomic_store_explicit(&fin_chosen_lanes[kind][n], chosen[n], memory_order_release);
    }
    return chosen[messages];
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
    fin_store_lanes(compression, named.multi);
    fin_store_lanes(FIN_BATCH_OF_TWO + compression, named.multi);
    fin_store_lanes(FIN_BATCH_OF_LONG + compression, named.multi);
    if (compression == FIN_COMPRESSION_BLAKE3) {
        fin_store_lanes(FIN_BATCH_OF_NODES, named.multi);
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
