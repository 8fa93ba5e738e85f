/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl of many messages with SSE2.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/planes_128.h"

#define FIN_TIER "sse2"
#define FIN_COUNT 2
#define FIN_RANK 0
#include "kern/groestl_bitslice_unit.h"

FIN_EXPORT_UNIT(groestl_lanes_bitslice_sse2, fin_impls);
