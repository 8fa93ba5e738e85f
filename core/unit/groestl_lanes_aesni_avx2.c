/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl of many messages with AES-NI and AVX2.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_256.h"
#include "kern/groestl/lanes_aes.h"

#define FIN_ISA_NAME "aesni-avx2"
#define FIN_TECHNIQUE "rows in ymm, aesenclast of halves"
#define FIN_SOURCE "Groestl guide, section 6.2"
#define FIN_LANES512 4
#define FIN_LANES1024 2
#define FIN_KERNEL_FILE "kern/groestl/lanes.h"
#include "kern/groestl/lanes_unit.h"

FIN_EXPORT_UNIT(groestl_lanes_aesni_avx2, fin_impls);
