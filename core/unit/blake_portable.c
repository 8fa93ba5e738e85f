/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 in portable scalar C.
 */
#include "bytes.h"
#include "impl.h"

#include "gen/blake_iv.inc"
#include "gen/blake_round.inc"

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_portable
#include "kern/blake_scalar.h"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_portable
#include "kern/blake_scalar.h"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_portable
#include "kern/blake_scalar.h"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_portable
#include "kern/blake_scalar.h"

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "portable",
     .technique = "scalar C, 32-bit words",
     .source = "AVX paper, section 2",
     .lanes = 1,
     .rank = 1,
     .constant_time = true,
     .compress = fin_blake256_portable,
     .finish = fin_blake256_portable},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "portable",
     .technique = "scalar C, 64-bit words",
     .source = "AVX paper, section 2",
     .lanes = 1,
     .rank = 1,
     .constant_time = true,
     .compress = fin_blake512_portable,
     .finish = fin_blake512_portable},
    {.compression = FIN_COMPRESSION_BLAKE2B,
     .name = "portable",
     .technique = "scalar C, 64-bit words",
     .source = "RFC 7693, section 3.2",
     .lanes = 1,
     .rank = 1,
     .constant_time = true,
     .compress = fin_blake2b_portable,
     .finish = fin_blake2b_portable},
    {.compression = FIN_COMPRESSION_BLAKE2S,
     .name = "portable",
     .technique = "scalar C, 32-bit words",
     .source = "RFC 7693, section 3.2",
     .lanes = 1,
     .rank = 1,
     .constant_time = true,
     .compress = fin_blake2s_portable,
     .finish = fin_blake2s_portable},
};

FIN_EXPORT_UNIT(blake_portable, fin_impls);
