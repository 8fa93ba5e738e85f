/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * All of a unit of bit-sliced Grøstl in lanes: the kernels and the table. The unit has included
 * vec/planes_*.h and defines
 *
 *   FIN_TIER    the instruction set as the implementations' names have it: "avx2"
 *   FIN_COUNT   messages, PLANE_LANES as a figure
 *   FIN_RANK    see fin_impl
 */
#include "gen/groestl_bitslice.inc"
#define FIN_PLANE_WORD plane
#include "kern/groestl_planes.h"

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_bitslice_lanes
#define FIN_MESSAGES
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_bitslice_lanes
#define FIN_MESSAGES
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_bitslice_lanes
#define FIN_MESSAGES
#include "kern/groestl_bitslice.h"

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_bitslice_lanes
#define FIN_MESSAGES
#include "kern/groestl_bitslice.h"

#define FIN_TEXT_(x) #x
#define FIN_TEXT(x) FIN_TEXT_(x)
#define FIN_RECORD(id, kernel)                                 \
    {.compression = FIN_COMPRESSION_##id,                      \
     .name = "bitslice-" FIN_TIER "-x" FIN_TEXT(FIN_COUNT),    \
     .technique = FIN_TEXT(FIN_COUNT) " messages, bit slices", \
     .source = "Groestl guide, section 3.3",                   \
     .lanes = (FIN_COUNT),                                     \
     .rank = FIN_RANK,                                         \
     .constant_time = true,                                    \
     .compress_lanes = kernel,                                 \
     .finish_lanes = kernel##_finish}

static const fin_impl fin_impls[] = {
    FIN_RECORD(GROESTL256, fin_groestl256_bitslice_lanes),
    FIN_RECORD(GROESTL512, fin_groestl512_bitslice_lanes),
    FIN_RECORD(GROESTL0_256, fin_groestl0_256_bitslice_lanes),
    FIN_RECORD(GROESTL0_512, fin_groestl0_512_bitslice_lanes),
};
