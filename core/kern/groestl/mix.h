/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * MixBytes on rows: every way of computing b_i = 2 a_i + 2 a_(i+1) + 3 a_(i+2) + 4 a_(i+3) +
 * 5 a_(i+4) + 3 a_(i+5) + 5 a_(i+6) + 7 a_(i+7) (indices modulo 8), with the vector abstraction of
 * vec/bytes_*.h. May be included once per number of registers.
 *
 *   FIN_ROWS        8: register i holds row i. 4: register i holds rows i and i + 4, in halves
 *                   that bytes_swap exchanges
 *   FIN_DOUBLE(x)   2 x, or 2 x + d for a d that the round constants absorb
 *   FIN_DOUBLE_ADD(x, y)   optional: FIN_DOUBLE(x) + y, where that takes fewer instructions
 */
#include "names.h"

#if !defined(FIN_ROWS) || (FIN_ROWS != 8 && FIN_ROWS != 4)
#error "FIN_ROWS is to be 8 or 4"
#endif
#ifndef FIN_DOUBLE
#error "FIN_DOUBLE is to be defined"
#endif

#ifndef FIN_DOUBLE_ADD
#define FIN_DOUBLE_ADD(x, y) bytes_xor(FIN_DOUBLE(x), y)
#endif

#define MIX(name) FIN_CAT(FIN_CAT(fin_mix_, name), FIN_CAT(_of_, FIN_ROWS))
/* The register whose first row is row i. */
#if FIN_ROWS == 8
#define SWAPPED(x) (x)
#else
#define SWAPPED(x) bytes_swap(x)
#endif
#define AT(a, i) ((i) % 8 < FIN_ROWS ? (a)[(i) % FIN_ROWS] : SWAPPED((a)[(i) % FIN_ROWS]))
#define FOR_ROWS(i) _Pragma("GCC unroll 8") for (unsigned i = 0; i < FIN_ROWS; i++)

/*
 * 16 doublings, 48 XORs (guide, equations 3 and 6): t_i = a_i + a_(i+1), x_i = t_i + t_(i+3),
 * y_i = a_(i+6) + t_i + t_(i+2), b_i = 2 (2 x_(i+3) + y_(i+7)) + y_(i+4).
 *
 * Compilers would reassociate these sums and move more registers, so some are hidden from them: x
 * where instructions overwrite an operand, else t. That saves clang up to 4 per cent, gcc 1 per
 * cent (Zen 4).
 */
#if !FIN_ISA_SSE2
#define KEPT_T(sum) ((void)0)
#define KEPT_X(sum) ((void)0)
#elif FIN_ISA_AVX
#define KEPT_T(sum) __asm__("" : "+x"(sum))
#define KEPT_X(sum) ((void)0)
#else
#define KEPT_T(sum) ((void)0)
#define KEPT_X(sum) __asm__("" : "+x"(sum))
#endif
FIN_INLINE void MIX(48)(bytes a[FIN_ROWS])
{
    bytes t[FIN_ROWS], x[FIN_ROWS], y[FIN_ROWS];
    FOR_ROWS (i) {
        t[i] = bytes_xor(a[i], AT(a, i + 1));
        KEPT_T(t[i]);
    }
    FOR_ROWS (i) {
        x[i] = bytes_xor(t[i], AT(t, i + 3));
        KEPT_X(x[i]);
        y[i] = bytes_xor3(AT(a, i + 6), t[i], AT(t, i + 2));
    }
    FOR_ROWS (i) {
        x[i] = FIN_DOUBLE_ADD(x[i], AT(y, i + 4));
    }
    FOR_ROWS (i) {
        a[i] = FIN_DOUBLE_ADD(AT(x, i + 3), AT(y, i + 4));
    }
}
#undef KEPT_T
#undef KEPT_X

/*
 * The same counts in four layers instead of five. Each row of a layer is an XOR of three terms, or
 * of a doubled term and another: p_i = 2 a_i + a_(i+1), q_i = 2 p_i + a_i,
 * r_i = p_i + q_(i+2) + q_(i+3), b_i = p_(i+2) + r_(i+4) + r_(i+1). tools/mixbytes_search.c tries
 * all programs of such layers that are the same for every row: none has three layers. With AVX-512
 * gcc makes a three-term XOR overwrite its first term and copies that before if it is needed again:
 * q_(i+2) mostly is not.
 */
