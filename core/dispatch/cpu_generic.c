/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Features of architectures without run-time detection: they have no units of their own, or their
 * features are known at build time.
 */
#include "dispatch/dispatch.h"

#if !defined(FIN_ARCH_X86) && !defined(FIN_ARCH_ARM)

fin_cpu fin_cpu_detect(void)
{
#ifdef FIN_ARCH_WASM_SIMD128
    const uint32_t features = FIN_CPU_SIMD128;
#else
    const uint32_t features = 0;
#endif
    return (fin_cpu){features, FIN_CORE_FIRST};
}

#endif
