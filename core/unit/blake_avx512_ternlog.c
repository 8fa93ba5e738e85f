/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 with AVX-512VL in xmm and ymm, with rotations of late operands as shifts
 * and vpternlog. The code is asm/blake_avx512_ternlog.S.
 */
#include "bytes.h"
#include "impl.h"
#include "asm/call.h"
#include "asm/blake_x86_64_state.h"

FIN_ASSEMBLY_COMPRESS(fin_blake256_avx512_ternlog);
FIN_ASSEMBLY_COMPRESS(fin_blake512_avx512_ternlog);
FIN_ASSEMBLY_COMPRESS(fin_blake2b_avx512_ternlog);
FIN_ASSEMBLY_COMPRESS(fin_blake2s_avx512_ternlog);
FIN_ASSEMBLY_COMPRESS(fin_blake3_avx512_ternlog);

/* bound_cycles: 24 per round, with one cycle for each of the three operations of a late
   rotation. */
#define FIN_TERNLOG_RECORD(id, technique, kernel, bound)                                   \
    FIN_RECORD(id, "avx512-ternlog", technique, "beyond the papers",                       \
               FIN_MESSAGE(FIN_ENTRY(kernel), FIN_ENTRY(kernel)), .bound_cycles = (bound), \
               .constant_time = true)

static const fin_impl fin_impls[] = {
    FIN_TERNLOG_RECORD(BLAKE256, "rows in xmm, vpternlogd rotations, vpermd loads",
                       fin_blake256_avx512_ternlog, 336),
    FIN_TERNLOG_RECORD(BLAKE512, "rows in ymm, vpternlogq rotations, vpermi2q loads",
                       fin_blake512_avx512_ternlog, 384),
    FIN_TERNLOG_RECORD(BLAKE2B, "rows in ymm, vpternlogq rotations, vpermi2q loads",
                       fin_blake2b_avx512_ternlog, 288),
    FIN_TERNLOG_RECORD(BLAKE2S, "rows in xmm, vpternlogd rotations, vpermd loads",
                       fin_blake2s_avx512_ternlog, 240),
    FIN_TERNLOG_RECORD(BLAKE3, "rows in xmm, vpternlogd rotations, vpermd loads",
                       fin_blake3_avx512_ternlog, 168),
};

FIN_EXPORT_UNIT(blake_avx512_ternlog, fin_impls);
