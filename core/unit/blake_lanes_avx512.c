/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one a lane: AVX-512 in zmm.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/lanes_512.h"
#include "vec/tails_512.h"

/* For two streams, and for BLAKE3, a small build has the assembly of blake_lanes_x86_64_avx512.c. */
#if FIN_SMALL && defined(FIN_ARCH_X86_64_ASM)
#define FIN_WITHOUT_BLAKE3
#define FIN_TWO_STREAMS 0
#else
#define FIN_TWO_STREAMS 1
#endif

#define FIN_TIER "avx512"
#define FIN_TECHNIQUE "zmm, vprord and vprorq"
#define FIN_SOURCE "beyond the papers; descends from AVX paper, section 5.2"
#define FIN_UNROLLED 1
#define FIN_LOCKSTEP 2
#include "kern/blake/lanes_unit.h"

FIN_EXPORT_UNIT(blake_lanes_avx512, fin_impls);
