/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The record of an implementation, and the enumerations that it uses.
 */
#ifndef FIN_IMPL_H
#define FIN_IMPL_H

#include "finalist.h"
#include "parts.h"

#if defined(__x86_64__) || defined(_M_X64)
#define FIN_ARCH_X86_64 1
#define FIN_ARCH_X86 1
#if !defined(__ILP32__)
#define FIN_ARCH_X86_64_ASM 1
#endif
#elif defined(__i386__) || defined(_M_IX86)
#define FIN_ARCH_X86 1
#define FIN_ARCH_X86_32 1
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#define FIN_ARCH_ARM64 1
#define FIN_ARCH_ARM 1
#elif defined(__ARMEL__) && __ARM_ARCH >= 7 && __ARM_ARCH_PROFILE == 'A' && !defined(__SOFTFP__)
/* Targets that may use vector registers; detection finds out whether the CPU has them. */
#define FIN_ARCH_ARM32 1
#define FIN_ARCH_ARM 1
#elif defined(__wasm_simd128__)
/* An engine accepts a module with vectors entirely or rejects it, so no detection is needed. */
#define FIN_ARCH_WASM_SIMD128 1
#endif

/* Expands to its arguments on the named architecture; used by isa.def. */
#define FIN_IF_ANY(...) __VA_ARGS__
#ifdef FIN_ARCH_X86
#define FIN_IF_X86(...) __VA_ARGS__
#else
#define FIN_IF_X86(...)
#endif
#ifdef FIN_ARCH_X86_32
#define FIN_IF_X86_32(...) __VA_ARGS__
#else
#define FIN_IF_X86_32(...)
#endif
#ifdef FIN_ARCH_X86_64
#define FIN_IF_X86_64(...) __VA_ARGS__
#else
#define FIN_IF_X86_64(...)
#endif
#ifdef FIN_ARCH_X86_64_ASM
#define FIN_IF_X86_64_ASM(...) __VA_ARGS__
#else
#define FIN_IF_X86_64_ASM(...)
#endif
#ifdef FIN_ARCH_ARM64
#define FIN_IF_ARM64(...) __VA_ARGS__
#else
#define FIN_IF_ARM64(...)
#endif
#ifdef FIN_ARCH_ARM32
#define FIN_IF_ARM32(...) __VA_ARGS__
#else
#define FIN_IF_ARM32(...)
#endif
#ifdef FIN_ARCH_WASM_SIMD128
#define FIN_IF_WASM_SIMD128(...) __VA_ARGS__
#else
#define FIN_IF_WASM_SIMD128(...)
#endif

/* For parts of kernels: left to itself, gcc does not inline some, and a call spills every
   vector. */
#define FIN_INLINE static inline __attribute__((always_inline))
#define FIN_NOINLINE __attribute__((noinline))

/* Makes clang align the stack, which it does only for a variable that needs it, not for spills.
   Otherwise a spilled vector of more than 16 bytes may cross cache lines: up to twice the time. */
#define FIN_ALIGN_STACK(vector)            \
    do {                                   \
        vector slot;                       \
        __asm__ volatile("" : "=m"(slot)); \
    } while (0)

enum {
#define FIN_COMPRESSION(id, name, block_bytes) FIN_COMPRESSION_##id,
#include "alg.def"
#undef FIN_COMPRESSION
    FIN_COMPRESSIONS
};
typedef uint8_t fin_compression;

/* The rounds of each algorithm. */
enum {
#define FIN_ALGORITHM(id, name, title, family, shape, small, large, rounds, ...) \
    FIN_ROUNDS_##id = (rounds),
#include "alg.def"
#undef FIN_ALGORITHM
};

enum {
#define FIN_CPU_FEATURE(id, name, implied) FIN_CPU_BIT_##id,
#include "cpu.def"
#undef FIN_CPU_FEATURE
    FIN_CPU_FEATURES
};
enum {
#define FIN_CPU_FEATURE(id, name, implied) FIN_CPU_##id = 1 << FIN_CPU_BIT_##id,
#include "cpu.def"
#undef FIN_CPU_FEATURE
    FIN_CPU_KNOWN = 1 << FIN_CPU_FEATURES
};

