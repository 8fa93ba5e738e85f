/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lanes in 512-bit registers, AVX-512: sixteen messages of 32-bit words, eight of 64-bit words.
 *
 *   FIN_LANES32, FIN_LANES64         how many messages of 32-bit and of 64-bit words
 *   lane32, lane64                   one word of each of them; for B = 32 and 64:
 *   laneB_load(p), _store(p, x)      from and to rows of fin_lanes, which are aligned
 *   laneB_set1(x)                    a word for every message
 *   laneB_add(a, b), _xor(a, b)
 *   laneB_and_not(a, b)              a & ~b
 *   laneB_top_bit(x)                 every word's top bit, as 0 or 1
 *   laneB_barrier(x)                    x, hidden from the optimiser (kern/blake/g.h)
 *   laneB_swap_bytes(x)              of every word
 *   laneB_ror_N(x)                   for N of 16, 12, 8, 7 and of 32, 25, 24, 16, 11, 63
 *   laneB_load_square(x, in, offset) a square: as many words as messages, transposed
 *   laneB_xor3(a, b, c)
 *   laneB_transpose_part(m, in, offset, part, swap)
 *                                    transposes a part of a block of every message, with
 *                                    the bytes of every word swapped or not
 *   FIN_PARTS32, FIN_PARTS64         how many parts a block has
 *   FIN_STORES_DIGESTS               defined: there is
 *   laneB_store_digests(to, rows, apart, pieces, swap)
 *                                    stores the first 16 * pieces bytes of every message's words in
 *                                    eight rows, apart words from one to the next, with the bytes
 *                                    of every word swapped or not
 */
#ifndef FIN_LANES_512_H
#define FIN_LANES_512_H

#include <immintrin.h>

#define FIN_LANES32 16
#define FIN_LANES64 8
#define FIN_PARTS32 4
#define FIN_PARTS64 8
#define FIN_STORES_DIGESTS 1

typedef __m512i lane32;
typedef __m512i lane64;

/* Rows are aligned, messages may not be. */
FIN_INLINE __m512i fin_lane_load(const void *p)
{
    return _mm512_load_si512(p);
}
FIN_INLINE __m512i fin_lane_load_bytes(const void *p)
{
    return _mm512_loadu_si512(p);
}
FIN_INLINE void fin_lane_store(void *p, __m512i x)
{
    _mm512_store_si512(p, x);
}
FIN_INLINE __m512i fin_lane_xor(__m512i a, __m512i b)
{
    return _mm512_xor_si512(a, b);
}
FIN_INLINE __m512i fin_lane_xor3(__m512i a, __m512i b, __m512i c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}
FIN_INLINE __m512i fin_lane_and_not(__m512i a, __m512i b)
{
    return _mm512_andnot_si512(b, a);
}
/* Hides this sum from the optimiser (kern/blake/g.h). */
FIN_INLINE __m512i fin_lane_barrier(__m512i x)
{
    __asm__("" : "+v"(x));
    return x;
}
/* Shuffles every 128-bit lane by the same control. */
FIN_INLINE __m512i fin_lane_shuffle(__m512i x, __m128i control)
{
    return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(control));
}

/* Loads sixteen bytes of each of four messages, whose pointers are apart entries apart. All but the
   first load take no shuffle, but a vector slot each. */
FIN_INLINE __m512i fin_lane_load_quarters(const uint8_t *const in[], size_t apart, size_t offset)
{
    __m128i quarter[4];
    for (size_t i = 0; i < 4; i++) {
        quarter[i] = _mm_loadu_si128((const __m128i *)(const void *)(in[i * apart] + offset));
    }
    __m512i x = _mm512_castsi128_si512(quarter[0]);
    x = _mm512_inserti32x4(x, quarter[1], 1);
    x = _mm512_inserti32x4(x, quarter[2], 2);
    return _mm512_inserti32x4(x, quarter[3], 3);
}

/* Stores the quarters of x to rows that are apart bytes apart. Storing a quarter takes no shuffle:
   on Golden Cove only the store port; on Zen 4 an upper quarter also takes a vector slot. */
