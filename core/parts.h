/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The entries of alg.def and isa.def that are built: all or, with FIN_PARTS, those of parts.inc,
 * which the build writes. Assembly includes this file too.
 *
 *   FIN_HAS_ALGORITHM(id), FIN_HAS_COMPRESSION(id), FIN_HAS_UNIT(name)    1 or 0
 *   FIN_HAS_KERNEL(id)                                                    1 or 0
 *   FIN_IF_ELSE(1 or 0, this, that)                                       one of the two
 */
#ifndef FIN_PARTS_H
#define FIN_PARTS_H

#include "names.h"

#ifdef FIN_PARTS
#include "parts.inc"
#define FIN_HAS_ALGORITHM(id) FIN_CAT(FIN_WITH_ALGORITHM_, id)
#define FIN_HAS_COMPRESSION(id) FIN_CAT(FIN_WITH_COMPRESSION_, id)
#define FIN_HAS_UNIT(name) FIN_CAT(FIN_WITH_UNIT_, name)
#else
#define FIN_HAS_ALGORITHM(id) 1
#define FIN_HAS_COMPRESSION(id) 1
#define FIN_HAS_UNIT(name) 1
#endif

/* 1 if the compression function, or one that differs only in constants, is built; else 0. */
#define FIN_HAS_KERNEL(id) FIN_HAS_KERNEL_##id
#define FIN_HAS_KERNEL_BLAKE256 FIN_HAS_COMPRESSION(BLAKE256)
#define FIN_HAS_KERNEL_BLAKE512 FIN_HAS_COMPRESSION(BLAKE512)
#define FIN_HAS_KERNEL_BLAKE2B FIN_HAS_COMPRESSION(BLAKE2B)
#define FIN_HAS_KERNEL_BLAKE2S FIN_HAS_COMPRESSION(BLAKE2S)
#define FIN_HAS_KERNEL_BLAKE3 FIN_HAS_COMPRESSION(BLAKE3)
#define FIN_HAS_KERNEL_GROESTL256 \
    FIN_IF_ELSE(FIN_HAS_COMPRESSION(GROESTL256), 1, FIN_HAS_COMPRESSION(GROESTL0_256))
#define FIN_HAS_KERNEL_GROESTL512 \
    FIN_IF_ELSE(FIN_HAS_COMPRESSION(GROESTL512), 1, FIN_HAS_COMPRESSION(GROESTL0_512))

/* The number of built compression functions with 128-byte blocks, and of those other than BLAKE3. */
#define FIN_WIDE_COUNT \
    (FIN_HAS_KERNEL(BLAKE512) + FIN_HAS_KERNEL(BLAKE2B) + FIN_HAS_KERNEL(GROESTL512))
#define FIN_OTHER_COUNT                                                    \
    (FIN_WIDE_COUNT + FIN_HAS_KERNEL(BLAKE256) + FIN_HAS_KERNEL(BLAKE2S) + \
     FIN_HAS_KERNEL(GROESTL256))

#define FIN_IF_1_ELSE(this, that) this
#define FIN_IF_0_ELSE(this, that) that
#define FIN_IF_ELSE_(bit, this, that) FIN_IF_##bit##_ELSE(this, that)
#define FIN_IF_ELSE(bit, this, that) FIN_IF_ELSE_(bit, this, that)

#endif
