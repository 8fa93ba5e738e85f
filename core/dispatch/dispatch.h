/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The selected implementation of each compression function.
 */
#ifndef FIN_DISPATCH_H
#define FIN_DISPATCH_H

#include <stdatomic.h>

#include "impl.h"

#pragma GCC visibility push(hidden)

/* The selection for each compression function; null before its first use. */
extern _Atomic(const fin_impl *) fin_chosen[FIN_COMPRESSIONS];
/* Selects an implementation. Returns FIN_OK, FIN_ERR_ALGORITHM if this build leaves out the
   compression function, or the environment's error. */
fin_status fin_dispatch_choose(fin_compression compression);
/* Selects, but ignores errors of the environment. Returns null only if this build leaves out the
   compression function. */
const fin_impl *fin_dispatch_first(fin_compression compression);

/* Returns FIN_OK if there is a selection. */
static inline fin_status fin_dispatch_check(fin_compression compression)
{
    const fin_impl *impl = atomic_load_explicit(&fin_chosen[compression], memory_order_acquire);
    return impl != NULL ? FIN_OK : fin_dispatch_choose(compression);
}

/* Returns the selected implementation for one message. */
static inline const fin_impl *fin_dispatch(fin_compression compression)
{
    const fin_impl *impl = atomic_load_explicit(&fin_chosen[compression], memory_order_acquire);
    return impl != NULL ? impl : fin_dispatch_first(compression);
}

/* Kind of a batch: the number of its compression function for messages of one block; FIN_BATCH_OF_TWO
   or FIN_BATCH_OF_LONG plus this number for those of two blocks and for long ones; or
   FIN_BATCH_OF_NODES for BLAKE3's nodes of one block. */
typedef size_t fin_batch_kind;
enum {
    FIN_BATCH_OF_TWO = FIN_COMPRESSIONS,
    FIN_BATCH_OF_LONG = 2 * FIN_COMPRESSIONS,
    FIN_BATCH_OF_NODES = 3 * FIN_COMPRESSIONS,
    FIN_BATCH_KINDS = 3 * FIN_COMPRESSIONS + 1
};

/* Messages of this many blocks or more are long: costs other than their blocks' matter less. */
enum { FIN_LONG_BLOCKS = 3 };

/* The selections for several messages at once: entry n is for the first of n messages, the last
   entry also for those of more. An implementation for one message means that one at a time is
   better or the only way. */
extern _Atomic(const fin_impl *) fin_chosen_lanes[FIN_BATCH_KINDS][FIN_LANES_MAX + 1];
/* Selects; ignores errors of the environment, which fin_dispatch_check has reported. */
const fin_impl *fin_dispatch_lanes_first(fin_batch_kind kind, size_t messages);

/* Returns the implementation for the first of several messages, or null if one at a time is better
   or the only way. For the messages beyond its lanes, ask again. */
static inline const fin_impl *fin_dispatch_lanes(fin_batch_kind kind, size_t messages)
{
    const size_t n = messages < FIN_LANES_MAX ? messages : FIN_LANES_MAX;
    const fin_impl *impl = atomic_load_explicit(&fin_chosen_lanes[kind][n], memory_order_acquire);
    if (impl == NULL) {
        impl = fin_dispatch_lanes_first(kind, n);
    }
    return impl->lanes > 1 ? impl : NULL;
}

/* As fin_dispatch_lanes, for messages of at least this number of blocks each. */
static inline const fin_impl *fin_dispatch_blocks(fin_compression compression, size_t blocks,
                                                  size_t messages)
{
    const size_t first = blocks < 2                 ? 0
                         : blocks < FIN_LONG_BLOCKS ? FIN_BATCH_OF_TWO
                                                    : FIN_BATCH_OF_LONG;
    return fin_dispatch_lanes(first + compression, messages);
}

/* Classes of cores. PORTABLE is 0; an architecture's first class is for unknown cores. */
enum {
#define FIN_CORE(id, name) FIN_CORE_##id,
#include "preference.def"
    FIN_CORES
};
enum { FIN_CORE_FIRST = FIN_CORES > 1 ? 1 : 0 };
typedef uint8_t fin_core;

/* A CPU: the features that the operating system supports too, and its cores' class. */
typedef struct fin_cpu {
    uint32_t features;
    fin_core core;
} fin_cpu;

fin_cpu fin_cpu_detect(void);

#pragma GCC visibility pop

#endif
