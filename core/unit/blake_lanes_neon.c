/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one per lane: NEON, 64-bit and 32-bit Arm.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/lanes_neon.h"

#define FIN_ISA_NAME "neon"
#define FIN_TECHNIQUE "q registers, rotations by rev, tbl and sri"
#define FIN_SOURCE "AVX paper, section 5.2, in NEON"
/* By llvm-mca 19, two streams take 0.55 to 0.8 of one stream's time per message on wide cores
   (Neoverse V2), 1.0 to 1.2 on narrow ones (Cortex-A72, Neoverse N1). 32-bit Arm has too few
   registers. */
#ifdef FIN_ARCH_ARM64
#define FIN_TWO_STREAMS 1
#define FIN_UNROLLED 0
#define FIN_LOCKSTEP 1
#else
#define FIN_TWO_STREAMS 0
#define FIN_UNROLLED 0
#define FIN_LOCKSTEP 0
#endif
#include "kern/blake/lanes_unit.h"

FIN_EXPORT_UNIT(blake_lanes_neon, fin_impls);
