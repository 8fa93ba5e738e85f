/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with WebAssembly's vectors: tables of sixteen bytes, read by i8x16.swizzle.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_simd128.h"
#include "gen/groestl_rows_vperm.inc"

#define FIN_DESCRIPTORS 8
#include "kern/groestl_vperm.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_vperm_simd128
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_vperm_simd128
#include "kern/groestl_rows.h"

#define VPERM_SIMD128(compression_, function)                   \
    {                                                           \
        .compression = compression_,                            \
        .name = "vperm-simd128",                                \
        .technique = "rows in v128, GF(2^4) tables by swizzle", \
        .source = "Groestl guide, section 6.3, in SIMD128",     \
        .lanes = 1,                                             \
        .rank = 20,                                             \
        .constant_time = true,                                  \
        .compress = function,                                   \
        .finish = function##_finish,                            \
    }

static const fin_impl fin_impls[] = {
    VPERM_SIMD128(FIN_COMPRESSION_GROESTL256, fin_groestl256_vperm_simd128),
    VPERM_SIMD128(FIN_COMPRESSION_GROESTL512, fin_groestl512_vperm_simd128),
};

FIN_EXPORT_UNIT(groestl_vperm_simd128, fin_impls);