FIN_INLINE void MIX(four_layers)(bytes a[FIN_ROWS])
{
    bytes p[FIN_ROWS], q[FIN_ROWS], r[FIN_ROWS];
    FOR_ROWS (i) {
        p[i] = FIN_DOUBLE_ADD(a[i], AT(a, i + 1));
    }
    FOR_ROWS (i) {
        q[i] = FIN_DOUBLE_ADD(p[i], a[i]);
    }
    FOR_ROWS (i) {
#if FIN_ROWS == 4 && !FIN_ISA_AVX512
        r[i] = bytes_xor(p[i], AT(q, i + 2));
        __asm__("" : "+x"(r[i])); /* keeps the later term from coming first */
        r[i] = bytes_xor(r[i], AT(q, i + 3));
#else
        r[i] = bytes_xor3(AT(q, i + 2), p[i], AT(q, i + 3));
#endif
    }
    FOR_ROWS (i) {
        a[i] = bytes_xor3(AT(r, i + 4), AT(p, i + 2), AT(r, i + 1));
    }
}

/*
 * 48 XORs, given a, 2 a and 4 a: with R x for x_(i+1), equation 4 is
 * b = R^4 (1 + R + R^2 + R^3 + R^6) g + R^3 (1 + R) (1 + R^3) 4 a, g = a + R^3 2 a, hence
 * u = g + 4 a, h = 4 a + R g + R^3 u, b = R^3 h + R^4 h + R^2 g.
 *
 * constants, unless null, are added to all rows, to row 0 and to row 7. The first reaches every row
 * once, through h_0, h_2, h_4 and h_6.
 */
FIN_INLINE void MIX(multiples)(bytes a1[FIN_ROWS], const bytes a2[FIN_ROWS],
                               const bytes a4[FIN_ROWS], const bytes constants[3])
{
    bytes g[FIN_ROWS], u[FIN_ROWS], h[FIN_ROWS], rest[FIN_ROWS];
    FOR_ROWS (i) {
        g[i] = bytes_xor(a1[i], AT(a2, i + 3));
#if FIN_ROWS == 8
        u[i] = bytes_xor(g[i], a4[i]);
#else
        u[i] = bytes_xor(bytes_xor(a1[i], a4[i]), AT(a2, i + 3)); /* not to be delayed until g_i */
#endif
        h[i] = constants != NULL && i % 2 == 0 ? bytes_xor(a4[i], constants[0]) : a4[i];
    }
    FOR_ROWS (i) {
        rest[i] = g[(i + 2) % FIN_ROWS];
    }
    if (constants != NULL) {
        rest[0] = bytes_xor(rest[0], constants[1]);
        rest[FIN_ROWS - 1] = bytes_xor(rest[FIN_ROWS - 1], SWAPPED(constants[2]));
    }
#if FIN_ROWS == 8
    FOR_ROWS (i) {
        h[i] = bytes_xor(bytes_xor(h[i], AT(g, i + 1)), AT(u, i + 3));
    }
    FOR_ROWS (i) {
        a1[i] = bytes_xor(bytes_xor(rest[i], AT(h, i + 3)), AT(h, i + 4));
    }
#else
    /* Ten exchanges of halves, each as early as its chain allows. */
    h[0] = bytes_xor(bytes_xor(h[0], g[1]), u[3]);
    h[1] = bytes_xor(bytes_xor(h[1], g[2]), bytes_swap(u[0]));
    h[2] = bytes_xor(bytes_xor(h[2], g[3]), bytes_swap(u[1]));
    h[3] = bytes_xor(h[3], bytes_swap(bytes_xor(g[0], u[2])));
    a1[0] = bytes_xor(bytes_xor(rest[0], h[3]), bytes_swap(h[0]));
    a1[1] = bytes_xor(bytes_xor(rest[1], bytes_swap(h[0])), bytes_swap(h[1]));
    a1[2] = bytes_swap(bytes_xor(bytes_xor(rest[2], h[1]), h[2]));
    a1[3] = bytes_swap(bytes_xor(bytes_xor(rest[3], h[2]), h[3]));
#endif
}

