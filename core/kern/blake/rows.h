/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The BLAKE family in four row vectors, a = v0..v3, b = v4..v7, c = v8..v11, d = v12..v15: one G
 * acts on all four columns. Included once for each implementation.
 *
 *   FIN_VARIANT        see kern/blake/variants.h
 *   FIN_KERNEL         the name of the function to define
 *   FIN_WAYS           optional: a row holds four words of each of FIN_WAYS messages (AVX paper,
 *                      section 5.2; vec/ways_*.h); the function compresses them together
 *   FIN_ROW32          optional: their vector, if it is not vec32
 *   FIN_LOADER         the message schedule (in kern/blake/load/): a type NAME and functions
 *                      NAME_prepare(loader, in, big_endian) and
 *                      NAME_step(loader, x, y, step) with step = 2 * round, + 1 for the diagonals;
 *                      in is the block, or an array of several messages' blocks
 *   FIN_NEXT           optional, of BLAKE3: the schedule's function that computes a round's words
 *                      from those of the round before; the rounds are a loop
 *   FIN_NEXT_UNROLLED  optional: the rounds are unrolled: a few per cent faster, five times the code
 *   FIN_CACHED_ROUNDS  optional: keep the permuted messages of this many first rounds, XORed with
 *                      the constants, for rounds from 10 on (AVX paper, sections 4.3 and 6.1)
 *
 * Between the column and the diagonal step the rows are rotated against each other. b is the row
 * that a G produces last and the next G needs first, so b stays, and a, c and d are rotated
 * instead, each off the critical path:
 *
 *        column step              diagonal step
 *   a    v0   v1   v2   v3        v3   v0   v1   v2
 *   b    v4   v5   v6   v7        v4   v5   v6   v7
 *   c    v8   v9   v10  v11       v9   v10  v11  v8
 *   d    v12  v13  v14  v15       v14  v15  v12  v13
 *        G0   G1   G2   G3        G7   G4   G5   G6
 */
#include "kern/blake/g.h"
#include "kern/blake/variants.h"
#include "vec/isa.h"

#if !defined(FIN_LOADER)
#error "FIN_LOADER is to be defined"
#endif

/* gcc 12 keeps the source order only without its second scheduling pass: 0.5 to 5 per cent on x86.
   The filler's positions were found with that pass. */
#if defined(__GNUC__) && !defined(__clang__) && FIN_ISA_SSE2 && !defined(FIN_INTERLEAVE_ROR) && \
    !defined(FIN_INTERLEAVE_SHIFT)
#pragma GCC push_options
#pragma GCC optimize("no-schedule-insns2")
#ifdef FIN_WAYS
/* gcc 12 also keeps rows of one round on the stack for another one. */
#pragma GCC optimize("no-tree-pre")
#endif
#define FIN_AS_ORDERED
#endif

#ifdef FIN_WAYS
#define FIN_BLOCKS const uint8_t *const *
#define V_REPEAT(words) V(_repeat)(words)
#else
#define FIN_BLOCKS const uint8_t *
#define V_REPEAT(words) V(_load)(words)
#endif

#if FIN_V(WORD_BITS) == 64
#define WORD uint64_t
#define H_WORDS w64
#define U_ROWS fin_u512_rows
#define U_WAYS fin_u512_ways
#define U fin_u512
#define VEC vec64
#else
#define WORD uint32_t
#define H_WORDS w32
#define U_ROWS fin_u256_rows
#define U_WAYS fin_u256_ways
#define U fin_u256
#ifdef FIN_ROW32
#define VEC FIN_ROW32
#else
#define VEC vec32
#endif
#endif

#define FN(name) FIN_CAT(FIN_KERNEL, name)
#define V(name) FIN_CAT(VEC, name)
/* Applies G to whole rows, or to one half after the other where the vector abstraction says so. */
#if FIN_V(WORD_BITS) == 64 && defined(FIN_HALVES_ONE_BY_ONE)
#define VG half64
#define FIN_G_OF_ROWS(v, x, y)                                         \
    FIN_G((v)->a.lo, (v)->b.lo, (v)->c.lo, (v)->d.lo, (x).lo, (y).lo); \
    FIN_G((v)->a.hi, (v)->b.hi, (v)->c.hi, (v)->d.hi, (x).hi, (y).hi)