/*
 * Compresses blocks blocks into state->h: the first at in, each of the others stride bytes after
 * the previous one. The counter of block k (from 0) is state->t + (k + 1) * increment; state->t
 * itself stays unchanged. BLAKE2 computes state->rounds rounds, any number, and uses state->f.
 * BLAKE uses state->salt and computes state->rounds rounds, 10, 14 or 16 as in alg.def. blocks may
 * be 0. in needs no alignment.
 *
 * BLAKE3 has seven rounds. state->t[0] is the number of the chunk or of the root's output block,
 * and increment is 0. state->f[0] is the last block's length, all others being whole; state->f[1]
 * holds flags packed by fin_chain_flags. state->h.w32[8 .. 15] receive the other half of the last
 * block's output.
 */
typedef void fin_compress_fn(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,
                             uint32_t increment);

/*
 * Rows of several messages, one per lane. A row is one word of every lane: word r of lane i is
 * w32[r * lanes + i] or w64[r * lanes + i], where lanes is the implementation's number. Grøstl's
 * chaining values are consecutive instead, because its kernels transpose them in any case: word r
 * of lane i is w64[i * words + r].
 */
enum {
    FIN_LANES_MAX = 32,
    FIN_LANE_H = 0,          /* the chaining value, up to sixteen words */
    FIN_LANE_T = 16,         /* the counter's low and high word */
    FIN_LANE_F = 18,         /* BLAKE2: finalisation flags; BLAKE3: last block's length, flags */
    FIN_LANE_INCREMENT = 20, /* the counter's increment per block */
    FIN_LANE_ROWS = 21
};

typedef union fin_lane_rows {
    uint32_t w32[FIN_LANE_ROWS * FIN_LANES_MAX];
    uint64_t w64[FIN_LANE_ROWS * FIN_LANES_MAX / 2];
} fin_lane_rows;

/* Words that the blocks of all lanes share and that are not read from the blocks: those after 64
   bytes of a message, which are BLAKE2's zeros or BLAKE's padding. */
enum {
    FIN_COMMON_NONE,
    FIN_COMMON_HALF, /* 64-bit words: words 8 .. 15 of every block */
    FIN_COMMON_LAST  /* 32-bit words: all words of a call's last block, unless it is the first */
};
typedef uint8_t fin_common;

/* Variables of kernels in assembly, kept here instead of on the stack. A load waits for an earlier
   store whose address has the same low bits, and the stack's distance from the rows is unknown. */
typedef struct fin_lanes_call {
    _Alignas(64) const void *m; /* rows of the first block's words */
    void *ahead;                /* rows of the next block's words; the two alternate */
    void *next;                 /* rows of the words of the block after the last one, */
    const uint8_t *const *in;   /* and its address in each lane */
    uint64_t blocks;            /* remaining */
    uint64_t stride;
    const void *constants;
    void *kept; /* sums */
    union {
        uint32_t w32[8];
        uint64_t w64[8];
    } seed;             /* v8 .. v15 before counters and flags */
    uint64_t parked[8]; /* one word of every lane */
    /* BLAKE3: while block k of every lane is compressed, the kernel prefetches fetch[lane] plus
       fetch_first + (k + 1) * fetch_step, or plus fetch_last if that is less. */
    const uint8_t *const *fetch;
    int64_t fetch_first, fetch_step, fetch_last;
} fin_lanes_call;

typedef struct fin_lanes {
    _Alignas(64) fin_lane_rows row;
    /* Reserved for the kernel: sixteen message words of every lane, for one block and the next one
       or the state. */
    _Alignas(64) union {
        uint32_t w32[2 * 16 * FIN_LANES_MAX];
        uint64_t w64[2 * 16 * FIN_LANES_MAX / 2];
    } message;
    union {
        uint32_t w32[4];
        uint64_t w64[4];
    } salt;
    uint64_t rounds;
    /* For compress_ahead: true if this half of message holds the first block's words. */
    bool ready;
    uint32_t half;
    fin_common common;
    union {
        uint32_t w32[16];
        uint64_t w64[8];
    } common_words; /* native integers */
    fin_lanes_call call;
    /* Each lane's first block; idle lanes need one too. */
    _Alignas(64) const uint8_t *in[FIN_LANES_MAX];
} fin_lanes;

