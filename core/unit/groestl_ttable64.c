/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with T-tables of 64-bit words. Not constant-time: opt-in.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_table.inc"

#if defined(FIN_ARCH_X86_64_ASM)
#define FIN_SUM0 "r8"
#define FIN_SUM1 "r9"
#define FIN_SUM2 "r10"
#define FIN_SUM3 "r11"
#define FIN_SUM4 "r12"
#define FIN_SUM5 "r13"
#define FIN_SUM6 "r14"
#define FIN_SUM7 "r15"
#define FIN_XOR "xorq"
#define FIN_KERNEL_FILE "kern/groestl/table_x86_64.h"
#else
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
#define FIN_KERNEL_FILE "kern/groestl/table.h"
#endif

#define FIN_NAME "ttable64"
#define FIN_TECHNIQUE "eight tables of 256 64-bit words"
#define FIN_SOURCE "Groestl guide, sections 3.1, 4.4.1 and 5.1"
#define FIN_CONSTANT_TIME false
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_ttable64, fin_impls);
