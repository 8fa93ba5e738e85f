/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lanes in 256-bit registers, AVX2 and AVX-512VL: eight messages of 32-bit words, four of 64-bit
 * words.
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
 *                                    eight rows, with the bytes of every word swapped or not
 */
#ifndef FIN_LANES_256_H
#define FIN_LANES_256_H

#include "vec/isa.h"
#include "vec/words_256.h"

#define FIN_LANES32 8
#define FIN_LANES64 4
#define FIN_PARTS32 4
#define FIN_PARTS64 8
#define FIN_STORES_DIGESTS 1

typedef __m256i lane32;
typedef __m256i lane64;

/* Rows are aligned, messages may not be. */
FIN_INLINE __m256i fin_lane_load(const void *p)
{
    return _mm256_load_si256(p);
}
FIN_INLINE void fin_lane_store(void *p, __m256i x)
{
    _mm256_store_si256(p, x);
}
FIN_INLINE __m256i fin_lane_and_not(__m256i a, __m256i b)
{
    return _mm256_andnot_si256(b, a);
}

FIN_INLINE __m256i fin_lane_load_bytes(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
FIN_INLINE __m256i fin_lane_xor3(__m256i a, __m256i b, __m256i c)
{
#if FIN_ISA_AVX512
    return _mm256_ternarylogic_epi64(a, b, c, 0x96);
#else
    return _mm256_xor_si256(_mm256_xor_si256(a, b), c);
#endif
}

/* Stores the halves of x to rows that are apart bytes apart. Storing a half takes no shuffle, only
   the store port. */
FIN_INLINE void fin_lane_store_halves(void *to, size_t apart, __m256i x)
{
    uint8_t *p = to;
    _mm_store_si128((__m128i *)(void *)p, _mm256_castsi256_si128(x));
    _mm_store_si128((__m128i *)(void *)(p + apart), _mm256_extracti128_si256(x, 1));
}

/* Stores each half of x to an address of its own. */
FIN_INLINE void fin_lane_scatter_halves(uint8_t *low, uint8_t *high, __m256i x)
{
    _mm_storeu_si128((__m128i *)(void *)low, _mm256_castsi256_si128(x));
    _mm_storeu_si128((__m128i *)(void *)high, _mm256_extracti128_si256(x, 1));
}

#define lane32_load fin_lane_load
#define lane32_store fin_lane_store
#define lane32_xor vec64_xor
#define lane32_xor3 fin_lane_xor3
#define lane32_and_not fin_lane_and_not
#define lane32_barrier vec64_barrier
#define lane32_swap_bytes vec32x2_swap_bytes

FIN_INLINE lane32 lane32_set1(uint32_t x)
{
    return _mm256_set1_epi32((int)x);
}
FIN_INLINE lane32 lane32_add(lane32 a, lane32 b)
{
    return _mm256_add_epi32(a, b);
}
FIN_INLINE lane32 lane32_top_bit(lane32 x)
{
    return _mm256_srli_epi32(x, 31);
}

#if FIN_ISA_AVX512
#define lane32_ror_16(x) _mm256_ror_epi32(x, 16)
#define lane32_ror_12(x) _mm256_ror_epi32(x, 12)
#define lane32_ror_8(x) _mm256_ror_epi32(x, 8)
#define lane32_ror_7(x) _mm256_ror_epi32(x, 7)
#else
FIN_INLINE lane32 lane32_ror_16(lane32 x)
{
    return fin_shuffle_bytes256(x, _mm256_set_epi8(13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0,
                                                   3, 2, 13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6,
                                                   1, 0, 3, 2));
}
FIN_INLINE lane32 lane32_ror_8(lane32 x)
{
    return _mm256_shuffle_epi8(x, _mm256_set_epi8(12, 15, 14, 13, 8, 11, 10, 9, 4, 7, 6, 5, 0, 3, 2,
                                                  1, 12, 15, 14, 13, 8, 11, 10, 9, 4, 7, 6, 5, 0, 3,
                                                  2, 1));
}
#define FIN_SHIFT_ROR256_32(x, n) \
    _mm256_xor_si256(_mm256_srli_epi32(x, n), _mm256_slli_epi32(x, 32 - (n)))
#define lane32_ror_12(x) FIN_SHIFT_ROR256_32(x, 12)
#define lane32_ror_7(x) FIN_SHIFT_ROR256_32(x, 7)
#endif

/* Loads sixteen bytes of each of two messages; loading the second half takes no shuffle. */
FIN_INLINE __m256i fin_lane_load_halves(const uint8_t *low, const uint8_t *high)
{
    const __m256i x = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)low));
    return _mm256_inserti128_si256(x, _mm_loadu_si128((const __m128i *)(const void *)high), 1);
}

