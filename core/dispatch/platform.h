/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The CPU's features and the settings of FINALIST_CPU and FINALIST_IMPL, read once.
 */
#ifndef FIN_PLATFORM_H
#define FIN_PLATFORM_H

#include "dispatch/dispatch.h"

#pragma GCC visibility push(hidden)

/* The implementations that were selected by name, or null. */
typedef struct fin_named {
    const fin_impl *single;
    const fin_impl *multi;
    fin_status status; /* FIN_OK, or the error of the first wrong item */
} fin_named;

enum { FIN_WRONG_ITEM_BYTES = 128 };

typedef struct fin_platform {
    uint32_t features; /* without those that FINALIST_CPU hides */
    fin_core core;
    fin_named named[FIN_COMPRESSIONS];
    fin_status wrong_status; /* of the first wrong item; FIN_OK if none is wrong */
    const char *wrong_variable;
    size_t wrong_bytes;
    char wrong[FIN_WRONG_ITEM_BYTES]; /* the item, truncated */
} fin_platform;

/* Returns the platform, in *own if another thread is still reading it. */
const fin_platform *fin_platform_read(fin_platform *own);

uint32_t fin_platform_features(void);

/* Records a selection by name. An implementation for one message also applies to several, one at a
   time, unless one with lanes is named after it. */
void fin_name(fin_named *named, const fin_impl *impl);

#pragma GCC visibility pop

#endif
