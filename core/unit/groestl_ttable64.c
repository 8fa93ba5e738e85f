/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with T-tables of 64-bit words. Not constant-time: serves only when asked for by name.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_table.inc"

FIN_INLINE uint64_t fin_look_up(const uint8_t *bytes, const unsigned place[8])
{
    uint64_t sum = fin_groestl_table[0][bytes[place[0]]];
#pragma GCC unroll 8
    for (unsigned row = 1; row < 8; row++) {
        sum ^= fin_groestl_table[row][bytes[place[row]]];
    }
    return sum;
}

#define FIN_LOOK_UP fin_look_up

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_ttable64
#include "kern/groestl_table.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_ttable64
#include "kern/groestl_table.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_ttable64
#include "kern/groestl_table.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_ttable64
#include "kern/groestl_table.h"

#define TTABLE64(compression_, function)                        \
    {                                                           \
        .compression = compression_,                            \
        .name = "ttable64",                                     \
        .technique = "eight tables of 256 64-bit words",        \
        .source = "Groestl guide, sections 3.1, 4.4.1 and 5.1", \
        .lanes = 1,                                             \
        .rank = 0,                                              \
        .constant_time = false,                                 \
        .compress = function,                                   \
        .finish = function##_finish,                            \
    }

static const fin_impl fin_impls[] = {
    TTABLE64(FIN_COMPRESSION_GROESTL256, fin_groestl256_ttable64),
    TTABLE64(FIN_COMPRESSION_GROESTL512, fin_groestl512_ttable64),
    TTABLE64(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_ttable64),
    TTABLE64(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_ttable64),
};

FIN_EXPORT_UNIT(groestl_ttable64, fin_impls);
