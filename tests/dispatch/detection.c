/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Checks core/dispatch/cpu_x86.c with CPUID words of other CPUs.
 */
#include "dispatch/cpu_x86.c"

#define CHECK_ANY_ENVIRONMENT 1
#include "check.h"

/* Bits of CPUID that several of the CPUs below have. */
enum {
    MMX_SSE2 = 1 << 23 | 1 << 26,                        /* leaf 1, edx */
    SSSE3_TO_AVX = 1 << 9 | 1 << 19 | 1 << 25 | 1 << 28, /* leaf 1, ecx, and AES */
    AVX_MOVBE = SSSE3_TO_AVX | 1 << 22,
    AVX2_BMI2 = 1 << 5 | 1 << 8,               /* leaf 7, ebx */
    VBMI_GFNI_VAES = 1 << 1 | 1 << 8 | 1 << 9, /* leaf 7, ecx */
    XOP = 1 << 11                              /* leaf 80000001, ecx */
};
#define AVX512_F_CD_BW_DQ_VL (1U << 16 | 1U << 17 | 1U << 28 | 1U << 30 | 1U << 31)
#define AMD {0, 0x68747541, 0x444d4163, 0x69746e65}
#define INTEL {0, 0x756e6547, 0x6c65746e, 0x49656e69}
#define UP_TO_AVX \
    (FIN_CPU_MMX | FIN_CPU_SSE2 | FIN_CPU_SSSE3 | FIN_CPU_SSE41 | FIN_CPU_AES | FIN_CPU_AVX)
#define UP_TO_AVX512VBMI                                                        \
    (UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_MOVBE | FIN_CPU_AVX512 | \
     FIN_CPU_AVX512VBMI | FIN_CPU_GFNI | FIN_CPU_VAES)

/* A class of cores; 32-bit code has a single one. */
#ifdef FIN_ARCH_X86_64
#define CORE(id) FIN_CORE_##id
#else
#define CORE(id) FIN_CORE_X86_32
#endif

