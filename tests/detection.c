/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What core/cpu_x86.c makes of the words of CPUs that are not here.
 */
#include "dispatch/cpu_x86.c"

#include "check.h"

/* Bits of CPUID that more than one of the CPUs below have. */
enum {
    MMX_SSE2 = 1 << 23 | 1 << 26,                        /* leaf 1, edx */
    SSSE3_TO_AVX = 1 << 9 | 1 << 19 | 1 << 25 | 1 << 28, /* leaf 1, ecx: with AES */
    AVX2_BMI2 = 1 << 5 | 1 << 8,                         /* leaf 7, ebx */
    VBMI_GFNI_VAES = 1 << 1 | 1 << 8 | 1 << 9,           /* leaf 7, ecx */
    XOP = 1 << 11                                        /* leaf 80000001, ecx */
};
#define AVX512_F_CD_BW_DQ_VL (1U << 16 | 1U << 17 | 1U << 28 | 1U << 30 | 1U << 31)
#define AMD {0, 0x68747541, 0x444d4163, 0x69746e65}
#define INTEL {0, 0x756e6547, 0x6c65746e, 0x49656e69}
#define UP_TO_AVX \
    (FIN_CPU_MMX | FIN_CPU_SSE2 | FIN_CPU_SSSE3 | FIN_CPU_SSE41 | FIN_CPU_AES | FIN_CPU_AVX)
#define UP_TO_AVX512VBMI                                                             \
    (UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_AVX512 | FIN_CPU_AVX512VBMI | \
     FIN_CPU_GFNI | FIN_CPU_VAES)

static const struct {
    const char *name;
    fin_cpu_words words;
    uint32_t expected;
} cpus[] = {
    {"Bulldozer",
     {AMD, {0x00600f12, 0, SSSE3_TO_AVX, MMX_SSE2}, {0}, {0, 0, XOP, 0}, 7},
     UP_TO_AVX | FIN_CPU_XOP},
    {"Bulldozer, whose ymm registers are not saved",
     {AMD, {0x00600f12, 0, SSSE3_TO_AVX, MMX_SSE2}, {0}, {0, 0, XOP, 0}, 3},
     UP_TO_AVX & ~(uint32_t)FIN_CPU_AVX},
    {"Excavator",
     {AMD, {0x00660f01, 0, SSSE3_TO_AVX, MMX_SSE2}, {0, AVX2_BMI2, 0, 0}, {0, 0, XOP, 0}, 7},
     UP_TO_AVX | FIN_CPU_XOP | FIN_CPU_AVX2 | FIN_CPU_BMI2},
    {"Haswell",
     {INTEL, {0x000306c3, 0, SSSE3_TO_AVX, MMX_SSE2}, {0, AVX2_BMI2, 0, 0}, {0}, 7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2},
    {"Zen 3, of Zen 4's family",
     {AMD, {0x00a20f10, 0, SSSE3_TO_AVX, MMX_SSE2}, {0, AVX2_BMI2, 1 << 9, 0}, {0}, 7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_VAES},
    {"Zen 4",
     {AMD,
      {0x00a10f11, 0, SSSE3_TO_AVX, MMX_SSE2},
      {0, AVX2_BMI2 | AVX512_F_CD_BW_DQ_VL, VBMI_GFNI_VAES, 0},
      {0},
      0xe7},
     UP_TO_AVX512VBMI | FIN_CPU_SPLIT_512},
    {"Zen 5",
     {AMD,
      {0x00b40f40, 0, SSSE3_TO_AVX, MMX_SSE2},
      {0, AVX2_BMI2 | AVX512_F_CD_BW_DQ_VL, VBMI_GFNI_VAES, 0},
      {0},
      0xe7},
     UP_TO_AVX512VBMI | FIN_CPU_SLOW_VECTOR_CHAINS},
    {"Zen 5, whose zmm registers are not saved",
     {AMD,
      {0x00b40f40, 0, SSSE3_TO_AVX, MMX_SSE2},
      {0, AVX2_BMI2 | AVX512_F_CD_BW_DQ_VL, 1 << 1, 0},
      {0},
      7},
     UP_TO_AVX | FIN_CPU_AVX2 | FIN_CPU_BMI2 | FIN_CPU_SLOW_VECTOR_CHAINS},
    {"i386", {INTEL, {0x00000300, 0, 0, 0}, {0}, {0}, 0}, 0},
};

int main(void)
{
    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
        check_context("%s", cpus[i].name);
        CHECK(fin_cpu_features_of(&cpus[i].words) == cpus[i].expected);
    }
    return check_report();
}
