/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Which CPU features a unit may use: FIN_ISA_X is 1 for every feature X of the unit's line in
 * isa.def and for those that they imply by cpu.def, else 0. The build defines those of the line.
 * The vector abstractions test these and never the compiler's __AVX2__ and the like, which are also
 * defined if the whole library is built for a certain CPU: that may change how a unit's
 * instructions are encoded, but not its technique.
 */
#ifndef FIN_ISA_H
#define FIN_ISA_H

#ifndef FIN_ISA_AVX512VBMI
#define FIN_ISA_AVX512VBMI 0
#endif
#ifndef FIN_ISA_AVX512
#define FIN_ISA_AVX512 FIN_ISA_AVX512VBMI
#endif
#ifndef FIN_ISA_VAES
#define FIN_ISA_VAES 0
#endif
#ifndef FIN_ISA_XOP
#define FIN_ISA_XOP 0
#endif
#ifndef FIN_ISA_AVX2
#define FIN_ISA_AVX2 (FIN_ISA_AVX512 || FIN_ISA_VAES)
#endif
#ifndef FIN_ISA_AVX
#define FIN_ISA_AVX (FIN_ISA_AVX2 || FIN_ISA_XOP)
#endif
#ifndef FIN_ISA_GFNI
#define FIN_ISA_GFNI 0
#endif
#ifndef FIN_ISA_AES
#define FIN_ISA_AES FIN_ISA_VAES
#endif
#ifndef FIN_ISA_SSE41
#define FIN_ISA_SSE41 (FIN_ISA_AVX || FIN_ISA_AES || FIN_ISA_GFNI)
#endif
#ifndef FIN_ISA_SSSE3
#define FIN_ISA_SSSE3 FIN_ISA_SSE41
#endif
#ifndef FIN_ISA_SSE2
#define FIN_ISA_SSE2 FIN_ISA_SSSE3
#endif
#ifndef FIN_ISA_MMX
#define FIN_ISA_MMX 0
#endif
#ifndef FIN_ISA_BMI2
#define FIN_ISA_BMI2 0
#endif
#ifndef FIN_ISA_MOVBE
#define FIN_ISA_MOVBE 0
#endif
#ifndef FIN_ISA_ARMAES
#define FIN_ISA_ARMAES 0
#endif
#ifndef FIN_ISA_NEON
#define FIN_ISA_NEON FIN_ISA_ARMAES
#endif
#ifndef FIN_ISA_SIMD128
#define FIN_ISA_SIMD128 0
#endif

/* The constraint of an assembly operand in one of x86's first sixteen vector registers, which all
   encodings have. */
#if FIN_ISA_SSE2
#define FIN_VECTOR_OPERAND "x"
#endif

/* Checks the implications above against cpu.def. */
enum {
    FIN_ISA = 0
#define FIN_CPU_FEATURE(id, name, implied) | (FIN_ISA_##id ? FIN_CPU_##id : 0)
#include "cpu.def"
#undef FIN_CPU_FEATURE
};
#define FIN_CPU_FEATURE(id, name, implied) \
    _Static_assert(!FIN_ISA_##id || ((implied) & ~FIN_ISA) == 0, name);
#include "cpu.def"
#undef FIN_CPU_FEATURE

#endif
