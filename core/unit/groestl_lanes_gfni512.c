/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl of many messages with GFNI and AVX-512.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_512.h"
#include "vec/tails_512.h"
#include "gen/groestl_rows_gfni.inc"
#include "kern/groestl/lanes_gfni.h"

#define FIN_ISA_NAME "gfni512"
#define FIN_TECHNIQUE "rows in zmm, GFNI affine maps"
#define FIN_SOURCE "Groestl guide, section 3.2; GFNI for 4.2"
#define FIN_LANES512 8
#define FIN_LANES1024 4
#define FIN_KERNEL_FILE "kern/groestl/lanes.h"
#include "kern/groestl/lanes_unit.h"

FIN_EXPORT_UNIT(groestl_lanes_gfni512, fin_impls);
