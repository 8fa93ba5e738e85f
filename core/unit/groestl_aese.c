/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with NEON and the AES instructions of Armv8: rows in 16-byte registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_neon.h"
#include "gen/groestl_fold.inc"
#include "gen/groestl_rows_aese.inc"

#define FIN_NAME "aese"
#define FIN_TECHNIQUE "rows in q registers, aese"
#define FIN_SOURCE "Groestl guide, section 6.2, in NEON"
#define FIN_SUB_MIX "kern/groestl/aese.h"
#define FIN_KERNEL_FILE "kern/groestl/rows.h"
#define FIN_TWEAKED_ONLY 1
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_aese, fin_impls);
