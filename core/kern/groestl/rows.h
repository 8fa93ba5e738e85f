/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl in byte slices (guide, section 3.2): a register holds rows of the state, so that every
 * step but ShiftBytes is the same for all its bytes. With registers of
 *
 *     16 bytes, 8 columns    register i of 8: row i of P | row i of Q
 *     16 bytes, 16 columns   register i of 8: row i of P; and 8 registers of Q
 *     32 bytes, 8 columns    register i of 4: rows i and i + 4 of P | rows i and i + 4 of Q
 *     32 bytes, 16 columns   register i of 8: row i of P | row i of Q
 *
 * The chaining value stays in rows from the first block to the end of the call.
 *
 *   FIN_VARIANT   see kern/groestl/variants.h
 *   FIN_KERNEL    the name of the function to define; FIN_KERNEL_finish is the one that finishes
 *   FIN_ROWS_ROTATE    1: ShiftBytes only rotates rows, so rows of 16 bytes need no tables
 *   FIN_BASIS     optional: part (part), converts to the basis of the rows; FIN_STANDARD back
 *
 * Include before it: vec/bytes_*.h (with part_*: sixteen bytes), the technique for FIN_ROWS
 * registers, and its gen/groestl_rows_*.inc.
 */
#include "kern/groestl/variants.h"

#if !defined(BYTES_WIDTH) || (BYTES_WIDTH != 16 && BYTES_WIDTH != 32)
#error "a vec/bytes_*.h of 16 or 32 bytes comes first"
#endif

#ifndef FIN_GROESTL_ROWS_H
#define FIN_GROESTL_ROWS_H
#define FIN_TYPE part
#define FIN_TYPE_OP(op) part_##op
#define FIN_NAME_OF(name) name##_of_parts
#include "vec/transpose.h"
#undef FIN_TYPE
#undef FIN_TYPE_OP
#undef FIN_NAME_OF
#endif

#if FIN_V(COLUMNS) == 16
#define LAYOUT FIN_CAT(rows1024, FIN_V(SUFFIX))
#define ROWS 8
#elif BYTES_WIDTH == 16
#define LAYOUT FIN_CAT(joined512, FIN_V(SUFFIX))
#define ROWS 8
#else
#define LAYOUT FIN_CAT(halves512, FIN_V(SUFFIX))
#define ROWS 4
#endif
/* Number of 16-byte registers that hold the chaining value. */
#define PARTS (FIN_V(COLUMNS) / 2)
/* Bytes from one register to the next in the tables of P and Q. */
#define APART (FIN_V(COLUMNS) * 16 / ROWS)
#define FN(name) FIN_CAT(FIN_KERNEL, name)
#define FOR_ROWS(i) _Pragma("GCC unroll 8") for (unsigned i = 0; i < ROWS; i++)
#define FOR_PARTS(i) _Pragma("GCC unroll 8") for (unsigned i = 0; i < PARTS; i++)
#define CONSTANTS ((const uint8_t *)FIN_CAT(fin_constants_, LAYOUT))
#define SHIFTS FIN_CAT(fin_shift_, LAYOUT)
#if FIN_V(COLUMNS) == 16
#define FIRST ((const uint8_t *)FIN_CAT(fin_constants_rows1024, FIN_V(SUFFIX)))
#else
#define FIRST ((const uint8_t *)FIN_CAT(fin_constants_halves512, FIN_V(SUFFIX)))
#endif
#ifdef FIN_BASIS
#define TO_BASIS(x) FIN_BASIS(x)
#define FROM_BASIS(x) FIN_STANDARD(x)
#else
#define TO_BASIS(x) (x)
#define FROM_BASIS(x) (x)
#endif

/* side: 0 for P, with Q if it shares P's registers; 16 for Q in registers of its own. */
FIN_INLINE void FN(_round)(bytes x[ROWS], unsigned round, size_t side)
{
#if FIN_ROWS_ROTATE && BYTES_WIDTH == 16 && FIN_V(COLUMNS) == 16
    if (FIN_V(TWEAKED) && side != 0) {
        FIN_GROESTL_ROTATE_Q(bytes_rotate, x);
    } else {
        FIN_GROESTL_ROTATE_P(bytes_rotate, x);
    }
#else
    const uint8_t *shifts = SHIFTS + side;
#if defined(__clang__) && BYTES_WIDTH == 32
    __asm__("" : "+r"(shifts)); /* else clang replaces a row's shuffle by a slower vpermd */
#endif
    FOR_ROWS (i) {
        x[i] = bytes_shuffle(x[i], bytes_load(shifts + APART * i));
    }
#endif
    FIN_CAT(fin_sub_mix_, ROWS)(x, CONSTANTS + side + APART * ROWS * (round + 1), APART);
}

/* Returns the first term of AddRoundConstant for register i of the chaining value; side as
   above. */
FIN_INLINE part FN(_first)(unsigned i, size_t side)
{
    return part_load(FIRST + 32 * i + side);
}

/* Computes h ^ P(h ^ m) and, where mask is all ones and not zero, ^ Q(m). h contains P's first
   constants before and after. */
