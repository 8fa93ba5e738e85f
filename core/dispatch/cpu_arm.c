/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The features of an Arm CPU, which user code can learn only from the operating system: Linux,
 * Android and FreeBSD provide the auxiliary vector, Apple sysctl. Elsewhere the features are those
 * that the compiler may use.
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

#ifdef FIN_ARCH_ARM64
/* Returns the class of a core by MIDR_EL1: the implementer in bits 24 to 31, the part in bits 4 to
   15. */
static fin_core fin_arm_core(uint64_t midr)
{
    enum { ARM_LTD = 0x41 };
    /* Arm Ltd.'s cores with two vector pipelines, by its manuals: Cortex-A53, A35, A55, A57, A72,
       A73, A75, A76, Neoverse N1, Cortex-A510, Neoverse N2. */
    static const uint16_t narrow[] = {0xd03, 0xd04, 0xd05, 0xd07, 0xd08, 0xd09,
                                      0xd0a, 0xd0b, 0xd0c, 0xd46, 0xd49};
    bool is_narrow = false;
    for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++) {
        is_narrow |= (midr >> 4 & 0xfff) == narrow[i];
    }
    return is_narrow && (midr >> 24 & 0xff) == ARM_LTD ? FIN_CORE_ARM64_NARROW : FIN_CORE_ARM64;
}
#endif

/* The bits are defined in Linux's asm/hwcap.h; FreeBSD uses the same ones. */
fin_cpu fin_cpu_detect(void)
{
    uint32_t found = 0;
    fin_core core = FIN_CORE_FIRST;
    const unsigned long first = fin_auxiliary(AT_HWCAP);
#ifdef FIN_ARCH_ARM64
    enum { ASIMD = 1, AES = 3, CPUID = 11 };
    found |= (first >> ASIMD & 1) != 0 ? FIN_CPU_NEON : 0;
    found |= (first >> AES & 1) != 0 ? FIN_CPU_ARMAES : 0;
    /* With this bit, the kernel emulates reads of the register. */
    if ((first >> CPUID & 1) != 0) {
        uint64_t midr;
        __asm__("mrs %0, midr_el1" : "=r"(midr));
        core = fin_arm_core(midr);
    }
#else
    enum { NEON = 12, AES = 0 };
    const unsigned long second = fin_auxiliary(AT_HWCAP2);
    found |= (first >> NEON & 1) != 0 ? FIN_CPU_NEON : 0;
    found |= (second >> AES & 1) != 0 ? FIN_CPU_ARMAES : 0;
#endif
    return (fin_cpu){found, core};
}

#elif defined(__APPLE__)

/* Every CPU has NEON. Older systems have no name for AES, but all their CPUs have it. */
fin_cpu fin_cpu_detect(void)
{
    int has_aes = 1;
    size_t bytes = sizeof has_aes;
    const bool known = sysctlbyname("hw.optional.arm.FEAT_AES", &has_aes, &bytes, NULL, 0) == 0;
    const uint32_t aes = !known || has_aes != 0 ? FIN_CPU_ARMAES : 0;
    return (fin_cpu){FIN_CPU_NEON | aes, FIN_CORE_FIRST};
}

#else

fin_cpu fin_cpu_detect(void)
{
    uint32_t found = 0;
#ifdef __ARM_NEON
    found |= FIN_CPU_NEON;
#endif
#ifdef __ARM_FEATURE_AES
    found |= FIN_CPU_ARMAES;
#endif
    return (fin_cpu){found, FIN_CORE_FIRST};
}

#endif

#endif
