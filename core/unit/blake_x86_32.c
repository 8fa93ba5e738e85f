/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE2b for the 386, in general registers: 1.3 KB of code; unrolled rounds take fifteen times
 * that. gcc 12 makes it smaller and faster at -O2 (1283 bytes) than at -Os (1381).
 */
#include "bytes.h"
#include "impl.h"

#include "spec/blake_iv.h"
#include "gen/blake_round.inc"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_x86_32
#define FIN_ROLLED
#include "kern/blake/scalar.h"

static const fin_impl fin_impls[] = {
    FIN_RECORD(BLAKE2B, "x86-32", "general registers of the 386, rounds in a loop",
               "BLAKE2b README, versions", FIN_MESSAGE(fin_blake2b_x86_32, fin_blake2b_x86_32),
               .constant_time = true),
};

FIN_EXPORT_UNIT(blake_x86_32, fin_impls);
