/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The order in which implementations are preferred on a CPU. It sorts only: what may run, the CPU's
 * features say.
 */
#ifndef FIN_ORDER_H
#define FIN_ORDER_H

#include "dispatch/registry.h"

#pragma GCC visibility push(hidden)

/* An implementation's place in an order: a unit, and which of its records of the compression
   function. 0 is none. */
typedef uint16_t fin_place;

typedef struct fin_order fin_order;

/* The order that a CPU takes. Never null. */
const fin_order *fin_order_for(fin_microarchitecture microarchitecture);

/* The first constant-time implementation of an order with at most so many lanes that these features
   support. */
const fin_impl *fin_order_first(const fin_order *order, fin_compression compression,
                                uint32_t features, uint32_t lanes_max);

/* True if an implementation has its place in an order because it was measured there. */
bool fin_order_measured(const fin_order *order, const fin_impl *impl);

/* Whose order it is, and the file that it comes from. */
const char *fin_order_name(const fin_order *order);
const char *fin_order_file(const fin_order *order);

/* As measured files have it; "" for a CPU that microarchitecture.def does not name. */
const char *fin_microarchitecture_name(fin_microarchitecture microarchitecture);

#pragma GCC visibility pop

#endif
