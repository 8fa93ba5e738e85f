/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The variants of MixBytes over one vector abstraction of bytes. Compiled once for each one:
 *
 *   MIX_NAME      name of the table
 *   MIX_TITLE     the abstraction's name in listings
 *   MIX_FEATURE   CPU feature that the flags enable
 *   MIX_VECTOR    its header; without it, a 64-bit word of eight bytes that counts operations
 */
#include "mixbytes_on.h"

#include <string.h>

#include "impl.h"

#ifdef MIX_VECTOR

#include MIX_VECTOR

#define MIX_BYTES BYTES_WIDTH
#if BYTES_WIDTH == 16
#define MIX_LOAD(p) part_load_bytes(p)
#define MIX_STORE(p, x) part_store(p, x)
#else
#define MIX_LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define MIX_STORE(p, x) _mm256_storeu_si256((__m256i *)(p), x)
#endif
#if FIN_ISA_GFNI
#define FIN_DOUBLE(x) bytes_multiply(x, bytes_set1(2))
#elif defined(BYTES_CAN_FOLD)
#include "gen/groestl_fold.inc"
#define FIN_DOUBLE(x) bytes_double(x)
#else
#define FIN_DOUBLE(x) \
    bytes_xor(bytes_xor(bytes_add(x, x), bytes_shuffle(bytes_set1(0x1b), x)), bytes_set1(0x1b))
#endif

#else

typedef uint64_t bytes;

unsigned mix_xors, mix_doublings;

static inline bytes bytes_xor(bytes a, bytes b)
{
    mix_xors++;
    return a ^ b;
}
static inline bytes bytes_xor3(bytes a, bytes b, bytes c)
{
    return bytes_xor(bytes_xor(a, b), c);
}
static inline bytes mix_double(bytes x)
{
    const uint64_t top = x >> 7 & UINT64_C(0x0101010101010101);
    mix_doublings++;
    return (x & UINT64_C(0x7f7f7f7f7f7f7f7f)) << 1 ^ top * 0x1b;
}

#define MIX_BYTES 8
#define FIN_DOUBLE(x) mix_double(x)

static inline bytes mix_load(const uint8_t *p)
{
    bytes x;
    memcpy(&x, p, sizeof x);
    return x;
}
#define MIX_LOAD(p) mix_load(p)
#define MIX_STORE(p, x) memcpy(p, &(bytes){x}, sizeof(bytes))

#endif

#define FIN_ROWS 8
#include "kern/groestl/mix.h"

/* Computes 2 a and 4 a by doubling. */
FIN_INLINE void mix_multiples_of(const bytes a[8], bytes a2[8], bytes a4[8])
{
    FOR_ROWS (i) {
        a2[i] = FIN_DOUBLE(a[i]);
        a4[i] = FIN_DOUBLE(a2[i]);
    }
}

FIN_INLINE void mix_table_3(bytes a[8])
{
    bytes a2[8], a4[8];
    mix_multiples_of(a, a2, a4);
    fin_mix_58_of_8(a, a2, a4);
}

FIN_INLINE void mix_multiples(bytes a[8])
{
    bytes a2[8], a4[8];
    mix_multiples_of(a, a2, a4);
    fin_mix_multiples_of_8(a, a2, a4, NULL);
}

FIN_INLINE void mix_sums_of_three(bytes a[8])
{
    bytes a2[8], a3[8];
    FOR_ROWS (i) {
        a2[i] = FIN_DOUBLE(a[i]);
        a3[i] = bytes_xor(a2[i], a[i]);
        a[i] = bytes_xor(FIN_DOUBLE(a2[i]), a[i]);
    }
    fin_mix_235_of_8(a, a2, a3);
}

FIN_INLINE void mix_basis_357(bytes a[8])
{
    bytes a2[8], a4[8], a5[8];
    mix_multiples_of(a, a2, a4);
    FOR_ROWS (i) {
        a5[i] = bytes_xor(a4[i], a[i]);
        a2[i] = bytes_xor(a2[i], a[i]);
        a4[i] = bytes_xor(a4[i], a2[i]);
    }
    fin_mix_basis_357_of_8(a, a2, a5, a4);
}

#define MIX_RUN(name, function)                                      \
    static void name(uint8_t rows[8][MIX_BYTES_MAX], unsigned times) \
    {                                                                \
        bytes a[8];                                                  \
        FOR_ROWS (i) {                                               \
            a[i] = MIX_LOAD(rows[i]);                                \
        }                                                            \
        while (times-- != 0) {                                       \
            function(a);                                             \
        }                                                            \
        FOR_ROWS (i) {                                               \
            MIX_STORE(rows[i], a[i]);                                \
        }                                                            \
    }

MIX_RUN(run_104, fin_mix_104_of_8)
MIX_RUN(run_48, fin_mix_48_of_8)
MIX_RUN(run_four_layers, fin_mix_four_layers_of_8)
MIX_RUN(run_table_3, mix_table_3)
MIX_RUN(run_multiples, mix_multiples)
MIX_RUN(run_sums_of_three, mix_sums_of_three)
MIX_RUN(run_separated, fin_mix_separated_of_8)
MIX_RUN(run_basis_357, mix_basis_357)

#ifdef BYTES_CAN_FOLD
MIX_RUN(run_folded, fin_mix_folded_of_8)
#endif

static const mix_variant variants[] = {
    {"double and add (equation 2)", run_104},      {"fewest XORs (equation 3)", run_48},
    {"fewest XORs, four layers", run_four_layers}, {"multiples first (table 3)", run_table_3},
    {"multiples first, factored", run_multiples},  {"factors apart (table 5)", run_separated},
    {"basis 03, 05, 07", run_basis_357},           {"basis 02, 03, 05", run_sums_of_three},
#ifdef BYTES_CAN_FOLD
    {"fewest XORs, one reduction", run_folded},
#endif
};

extern const mix_abstraction MIX_NAME;
const mix_abstraction MIX_NAME = {
    .name = MIX_TITLE,
    .feature = MIX_FEATURE,
    .bytes = MIX_BYTES,
    .variant_count = sizeof variants / sizeof variants[0],
    .variants = variants,
};
