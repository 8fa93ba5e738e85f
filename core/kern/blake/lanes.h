/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 of many messages: the state is sixteen vectors, each of which holds one
 * word of every message. No step permutes words within a vector, and sigma only selects a register;
 * the message has to be transposed. As in AVX paper, section 5.2, with as many lanes as a register
 * has words.
 *
 *   FIN_VARIANT   see kern/blake/variants.h
 *   FIN_KERNEL    the name of the function to define
 *   FIN_UNROLLED  1: kern/blake/lanes_unrolled.h, for 32 registers and one stream.
 *                 0: kern/blake/lanes_loop.h
 *   FIN_STREAMS   1, or 2: two states of sixteen vectors, whose G's are interleaved. One state is
 *                 only four dependency chains, too few to fill the ports of some CPUs.
 *   FIN_LOCKSTEP  for a loop. 1: the four G's of one stream's step are interleaved operation by
 *                 operation, which fills the ports best and takes some six registers more than the
 *                 state's sixteen. 2: the same with two G's of each of two streams. 0: one G after
 *                 the other.
 *   FIN_STRAIGHT  optional, for a loop: the function's own number of rounds is branch-free code
 *   FIN_ROUNDS    optional: an assembly function for a block of one stream (fin_rounds_fn)
 *   FIN_BLOCKS    optional: one for all blocks of a call (kern/blake/lanes_blocks.h)
 *   before it     vec/lanes_*.h: lane32 and lane64, FIN_LANES32 and FIN_LANES64
 *
 * The chaining values stay in fin_lanes, because the rounds need all registers.
 */
#include "kern/blake/g.h"
#include "kern/blake/variants.h"

#if !defined(FIN_STREAMS) || !defined(FIN_LOCKSTEP) || !defined(FIN_UNROLLED)
#error "FIN_STREAMS, FIN_LOCKSTEP and FIN_UNROLLED are to be defined"
#endif

#if FIN_V(WORD_BITS) == 64
#define WORD uint64_t
#define WORDS w64
#define U fin_u512
#define SUMS fin_padding_sums512
#define VEC lane64
#define VEC_LANES FIN_LANES64
#else
#define WORD uint32_t
#define WORDS w32
#define U fin_u256
#define SUMS fin_padding_sums256
#define VEC lane32
#define VEC_LANES FIN_LANES32
#endif

#define LANES (FIN_STREAMS * VEC_LANES)
/* 1 if lanes->common may be set. It would slow two streams down by 5 per cent (gcc 12). */
#if FIN_STREAMS != 1
#define HAS_COMMON_HALF 0
#define HAS_COMMON_LAST 0
#else
#define HAS_COMMON_HALF (FIN_V(WORD_BITS) == 64)
#define HAS_COMMON_LAST (FIN_V(WORD_BITS) == 32 && !FIN_V(IS_BLAKE2))
#endif

/* If lanes->common is set, this many words of a block differ from lane to lane. */
#define OWN_WORDS (HAS_COMMON_HALF ? 8 : 0)

#define FN(name) FIN_CAT(FIN_KERNEL, name)
#define V(name) FIN_CAT(VEC, name)

/* Row r of stream s. */
#define ROW(r, s) (lanes->row.WORDS + LANES * (r) + VEC_LANES * (s))
/* The row of a message word of stream s. */
#ifdef FIN_BLOCKS
#define WORD_ROW(m, word, s) ((m) + VEC_LANES * (16 * (s) + (word)))
#else
#define WORD_ROW(m, word, s) ((m) + LANES * (word) + VEC_LANES * (s))
#endif

/* The CPU's prefetcher cannot follow this many streams. */
FIN_INLINE void FN(_prefetch)(const fin_lanes *lanes, size_t offset)
{
    for (size_t i = 0; i < LANES; i++) {
        for (size_t line = 0; line < 16 * sizeof(WORD); line += 64) {
            __builtin_prefetch(lanes->in[i] + offset + line);
        }
    }
}

/* Words of block k of a call that differ from lane to lane; all lanes share the others. */
FIN_INLINE size_t FN(_own_words)(const fin_lanes *lanes, size_t k, size_t blocks)
{
    if (HAS_COMMON_HALF && lanes->common == FIN_COMMON_HALF) {
        return 8;
    }
    /* The last of several blocks. */
    if (HAS_COMMON_LAST && lanes->common == FIN_COMMON_LAST && k != 0 && k + 1 == blocks) {
        return 0;
    }
    return 16;
}

/* Transposes a square: as many words of every lane's block as there are lanes, from a word on.

     lane 0   m0 m1 m2 m3 | m4 ..        word 0   m0 m0' m0" ..   one word
     lane 1   m0'm1'm2'm3'| m4'..   ->   word 1   m1 m1' m1" ..   of every lane
     lane 2   m0"m1"m2"m3"| m4"..  */
