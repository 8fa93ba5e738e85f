/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedule of 32-bit words, SSE4.1: blends, unpacks, alignments and shuffles take any four
 * words out of four registers. tools/constants/blake_loads.py found the sequences.
 */
#include "vec/words_128.h"
#include "kern/blake/g.h"

/* pblendw's mask has two bits per 32-bit word. */
#define FIN_WIDEN(mask)                                                          \
    (((mask) & 1) * 0x03 | ((mask) >> 1 & 1) * 0x0c | ((mask) >> 2 & 1) * 0x30 | \
     ((mask) >> 3) * 0xc0)
#ifdef FIN_AS_WRITTEN
/* clang would merge two of these into one instruction that takes three cycles. */
#define FIN_PICK(instruction, ...)                                \
    __extension__({                                               \
        vec32 picked;                                             \
        __asm__(instruction ", %0" : "=x"(picked) : __VA_ARGS__); \
        picked;                                                   \
    })
#define V_BLEND(a, b, mask) FIN_PICK("vpblendw %3, %2, %1", "x"(a), "x"(b), "i"(FIN_WIDEN(mask)))
#define V_SHUFFLE1(a, i, j, k, n) FIN_PICK("vpshufd %2, %1", "x"(a), "i"(_MM_SHUFFLE(n, k, j, i)))
#define V_UNPACK_LOW(a, b) FIN_PICK("vpunpckldq %2, %1", "x"(a), "x"(b))
#define V_UNPACK_HIGH(a, b) FIN_PICK("vpunpckhdq %2, %1", "x"(a), "x"(b))
#define V_ALIGN(b, a, n) FIN_PICK("vpalignr %3, %2, %1", "x"(b), "x"(a), "i"(4 * (n)))
#else
#define V_BLEND(a, b, mask) _mm_blend_epi16(a, b, FIN_WIDEN(mask))
#define V_SHUFFLE1(a, i, j, k, n) _mm_shuffle_epi32(a, _MM_SHUFFLE(n, k, j, i))
#define V_UNPACK_LOW(a, b) _mm_unpacklo_epi32(a, b)
#define V_UNPACK_HIGH(a, b) _mm_unpackhi_epi32(a, b)
#define V_ALIGN(b, a, n) _mm_alignr_epi8(b, a, 4 * (n))
#endif
#include "gen/blake_load_blend.inc"
#undef V_BLEND
#undef V_SHUFFLE1
#undef V_UNPACK_LOW
#undef V_UNPACK_HIGH
#undef V_ALIGN

typedef struct fin_blend32 {
    vec32 m[4];
} fin_blend32;

FIN_INLINE void fin_blend32_prepare(fin_blend32 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        loader->m[i] = vec32_load_words(in + 16 * i, big_endian);
    }
}

FIN_INLINE void fin_blend32_step(const fin_blend32 *loader, vec32 *x, vec32 *y, int step)
{
    *x = fin_pick_blend32(loader->m, 2 * step);
    V_STAY(*x)
    *y = fin_pick_blend32(loader->m, 2 * step + 1);
    V_STAY(*y)
}