FIN_INLINE void fin_lane_store_quarters(void *to, size_t apart, __m512i x)
{
    uint8_t *p = to;
    _mm_store_si128((__m128i *)(void *)p, _mm512_castsi512_si128(x));
    _mm_store_si128((__m128i *)(void *)(p + apart), _mm512_extracti32x4_epi32(x, 1));
    _mm_store_si128((__m128i *)(void *)(p + 2 * apart), _mm512_extracti32x4_epi32(x, 2));
    _mm_store_si128((__m128i *)(void *)(p + 3 * apart), _mm512_extracti32x4_epi32(x, 3));
}

/* Stores the quarters of pieces registers, sixteen bytes each, to four addresses; quarter q of all
   registers goes to one address, in order. Quarters are pairs of 64-bit words because gcc stores
   only these by one instruction. */
FIN_INLINE void fin_lane_scatter_quarters(uint8_t *const *to, size_t apart, const __m512i *x,
                                          size_t pieces)
{
    for (size_t i = 0; i < pieces; i++) {
        _mm_storeu_si128((__m128i *)(void *)(to[0] + 16 * i), _mm512_castsi512_si128(x[i]));
    }
    for (size_t i = 0; i < pieces; i++) {
        _mm_storeu_si128((__m128i *)(void *)(to[apart] + 16 * i),
                         _mm512_extracti64x2_epi64(x[i], 1));
    }
    for (size_t i = 0; i < pieces; i++) {
        _mm_storeu_si128((__m128i *)(void *)(to[2 * apart] + 16 * i),
                         _mm512_extracti64x2_epi64(x[i], 2));
    }
    for (size_t i = 0; i < pieces; i++) {
        _mm_storeu_si128((__m128i *)(void *)(to[3 * apart] + 16 * i),
                         _mm512_extracti64x2_epi64(x[i], 3));
    }
}

#define lane32_load fin_lane_load
#define lane32_store fin_lane_store
#define lane32_xor fin_lane_xor
#define lane32_xor3 fin_lane_xor3
#define lane32_and_not fin_lane_and_not
#define lane32_barrier fin_lane_barrier
#define lane32_ror_16(x) _mm512_ror_epi32(x, 16)
#define lane32_ror_12(x) _mm512_ror_epi32(x, 12)
#define lane32_ror_8(x) _mm512_ror_epi32(x, 8)
#define lane32_ror_7(x) _mm512_ror_epi32(x, 7)