#else
#define VG VEC
#define FIN_G_OF_ROWS(v, x, y) FIN_G((v)->a, (v)->b, (v)->c, (v)->d, x, y)
#endif
#define V_ADD(a, b) FIN_CAT(VG, _add)(a, b)
#define V_XOR(a, b) FIN_CAT(VG, _xor)(a, b)
#define V_BARRIER(x) FIN_CAT(VG, _barrier)(x)
#define V_ROT(x, n) FIN_CAT(FIN_CAT(VG, _ror_), n)(x)
#define V_ROT1(x) V_ROT(x, FIN_V(R1))
#define V_ROT2(x) V_ROT(x, FIN_V(R2))
#define V_ROT3(x) V_ROT(x, FIN_V(R3))
#define V_ROT4(x) V_ROT(x, FIN_V(R4))

typedef struct FN(_rows) {
    VEC a, b, c, d;
} FN(_rows);

/* Row i of the constants of round r. */
#ifdef FIN_WAYS_512_H
#define U_ROW(r, i) V(_load)(U_WAYS[r][i])
#else
#define U_ROW(r, i) V_REPEAT(U_ROWS[r][i])
#endif

/* Returns x and y of a step, for BLAKE XORed with the constants. */
FIN_INLINE void FN(_message)(const FIN_LOADER *loader, VEC *x, VEC *y, int step)
{
    FIN_CAT(FIN_LOADER, _step)(loader, x, y, step);
#if !FIN_V(IS_BLAKE2)
    *x = V(_xor)(*x, U_ROW(step / 2, 2 * (step % 2)));
    *y = V(_xor)(*y, U_ROW(step / 2, 2 * (step % 2) + 1));
#endif
}

FIN_INLINE void FN(_column_step)(FN(_rows) * v, VEC x, VEC y)
{
    FIN_G_OF_ROWS(v, x, y);
}

FIN_INLINE void FN(_diagonal_step)(FN(_rows) * v, VEC x, VEC y)
{
    v->a = V(_rotate_words3)(v->a);
    v->c = V(_rotate_words1)(v->c);
    v->d = V(_rotate_words2)(v->d);
    FIN_G_OF_ROWS(v, x, y);
    v->a = V(_rotate_words1)(v->a);
    v->c = V(_rotate_words3)(v->c);
    v->d = V(_rotate_words2)(v->d);
}

#ifdef FIN_CACHED_ROUNDS
#define FIN_KEEP(step)                    \
    if ((step) < 2 * FIN_CACHED_ROUNDS) { \
        V(_store)(&cache[step][0], x);    \
        V(_store)(&cache[step][1], y);    \
    }
#else
#define FIN_KEEP(step)
#endif

/* Round r; leaves the loop after the last requested round. */
#define FIN_ROUND(r)                            \
    FN(_message)(&loader, &x, &y, 2 * (r));     \
    FIN_KEEP(2 * (r))                           \
    FN(_column_step)(v, x, y);                  \
    FN(_message)(&loader, &x, &y, 2 * (r) + 1); \
    FIN_KEEP(2 * (r) + 1)                       \
    FN(_diagonal_step)(v, x, y);                \
    if (--rounds == 0) {                        \
        break;                                  \
    }

/* The ten rounds of BLAKE and BLAKE2, or the seven of BLAKE3. */
#if FIN_V(IS_BLAKE3)
#define FIN_ROUNDS_OF_SCHEDULE \
    FIN_ROUND(10)              \
    FIN_ROUND(11)              \
    FIN_ROUND(12)              \
    FIN_ROUND(13)              \
    FIN_ROUND(14)              \
    FIN_ROUND(15)              \
    FIN_ROUND(16)
#else
#define FIN_ROUNDS_OF_SCHEDULE \
    FIN_ROUND(0)               \
    FIN_ROUND(1)               \
    FIN_ROUND(2)               \
    FIN_ROUND(3)               \
    FIN_ROUND(4)               \
    FIN_ROUND(5)               \
    FIN_ROUND(6)               \
    FIN_ROUND(7)               \
    FIN_ROUND(8)               \
    FIN_ROUND(9)
#endif

/* Reloads the message every ten rounds, through a pointer hidden from the optimiser: otherwise
   compilers see that the schedule repeats and compute all of it before the first round, which
   waits. */
