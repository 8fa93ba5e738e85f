/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Replaces core/dispatch/cpu_x86.c in tests: detects one of AMD's Bulldozer CPUs, with those
 * features that this CPU has, and XOP, whose instructions are emulated.
 */
#include "dispatch/dispatch.h"

#include "xop_emulator.h"

fin_cpu fin_cpu_detect(void)
{
    uint32_t found = 0;
    __builtin_cpu_init();
    found |= __builtin_cpu_supports("mmx") ? FIN_CPU_MMX : 0;
    found |= __builtin_cpu_supports("sse2") ? FIN_CPU_SSE2 : 0;
    found |= __builtin_cpu_supports("ssse3") ? FIN_CPU_SSSE3 : 0;
    found |= __builtin_cpu_supports("sse4.1") ? FIN_CPU_SSE41 : 0;
    found |= __builtin_cpu_supports("aes") ? FIN_CPU_AES : 0;
    if (__builtin_cpu_supports("avx")) {
        xop_emulate();
        found |= FIN_CPU_AVX | FIN_CPU_XOP;
    }
    return (fin_cpu){found, FIN_CORE_FIRST};
}
