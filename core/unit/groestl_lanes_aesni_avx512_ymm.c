/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl of many messages with AES-NI and the 256-bit instructions of AVX-512.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_256.h"
#include "kern/groestl/lanes_aes.h"

#define FIN_ISA_NAME "aesni-avx512-ymm"
#define FIN_TECHNIQUE "rows in ymm, aesenclast of halves, XORs of three"
#define FIN_SOURCE "Groestl guide, section 6.2; MixBytes in four layers"
#define FIN_LANES512 4
#define FIN_LANES1024 2
#define FIN_KERNEL_FILE "kern/groestl/lanes.h"
#include "kern/groestl/lanes_unit.h"

FIN_EXPORT_UNIT(groestl_lanes_aesni_avx512_ymm, fin_impls);
