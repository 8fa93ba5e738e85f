/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with AES-NI and AVX-512VL: XORs of three terms and 32 registers of 16 bytes.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_128.h"

#define FIN_NAME "aesni-avx512"
#define FIN_TECHNIQUE "rows in xmm, aesenclast, XORs of three"
#define FIN_SOURCE "Groestl guide, section 6.2; MixBytes in four layers"
#define FIN_SUB_MIX "kern/groestl/aes.h"
#define FIN_KERNEL_FILE "kern/groestl/rows.h"
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_aesni_avx512, fin_impls);
