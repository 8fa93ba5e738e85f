/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The orders of gen/orders.inc, and what is looked up in them.
 */
#include "dispatch/order.h"

/* A place is whether it was measured, then which record, then the unit's index from 1. */
enum { MEASURED_BIT = 1, RECORD_SHIFT = 1, RECORD_MASK = 3, UNIT_SHIFT = 3 };
#define FIN_PLACE(unit, record, measured) \
    (FIN_UNIT_##unit + 1) << UNIT_SHIFT | (record) << RECORD_SHIFT | (measured)
#define FIN_MEASURED(architecture, unit, record) \
    FIN_IF_##architecture(FIN_PLACE(unit, record, MEASURED_BIT), )
#define FIN_ESTIMATED(architecture, unit, record) \
    FIN_IF_##architecture(FIN_PLACE(unit, record, 0), )
#include "gen/orders.inc"

static const char *const fin_microarchitecture_names[FIN_MICROARCHITECTURES] = {
    "",
#define FIN_MICROARCHITECTURE(id, architecture, name, relative) name,
#include "microarchitecture.def"
#undef FIN_MICROARCHITECTURE
};

static const fin_registered *fin_place_unit(fin_place place)
{
    return &fin_units[(place >> UNIT_SHIFT) - 1];
}

/* Null if the unit has no such record, as where an order knows more than this build. */
static const fin_impl *fin_place_impl(fin_place place, fin_compression compression)
{
    const fin_unit *unit = fin_place_unit(place)->unit;
    int before = place >> RECORD_SHIFT & RECORD_MASK;
    for (const fin_impl *impl = unit->impls; impl != unit->impls + unit->count; impl++) {
        if (impl->compression == compression && before-- == 0) {
            return impl;
        }
    }
    return NULL;
}

const fin_order *fin_order_for(fin_microarchitecture microarchitecture)
{
    return &fin_orders[fin_order_of[microarchitecture]];
}

const fin_impl *fin_order_first(const fin_order *order, fin_compression compression,
                                uint32_t features, uint32_t lanes_max)
{
    for (const fin_place *place = order->places[compression]; *place != 0; place++) {
        const fin_impl *impl = fin_place_impl(*place, compression);
        if (impl != NULL && impl->lanes <= lanes_max && impl->constant_time &&
            fin_supported(fin_place_unit(*place), features)) {
            return impl;
        }
    }
    return NULL;
}

bool fin_order_measured(const fin_order *order, const fin_impl *impl)
{
    for (const fin_place *place = order->places[impl->compression]; *place != 0; place++) {
        if (fin_place_impl(*place, impl->compression) == impl) {
            return (*place & MEASURED_BIT) != 0;
        }
    }
    return false;
}

const char *fin_order_name(const fin_order *order)
{
    return order->name;
}

const char *fin_order_file(const fin_order *order)
{
    return order->file;
}

const char *fin_microarchitecture_name(fin_microarchitecture microarchitecture)
{
    return fin_microarchitecture_names[microarchitecture];
}
