/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The second half of kern/blake/lanes.h where rounds are a loop: any number of streams and
 * registers, or rounds in assembly. Without 32 registers, unrolling makes ten times the code and,
 * except under FIN_STRAIGHT, is no faster.
 */

#ifndef FIN_ROUNDS

/* Input of a round, through pointers hidden from the optimiser: otherwise it keeps constants and
   words from round to round and runs out of registers. */
typedef struct FN(_source) {
    const WORD *m;
    const WORD *u;
    int round;
} FN(_source);

FIN_INLINE FN(_source) FN(_source_of)(const WORD *m, int round)
{
    const WORD *u = U;
    __asm__("" : "+r"(m), "+r"(u));
    return (FN(_source)){m, u, round};
}

/* Returns message word i of the round, for BLAKE XORed with constant j; both are indexes into
   sigma. */
FIN_INLINE VEC FN(_word)(const FN(_source) * from, size_t stream, int i, int j)
{
    const uint8_t *sigma = fin_sigma[from->round];
    const VEC word = V(_load)(from->m + (size_t)LANES * sigma[i] + VEC_LANES * stream);
#if FIN_V(IS_BLAKE2)
    (void)j;
    return word;
#else
    return V(_xor)(word, V(_set1)(from->u[sigma[j]]));
#endif
}

#if FIN_LOCKSTEP >= FIN_STREAMS

/* An operand of G holds the words of four G's; with two streams, of two G's each. */
#define OPERAND FN(_four)
#define V_EACH(expression)           \
    OPERAND result;                  \
    for (size_t i = 0; i < 4; i++) { \
        result.w[i] = (expression);  \
    }                                \
    return result

typedef struct FN(_four) {
    VEC w[4];
} FN(_four);

FIN_INLINE OPERAND FN(_add)(OPERAND a, OPERAND b)
{
    V_EACH(V(_add)(a.w[i], b.w[i]));
}
FIN_INLINE OPERAND FN(_xor)(OPERAND a, OPERAND b)
{
    V_EACH(V(_xor)(a.w[i], b.w[i]));
}
FIN_INLINE OPERAND FN(_barrier)(OPERAND a)
{
    V_EACH(V(_barrier)(a.w[i]));
}
FIN_INLINE OPERAND FN(_ror_R1)(OPERAND a)
{
    V_EACH(FIN_CAT(V(_ror_), FIN_V(R1))(a.w[i]));
}
FIN_INLINE OPERAND FN(_ror_R2)(OPERAND a)
{
    V_EACH(FIN_CAT(V(_ror_), FIN_V(R2))(a.w[i]));
}
FIN_INLINE OPERAND FN(_ror_R3)(OPERAND a)
{
    V_EACH(FIN_CAT(V(_ror_), FIN_V(R3))(a.w[i]));
}
FIN_INLINE OPERAND FN(_ror_R4)(OPERAND a)
{
    V_EACH(FIN_CAT(V(_ror_), FIN_V(R4))(a.w[i]));
}
/* The stream of the i-th of four G's, and which of G_0 .. G_7 it is. */
#define STREAM(i) ((i) % FIN_STREAMS)
#define WHICH_G(first, i) ((first) + (i) / FIN_STREAMS)
/* Returns the first message words of the four G's from G_first on or, with y = 1, the second
   ones. */
FIN_INLINE OPERAND FN(_words)(const FN(_source) * from, size_t first, size_t y)
{
    V_EACH(FN(_word)(from, STREAM(i), (int)(2 * WHICH_G(first, i) + y),
                     (int)(2 * WHICH_G(first, i) + 1 - y)));
}

#define V_ADD(a, b) FN(_add)(a, b)
#define V_XOR(a, b) FN(_xor)(a, b)
#define V_BARRIER(x) FN(_barrier)(x)
#define V_ROT1(x) FN(_ror_R1)(x)
#define V_ROT2(x) FN(_ror_R2)(x)
#define V_ROT3(x) FN(_ror_R3)(x)
#define V_ROT4(x) FN(_ror_R4)(x)

/* Computes G_0 .. G_3 on the columns, or G_4 .. G_7 on the diagonals, where b, c and d are rotated
   by one, two and three words. */
FIN_INLINE void FN(_four_g)(VEC v[FIN_STREAMS][16], const FN(_source) * from, size_t first)
{
    const size_t rotation = first / 4;
    OPERAND a, b, c, d;
    for (size_t i = 0; i < 4; i++) {
        const VEC *w = v[STREAM(i)];
        const size_t k = WHICH_G(first, i) % 4;
        a.w[i] = w[k];
        b.w[i] = w[4 + (k + rotation) % 4];
        c.w[i] = w[8 + (k + 2 * rotation) % 4];
        d.w[i] = w[12 + (k + 3 * rotation) % 4];
    }
    FIN_G(a, b, c, d, FN(_words)(from, first, 0), FN(_words)(from, first, 1));
    for (size_t i = 0; i < 4; i++) {
        VEC *w = v[STREAM(i)];
        const size_t k = WHICH_G(first, i) % 4;
        w[k] = a.w[i];
        w[4 + (k + rotation) % 4] = b.w[i];
        w[8 + (k + 2 * rotation) % 4] = c.w[i];
        w[12 + (k + 3 * rotation) % 4] = d.w[i];
    }
}

