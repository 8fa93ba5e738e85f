/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 with XOP: vprotd and vprotq for rotations, vpperm for message words and
 * byte order. Bounds are for Bulldozer, where every vector instruction takes at least two cycles
 * (AVX paper, section 7.3).
 *
 * The paper's vpcmov, which avoids a branch where a block without message bits omits the counter,
 * is not needed here: the caller passes such a block with the counter 0.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake/load/vpperm.h"
#include "kern/blake/load/pair.h"

#define FIN_NAME "xop"
#define FIN_LOADER32 fin_vpperm32
#define FIN_TECHNIQUE32 "rows in xmm, vprotd rotations, vpperm loads"
#define FIN_LOADER64 fin_pair64
#define FIN_TECHNIQUE64 "rows in xmm pairs, vprotq rotations, vpperm loads"
#define FIN_SOURCE_BLAKE256 "AVX paper, section 7"
#define FIN_SOURCE_BLAKE512 FIN_SOURCE_BLAKE256
#define FIN_SOURCE_BLAKE2B "BLAKE2b README, versions"
#define FIN_SOURCE_BLAKE2S FIN_SOURCE_BLAKE256 ", for BLAKE2s"
#define FIN_SOURCE_BLAKE3 FIN_SOURCE_BLAKE256 ", for BLAKE3"
#define FIN_BOUND_BLAKE256 672
#define FIN_BOUND_BLAKE512 832
#define FIN_BOUND_BLAKE2B 624
#define FIN_BOUND_BLAKE2S 480
#include "kern/blake/rows_unit.h"

FIN_EXPORT_UNIT(blake_xop, fin_impls);
