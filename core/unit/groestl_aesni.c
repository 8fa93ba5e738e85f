/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with AES-NI and SSSE3: rows in 16-byte registers.
 */
#include "bytes.h"
#include "impl.h"

#include "vec/bytes_128.h"

#define FIN_NAME "aesni"
#define FIN_TECHNIQUE "rows in xmm, aesenclast"
#define FIN_SOURCE "Groestl guide, section 6.2"
#define FIN_BOUND512 280
#define FIN_BOUND1024 784
#define FIN_SUB_MIX "kern/groestl/aes.h"
#define FIN_KERNEL_FILE "kern/groestl/rows.h"
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_aesni, fin_impls);
