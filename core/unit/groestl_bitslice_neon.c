/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl with NEON, 64-bit Arm: P and Q in the lanes of a register.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_bitslice.inc"
#include "vec/planes_neon.h"
#include "kern/groestl_planes.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_bitslice_neon
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_bitslice_neon
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_bitslice_neon
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_bitslice_neon
#include "kern/groestl_bitslice.h"

#define BITSLICE_NEON(compression_, function)              \
    {                                                      \
        .compression = compression_,                       \
        .name = "bitslice-neon",                           \
        .technique = "bit slices, P and Q in q registers", \
        .source = "Groestl guide, section 3.3, in NEON",   \
        .lanes = 1,                                        \
        .rank = 5,                                         \
        .constant_time = true,                             \
        .compress = function,                              \
        .finish = function##_finish,                       \
    }

static const fin_impl fin_impls[] = {
    BITSLICE_NEON(FIN_COMPRESSION_GROESTL256, fin_groestl256_bitslice_neon),
    BITSLICE_NEON(FIN_COMPRESSION_GROESTL512, fin_groestl512_bitslice_neon),
    BITSLICE_NEON(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_bitslice_neon),
    BITSLICE_NEON(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_bitslice_neon),
};

FIN_EXPORT_UNIT(groestl_bitslice_neon, fin_impls);
