/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with NEON, 64-bit and 32-bit Arm: tables of sixteen bytes in registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_neon.h"
#include "gen/groestl_fold.inc"
#include "gen/groestl_rows_vperm.inc"

#define FIN_DESCRIPTORS 8
#include "kern/groestl_vperm.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_vperm_neon
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_vperm_neon
#include "kern/groestl_rows.h"

#define VPERM_NEON(compression_, function)                         \
    {                                                              \
        .compression = compression_,                               \
        .name = "vperm-neon",                                      \
        .technique = "rows in q registers, GF(2^4) tables by tbl", \
        .source = "Groestl guide, section 6.3, in NEON",           \
        .lanes = 1,                                                \
        .rank = 20,                                                \
        .constant_time = true,                                     \
        .compress = function,                                      \
        .finish = function##_finish,                               \
    }

static const fin_impl fin_impls[] = {
    VPERM_NEON(FIN_COMPRESSION_GROESTL256, fin_groestl256_vperm_neon),
    VPERM_NEON(FIN_COMPRESSION_GROESTL512, fin_groestl512_vperm_neon),
};

FIN_EXPORT_UNIT(groestl_vperm_neon, fin_impls);
