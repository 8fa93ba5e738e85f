/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with NEON, 64-bit and 32-bit Arm: tables of sixteen bytes in registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_neon.h"
#include "gen/groestl_fold.inc"
#include "gen/groestl_rows_vperm.inc"

#define FIN_NAME "vperm-neon"
#define FIN_TECHNIQUE "rows in q registers, GF(2^4) tables by tbl"
#define FIN_SOURCE "Groestl guide, section 6.3, in NEON"
#define FIN_SUB_MIX "kern/groestl/vperm.h"
#define FIN_KERNEL_FILE "kern/groestl/rows.h"
#define FIN_TWEAKED_ONLY 1
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_vperm_neon, fin_impls);
