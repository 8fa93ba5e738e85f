/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Feature detection on architectures that have no units of their own.
 */
#include "internal.h"

#ifndef FIN_ARCH_X86

uint32_t fin_cpu_detect(void)
{
    return 0;
}

#endif
