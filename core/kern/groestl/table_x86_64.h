/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl with T-tables (guide, sections 3.1, 4.4.1 and 5) in assembly for x86-64. Not
 * constant-time: the message indexes the tables.
 *
 * A round takes the columns in order and adds the table entry of each byte to the sum of the column
 * that ShiftBytes moves the byte to. The sums are in registers: all eight of eight columns, or the
 * seven incomplete ones of sixteen. A column's bytes are extracted from one register, two by movzx,
 * then the next two after a shift by sixteen. So a column takes 22 instructions; compilers make 27
 * to 42 of the C of kern/groestl/table.h. Its loads and additions wait for each other; alternating
 * rounds of P and Q fill these gaps.
 *
 *   FIN_VARIANT   see kern/groestl/variants.h
 *   FIN_KERNEL    the name of the function to define; FIN_KERNEL_finish is the one that finishes
 *   FIN_SUM0 .. FIN_SUM7   the registers of the sums, as strings: "r8" or "mm0"
 *   FIN_XOR       the instruction that XORs 64 bits to one of them, as a string
 *   FIN_LEAVE     code that the CPU needs at the end of the call, if any
 */
#include "kern/groestl/variants.h"

#if !defined(FIN_SUM0) || !defined(FIN_XOR)
#error "FIN_SUM0 to FIN_SUM7 and FIN_XOR are to be defined"
#endif

#define COLUMNS FIN_V(COLUMNS)
#define ROUNDS FIN_V(ROUNDS)
#define AFTER_LAST 14
#define FN(name) FIN_CAT(FIN_KERNEL, name)
#define CONSTANTS_P FIN_CAT(fin_table_constants_p, FIN_V(SUFFIX))
#define CONSTANTS_Q FIN_CAT(fin_table_constants_q, FIN_V(SUFFIX))
#ifndef FIN_LEAVE
#define FIN_LEAVE ((void)0)
#define FIN_LEAVE_IS_EMPTY
#endif

/* The operations of gen/groestl_table_round.inc. rax holds the column, rsi one of its bytes. */
#define FIN_SET(sum) "movq"
#define FIN_ADD(sum) FIN_XOR
#define FIN_LOOK_UP(how, row, sum) \
    FIN_##how(sum) " 2048*" #row "(%[table],%%rsi,8), %%" FIN_SUM##sum "\n\t"
#define FIN_WORD(place) "movq " #place "(%[in]), %%rax\n\t"
#define FIN_SKIP(bits) "shrq $" #bits ", %%rax\n\t"
#define FIN_LOW(how, row, sum) "movzbl %%al, %%esi\n\t" FIN_LOOK_UP(how, row, sum)
#define FIN_HIGH(how, row, sum) "movzbl %%ah, %%esi\n\t" FIN_LOOK_UP(how, row, sum)
#define FIN_BYTE(how, row, sum, place) \
    "movzbl " #place "(%[in]), %%esi\n\t" FIN_LOOK_UP(how, row, sum)
#define FIN_COLUMN(column, sum)                                                               \
    FIN_XOR " 8*" #column "(%[constants]), %%" FIN_SUM##sum "\n\tmovq"                        \
                                                            " %%" FIN_SUM##sum ", 8*" #column \
                                                                               "(%[out])\n\t"
#define FIN_OPERANDS                                                                             \
    [in] "r"(in), [out] "r"(out), [constants] "r"(constants),                                    \
        [table] "r"(fin_groestl_table)                                                           \
        : FIN_SUM0, FIN_SUM1, FIN_SUM2, FIN_SUM3, FIN_SUM4, FIN_SUM5, FIN_SUM6, FIN_SUM7, "rax", \
          "rsi", "cc", "memory"

/* The constants of every round of 1024 bits, and zeros to add after the last round. */
#if FIN_V(STATE_BITS) == 512
#if FIN_V(TWEAKED)
#define CONSTANT_P(column, round) ((column) << 4 ^ (round))
#define CONSTANT_Q(column, round) (~((uint64_t)((column) << 4 ^ (round)) << 56))
#else
#define CONSTANT_P(column, round) ((column) == 0 ? (round) : 0)
#define CONSTANT_Q(column, round) ((column) == 0 ? (uint64_t)((round) ^ 0xff) << 56 : 0)
#endif
#define ROUND(f, r)                                                               \
    {f(0, r), f(1, r), f(2, r),  f(3, r),  f(4, r),  f(5, r),  f(6, r),  f(7, r), \
     f(8, r), f(9, r), f(10, r), f(11, r), f(12, r), f(13, r), f(14, r), f(15, r)}
#define ALL_ROUNDS(f)                                                     \
    {ROUND(f, 0),  ROUND(f, 1),  ROUND(f, 2),  ROUND(f, 3),  ROUND(f, 4), \
     ROUND(f, 5),  ROUND(f, 6),  ROUND(f, 7),  ROUND(f, 8),  ROUND(f, 9), \
     ROUND(f, 10), ROUND(f, 11), ROUND(f, 12), ROUND(f, 13), {0}}
