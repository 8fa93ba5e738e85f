/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with T-tables and MMX registers. Not constant-time: serves only when asked for by name.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_table.inc"

/* In assembly: compilers give the intrinsics SSE registers where they can. */
FIN_INLINE uint64_t fin_look_up(const uint8_t *bytes, const unsigned place[8])
{
    typedef int pair __attribute__((vector_size(8)));
    pair sum;
    uint64_t column;
    __asm__("movq %1, %0" : "=y"(sum) : "m"(fin_groestl_table[0][bytes[place[0]]]));
#pragma GCC unroll 8
    for (unsigned row = 1; row < 8; row++) {
        __asm__("pxor %1, %0" : "+y"(sum) : "m"(fin_groestl_table[row][bytes[place[row]]]));
    }
    __asm__("movq %1, %0" : "=m"(column) : "y"(sum));
    return column;
}

#define FIN_LOOK_UP fin_look_up
/* MMX registers are those of the x87 unit. */
#define FIN_LEAVE __asm__ __volatile__("emms")

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_mmx
#include "kern/groestl_table.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_mmx
#include "kern/groestl_table.h"

#define MMX(compression_, function)                                     \
    {                                                                   \
        .compression = compression_,                                    \
        .name = "mmx",                                                  \
        .technique = "eight tables of 256 64-bit words, MMX registers", \
        .source = "Groestl guide, section 5.2",                         \
        .lanes = 1,                                                     \
        .rank = 0,                                                      \
        .constant_time = false,                                         \
        .compress = function,                                           \
        .finish = function##_finish,                                    \
    }

static const fin_impl fin_impls[] = {
    MMX(FIN_COMPRESSION_GROESTL256, fin_groestl256_mmx),
    MMX(FIN_COMPRESSION_GROESTL512, fin_groestl512_mmx),
};

FIN_EXPORT_UNIT(groestl_mmx, fin_impls);
