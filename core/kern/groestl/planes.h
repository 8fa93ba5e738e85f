/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SubBytes and MixBytes of bit-sliced Grøstl on eight planes, for any state size, and the
 * transposition of columns to planes.
 *
 * Before it: vec/planes_*.h.
 */
#if defined(__GNUC__) && !defined(__clang__) && \
    (defined(FIN_ARCH_X86_64) || (defined(FIN_ARCH_X86) && PLANE_LANES > 1))
/* The eight planes and their intermediate results do not fit the registers. gcc 12 spills fewer of
   them if it schedules instructions before it assigns registers, not after. */
#pragma GCC optimize("schedule-insns", "sched-pressure", "no-schedule-insns2")
#endif

/* Unrolls loops, which clang would keep or turn into a memmove. gcc's code is half as long with
   loops: builds of parts, such as Python's wheels, keep them where they cost less than 3 per cent,
   in vectors. */
#if defined(FIN_PARTS) && !defined(__clang__) && PLANE_LANES > 1
#define WRITTEN_OUT(count)
#else
#define WRITTEN_OUT(count) FIN_PRAGMA(GCC unroll count)
#define FIN_PRAGMA(text) _Pragma(#text)
#endif
#define FOR_PLANES(i) WRITTEN_OUT(8) for (unsigned i = 0; i < 8; i++)
#define FOR_STAGES(i) WRITTEN_OUT(3) for (unsigned i = 0; i < 3; i++)
#define PLANE plane
#define FIN_AES_SBOX fin_sbox_planes
#include "kern/groestl/aes_sbox.h"

/* Moves bit k of byte j of word i to bit i of byte j of word k, its own inverse. word is uint64_t,
   or plane if its lanes are messages. */
#ifndef FIN_PLANE_WORD
#define FIN_PLANE_WORD uint64_t
#endif
FIN_INLINE void fin_transpose_planes(FIN_PLANE_WORD q[8])
{
    static const uint64_t low[3] = {UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333),
                                    UINT64_C(0x0f0f0f0f0f0f0f0f)};
    FOR_STAGES (stage) {
        const unsigned s = 1U << stage;
        FOR_PLANES (i) {
            if ((i & s) == 0) {
                const FIN_PLANE_WORD a = q[i], b = q[i + s];
                q[i] = (a & low[stage]) | (b & low[stage]) << s;
                q[i + s] = (a >> s & low[stage]) | (b & low[stage] << s);
            }
        }
    }
}

/* Multiplies every byte by 02, modulo 11b. */
FIN_INLINE void fin_double_planes(plane x[8])
{
    const plane carry = x[7];
    x[7] = x[6];
    x[6] = x[5];
    x[5] = x[4];
    x[4] = x[3] ^ carry;
    x[3] = x[2] ^ carry;
    x[2] = x[1];
    x[1] = x[0] ^ carry;
    x[0] = carry;
}

/*
 * MixBytes with the fewest XORs (guide, section 4.4.4, equation 3):
 * x_i = a_i + a_(i+1), y_i = x_i + x_(i+3), z_i = x_i + x_(i+2) + a_(i+6),
 * b_i = 02 (02 y_(i+3) + z_(i+7)) + z_(i+4).
 */
FIN_INLINE void fin_mix_planes(plane a[8])
{
    plane z[8], b[8];
    FOR_PLANES (bit) {
        const plane x = a[bit] ^ plane_rotate_rows(a[bit], 1);
        z[bit] = x ^ plane_rotate_rows(x, 2) ^ plane_rotate_rows(a[bit], 6);
        b[bit] = plane_rotate_rows(x ^ plane_rotate_rows(x, 3), 3);
    }
    fin_double_planes(b);
    FOR_PLANES (bit) {
        b[bit] ^= plane_rotate_rows(z[bit], 7);
    }
    fin_double_planes(b);
    FOR_PLANES (bit) {
        a[bit] = b[bit] ^ plane_rotate_rows(z[bit], 4);
    }
}
