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
 *   vocabulary    vec/lanes_*.h: lane32 and lane64, FIN_LANES32 and FIN_LANES64
 *
 * The chaining values stay in fin_lanes while the rounds need all registers. The rounds are a loop:
 * unrolled they are ten times the code, which no longer fits where decoded instructions are kept.
 */
#include "blake_g.h"
#include "blake_variants.h"

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
#define V_ADD(a, b) V(_add)(a, b)
#define V_XOR(a, b) V(_xor)(a, b)
#define V_KEEP(x) V(_keep)(x)
#define V_ROT1(x) FIN_CAT(V(_ror_), FIN_V(R1))(x)
#define V_ROT2(x) FIN_CAT(V(_ror_), FIN_V(R2))(x)
#define V_ROT3(x) FIN_CAT(V(_ror_), FIN_V(R3))(x)
#define V_ROT4(x) FIN_CAT(V(_ror_), FIN_V(R4))(x)

/* Word i of round r's message, of stream s, for BLAKE XORed with constant j. */
#if FIN_V(IS_BLAKE2)
#define FIN_WORD_OF(s, r, i, j) V(_load)(m + LANES * fin_sigma[r][i] + VEC_LANES * (s))
#else
#define FIN_WORD_OF(s, r, i, j) \
    V_XOR(V(_load)(m + LANES * fin_sigma[r][i] + VEC_LANES * (s)), V(_set1)(U[fin_sigma[r][j]]))
#endif
/* G_i of round r on four words of the state. */
#define FIN_GS(s, r, i, a, b, c, d)                                                    \
    FIN_G(v[s][a], v[s][b], v[s][c], v[s][d], FIN_WORD_OF(s, r, 2 * (i), 2 * (i) + 1), \
          FIN_WORD_OF(s, r, 2 * (i) + 1, 2 * (i)))
#if FIN_STREAMS == 2
#define FIN_GI(r, i, a, b, c, d) \
    FIN_GS(0, r, i, a, b, c, d); \
    FIN_GS(1, r, i, a, b, c, d)
#else
#define FIN_GI(r, i, a, b, c, d) FIN_GS(0, r, i, a, b, c, d)
#endif

FIN_INLINE void FN(_permute)(VEC v[FIN_STREAMS][16], const WORD *m, uint64_t rounds)
{
    for (int r = 0; rounds != 0;) {
        FIN_GI(r, 0, 0, 4, 8, 12);
        FIN_GI(r, 1, 1, 5, 9, 13);
        FIN_GI(r, 2, 2, 6, 10, 14);
        FIN_GI(r, 3, 3, 7, 11, 15);
        FIN_GI(r, 4, 0, 5, 10, 15);
        FIN_GI(r, 5, 1, 6, 11, 12);
        FIN_GI(r, 6, 2, 7, 8, 13);
        FIN_GI(r, 7, 3, 4, 9, 14);
        if (--rounds == 0) {
            break;
        }
        r = r == 9 ? 0 : r + 1;
    }
}

/* As many words of every lane's block as there are lanes make a square to transpose:

     lane 0   m0 m1 m2 m3 | m4 ..        word 0   m0 m0' m0" ..   one word
     lane 1   m0'm1'm2'm3'| m4'..   ->   word 1   m1 m1' m1" ..   of every lane
     lane 2   m0"m1"m2"m3"| m4"..                                                 */
FIN_INLINE void FN(_transpose)(fin_lanes *lanes, size_t offset, size_t stride)
{
    for (size_t k = 0; k < FIN_STREAMS * 16 / VEC_LANES; k++) {
        const size_t first = k % FIN_STREAMS * VEC_LANES;
        const size_t word = k / FIN_STREAMS * VEC_LANES;
        VEC x[VEC_LANES];
        for (size_t i = 0; i < VEC_LANES; i++) {
            const uint8_t *in = lanes->in[first + i] + offset + sizeof(WORD) * word;
            x[i] = V(_load_bytes)(in);
            /* So many streams are too many for the CPU to see where they go. */
            if (word % (64 / sizeof(WORD)) == 0) {
                fin_prefetch(in + stride);
            }
#if !FIN_V(IS_BLAKE2)
            x[i] = V(_swap_bytes)(x[i]);
#endif
        }
        V(_transpose)(x);
        for (size_t i = 0; i < VEC_LANES; i++) {
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
    v[12] = V_XOR(v[12], low);
    v[13] = V_XOR(v[13], high);
    v[14] = V_XOR(v[14], V(_load)(ROW(FIN_LANE_F, s)));
    v[15] = V_XOR(v[15], V(_load)(ROW(FIN_LANE_F + 1, s)));
#else
    for (size_t i = 0; i < 4; i++) {
        v[8 + i] = V(_set1)(lanes->salt.WORDS[i] ^ U[i]);
        v[12 + i] = V_XOR(V(_set1)(U[4 + i]), i < 2 ? low : high);
    }
#endif
}

/* The increment's top bit is clear: there is a carry if the sum's is and the old one was not. */
FIN_INLINE void FN(_count)(fin_lanes *lanes, size_t s)
{
    const VEC old = V(_load)(ROW(FIN_LANE_T, s));
    const VEC low = V_ADD(old, V(_load)(ROW(FIN_LANE_INCREMENT, s)));
    const VEC carry = V(_top_bit)(V(_and_not)(old, low));
    V(_store)(ROW(FIN_LANE_T, s), low);
    V(_store)(ROW(FIN_LANE_T + 1, s), V_ADD(V(_load)(ROW(FIN_LANE_T + 1, s)), carry));
}

static void FIN_KERNEL(fin_lanes *lanes, size_t blocks, size_t stride)
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
                VEC h = V_XOR(V(_load)(ROW(FIN_LANE_H + i, s)), V_XOR(v[s][i], v[s][8 + i]));
#if !FIN_V(IS_BLAKE2)
                h = V_XOR(h, V(_set1)(lanes->salt.WORDS[i % 4]));
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
#undef FIN_WORD_OF
#undef FIN_GI
#undef FIN_GS
#undef ROW
#undef FIN_KERNEL
#undef FIN_VARIANT
#undef FIN_STREAMS
