/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE and BLAKE2 of many messages: sixteen vectors are the state, each of which holds one word of
 * every message. Nothing turns within a vector and sigma is the choice of a register; only the
 * message has to be transposed. AVX paper, section 5.2, with as many lanes as a register has words.
 *
 *   FIN_VARIANT   see blake_variants.h
 *   FIN_KERNEL    the name of the function to define
 *   FIN_STREAMS   1, or 2: two states of sixteen vectors, whose G's take turns. One alone is four
 *                 dependency chains, which some CPUs cannot fill their ports with.
 *   FIN_LOCKSTEP  1: the four G's of one stream's step go side by side, operation by operation,
 *                 which fills the ports best and takes some six registers more than the state's
 *                 sixteen. 0: one after the other.
 *   FIN_ROUNDS    optional: an assembly function that does the rounds of one stream (fin_rounds_fn)
 *   before it     vec/lanes_*.h: lane32 and lane64, FIN_LANES32 and FIN_LANES64
 *
 * The chaining values stay in fin_lanes while the rounds need all registers. The rounds are a loop:
 * unrolled they are ten times the code and no faster.
 */
#include "blake_g.h"
#include "blake_variants.h"

#if !defined(FIN_STREAMS) || !defined(FIN_LOCKSTEP)
#error "FIN_STREAMS and FIN_LOCKSTEP are to be defined"
#endif

#if FIN_V(WORD_BITS) == 64
#define WORD uint64_t
#define WORDS w64
#define U fin_u512
#define VEC lane64
#define VEC_LANES FIN_LANES64
#else
#define WORD uint32_t
#define WORDS w32
#define U fin_u256
#define VEC lane32
#define VEC_LANES FIN_LANES32
#endif

#define LANES (FIN_STREAMS * VEC_LANES)

#define FN(name) FIN_CAT(FIN_KERNEL, name)
#define V(name) FIN_CAT(VEC, name)

#ifndef FIN_ROUNDS

/* What a round reads, through pointers that the compiler cannot follow: else it keeps constants and
   words from one round to the next, in registers that it has not got. */
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

/* Message word i of the round, for BLAKE XORed with constant j; both are places in sigma. */
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

#if FIN_LOCKSTEP && FIN_STREAMS == 1

