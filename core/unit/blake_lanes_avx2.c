/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one per lane: AVX2.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/lanes_256.h"
#include "vec/tails_256.h"

#define FIN_ISA_NAME "avx2"
#define FIN_TECHNIQUE "ymm, vpshufb rotations"
#define FIN_SOURCE "AVX paper, section 5.2"
#define FIN_TWO_STREAMS 0
#define FIN_UNROLLED 0
#define FIN_LOCKSTEP 0
#define FIN_GROUP_STEPS fin_group_steps_avx2
#include "kern/blake/lanes_unit.h"

FIN_EXPORT_UNIT(blake_lanes_avx2, fin_impls);