FIN_INLINE void FN(_permute)(FN(_rows) * v, FIN_BLOCKS in, uint64_t rounds)
{
    FIN_LOADER loader;
    VEC x, y;
#ifdef FIN_NEXT
    FIN_CAT(FIN_LOADER, _prepare)(&loader, in, false);
#ifdef FIN_NEXT_UNROLLED
#pragma GCC unroll 7
#else
#pragma GCC unroll 1
#endif
    for (uint64_t r = 0; r < rounds; r++) {
        FN(_message)(&loader, &x, &y, 0);
        FN(_column_step)(v, x, y);
        FN(_message)(&loader, &x, &y, 1);
        FN(_diagonal_step)(v, x, y);
        FIN_NEXT(&loader);
    }
#else
#ifdef FIN_CACHED_ROUNDS
    _Alignas(64) WORD cache[2 * FIN_CACHED_ROUNDS][2][4];
#endif
    while (rounds != 0) {
        __asm__("" : "+r"(in));
        FIN_CAT(FIN_LOADER, _prepare)(&loader, in, !FIN_V(IS_BLAKE2));
        FIN_ROUNDS_OF_SCHEDULE
#ifdef FIN_CACHED_ROUNDS
        for (int r = 0; r < FIN_CACHED_ROUNDS && rounds != 0; r++, rounds--) {
            x = V(_load)(&cache[2 * r][0]);
            y = V(_load)(&cache[2 * r][1]);
            FN(_column_step)(v, x, y);
            x = V(_load)(&cache[2 * r + 1][0]);
            y = V(_load)(&cache[2 * r + 1][1]);
            FN(_diagonal_step)(v, x, y);
        }
        break;
#endif
    }
#endif
}

/* BLAKE adds the salt; BLAKE3 does not add h. a and b are known last. */
#if FIN_V(IS_BLAKE3)
#define FIN_FEED(h, x, y) V(_xor)(x, y)
#elif FIN_V(IS_BLAKE2)
#define FIN_FEED(h, x, y) V(_xor)(V(_xor)(h, x), y)
#else
#define FIN_FEED(h, x, y) V(_xor)(V(_xor)(V(_xor)(h, salt), x), y)
#endif

#ifndef FIN_WAYS

static void FIN_KERNEL(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,
                       uint32_t increment)
{
    uint64_t t0 = state->t[0];
    uint64_t t1 = state->t[1];
    WORD *h = state->h.H_WORDS;
    VEC h_low = V(_load_pieces)(h);
    VEC h_high = V(_load_pieces)(h + 4);
#if FIN_V(IS_BLAKE3)
    const VEC c_start = V(_load)(FIN_V(IV));
    const uint8_t *const first = in;
    VEC out_low = h_low, out_high = h_high;
#elif FIN_V(IS_BLAKE2)
    const VEC c_start = V(_load)(FIN_V(IV));
    const VEC d_start =
        V(_xor)(V(_load)(FIN_V(IV) + 4), V(_set)(0, 0, (WORD)state->f[0], (WORD)state->f[1]));
#else
    const VEC salt = V(_load_pieces)(state->salt.H_WORDS);
    const VEC c_start = V(_xor)(salt, V(_load)(U));
    const VEC d_start = V(_load)(U + 4);
#endif
    for (; blocks != 0; blocks--, in += stride) {
        t0 += increment;
        t1 += t0 < increment;
        const WORD low = (WORD)t0;
        const WORD high = FIN_V(WORD_BITS) == 64 ? (WORD)t1 : (WORD)(t0 >> 32);
#if FIN_V(IS_BLAKE3)
        const VEC d = V(_set)(low, high, blocks == 1 ? (WORD)state->f[0] : 64,
                              fin_block_flags(state->f[1], in == first, blocks == 1));
#elif FIN_V(IS_BLAKE2)
        const VEC d = V(_xor)(d_start, V(_set)(low, high, 0, 0));
#else
        const VEC d = V(_xor)(d_start, V(_set)(low, low, high, high));
#endif
        FN(_rows) v = {h_low, h_high, c_start, d};
        FN(_permute)(&v, in, FIN_V(IS_BLAKE3) ? FIN_V(ROUNDS) : state->rounds);
#if FIN_V(IS_BLAKE3)
        out_low = V(_xor)(h_low, v.c);
        out_high = V(_xor)(h_high, v.d);
#endif
        h_low = FIN_FEED(h_low, v.c, v.a);
        h_high = FIN_FEED(h_high, v.d, v.b);
    }
    V(_store)(h, h_low);
    V(_store)(h + 4, h_high);
#if FIN_V(IS_BLAKE3)
    V(_store)(h + 8, out_low);
    V(_store)(h + 12, out_high);
#endif
}