/* What G calls a word are the words of four G's. */
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
FIN_INLINE OPERAND FN(_keep)(OPERAND a)
{
    V_EACH(V(_keep)(a.w[i]));
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
/* The first words of the four G's from place in sigma on, or with y = 1 the second ones. */
FIN_INLINE OPERAND FN(_words)(const FN(_source) * from, int place, int y)
{
    V_EACH(FN(_word)(from, 0, place + 2 * (int)i + y, place + 2 * (int)i + 1 - y));
}

#define V_ADD(a, b) FN(_add)(a, b)
#define V_XOR(a, b) FN(_xor)(a, b)
#define V_KEEP(x) FN(_keep)(x)
#define V_ROT1(x) FN(_ror_R1)(x)
#define V_ROT2(x) FN(_ror_R2)(x)
#define V_ROT3(x) FN(_ror_R3)(x)
#define V_ROT4(x) FN(_ror_R4)(x)

/* G_0 .. G_3 on the columns, or with turn = 1 G_4 .. G_7 on the diagonals: then b, c and d are
   turned by one, two and three words. */
FIN_INLINE void FN(_step)(VEC v[16], const FN(_source) * from, size_t turn)
{
    OPERAND a, b, c, d;
    for (size_t i = 0; i < 4; i++) {
        a.w[i] = v[i];
        b.w[i] = v[4 + (i + turn) % 4];
        c.w[i] = v[8 + (i + 2 * turn) % 4];
        d.w[i] = v[12 + (i + 3 * turn) % 4];
    }
    FIN_G(a, b, c, d, FN(_words)(from, 8 * (int)turn, 0), FN(_words)(from, 8 * (int)turn, 1));
    for (size_t i = 0; i < 4; i++) {
        v[i] = a.w[i];
        v[4 + (i + turn) % 4] = b.w[i];
        v[8 + (i + 2 * turn) % 4] = c.w[i];
        v[12 + (i + 3 * turn) % 4] = d.w[i];
    }
}

FIN_INLINE void FN(_round)(VEC v[FIN_STREAMS][16], const WORD *m, int round)
{
    const FN(_source) from = FN(_source_of)(m, round);
    FN(_step)(v[0], &from, 0);
    FN(_step)(v[0], &from, 1);
}

#else

#define V_ADD(a, b) V(_add)(a, b)
#define V_XOR(a, b) V(_xor)(a, b)
#define V_KEEP(x) V(_keep)(x)
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

FIN_INLINE void FN(_permute)(VEC v[FIN_STREAMS][16], const WORD *m, uint64_t rounds)
{
    for (int r = 0; rounds != 0; rounds--) {
        FN(_round)(v, m, r);
        r = r == 9 ? 0 : r + 1;
    }
}

#else

FIN_INLINE void FN(_permute)(VEC v[1][16], const WORD *m, uint64_t rounds)
{
    FIN_ROUNDS(v, m, U, rounds);
}

#endif

/* As many words of every lane's block as there are lanes make a square to transpose:

     lane 0   m0 m1 m2 m3 | m4 ..        word 0   m0 m0' m0" ..   one word
     lane 1   m0'm1'm2'm3'| m4'..   ->   word 1   m1 m1' m1" ..   of every lane
     lane 2   m0"m1"m2"m3"| m4"..                                                 */
FIN_INLINE void FN(_transpose)(fin_lanes *lanes, size_t offset, size_t stride)
{
    /* So many streams are too many for the CPU to see where they go. */
    for (size_t i = 0; i < LANES; i++) {
        for (size_t line = 0; line < 16 * sizeof(WORD); line += 64) {
            fin_prefetch(lanes->in[i] + offset + stride + line);
        }
    }
    for (size_t k = 0; k < FIN_STREAMS * 16 / VEC_LANES; k++) {
        const size_t first = k % FIN_STREAMS * VEC_LANES;
        const size_t word = k / FIN_STREAMS * VEC_LANES;
        VEC x[VEC_LANES];
        V(_load_square)(x, lanes->in + first, offset + sizeof(WORD) * word);
        for (size_t i = 0; i < VEC_LANES; i++) {
#if !FIN_V(IS_BLAKE2)
            x[i] = V(_swap_bytes)(x[i]);
#endif
            V(_store)(lanes->message.WORDS + LANES * (word + i) + first, x[i]);
        }
    }
}

/* Row r of stream s. */
#define ROW(r, s) (lanes->row.WORDS + LANES * (r) + VEC_LANES * (s))

/* The words after the chaining value: v8 .. v15. */
FIN_INLINE void FN(_seed)(VEC v[16], const fin_lanes *lanes, size_t s)
{
    const VEC low = V(_load)(ROW(FIN_LANE_T, s));
    const VEC high = V(_load)(ROW(FIN_LANE_T + 1, s));
#if FIN_V(IS_BLAKE2)
    for (size_t i = 0; i < 8; i++) {
        v[8 + i] = V(_set1)(FIN_V(IV)[i]);
    }
    v[12] = V(_xor)(v[12], low);
    v[13] = V(_xor)(v[13], high);
    v[14] = V(_xor)(v[14], V(_load)(ROW(FIN_LANE_F, s)));
    v[15] = V(_xor)(v[15], V(_load)(ROW(FIN_LANE_F + 1, s)));
#else
    for (size_t i = 0; i < 4; i++) {
        v[8 + i] = V(_set1)(lanes->salt.WORDS[i] ^ U[i]);
        v[12 + i] = V(_xor)(V(_set1)(U[4 + i]), i < 2 ? low : high);
    }
#endif
}

/* The increment's top bit is clear: there is a carry if the sum's is and the old one was not. */
FIN_INLINE void FN(_count)(fin_lanes *lanes, size_t s)
{
    const VEC old = V(_load)(ROW(FIN_LANE_T, s));
    const VEC low = V(_add)(old, V(_load)(ROW(FIN_LANE_INCREMENT, s)));
    const VEC carry = V(_top_bit)(V(_and_not)(old, low));
    V(_store)(ROW(FIN_LANE_T, s), low);
    V(_store)(ROW(FIN_LANE_T + 1, s), V(_add)(V(_load)(ROW(FIN_LANE_T + 1, s)), carry));
}

static FIN_NOINLINE void FIN_KERNEL(fin_lanes *lanes, size_t blocks, size_t stride)
{
    for (size_t k = 0; k < blocks; k++) {
        VEC v[FIN_STREAMS][16];
        FN(_transpose)(lanes, k * stride, stride);
        for (size_t s = 0; s < FIN_STREAMS; s++) {
            FN(_count)(lanes, s);
            for (size_t i = 0; i < 8; i++) {
                v[s][i] = V(_load)(ROW(FIN_LANE_H + i, s));
            }
            FN(_seed)(v[s], lanes, s);
        }
        FN(_permute)(v, lanes->message.WORDS, lanes->rounds);
        for (size_t s = 0; s < FIN_STREAMS; s++) {
            for (size_t i = 0; i < 8; i++) {
                VEC h = V(_xor)(V(_load)(ROW(FIN_LANE_H + i, s)), V(_xor)(v[s][i], v[s][8 + i]));
#if !FIN_V(IS_BLAKE2)
                h = V(_xor)(h, V(_set1)(lanes->salt.WORDS[i % 4]));
#endif
                V(_store)(ROW(FIN_LANE_H + i, s), h);
            }
        }
    }
    for (size_t i = 0; i < LANES; i++) {
        lanes->in[i] += blocks * stride;
    }
}

#undef WORD
#undef WORDS
#undef U
#undef VEC
#undef LANES
#undef VEC_LANES
#undef FN
#undef V
#undef V_ADD
#undef V_XOR
#undef V_KEEP
#undef V_ROT1
#undef V_ROT2
#undef V_ROT3
#undef V_ROT4
#undef FIN_GI
#undef OPERAND
#undef V_EACH
#undef ROW
#undef FIN_KERNEL
#undef FIN_VARIANT
#undef FIN_STREAMS
#undef FIN_ROUNDS
