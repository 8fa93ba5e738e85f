/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with GFNI in its SSE form: rows in 16-byte registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_128.h"
#include "gen/groestl_rows_gfni.inc"

#define FIN_DESCRIPTORS 8
#include "kern/groestl_gfni.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_gfni
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_gfni
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_gfni
#include "kern/groestl_rows.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_gfni
#include "kern/groestl_rows.h"

#define GFNI(compression_, function, bound)                   \
    {                                                         \
        .compression = compression_,                          \
        .name = "gfni",                                       \
        .technique = "rows in xmm, GFNI affine maps",         \
        .source = "Groestl guide, section 3.2; GFNI for 4.2", \
        .lanes = 1,                                           \
        .rank = 55,                                           \
        .bound_cycles = bound,                                \
        .constant_time = true,                                \
        .compress = function,                                 \
        .finish = function##_finish,                          \
    }

static const fin_impl fin_impls[] = {
    GFNI(FIN_COMPRESSION_GROESTL256, fin_groestl256_gfni, 215),
    GFNI(FIN_COMPRESSION_GROESTL512, fin_groestl512_gfni, 602),
    GFNI(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_gfni, 215),
    GFNI(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_gfni, 602),
};

FIN_EXPORT_UNIT(groestl_gfni, fin_impls);