#if FIN_ROWS == 8

#ifdef BYTES_CAN_FOLD

/*
 * As the one of 48 XORs, with one reduction for both doublings: 4 x_(i+3) + 2 y_(i+7) pushes three
 * bits out of a byte, and a table (gen/groestl_fold.inc) gives their reduction. 56 XORs, 16 shifts,
 * 16 instructions for the three bits and 8 look-ups.
 */
FIN_INLINE void MIX(folded)(bytes a[8])
{
    bytes t[8], x[8], y[8];
    const bytes fold = bytes_table(fin_groestl_fold);
    FOR_ROWS (i) {
        t[i] = bytes_xor(a[i], AT(a, i + 1));
    }
    FOR_ROWS (i) {
        x[i] = bytes_xor(t[i], AT(t, i + 3));
        y[i] = bytes_xor(bytes_xor(AT(a, i + 6), t[i]), AT(t, i + 2));
    }
    FOR_ROWS (i) {
        const bytes x3 = AT(x, i + 3), y7 = AT(y, i + 7);
        const bytes half = bytes_xor(bytes_add(x3, x3), y7);
        const bytes back = bytes_shuffle(fold, bytes_pushed_out(x3, y7));
        a[i] = bytes_xor(bytes_add(half, half), bytes_xor(back, AT(y, i + 4)));
    }
}

#endif

/*
 * 24 three-term XORs, given 2 a, 3 a and 5 a: with p_i = 2 a_i + 3 a_(i+2) + 5 a_(i+3), b_i = p_i +
 * p_(i+1) + p_(i+3) + 7 a_(i+7). A search over all three layers of eight such XORs, for each basis
 * of the multiples, found it; two layers do not suffice. It takes 48 two-term XORs.
 */
FIN_INLINE void MIX(235)(bytes a5[8], const bytes a2[8], const bytes a3[8])
{
    bytes p[8], a7[8];
    FOR_ROWS (i) {
        p[i] = bytes_xor3(AT(a3, i + 2), a2[i], AT(a5, i + 3));
    }
    FOR_ROWS (i) {
        a7[i] = bytes_xor3(AT(a2, i + 7), AT(a5, i + 7), p[i]);
    }
    FOR_ROWS (i) {
        a5[i] = bytes_xor3(a7[i], AT(p, i + 1), AT(p, i + 3));
    }
}

/* 16 doublings, 104 XORs: double and add (guide, equation 2). */
FIN_INLINE void MIX(104)(bytes a[8])
{
    bytes b[8];
#define SUM2(i, j) bytes_xor(AT(a, i), AT(a, j))
    FOR_ROWS (i) {
        const bytes four = bytes_xor(SUM2(i + 3, i + 4), SUM2(i + 6, i + 7));
        const bytes two = bytes_xor(bytes_xor(SUM2(i, i + 1), SUM2(i + 2, i + 5)), AT(a, i + 7));
        const bytes one =
            bytes_xor(bytes_xor(SUM2(i + 2, i + 4), SUM2(i + 5, i + 6)), AT(a, i + 7));
        b[i] = bytes_xor(FIN_DOUBLE(bytes_xor(FIN_DOUBLE(four), two)), one);
    }
#undef SUM2
    FOR_ROWS (i) {
        a[i] = b[i];
    }
}

/* 58 XORs, given a, 2 a and 4 a (guide, table 3: t1 .. t9, ta, tb, tc are its superscripts 1 .. c,
   and d marks terms that are added unchanged). */
