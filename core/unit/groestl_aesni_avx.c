/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with AES-NI, the three-operand forms of AVX.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_128.h"
#include "gen/groestl_rows_aes.inc"

#define FIN_DESCRIPTORS 8
#include "kern/groestl_aes.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_aesni_avx
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_aesni_avx
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_aesni_avx
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_aesni_avx
#include "kern/groestl_rows.h"

#define AESNI_AVX(compression_, function, bound)                     \
    {                                                                \
        .compression = compression_,                                 \
        .name = "aesni-avx",                                         \
        .technique = "rows in xmm, aesenclast, three-operand forms", \
        .source = "Groestl guide, section 6.2.4",                    \
        .lanes = 1,                                                  \
        .rank = 50,                                                  \
        .bound_cycles = bound,                                       \
        .constant_time = true,                                       \
        .compress = function,                                        \
        .finish = function##_finish,                                 \
    }

static const fin_impl fin_impls[] = {
    AESNI_AVX(FIN_COMPRESSION_GROESTL256, fin_groestl256_aesni_avx, 280),
    AESNI_AVX(FIN_COMPRESSION_GROESTL512, fin_groestl512_aesni_avx, 784),
    AESNI_AVX(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_aesni_avx, 280),
    AESNI_AVX(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_aesni_avx, 784),
};

FIN_EXPORT_UNIT(groestl_aesni_avx, fin_impls);