/*
 * Transposes 32 bytes of every message, from offset on. Unpacking acts on both halves of a register
 * alike, so a, b, c, d are in the low halves and e, f, g, h in the high ones. The first 16 bytes:
 *
 *   a0 a1 a2 a3 | e0 e1 e2 e3        a0 b0 a1 b1 | e0 f0 e1 f1        a0 b0 c0 d0 | e0 f0 g0 h0
 *   b0 b1 b2 b3 | f0 f1 f2 f3   ->   a2 b2 a3 b3 | ..            ->   a1 b1 c1 d1 | e1 f1 g1 h1
 *   c0 c1 c2 c3 | g0 g1 g2 g3        c0 d0 c1 d1 | ..                 a2 b2 c2 d2 | ..
 *   d0 d1 d2 d3 | h0 h1 h2 h3        c2 d2 c3 d3 | ..                 a3 b3 c3 d3 | ..
 */
FIN_INLINE void lane32_load_square(lane32 x[8], const uint8_t *const in[8], size_t offset)
{
    for (size_t i = 0; i < 8; i += 4, offset += 16) {
        const __m256i ae = fin_lane_load_halves(in[0] + offset, in[4] + offset);
        const __m256i bf = fin_lane_load_halves(in[1] + offset, in[5] + offset);
        const __m256i cg = fin_lane_load_halves(in[2] + offset, in[6] + offset);
        const __m256i dh = fin_lane_load_halves(in[3] + offset, in[7] + offset);
        const __m256i ab_low = _mm256_unpacklo_epi32(ae, bf);
        const __m256i ab_high = _mm256_unpackhi_epi32(ae, bf);
        const __m256i cd_low = _mm256_unpacklo_epi32(cg, dh);
        const __m256i cd_high = _mm256_unpackhi_epi32(cg, dh);
        x[i] = _mm256_unpacklo_epi64(ab_low, cd_low);
        x[i + 1] = _mm256_unpackhi_epi64(ab_low, cd_low);
        x[i + 2] = _mm256_unpacklo_epi64(ab_high, cd_high);
        x[i + 3] = _mm256_unpackhi_epi64(ab_high, cd_high);
    }
}

/* Transposes half of four messages' blocks; the halves become parts of rows 0, 4 and so on:

     a0 a1 a2 a3 | a4 ..        a0 b0 c0 d0 | a4 b4 c4 d4
     b0 b1 b2 b3 | b4 ..   ->   a1 b1 c1 d1 | a5 ..
     ..                         ..                          */
FIN_INLINE void lane32_transpose_part(uint32_t *m, const uint8_t *const in[8], size_t offset,
                                      size_t part, bool swap)
{
    const size_t four = part % 2 * 4;
    const size_t half = part / 2;
    __m256i x[4];
    for (size_t i = 0; i < 4; i++) {
        x[i] = fin_lane_load_bytes(in[four + i] + offset + 32 * half);
        x[i] = swap ? lane32_swap_bytes(x[i]) : x[i];
    }
    const __m256i ab_low = _mm256_unpacklo_epi32(x[0], x[1]);
    const __m256i ab_high = _mm256_unpackhi_epi32(x[0], x[1]);
    const __m256i cd_low = _mm256_unpacklo_epi32(x[2], x[3]);
    const __m256i cd_high = _mm256_unpackhi_epi32(x[2], x[3]);
    m += 64 * half + four;
    fin_lane_store_halves(m, 128, _mm256_unpacklo_epi64(ab_low, cd_low));
    fin_lane_store_halves(m + 8, 128, _mm256_unpackhi_epi64(ab_low, cd_low));
    fin_lane_store_halves(m + 16, 128, _mm256_unpacklo_epi64(ab_high, cd_high));
    fin_lane_store_halves(m + 24, 128, _mm256_unpackhi_epi64(ab_high, cd_high));
}

/* Undoes lane32_load_square's unpacking for words 4 i .. 4 i + 3 of all messages; the halves belong
   to messages j and 4 + j. */
FIN_INLINE void lane32_store_digests(uint8_t *const to[8], const uint32_t *rows, size_t apart,
                                     size_t pieces, bool swap)
{
    for (size_t i = 0; i < pieces; i++) {
        const size_t at = 16 * i;
        __m256i x[4];
        for (size_t k = 0; k < 4; k++) {
            x[k] = fin_lane_load(rows + apart * (4 * i + k));
            x[k] = swap ? lane32_swap_bytes(x[k]) : x[k];
        }
        const __m256i low01 = _mm256_unpacklo_epi32(x[0], x[1]);
        const __m256i high01 = _mm256_unpackhi_epi32(x[0], x[1]);
        const __m256i low23 = _mm256_unpacklo_epi32(x[2], x[3]);
        const __m256i high23 = _mm256_unpackhi_epi32(x[2], x[3]);
        fin_lane_scatter_halves(to[0] + at, to[4] + at, _mm256_unpacklo_epi64(low01, low23));
        fin_lane_scatter_halves(to[1] + at, to[5] + at, _mm256_unpackhi_epi64(low01, low23));
        fin_lane_scatter_halves(to[2] + at, to[6] + at, _mm256_unpacklo_epi64(high01, high23));
        fin_lane_scatter_halves(to[3] + at, to[7] + at, _mm256_unpackhi_epi64(high01, high23));
    }
}

/* The node that a lane takes, for lane32_store_nodes. */
#define lane32_node(lane) (lane)

