/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE3 of three or four chunks, one per lane: AVX-512VL in xmm. The other functions hash so few
 * messages in rows.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/lanes_128.h"

#define FIN_ISA_NAME "avx512-xmm"
#define FIN_TECHNIQUE "xmm, vprord"
#define FIN_SOURCE "beyond the papers; descends from AVX paper, section 5.2"
#define FIN_TWO_STREAMS 0
#define FIN_UNROLLED 0
#define FIN_LOCKSTEP 1
#define FIN_ONLY_BLAKE3
#include "kern/blake/lanes_unit.h"

FIN_EXPORT_UNIT(blake_lanes_avx512_xmm, fin_impls);
