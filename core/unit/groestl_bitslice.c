/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl on 64-bit words, constant-time: the portable default.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_bitslice.inc"
#include "vec/planes_64.h"
#include "kern/groestl_planes.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_bitslice
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_bitslice
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_bitslice
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_bitslice
#include "kern/groestl_bitslice.h"

#define BITSLICE(compression_, function)         \
    {                                            \
        .compression = compression_,             \
        .name = "bitslice",                      \
        .technique = "bit slices, 64-bit words", \
        .source = "Groestl guide, section 3.3",  \
        .lanes = 1,                              \
        .rank = 1,                               \
        .constant_time = true,                   \
        .compress = function,                    \
        .finish = function##_finish,             \
    }

static const fin_impl fin_impls[] = {
    BITSLICE(FIN_COMPRESSION_GROESTL256, fin_groestl256_bitslice),
    BITSLICE(FIN_COMPRESSION_GROESTL512, fin_groestl512_bitslice),
    BITSLICE(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_bitslice),
    BITSLICE(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_bitslice),
};

FIN_EXPORT_UNIT(groestl_bitslice, fin_impls);
