/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with T-tables and MMX registers. Not constant-time: opt-in.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_table.inc"

#if defined(FIN_ARCH_X86_64_ASM)
#define FIN_SUM0 "mm0"
#define FIN_SUM1 "mm1"
#define FIN_SUM2 "mm2"
#define FIN_SUM3 "mm3"
#define FIN_SUM4 "mm4"
#define FIN_SUM5 "mm5"
#define FIN_SUM6 "mm6"
#define FIN_SUM7 "mm7"
#define FIN_XOR "pxor"
#define FIN_KERNEL_FILE "kern/groestl/table_x86_64.h"
#else
/* Assembly, because compilers use SSE registers for the intrinsics where they can. */
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
#define FIN_KERNEL_FILE "kern/groestl/table.h"
#endif

/* MMX registers alias the x87 unit's. */
#define FIN_LEAVE __asm__ __volatile__("emms")

#define FIN_NAME "mmx"
#define FIN_TECHNIQUE "eight tables of 256 64-bit words, MMX registers"
#define FIN_SOURCE "Groestl guide, section 5.2"
#define FIN_CONSTANT_TIME false
#define FIN_TWEAKED_ONLY 1
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_mmx, fin_impls);
