/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Looks an implementation up in preference.def.
 */
#include "dispatch/preference.h"

/* A class's lines; null where it has none of its own. */
#define FIN_LINE(core, compression, names) [FIN_CORE_##core][FIN_COMPRESSION_##compression] = names,

static const char *const fin_one[FIN_CORES][FIN_COMPRESSIONS] = {
#define FIN_ONE FIN_LINE
#include "preference.def"
};

static const char *const fin_many[FIN_CORES][FIN_COMPRESSIONS] = {
#define FIN_MANY FIN_LINE
#include "preference.def"
};

static const char *const fin_core_names[FIN_CORES] = {
#define FIN_CORE(id, name) name,
#include "preference.def"
};

/* Grøstl-0 differs from Grøstl in constants only. */
static fin_compression fin_line_of(fin_compression compression)
{
    return compression == FIN_COMPRESSION_GROESTL0_256   ? FIN_COMPRESSION_GROESTL256
           : compression == FIN_COMPRESSION_GROESTL0_512 ? FIN_COMPRESSION_GROESTL512
                                                         : compression;
}

/* The first of the names that this build and these features have. */
static const fin_impl *fin_first(const char *names, fin_compression compression, uint32_t features,
                                 uint32_t lanes_max)
{
    fin_span name;
    while (names != NULL && fin_next_item(&names, &name)) {
        const fin_registered *registered;
        const fin_impl *impl = fin_impl_named(compression, name, &registered);
        if (impl != NULL && impl->lanes <= lanes_max && impl->constant_time &&
            fin_supported(registered, features)) {
            return impl;
        }
    }
    return NULL;
}

/* Lines of the core's class come before those of the architecture's first class, and these before
   PORTABLE's. */
static const fin_impl *fin_first_of(const char *const lines[FIN_CORES][FIN_COMPRESSIONS],
                                    fin_core core, fin_compression compression, uint32_t features,
                                    uint32_t lanes_max)
{
    const fin_core chain[] = {core, FIN_CORE_FIRST, FIN_CORE_PORTABLE};
    const fin_impl *impl = NULL;
    for (size_t i = 0; impl == NULL && i < sizeof chain / sizeof chain[0]; i++) {
        impl =
            fin_first(lines[chain[i]][fin_line_of(compression)], compression, features, lanes_max);
    }
    return impl;
}

const fin_impl *fin_prefer(fin_core core, fin_compression compression, uint32_t features,
                           uint32_t lanes_max)
{
    const fin_impl *impl =
        lanes_max > 1 ? fin_first_of(fin_many, core, compression, features, lanes_max) : NULL;
    return impl != NULL ? impl : fin_first_of(fin_one, core, compression, features, 1);
}

const char *fin_core_name(fin_core core)
{
    return fin_core_names[core];
}
