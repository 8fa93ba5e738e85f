/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The second half of kern/blake/lanes.h for an assembly function that compresses all blocks of a
 * call, asm/blake_lanes_x86_64_blocks.inc. C transposes a block only if the previous call has not.
 *
 *   FIN_BLOCKS_FIRST, FIN_ROUNDS_FIRST
 *                    BLAKE: the function for the first submission, and its number of rounds
 *   FIN_ANY_ROUNDS   the kernel for all other numbers of rounds; not for BLAKE3
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

/* Transposes the first block, stream by stream. */
FIN_INLINE void FN(_transpose_first)(WORD *m, const fin_lanes *lanes)
{
    for (size_t s = 0; s < FIN_STREAMS; s++) {
        for (size_t word = 0; word < 16; word += VEC_LANES) {
            VEC x[VEC_LANES];
            V(_load_square)(x, lanes->in + VEC_LANES * s, sizeof(WORD) * word);
            for (size_t i = 0; i < VEC_LANES; i++) {
#if !FIN_V(IS_BLAKE2)
                x[i] = V(_swap_bytes)(x[i]);
#endif
                V(_store)(m + VEC_LANES * (16 * s + word + i), x[i]);
            }
        }
    }
}

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

static FIN_NOINLINE void FN(_ahead)(fin_lanes *lanes, size_t blocks, size_t stride, fin_lanes *next,
                                    const uint8_t *const *in)
{
    const size_t half_words = (size_t)16 * LANES;
    const uint32_t half = lanes->half;
    /* Blocks alternate between the halves; without a next call the first block is transposed once
       more. */
    const uint32_t next_half = (half + (uint32_t)blocks) % 2;
#if !FIN_V(IS_BLAKE3)
    if (!HAS_ROUNDS(lanes->rounds)) {
        FIN_ANY_ROUNDS(lanes, blocks, stride);
        lanes->ready = false;
        if (next != NULL) {
            next->ready = false;
        }
        return;
    }
#endif
    if (!lanes->ready) {
        FN(_transpose_first)(lanes->message.WORDS + half * half_words, lanes);
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

#undef HAS_ROUNDS
#undef FIN_BLOCKS_FIRST
#undef FIN_ROUNDS_FIRST
#undef FIN_ANY_ROUNDS
