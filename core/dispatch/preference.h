/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Which implementation a class of cores prefers (preference.def). A preference only ranks: what can
 * run, the CPU's features say.
 */
#ifndef FIN_PREFERENCE_H
#define FIN_PREFERENCE_H

#include "dispatch/registry.h"

#pragma GCC visibility push(hidden)

/* The preferred implementation with at most lanes_max lanes that these features support. Null only if
   the compression function is left out of this build. */
const fin_impl *fin_prefer(fin_core core, fin_compression compression, uint32_t features,
                           uint32_t lanes_max);

/* chosen[n] is where the first of n messages go: the cheapest composition of widths. The implementation
   for one message where they go one at a time. */
void fin_prefer_lanes(fin_core core, fin_compression compression, uint32_t features,
                      const fin_impl *chosen[FIN_LANES_MAX + 1]);

/* The preferred implementation for FIN_LANES_MAX or more messages of at least FIN_LONG_BLOCKS blocks. Null
   if such messages go where short ones do. */
const fin_impl *fin_prefer_long(fin_core core, fin_compression compression, uint32_t features);

const char *fin_core_name(fin_core core);

#pragma GCC visibility pop

#endif
