/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with T-tables of 32-bit words. Not constant-time: opt-in.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/groestl_table32.inc"

FIN_INLINE uint64_t fin_look_up(const uint8_t *bytes, const unsigned place[8])
{
    uint32_t low = 0, high = 0;
#pragma GCC unroll 8
    for (unsigned row = 0; row < 8; row++) {
        const uint8_t byte = bytes[place[row]];
        low ^= fin_groestl_table32[row][byte];
        high ^= fin_groestl_table32[(row + 4) % 8][byte];
    }
    return low | (uint64_t)high << 32;
}

#define FIN_LOOK_UP fin_look_up

#define FIN_NAME "ttable32"
#define FIN_TECHNIQUE "eight tables of 256 32-bit words"
#define FIN_SOURCE "Groestl guide, sections 3.1 and 5.2"
#define FIN_KERNEL_FILE "kern/groestl/table.h"
#define FIN_CONSTANT_TIME false
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_ttable32, fin_impls);
