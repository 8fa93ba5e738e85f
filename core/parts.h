/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The entries of alg.def and isa.def that are built: all, or with FIN_PARTS those of parts.inc, which the
 * build writes. Assembly includes this, too.
 *
 *   FIN_HAS_ALGORITHM(id), FIN_HAS_COMPRESSION(id), FIN_HAS_UNIT(name)    1 or 0
 *   FIN_IF_ELSE(1 or 0, this, that)                                       one of the two
 *   FIN_SMALL                                                             1 or 0
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

/* A build of some algorithms is small: it leaves out code that only makes lanes faster. A build of all
   algorithms without some units is not small: Python's wheels are such builds. */
#ifdef FIN_PARTS
#define FIN_SMALL (!FIN_WITH_ALL_ALGORITHMS)
#else
#define FIN_SMALL 0
#endif

#define FIN_IF_1_ELSE(this, that) this
#define FIN_IF_0_ELSE(this, that) that
#define FIN_IF_ELSE_(bit, this, that) FIN_IF_##bit##_ELSE(this, that)
#define FIN_IF_ELSE(bit, this, that) FIN_IF_ELSE_(bit, this, that)

#endif
