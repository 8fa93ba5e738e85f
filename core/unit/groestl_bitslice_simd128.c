/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bit-sliced Grøstl with WebAssembly's vectors: P and Q in the lanes of one.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_bitslice.inc"
#include "vec/planes_simd128.h"
#include "kern/groestl_planes.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_bitslice_simd128
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_bitslice_simd128
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_bitslice_simd128
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_bitslice_simd128
#include "kern/groestl_bitslice.h"

#define BITSLICE_SIMD128(compression_, function)            \
    {                                                       \
        .compression = compression_,                        \
        .name = "bitslice-simd128",                         \
        .technique = "bit slices, P and Q in v128",         \
        .source = "Groestl guide, section 3.3, in SIMD128", \
        .lanes = 1,                                         \
        .rank = 5,                                          \
        .constant_time = true,                              \
        .compress = function,                               \
        .finish = function##_finish,                        \
    }

static const fin_impl fin_impls[] = {
    BITSLICE_SIMD128(FIN_COMPRESSION_GROESTL256, fin_groestl256_bitslice_simd128),
    BITSLICE_SIMD128(FIN_COMPRESSION_GROESTL512, fin_groestl512_bitslice_simd128),
    BITSLICE_SIMD128(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_bitslice_simd128),
    BITSLICE_SIMD128(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_bitslice_simd128),
};

FIN_EXPORT_UNIT(groestl_bitslice_simd128, fin_impls);
