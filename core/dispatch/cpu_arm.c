/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The features of an Arm CPU, which only the operating system can ask for: Linux, Android and
 * FreeBSD have them in the auxiliary vector, Apple behind sysctl. Elsewhere they are what the
 * compiler may take for granted.
 */
#include "dispatch/dispatch.h"

#ifdef FIN_ARCH_ARM

#if defined(__linux__)
#define FIN_HAVE_GETAUXVAL 1
#elif defined(__FreeBSD__)
#define FIN_HAVE_ELF_AUX_INFO 1
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

#if defined(FIN_HAVE_GETAUXVAL) || defined(FIN_HAVE_ELF_AUX_INFO)
#include <sys/auxv.h>

static unsigned long fin_auxiliary(unsigned type)
{
#ifdef FIN_HAVE_GETAUXVAL
    return getauxval(type);
#else
    unsigned long value = 0;
    return elf_aux_info((int)type, &value, sizeof value) == 0 ? value : 0;
#endif
}

/* The bits are those of Linux's asm/hwcap.h, which FreeBSD shares. */
uint32_t fin_cpu_detect(void)
{
    uint32_t found = 0;
    const unsigned long first = fin_auxiliary(AT_HWCAP);
#ifdef FIN_ARCH_ARM64
    enum { ASIMD = 1, AES = 3 };
    found |= (first >> ASIMD & 1) != 0 ? FIN_CPU_NEON : 0;
    found |= (first >> AES & 1) != 0 ? FIN_CPU_ARMAES : 0;
#else
    enum { NEON = 12, AES = 0 };
    const unsigned long second = fin_auxiliary(AT_HWCAP2);
    found |= (first >> NEON & 1) != 0 ? FIN_CPU_NEON : 0;
    found |= (second >> AES & 1) != 0 ? FIN_CPU_ARMAES : 0;
#endif
    return found;
}

#elif defined(__APPLE__)

/* Every CPU has NEON; older systems know no name for AES, whose CPUs all have it. */
uint32_t fin_cpu_detect(void)
{
    int has_aes = 1;
    size_t bytes = sizeof has_aes;
    const bool known = sysctlbyname("hw.optional.arm.FEAT_AES", &has_aes, &bytes, NULL, 0) == 0;
    return FIN_CPU_NEON | (!known || has_aes != 0 ? FIN_CPU_ARMAES : 0);
}

#else

uint32_t fin_cpu_detect(void)
{
    uint32_t found = 0;
#ifdef __ARM_NEON
    found |= FIN_CPU_NEON;
#endif
#ifdef __ARM_FEATURE_AES
    found |= FIN_CPU_ARMAES;
#endif
    return found;
}

#endif

#endif
