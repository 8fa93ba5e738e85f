/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl in bit slices, one message: included by kern/groestl/bitslice.h if not for lanes.
 */

/* Computes h ^ P(h ^ m) and, if with_q, ^ Q(m), all in planes. */
#if SIDES == 1

static void FN(_p)(plane q[REGISTERS][8])
{
    FN(_permute)(q, 0);
}

static void FN(_q)(plane q[REGISTERS][8])
{
    FN(_permute)(q, 1);
}

static void FN(_block)(uint64_t h[WORDS][8], uint64_t m[WORDS][8], bool with_q)
{
    uint64_t p[WORDS][8];
    for (unsigned w = 0; w < WORDS; w++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            p[w][bit] = h[w][bit] ^ m[w][bit];
        }
    }
    FN(_p)(p);
    if (with_q) {
        FN(_q)(m);
    }
    for (unsigned w = 0; w < WORDS; w++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            h[w][bit] ^= p[w][bit] ^ (with_q ? m[w][bit] : 0);
        }
    }
}

#else

static void FN(_block)(uint64_t h[WORDS][8], uint64_t m[WORDS][8], bool with_q)
{
    plane x[REGISTERS][8];
    FIN_ALIGN_STACK(plane);
    for (unsigned w = 0; w < REGISTERS; w++) {
        for (unsigned bit = 0; bit < 8; bit++) {
#define SIDE(side, word) (m[word][bit] ^ ((side) == 0 ? h[word][bit] : 0))
            x[w][bit] = LANES(SIDE, 0, w);
#undef SIDE
        }
    }
    FN(_permute)(x, 0);
    const unsigned lanes = PLANE_LANES / 2;
    for (unsigned w = 0; w < WORDS; w++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            const plane both = x[w / lanes][bit];
            h[w][bit] ^= both[w % lanes] ^ (with_q ? both[lanes + w % lanes] : 0);
        }
    }
}

#endif

/* The chaining value stays in planes from the first block to the last. */
static FIN_NOINLINE void FN(_run)(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,
                                  bool finish)
{
    uint64_t h[WORDS][8], m[WORDS][8];
    memcpy(h, state->h.w64, sizeof h);
    for (unsigned w = 0; w < WORDS; w++) {
        fin_transpose_planes(h[w]);
    }
    for (; blocks != 0; blocks--, in += stride) {
        for (unsigned w = 0; w < WORDS; w++) {
            for (unsigned j = 0; j < 8; j++) {
                m[w][j] = fin_load64_le(in + 64 * w + 8 * j);
            }
            fin_transpose_planes(m[w]);
        }
        FN(_block)(h, m, true);
    }
    if (finish) {
        memset(m, 0, sizeof m);
        FN(_block)(h, m, false);
    }
    for (unsigned w = 0; w < WORDS; w++) {
        fin_transpose_planes(h[w]);
    }
    memcpy(state->h.w64, h, sizeof h);
}

FIN_GROESTL_MESSAGE(FIN_KERNEL, FN(_run))
