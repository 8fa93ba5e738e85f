/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with AVX-512, VBMI and GFNI: a state of 64 bytes in one register.
 */
#include "internal.h"

#include <immintrin.h>

#include "gen/groestl_columns.inc"

/* c . S of every byte. */
#define SUBSTITUTE(c, x) \
    _mm512_gf2p8affineinv_epi64_epi8(x, _mm512_set1_epi64((long long)FIN_MATRIX_##c), \
                                     FIN_OFFSET_##c)
/* Row i takes row i + k. */
#define ROTATE(x, k) _mm512_ror_epi64(x, 8 * (k))
#define XOR3(x, y, z) _mm512_ternarylogic_epi64(x, y, z, 0x96)

/*
 * The five multiples of S that the matrix holds, each from its own affine map, then
 * b = 2 a_0 + 2 a_1 + 3 a_2 + 4 a_3 + 5 a_4 + 3 a_5 + 5 a_6 + 7 a_7 in a tree of depth two.
 */
static inline __m512i fin_sub_mix(__m512i x, __m512i constant)
{
    const __m512i s2 = SUBSTITUTE(02, x), s3 = SUBSTITUTE(03, x), s4 = SUBSTITUTE(04, x);
    const __m512i s5 = SUBSTITUTE(05, x), s7 = SUBSTITUTE(07, x);
    /* Four rows are half a column: vpshufd does that with a latency of one cycle. */
    const __m512i half = _mm512_shuffle_epi32(s5, _MM_PERM_CDAB);
    const __m512i first = XOR3(s2, half, constant);
    const __m512i second = XOR3(ROTATE(s2, 1), ROTATE(s3, 2), ROTATE(s4, 3));
    const __m512i third = XOR3(ROTATE(s3, 5), ROTATE(s5, 6), ROTATE(s7, 7));
    return XOR3(first, second, third);
}

#define FIN_SHIFT(name) FIN_CAT(fin_column_shift_, name)
#define FIN_SUB_MIX fin_sub_mix

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_gfni512
#include "kern/groestl_columns.h"

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_gfni512
#include "kern/groestl_columns.h"

#define GFNI512(compression_, function, bound)                         \
    {                                                                  \
        .compression = compression_,                                   \
        .name = "gfni512",                                             \
        .technique = "columns in 64-byte vectors, GFNI affine maps",   \
        .source = "Groestl guide, sections 3.2 and 4.4; GFNI for 4.2", \
        .lanes = 1,                                                    \
        .rank = 90,                                                    \
        .bound_cycles = bound,                                         \
        .constant_time = true,                                         \
        .compress = function,                                          \
    }

static const fin_impl fin_impls[] = {
    GFNI512(FIN_COMPRESSION_GROESTL256, fin_groestl256_gfni512, 120),
    GFNI512(FIN_COMPRESSION_GROESTL512, fin_groestl512_gfni512, 252),
};

FIN_EXPORT_UNIT(groestl_gfni512, fin_impls);
