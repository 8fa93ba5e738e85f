/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl with WebAssembly's vectors: P and Q in the lanes of a vector.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_bitslice.inc"
#include "vec/planes_simd128.h"
#include "kern/groestl/planes.h"

#define FIN_NAME "bitslice-simd128"
#define FIN_TECHNIQUE "bit slices, P and Q in v128"
#define FIN_SOURCE "Groestl guide, section 3.3, in SIMD128"
#define FIN_KERNEL_FILE "kern/groestl/bitslice.h"
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_bitslice_simd128, fin_impls);