/* Transposes eight rows to eight states of eight words. As lane32_store_digests, then

     a0 a1 a2 a3 | e0 ..        a0 .. a3 | a4 .. a7
     a4 a5 a6 a7 | e4 ..   ->   e0 .. e3 | e4 .. e7   */
FIN_INLINE void lane32_store_nodes(uint8_t *to, const lane32 h[8])
{
    __m256i y[2][4];
    for (size_t i = 0; i < 2; i++) {
        const __m256i low01 = _mm256_unpacklo_epi32(h[4 * i], h[4 * i + 1]);
        const __m256i high01 = _mm256_unpackhi_epi32(h[4 * i], h[4 * i + 1]);
        const __m256i low23 = _mm256_unpacklo_epi32(h[4 * i + 2], h[4 * i + 3]);
        const __m256i high23 = _mm256_unpackhi_epi32(h[4 * i + 2], h[4 * i + 3]);
        y[i][0] = _mm256_unpacklo_epi64(low01, low23);
        y[i][1] = _mm256_unpackhi_epi64(low01, low23);
        y[i][2] = _mm256_unpacklo_epi64(high01, high23);
        y[i][3] = _mm256_unpackhi_epi64(high01, high23);
    }
    for (size_t j = 0; j < 4; j++) {
        _mm256_storeu_si256((__m256i *)(void *)(to + 32 * j),
                            _mm256_permute2x128_si256(y[0][j], y[1][j], 0x20));
        _mm256_storeu_si256((__m256i *)(void *)(to + 32 * j + 128),
                            _mm256_permute2x128_si256(y[0][j], y[1][j], 0x31));
    }
}

#define lane64_load fin_lane_load
#define lane64_store fin_lane_store
#define lane64_xor vec64_xor
#define lane64_xor3 fin_lane_xor3
#define lane64_and_not fin_lane_and_not
#define lane64_barrier vec64_barrier
#define lane64_swap_bytes vec64_swap_bytes
#define lane64_add vec64_add
#define lane64_ror_32 vec64_ror_32
#define lane64_ror_25 vec64_ror_25
#define lane64_ror_24 vec64_ror_24
#define lane64_ror_16 vec64_ror_16
#define lane64_ror_11 vec64_ror_11
#define lane64_ror_63 vec64_ror_63

FIN_INLINE lane64 lane64_set1(uint64_t x)
{
    return _mm256_set1_epi64x((long long)x);
}
FIN_INLINE lane64 lane64_top_bit(lane64 x)
{
    return _mm256_srli_epi64(x, 63);
}

/*  a0 a1 | c0 c1   ->   a0 b0 | c0 d0
    b0 b1 | d0 d1        a1 b1 | c1 d1  */
FIN_INLINE void lane64_load_square(lane64 x[4], const uint8_t *const in[4], size_t offset)
{
    for (size_t i = 0; i < 4; i += 2, offset += 16) {
        const __m256i ac = fin_lane_load_halves(in[0] + offset, in[2] + offset);
        const __m256i bd = fin_lane_load_halves(in[1] + offset, in[3] + offset);
        x[i] = _mm256_unpacklo_epi64(ac, bd);
        x[i + 1] = _mm256_unpackhi_epi64(ac, bd);
    }
}

/* Transposes a quarter of two messages' blocks:

     a0 a1 | a2 a3   ->   a0 b0 | a2 b2
     b0 b1 | b2 b3        a1 b1 | a3 b3  */
FIN_INLINE void lane64_transpose_part(uint64_t *m, const uint8_t *const in[4], size_t offset,
                                      size_t part, bool swap)
{
    const size_t pair = part % 2;
    const size_t quarter = part / 2;
    __m256i a = fin_lane_load_bytes(in[2 * pair] + offset + 32 * quarter);
    __m256i b = fin_lane_load_bytes(in[2 * pair + 1] + offset + 32 * quarter);
    a = swap ? lane64_swap_bytes(a) : a;
    b = swap ? lane64_swap_bytes(b) : b;
    m += 16 * quarter + 2 * pair;
    fin_lane_store_halves(m, 64, _mm256_unpacklo_epi64(a, b));
    fin_lane_store_halves(m + 4, 64, _mm256_unpackhi_epi64(a, b));
}

/* Words 2 i and 2 i + 1 of all messages:

     a0 b0 | c0 d0        a0 a1 | c0 c1
     a1 b1 | c1 d1   ->   b0 b1 | d0 d1   */
FIN_INLINE void lane64_store_digests(uint8_t *const to[4], const uint64_t *rows, size_t apart,
                                     size_t pieces, bool swap)
{
    for (size_t i = 0; i < pieces; i++) {
        const size_t at = 16 * i;
        __m256i x = fin_lane_load(rows + apart * (2 * i));
        __m256i y = fin_lane_load(rows + apart * (2 * i + 1));
        x = swap ? lane64_swap_bytes(x) : x;
        y = swap ? lane64_swap_bytes(y) : y;
        fin_lane_scatter_halves(to[0] + at, to[2] + at, _mm256_unpacklo_epi64(x, y));
        fin_lane_scatter_halves(to[1] + at, to[3] + at, _mm256_unpackhi_epi64(x, y));
    }
}

#endif
