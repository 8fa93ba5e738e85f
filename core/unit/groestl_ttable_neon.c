/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with T-tables and a column in each 64-bit NEON register, 32-bit Arm. Not constant-time:
 * opt-in.
 */
#include "bytes.h"
#include "impl.h"

#include <arm_neon.h>

#include "gen/groestl_table.inc"

/* Assembly, because compilers would use core registers. Uv is an address that vldr accepts, %P a
   register of 64 bits. */
FIN_INLINE uint64_t fin_look_up(const uint8_t *bytes, const unsigned place[8])
{
    uint64x1_t sum, entry;
    uint64_t column;
    __asm__("vldr %P0, %1" : "=w"(sum) : "Uv"(fin_groestl_table[0][bytes[place[0]]]));
#pragma GCC unroll 8
    for (unsigned row = 1; row < 8; row++) {
        __asm__("vldr %P0, %1" : "=w"(entry) : "Uv"(fin_groestl_table[row][bytes[place[row]]]));
        __asm__("veor %P0, %P0, %P1" : "+w"(sum) : "w"(entry));
    }
    __asm__("vstr %P1, %0" : "=Uv"(column) : "w"(sum));
    return column;
}

#define FIN_LOOK_UP fin_look_up

#define FIN_NAME "ttable-neon"
#define FIN_TECHNIQUE "eight tables of 256 64-bit words, d registers"
#define FIN_SOURCE "Groestl guide, section 5.2, in NEON"
#define FIN_KERNEL_FILE "kern/groestl/table.h"
#define FIN_CONSTANT_TIME false
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_ttable_neon, fin_impls);
