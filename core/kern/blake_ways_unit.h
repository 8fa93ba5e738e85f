/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * All of a unit of several messages in one row state: the kernels and the table. The unit has
 * included gen/blake_rows.inc and the message schedules and defines
 *
 *   FIN_TIER           the instruction set as the implementations' names have it: "avx2"
 *   FIN_WAYS32         how many messages of 32-bit words
 *   FIN_LOADER32       their schedule: see blake_rows.h
 *   FIN_TECHNIQUE32    registers and loads, in a few words
 *   FIN_RANK32         see fin_impl
 *   FIN_WAYS64 ..      the same four of 64-bit words, where there are such kernels
 *   FIN_SOURCE         the line of the literature
 *   FIN_SOURCE_BLAKE2  the same for BLAKE2
 */
#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_ways
#define FIN_WAYS FIN_WAYS32
#define FIN_LOADER FIN_LOADER32
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_ways
#define FIN_WAYS FIN_WAYS32
#define FIN_LOADER FIN_LOADER32
#include "kern/blake_rows.h"

#ifdef FIN_WAYS64
#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_ways
#define FIN_WAYS FIN_WAYS64
#define FIN_LOADER FIN_LOADER64
#include "kern/blake_rows.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_ways
#define FIN_WAYS FIN_WAYS64
#define FIN_LOADER FIN_LOADER64
#include "kern/blake_rows.h"
#endif

#define FIN_TEXT_(x) #x
#define FIN_TEXT(x) FIN_TEXT_(x)
/* Two messages do not make up for slow chains. */
#define FIN_RECORD(id, bits, text, kernel)                                            \
    {.compression = FIN_COMPRESSION_##id,                                             \
     .name = FIN_TIER "-" FIN_TEXT(FIN_WAYS##bits) "way",                             \
     .technique = FIN_TEXT(FIN_WAYS##bits) " messages, rows in " FIN_TECHNIQUE##bits, \
     .source = (text),                                                                \
     .lanes = FIN_WAYS##bits,                                                         \
     .rank = FIN_RANK##bits,                                                          \
     .avoid = FIN_WAYS##bits == 2 ? FIN_AVOID_OF_CHAINS : 0,                          \
     .constant_time = true,                                                           \
     .compress_lanes = kernel,                                                        \
     .finish_lanes = kernel}

static const fin_impl fin_impls[] = {
    FIN_RECORD(BLAKE256, 32, FIN_SOURCE, fin_blake256_ways),
#ifdef FIN_WAYS64
    FIN_RECORD(BLAKE512, 64, FIN_SOURCE, fin_blake512_ways),
    FIN_RECORD(BLAKE2B, 64, FIN_SOURCE_BLAKE2, fin_blake2b_ways),
#endif
    FIN_RECORD(BLAKE2S, 32, FIN_SOURCE_BLAKE2, fin_blake2s_ways),
};
