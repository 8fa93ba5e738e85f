/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with GFNI and the 256-bit instructions of AVX-512: P and Q in the halves of 32-byte
 * registers, XORs of three.
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
#define FIN_KERNEL fin_groestl256_gfni_avx512
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_gfni_avx512
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_gfni_avx512
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_gfni_avx512
#include "kern/groestl_rows.h"

#define GFNI_AVX512(compression_, function)                          \
    {                                                                \
        .compression = compression_,                                 \
        .name = "gfni-avx512",                                       \
        .technique = "rows in ymm, GFNI affine maps, XORs of three", \
        .source = "Groestl guide, section 3.2; GFNI for 4.2",        \
        .lanes = 1,                                                  \
        .rank = 86,                                                  \
        .constant_time = true,                                       \
        .compress = function,                                        \
        .finish = function##_finish,                                 \
    }

static const fin_impl fin_impls[] = {
    GFNI_AVX512(FIN_COMPRESSION_GROESTL256, fin_groestl256_gfni_avx512),
    GFNI_AVX512(FIN_COMPRESSION_GROESTL512, fin_groestl512_gfni_avx512),
    GFNI_AVX512(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_gfni_avx512),
    GFNI_AVX512(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_gfni_avx512),
};

FIN_EXPORT_UNIT(groestl_gfni_avx512, fin_impls);
