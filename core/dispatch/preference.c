/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Looks an implementation up in preference.def.
 */
#include "dispatch/registry.h"

#include <string.h>

/* A line of preference.def; in a line of costs, a cost follows each name. */
typedef enum fin_list {
    FIN_LIST_ONE,
    FIN_LIST_MANY,
    FIN_LIST_LONG,
    FIN_LIST_COST,
    FIN_LIST_NODES
} fin_list;
typedef struct fin_line {
    fin_list list;
    fin_core core;
    fin_compression compression;
    const char *names;
} fin_line;

/* Keeps a line if this build has its compression function. */
#define FIN_LINE(list, core, compression, names)                               \
    FIN_IF_ELSE(FIN_HAS_KERNEL(compression), FIN_LINE_KEPT, FIN_LINE_LEFT_OUT) \
    (list, core, compression, names)
#define FIN_LINE_KEPT(list, core, compression, names) \
    {FIN_LIST_##list, FIN_CORE_##core, FIN_COMPRESSION_##compression, names},
#define FIN_LINE_LEFT_OUT(...)
/* Also leaves out a line that names lanes of AVX-512, if the build does. */
#define FIN_LINE_512(...)                                                             \
    FIN_IF_ELSE(FIN_HAS_UNIT(blake_lanes_x86_64_avx512), FIN_LINE, FIN_LINE_LEFT_OUT) \
    (__VA_ARGS__)

static const fin_line fin_lines[] = {
#define FIN_ONE(...) FIN_LINE(ONE, __VA_ARGS__)
#define FIN_MANY(...) FIN_LINE(MANY, __VA_ARGS__)
#define FIN_COST(...) FIN_LINE(COST, __VA_ARGS__)
#define FIN_LONG(...) FIN_LINE_512(LONG, __VA_ARGS__)
#define FIN_NODES(...) FIN_LINE_512(NODES, __VA_ARGS__)
#include "preference.def"
};

const char *const fin_core_names[FIN_CORES] = {
#define FIN_CORE(id, name) name,
#include "preference.def"
};

/* Returns a class's names for a compression function, null if it has no line of its own. The lines
   of Grøstl also apply to Grøstl-0, which differs only in constants. */
static FIN_NOINLINE const char *fin_names(fin_list list, fin_core core, fin_compression compression)
{
    compression = compression == FIN_COMPRESSION_GROESTL0_256   ? FIN_COMPRESSION_GROESTL256
                  : compression == FIN_COMPRESSION_GROESTL0_512 ? FIN_COMPRESSION_GROESTL512
                                                                : compression;
    for (size_t i = 0; i < sizeof fin_lines / sizeof fin_lines[0]; i++) {
        __asm__("" : "+r"(i)); /* else gcc unrolls the loop in builds of few algorithms */
        const fin_line *line = &fin_lines[i];
        if (line->list == list && line->core == core && line->compression == compression) {
            return line->names;
        }
    }
    return NULL;
}

/* Goes through the names once. Sets each width that is null to the first implementation of at most
   its lanes that this build has and these features support. */
static void fin_fill(const char *names, fin_compression compression, uint32_t features,
                     const fin_impl *widths[FIN_WIDTHS])
{
    fin_span name;
    /* An implementation for one message fills all widths. */
    while (widths[0] == NULL && names != NULL && fin_next_item(&names, &name)) {
        const fin_registered *registered;
        const fin_impl *impl = fin_impl_named(compression, name, &registered);
        if (impl != NULL && impl->constant_time && fin_supported(registered, features)) {
            for (uint32_t i = 0; i < FIN_WIDTHS; i++) {
                const bool set = widths[i] == NULL && impl->lanes <= UINT32_C(1) << i;
                widths[i] = set ? impl : widths[i];
            }
        }
    }
}

/* Goes through the lines of the core's class, then those of the architecture's first class, then
   PORTABLE's. */
static void fin_fill_from(fin_list list, fin_core core, fin_compression compression,
                          uint32_t features, const fin_impl *widths[FIN_WIDTHS])
{
    const fin_core chain[] = {core, FIN_CORE_FIRST, FIN_CORE_PORTABLE};
    for (size_t i = 0; i < sizeof chain / sizeof chain[0]; i++) {
        fin_fill(fin_names(list, chain[i], compression), compression, features, widths);
    }
}

const fin_impl *fin_prefer(fin_core core, fin_compression compression, uint32_t features)
{
    const fin_impl *widths[FIN_WIDTHS] = {NULL};
    fin_fill_from(FIN_LIST_ONE, core, compression, features, widths);
    return widths[0];
}

void fin_prefer_widths(fin_core core, fin_compression compression, uint32_t features,
                       const fin_impl *widths[FIN_WIDTHS])
{
    const fin_impl *one = fin_prefer(core, compression, features);
    for (uint32_t i = 0; i < FIN_WIDTHS; i++) {
        widths[i] = NULL;
    }
    fin_fill_from(FIN_LIST_MANY, core, compression, features, widths);
    for (uint32_t i = 0; i < FIN_WIDTHS; i++) {
        widths[i] = i != 0 && widths[i] != NULL && fin_is_multi(widths[i]) ? widths[i] : one;
    }
}

/* ---- Several messages: the cheapest composition of groups ---- */

enum { FIN_COSTS_MAX = 40 };

/* Implementations with the cost of a message in every lane. */
typedef struct fin_costs {
    size_t count;
    const fin_impl *impl[FIN_COSTS_MAX];
    uint32_t cost[FIN_COSTS_MAX];
    uint32_t call; /* the additional cost of the first group */
} fin_costs;

/* Moves on to the next "name cost" of a list; false at its end. */
static bool fin_next_cost(const char **list, fin_span *name, uint32_t *cost)
{
    fin_span item;
    if (*list == NULL || !fin_next_item(list, &item)) {
        return false;
    }
    *name = (fin_span){item.at, 0};
    while (name->bytes < item.bytes && name->at[name->bytes] != ' ') {
        name->bytes++;
    }
    *cost = 0;
    for (size_t i = name->bytes + 1; i < item.bytes; i++) {
        *cost = 10 * *cost + (uint32_t)(item.at[i] - '0');
    }
    return true;
}

/* Sets the costs of the listed implementations that these features support. False without a list,
   or if they do not support all. */
static bool fin_read_costs(fin_costs *costs, fin_compression compression, uint32_t features,
                           const char *list)
{
    fin_span name;
    uint32_t cost;
    bool all = list != NULL;
    *costs = (fin_costs){.count = 0};
    while (fin_next_cost(&list, &name, &cost)) {
        const fin_registered *registered;
        const fin_impl *impl = fin_impl_named(compression, name, &registered);
        if (fin_span_is(name, "call")) {
            costs->call = cost;
        } else if (impl != NULL && fin_supported(registered, features) &&
                   costs->count < FIN_COSTS_MAX) {
            costs->impl[costs->count] = impl;
            costs->cost[costs->count++] = cost;
        } else {
            all = false;
        }
    }
    return all;
}

/* Sets the costs of the implementations of the widths. False if one of these is not listed. */
static bool fin_read_widths(fin_costs *costs, fin_compression compression, uint32_t features,
                            const char *list, const fin_impl *const widths[FIN_WIDTHS])
{
    fin_costs listed;
    (void)fin_read_costs(&listed, compression, features, list);
    *costs = (fin_costs){.call = listed.call};
    for (size_t i = 0; i < FIN_WIDTHS; i++) {
        for (size_t k = 0; k < listed.count; k++) {
            if (listed.impl[k] == widths[i]) {
                costs->impl[costs->count] = widths[i];
                costs->cost[costs->count++] = listed.cost[k];
            }
        }
    }
    return costs->count == FIN_WIDTHS;
}

/* Chooses the number of messages rounded up to a power of two as the number of lanes, or fewer. */
static void fin_round_up_widths(const fin_impl *const widths[FIN_WIDTHS],
                                const fin_impl *chosen[FIN_LANES_MAX + 1])
{
    for (uint32_t n = 1, i = 0; n <= FIN_LANES_MAX; n++) {
        i += n > UINT32_C(1) << i;
        chosen[n] = widths[i];
    }
}

/* Finds the first implementation of the cheapest composition for n messages. */
static void fin_compose(const fin_costs *costs, const fin_impl *chosen[FIN_LANES_MAX + 1])
{
    uint64_t least[FIN_LANES_MAX + 1] = {0};
    uint64_t single = UINT32_MAX;
    const fin_impl *one = NULL;
    for (size_t i = 0; i < costs->count; i++) {
        if (costs->impl[i]->lanes == 1 && costs->cost[i] < single) {
            single = costs->cost[i];
            one = costs->impl[i];
        }
    }
    for (uint32_t n = 1; n <= FIN_LANES_MAX; n++) {
        least[n] = UINT32_MAX;
        for (size_t i = 0; i < costs->count; i++) {
            const fin_impl *impl = costs->impl[i];
            const uint64_t all = costs->cost[i] + least[n > impl->lanes ? n - impl->lanes : 0];
            /* The widest of equal costs: fewer messages remain. */
            if (all < least[n] || (all == least[n] && impl->lanes > chosen[n]->lanes)) {
                least[n] = all;
                chosen[n] = impl;
            }
        }
        if (one != NULL && n * single <= least[n] + costs->call) {
            least[n] = n * single;
            chosen[n] = one;
        }
    }
}

void fin_prefer_lanes(fin_core core, fin_compression compression, uint32_t features,
                      fin_purpose purpose, const fin_impl *chosen[FIN_LANES_MAX + 1])
{
    const char *of_all = fin_names(FIN_LIST_COST, core, compression);
    const char *of_long = fin_names(FIN_LIST_LONG, core, compression);
    const char *of_nodes = fin_names(FIN_LIST_NODES, core, compression);
    const fin_impl *widths[FIN_WIDTHS];
    fin_costs costs;
    fin_prefer_widths(core, compression, features, widths);
    chosen[0] = widths[0];
    if (purpose == FIN_FOR_LONG && fin_read_costs(&costs, compression, features, of_long)) {
        fin_compose(&costs, chosen);
    } else if (purpose == FIN_FOR_NODES &&
               fin_read_widths(&costs, compression, features, of_nodes, widths)) {
        fin_compose(&costs, chosen);
    } else if (fin_read_widths(&costs, compression, features, of_all, widths)) {
        /* The other costs are of one block: a call's cost weighs half as much beside two, and
           nothing beside a long message. */
        costs.call = purpose == FIN_FOR_LONG  ? 0
                     : purpose == FIN_FOR_TWO ? costs.call / 2
                                              : costs.call;
        fin_compose(&costs, chosen);
    } else {
        fin_round_up_widths(widths, chosen);
    }
}