#else

#if FIN_V(IS_BLAKE3)

/* Masks of the bits that are cleared in a message's counter, length and flags: in its last block; in
   other blocks, whose length is 64; and to keep the flags alone. */
static const _Alignas(16) WORD FN(_not_last)[4] = {0, 0, 0, 0xffffff00};
static const _Alignas(16) WORD FN(_not_middle)[4] = {0, 0, 0xffffffff, 0xffffff00};
static const _Alignas(16) WORD FN(_not_flags)[4] = {0xffffffff, 0xffffffff, 0xffffffff, 0xffffff00};
static const _Alignas(16) WORD FN(_full)[4] = {0, 0, 64, 0};

/* Compresses blocks of FIN_WAYS messages into h, their chaining values. t: four words of each
   message, those of the rows from FIN_LANE_T on. v12 .. v15 are each block's counter, length and
   flags. */
static FIN_NOINLINE void FN(_blocks)(VEC h[2], VEC t, const uint8_t **in, size_t blocks,
                                     size_t stride)
{
    const VEC not_flags = V_REPEAT(FN(_not_flags));
    const VEC last =
        V(_xor)(V(_and_not)(t, V_REPEAT(FN(_not_last))), V(_and_not)(V(_ror_16)(t), not_flags));
    const VEC middle = V(_xor)(V(_and_not)(t, V_REPEAT(FN(_not_middle))), V_REPEAT(FN(_full)));
    VEC first = V(_and_not)(V(_ror_8)(t), not_flags);
    VEC h_low = h[0], h_high = h[1];
    for (; blocks != 0; blocks--) {
        const VEC d = V(_xor)(blocks == 1 ? last : middle, first);
        FN(_rows) v = {h_low, h_high, V_REPEAT(FIN_V(IV)), d};
        FN(_permute)(&v, in, FIN_V(ROUNDS));
        h_low = FIN_FEED(h_low, v.c, v.a);
        h_high = FIN_FEED(h_high, v.d, v.b);
        first = V(_xor)(first, first);
        for (size_t i = 0; i < FIN_WAYS; i++) {
            in[i] += stride;
        }
    }
    h[0] = h_low;
    h[1] = h_high;
}

static void FIN_KERNEL(fin_lanes *lanes, size_t blocks, size_t stride)
{
    WORD *const h_at = lanes->row.H_WORDS + FIN_LANE_H * FIN_WAYS;
    VEC h[2] = {V(_enter)(h_at), V(_enter)(h_at + 4 * FIN_WAYS)};
    const VEC t = V(_enter)(lanes->row.H_WORDS + FIN_LANE_T * FIN_WAYS);
    FN(_blocks)(h, t, lanes->in, blocks, stride);
    V(_leave)(h_at, h[0]);
    V(_leave)(h_at + 4 * FIN_WAYS, h[1]);
}

/* Added to the first node's t. */
static const _Alignas(64) WORD FN(_next_numbers)[4 * FIN_WAYS] = {
    [4] = 1,
#if FIN_WAYS == 4
    [8] = 2,
    [12] = 3,
#endif
};

/* Returns t of a level's first nodes, which have whole blocks. No number carries, because a subtree
   begins at a multiple of its number of chunks, rounded up to a power of two. */
FIN_INLINE VEC FN(_level_t)(const fin_level *level)
{
    _Alignas(16) WORD words[4];
    fin_store_piece(words, level->number, FIN_BLAKE3_BLOCK | level->flags << 32);
    const VEC t = V_REPEAT(words);
    return level->step == 0 ? t : V(_add)(t, V(_load)(FN(_next_numbers)));
}

/* fin_hash_level_fn. Rows hold each message's words side by side, as chaining values do, so neither
   is transposed. */
