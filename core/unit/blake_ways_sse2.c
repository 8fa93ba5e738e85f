/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Two messages of BLAKE3 in the rows of two xmm: SSE2.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/ways_128.h"

#define FIN_ISA_NAME "sse2"
#define FIN_PAIRS32 2
#define FIN_PAIRS_TECHNIQUE32 "two xmm, shift rotations"
#define FIN_SOURCE_BLAKE3 "AVX paper, appendix A.2, for two messages of BLAKE3"
#include "kern/blake/ways_unit.h"

FIN_EXPORT_UNIT(blake_ways_sse2, fin_impls);
