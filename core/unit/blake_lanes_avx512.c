/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Many messages of BLAKE, BLAKE2 and BLAKE3, one per lane: AVX-512 in zmm.
 */
#include "bytes.h"
#include "impl.h"

#include "lanes/group.h"

#include "vec/lanes_512.h"
#include "vec/tails_512.h"

#define FIN_ISA_NAME "avx512"
#define FIN_TECHNIQUE "zmm, vprord and vprorq"
#define FIN_SOURCE "beyond the papers; descends from AVX paper, section 5.2"
#define FIN_TWO_STREAMS 1
#define FIN_UNROLLED 1
#define FIN_LOCKSTEP 2
#define FIN_HASH_BLOCKS fin_hash_blocks_avx512
#include "kern/blake/lanes_unit.h"

FIN_EXPORT_UNIT(blake_lanes_avx512, fin_impls);
