/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with VAES and AVX2: P and Q in the halves of 32-byte registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_256.h"

#define FIN_NAME "vaes"
#define FIN_TECHNIQUE "rows in ymm, vaesenclast"
#define FIN_SOURCE "Groestl guide, section 6.2"
#define FIN_BOUND512 190
#define FIN_BOUND1024 392
#define FIN_SUB_MIX "kern/groestl/aes.h"
#define FIN_KERNEL_FILE "kern/groestl/rows.h"
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_vaes, fin_impls);
