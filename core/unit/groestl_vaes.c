/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with VAES and AVX2: P and Q in the halves of 32-byte registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_256.h"
#include "gen/groestl_rows_aes.inc"

#define FIN_DESCRIPTORS 4
#include "kern/groestl_aes.h"
#define FIN_DESCRIPTORS 8
#include "kern/groestl_aes.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_vaes
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_vaes
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_vaes
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_vaes
#include "kern/groestl_rows.h"

#define VAES(compression_, function, bound)      \
    {                                            \
        .compression = compression_,             \
        .name = "vaes",                          \
        .technique = "rows in ymm, vaesenclast", \
        .source = "Groestl guide, section 6.2",  \
        .lanes = 1,                              \
        .rank = 60,                              \
        .bound_cycles = bound,                   \
        .constant_time = true,                   \
        .compress = function,                    \
        .finish = function##_finish,             \
    }

static const fin_impl fin_impls[] = {
    VAES(FIN_COMPRESSION_GROESTL256, fin_groestl256_vaes, 190),
    VAES(FIN_COMPRESSION_GROESTL512, fin_groestl512_vaes, 392),
    VAES(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_vaes, 190),
    VAES(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_vaes, 392),
};

FIN_EXPORT_UNIT(groestl_vaes, fin_impls);
