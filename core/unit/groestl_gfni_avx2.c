/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with GFNI and AVX2: P and Q in the halves of 32-byte registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_256.h"
#include "gen/groestl_rows_gfni.inc"

#define FIN_DESCRIPTORS 4
#include "kern/groestl_gfni.h"
#define FIN_DESCRIPTORS 8
#include "kern/groestl_gfni.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_gfni_avx2
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_gfni_avx2
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_gfni_avx2
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_gfni_avx2
#include "kern/groestl_rows.h"

#define GFNI_AVX2(compression_, function, bound)              \
    {                                                         \
        .compression = compression_,                          \
        .name = "gfni-avx2",                                  \
        .technique = "rows in ymm, GFNI affine maps",         \
        .source = "Groestl guide, section 3.2; GFNI for 4.2", \
        .lanes = 1,                                           \
        .rank = 80,                                           \
        .bound_cycles = bound,                                \
        .constant_time = true,                                \
        .compress = function,                                 \
        .finish = function##_finish,                          \
    }

static const fin_impl fin_impls[] = {
    GFNI_AVX2(FIN_COMPRESSION_GROESTL256, fin_groestl256_gfni_avx2, 137),
    GFNI_AVX2(FIN_COMPRESSION_GROESTL512, fin_groestl512_gfni_avx2, 301),
    GFNI_AVX2(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_gfni_avx2, 137),
    GFNI_AVX2(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_gfni_avx2, 301),
};

FIN_EXPORT_UNIT(groestl_gfni_avx2, fin_impls);
