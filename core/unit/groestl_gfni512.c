/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with AVX-512, VBMI and GFNI: a state of 64 bytes in one register.
 */
#include "bytes.h"
#include "impl.h"

#include <immintrin.h>

#include "gen/groestl_columns.inc"

/* Computes c . S of every byte. */
#define SUBSTITUTE(c, x)                                                              \
    _mm512_gf2p8affineinv_epi64_epi8(x, _mm512_set1_epi64((long long)FIN_MATRIX_##c), \
                                     FIN_OFFSET_##c)
/* Row i takes row i + k. */
#define ROTATE(x, k) _mm512_ror_epi64(x, 8 * (k))
#define XOR3(x, y, z) _mm512_ternarylogic_epi64(x, y, z, 0x96)

/*
 * b = 2 a_0 + 2 a_1 + 3 a_2 + 4 a_3 + 5 a_4 + 3 a_5 + 5 a_6 + 7 a_7, a = S of ShiftBytes of x. A
 * permutation that also rotates the rows by k replaces a rotation after it. So each of the five
 * multiples of S is computed in the right rows; three are needed twice, which leaves three
 * rotations. The latest results take the shortest path through the tree of XORs.
 */
static inline __m512i fin_round(__m512i x, const uint8_t *shift, size_t apart, __m512i next)
{
#define TURNED(index) _mm512_permutexvar_epi8(_mm512_load_si512(shift + (index) * apart), x)
#if defined(__clang__)
    /* Otherwise clang's early multiples delay the last ones' permutations. */
    const __m512i t2 = TURNED(0), t3 = TURNED(1), t5 = TURNED(3), t4 = TURNED(2), t7 = TURNED(4);
    __m512i s2 = SUBSTITUTE(02, t2), s3 = SUBSTITUTE(03, t3), s5 = SUBSTITUTE(05, t5);
    __m512i s4 = SUBSTITUTE(04, t4), s7 = SUBSTITUTE(07, t7);
    __asm__("" : "+v"(s2), "+v"(s3), "+v"(s5), "+v"(s4), "+v"(s7));
#else
    const __m512i s2 = SUBSTITUTE(02, TURNED(0)); /* rows rotated by 0 */
    const __m512i s3 = SUBSTITUTE(03, TURNED(1)); /* by 2 */
    const __m512i s5 = SUBSTITUTE(05, TURNED(3)); /* by 4 */
    const __m512i s4 = SUBSTITUTE(04, TURNED(2)); /* by 3 */
    const __m512i s7 = SUBSTITUTE(07, TURNED(4)); /* by 7 */
#endif
#undef TURNED
    const __m512i early = XOR3(XOR3(next, s2, s3), s5, s4);
    const __m512i late = XOR3(ROTATE(s2, 1), ROTATE(s3, 3), s7);
    return XOR3(early, late, ROTATE(s5, 2));
}

#define FIN_SHIFT(name) FIN_CAT(fin_column_shift_, name)
#define FIN_ROUND fin_round

#define FIN_NAME "gfni512"
#define FIN_TECHNIQUE "columns in 64-byte vectors, GFNI affine maps"
#define FIN_SOURCE "Groestl guide, sections 3.2 and 4.4; GFNI for 4.2"
#define FIN_BOUND512 120
#define FIN_BOUND1024 252
#define FIN_KERNEL_FILE "kern/groestl/columns.h"
#define FIN_TWEAKED_ONLY 1
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_gfni512, fin_impls);
