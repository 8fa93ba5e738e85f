/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The second half of kern/blake/lanes.h for 32 registers: rounds are unrolled, so that sigma is
 * part of the addresses, and the four G's of a step are interleaved.
 *
 * BLAKE's rounds 10, 11, .. load the sums of words and constants that rounds 0, 1, .. stored.
 * Stores and memory operands take no port that vectors need.
 *
 * The next block is transposed during rounds 6 to 9 (BLAKE3: 2 to 5), into the other half of
 * lanes->message: its rows are stored in 16-byte chunks, and a load of a whole row waits until
 * these have reached the cache.
 */
#if !defined(FIN_PARTS32) || !defined(FIN_PARTS64)
#error "vec/lanes_*.h without laneB_transpose_part"
#endif
#if FIN_STREAMS != 1
#error "unrolled rounds are of one stream"
#endif

/* gcc 12 keeps the source order only without its second scheduling pass: 1 to 7 per cent. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-schedule-insns2")
#endif

#if FIN_V(WORD_BITS) == 64
#define PARTS FIN_PARTS64
#else
#define PARTS FIN_PARTS32
#endif

/* A block of every lane, to be transposed. */
typedef struct FN(_blocks) {
    WORD *m; /* rows for its words; null if there is no block */
    const uint8_t *const *in;
    size_t offset; /* from in */
    size_t own_words;
} FN(_blocks);

/* Input of a block's rounds. */
typedef struct FN(_source) {
    const WORD *m;    /* rows of its words */
    const WORD *u;    /* constants */
    const WORD *sums; /* of constant padding words and constants, in the order of the rounds */
    WORD *kept;       /* rows of sums of words and constants */
} FN(_source);

/* Here and below, own is how many words of the block differ from lane to lane. */
#define IS_COMMON(own, r, i) (fin_sigma[r][i] >= (own))

/* Returns a + word i of round r, for BLAKE XORed with constant j; both are indexes into sigma. */
FIN_INLINE VEC FN(_add_word)(VEC a, const FN(_source) * from, size_t own, int r, int i, int j)
{
    const WORD *row = from->m + (size_t)LANES * fin_sigma[r][i];
#if FIN_V(IS_BLAKE2)
    (void)j;
    return IS_COMMON(own, r, i) ? a : V(_barrier)(V(_add)(a, V(_load)(row)));
#else
    if (IS_COMMON(own, r, i)) {
        return V(_barrier)(V(_add)(a, V(_set1)(from->sums[16 * r + i])));
    }
    const VEC sum = V(_xor)(V(_load)(row), V(_set1)(from->u[fin_sigma[r][j]]));
    if (r < KEPT) {
        V(_store)(from->kept + LANES * (size_t)(16 * r + i), sum);
    }
    return V(_barrier)(V(_add)(a, sum));
#endif
}

/* The same in a round whose sums were kept. */
FIN_INLINE VEC FN(_add_again)(VEC a, const FN(_source) * from, size_t own, int r, int i, int j)
{
    (void)j;
    const VEC sum = IS_COMMON(own, r, i) ? V(_set1)(from->sums[16 * r + i])
                                         : V(_load)(from->kept + LANES * (size_t)(16 * r + i));
    return V(_barrier)(V(_add)(a, sum));
}

/* Transposes a quarter of the next block in each of four rounds. */
FIN_INLINE void FN(_transpose_ahead)(const FN(_blocks) * ahead, int round)
{
    const int from = FIN_V(IS_BLAKE3) ? 12 : 6;
    if (round < from || round > from + 3 || ahead->m == NULL) {
        return;
    }
    const size_t quarter = (size_t)(round - from);
    for (size_t part = quarter * PARTS / 4; part < (quarter + 1) * PARTS / 4; part++) {
        /* With 64-bit words, a part yields only rows of its own half of the block. */
        if (part * 16 / PARTS >= ahead->own_words) {
            return;
        }
        V(_transpose_part)(ahead->m, ahead->in, ahead->offset, part, !FIN_V(IS_BLAKE2));
    }
}