FIN_INLINE void MIX(58)(bytes a[8], const bytes d[8], const bytes f[8])
{
#define SUM2(x, y) bytes_xor(x, y)
#define SUM3(x, y, z) SUM2(SUM2(x, y), z)
#define SUM4(x, y, z, u) SUM2(SUM2(x, y), SUM2(z, u))
#define SUM5(x, y, z, u, v) SUM2(SUM4(x, y, z, u), v)
    const bytes t1 = SUM5(d[0], d[2], a[5], f[7], a[7]), t2 = SUM5(d[1], a[4], f[6], a[6], d[7]);
    const bytes t3 = SUM5(a[0], f[2], a[2], d[3], d[5]), t4 = SUM5(a[1], f[3], a[3], d[4], d[6]);
    const bytes t5 = SUM4(f[0], a[0], d[3], f[5]), t6 = SUM4(f[1], f[4], a[4], d[7]);
    const bytes t7 = SUM3(f[1], a[1], d[4]), t8 = SUM3(d[0], f[5], a[5]);
    const bytes t9 = SUM2(a[2], d[5]), ta = SUM2(d[1], a[6]);
    const bytes tb = SUM2(a[3], d[6]), tc = SUM2(d[2], a[7]);
    a[0] = SUM5(t1, t2, t9, f[3], f[4]);
    a[1] = SUM5(t5, t1, ta, tb, f[4]);
    a[2] = SUM4(t5, t7, t2, tc);
    a[3] = SUM4(t1, t3, t7, f[6]);
    a[4] = SUM5(t3, t4, ta, f[0], f[7]);
    a[5] = SUM5(t4, t6, tc, t9, f[0]);
    a[6] = SUM4(t8, t3, t6, tb);
    a[7] = SUM4(t8, t2, t4, f[2]);
}

/*
 * Factors 1, 2 and 4 separately (guide, table 5, whose superscripts name the sums): the sums for
 * factor 2 are twice those for factor 1, three rows on. 24 doublings; 54 XORs as the table can be
 * read, where the guide counts 48.
 */
FIN_INLINE void MIX(separated)(bytes a[8])
{
    bytes one[8], pair[8], four[8];
    const bytes t0 = SUM2(a[2], a[5]), t1 = SUM2(a[0], a[3]), t2 = SUM2(a[4], a[6]);
    const bytes t3 = SUM2(a[1], a[7]), ta = SUM2(t1, a[6]), tb = SUM2(t3, a[0]);
    one[0] = SUM3(t0, t2, a[7]);
    one[1] = SUM3(ta, a[5], a[7]);
    one[2] = SUM2(tb, t2);
    one[3] = SUM2(tb, t0);
    one[4] = SUM3(ta, a[1], a[2]);
    one[5] = SUM4(t3, a[2], a[3], a[4]);
    one[6] = SUM3(t0, t1, a[4]);
    one[7] = SUM4(t2, a[1], a[3], a[5]);
    FOR_ROWS (i) {
        four[i] = FIN_DOUBLE(FIN_DOUBLE(a[i]));
    }
    FOR_ROWS (i) {
        pair[i] = SUM2(four[i], AT(four, i + 3));
    }
    FOR_ROWS (i) {
        a[i] = SUM3(one[i], FIN_DOUBLE(AT(one, i + 3)), SUM2(AT(pair, i + 3), AT(pair, i + 4)));
    }
#undef SUM2
#undef SUM3
#undef SUM4
#undef SUM5
}

/*
 * 60 XORs, given 3 a, 5 a and 7 a (guide, section 4.4.6): 2 = 5 + 7, 4 = 3 + 7. Two rows each use
 * the sums d_i = 5 a_i + 7 a_i, f_i = 3 a_i + 5 a_(i+1) and v_i = 7 a_i + 7 a_(i+4).
 */
FIN_INLINE void MIX(basis_357)(bytes b[8], const bytes a3[8], const bytes a5[8], const bytes a7[8])
{
    bytes d[8], f[8], v[4];
    FOR_ROWS (i) {
        d[i] = bytes_xor(a5[i], a7[i]);
        f[i] = bytes_xor(a3[i], AT(a5, i + 1));
    }
    for (unsigned i = 0; i < 4; i++) {
        v[i] = bytes_xor(a7[i], a7[i + 4]);
    }
    FOR_ROWS (i) {
        const bytes first = bytes_xor(bytes_xor(d[i], AT(d, i + 1)), AT(a3, i + 2));
        const bytes last = bytes_xor(bytes_xor(AT(f, i + 3), AT(f, i + 5)), v[(i + 3) % 4]);
        b[i] = bytes_xor(first, last);
    }
}

#endif

#undef MIX
#undef AT
#undef SWAPPED
