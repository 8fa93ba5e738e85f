/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with the whole state of a permutation in one or two vectors of 64 bytes, a column in
 * eight consecutive bytes, row 0 first. ShiftBytes is a permutation of 64 bytes, a_(i + k) of
 * MixBytes a rotation of every 8-byte column. P and Q are two independent chains that the CPU
 * overlaps.
 *
 *     one register     c0 c1 c2 c3 c4 c5 c6 c7
 *     two registers    c0 c2 c4 c6 c8 c10 c12 c14 | c1 c3 c5 c7 c9 c11 c13 c15
 *
 * Even and odd columns are separate, so that each of ShiftBytes' offsets either leaves a row in its
 * register (even) or moves all of it to the other (odd): one blend by rows and one permutation per
 * register.
 *
 *   FIN_VARIANT      see kern/groestl/variants.h
 *   FIN_KERNEL       the name of the function to define; FIN_KERNEL_finish is the one that finishes
 *   FIN_SHIFT(name)  the generated masks of ShiftBytes; a step may choose masks that also rotate
 *                    rows, so that it need not rotate its results
 *   FIN_ROUND        __m512i (__m512i x, const uint8_t *shift, size_t apart, __m512i next):
 *                    ShiftBytes, SubBytes, MixBytes, XOR of next; the masks are apart bytes apart
 */
#include "kern/groestl/variants.h"

#if !defined(FIN_SHIFT) || !defined(FIN_ROUND)
#error "FIN_SHIFT and FIN_ROUND are to be defined"
#endif

#define REGISTERS (FIN_V(COLUMNS) / 8)
#define BITS FIN_V(STATE_BITS)
#define FN(name) FIN_CAT(FIN_KERNEL, name)
#define CONSTANTS FIN_CAT(fin_column_constants, BITS)
#define STATE FN(_state)

typedef struct STATE {
    __m512i r[REGISTERS];
} STATE;

/* Loads 64 bytes word by word. CPUs do not forward words just stored to a wider load: it would wait
   until all earlier stores have left the core, and a short message would wait for the one
   before. */
FIN_INLINE __m512i FN(_load_words)(const void *in)
{
    __m256i half[2];
    for (unsigned i = 0; i < 2; i++) {
        __m128i word[4];
        for (unsigned k = 0; k < 4; k++) {
            word[k] = _mm_loadl_epi64((const __m128i *)((const uint8_t *)in + 32 * i + 8 * k));
            __asm__("" : "+v"(word[k])); /* keeps compilers from merging the loads */
        }
        half[i] =
            _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi64(word[0], word[1])),
                                    _mm_unpacklo_epi64(word[2], word[3]), 1);
    }
    return _mm512_inserti64x4(_mm512_castsi256_si512(half[0]), half[1], 1);
}

FIN_INLINE STATE FN(_load)(const void *in, bool words)
{
    STATE x;
    for (unsigned i = 0; i < REGISTERS; i++) {
        const void *part = (const uint8_t *)in + 64 * i;
        x.r[i] = words ? FN(_load_words)(part) : _mm512_loadu_si512(part);
    }
#if REGISTERS == 2
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    const __m512i low = x.r[0];
    x.r[0] = _mm512_permutex2var_epi64(low, even, x.r[1]);
    x.r[1] = _mm512_permutex2var_epi64(low, odd, x.r[1]);
#endif
    return x;
}

static inline void FN(_store)(void *out, STATE x)
{
#if REGISTERS == 2
    const __m512i low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    _mm512_storeu_si512((uint8_t *)out + 64, _mm512_permutex2var_epi64(x.r[0], high, x.r[1]));
    x.r[0] = _mm512_permutex2var_epi64(x.r[0], low, x.r[1]);
#endif
    _mm512_storeu_si512(out, x.r[0]);
}

FIN_INLINE STATE FN(_xor)(STATE a, STATE b)
{
    for (unsigned i = 0; i < REGISTERS; i++) {
        a.r[i] = _mm512_xor_si512(a.r[i], b.r[i]);
    }
    return a;
}

/* Returns the term of AddRoundConstant before a round of P or (q = 1) Q. */
FIN_INLINE STATE FN(_constant)(unsigned round, unsigned q)
{
    STATE x;
    for (unsigned i = 0; i < REGISTERS; i++) {
        x.r[i] = _mm512_load_si512(CONSTANTS + (2 * round + q) * 8 * REGISTERS + 8 * i);
    }
    return x;
}

/* Does ShiftBytes, SubBytes, MixBytes and the XOR of next, mostly the next round's constant. */
FIN_INLINE STATE FN(_round)(STATE x, const uint8_t *shift, __mmask64 cross, STATE next)
{
#if REGISTERS == 2
    const __m512i even = x.r[0], odd = x.r[1];
    x.r[0] = _mm512_mask_blend_epi8(cross, even, odd);
    x.r[1] = _mm512_mask_blend_epi8(cross, odd, even);
#else
    (void)cross;
#endif
    for (unsigned i = 0; i < REGISTERS; i++) {
        x.r[i] = FIN_ROUND(x.r[i], shift + 64 * i, 64 * REGISTERS, next.r[i]);
    }
    return x;
}

FIN_INLINE STATE FN(_round_p)(STATE x, STATE next)
{
    return FN(_round)(x, FIN_SHIFT(FIN_CAT(p, BITS)), FIN_COLUMN_CROSS_P, next);
}

FIN_INLINE STATE FN(_round_q)(STATE x, STATE next)
{
    return FN(_round)(x, FIN_SHIFT(FIN_CAT(q, BITS)), FIN_COLUMN_CROSS_Q, next);
}

/* Computes h ^ P(h ^ m) ^ Q(m). */
FIN_INLINE STATE FN(_block)(STATE h, STATE m)
{
    STATE p = FN(_xor)(FN(_xor)(m, FN(_constant)(0, 0)), h);
    STATE q = FN(_xor)(m, FN(_constant)(0, 1));
    for (unsigned round = 1; round < FIN_V(ROUNDS); round++) {
        q = FN(_round_q)(q, FN(_constant)(round, 1));
        /* Interleaves their instructions, Q's first; gcc would choose its own order. */
        __asm__ __volatile__("" : "+v"(p.r[0]), "+v"(q.r[0]));
        p = FN(_round_p)(p, FN(_constant)(round, 0));
    }
    return FN(_round_p)(p, FN(_round_q)(q, h));
}

static FIN_NOINLINE void FN(_run)(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,
                                  bool finish)
{
    STATE h = FN(_load)(state->h.w64, true);
    for (; blocks != 0; blocks--, in += stride) {
        h = FN(_block)(h, FN(_load)(in, finish));
    }
    if (finish) {
        STATE p = FN(_xor)(h, FN(_constant)(0, 0));
        for (unsigned round = 1; round < FIN_V(ROUNDS); round++) {
            p = FN(_round_p)(p, FN(_constant)(round, 0));
        }
        h = FN(_round_p)(p, h);
    }
    FN(_store)(state->h.w64, h);
}

FIN_GROESTL_MESSAGE(FIN_KERNEL, FN(_run))

#undef REGISTERS
#undef BITS
#undef FN
#undef CONSTANTS
#undef STATE
#undef FIN_KERNEL
#undef FIN_VARIANT