FIN_INLINE void FN(_round)(VEC v[FIN_STREAMS][16], const WORD *m, int round)
{
    const FN(_source) from = FN(_source_of)(m, round);
    FN(_four_g)(v, &from, 0);
#if FIN_STREAMS == 2
    FN(_four_g)(v, &from, 2);
    FN(_four_g)(v, &from, 4);
    FN(_four_g)(v, &from, 6);
#else
    FN(_four_g)(v, &from, 4);
#endif
}

#else

#define V_ADD(a, b) V(_add)(a, b)
#define V_XOR(a, b) V(_xor)(a, b)
#define V_BARRIER(x) V(_barrier)(x)
#define V_ROT1(x) FIN_CAT(V(_ror_), FIN_V(R1))(x)
#define V_ROT2(x) FIN_CAT(V(_ror_), FIN_V(R2))(x)
#define V_ROT3(x) FIN_CAT(V(_ror_), FIN_V(R3))(x)
#define V_ROT4(x) FIN_CAT(V(_ror_), FIN_V(R4))(x)

/* G_i of every stream. */
#define FIN_GI(i, a, b, c, d)                                                                \
    for (size_t s = 0; s < FIN_STREAMS; s++) {                                               \
        FIN_G(v[s][a], v[s][b], v[s][c], v[s][d], FN(_word)(&from, s, 2 * (i), 2 * (i) + 1), \
              FN(_word)(&from, s, 2 * (i) + 1, 2 * (i)));                                    \
    }

FIN_INLINE void FN(_round)(VEC v[FIN_STREAMS][16], const WORD *m, int round)
{
    const FN(_source) from = FN(_source_of)(m, round);
    FIN_GI(0, 0, 4, 8, 12)
    FIN_GI(1, 1, 5, 9, 13)
    FIN_GI(2, 2, 6, 10, 14)
    FIN_GI(3, 3, 7, 11, 15)
    FIN_GI(4, 0, 5, 10, 15)
    FIN_GI(5, 1, 6, 11, 12)
    FIN_GI(6, 2, 7, 8, 13)
    FIN_GI(7, 3, 4, 9, 14)
}

#endif

#endif

/* Sets v8 .. v15, the words after the chaining value. first, last: whether it is the call's first
   or last block. */
FIN_INLINE void FN(_seed)(VEC v[8], const fin_lanes *lanes, size_t s, bool first, bool last)
{
    const VEC low = V(_load)(ROW(FIN_LANE_T, s));
    const VEC high = V(_load)(ROW(FIN_LANE_T + 1, s));
#if FIN_V(IS_BLAKE3)
    for (size_t i = 0; i < 4; i++) {
        v[i] = V(_set1)(FIN_V(IV)[i]);
    }
    v[4] = low;
    v[5] = high;
    v[6] = FN(_block_length)(lanes, s, last);
    v[7] = FN(_block_flags)(lanes, s, first, last);
#else
    (void)first;
    (void)last;
#if FIN_V(IS_BLAKE2)
    for (size_t i = 0; i < 8; i++) {
        v[i] = V(_set1)(FIN_V(IV)[i]);
    }
    v[4] = V(_xor)(v[4], low);
    v[5] = V(_xor)(v[5], high);
    v[6] = V(_xor)(v[6], V(_load)(ROW(FIN_LANE_F, s)));
    v[7] = V(_xor)(v[7], V(_load)(ROW(FIN_LANE_F + 1, s)));
#else
    for (size_t i = 0; i < 4; i++) {
        v[i] = V(_set1)(lanes->salt.WORDS[i] ^ U[i]);
        v[4 + i] = V(_xor)(V(_set1)(U[4 + i]), i < 2 ? low : high);
    }
#endif
#endif
}

#ifdef FIN_ROUNDS

#if FIN_V(IS_BLAKE3) && FIN_HAS_KERNEL(BLAKE3) && FIN_LANES32 > 4
/* Compresses the only block of nodes. */
FIN_INLINE void FN(_one_block)(VEC h[8], const VEC last[4], const WORD *m)
{
    VEC v[8];
    for (size_t i = 0; i < 4; i++) {
        v[i] = V(_set1)(FIN_V(IV)[i]);
        v[4 + i] = last[i];
    }
    FIN_ROUNDS(h, v, m, U, FIN_V(ROUNDS), NULL);
}
#include "kern/blake/one_block.h"
#endif

