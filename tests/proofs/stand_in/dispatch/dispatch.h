/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Replaces core/dispatch/dispatch.h, whose atomics the model checker cannot read: each proof
 * defines the selected implementations.
 */
#ifndef FIN_DISPATCH_H
#define FIN_DISPATCH_H

#include "impl.h"

static fin_status fin_dispatch_check(fin_compression compression);
static const fin_impl *fin_dispatch(fin_compression compression);
static const fin_impl *fin_dispatch_lanes(fin_compression compression, size_t messages);

#endif
