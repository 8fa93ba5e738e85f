/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE3 of two and of four messages in rows with AVX-512VL in ymm, with rotations of late operands
 * as shifts and vpternlog. The code is asm/blake_ways_avx512_ternlog.S.
 */
#include "impl.h"
#include "asm/blake_lanes_x86_64_call.h"
#include "asm/call.h"
#include "names.h"

FIN_ASSEMBLY_LANES(fin_blake3_2way);
FIN_ASSEMBLY_LANES(fin_blake3_4way);

#define FIN_WAYS_RECORD(count, technique, kernel)                                               \
    FIN_RECORD(BLAKE3, "avx512-ternlog-" FIN_TEXT(count) "way", technique, "beyond the papers", \
               FIN_LANES(count, FIN_ENTRY(kernel), FIN_ENTRY(kernel)), .constant_time = true)

static const fin_impl fin_impls[] = {
    FIN_WAYS_RECORD(2, "2 messages, rows in the halves of ymm, vpternlogd rotations",
                    fin_blake3_2way),
    FIN_WAYS_RECORD(4, "4 messages, rows in the halves of two ymm, vpternlogd rotations",
                    fin_blake3_4way),
};

FIN_EXPORT_UNIT(blake_ways_avx512_ternlog, fin_impls);
