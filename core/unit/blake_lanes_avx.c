/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one per lane: AVX. In 64-bit code the rounds are in
 * assembly.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/lanes_128.h"

#include "asm/call.h"

#define FIN_ISA_NAME "avx"
#define FIN_TECHNIQUE "xmm, vpshufb rotations"
#define FIN_SOURCE "AVX paper, section 5.2, in AVX"
#define FIN_TWO_STREAMS 0
#define FIN_UNROLLED 0
#define FIN_LOCKSTEP 0
#ifdef FIN_ARCH_X86_64_ASM
#define FIN_ASSEMBLY avx
#endif
#include "kern/blake/lanes_unit.h"

FIN_EXPORT_UNIT(blake_lanes_avx, fin_impls);
