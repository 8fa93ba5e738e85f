/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with T-tables of 32-bit words. Not constant-time: serves only when asked for by name.
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

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_ttable32
#include "kern/groestl_table.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_ttable32
#include "kern/groestl_table.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_ttable32
#include "kern/groestl_table.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_ttable32
#include "kern/groestl_table.h"

#define TTABLE32(compression_, function)                 \
    {                                                    \
        .compression = compression_,                     \
        .name = "ttable32",                              \
        .technique = "eight tables of 256 32-bit words", \
        .source = "Groestl guide, sections 3.1 and 5.2", \
        .lanes = 1,                                      \
        .rank = 0,                                       \
        .constant_time = false,                          \
        .compress = function,                            \
        .finish = function##_finish,                     \
    }

static const fin_impl fin_impls[] = {
    TTABLE32(FIN_COMPRESSION_GROESTL256, fin_groestl256_ttable32),
    TTABLE32(FIN_COMPRESSION_GROESTL512, fin_groestl512_ttable32),
    TTABLE32(FIN_COMPRESSION_GROESTL0_256, fin_groestl0_256_ttable32),
    TTABLE32(FIN_COMPRESSION_GROESTL0_512, fin_groestl0_512_ttable32),
};

FIN_EXPORT_UNIT(groestl_ttable32, fin_impls);
