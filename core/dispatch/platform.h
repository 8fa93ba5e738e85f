/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The CPU's features and what FINALIST_CPU and FINALIST_IMPL say, read once.
 */
#ifndef FIN_PLATFORM_H
#define FIN_PLATFORM_H

#include "dispatch/dispatch.h"

#pragma GCC visibility push(hidden)

/* The name that selects one message at a time, without lanes. */
extern const fin_impl fin_alone;

/* The names that were asked for, null where none was. */
typedef struct fin_named {
    const fin_impl *single;
    const fin_impl *multi;
    fin_status status; /* FIN_OK, or what is wrong with the first wrong item */
} fin_named;

enum { FIN_WRONG_ITEM_BYTES = 128 };

typedef struct fin_platform {
    uint32_t features; /* those that FINALIST_CPU leaves */
    fin_core core;
    fin_named named[FIN_COMPRESSIONS];
    fin_status wrong_status; /* of the first wrong item; FIN_OK: there is none */
    const char *wrong_variable;
    size_t wrong_bytes;
    char wrong[FIN_WRONG_ITEM_BYTES]; /* its text, cut to this length */
} fin_platform;

/* The platform, which may be in *own if another thread is still reading it. */
const fin_platform *fin_platform_read(fin_platform *own);

uint32_t fin_platform_features(void);

/* A single implementation is meant for several messages too, one at a time, unless lanes are named
   after it. */
void fin_name(fin_named *named, const fin_impl *impl);

#pragma GCC visibility pop

#endif
