/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * One compression function of the BLAKE family in scalar C: the plain version that the others are
 * checked against. Included once for each variant.
 *
 *   FIN_VARIANT   see kern/blake/variants.h
 *   FIN_KERNEL    the name of the function to define
 *   FIN_ROLLED    optional: rounds are a loop over the G's, for the size of the code
 *   FIN_STRAIGHT  optional: the function's own number of rounds is branch-free code
 */
#include "kern/blake/g.h"
#include "kern/blake/variants.h"

#if FIN_V(WORD_BITS) == 64
#define WORD uint64_t
#define H_WORDS w64
#define U fin_u512
#else
#define WORD uint32_t
#define H_WORDS w32
#define U fin_u256
#endif

#define V_ROT(x, n) ((WORD)((x) >> (n)) | (WORD)((x) << (FIN_V(WORD_BITS) - (n))))
#define V_ADD(a, b) ((a) + (b))
#define V_XOR(a, b) ((a) ^ (b))
#define V_BARRIER(x) FIN_KEEP_IN("r", (WORD)(x))
#define V_ROT1(x) V_ROT(x, FIN_V(R1))
#define V_ROT2(x) V_ROT(x, FIN_V(R2))
#define V_ROT3(x) V_ROT(x, FIN_V(R3))
#define V_ROT4(x) V_ROT(x, FIN_V(R4))

/* Applies G_i of round r to v[a], v[b], v[c], v[d]; sigma is known at compile time. */
#if FIN_V(IS_BLAKE2)
#define FIN_WORD_OF(r, i, j) m[fin_sigma[r][i]]
#else
#define FIN_WORD_OF(r, i, j) (m[fin_sigma[r][i]] ^ u[fin_sigma[r][j]])
#endif
#define FIN_GI(r, i, a, b, c, d)                                        \
    FIN_G(v[a], v[b], v[c], v[d], FIN_WORD_OF(r, 2 * (i), 2 * (i) + 1), \
          FIN_WORD_OF(r, 2 * (i) + 1, 2 * (i)))

/* Otherwise gcc 12 loads message words for later rounds and spills them: 2 to 3 per cent of
   BLAKE2. */
#if FIN_V(IS_BLAKE2) && defined(FIN_ARCH_X86_64) && !defined(__clang__)
#define FIN_READ_ANEW(m) __asm__("" : "+m"(*(WORD(*)[16])(uintptr_t)(m)));
#else
#define FIN_READ_ANEW(m)
#endif

/* For BLAKE-512, clang 19 keeps more words in registers if G_7 comes first: 2 per cent on Zen 4. */
#if !FIN_V(IS_BLAKE2) && FIN_V(WORD_BITS) == 64 && defined(__clang__)
#define FIN_G_6_AND_7(r)       \
    FIN_GI(r, 7, 3, 4, 9, 14); \
    FIN_GI(r, 6, 2, 7, 8, 13);
#else
#define FIN_G_6_AND_7(r)       \
    FIN_GI(r, 6, 2, 7, 8, 13); \
    FIN_GI(r, 7, 3, 4, 9, 14);
#endif

/* Round r, from 0 to 9, or for BLAKE3 from 10 to 16. */
#define FIN_ROUND(r)            \
    FIN_READ_ANEW(m)            \
    FIN_GI(r, 0, 0, 4, 8, 12);  \
    FIN_GI(r, 1, 1, 5, 9, 13);  \
    FIN_GI(r, 2, 2, 6, 10, 14); \
    FIN_GI(r, 3, 3, 7, 11, 15); \
    FIN_GI(r, 4, 0, 5, 10, 15); \
    FIN_GI(r, 5, 1, 6, 11, 12); \
    FIN_G_6_AND_7(r)
/* Round r; leaves the loop after the last requested round. */
#define FIN_ROUND_OR_LAST(r) \
    FIN_ROUND(r)             \
    if (--rounds == 0) {     \
        break;               \
    }

#ifdef FIN_ROLLED
/* All G's share one copy of the code. G_i takes column i % 4; in the diagonal step b, c and d are
   one, two and three columns further. */
static void FIN_CAT(FIN_KERNEL, _permute)(WORD v[16], const WORD m[16], uint64_t rounds)
{
    for (unsigned r = 0; rounds != 0; rounds--, r = r == 9 ? 0 : r + 1) {
        for (unsigned i = 0; i < 8; i++) {
            const unsigned rotation = i / 4;
            FIN_GI(r, i, i % 4, 4 + (i + rotation) % 4, 8 + (i + 2 * rotation) % 4,
                   12 + (i + 3 * rotation) % 4);
        }
    }
}
#else
static void FIN_CAT(FIN_KERNEL, _permute)(WORD v[16], const WORD m[16], uint64_t rounds)
{
#if !FIN_V(IS_BLAKE2)
    /* Loads the constants: 64-bit immediates make clang's code three times too long for the
       decoders. */
    const WORD *u = U;
    __asm__("" : "+r"(u));
#endif
    while (rounds != 0) {
#if FIN_V(IS_BLAKE3)
        FIN_ROUND_OR_LAST(10)
        FIN_ROUND_OR_LAST(11)
        FIN_ROUND_OR_LAST(12)
        FIN_ROUND_OR_LAST(13)
        FIN_ROUND_OR_LAST(14)
        FIN_ROUND_OR_LAST(15)
        FIN_ROUND_OR_LAST(16)
#else
        FIN_ROUND_OR_LAST(0)
        FIN_ROUND_OR_LAST(1)
        FIN_ROUND_OR_LAST(2)
        FIN_ROUND_OR_LAST(3)
        FIN_ROUND_OR_LAST(4)
        FIN_ROUND_OR_LAST(5)
        FIN_ROUND_OR_LAST(6)
        FIN_ROUND_OR_LAST(7)
        FIN_ROUND_OR_LAST(8)
        FIN_ROUND_OR_LAST(9)
#endif
    }
}
#endif

