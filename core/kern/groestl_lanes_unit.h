/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * All of a unit of Grøstl in lanes: the kernels and the table. The unit has included the
 * vocabulary, the constants and the technique, and defines
 *
 *   FIN_TIER         the instruction set as the implementations' names have it: "gfni512"
 *   FIN_TECHNIQUE    registers and instructions, in a few words
 *   FIN_SOURCE       the line of the literature
 *   FIN_RANK         see fin_impl
 */
#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_lanes
#include "kern/groestl_lanes.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_lanes
#include "kern/groestl_lanes.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_lanes
#include "kern/groestl_lanes.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_lanes
#include "kern/groestl_lanes.h"

#if BYTES_WIDTH == 64
#define FIN_LANES_OF_512_BITS 8
#define FIN_LANES_OF_1024_BITS 4
#else
#define FIN_LANES_OF_512_BITS 4
#define FIN_LANES_OF_1024_BITS 2
#endif
#define FIN_TEXT_(x) #x
#define FIN_TEXT(x) FIN_TEXT_(x)
#define FIN_RECORD(id, count, kernel)                          \
    {.compression = FIN_COMPRESSION_##id,                      \
     .name = FIN_TIER "-x" FIN_TEXT(count),                    \
     .technique = FIN_TEXT(count) " messages, " FIN_TECHNIQUE, \
     .source = FIN_SOURCE,                                     \
     .lanes = (count),                                         \
     .rank = FIN_RANK,                                         \
     .constant_time = true,                                    \
     .compress_lanes = kernel,                                 \
     .finish_lanes = kernel##_finish}

static const fin_impl fin_impls[] = {
    FIN_RECORD(GROESTL256, FIN_LANES_OF_512_BITS, fin_groestl256_lanes),
    FIN_RECORD(GROESTL512, FIN_LANES_OF_1024_BITS, fin_groestl512_lanes),
    FIN_RECORD(GROESTL0_256, FIN_LANES_OF_512_BITS, fin_groestl0_256_lanes),
    FIN_RECORD(GROESTL0_512, FIN_LANES_OF_1024_BITS, fin_groestl0_512_lanes),
};
