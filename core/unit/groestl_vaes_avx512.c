/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with VAES and AVX-512VL, XORs of three terms: P and Q in the halves of 32-byte registers.
 */
/* With it, gcc 12 keeps the rows in order: Grøstl-256 takes 2 per cent less time on Zen 4. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-schedule-insns2")
#endif

#include "bytes.h"
#include "impl.h"

#include "vec/bytes_256.h"

#define FIN_NAME "vaes-avx512"
#define FIN_TECHNIQUE "rows in ymm, vaesenclast, XORs of three"
#define FIN_SOURCE "Groestl guide, section 6.2; MixBytes in four layers"
#define FIN_SUB_MIX "kern/groestl/aes.h"
#define FIN_KERNEL_FILE "kern/groestl/rows.h"
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_vaes_avx512, fin_impls);
