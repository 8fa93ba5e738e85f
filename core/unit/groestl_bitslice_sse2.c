/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl with SSE2: P and Q in the lanes of a register.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_bitslice.inc"
#include "vec/planes_128.h"
#include "kern/groestl/planes.h"

#define FIN_NAME "bitslice-sse2"
#define FIN_TECHNIQUE "bit slices, P and Q in xmm"
#define FIN_SOURCE "Groestl guide, section 3.3"
#define FIN_KERNEL_FILE "kern/groestl/bitslice.h"
#define FIN_TWEAKED_ONLY 1
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_bitslice_sse2, fin_impls);