/* Loads the message words and initialises the state. */
FIN_INLINE void FIN_CAT(FIN_KERNEL, _start)(WORD v[16], WORD m[16], const fin_state *state,
                                            const uint8_t *in, WORD low, WORD high)
{
    for (size_t i = 0; i < 16; i++) {
#if FIN_V(IS_BLAKE2)
        m[i] = FIN_CAT(FIN_CAT(fin_load, FIN_V(WORD_BITS)), _le)(in + sizeof(WORD) * i);
#else
        m[i] = FIN_CAT(FIN_CAT(fin_load, FIN_V(WORD_BITS)), _be)(in + sizeof(WORD) * i);
#endif
    }
    const WORD *h = state->h.H_WORDS;
    for (size_t i = 0; i < 8; i++) {
        v[i] = h[i];
    }
#if FIN_V(IS_BLAKE2)
    for (size_t i = 0; i < 8; i++) {
        v[8 + i] = FIN_V(IV)[i];
    }
#if FIN_V(IS_BLAKE3)
    /* v14 and v15 depend on the block. */
    v[12] = low;
    v[13] = high;
#else
    v[12] ^= low;
    v[13] ^= high;
    v[14] ^= (WORD)state->f[0];
    v[15] ^= (WORD)state->f[1];
#endif
#else
    const WORD *salt = state->salt.H_WORDS;
    for (size_t i = 0; i < 4; i++) {
        v[8 + i] = salt[i] ^ U[i];
        v[12 + i] = U[4 + i] ^ (i < 2 ? low : high);
    }
#endif
}

FIN_INLINE void FIN_CAT(FIN_KERNEL, _feed)(fin_state *state, const WORD v[16])
{
    WORD *h = state->h.H_WORDS;
#if !FIN_V(IS_BLAKE2)
    const WORD *salt = state->salt.H_WORDS;
#endif
    for (size_t i = 0; i < 8; i++) {
#if FIN_V(IS_BLAKE3)
        h[8 + i] = h[i] ^ v[8 + i];
        h[i] = v[i] ^ v[8 + i];
#elif FIN_V(IS_BLAKE2)
        h[i] ^= v[i] ^ v[8 + i];
#else
        h[i] ^= salt[i % 4] ^ v[i] ^ v[8 + i];
#endif
    }
}

#ifdef FIN_STRAIGHT
/* Compresses a block with the function's own number of rounds. */
static FIN_NOINLINE void FIN_CAT(FIN_KERNEL, _straight)(fin_state *state, const uint8_t *in,
                                                        WORD low, WORD high)
{
    WORD v[16], m[16];
    FIN_CAT(FIN_KERNEL, _start)(v, m, state, in, low, high);
    FIN_ROUND(0)
    FIN_ROUND(1)
    FIN_ROUND(2)
    FIN_ROUND(3)
    FIN_ROUND(4)
    FIN_ROUND(5)
    FIN_ROUND(6)
    FIN_ROUND(7)
    FIN_ROUND(8)
    FIN_ROUND(9)
#if FIN_V(ROUNDS) == 12
    FIN_ROUND(0)
    FIN_ROUND(1)
#endif
    FIN_CAT(FIN_KERNEL, _feed)(state, v);
}
#endif

static void FIN_KERNEL(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,
                       uint32_t increment)
{
    uint64_t t0 = state->t[0];
    uint64_t t1 = state->t[1];
#if FIN_V(IS_BLAKE3)
    const uint8_t *const first = in;
#endif
    for (; blocks != 0; blocks--, in += stride) {
        WORD v[16], m[16];
        t0 += increment;
        t1 += t0 < increment;
        /* Low and high word of the counter. */
        const WORD low = (WORD)t0;
        const WORD high = FIN_V(WORD_BITS) == 64 ? (WORD)t1 : (WORD)(t0 >> 32);
#ifdef FIN_STRAIGHT
        if (state->rounds == FIN_V(ROUNDS)) {
            FIN_CAT(FIN_KERNEL, _straight)(state, in, low, high);
            continue;
        }
#endif
        FIN_CAT(FIN_KERNEL, _start)(v, m, state, in, low, high);
#if FIN_V(IS_BLAKE3)
        v[14] = blocks == 1 ? (WORD)state->f[0] : 64;
        v[15] = fin_block_flags(state->f[1], in == first, blocks == 1);
#endif
        FIN_CAT(FIN_KERNEL, _permute)(v, m, FIN_V(IS_BLAKE3) ? FIN_V(ROUNDS) : state->rounds);
        FIN_CAT(FIN_KERNEL, _feed)(state, v);
    }
}

#undef WORD
#undef H_WORDS
#undef U
#undef V_ROT
#undef V_ADD
#undef V_XOR
#undef V_BARRIER
#undef V_ROT1
#undef V_ROT2
#undef V_ROT3
#undef V_ROT4
#undef FIN_WORD_OF
#undef FIN_GI
#undef FIN_ROUND
#undef FIN_ROUND_OR_LAST
#undef FIN_G_6_AND_7
#undef FIN_READ_ANEW
#undef FIN_KERNEL
#undef FIN_VARIANT
#undef FIN_ROLLED
#undef FIN_STRAIGHT
