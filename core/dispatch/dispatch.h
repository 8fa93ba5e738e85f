/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Which implementation is selected for a compression function.
 */
#ifndef FIN_DISPATCH_H
#define FIN_DISPATCH_H

#include <stdatomic.h>

#include "impl.h"

#pragma GCC visibility push(hidden)

/* The selection for each compression function; null until it was first asked for. */
extern _Atomic(const fin_impl *) fin_chosen[FIN_COMPRESSIONS];
/* Selects. FIN_OK, FIN_ERR_ALGORITHM if it is left out of this build, or what is wrong with the
   environment. */
fin_status fin_dispatch_choose(fin_compression compression);
/* As fin_dispatch_choose, but ignores an environment that is wrong. Null only for what is left out of
   this build. */
const fin_impl *fin_dispatch_first(fin_compression compression);

/* FIN_OK if there is a selection. */
static inline fin_status fin_dispatch_check(fin_compression compression)
{
    const fin_impl *impl = atomic_load_explicit(&fin_chosen[compression], memory_order_acquire);
    return impl != NULL ? FIN_OK : fin_dispatch_choose(compression);
}

/* The selected implementation for one message. */
static inline const fin_impl *fin_dispatch(fin_compression compression)
{
    const fin_impl *impl = atomic_load_explicit(&fin_chosen[compression], memory_order_acquire);
    return impl != NULL ? impl : fin_dispatch_first(compression);
}

/* For several messages at once: entry n is where the first of n messages go, the last one where those of
   more do. It is for one message where one at a time is better or all there is. */
extern _Atomic(const fin_impl *) fin_chosen_lanes[FIN_COMPRESSIONS][FIN_LANES_MAX + 1];
/* Selects; ignores an environment that is wrong, which fin_dispatch_check has reported. */
const fin_impl *fin_dispatch_lanes_first(fin_compression compression, size_t messages);

/* Returns the implementation for the first of several messages, or null if one at a time is better or
   the only way. If it has fewer lanes, ask again for the rest. */
static inline const fin_impl *fin_dispatch_lanes(fin_compression compression, size_t messages)
{
    const size_t n = messages < FIN_LANES_MAX ? messages : FIN_LANES_MAX;
    const fin_impl *impl =
        atomic_load_explicit(&fin_chosen_lanes[compression][n], memory_order_acquire);
    if (impl == NULL) {
        impl = fin_dispatch_lanes_first(compression, n);
    }
    return impl->lanes > 1 ? impl : NULL;
}

/* From this number of blocks on a message counts as long: the cost beside its blocks matters less. */
enum { FIN_LONG_BLOCKS = 3 };

/* For long messages that fill all lanes; entry FIN_LANES_MAX of fin_chosen_lanes if the class of cores has
   no line for them. */
extern _Atomic(const fin_impl *) fin_chosen_long[FIN_COMPRESSIONS];

/* As fin_dispatch_lanes, for messages of at least FIN_LONG_BLOCKS blocks each. */
static inline const fin_impl *fin_dispatch_long(fin_compression compression, size_t messages)
{
    const fin_impl *several = fin_dispatch_lanes(compression, messages);
    const fin_impl *impl =
        atomic_load_explicit(&fin_chosen_long[compression], memory_order_acquire);
    return impl != NULL && impl->lanes > 1 && messages >= impl->lanes ? impl : several;
}

/* Classes of cores. PORTABLE is 0; the architecture's first class is for cores that are not known. */
enum {
#define FIN_CORE(id, name) FIN_CORE_##id,
#include "preference.def"
    FIN_CORES
};
enum { FIN_CORE_FIRST = FIN_CORES > 1 ? 1 : 0 };
typedef uint8_t fin_core;

/* A CPU: the features that the operating system supports too, and the class of its cores. */
typedef struct fin_cpu {
    uint32_t features;
    fin_core core;
} fin_cpu;

fin_cpu fin_cpu_detect(void);

#pragma GCC visibility pop

#endif
