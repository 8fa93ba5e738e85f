/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one per lane: XOP, native rotations.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/lanes_128.h"

#define FIN_ISA_NAME "xop"
#define FIN_TECHNIQUE "xmm, vprotd and vprotq rotations"
#define FIN_SOURCE "AVX paper, sections 5.2 and 7.1"
#define FIN_TWO_STREAMS 0
#define FIN_UNROLLED 0
#define FIN_LOCKSTEP 0
#include "kern/blake/lanes_unit.h"

FIN_EXPORT_UNIT(blake_lanes_xop, fin_impls);
