/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl on 64-bit words, constant-time: the portable default.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_bitslice.inc"
#include "vec/planes_64.h"
#include "kern/groestl/planes.h"

#define FIN_NAME "bitslice"
#define FIN_TECHNIQUE "bit slices, 64-bit words"
#define FIN_SOURCE "Groestl guide, section 3.3"
#define FIN_KERNEL_FILE "kern/groestl/bitslice.h"
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_bitslice, fin_impls);
