/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The registry: every unit of isa.def that this architecture has, names of features, and what a class of
 * cores prefers.
 */
#ifndef FIN_REGISTRY_H
#define FIN_REGISTRY_H

#include "dispatch/dispatch.h"

#pragma GCC visibility push(hidden)

typedef struct fin_registered {
    const fin_unit *unit;
    const char *features; /* as isa.def has them: names, comma-separated */
} fin_registered;

/* The index of each registered unit. */
enum {
#define FIN_UNIT(name, architecture, features, flags) FIN_IF_##architecture(FIN_UNIT_##name, )
#include "isa.def"
#undef FIN_UNIT
    FIN_UNITS
};

/* The registered units, in the order of isa.def; the one at fin_units_end is none. */
extern const fin_registered fin_units[];
extern const fin_registered *const fin_units_end;

/* Walks all implementations of this build: registered and impl name the two loops' variables. */
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

/* A stretch of text, as items of a list are. */
typedef struct fin_span {
    const char *at;
    size_t bytes;
} fin_span;

bool fin_span_is(fin_span span, const char *text);
fin_span fin_span_of(const char *text);

/* Takes the next item off a comma-separated list; false at its end. Skips empty items. */
bool fin_next_item(const char **list, fin_span *item);

extern const char *const fin_feature_names[FIN_CPU_FEATURES];

/* The bit of a feature's name; 0 for none. */
uint32_t fin_feature_of(fin_span name);

/* Takes away every feature that implies one which is not there. */
uint32_t fin_close_features(uint32_t found);

/* True if these features are all that the unit asks for. */
bool fin_supported(const fin_registered *registered, uint32_t features);

/* The implementation of that name, supported or not, or null. */
const fin_impl *fin_impl_named(fin_compression compression, fin_span name,
                               const fin_registered **registered);

/* ---- Preferences (preference.c): they only rank. What can run, the CPU's features say. ---- */

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

extern const char *const fin_core_names[FIN_CORES];

#pragma GCC visibility pop

#endif
