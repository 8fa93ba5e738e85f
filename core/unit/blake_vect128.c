/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE with SSSE3, as ssse3, but pshufb permutes byte planes of the message (vect128).
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake/load/planes32.h"
#include "kern/blake/load/planes64.h"

#define FIN_NAME "vect128"
#define FIN_LOADER32 fin_planes32
#define FIN_TECHNIQUE32 "rows in xmm, message byte planes by pshufb"
#define FIN_LOADER64 fin_planes64
#define FIN_TECHNIQUE64 "rows in xmm pairs, message byte planes by pshufb"
#define FIN_SOURCE_BLAKE256 "AVX paper, appendix A.3"
#define FIN_SOURCE_BLAKE512 FIN_SOURCE_BLAKE256
#define FIN_BOUND_BLAKE256 392
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_vect128, fin_impls);
