/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl of many messages with AVX2.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/planes_256.h"

#define FIN_TIER "avx2"
#define FIN_COUNT 4
#define FIN_RANK 0
#include "kern/groestl_bitslice_unit.h"

FIN_EXPORT_UNIT(groestl_lanes_bitslice_avx2, fin_impls);
