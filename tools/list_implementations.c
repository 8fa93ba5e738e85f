/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lists the implementations in this build for tools/matrix.py, one JSON object a line: the output
 * of `finalist list --json` where there is no Rust, and each implementation's unit. A shared
 * library hides its units; without FIN_LIST_UNITS they are "". No text of a record needs an escape.
 */
#include <finalist.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIN_LIST_UNITS
#include "impl.h"

#define FIN_UNIT(name, architecture, features, flags) \
    FIN_IF_##architecture(extern const fin_unit fin_unit_##name;)
#include "isa.def"
#undef FIN_UNIT

static const struct {
    const char *name;
    const fin_unit *unit;
} units[] = {
#define FIN_UNIT(name, architecture, features, flags) \
    FIN_IF_##architecture({#name, &fin_unit_##name}, )
#include "isa.def"
#undef FIN_UNIT
};

static const char *const compressions[] = {
#define FIN_COMPRESSION(id, name, block_bytes) name,
#include "alg.def"
#undef FIN_COMPRESSION
};

static const char *unit_of(const fin_impl_info *info)
{
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
        for (size_t i = 0; i < units[u].unit->count; i++) {
            const fin_impl *impl = &units[u].unit->impls[i];
            if (strcmp(compressions[impl->compression], info->algorithm) == 0 &&
                strcmp(impl->name, info->name) == 0) {
                return units[u].name;
            }
        }
    }
    return "";
}
#else
static const char *unit_of(const fin_impl_info *info)
{
    (void)info;
    return "";
}
#endif

int main(void)
{
    fin_impl_info impl;
    for (size_t i = 0; fin_impl_at(i, &impl) == FIN_OK; i++) {
        printf(
            "{\"algorithm\": \"%s\", \"name\": \"%s\", \"technique\": \"%s\", \"source\": \"%s\", "
            "\"features\": \"%s\", \"lanes\": %u, \"constant_time\": %s, \"supported\": %s, "
            "\"unit\": \"%s\"}\n",
            impl.algorithm, impl.name, impl.technique, impl.source, impl.features,
            (unsigned)impl.lanes, impl.constant_time ? "true" : "false",
            impl.supported ? "true" : "false", unit_of(&impl));
    }
    return EXIT_SUCCESS;
}