FIN_INLINE void FN(_compress)(fin_lanes *lanes, bool first, bool last)
{
    VEC *v = (VEC *)(void *)(lanes->message.WORDS + 16 * LANES);
#if KEPT
    _Alignas(VEC) uint8_t sums[FN(_sums_bytes)];
    /* After the words and the state. */
    WORD *kept = FN(_kept)(sums, lanes->message.WORDS + 24 * LANES);
#else
    WORD *kept = NULL;
#endif
    FN(_seed)(v, lanes, 0, first, last);
    FIN_ROUNDS(ROW(FIN_LANE_H, 0), v, lanes->message.WORDS, U, lanes->rounds, kept);
#if !FIN_V(IS_BLAKE2)
    /* No branch tests for a salt, which may be secret. */
    for (size_t i = 0; i < 8; i++) {
        const VEC h = V(_load)(ROW(FIN_LANE_H + i, 0));
        V(_store)(ROW(FIN_LANE_H + i, 0), V(_xor)(h, V(_set1)(lanes->salt.WORDS[i % 4])));
    }
#endif
}

#else

FIN_INLINE void FN(_permute)(VEC v[FIN_STREAMS][16], const fin_lanes *lanes)
{
#if FIN_V(IS_BLAKE3)
#ifdef FIN_STRAIGHT
    _Pragma("unroll")
#endif
        for (int r = 10; r < 10 + FIN_V(ROUNDS); r++)
    {
        FN(_round)(v, lanes->message.WORDS, r);
    }
#else
#ifdef FIN_STRAIGHT
    if (lanes->rounds == FIN_V(ROUNDS)) {
        _Pragma("unroll") for (int r = 0; r < FIN_V(ROUNDS); r++)
        {
            FN(_round)(v, lanes->message.WORDS, r % 10);
        }
        return;
    }
#endif
    int r = 0;
    for (uint64_t rounds = lanes->rounds; rounds != 0; rounds--) {
        FN(_round)(v, lanes->message.WORDS, r);
        r = r == 9 ? 0 : r + 1;
    }
#endif
}

FIN_INLINE void FN(_compress)(fin_lanes *lanes, bool first, bool last)
{
    VEC v[FIN_STREAMS][16];
    FIN_ALIGN_STACK(VEC);
    for (size_t s = 0; s < FIN_STREAMS; s++) {
        for (size_t i = 0; i < 8; i++) {
            v[s][i] = V(_load)(ROW(FIN_LANE_H + i, s));
        }
        FN(_seed)(v[s] + 8, lanes, s, first, last);
    }
    FN(_permute)(v, lanes);
    for (size_t s = 0; s < FIN_STREAMS; s++) {
        for (size_t i = 0; i < 8; i++) {
            VEC h = V(_xor)(v[s][i], v[s][8 + i]);
#if !FIN_V(IS_BLAKE3)
            h = V(_xor)(V(_load)(ROW(FIN_LANE_H + i, s)), h);
#endif
#if !FIN_V(IS_BLAKE2)
            h = V(_xor)(h, V(_set1)(lanes->salt.WORDS[i % 4]));
#endif
            V(_store)(ROW(FIN_LANE_H + i, s), h);
        }
    }
}

#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* -O2 leaves the loops over a step's four G's rolled, so that the state stays on the stack, in more
   of it than is erased after a call with a key. */
#pragma GCC optimize("O3")
#endif
/* Otherwise gcc 12 keeps a round's words and addresses for the next one and spills them: up to 15
   per cent. */
#pragma GCC optimize("no-tree-pre", "no-ivopts")
#if FIN_STREAMS == 2 && FIN_LOCKSTEP == 2
/* Sharing one variable for a value at a round's begin and end takes longer than copies: 1 to 8 per
   cent. */
#pragma GCC optimize("no-tree-coalesce-vars")
#endif
#endif

static FIN_NOINLINE void FIN_KERNEL(fin_lanes *lanes, size_t blocks, size_t stride)
{
    for (size_t k = 0; k < blocks; k++) {
        FN(_prefetch)(lanes, (k + 1) * stride);
        FN(_transpose)(lanes->message.WORDS, lanes, k * stride, FN(_own_words)(lanes, k, blocks));
        for (size_t s = 0; s < FIN_STREAMS; s++) {
            FN(_count)(lanes, s);
        }
        FN(_compress)(lanes, k == 0, k + 1 == blocks);
    }
    for (size_t i = 0; i < LANES; i++) {
        lanes->in[i] += blocks * stride;
    }
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#undef V_ADD
#undef V_XOR
#undef V_BARRIER
#undef V_ROT1
#undef V_ROT2
#undef V_ROT3
#undef V_ROT4
#undef FIN_GI
#undef OPERAND
#undef STREAM
#undef WHICH_G
#undef V_EACH
