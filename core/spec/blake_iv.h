/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The initial values of BLAKE and BLAKE2, once in each source file.
 */
#ifndef FIN_BLAKE_IV_H
#define FIN_BLAKE_IV_H

#include "gen/blake_iv.inc"

#endif
