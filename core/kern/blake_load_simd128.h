/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Message schedules in WebAssembly's vectors. A shuffle takes any bytes of two vectors, but the
 * engine's processor must do it: these are the sequences for SSE2, two words of each operand at a
 * time, which engines know as single instructions.
 */
#include "vec/words_simd128.h"

#define V_SHUFFLE2(a, b, i, j, k, n) wasm_i32x4_shuffle(a, b, i, j, 4 + (k), 4 + (n))
#include "gen/blake_load_shuffle.inc"
#undef V_SHUFFLE2

typedef struct fin_shuffle32 {
    vec32 m[4];
} fin_shuffle32;

FIN_INLINE void fin_shuffle32_prepare(fin_shuffle32 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 4; i++) {
        loader->m[i] = vec32_load_words(in + 16 * i, big_endian);
    }
}

FIN_INLINE void fin_shuffle32_step(const fin_shuffle32 *loader, vec32 *x, vec32 *y, int step)
{
    *x = fin_pick_shuffle32(loader->m, 2 * step);
    *y = fin_pick_shuffle32(loader->m, 2 * step + 1);
}

#define V_PAIR(a, b, i, j) wasm_i64x2_shuffle(a, b, i, 2 + (j))
#define V_ROW(low, high) ((vec64){low, high})
#define V_TWO v128_t
#define V_FOUR vec64
#define V_PICK fin_pick_pair64
#include "gen/blake_load_pair.inc"
#undef V_PAIR
#undef V_ROW
#undef V_TWO
#undef V_FOUR
#undef V_PICK

typedef struct fin_pair64 {
    v128_t m[8];
} fin_pair64;

FIN_INLINE void fin_pair64_prepare(fin_pair64 *loader, const uint8_t *in, bool big_endian)
{
    for (size_t i = 0; i < 8; i++) {
        const v128_t m = wasm_v128_load(in + 16 * i);
        loader->m[i] = big_endian ? fin_swap_bytes64(m) : m;
    }
}

FIN_INLINE void fin_pair64_step(const fin_pair64 *loader, vec64 *x, vec64 *y, int step)
{
    *x = fin_pick_pair64(loader->m, 2 * step);
    *y = fin_pick_pair64(loader->m, 2 * step + 1);
}
