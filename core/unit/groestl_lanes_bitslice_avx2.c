/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl of many messages with AVX2.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_bitslice.inc"
#include "vec/planes_256.h"
#define FIN_PLANE_WORD plane
#include "kern/groestl/planes.h"

#define FIN_ISA_NAME "bitslice-avx2"
#define FIN_TECHNIQUE "bit slices"
#define FIN_SOURCE "Groestl guide, section 3.3"
#define FIN_LANES512 4
#define FIN_LANES1024 4
#define FIN_KERNEL_FILE "kern/groestl/bitslice.h"
#define FIN_MESSAGES
#include "kern/groestl/lanes_unit.h"

FIN_EXPORT_UNIT(groestl_lanes_bitslice_avx2, fin_impls);
