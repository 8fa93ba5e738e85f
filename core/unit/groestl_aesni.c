/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with AES-NI and SSSE3: rows in 16-byte registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_128.h"
#include "gen/groestl_rows_aes.inc"

#define FIN_DESCRIPTORS 8
#include "kern/groestl_aes.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_aesni
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_aesni
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_aesni
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_aesni
#include "kern/groestl_rows.h"

#define AESNI(compression_, function, bound)    \
    {                                           \
        .compression = compression_,            \
        .name = "aesni",                        \
        .technique = "rows in xmm, aesenclast", \
        .source = "Groestl guide, section 6.2", \
        .lanes = 1,                             \
        .rank = 40,                             \
        .bound_cycles = bound,                  \
        .constant_time = true,                  \
        .compress = function,                   \
        .finish = function##_finish,            \
    }

static const fin_impl fin_impls[] = {
    AESNI(FIN_COMPRESSION_GROESTL256, fin_groestl256_aesni, 280),
    AESNI(FIN_COMPRESSION_GROESTL512, fin_groestl512_aesni, 784),
    AESNI(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_aesni, 280),
    AESNI(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_aesni, 784),
};

FIN_EXPORT_UNIT(groestl_aesni, fin_impls);
