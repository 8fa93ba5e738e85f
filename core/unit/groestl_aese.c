/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with NEON and the AES instructions of Armv8: rows in 16-byte registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_neon.h"
#include "gen/groestl_fold.inc"
#include "gen/groestl_rows_aese.inc"

#define FIN_DESCRIPTORS 8
#include "kern/groestl_aese.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_aese
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_aese
#include "kern/groestl_rows.h"

#define AESE(compression_, function)                     \
    {                                                    \
        .compression = compression_,                     \
        .name = "aese",                                  \
        .technique = "rows in q registers, aese",        \
        .source = "Groestl guide, section 6.2, in NEON", \
        .lanes = 1,                                      \
        .rank = 40,                                      \
        .constant_time = true,                           \
        .compress = function,                            \
        .finish = function##_finish,                     \
    }

static const fin_impl fin_impls[] = {
    AESE(FIN_COMPRESSION_GROESTL256, fin_groestl256_aese),
    AESE(FIN_COMPRESSION_GROESTL512, fin_groestl512_aese),
};

FIN_EXPORT_UNIT(groestl_aese, fin_impls);
