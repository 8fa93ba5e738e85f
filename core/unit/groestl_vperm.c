/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with SSSE3: tables of sixteen bytes in registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_128.h"
#include "gen/groestl_rows_vperm.inc"

#define FIN_NAME "vperm"
#define FIN_TECHNIQUE "rows in xmm, GF(2^4) tables by pshufb"
#define FIN_SOURCE "Groestl guide, section 6.3"
#define FIN_BOUND512 595
#define FIN_BOUND1024 1666
#define FIN_SUB_MIX "kern/groestl/vperm.h"
#define FIN_KERNEL_FILE "kern/groestl/rows.h"
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_vperm, fin_impls);
