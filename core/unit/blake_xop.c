/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 with XOP: rotations by vprotd and vprotq, message words and byte order by
 * vpperm. Bounds are those of Bulldozer, where no vector instruction takes less than two cycles
 * (AVX paper, section 7.3).
 *
 * The paper's vpcmov, which leaves the counter out of a block without message bits and spares the
 * initialisation a branch, has nothing to do here: such a block comes with the counter 0.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"
#include "gen/blake_rows.inc"
#include "vec/words_128.h"
#include "kern/blake_load_vpperm.h"
#include "kern/blake_load_pair.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_xop
#define FIN_LOADER fin_vpperm32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_xop_cached
#define FIN_LOADER fin_vpperm32
#define FIN_CACHED_ROUNDS 4
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_xop
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_xop
#define FIN_LOADER fin_pair64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_xop
#define FIN_LOADER fin_vpperm32
#include "kern/blake_rows.h"

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "xop",
     .technique = "rows in xmm, vprotd rotations, vpperm loads",
     .source = "AVX paper, section 7",
     .lanes = 1,
     .rank = 35,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 672,
     .constant_time = true,
     .compress = fin_blake256_xop,
     .finish = fin_blake256_xop},
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "xop-cached",
     .technique = "as xop, messages of rounds 0-3 kept for 10-13",
     .source = "AVX paper, section 7.2",
     .lanes = 1,
     .rank = 34,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 672,
     .constant_time = true,
     .compress = fin_blake256_xop_cached,
     .finish = fin_blake256_xop_cached},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "xop",
     .technique = "rows in xmm pairs, vprotq rotations, vpperm loads",
     .source = "AVX paper, section 7",
     .lanes = 1,
     .rank = 35,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 832,
     .constant_time = true,
     .compress = fin_blake512_xop,
     .finish = fin_blake512_xop},
    {.compression = FIN_COMPRESSION_BLAKE2B,
     .name = "xop",
     .technique = "rows in xmm pairs, vprotq rotations, vpperm loads",
     .source = "BLAKE2b README, versions",
     .lanes = 1,
     .rank = 35,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 624,
     .constant_time = true,
     .compress = fin_blake2b_xop,
     .finish = fin_blake2b_xop},
    {.compression = FIN_COMPRESSION_BLAKE2S,
     .name = "xop",
     .technique = "rows in xmm, vprotd rotations, vpperm loads",
     .source = "AVX paper, section 7, for BLAKE2s",
     .lanes = 1,
     .rank = 35,
     .avoid = FIN_AVOID_OF_CHAINS,
     .bound_cycles = 480,
     .constant_time = true,
     .compress = fin_blake2s_xop,
     .finish = fin_blake2s_xop},
};

FIN_EXPORT_UNIT(blake_xop, fin_impls);
