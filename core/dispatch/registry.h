/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The registry: the units of isa.def for this architecture, the names of features, and the
 * preferences of each class of cores.
 */
#ifndef FIN_REGISTRY_H
#define FIN_REGISTRY_H

#include "dispatch/dispatch.h"

#pragma GCC visibility push(hidden)

typedef struct fin_registered {
    const fin_unit *unit;
    const char *features; /* as in isa.def: names, comma-separated */
} fin_registered;

/* The index of each registered unit. */
enum {
#define FIN_UNIT(name, architecture, features, flags) FIN_IF_##architecture(FIN_UNIT_##name, )
#include "isa.def"
#undef FIN_UNIT
    FIN_UNITS
};

/* The registered units, in the order of isa.def, up to fin_units_end. */
extern const fin_registered fin_units[];
extern const fin_registered *const fin_units_end;

/* Iterates over all implementations of this build; registered and impl name the two loop
   variables. */
#define FIN_FOR_EACH_IMPL(registered, impl)                                           \
    for (const fin_registered *registered = fin_units; registered != fin_units_end;   \
         (registered)++)                                                              \
        for (const fin_impl *impl = (registered)->unit->impls;                        \
             impl != (registered)->unit->impls + (registered)->unit->count; (impl)++) \
            if ((impl)->lanes != 0)

static inline bool fin_is_multi(const fin_impl *impl)
{
    return impl->lanes > 1;
}

/* A part of a string, for example an item of a list. */
typedef struct fin_span {
    const char *at;
    size_t bytes;
} fin_span;

bool fin_span_is(fin_span span, const char *text);
fin_span fin_span_of(const char *text);

/* Removes the next item from a comma-separated list; false at its end. Skips empty items. */
bool fin_next_item(const char **list, fin_span *item);

extern const char *const fin_feature_names[FIN_CPU_FEATURES];

/* Returns a feature's bit; 0 if no feature has the name. */
uint32_t fin_feature_of(fin_span name);

/* Removes every feature that implies a missing one. */
uint32_t fin_usable_features(uint32_t found);

/* True if these features include all that the unit requires. */
bool fin_supported(const fin_registered *registered, uint32_t features);

/* Returns the implementation with this name, supported or not, or null. */
const fin_impl *fin_impl_named(fin_compression compression, fin_span name,
                               const fin_registered **registered);

/* ---- Preferences (preference.c): a ranking only; the CPU's features decide which can run ---- */

/* Returns the preferred implementation for one message that these features support; null only if
   this build leaves out the compression function. */
const fin_impl *fin_prefer(fin_core core, fin_compression compression, uint32_t features);

enum { FIN_WIDTHS = 6 }; /* 1, 2, .. FIN_LANES_MAX lanes */

/* Sets widths[i] to the preferred implementation for several messages with at most 2^i lanes; the
   one for a single message if one at a time is better or the only way. */
void fin_prefer_widths(fin_core core, fin_compression compression, uint32_t features,
                       const fin_impl *widths[FIN_WIDTHS]);

/* Batches of messages of one block, of two, of FIN_LONG_BLOCKS or more, or of BLAKE3's nodes of one
   block: a fin_batch_kind divided by the number of compression functions. */
typedef enum fin_purpose { FIN_FOR_ONE, FIN_FOR_TWO, FIN_FOR_LONG, FIN_FOR_NODES } fin_purpose;

/* Sets chosen[n] to the implementation for the first of n messages or nodes in the cheapest
   composition; one for a single message if they go one at a time. */
void fin_prefer_lanes(fin_core core, fin_compression compression, uint32_t features,
                      fin_purpose purpose, const fin_impl *chosen[FIN_LANES_MAX + 1]);

extern const char *const fin_core_names[FIN_CORES];

#pragma GCC visibility pop

#endif
