/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 with the state in general registers.
 * The code is asm/blake_x86_64.S.
 */
#include "bytes.h"
#include "impl.h"
#include "asm/blake_x86_64_state.h"

fin_compress_fn fin_blake256_x86_64;
fin_compress_fn fin_blake512_x86_64;
fin_compress_fn fin_blake2b_x86_64;
fin_compress_fn fin_blake2s_x86_64;

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "x86-64",
     .technique = "state in general registers, m ^ u in SSE2",
     .source = "AVX paper, sections 2 and 6.1",
     .lanes = 1,
     .rank = 5,
     .bound_cycles = 336,
     .constant_time = true,
     .compress = fin_blake256_x86_64,
     .finish = fin_blake256_x86_64},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "x86-64",
     .technique = "state in general registers, m ^ u in SSE2",
     .source = "AVX paper, sections 2 and 6.1",
     .lanes = 1,
     .rank = 5,
     .bound_cycles = 384,
     .constant_time = true,
     .compress = fin_blake512_x86_64,
     .finish = fin_blake512_x86_64},
    {.compression = FIN_COMPRESSION_BLAKE2B,
     .name = "x86-64",
     .technique = "state in general registers",
     .source = "BLAKE2b implementations: x86-64",
     .lanes = 1,
     .rank = 5,
     .bound_cycles = 288,
     .constant_time = true,
     .compress = fin_blake2b_x86_64,
     .finish = fin_blake2b_x86_64},
    {.compression = FIN_COMPRESSION_BLAKE2S,
     .name = "x86-64",
     .technique = "state in general registers",
     .source = "beyond the papers",
     .lanes = 1,
     .rank = 5,
     .bound_cycles = 240,
     .constant_time = true,
     .compress = fin_blake2s_x86_64,
     .finish = fin_blake2s_x86_64},
};

FIN_EXPORT_UNIT(blake_x86_64, fin_impls);
