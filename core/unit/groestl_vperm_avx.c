/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with tables of sixteen bytes in registers, the three-operand forms of AVX.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_128.h"
#include "gen/groestl_rows_vperm.inc"

#define FIN_DESCRIPTORS 8
#include "kern/groestl_vperm.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_vperm_avx
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_vperm_avx
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_vperm_avx
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_vperm_avx
#include "kern/groestl_rows.h"

#define VPERM_AVX(compression_, function, bound)               \
    {                                                          \
        .compression = compression_,                           \
        .name = "vperm-avx",                                   \
        .technique = "rows in xmm, GF(2^4) tables by vpshufb", \
        .source = "Groestl guide, section 6.3",                \
        .lanes = 1,                                            \
        .rank = 30,                                            \
        .bound_cycles = bound,                                 \
        .constant_time = true,                                 \
        .compress = function,                                  \
        .finish = function##_finish,                           \
    }

static const fin_impl fin_impls[] = {
    VPERM_AVX(FIN_COMPRESSION_GROESTL256, fin_groestl256_vperm_avx, 595),
    VPERM_AVX(FIN_COMPRESSION_GROESTL512, fin_groestl512_vperm_avx, 1666),
    VPERM_AVX(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_vperm_avx, 595),
    VPERM_AVX(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_vperm_avx, 1666),
};

FIN_EXPORT_UNIT(groestl_vperm_avx, fin_impls);