FIN_INLINE lane32 lane32_set1(uint32_t x)
{
    return _mm512_set1_epi32((int)x);
}
FIN_INLINE lane32 lane32_add(lane32 a, lane32 b)
{
    return _mm512_add_epi32(a, b);
}
FIN_INLINE lane32 lane32_top_bit(lane32 x)
{
    return _mm512_srli_epi32(x, 31);
}
FIN_INLINE lane32 lane32_swap_bytes(lane32 x)
{
    return fin_lane_shuffle(x, _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
}

/*
 * Transposes 64 bytes of every message, from offset on. Unpacking acts on all quarters of a
 * register alike, so messages 0, 4, 8, 12 share registers. Each quarter is unpacked as in
 * lanes_256.h:
 *
 *   a0 a1 a2 a3 | e0 .. | i0 .. | m0 ..        a0 b0 c0 d0 | e0 .. | i0 .. | m0 ..
 *   b0 b1 b2 b3 | f0 .. | j0 .. | n0 ..   ->   a1 b1 c1 d1 | e1 .. | i1 .. | m1 ..
 *   ..                                         ..
 */
FIN_INLINE void lane32_load_square(lane32 x[16], const uint8_t *const in[16], size_t offset)
{
    for (size_t i = 0; i < 16; i += 4, offset += 16) {
        const __m512i a = fin_lane_load_quarters(in, 4, offset);
        const __m512i b = fin_lane_load_quarters(in + 1, 4, offset);
        const __m512i c = fin_lane_load_quarters(in + 2, 4, offset);
        const __m512i d = fin_lane_load_quarters(in + 3, 4, offset);
        const __m512i ab_low = _mm512_unpacklo_epi32(a, b);
        const __m512i ab_high = _mm512_unpackhi_epi32(a, b);
        const __m512i cd_low = _mm512_unpacklo_epi32(c, d);
        const __m512i cd_high = _mm512_unpackhi_epi32(c, d);
        x[i] = _mm512_unpacklo_epi64(ab_low, cd_low);
        x[i + 1] = _mm512_unpackhi_epi64(ab_low, cd_low);
        x[i + 2] = _mm512_unpacklo_epi64(ab_high, cd_high);
        x[i + 3] = _mm512_unpackhi_epi64(ab_high, cd_high);
    }
}

/* Transposes four messages' blocks and reads each of them once:

     a0 a1 a2 a3 | a4 .. | a8 .. | a12 ..        a0 b0 c0 d0 | a4 b4 .. | a8 .. | a12 ..
     b0 b1 b2 b3 | b4 .. | b8 .. | b12 ..   ->   a1 b1 c1 d1 | a5 b5 .. | ..
     ..                                          ..

   The quarters become parts of rows 0, 4, 8, 12 and so on. */
FIN_INLINE void lane32_transpose_part(uint32_t *m, const uint8_t *const in[16], size_t offset,
                                      size_t part, bool swap)
{
    __m512i x[4];
    for (size_t i = 0; i < 4; i++) {
        x[i] = fin_lane_load_bytes(in[4 * part + i] + offset);
        x[i] = swap ? lane32_swap_bytes(x[i]) : x[i];
    }
    const __m512i ab_low = _mm512_unpacklo_epi32(x[0], x[1]);
    const __m512i ab_high = _mm512_unpackhi_epi32(x[0], x[1]);
    const __m512i cd_low = _mm512_unpacklo_epi32(x[2], x[3]);
    const __m512i cd_high = _mm512_unpackhi_epi32(x[2], x[3]);
    m += 4 * part;
    fin_lane_store_quarters(m, 256, _mm512_unpacklo_epi64(ab_low, cd_low));
    fin_lane_store_quarters(m + 16, 256, _mm512_unpackhi_epi64(ab_low, cd_low));
    fin_lane_store_quarters(m + 32, 256, _mm512_unpacklo_epi64(ab_high, cd_high));
    fin_lane_store_quarters(m + 48, 256, _mm512_unpackhi_epi64(ab_high, cd_high));
}

/*
 * Transposes words 4 i .. 4 i + 3 of all messages; the quarters belong to messages j, 4 + j, 8 + j
 * and 12 + j:
 *
 *   a0 b0 c0 d0 | e0 .. | i0 .. | m0 ..        a0 a1 a2 a3 | e0 .. | i0 .. | m0 ..
 *   a1 b1 c1 d1 | e1 .. | i1 .. | m1 ..   ->   b0 b1 b2 b3 | f0 .. | j0 .. | n0 ..
 *   ..                                         ..
 */
FIN_INLINE void lane32_store_digests(uint8_t *const to[16], const uint32_t *rows, size_t apart,
                                     size_t pieces, bool swap)
{
    __m512i y[4][4];
    for (size_t i = 0; i < pieces; i++) {
        __m512i x[4];
        for (size_t k = 0; k < 4; k++) {
            x[k] = fin_lane_load(rows + apart * (4 * i + k));
            x[k] = swap ? lane32_swap_bytes(x[k]) : x[k];
        }
        const __m512i low01 = _mm512_unpacklo_epi32(x[0], x[1]);
        const __m512i high01 = _mm512_unpackhi_epi32(x[0], x[1]);
        const __m512i low23 = _mm512_unpacklo_epi32(x[2], x[3]);
        const __m512i high23 = _mm512_unpackhi_epi32(x[2], x[3]);
        y[0][i] = _mm512_unpacklo_epi64(low01, low23);
        y[1][i] = _mm512_unpackhi_epi64(low01, low23);
        y[2][i] = _mm512_unpacklo_epi64(high01, high23);
        y[3][i] = _mm512_unpackhi_epi64(high01, high23);
    }
    for (size_t j = 0; j < 4; j++) {
        fin_lane_scatter_quarters(to + j, 4, y[j], pieces);
    }
}

/* The node that a lane takes, so that lane32_store_nodes stores neighbours together. */
#define lane32_node(lane) ((lane) % 4 * 4 + (lane) / 4)

/* Transposes eight rows to sixteen states of eight words, each in a lane by lane32_node. As
   lane32_store_digests, but the quarters belong to messages 4 j .. 4 j + 3:

     a0 a1 a2 a3 | b0 .. | c0 .. | d0 ..        a0 .. a3 | a4 .. a7 | b0 .. b3 | b4 .. b7
     a4 a5 a6 a7 | b4 .. | c4 .. | d4 ..   ->   c0 .. c3 | c4 .. c7 | d0 .. d3 | d4 .. d7   */
FIN_INLINE void lane32_store_nodes(uint8_t *to, const lane32 h[8])
{
    const __m512i ab = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i cd = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    __m512i y[2][4];
    for (size_t i = 0; i < 2; i++) {
        const __m512i low01 = _mm512_unpacklo_epi32(h[4 * i], h[4 * i + 1]);
        const __m512i high01 = _mm512_unpackhi_epi32(h[4 * i], h[4 * i + 1]);
        const __m512i low23 = _mm512_unpacklo_epi32(h[4 * i + 2], h[4 * i + 3]);
        const __m512i high23 = _mm512_unpackhi_epi32(h[4 * i + 2], h[4 * i + 3]);
        y[i][0] = _mm512_unpacklo_epi64(low01, low23);
        y[i][1] = _mm512_unpackhi_epi64(low01, low23);
        y[i][2] = _mm512_unpacklo_epi64(high01, high23);
        y[i][3] = _mm512_unpackhi_epi64(high01, high23);
    }
    for (size_t j = 0; j < 4; j++) {
        _mm512_storeu_si512(to + 128 * j, _mm512_permutex2var_epi64(y[0][j], ab, y[1][j]));
        _mm512_storeu_si512(to + 128 * j + 64, _mm512_permutex2var_epi64(y[0][j], cd, y[1][j]));
    }
}

#define lane64_load fin_lane_load
#define lane64_store fin_lane_store
#define lane64_xor fin_lane_xor
#define lane64_xor3 fin_lane_xor3
#define lane64_and_not fin_lane_and_not
#define lane64_barrier fin_lane_barrier
/* See words_256.h. */
#define lane64_ror_32(x) _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)_MM_SHUFFLE(2, 3, 0, 1))
#define lane64_ror_25(x) _mm512_ror_epi64(x, 25)
#define lane64_ror_24(x) _mm512_ror_epi64(x, 24)
#define lane64_ror_16(x) _mm512_ror_epi64(x, 16)
#define lane64_ror_11(x) _mm512_ror_epi64(x, 11)
#define lane64_ror_63(x) _mm512_ror_epi64(x, 63)

FIN_INLINE lane64 lane64_set1(uint64_t x)
{
    return _mm512_set1_epi64((long long)x);
}
FIN_INLINE lane64 lane64_add(lane64 a, lane64 b)
{
    return _mm512_add_epi64(a, b);
}
FIN_INLINE lane64 lane64_top_bit(lane64 x)
{
    return _mm512_srli_epi64(x, 63);
}
FIN_INLINE lane64 lane64_swap_bytes(lane64 x)
{
    return fin_lane_shuffle(x, _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
}

/*  a0 a1 | c0 c1 | e0 e1 | g0 g1   ->   a0 b0 | c0 d0 | e0 f0 | g0 h0
    b0 b1 | d0 d1 | f0 f1 | h0 h1        a1 b1 | c1 d1 | e1 f1 | g1 h1  */
FIN_INLINE void lane64_load_square(lane64 x[8], const uint8_t *const in[8], size_t offset)
{
    for (size_t i = 0; i < 8; i += 2, offset += 16) {
        const __m512i a = fin_lane_load_quarters(in, 2, offset);
        const __m512i b = fin_lane_load_quarters(in + 1, 2, offset);
        x[i] = _mm512_unpacklo_epi64(a, b);
        x[i + 1] = _mm512_unpackhi_epi64(a, b);
    }
}

/* Transposes half of two messages' blocks:

     a0 a1 | a2 a3 | a4 a5 | a6 a7   ->   a0 b0 | a2 b2 | a4 b4 | a6 b6
     b0 b1 | b2 b3 | b4 b5 | b6 b7        a1 b1 | a3 b3 | a5 b5 | a7 b7  */
FIN_INLINE void lane64_transpose_part(uint64_t *m, const uint8_t *const in[8], size_t offset,
                                      size_t part, bool swap)
{
    const size_t pair = part % 4;
    const size_t half = part / 4;
    __m512i a = fin_lane_load_bytes(in[2 * pair] + offset + 64 * half);
    __m512i b = fin_lane_load_bytes(in[2 * pair + 1] + offset + 64 * half);
    a = swap ? lane64_swap_bytes(a) : a;
    b = swap ? lane64_swap_bytes(b) : b;
    m += 64 * half + 2 * pair;
    fin_lane_store_quarters(m, 128, _mm512_unpacklo_epi64(a, b));
    fin_lane_store_quarters(m + 8, 128, _mm512_unpackhi_epi64(a, b));
}

/* Transposes words 2 i and 2 i + 1 of all messages; y[0] gets the even messages, y[1] the odd ones:

     a0 b0 | c0 d0 | e0 f0 | g0 h0        a0 a1 | c0 c1 | e0 e1 | g0 g1
     a1 b1 | c1 d1 | e1 f1 | g1 h1   ->   b0 b1 | d0 d1 | f0 f1 | h0 h1   */
FIN_INLINE void lane64_digest_pieces(__m512i y[2][4], const uint64_t *rows, size_t apart,
                                     size_t pieces, bool swap)
{
    for (size_t i = 0; i < pieces; i++) {
        __m512i x0 = fin_lane_load(rows + apart * (2 * i));
        __m512i x1 = fin_lane_load(rows + apart * (2 * i + 1));
        x0 = swap ? lane64_swap_bytes(x0) : x0;
        x1 = swap ? lane64_swap_bytes(x1) : x1;
        y[0][i] = _mm512_unpacklo_epi64(x0, x1);
        y[1][i] = _mm512_unpackhi_epi64(x0, x1);
    }
}

/* Stores four digests of 64 bytes to every second address:

     a0 a1 | c0 c1 | e0 e1 | g0 g1        a0 a1 | a2 a3 | a4 a5 | a6 a7
     a2 a3 | c2 c3 | e2 e3 | g2 g3   ->   c0 c1 | c2 c3 | ..
     ..                                   ..   */
FIN_INLINE void lane64_store_lines(uint8_t *const *to, const __m512i w[4])
{
    const __m512i ae0 = _mm512_shuffle_i64x2(w[0], w[1], _MM_SHUFFLE(2, 0, 2, 0));
    const __m512i ae1 = _mm512_shuffle_i64x2(w[2], w[3], _MM_SHUFFLE(2, 0, 2, 0));
    const __m512i cg0 = _mm512_shuffle_i64x2(w[0], w[1], _MM_SHUFFLE(3, 1, 3, 1));
    const __m512i cg1 = _mm512_shuffle_i64x2(w[2], w[3], _MM_SHUFFLE(3, 1, 3, 1));
    _mm512_storeu_si512(to[0], _mm512_shuffle_i64x2(ae0, ae1, _MM_SHUFFLE(2, 0, 2, 0)));
    _mm512_storeu_si512(to[2], _mm512_shuffle_i64x2(cg0, cg1, _MM_SHUFFLE(2, 0, 2, 0)));
    _mm512_storeu_si512(to[4], _mm512_shuffle_i64x2(ae0, ae1, _MM_SHUFFLE(3, 1, 3, 1)));
    _mm512_storeu_si512(to[6], _mm512_shuffle_i64x2(cg0, cg1, _MM_SHUFFLE(3, 1, 3, 1)));
}

/* Stores whole cache lines; or, where byte swaps have kept the shuffle port busy, chunks of 16
   bytes. */
FIN_INLINE void lane64_store_digests(uint8_t *const to[8], const uint64_t *rows, size_t apart,
                                     size_t pieces, bool swap)
{
    __m512i y[2][4];
    lane64_digest_pieces(y, rows, apart, pieces, swap);
    for (size_t odd = 0; odd < 2; odd++) {
        if (pieces == 4 && !swap) {
            lane64_store_lines(to + odd, y[odd]);
        } else {
            fin_lane_scatter_quarters(to + odd, 2, y[odd], pieces);
        }
    }
}

#endif
