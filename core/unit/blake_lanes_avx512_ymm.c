/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one per lane: AVX-512VL in ymm.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/lanes_256.h"
#include "vec/tails_256.h"

#define FIN_ISA_NAME "avx512-ymm"
#define FIN_TECHNIQUE "ymm, vprord and vprorq"
#define FIN_SOURCE "beyond the papers; descends from AVX paper, section 5.2"
#define FIN_TWO_STREAMS 0
#define FIN_UNROLLED 1
#define FIN_LOCKSTEP 1
#include "kern/blake/lanes_unit.h"

FIN_EXPORT_UNIT(blake_lanes_avx512_ymm, fin_impls);