FIN_INLINE void FN(_block)(part h[PARTS], const part m[PARTS], part mask)
{
    bytes x[ROWS];
#if BYTES_WIDTH == 16 && FIN_V(COLUMNS) == 16
    bytes q_rows[ROWS];
#endif
    FOR_PARTS (i) {
        const part p = part_xor(h[i], m[i]), q = part_xor(m[i], FN(_first)(i, 16));
#if BYTES_WIDTH == 32
        x[i] = bytes_of(p, q);
#elif FIN_V(COLUMNS) == 16
        x[i] = p;
        q_rows[i] = q;
#else
        x[i] = part_low64(p, q);
        x[i + 4] = part_high64(p, q);
#endif
    }
    for (unsigned round = 0; round < FIN_V(ROUNDS); round++) {
#if BYTES_WIDTH == 16 && FIN_V(COLUMNS) == 16
        FN(_round)(q_rows, round, 16);
#endif
        FN(_round)(x, round, 0);
    }
    FOR_PARTS (i) {
#if BYTES_WIDTH == 32
        const part p = bytes_p(x[i]), q = bytes_q(x[i]);
#elif FIN_V(COLUMNS) == 16
        const part p = x[i], q = q_rows[i];
#else
        const part p = part_low64(x[i], x[i + 4]);
        const part q = part_high64(x[i], x[i + 4]);
#endif
        h[i] = part_xor(h[i], part_xor(p, part_and(q, mask)));
    }
}

#if FIN_V(COLUMNS) == 8

/* From two columns per register to rows i and i + 4 in register i. */
static inline void FN(_transpose)(part x[4])
{
    /* c0r0 .. c0r7 c1r0 .. c1r7  ->  c0r0 c1r0 c0r4 c1r4 c0r1 c1r1 c0r5 c1r5 .. */
    static const _Alignas(16)
        uint8_t by[16] = {0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15};
    const part pairs = part_load(by);
    for (unsigned i = 0; i < 4; i++) {
        x[i] = part_shuffle(x[i], pairs);
    }
    /* Joins columns 0..3 (a) and 4..7 (b) of rows 0 4 1 5 (low) and 2 6 3 7 (high), then all
       columns. */
    const part a_low = part_low16(x[0], x[1]), a_high = part_high16(x[0], x[1]);
    const part b_low = part_low16(x[2], x[3]), b_high = part_high16(x[2], x[3]);
    x[0] = part_low32(a_low, b_low);
    x[1] = part_high32(a_low, b_low);
    x[2] = part_low32(a_high, b_high);
    x[3] = part_high32(a_high, b_high);
}

static inline void FN(_transpose_back)(part x[4])
{
    /* Interleaves rows 0 1 and 2 3 (low), 4 5 and 6 7 (high) by bytes, then by 16 and 32 bits. */
    const part r01 = part_low8(x[0], x[1]), r45 = part_high8(x[0], x[1]);
    const part r23 = part_low8(x[2], x[3]), r67 = part_high8(x[2], x[3]);
    const part low03 = part_low16(r01, r23), high03 = part_high16(r01, r23);
    const part low47 = part_low16(r45, r67), high47 = part_high16(r45, r67);
    x[0] = part_low32(low03, low47);
    x[1] = part_high32(low03, low47);
    x[2] = part_low32(high03, high47);
    x[3] = part_high32(high03, high47);
}

#else

static inline void FN(_transpose)(part x[8])
{
    fin_columns_to_rows_of_parts(x, part_load(fin_column_pairs_of_parts));
}

static inline void FN(_transpose_back)(part x[8])
{
    fin_rows_to_columns_of_parts(x);
}

#endif

/* words: in was just stored in words of 64 bits. */
FIN_INLINE void FN(_load)(part x[PARTS], const uint8_t *in, bool words)
{
    FOR_PARTS (i) {
        const uint8_t *at = in + 16 * i;
        x[i] = TO_BASIS(words ? part_load_words(at) : part_load_bytes(at));
    }
    FN(_transpose)(x);
}

/* The output transformation is a block of zeros without Q. */
static FIN_NOINLINE void FN(_run)(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,
                                  bool finish)
{
    part h[PARTS], m[PARTS];
    FIN_ALIGN_STACK(bytes);
    FN(_load)(h, (const uint8_t *)state->h.w64, true);
    FOR_PARTS (i) {
        h[i] = part_xor(h[i], FN(_first)(i, 0));
    }
    for (; blocks != 0; blocks--, in += stride) {
        FN(_load)(m, in, finish);
        FN(_block)(h, m, part_set1(0xff));
    }
    if (finish) {
        FOR_PARTS (i) {
            m[i] = part_set1(0);
        }
        FN(_block)(h, m, part_set1(0));
    }
    FOR_PARTS (i) {
        h[i] = part_xor(h[i], FN(_first)(i, 0));
    }
    FN(_transpose_back)(h);
    FOR_PARTS (i) {
        part_store((uint8_t *)state->h.w64 + 16 * i, FROM_BASIS(h[i]));
    }
}

FIN_GROESTL_MESSAGE(FIN_KERNEL, FN(_run))

#undef ROWS
#undef LAYOUT
#undef PARTS
#undef APART
#undef FN
#undef CONSTANTS
#undef SHIFTS
#undef FIRST
#undef TO_BASIS
#undef FROM_BASIS
#undef FIN_KERNEL
#undef FIN_VARIANT
