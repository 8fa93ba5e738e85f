/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one per lane: AVX-512VL, with the rounds in
 * asm/blake_lanes_x86_64_avx512_ymm.S and the group steps of AVX2. No instruction uses zmm, for
 * which Cascade Lake slows its clock.
 */
#include "bytes.h"
#include "impl.h"

#include "lanes/group.h"
#include "vec/lanes_256.h"

#include "asm/call.h"

#define FIN_ISA_NAME "x86-64-avx512-ymm"
#define FIN_TECHNIQUE "ymm, four G in lockstep"
#define FIN_SOURCE "beyond the papers; descends from AVX paper, section 5.2"
#define FIN_TWO_STREAMS 0
#define FIN_UNROLLED 0
#define FIN_LOCKSTEP 0
#define FIN_ASSEMBLY avx512_ymm
#define FIN_GROUP_STEPS fin_group_steps_avx2
#include "kern/blake/lanes_unit.h"

FIN_EXPORT_UNIT(blake_lanes_x86_64_avx512_ymm, fin_impls);