#define ROT(k) FIN_CAT(V(_ror_), FIN_V(R##k))
#define FRESH(a, r, i, j) FN(_add_word)(a, &from, own, r, i, j)
#define AGAIN(a, r, i, j) FN(_add_again)(a, &from, own, r, i, j)

/*
 * Half a G on v0 .. v3 and the other rows as diagonalised. It begins at index x of sigma; k is 0
 * for the first half and 1 for the second. Rotations, which fewer ports execute, alternate with
 * other operations. The state is sixteen variables because gcc 12 would keep an array in memory.
 */
#define HALF(ADD_WORD, r, x, k, RA, RB, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3) \
    v0 = ADD_WORD(v0, r, (x) + (k), (x) + 1 - (k));                                     \
    v1 = ADD_WORD(v1, r, (x) + 2 + (k), (x) + 3 - (k));                                 \
    v2 = ADD_WORD(v2, r, (x) + 4 + (k), (x) + 5 - (k));                                 \
    v3 = ADD_WORD(v3, r, (x) + 6 + (k), (x) + 7 - (k));                                 \
    v0 = V(_add)(v0, b0), v1 = V(_add)(v1, b1);                                         \
    v2 = V(_add)(v2, b2), v3 = V(_add)(v3, b3);                                         \
    d0 = V(_xor)(d0, v0), d1 = V(_xor)(d1, v1);                                         \
    d0 = RA(d0), d2 = V(_xor)(d2, v2), d1 = RA(d1);                                     \
    d3 = V(_xor)(d3, v3), d2 = RA(d2);                                                  \
    c0 = V(_add)(c0, d0), d3 = RA(d3), c1 = V(_add)(c1, d1);                            \
    c2 = V(_add)(c2, d2), c3 = V(_add)(c3, d3);                                         \
    b0 = V(_xor)(b0, c0), b1 = V(_xor)(b1, c1);                                         \
    b0 = RB(b0), b2 = V(_xor)(b2, c2), b1 = RB(b1);                                     \
    b3 = V(_xor)(b3, c3), b2 = RB(b2), b3 = RB(b3)
#define STEP(ADD_WORD, r, x, ...)                         \
    HALF(ADD_WORD, r, x, 0, ROT(1), ROT(2), __VA_ARGS__); \
    HALF(ADD_WORD, r, x, 1, ROT(3), ROT(4), __VA_ARGS__)

#if FIN_V(IS_BLAKE3)
#define LEAVE_IF_DONE
#else
#define LEAVE_IF_DONE    \
    if (rounds-- == 0) { \
        goto done;       \
    }
#endif

/* Round r of sigma, unless all rounds are done. It reads through pointers hidden from the
   optimiser: otherwise words and sums stay in registers, and are spilled, from round to round. */
#define ROUND(ADD_WORD, r)                                                          \
    do {                                                                            \
        LEAVE_IF_DONE                                                               \
        __asm__ volatile("" : "+r"(from.m), "+r"(from.u) : : "memory");             \
        __asm__ volatile("" : "+r"(from.sums), "+r"(from.kept));                    \
        FN(_transpose_ahead)(ahead, r);                                             \
        STEP(ADD_WORD, r, 0, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15); \
        STEP(ADD_WORD, r, 8, v5, v6, v7, v4, v10, v11, v8, v9, v15, v12, v13, v14); \
    } while (0)

#define LOAD(i) V(_load)(ROW(i, 0))
#if FIN_V(IS_BLAKE3)
#define H(i) h[i]
#define FEED_FORWARD(i, x, y) h[i] = V(_xor)(x, y)
#define SEED(i) V(_set1)(FIN_V(IV)[i])
#define SEED_LAST(i) last[(i) - 12]
#elif FIN_V(IS_BLAKE2)
#define H(i) LOAD(i)
#define FEED_FORWARD(i, x, y) V(_store)(ROW(i, 0), V(_xor3)(LOAD(i), x, y))
#define SEED(i) V(_set1)(FIN_V(IV)[i])
#define SEED_LAST(i) V(_xor)(SEED((i) - 8), LOAD(FIN_LANE_T + (i) - 12))
#else
/* XORs the salt. No branch tests for one, since it may be secret. */
#define H(i) LOAD(i)
#define SALTED(i) V(_xor)(LOAD(i), V(_set1)(lanes->salt.WORDS[(i) % 4]))
#define FEED_FORWARD(i, x, y) V(_store)(ROW(i, 0), V(_xor3)(SALTED(i), x, y))
#define SEED(i) V(_set1)(lanes->salt.WORDS[i] ^ U[i])
#define SEED_LAST(i) V(_xor)(V(_set1)(U[(i) - 8]), LOAD(FIN_LANE_T + ((i) - 12) / 2))
#endif

