/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl in bit slices (guide, section 3.3): plane k holds bit k of 64 bytes, the byte of row r
 * and column c at bit 8 r + c. So ShiftBytes rotates each byte of a plane by its row's offset,
 * MixBytes' a_(i + k) is a rotation of the whole plane by 8 k, and a block's columns become planes
 * by transposing 8 x 8 bits in place. Constant-time.
 *
 * A register of type plane (vec/planes_*.h) holds one such plane of P or Q, or one of P and one of
 * Q, or those of columns 0..7 and 8..15 of both; or a plane of P or of Q of every message. A state
 * of sixteen columns takes two words per plane: two lanes of a register, or two registers.
 *
 *   FIN_VARIANT     see kern/groestl/variants.h
 *   FIN_KERNEL      the name of the function to define; FIN_KERNEL_finish is the one that finishes
 *   FIN_MESSAGES    optional: a register's lanes are messages, not parts of one
 */
#include "kern/groestl/variants.h"

#if !defined(PLANE_LANES)
#error "a vec/planes_*.h comes first"
#endif

#define WORDS (FIN_V(COLUMNS) / 8)
#define STAGES (WORDS + 2)
#define SHIFT_P FIN_CAT(fin_shift_p, FIN_V(STATE_BITS))
#if FIN_V(TWEAKED)
#define SHIFT_Q FIN_CAT(fin_shift_q, FIN_V(STATE_BITS))
#else
#define SHIFT_Q SHIFT_P
#endif
#define FN(name) FIN_CAT(FIN_KERNEL, name)
/* Gives f(side, word) for every lane of register w; side is 0 for P, 1 for Q. */
#ifdef FIN_MESSAGES
#define SIDES 1
#define REGISTERS WORDS
#define LANES(f, side, w) ((plane){0} + f(side, w))
#define OTHER_WORD(q, w, bit) (q)[WORDS - 1 - (w)][bit]
#elif PLANE_LANES == 1
#define SIDES 1
#define REGISTERS WORDS
#define LANES(f, side, w) f(side, w)
#define OTHER_WORD(q, w, bit) (q)[WORDS - 1 - (w)][bit]
#elif PLANE_LANES == 2
#define SIDES 2
#define REGISTERS WORDS
#define LANES(f, side, w) ((plane){f(0, w), f(1, w)})
#define OTHER_WORD(q, w, bit) (q)[WORDS - 1 - (w)][bit]
#else
#define SIDES 2
#define REGISTERS 1
#define LANES(f, side, w) ((plane){f(0, 0), f(0, WORDS - 1), f(1, 0), f(1, WORDS - 1)})
#define OTHER_WORD(q, w, bit) (WORDS == 2 ? plane_other_columns((q)[w][bit]) : (q)[w][bit])
#endif

#define FOR_REGISTERS(i) WRITTEN_OUT(2) for (unsigned i = 0; i < REGISTERS; i++)

/* Stage k shifts its rows left by 2^k columns: bit c takes bit c + 2^k, from the other word where
   that exceeds bit 7. The fourth stage exchanges the two words. */
FIN_INLINE void FN(_shift_rows)(plane q[REGISTERS][8], unsigned side)
{
#define ROWS(side, w) ((side) == 0 ? SHIFT_P : SHIFT_Q)[stage]
#define LOW(side, w) (ROWS(side, w) & (0xffU >> k) * UINT64_C(0x0101010101010101))
    (void)side;
    FOR_PLANES (bit) {
        FOR_STAGES (stage) {
            const unsigned k = 1U << stage;
            const plane rows = LANES(ROWS, side, 0), low = LANES(LOW, side, 0), high = rows & ~low;
            plane moved[REGISTERS];
            FOR_REGISTERS (w) {
                moved[w] = (q[w][bit] & ~rows) | (q[w][bit] >> k & low) |
                           (OTHER_WORD(q, w, bit) << (8 - k) & high);
            }
            FOR_REGISTERS (w) {
                q[w][bit] = moved[w];
            }
        }
        if (WORDS == 2) {
            const unsigned stage = STAGES - 1;
            const plane rows = LANES(ROWS, side, 0);
            const plane change = (q[0][bit] ^ OTHER_WORD(q, 0, bit)) & rows;
            FOR_REGISTERS (w) {
                q[w][bit] ^= change;
            }
        }
    }
#undef ROWS
#undef LOW
}

/* Returns a plane's term of AddRoundConstant. In the tweaked P, row 0 takes (column << 4) ^ round:
   the round is in planes 0..3, the column in planes 4..7. In Q it is row 7, and all bits are
   inverted. */
static inline uint64_t FN(_constant)(unsigned side, unsigned word, unsigned bit, unsigned round)
{
    static const uint8_t column_bit[2][4] = {{0xaa, 0xcc, 0xf0, 0}, {0xaa, 0xcc, 0xf0, 0xff}};
    const uint64_t of_round = bit < 4 && (round >> bit & 1) != 0 ? 0xff : 0;
    if (FIN_V(TWEAKED)) {
        const uint64_t row = bit < 4 ? of_round : column_bit[word][bit - 4];
        return side == 0 ? row : ~(row << 56);
    }
    const uint64_t column = word == 0 ? 1 : 0;
    return side == 0 ? of_round & column : (~of_round & column) << 56;
}

/* Forces a plane into a register before SubBytes or MixBytes. Otherwise clang begins SubBytes (3
   per cent) and gcc MixBytes of 32 planes (4 per cent) with more planes than there are
   registers. */
#if defined(__clang__) && defined(FIN_ARCH_X86_64) && PLANE_LANES == 1 && WORDS == 1
#define BEFORE_SBOX(x) __asm__("" : "+r"(x))
#else
#define BEFORE_SBOX(x) ((void)(x))
#endif
#if defined(FIN_MESSAGES) && PLANE_LANES == 4 && WORDS == 2
#define BEFORE_MIX(x) __asm__("" : "+x"(x))
#else
#define BEFORE_MIX(x) ((void)(x))
#endif

FIN_INLINE void FN(_permute)(plane q[REGISTERS][8], unsigned side)
{
    (void)side;
    for (unsigned round = 0; round < FIN_V(ROUNDS); round++) {
#define CONSTANT(side, word) FN(_constant)(side, word, bit, round)
        FOR_REGISTERS (w) {
            FOR_PLANES (bit) {
                q[w][bit] ^= LANES(CONSTANT, side, w);
            }
            FOR_PLANES (bit) {
                BEFORE_SBOX(q[w][bit]);
            }
            fin_sbox_planes(q[w]);
        }
#undef CONSTANT
        FN(_shift_rows)(q, side);
        FOR_REGISTERS (w) {
            FOR_PLANES (bit) {
                BEFORE_MIX(q[w][bit]);
            }
            fin_mix_planes(q[w]);
        }
    }
}

#ifdef FIN_MESSAGES
#include "kern/groestl/bitslice_lanes.h"
#else
#include "kern/groestl/bitslice_message.h"
#endif

#undef WORDS
#undef STAGES
#undef SHIFT_P
#undef SHIFT_Q
#undef FN
#undef SIDES
#undef REGISTERS
#undef FOR_REGISTERS
#undef LANES
#undef OTHER_WORD
#undef BEFORE_SBOX
#undef BEFORE_MIX
#undef FIN_KERNEL
#undef FIN_VARIANT
