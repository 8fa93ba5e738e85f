/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl in bit slices with a message in each lane of a register: included by
 * kern/groestl/bitslice.h for lanes.
 */

/* Computes P or Q of a copy: clang would store its argument's planes in every round. */
FIN_INLINE void FN(_permute_copy)(plane q[WORDS][8], unsigned side)
{
    plane x[WORDS][8];
    FIN_ALIGN_STACK(plane);
    memcpy(x, q, sizeof x);
    FN(_permute)(x, side);
    memcpy(q, x, sizeof x);
}

static FIN_NOINLINE void FN(_p)(plane q[WORDS][8])
{
    FN(_permute_copy)(q, 0);
}

static FIN_NOINLINE void FN(_q)(plane q[WORDS][8])
{
    FN(_permute_copy)(q, 1);
}

/* Loads columns of every message as 64-bit words and converts them to planes. */
static void FN(_load)(plane q[WORDS][8], const uint8_t *const in[PLANE_LANES], size_t offset)
{
    for (unsigned w = 0; w < WORDS; w++) {
        for (unsigned j = 0; j < 8; j++) {
            for (unsigned lane = 0; lane < PLANE_LANES; lane++) {
                q[w][j][lane] = fin_load64_le(in[lane] + offset + 64 * w + 8 * j);
            }
        }
        fin_transpose_planes(q[w]);
    }
}

/* Computes h ^ P(h ^ m) ^ Q(m) or, without a message, h ^ P(h). */
static void FN(_block)(plane h[WORDS][8], plane (*m)[8])
{
    plane p[WORDS][8];
    for (unsigned w = 0; w < WORDS; w++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            p[w][bit] = m != NULL ? h[w][bit] ^ m[w][bit] : h[w][bit];
        }
    }
    FN(_p)(p);
    if (m != NULL) {
        FN(_q)(m);
    }
    for (unsigned w = 0; w < WORDS; w++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            h[w][bit] ^= m != NULL ? p[w][bit] ^ m[w][bit] : p[w][bit];
        }
    }
}

static void FN(_run)(fin_lanes *lanes, size_t blocks, size_t stride, bool finish)
{
    plane h[WORDS][8], m[WORDS][8];
    uint64_t *words = lanes->row.w64;
    const uint8_t *in[PLANE_LANES];
    for (unsigned lane = 0; lane < PLANE_LANES; lane++) {
        in[lane] = (const uint8_t *)(words + 8 * WORDS * lane);
    }
    FN(_load)(h, in, 0);
    for (size_t k = 0; k < blocks; k++) {
        FN(_load)(m, lanes->in, k * stride);
        FN(_block)(h, m);
    }
    if (finish) {
        FN(_block)(h, NULL);
    }
    for (unsigned w = 0; w < WORDS; w++) {
        fin_transpose_planes(h[w]);
        for (unsigned j = 0; j < 8; j++) {
            for (unsigned lane = 0; lane < PLANE_LANES; lane++) {
                words[8 * (WORDS * lane + w) + j] = h[w][j][lane];
            }
        }
    }
    fin_groestl_advance(lanes, PLANE_LANES, blocks, stride);
}

FIN_GROESTL_LANES(FIN_KERNEL, FN(_run))
