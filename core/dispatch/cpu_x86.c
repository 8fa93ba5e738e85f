/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The features of an x86 CPU that the operating system supports too: AVX needs OSXSAVE and the XMM
 * and YMM bits of XCR0, AVX-512 also its opmask and ZMM bits.
 */
#include "dispatch/dispatch.h"

#ifdef FIN_ARCH_X86

#include <cpuid.h>
#if defined(__linux__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define FIN_HAVE_LEAVES_OF_LIBC 1
#pragma weak __x86_get_cpuid_feature_leaf
#endif
#endif

typedef struct fin_cpuid {
    unsigned eax, ebx, ecx, edx;
} fin_cpuid;

/* Reads a leaf of cpuid. In virtual machines cpuid traps, which costs some ten thousand cycles, so
   each leaf is read at most once. */
static fin_cpuid fin_cpuid_leaf(unsigned leaf)
{
    fin_cpuid r;
    __cpuid_count(leaf, 0, r.eax, r.ebx, r.ecx, r.edx);
    return r;
}

/* Returns leaf 1 or 7, from glibc 2.33 or later if possible, which read it at program start. */
static fin_cpuid fin_cpuid_leaf_1_or_7(unsigned leaf)
{
#ifdef FIN_HAVE_LEAVES_OF_LIBC
    if (__x86_get_cpuid_feature_leaf != NULL) {
        const unsigned index = leaf == 1 ? CPUID_INDEX_1 : CPUID_INDEX_7;
        const unsigned *found = __x86_get_cpuid_feature_leaf(index)->cpuid_array;
        return (fin_cpuid){found[0], found[1], found[2], found[3]};
    }
#endif
    return fin_cpuid_leaf(leaf);
}

/* Reads XCR0. Encoded as bytes, because some versions of assemblers need -mxsave for the
   mnemonic. */
static unsigned fin_xgetbv(void)
{
    unsigned eax, edx;
    __asm__ __volatile__(".byte 0x0f, 0x01, 0xd0" : "=a"(eax), "=d"(edx) : "c"(0));
    return eax;
}

static uint32_t fin_bit(unsigned word, unsigned bit, uint32_t feature)
{
    return (word >> bit & 1) != 0 ? feature : 0;
}

/* True if leaf 0 names AMD as the vendor, in ebx, edx and ecx: "AuthenticAMD". */
static bool fin_cpu_is_amd(fin_cpuid leaf)
{
    return leaf.ebx == 0x68747541 && leaf.edx == 0x69746e65 && leaf.ecx == 0x444d4163;
}

static unsigned fin_cpu_family(unsigned signature)
{
    const unsigned base = signature >> 8 & 0xf;
    return base == 0xf ? base + (signature >> 20 & 0xff) : base;
}

/* The registers of leaves 0, 1, 7 and 80000001, and XCR0, or 0 if it cannot be read. */
typedef struct fin_cpu_words {
    fin_cpuid vendor, basic, extended, amd;
    unsigned xcr0;
} fin_cpu_words;

/* Returns the features that these registers report. */
static uint32_t fin_cpu_features_of(const fin_cpu_words *words)
{
    enum { XMM_YMM = 0x06, OPMASK_ZMM = 0xe0 };
    const fin_cpuid basic = words->basic;
    const fin_cpuid extended = words->extended;
    const fin_cpuid amd = words->amd;
    const bool os_avx = (words->xcr0 & XMM_YMM) == XMM_YMM;
    const bool os_avx512 = os_avx && (words->xcr0 & OPMASK_ZMM) == OPMASK_ZMM;

    uint32_t found = fin_bit(basic.edx, 23, FIN_CPU_MMX) | fin_bit(basic.edx, 26, FIN_CPU_SSE2) |
                     fin_bit(basic.ecx, 9, FIN_CPU_SSSE3) | fin_bit(basic.ecx, 19, FIN_CPU_SSE41) |
                     fin_bit(basic.ecx, 25, FIN_CPU_AES) | fin_bit(extended.ecx, 8, FIN_CPU_GFNI) |
                     fin_bit(extended.ebx, 8, FIN_CPU_BMI2) | fin_bit(basic.ecx, 22, FIN_CPU_MOVBE);
    if (os_avx) {
        found |= fin_bit(basic.ecx, 28, FIN_CPU_AVX) | fin_bit(amd.ecx, 11, FIN_CPU_XOP) |
                 fin_bit(extended.ebx, 5, FIN_CPU_AVX2) | fin_bit(extended.ecx, 9, FIN_CPU_VAES);
    }
    const unsigned f_dq_cd_bw_vl = 1U << 16 | 1U << 17 | 1U << 28 | 1U << 30 | 1U << 31;
    if (os_avx512 && (extended.ebx & f_dq_cd_bw_vl) == f_dq_cd_bw_vl) {
        found |= FIN_CPU_AVX512 | fin_bit(extended.ecx, 1, FIN_CPU_AVX512VBMI);
    }
    return found;
}

static fin_core fin_x86_core(const fin_cpu_words *words, uint32_t features)
{
#ifdef FIN_ARCH_X86_64
    enum { BULLDOZER = 0x15, ZEN_5 = 0x1a };
    const bool amd = fin_cpu_is_amd(words->vendor);
    const unsigned family = fin_cpu_family(words->basic.eax);
    if (amd && family >= ZEN_5) {
        return FIN_CORE_AMD_1AH;
    }
    if (!amd && (features & FIN_CPU_GFNI) != 0) {
        return FIN_CORE_INTEL_GFNI;
    }
    /* The last core of Bulldozer's family has AVX2, but XOP's rotations are better. */
    if ((features & FIN_CPU_AVX2) == 0 || (amd && family == BULLDOZER)) {
        return FIN_CORE_X86_64;
    }
    return amd ? FIN_CORE_AMD_19H : FIN_CORE_AVX2;
#else
    (void)words;
    (void)features;
    return FIN_CORE_FIRST;
#endif
}

/* True for AMD's only family with XOP. All its CPUs have the leaf that reports XOP. */
static bool fin_cpu_may_have_xop(const fin_cpu_words *words)
{
    return fin_cpu_is_amd(words->vendor) && fin_cpu_family(words->basic.eax) == 0x15;
}

/* True if the operating system lets programs read XCR0: OSXSAVE. */
static bool fin_cpu_has_xcr0(const fin_cpu_words *words)
{
    return (words->basic.ecx >> 27 & 1) != 0;
}

/* False on a 386 or early 486. */
static bool fin_has_cpuid(void)
{
#ifdef FIN_ARCH_X86_64
    return true;
#else
    return __get_cpuid_max(0, NULL) != 0;
#endif
}

fin_cpu fin_cpu_detect(void)
{
    fin_cpu_words words = {{0}, {0}, {0}, {0}, 0};
    if (!fin_has_cpuid()) {
        return (fin_cpu){0, FIN_CORE_FIRST};
    }
    words.vendor = fin_cpuid_leaf(0);
    words.basic = fin_cpuid_leaf_1_or_7(1);
    if (words.vendor.eax >= 7) {
        words.extended = fin_cpuid_leaf_1_or_7(7);
    }
    if (fin_cpu_has_xcr0(&words)) {
        words.xcr0 = fin_xgetbv();
    }
    if (fin_cpu_may_have_xop(&words)) {
        words.amd = fin_cpuid_leaf(0x80000001);
    }
    const uint32_t features = fin_cpu_features_of(&words);
    return (fin_cpu){features, fin_x86_core(&words, features)};
}

#endif