static const uint64_t CONSTANTS_P[AFTER_LAST + 1][16] = ALL_ROUNDS(CONSTANT_P);
static const uint64_t CONSTANTS_Q[AFTER_LAST + 1][16] = ALL_ROUNDS(CONSTANT_Q);
#undef CONSTANT_P
#undef CONSTANT_Q
#undef ROUND
#undef ALL_ROUNDS
#endif

/* clang warns of more than the 4095 characters that every C compiler takes. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
/* NOLINTNEXTLINE(readability-non-const-parameter): the assembly writes to out. */
FIN_INLINE void FN(_round_p)(const uint64_t *in, uint64_t *out, const uint64_t *constants)
{
    __asm__ volatile(
#define FIN_WANT_P
#include "gen/groestl_table_round.inc"
#undef FIN_WANT_P
        :
        : FIN_OPERANDS);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the assembly writes to out. */
FIN_INLINE void FN(_round_q)(const uint64_t *in, uint64_t *out, const uint64_t *constants)
{
    __asm__ volatile(
#if FIN_V(TWEAKED)
#define FIN_WANT_Q
#else
#define FIN_WANT_P
#endif
#include "gen/groestl_table_round.inc"
#undef FIN_WANT_P
#undef FIN_WANT_Q
        :
        : FIN_OPERANDS);
}

#pragma GCC diagnostic pop

/* A state before and after a round; the two alternate. */
typedef struct FN(_states) {
    uint64_t column[2][COLUMNS];
} FN(_states);

/* Returns the index of the constants after those of round. */
FIN_INLINE unsigned FN(_next)(unsigned round)
{
    return round + 1 == ROUNDS ? AFTER_LAST : round + 1;
}

/* The number of rounds is even, so the result is in the array where the state was. */
FIN_NOINLINE static void FN(_p_and_q)(FN(_states) * p, FN(_states) * q)
{
#pragma GCC unroll 1
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned from = round % 2, to = 1 - from, next = FN(_next)(round);
        FN(_round_p)(p->column[from], p->column[to], CONSTANTS_P[next]);
        FN(_round_q)(q->column[from], q->column[to], CONSTANTS_Q[next]);
    }
}

FIN_NOINLINE static void FN(_p)(FN(_states) * p)
{
#pragma GCC unroll 1
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned from = round % 2, to = 1 - from, next = FN(_next)(round);
        FN(_round_p)(p->column[from], p->column[to], CONSTANTS_P[next]);
    }
}

/* Loads one column: a load of two would wait until the stores of both have left the core. */
FIN_INLINE uint64_t FN(_word)(uint64_t x)
{
    __asm__("" : "+r"(x));
    return x;
}

static FIN_NOINLINE void FN(_run)(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,
                                  bool finish)
{
    uint64_t *h = state->h.w64;
    FN(_states) p, q;
    for (; blocks != 0; blocks--, in += stride) {
        for (unsigned j = 0; j < COLUMNS; j++) {
            const uint64_t m = FN(_word)(fin_load64_le(in + 8 * j));
            q.column[0][j] = m ^ CONSTANTS_Q[0][j];
            p.column[0][j] = m ^ h[j] ^ CONSTANTS_P[0][j];
        }
        FN(_p_and_q)(&p, &q);
        for (unsigned j = 0; j < COLUMNS; j++) {
            h[j] ^= FN(_word)(p.column[0][j]) ^ FN(_word)(q.column[0][j]);
        }
    }
    if (finish) {
        for (unsigned j = 0; j < COLUMNS; j++) {
            p.column[0][j] = FN(_word)(h[j]) ^ CONSTANTS_P[0][j];
        }
        FN(_p)(&p);
        for (unsigned j = 0; j < COLUMNS; j++) {
            h[j] ^= FN(_word)(p.column[0][j]);
        }
    }
    FIN_LEAVE;
}

FIN_GROESTL_MESSAGE(FIN_KERNEL, FN(_run))

#undef COLUMNS
#undef ROUNDS
#undef AFTER_LAST
#undef FN
#undef CONSTANTS_P
#undef CONSTANTS_Q
#undef FIN_SET
#undef FIN_ADD
#undef FIN_LOOK_UP
#undef FIN_WORD
#undef FIN_SKIP
#undef FIN_LOW
#undef FIN_HIGH
#undef FIN_BYTE
#undef FIN_COLUMN
#undef FIN_OPERANDS
#ifdef FIN_LEAVE_IS_EMPTY
#undef FIN_LEAVE
#undef FIN_LEAVE_IS_EMPTY
#endif
#undef FIN_KERNEL
#undef FIN_VARIANT
