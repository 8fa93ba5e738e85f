/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE with the state in general registers and the message in AVX-512 registers.
 * The code is asm/blake_x86_64_avx512.S.
 */
#include "bytes.h"
#include "impl.h"
#include "asm/blake_x86_64_state.h"

fin_compress_fn fin_blake256_x86_64_avx512;
fin_compress_fn fin_blake512_x86_64_avx512;

static const fin_impl fin_impls[] = {
    {.compression = FIN_COMPRESSION_BLAKE256,
     .name = "x86-64-avx512",
     .technique = "state in general registers, m ^ u in AVX-512",
     .source = "AVX paper, sections 2 and 6.1",
     .lanes = 1,
     .rank = 6,
     .bound_cycles = 336,
     .constant_time = true,
     .compress = fin_blake256_x86_64_avx512,
     .finish = fin_blake256_x86_64_avx512},
    {.compression = FIN_COMPRESSION_BLAKE512,
     .name = "x86-64-avx512",
     .technique = "state in general registers, m ^ u in AVX-512",
     .source = "AVX paper, sections 2 and 6.1",
     .lanes = 1,
     .rank = 6,
     .bound_cycles = 384,
     .constant_time = true,
     .compress = fin_blake512_x86_64_avx512,
     .finish = fin_blake512_x86_64_avx512},
};

FIN_EXPORT_UNIT(blake_x86_64_avx512, fin_impls);