static const struct {
    const char *name;
    fin_cpu_words words;
    uint32_t expected;
    fin_core core;
} cpus[] = {
    {"Bulldozer",
     {AMD, {0x00600f12, 0, SSSE3_TO_AVX, MMX_SSE2}, {0}, {0, 0, XOP, 0}, 7},
     UP_TO_AVX | FIN_CPU_XOP,
     CORE(X86_64)},
    {"Bulldozer, ymm registers not saved",
     {AMD, {0x00600f12, 0, SSSE3_TO_AVX, MMX_SSE2}, {0}, {0, 0, XOP, 0}, 3},
     UP_TO_AVX & ~(uint32_t)FIN_CPU_AVX,
     CORE(X86_64)},
    {"Excavator",
     {AMD, {0x00660f01, 0, AVX_MOVBE, MMX_SSE2}, {0, AVX2_BMI2, 0, 0}, {0, 0, XOP, 0}, 7},
     UP_TO_AVX | FIN_CPU_XOP | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_MOVBE,
     CORE(X86_64)},
    {"Haswell",
     {INTEL, {0x000306c3, 0, AVX_MOVBE, MMX_SSE2}, {0, AVX2_BMI2, 0, 0}, {0}, 7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_MOVBE,
     CORE(AVX2)},
    {"Skylake with AVX-512",
     {INTEL,
      {0x00050654, 0, AVX_MOVBE, MMX_SSE2},
      {0, AVX2_BMI2 | AVX512_F_CD_BW_DQ_VL, 0, 0},
      {0},
      0xe7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_MOVBE | FIN_CPU_AVX512,
     CORE(AVX2)},
    {"Alder Lake, without AVX-512",
     {INTEL, {0x00090672, 0, AVX_MOVBE, MMX_SSE2}, {0, AVX2_BMI2, 1 << 8 | 1 << 9, 0}, {0}, 7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_MOVBE | FIN_CPU_GFNI | FIN_CPU_VAES,
     CORE(INTEL_GFNI)},
    {"Zen 2",
     {AMD, {0x00830f10, 0, AVX_MOVBE, MMX_SSE2}, {0, AVX2_BMI2, 0, 0}, {0}, 7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_MOVBE,
     CORE(AMD_19H)},
    {"Zen 3, in Zen 4's family",
     {AMD, {0x00a20f10, 0, AVX_MOVBE, MMX_SSE2}, {0, AVX2_BMI2, 1 << 9, 0}, {0}, 7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_MOVBE | FIN_CPU_VAES,
     CORE(AMD_19H)},
    {"Zen 4",
     {AMD,
      {0x00a10f11, 0, AVX_MOVBE, MMX_SSE2},
      {0, AVX2_BMI2 | AVX512_F_CD_BW_DQ_VL, VBMI_GFNI_VAES, 0},
      {0},
      0xe7},
     UP_TO_AVX512VBMI,
     CORE(AMD_19H)},
    {"Zen 5",
     {AMD,
      {0x00b40f40, 0, AVX_MOVBE, MMX_SSE2},
      {0, AVX2_BMI2 | AVX512_F_CD_BW_DQ_VL, VBMI_GFNI_VAES, 0},
      {0},
      0xe7},
     UP_TO_AVX512VBMI,
     CORE(AMD_1AH)},
    {"Zen 5, zmm registers not saved",
     {AMD,
      {0x00b40f40, 0, AVX_MOVBE, MMX_SSE2},
      {0, AVX2_BMI2 | AVX512_F_CD_BW_DQ_VL, 1 << 1, 0},
      {0},
      7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_MOVBE,
     CORE(AMD_1AH)},
    {"Zen 5, ymm registers not saved",
     {AMD,
      {0x00b40f40, 0, AVX_MOVBE, MMX_SSE2},
      {0, AVX2_BMI2 | AVX512_F_CD_BW_DQ_VL, 0, 0},
      {0},
      0xe0},
     (UP_TO_AVX & ~(uint32_t)FIN_CPU_AVX) | FIN_CPU_BMI2 | FIN_CPU_MOVBE,
     CORE(AMD_1AH)},
    {"Sapphire Rapids",
     {INTEL,
      {0x000806f8, 0, AVX_MOVBE, MMX_SSE2},
      {0, AVX2_BMI2 | AVX512_F_CD_BW_DQ_VL, VBMI_GFNI_VAES, 0},
      {0},
      0xe7},
     UP_TO_AVX512VBMI,
     CORE(INTEL_GFNI)},
    {"AMD, unknown family",
     {AMD,
      {0x00c00f00, 0, AVX_MOVBE, MMX_SSE2},
      {0, AVX2_BMI2 | AVX512_F_CD_BW_DQ_VL, VBMI_GFNI_VAES, 0},
      {0},
      0xe7},
     UP_TO_AVX512VBMI,
     CORE(AMD_1AH)},
    {"another vendor, with AVX2",
     {{0, 0x746e6543, 0x736c7561, 0x48727561},
      {0x00000f10, 0, SSSE3_TO_AVX, MMX_SSE2},
      {0, AVX2_BMI2, 0, 0},
      {0},
      7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2,
     CORE(AVX2)},
    {"another vendor, with GFNI",
     {{0, 0x746e6543, 0x736c7561, 0x48727561},
      {0x00000f10, 0, AVX_MOVBE, MMX_SSE2},
      {0, AVX2_BMI2, 1 << 8, 0},
      {0},
      7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_MOVBE | FIN_CPU_GFNI,
     CORE(INTEL_GFNI)},
    {"Intel in Zen 5's family",
     {INTEL, {0x00b40f40, 0, AVX_MOVBE, MMX_SSE2}, {0, AVX2_BMI2, 0, 0}, {0}, 7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_MOVBE,
     CORE(AVX2)},
    {"Intel in Bulldozer's family",
     {INTEL, {0x00600f12, 0, AVX_MOVBE, MMX_SSE2}, {0, AVX2_BMI2, 0, 0}, {0}, 7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_MOVBE,
     CORE(AVX2)},
    {"i386", {INTEL, {0x00000300, 0, 0, 0}, {0}, {0}, 0}, 0, CORE(X86_64)},
};

int main(void)
{
    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
        check_context("%s", cpus[i].name);
        const uint32_t features = fin_cpu_features_of(&cpus[i].words);
        CHECK(features == cpus[i].expected);
        CHECK(fin_cpu_may_have_xop(&cpus[i].words) == (cpus[i].words.amd.ecx != 0));
        CHECK(fin_x86_core(&cpus[i].words, features) == cpus[i].core);
    }
    check_context("Zen 5 without one of the bits of AVX-512");
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        fin_cpu_words words = {AMD,
                               {0x00b40f40, 0, AVX_MOVBE, MMX_SSE2},
                               {0, (AVX2_BMI2 | AVX512_F_CD_BW_DQ_VL) & ~bit, VBMI_GFNI_VAES, 0},
                               {0},
                               0xe7};
        const bool has_avx512 = (fin_cpu_features_of(&words) & FIN_CPU_AVX512) != 0;
        CHECK(has_avx512 == ((AVX512_F_CD_BW_DQ_VL & bit) == 0));
    }
    check_context("one bit of leaf 1");
    for (unsigned bit = 0; bit < 32; bit++) {
        const fin_cpu_words words = {AMD, {0, 0, 1U << bit, 0}, {0}, {0}, 0};
        CHECK(fin_cpu_has_xcr0(&words) == (bit == 27));
    }
    check_context("vendors that differ from AMD in one word");
    for (unsigned word = 0; word < 3; word++) {
        const fin_cpuid vendor = {0, 0x68747541 ^ (word == 0), 0x444d4163 ^ (word == 1),
                                  0x69746e65 ^ (word == 2)};
        CHECK(!fin_cpu_is_amd(vendor));
    }
    check_context("this CPU, found by the compiler's library");
    const uint32_t own = fin_cpu_detect().features;
    CHECK(((own & FIN_CPU_SSE2) != 0) == (__builtin_cpu_supports("sse2") != 0));
    CHECK(((own & FIN_CPU_AVX) != 0) == (__builtin_cpu_supports("avx") != 0));
    CHECK(((own & FIN_CPU_AVX2) != 0) == (__builtin_cpu_supports("avx2") != 0));
    CHECK(((own & FIN_CPU_XOP) != 0) == (__builtin_cpu_supports("xop") != 0));
    check_context("this CPU, read by the C library");
    for (unsigned leaf = 1; leaf <= 7; leaf += 6) {
        const fin_cpuid found = fin_cpuid_leaf_1_or_7(leaf), expected = fin_cpuid_leaf(leaf);
        CHECK(found.ecx == expected.ecx);
        CHECK(leaf == 1 ? found.eax == expected.eax && found.edx == expected.edx
                        : found.ebx == expected.ebx);
    }
    return check_report();
}
