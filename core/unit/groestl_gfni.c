/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with GFNI in its SSE encoding: rows in 16-byte registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_128.h"
#include "gen/groestl_rows_gfni.inc"

#define FIN_NAME "gfni"
#define FIN_TECHNIQUE "rows in xmm, GFNI affine maps"
#define FIN_SOURCE "Groestl guide, section 3.2; GFNI for 4.2"
#define FIN_BOUND512 213
#define FIN_BOUND1024 595
#define FIN_SUB_MIX "kern/groestl/gfni.h"
#define FIN_KERNEL_FILE "kern/groestl/rows.h"
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_gfni, fin_impls);
