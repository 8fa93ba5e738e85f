/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl of many messages with AVX-512.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/planes_512.h"

#define FIN_TIER "avx512"
#define FIN_COUNT 8
#define FIN_RANK 0
#include "kern/groestl_bitslice_unit.h"

FIN_EXPORT_UNIT(groestl_lanes_bitslice_avx512, fin_impls);
