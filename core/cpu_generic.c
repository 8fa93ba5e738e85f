/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Feature detection on architectures that have no units of their own.
 */
#include "internal.h"

#if !defined(FIN_ARCH_X86) && !defined(FIN_ARCH_ARM)

uint32_t fin_cpu_detect(void)
{
    return 0;
}

#endif