/*
 * Compresses blocks blocks of every lane, each stride bytes after the previous one, and advances in
 * and the counters, except BLAKE3's, which number chunks, and Grøstl's, which only padding holds.
 * blocks may be 0. Idle lanes are computed too. An increment may be negative if no counter of the
 * call is.
 */
typedef void fin_compress_lanes_fn(fin_lanes *lanes, size_t blocks, size_t stride);

/*
 * As fin_compress_lanes_fn, but while it compresses the last block it also transposes the blocks at
 * in, one per lane. The next call, which is for next, begins with them. next may be lanes itself,
 * or null. lanes->ready and half must be as the last such call left them, or false and 0. blocks is
 * not 0.
 */
typedef void fin_compress_ahead_fn(fin_lanes *lanes, size_t blocks, size_t stride, fin_lanes *next,
                                   const uint8_t *const *in);

/* Hashes consecutive nodes of BLAKE3 that are one block each, with these flags, to chaining values,
   which may replace the blocks: cvs may be in. Erases what it stores in lanes. */
typedef void fin_hash_blocks_fn(const uint32_t *key, uint32_t flags, const uint8_t *in,
                                size_t count, uint8_t *cvs, fin_lanes *lanes);

typedef struct fin_impl {
    fin_compression compression;
    const char *name;      /* identifies the technique by its instructions */
    const char *technique; /* describes it in a few words */
    const char *source;    /* the literature that describes it */
    uint32_t lanes;        /* 1: compress; more: compress_lanes; 0: left out of this build */
    uint32_t bound_cycles; /* per block, by latency or port count, in core cycles; 0: unknown */
    bool constant_time;    /* false: selected only by name */
    /* finish: compresses the last blocks of a message, then applies Grøstl's output transformation;
       every record has both. finish_lanes: the same for all lanes. Grøstl's messages in lanes end
       at different times and can wait to go through the transformation together, with 0 blocks. */
    fin_compress_fn *compress, *finish;
    fin_compress_lanes_fn *compress_lanes, *finish_lanes;
    fin_compress_ahead_fn *compress_ahead; /* null: there is none */
    fin_hash_blocks_fn *hash_blocks;       /* null: compress_lanes does it */
    fin_common common;                     /* the values that lanes->common may have */
    /* Prepares and hashes groups of short messages with these functions (lanes/group.h); null:
       lanes/group.c does. */
    const struct fin_group_steps *group;
} fin_impl;

/* Returns the flags of a BLAKE3 block from its chain's. */
FIN_INLINE uint32_t fin_block_flags(uint64_t chain, bool first, bool last)
{
    return (uint32_t)(chain | (first ? chain >> 8 : 0) | (last ? chain >> 16 : 0)) & 0xff;
}

typedef struct fin_unit {
    const fin_impl *impls;
    size_t count;
} fin_unit;

/*
 * A record of a unit's table: the compression function (its id in alg.def), name, technique and
 * source; then functions and optional fields: FIN_MESSAGE(compress, finish) for one message,
 * FIN_LANES(lanes, compress, finish) for several, .constant_time and so on. If the build leaves out
 * the compression function, the record has no lanes, and nothing refers to its kernel.
 */
#define FIN_RECORD(id, ...) \
    FIN_IF_ELSE(FIN_HAS_COMPRESSION(id), FIN_RECORD_KEPT, FIN_RECORD_LEFT_OUT)(id, __VA_ARGS__)
#define FIN_RECORD_LEFT_OUT(...) {.compression = FIN_COMPRESSIONS}
#define FIN_RECORD_KEPT(id, name_, technique_, source_, ...) \
    {.compression = FIN_COMPRESSION_##id,                    \
     .name = name_,                                          \
     .technique = technique_,                                \
     .source = source_,                                      \
     __VA_ARGS__}
#define FIN_MESSAGE(compress_, finish_) .lanes = 1, .compress = compress_, .finish = finish_
#define FIN_LANES(lanes_, compress_, finish_) \
    .lanes = lanes_, .compress_lanes = compress_, .finish_lanes = finish_

/* Exports a unit's table. */
#define FIN_EXPORT_UNIT(name, table) \
    const fin_unit fin_unit_##name = {(table), sizeof(table) / sizeof((table)[0])}

#endif
