/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with GFNI and AVX2: P and Q in the halves of 32-byte registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_256.h"
#include "gen/groestl_rows_gfni.inc"

#define FIN_NAME "gfni-avx2"
#define FIN_TECHNIQUE "rows in ymm, GFNI affine maps"
#define FIN_SOURCE "Groestl guide, section 3.2; GFNI for 4.2"
#define FIN_BOUND512 137
#define FIN_BOUND1024 298
#define FIN_SUB_MIX "kern/groestl/gfni.h"
#define FIN_KERNEL_FILE "kern/groestl/rows.h"
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_gfni_avx2, fin_impls);
