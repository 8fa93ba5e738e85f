/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with AVX-512, VBMI and VAES: a state of 64 bytes in one register.
 */
#include "bytes.h"
#include "impl.h"

#include <immintrin.h>

#include "gen/groestl_columns.inc"

/* Row i takes row i + k. */
#define ROTATE(x, k) _mm512_ror_epi64(x, 8 * (k))
#define XOR3(x, y, z) _mm512_ternarylogic_epi64(x, y, z, 0x96)

/* Returns 2 x. The shuffle gives 1b where bit 7 is clear, hence the third term. */
static inline __m512i fin_double(__m512i x)
{
    const __m512i reduction = _mm512_set1_epi8(0x1b);
    return XOR3(_mm512_add_epi8(x, x), _mm512_shuffle_epi8(reduction, x), reduction);
}

/*
 * a = S of ShiftBytes of x; the permutation undoes aesenclast's ShiftRows as well. Then the matrix
 * as specified: 2 a_0 + 2 a_1 + 3 a_2 + 4 a_3 + 5 a_4 + 3 a_5 + 5 a_6 + 7 a_7. Variants with fewer
 * rotations have longer chains, and latency binds.
 */
static inline __m512i fin_round(__m512i x, const uint8_t *shift, size_t apart, __m512i next)
{
    (void)apart;
    const __m512i shifted = _mm512_permutexvar_epi8(_mm512_load_si512(shift), x);
    const __m512i a = _mm512_aesenclast_epi128(shifted, _mm512_setzero_si512());
    const __m512i a2 = fin_double(a), a4 = fin_double(a2);
    const __m512i a3 = _mm512_xor_si512(a, a2), a5 = _mm512_xor_si512(a, a4);
    /* Four rows are half a column, so vpshufd rotates by them with a latency of one cycle. */
    const __m512i half = _mm512_shuffle_epi32(a5, _MM_PERM_CDAB);
    const __m512i early = XOR3(XOR3(a2, ROTATE(a2, 1), next), ROTATE(a3, 2), ROTATE(a3, 5));
    const __m512i late = XOR3(ROTATE(a4, 3), ROTATE(a5, 6), half);
    return XOR3(early, late, ROTATE(XOR3(a, a2, a4), 7));
}

#define FIN_SHIFT(name) FIN_CAT(fin_column_shift_aes_, name)
#define FIN_ROUND fin_round

#define FIN_NAME "vaes512"
#define FIN_TECHNIQUE "columns in 64-byte vectors, vaesenclast"
#define FIN_SOURCE "Groestl guide, sections 3.2, 4.2 and 4.4"
#define FIN_BOUND512 190
#define FIN_BOUND1024 336
#define FIN_KERNEL_FILE "kern/groestl/columns.h"
#define FIN_TWEAKED_ONLY 1
#include "kern/groestl/unit.h"

FIN_EXPORT_UNIT(groestl_vaes512, fin_impls);