FIN_INLINE void FN(_transpose_square)(WORD *m, const uint8_t *const *in, size_t offset, size_t word,
                                      size_t s)
{
    VEC x[VEC_LANES];
    V(_load_square)(x, in + VEC_LANES * s, offset + sizeof(WORD) * word);
    for (size_t i = 0; i < VEC_LANES; i++) {
#if !FIN_V(IS_BLAKE2)
        x[i] = V(_swap_bytes)(x[i]);
#endif
        V(_store)(WORD_ROW(m, word + i, s), x[i]);
    }
}

/* Transposes a block of every lane. Unrolled rounds do not read constant padding words here. */
FIN_INLINE void FN(_transpose)(WORD *m, const fin_lanes *lanes, size_t offset, size_t own_words)
{
    for (size_t k = 0; k < FIN_STREAMS * 16 / VEC_LANES; k++) {
        const size_t s = k % FIN_STREAMS;
        const size_t word = k / FIN_STREAMS * VEC_LANES;
        if ((HAS_COMMON_HALF || HAS_COMMON_LAST) && word >= own_words) {
            for (size_t i = 0; i < VEC_LANES && !FIN_UNROLLED; i++) {
                const WORD common = lanes->common_words.WORDS[word + i - own_words];
                V(_store)(WORD_ROW(m, word + i, s), V(_set1)(common));
            }
            continue;
        }
        FN(_transpose_square)(m, lanes->in, offset, word, s);
    }
}

/* The increment's top bit is clear, so there is a carry if the sum's top bit is clear and the old
   counter's was set. */
FIN_INLINE void FN(_count)(fin_lanes *lanes, size_t s)
{
    if (FIN_V(IS_BLAKE3)) {
        return;
    }
    const VEC old = V(_load)(ROW(FIN_LANE_T, s));
    const VEC low = V(_add)(old, V(_load)(ROW(FIN_LANE_INCREMENT, s)));
    const VEC carry = V(_top_bit)(V(_and_not)(old, low));
    V(_store)(ROW(FIN_LANE_T, s), low);
    V(_store)(ROW(FIN_LANE_T + 1, s), V(_add)(V(_load)(ROW(FIN_LANE_T + 1, s)), carry));
}

#if FIN_V(IS_BLAKE3)
/* v14 and v15 of every lane: the length and the flags of a call's block. */
FIN_INLINE VEC FN(_block_length)(const fin_lanes *lanes, size_t s, bool last)
{
    return last ? V(_load)(ROW(FIN_LANE_F, s)) : V(_set1)(64);
}

FIN_INLINE VEC FN(_block_flags)(const fin_lanes *lanes, size_t s, bool first, bool last)
{
    const VEC chain = V(_load)(ROW(FIN_LANE_F + 1, s));
    VEC flags = chain;
    if (first) {
        flags = V(_xor)(flags, V(_ror_8)(chain));
    }
    if (last) {
        flags = V(_xor)(flags, V(_ror_16)(chain));
    }
    return V(_and_not)(flags, V(_set1)(0xffffff00));
}
#endif

#if !FIN_V(IS_BLAKE2)
/* Rounds 10, 11, .. reuse the sums of words and constants of rounds 0, 1, .. The sums stay on the
   stack: BLAKE has no key. */
#define KEPT (FIN_V(ROUNDS) - 10)
enum { FN(_sums_bytes) = 16 * KEPT * LANES * sizeof(WORD) + 4096 };

/* Returns where in sums to begin, with the low address bits of end, the end of the kernel's other
   vectors. A load that shares these bits with an earlier store waits for it (4K aliasing). */
FIN_INLINE WORD *FN(_kept)(uint8_t *sums, const void *end)
{
    return (WORD *)(void *)(sums + ((uintptr_t)end - (uintptr_t)sums) % 4096);
}
#else
#define KEPT 0
#endif

#if defined(FIN_BLOCKS)
#include "kern/blake/lanes_blocks.h"
#elif FIN_UNROLLED
#include "kern/blake/lanes_unrolled.h"
#else
#include "kern/blake/lanes_loop.h"
#endif

#undef WORD
#undef WORDS
#undef U
#undef SUMS
#undef VEC
#undef LANES
#undef HAS_COMMON_HALF
#undef KEPT
#undef OWN_WORDS
#undef HAS_COMMON_LAST
#undef VEC_LANES
#undef FN
#undef V
#undef ROW
#undef WORD_ROW
#undef FIN_KERNEL
#undef FIN_VARIANT
#undef FIN_STREAMS
#undef FIN_ROUNDS
#undef FIN_BLOCKS
