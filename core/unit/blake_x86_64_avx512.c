/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE with the state in general registers and the message in AVX-512 registers.
 * The code is asm/blake_x86_64_avx512.S.
 */
#include "bytes.h"
#include "impl.h"
#include "asm/call.h"
#include "asm/blake_x86_64_state.h"

FIN_ASSEMBLY_COMPRESS(fin_blake256_x86_64_avx512);
FIN_ASSEMBLY_COMPRESS(fin_blake512_x86_64_avx512);

static const fin_impl fin_impls[] = {
    FIN_RECORD(
        BLAKE256, "x86-64-avx512", "state in general registers, m ^ u in AVX-512",
        "AVX paper, sections 2 and 6.1",
        FIN_MESSAGE(FIN_ENTRY(fin_blake256_x86_64_avx512), FIN_ENTRY(fin_blake256_x86_64_avx512)),
        .bound_cycles = 336, .constant_time = true),
    FIN_RECORD(
        BLAKE512, "x86-64-avx512", "state in general registers, m ^ u in AVX-512",
        "AVX paper, sections 2 and 6.1",
        FIN_MESSAGE(FIN_ENTRY(fin_blake512_x86_64_avx512), FIN_ENTRY(fin_blake512_x86_64_avx512)),
        .bound_cycles = 384, .constant_time = true),
};

FIN_EXPORT_UNIT(blake_x86_64_avx512, fin_impls);
