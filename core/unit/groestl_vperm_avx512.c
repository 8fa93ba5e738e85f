/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with tables of sixteen bytes in registers, with AVX-512VL: XORs of three terms and 32
 * registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_128.h"
#include "gen/groestl_rows_vperm.inc"

#define FIN_NAME "vperm-avx512"
#define FIN_TECHNIQUE "rows in xmm, GF(2^4) tables by vpshufb, XORs of three"
#define FIN_SOURCE "Groestl guide, section 6.3"
#define FIN_SUB_MIX "kern/groestl/vperm.h"
#define FIN_KERNEL_FILE "kern/groestl/rows.h"
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_vperm_avx512, fin_impls);