/* BLAKE3's chaining values are h and its v12 .. v15 are last; BLAKE and BLAKE2 load theirs from
   lanes. */
FIN_INLINE void FN(_compress_as)(fin_lanes *lanes, VEC *h, const VEC *last, const WORD *m,
                                 const FN(_blocks) * ahead, size_t own)
{
    (void)h;
    (void)last;
    (void)lanes;
    FN(_source) from = {.m = m, .u = U};
#if KEPT
    /* Word 13 contains the padding's last bit. */
    from.sums = own == 16 ? NULL : SUMS + 160 * (lanes->common_words.WORDS[13 - OWN_WORDS] & 1);
    _Alignas(VEC) uint8_t sums[FN(_sums_bytes)];
    from.kept = FN(_kept)(sums, m + (size_t)16 * LANES);
#endif
#if !FIN_V(IS_BLAKE3)
    uint64_t rounds = lanes->rounds;
#endif
    VEC v0 = H(0), v1 = H(1), v2 = H(2), v3 = H(3), v4 = H(4), v5 = H(5), v6 = H(6), v7 = H(7);
    VEC v8 = SEED(0), v9 = SEED(1), v10 = SEED(2), v11 = SEED(3);
    VEC v12 = SEED_LAST(12), v13 = SEED_LAST(13), v14 = SEED_LAST(14), v15 = SEED_LAST(15);
#if FIN_V(IS_BLAKE3)
    ROUND(FRESH, 10);
    ROUND(FRESH, 11);
    ROUND(FRESH, 12);
    ROUND(FRESH, 13);
    ROUND(FRESH, 14);
    ROUND(FRESH, 15);
    ROUND(FRESH, 16);
#else
#if KEPT
    ROUND(FRESH, 0);
    ROUND(FRESH, 1);
    ROUND(FRESH, 2);
    ROUND(FRESH, 3);
#endif
#if KEPT > 4
    ROUND(FRESH, 4);
    ROUND(FRESH, 5);
#endif
again:
#if !KEPT
    ROUND(FRESH, 0);
    ROUND(FRESH, 1);
    ROUND(FRESH, 2);
    ROUND(FRESH, 3);
#endif
#if KEPT <= 4
    ROUND(FRESH, 4);
    ROUND(FRESH, 5);
#endif
    ROUND(FRESH, 6);
    ROUND(FRESH, 7);
    ROUND(FRESH, 8);
    ROUND(FRESH, 9);
#if KEPT
    ROUND(AGAIN, 0);
    ROUND(AGAIN, 1);
    ROUND(AGAIN, 2);
    ROUND(AGAIN, 3);
#endif
#if KEPT > 4
    ROUND(AGAIN, 4);
    ROUND(AGAIN, 5);
#endif
    goto again;
done:
#endif
    FEED_FORWARD(0, v0, v8);
    FEED_FORWARD(1, v1, v9);
    FEED_FORWARD(2, v2, v10);
    FEED_FORWARD(3, v3, v11);
    FEED_FORWARD(4, v4, v12);
    FEED_FORWARD(5, v5, v13);
    FEED_FORWARD(6, v6, v14);
    FEED_FORWARD(7, v7, v15);
}

#if !FIN_V(IS_BLAKE3)
static FIN_NOINLINE void FN(_compress)(fin_lanes *lanes, const WORD *m, const FN(_blocks) * ahead)
{
    FN(_compress_as)(lanes, NULL, NULL, m, ahead, 16);
}
#endif

