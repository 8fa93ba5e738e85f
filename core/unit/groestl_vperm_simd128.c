/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with WebAssembly's vectors: tables of sixteen bytes, read by i8x16.swizzle.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_simd128.h"
#include "gen/groestl_rows_vperm.inc"

#define FIN_NAME "vperm-simd128"
#define FIN_TECHNIQUE "rows in v128, GF(2^4) tables by swizzle"
#define FIN_SOURCE "Groestl guide, section 6.3, in SIMD128"
#define FIN_SUB_MIX "kern/groestl/vperm.h"
#define FIN_KERNEL_FILE "kern/groestl/rows.h"
#define FIN_TWEAKED_ONLY 1
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_vperm_simd128, fin_impls);
