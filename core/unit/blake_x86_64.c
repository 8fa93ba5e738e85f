/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 with the state in general registers.
 * The code is asm/blake_x86_64.S.
 */
#include "bytes.h"
#include "impl.h"
#include "asm/call.h"
#include "asm/blake_x86_64_state.h"

FIN_ASSEMBLY_COMPRESS(fin_blake256_x86_64);
FIN_ASSEMBLY_COMPRESS(fin_blake512_x86_64);
FIN_ASSEMBLY_COMPRESS(fin_blake2b_x86_64);
FIN_ASSEMBLY_COMPRESS(fin_blake2s_x86_64);
FIN_ASSEMBLY_COMPRESS(fin_blake3_x86_64);

static const fin_impl fin_impls[] = {
    FIN_RECORD(BLAKE256, "x86-64", "state in general registers, m ^ u in SSE2",
               "AVX paper, sections 2 and 6.1",
               FIN_MESSAGE(FIN_ENTRY(fin_blake256_x86_64), FIN_ENTRY(fin_blake256_x86_64)),
               .bound_cycles = 336, .constant_time = true),
    FIN_RECORD(BLAKE512, "x86-64", "state in general registers, m ^ u in SSE2",
               "AVX paper, sections 2 and 6.1",
               FIN_MESSAGE(FIN_ENTRY(fin_blake512_x86_64), FIN_ENTRY(fin_blake512_x86_64)),
               .bound_cycles = 384, .constant_time = true),
    FIN_RECORD(BLAKE2B, "x86-64", "state in general registers", "BLAKE2b README: x86-64",
               FIN_MESSAGE(FIN_ENTRY(fin_blake2b_x86_64), FIN_ENTRY(fin_blake2b_x86_64)),
               .bound_cycles = 288, .constant_time = true),
    FIN_RECORD(BLAKE2S, "x86-64", "state in general registers", "beyond the papers",
               FIN_MESSAGE(FIN_ENTRY(fin_blake2s_x86_64), FIN_ENTRY(fin_blake2s_x86_64)),
               .bound_cycles = 240, .constant_time = true),
    FIN_RECORD(BLAKE3, "x86-64", "state in general registers", "beyond the papers",
               FIN_MESSAGE(FIN_ENTRY(fin_blake3_x86_64), FIN_ENTRY(fin_blake3_x86_64)),
               .bound_cycles = 168, .constant_time = true),
};

FIN_EXPORT_UNIT(blake_x86_64, fin_impls);
