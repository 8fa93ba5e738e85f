/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The second half of kern/blake/lanes.h for an assembly function that compresses all blocks of a
 * call, asm/blake_lanes_x86_64_blocks.inc. C transposes a block only if the previous call has not.
 *
 *   FIN_BLOCKS_FIRST, FIN_ROUNDS_FIRST
 *                    BLAKE: the function for the first submission, and its number of rounds
 *   FIN_ANY_ROUNDS   the kernel for all other numbers of rounds; not for BLAKE3
 *   FIN_HASH_BLOCKS  optional, for BLAKE3: the name of its hash_blocks
 */

#if !defined(FIN_ANY_ROUNDS) && !FIN_V(IS_BLAKE3)
#error "FIN_ANY_ROUNDS is to be defined"
#endif

FIN_SYSTEM_V void FIN_BLOCKS(fin_lanes *lanes);
#if FIN_V(IS_BLAKE2)
#define HAS_ROUNDS(n) ((n) == FIN_V(ROUNDS))
#else
FIN_SYSTEM_V void FIN_BLOCKS_FIRST(fin_lanes *lanes);
#define HAS_ROUNDS(n) ((n) == FIN_V(ROUNDS) || (n) == FIN_ROUNDS_FIRST)
#endif

/* Calls the assembly with the parameters that all blocks share. */
FIN_INLINE void FN(_run)(fin_lanes *lanes)
{
    WORD *seed = lanes->call.seed.WORDS;
#if FIN_V(IS_BLAKE2)
    memcpy(seed, FIN_V(IV), 8 * sizeof *seed);
#if FIN_V(IS_BLAKE3)
    seed[4] = 64;   /* a whole block's length */
    seed[5] = 0xff; /* the bits of a block's flags */
#endif
    FIN_BLOCKS(lanes);
#else
    _Alignas(VEC) uint8_t sums[FN(_sums_bytes)];
    WORD *kept = FN(_kept)(sums, lanes->message.WORDS + 2 * 16 * LANES);
    for (size_t i = 0; i < 8; i++) {
        seed[i] = U[i] ^ (i < 4 ? lanes->salt.WORDS[i] : 0);
    }
    lanes->call.constants = U;
    lanes->call.kept = kept + 8 * KEPT * LANES; /* the middle */
    if (lanes->rounds == FIN_ROUNDS_FIRST) {
        FIN_BLOCKS_FIRST(lanes);
    } else {
        FIN_BLOCKS(lanes);
    }
#endif
}

#if FIN_V(IS_BLAKE3)
/* Sets up prefetching: each lane's block is prefetched one block before it is transposed.
   Consecutive chunks are prefetched a whole call ahead and in the order of their addresses, which
   lines holds. */
FIN_INLINE void FN(_fetch)(fin_lanes_call *call, const fin_lanes *lanes, const fin_lanes *next,
                           const uint8_t *const *in, const uint8_t *lines[LANES])
{
    const int64_t stride = (int64_t)call->stride, blocks = (int64_t)call->blocks;
    if (next != NULL && blocks == 16 &&
        (uintptr_t)in[LANES - 1] - (uintptr_t)in[0] == (LANES - 1) * 16 * call->stride) {
        for (size_t i = 0; i < LANES; i++) {
            lines[i] = in[0] + 64 * i;
        }
        call->fetch = lines;
        call->fetch_step = 64 * LANES;
        call->fetch_first = -call->fetch_step;
        call->fetch_last = 15 * call->fetch_step;
    } else {
        call->fetch = lanes->in;
        call->fetch_step = stride;
        call->fetch_first = blocks > 1 ? stride : 0;
        call->fetch_last = (blocks - 1) * stride;
    }
}
#endif

#if !FIN_V(IS_BLAKE3)
/* Compresses blocks whose other halves may not be read, one after another. The assembly transposes
   whole blocks of any content meanwhile. */
static void FN(_halves)(fin_lanes *lanes, size_t blocks, size_t stride)
{
    const uint8_t *whole[LANES];
    fin_lanes_call *call = &lanes->call;
    for (size_t i = 0; i < LANES; i++) {
        whole[i] = (const uint8_t *)&lanes->message;
    }
    call->m = lanes->message.WORDS;
    call->next = lanes->message.WORDS + 16 * LANES;
    call->in = whole;
    for (size_t k = 0; k < blocks; k++) {
        FN(_transpose)(lanes->message.WORDS, lanes, k * stride, 8);
        call->blocks = 1;
        call->stride = 0;
        FN(_run)(lanes);
    }
    call->in = lanes->in;
    for (size_t i = 0; i < LANES; i++) {
        lanes->in[i] += blocks * stride;
    }
}
#endif

static FIN_NOINLINE void FN(_ahead)(fin_lanes *lanes, size_t blocks, size_t stride, fin_lanes *next,
                                    const uint8_t *const *in)
{
    const size_t half_words = (size_t)16 * LANES;
    const uint32_t half = lanes->half;
    /* Blocks alternate between the halves; without a next call the first block is transposed once
       more. */
    const uint32_t next_half = (half + (uint32_t)blocks) % 2;
#if !FIN_V(IS_BLAKE3)
    const bool halves = HAS_COMMON_HALF && lanes->common == FIN_COMMON_HALF;
    if (halves || !HAS_ROUNDS(lanes->rounds)) {
        if (HAS_ROUNDS(lanes->rounds)) {
            FN(_halves)(lanes, blocks, stride);
        } else {
            FIN_ANY_ROUNDS(lanes, blocks, stride);
        }
        lanes->ready = false;
        if (next != NULL) {
            next->ready = false;
        }
        return;
    }
#endif
    if (!lanes->ready) {
        FN(_transpose)(lanes->message.WORDS + half * half_words, lanes, 0, 16);
    }
    if (HAS_COMMON_HALF && next != NULL && next->common == FIN_COMMON_HALF) {
        next->ready = false;
        next = NULL;
    }
    fin_lanes_call *call = &lanes->call;
    call->m = lanes->message.WORDS + half * half_words;
    call->ahead = lanes->message.WORDS + (1 - half) * half_words;
    call->next = (next != NULL ? next : lanes)->message.WORDS + next_half * half_words;
    call->in = next != NULL ? in : lanes->in;
    call->blocks = blocks;
    call->stride = stride;
#if FIN_V(IS_BLAKE3)
    const uint8_t *lines[LANES];
    FN(_fetch)(call, lanes, next, in, lines);
#endif
    FN(_run)(lanes);
    for (size_t i = 0; i < LANES; i++) {
        lanes->in[i] += blocks * stride;
    }
    lanes->ready = false;
    if (next != NULL) {
        next->ready = true;
        next->half = next_half;
    }
}

static void FIN_KERNEL(fin_lanes *lanes, size_t blocks, size_t stride)
{
    lanes->ready = false;
    lanes->half = 0;
    if (blocks != 0) {
        FN(_ahead)(lanes, blocks, stride, NULL, NULL);
    }
}

#if FIN_V(IS_BLAKE3) && defined(FIN_HASH_BLOCKS)
#include "kern/blake/one_block.h"
#endif

#undef HAS_ROUNDS
#undef FIN_BLOCKS_FIRST
#undef FIN_ROUNDS_FIRST
#undef FIN_ANY_ROUNDS
