/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl with AVX2: the columns of P and Q in the lanes of a register.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_bitslice.inc"
#include "vec/planes_256.h"
#include "kern/groestl_planes.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_bitslice_avx2
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_bitslice_avx2
#include "kern/groestl_bitslice.h"

#define BITSLICE_AVX2(compression_, function)      \
    {                                              \
        .compression = compression_,               \
        .name = "bitslice-avx2",                   \
        .technique = "bit slices, P and Q in ymm", \
        .source = "Groestl guide, section 3.3",    \
        .lanes = 1,                                \
        .rank = 10,                                \
        .constant_time = true,                     \
        .compress = function,                      \
        .finish = function##_finish,               \
    }

static const fin_impl fin_impls[] = {
    BITSLICE_AVX2(FIN_COMPRESSION_GROESTL256, fin_groestl256_bitslice_avx2),
    BITSLICE_AVX2(FIN_COMPRESSION_GROESTL512, fin_groestl512_bitslice_avx2),
};

FIN_EXPORT_UNIT(groestl_bitslice_avx2, fin_impls);