static void FN(_level)(const fin_level *level, const fin_impl *impl, fin_lanes *lanes, size_t count,
                       uint8_t *cvs)
{
    _Alignas(64) WORD words[2][4 * FIN_WAYS];
    const uint8_t *in[FIN_WAYS];
    fin_level group = *level;
    (void)impl;
    (void)lanes;
    while (count != 0) {
        const size_t taken = count < FIN_WAYS ? count : FIN_WAYS;
        VEC h[2] = {V_REPEAT(group.key), V_REPEAT(group.key + 4)};
        fin_level_point(&group, in, FIN_WAYS, count);
        FN(_blocks)(h, FN(_level_t)(&group), in, group.blocks, FIN_BLAKE3_BLOCK);
        V(_store)(words[0], h[0]);
        V(_store)(words[1], h[1]);
        for (size_t i = 0; i < taken; i++) {
            memcpy(cvs, words[0] + 4 * i, FIN_CV_BYTES / 2);
            memcpy(cvs + FIN_CV_BYTES / 2, words[1] + 4 * i, FIN_CV_BYTES / 2);
            cvs += FIN_CV_BYTES;
        }
        group.in += FIN_WAYS * FIN_BLAKE3_BLOCK * group.blocks;
        group.number += FIN_WAYS * group.step;
        count -= taken;
    }
    fin_erase(words, sizeof words);
}

#else

/* Each row holds words of every message. A counter is (low, high, flags); only low is incremented,
   with a carry as in kern/blake/lanes.h. */
static void FIN_KERNEL(fin_lanes *lanes, size_t blocks, size_t stride)
{
    WORD *const h_at = lanes->row.H_WORDS + FIN_LANE_H * FIN_WAYS;
    WORD *const t_at = lanes->row.H_WORDS + FIN_LANE_T * FIN_WAYS;
    const VEC increment =
        V(_enter_first)(lanes->row.H_WORDS + (size_t)FIN_LANE_INCREMENT * FIN_WAYS);
    VEC h_low = V(_enter)(h_at);
    VEC h_high = V(_enter)(h_at + 4 * FIN_WAYS);
    VEC t = V(_enter)(t_at);
#if FIN_V(IS_BLAKE2)
    const VEC c_start = V_REPEAT(FIN_V(IV));
    const VEC d_start = V_REPEAT(FIN_V(IV) + 4);
#else
    const VEC salt = V_REPEAT(lanes->salt.H_WORDS);
    const VEC c_start = V(_xor)(salt, V_REPEAT(U));
    const VEC d_start = V_REPEAT(U + 4);
#endif
    for (; blocks != 0; blocks--) {
        const VEC sum = V(_add)(t, increment);
        const VEC carry = V(_top_bit)(V(_and_not)(t, sum));
        t = V(_add)(sum, V(_rotate_words3)(carry));
#if FIN_V(IS_BLAKE2)
        const VEC counter = t;
#else
        const VEC counter = V(_twice)(t);
#endif
        FN(_rows) v = {h_low, h_high, c_start, V(_xor)(d_start, counter)};
        FN(_permute)(&v, lanes->in, lanes->rounds);
        h_low = FIN_FEED(h_low, v.c, v.a);
        h_high = FIN_FEED(h_high, v.d, v.b);
        for (size_t i = 0; i < FIN_WAYS; i++) {
            lanes->in[i] += stride;
        }
    }
    V(_leave)(h_at, h_low);
    V(_leave)(h_at + 4 * FIN_WAYS, h_high);
    V(_leave)(t_at, t);
}

#endif

#endif

#ifdef FIN_AS_ORDERED
#pragma GCC pop_options
#undef FIN_AS_ORDERED
#endif

#undef WORD
#undef H_WORDS
#undef U_ROWS
#undef U_WAYS
#undef U_ROW
#undef U
#undef VEC
#undef FN
#undef V
#undef V_ADD
#undef V_XOR
#undef V_BARRIER
#undef V_REPEAT
#undef VG
#undef FIN_G_OF_ROWS
#undef V_ROT
#undef V_ROT1
#undef V_ROT2
#undef V_ROT3
#undef V_ROT4
#undef FIN_KEEP
#undef FIN_ROUND
#undef FIN_ROUNDS_OF_SCHEDULE
#undef FIN_FEED
#undef FIN_BLOCKS
#undef FIN_VARIANT
#undef FIN_KERNEL
#undef FIN_LOADER
#undef FIN_WAYS
#undef FIN_ROW32
#undef FIN_NEXT
#undef FIN_NEXT_UNROLLED
#undef FIN_CACHED_ROUNDS
