/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl with NEON, 64-bit Arm: P and Q in the lanes of a register.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_bitslice.inc"
#include "vec/planes_neon.h"
#include "kern/groestl/planes.h"

#define FIN_NAME "bitslice-neon"
#define FIN_TECHNIQUE "bit slices, P and Q in q registers"
#define FIN_SOURCE "Groestl guide, section 3.3, in NEON"
#define FIN_KERNEL_FILE "kern/groestl/bitslice.h"
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_bitslice_neon, fin_impls);