#if HAS_COMMON_HALF || HAS_COMMON_LAST
static FIN_NOINLINE void FN(_compress_common)(fin_lanes *lanes, const WORD *m,
                                              const FN(_blocks) * ahead)
{
    FN(_compress_as)(lanes, NULL, NULL, m, ahead, OWN_WORDS);
}
#endif

static FIN_NOINLINE void FN(_ahead)(fin_lanes *lanes, size_t blocks, size_t stride, fin_lanes *next,
                                    const uint8_t *const *in)
{
    /* Fewer rounds would not transpose all parts of the next block. */
    const bool in_rounds = FIN_V(IS_BLAKE3) || lanes->rounds >= 10;
    const size_t half_words = (size_t)16 * LANES;
#if FIN_V(IS_BLAKE3)
    VEC h[8] = {LOAD(0), LOAD(1), LOAD(2), LOAD(3), LOAD(4), LOAD(5), LOAD(6), LOAD(7)};
#endif
    for (size_t k = 0; k < blocks; k++) {
        const bool is_last = k + 1 == blocks;
        const uint32_t half = lanes->half;
        fin_lanes *to = !in_rounds ? NULL : is_last ? next : lanes;
        FN(_blocks)
        ahead = {.in = is_last ? in : lanes->in, .offset = is_last ? 0 : (k + 1) * stride};
        if (to != NULL) {
            ahead.m = to->message.WORDS + (1 - half) * half_words;
            ahead.own_words = FN(_own_words)(to, is_last ? 0 : k + 1, blocks);
        }
        const size_t own_words = FN(_own_words)(lanes, k, blocks);
        WORD *m = lanes->message.WORDS + half * half_words;
        if (!lanes->ready) {
            FN(_transpose)(m, lanes, k * stride, own_words);
        }
        if (k + 2 < blocks) {
            FN(_prefetch)(lanes, (k + 2) * stride);
        }
        FN(_count)(lanes, 0);
#if HAS_COMMON_HALF || HAS_COMMON_LAST
        if (own_words != 16) {
            FN(_compress_common)(lanes, m, &ahead);
        } else
#endif
        {
#if FIN_V(IS_BLAKE3)
            const VEC last[4] = {LOAD(FIN_LANE_T), LOAD(FIN_LANE_T + 1),
                                 FN(_block_length)(lanes, 0, is_last),
                                 FN(_block_flags)(lanes, 0, k == 0, is_last)};
            FN(_compress_as)(NULL, h, last, m, &ahead, 16);
#else
            FN(_compress)(lanes, m, &ahead);
#endif
        }
        lanes->ready = false;
        if (to != NULL) {
            to->ready = true;
            to->half = 1 - half;
        }
    }
#if FIN_V(IS_BLAKE3)
    for (size_t i = 0; i < 8; i++) {
        V(_store)(ROW(i, 0), h[i]);
    }
#endif
    if (next != NULL && !in_rounds) {
        next->ready = false;
    }
    for (size_t i = 0; i < LANES; i++) {
        lanes->in[i] += blocks * stride;
    }
}

static void FIN_KERNEL(fin_lanes *lanes, size_t blocks, size_t stride)
{
    lanes->ready = false;
    lanes->half = 0;
    FN(_ahead)(lanes, blocks, stride, NULL, NULL);
}

#if FIN_V(IS_BLAKE3) && FIN_HAS_KERNEL(BLAKE3)
/* Compresses the only block of nodes. */
FIN_INLINE void FN(_one_block)(VEC h[8], const VEC last[4], const WORD *m)
{
    const FN(_blocks) none = {.m = NULL};
    FN(_compress_as)(NULL, h, last, m, &none, 16);
}
#include "kern/blake/one_block.h"
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#undef PARTS
#undef ROT
#undef FRESH
#undef IS_COMMON
#undef AGAIN
#undef HALF
#undef STEP
#undef ROUND
#undef LEAVE_IF_DONE
#undef LOAD
#undef H
#undef FEED_FORWARD
#undef SALTED
#undef SEED
#undef SEED_LAST
