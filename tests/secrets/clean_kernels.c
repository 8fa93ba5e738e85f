/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Kernels that leave nothing on the stack, so that anything found there was left by their callers:
 * portable ones, which overwrite the stack below them at the end. BLAKE2 and BLAKE3 in lanes run
 * one lane after the other.
 */
#include "bytes.h"
#include "impl.h"

extern const fin_unit fin_unit_blake_portable, fin_unit_groestl_bitslice;

enum { KERNEL_STACK_BYTES = 8192 };

static FIN_NOINLINE void overwrite_stack(void)
{
    volatile uint8_t below[KERNEL_STACK_BYTES];
    for (size_t i = 0; i < sizeof below; i++) {
        below[i] = 0xa5;
    }
}

static const fin_impl *in_unit(const fin_unit *unit, fin_compression compression)
{
    for (size_t i = 0; i < unit->count; i++) {
        if (unit->impls[i].compression == compression && unit->impls[i].lanes == 1) {
            return &unit->impls[i];
        }
    }
    return NULL;
}

static const fin_impl *portable(fin_compression compression)
{
    const fin_impl *impl = in_unit(&fin_unit_blake_portable, compression);
    return impl != NULL ? impl : in_unit(&fin_unit_groestl_bitslice, compression);
}

/* Returns a word of 64 or 32 bits; see fin_lanes. */
static uint64_t get(const fin_lanes *lanes, bool wide, size_t at)
{
    return wide ? lanes->row.w64[at] : lanes->row.w32[at];
}

static void set(fin_lanes *lanes, bool wide, size_t at, uint64_t word)
{
    if (wide) {
        lanes->row.w64[at] = word;
    } else {
        lanes->row.w32[at] = (uint32_t)word;
    }
}

static FIN_NOINLINE void compress_lane(fin_lanes *lanes, fin_compression compression, size_t count,
                                       size_t lane, size_t blocks, size_t stride)
{
    const bool wide = compression == FIN_COMPRESSION_BLAKE2B;
    fin_state state = {.rounds = lanes->rounds};
    for (size_t i = 0; i < 8; i++) {
        const uint64_t word = get(lanes, wide, (FIN_LANE_H + i) * count + lane);
        if (wide) {
            state.h.w64[i] = word;
        } else {
            state.h.w32[i] = (uint32_t)word;
        }
    }
    for (size_t i = 0; i < 2; i++) {
        state.t[i] = get(lanes, wide, (FIN_LANE_T + i) * count + lane);
        state.f[i] = get(lanes, wide, (FIN_LANE_F + i) * count + lane);
    }
    state.t[0] |= wide ? 0 : state.t[1] << 32;
    /* BLAKE3's blocks do not advance the counter. */
    const uint64_t increment = compression == FIN_COMPRESSION_BLAKE3
                                   ? 0
                                   : get(lanes, wide, FIN_LANE_INCREMENT * count + lane);
    portable(compression)->compress(&state, lanes->in[lane], blocks, stride, (uint32_t)increment);
    for (size_t i = 0; i < 8; i++) {
        set(lanes, wide, (FIN_LANE_H + i) * count + lane, wide ? state.h.w64[i] : state.h.w32[i]);
    }
    const uint64_t t = state.t[0] + blocks * increment;
    set(lanes, wide, FIN_LANE_T * count + lane, t);
    set(lanes, wide, (FIN_LANE_T + 1) * count + lane,
        wide ? state.t[1] + (t < state.t[0]) : t >> 32);
    lanes->in[lane] += blocks * stride;
}

static void compress_lanes(fin_lanes *lanes, fin_compression compression, size_t count,
                           size_t blocks, size_t stride)
{
    for (size_t lane = 0; lane < count; lane++) {
        compress_lane(lanes, compression, count, lane, blocks, stride);
    }
    overwrite_stack();
}

#define SINGLE(id)                                                                               \
    static void compress_##id(fin_state *state, const uint8_t *in, size_t blocks, size_t stride, \
                              uint32_t increment)                                                \
    {                                                                                            \
        portable(FIN_COMPRESSION_##id)->compress(state, in, blocks, stride, increment);          \
        overwrite_stack();                                                                       \
    }                                                                                            \
    static void finish_##id(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,   \
                            uint32_t increment)                                                  \
    {                                                                                            \
        portable(FIN_COMPRESSION_##id)->finish(state, in, blocks, stride, increment);            \
        overwrite_stack();                                                                       \
    }
SINGLE(BLAKE256)
SINGLE(BLAKE512)
SINGLE(BLAKE2B)
SINGLE(BLAKE2S)
SINGLE(GROESTL256)
SINGLE(GROESTL512)
SINGLE(GROESTL0_256)
SINGLE(GROESTL0_512)
SINGLE(BLAKE3)

#define LANES(id, count)                                                                 \
    static void compress_##id##_x##count(fin_lanes *lanes, size_t blocks, size_t stride) \
    {                                                                                    \
        compress_lanes(lanes, FIN_COMPRESSION_##id, count, blocks, stride);              \
    }
LANES(BLAKE2B, 4)
LANES(BLAKE2B, 8)
LANES(BLAKE2S, 4)
LANES(BLAKE2S, 8)
LANES(BLAKE3, 4)
LANES(BLAKE3, 8)

#define SINGLE_RECORD(id)                 \
    {.compression = FIN_COMPRESSION_##id, \
     .name = "clean",                     \
     .technique = "portable",             \
     .source = "",                        \
     .lanes = 1,                          \
     .constant_time = true,               \
     .compress = compress_##id,           \
     .finish = finish_##id}
#define LANES_RECORD(id, count)                  \
    {.compression = FIN_COMPRESSION_##id,        \
     .name = "clean-x" #count,                   \
     .technique = "portable",                    \
     .source = "",                               \
     .lanes = count,                             \
     .constant_time = true,                      \
     .compress_lanes = compress_##id##_x##count, \
     .finish_lanes = compress_##id##_x##count}

static const fin_impl clean_impls[] = {
    SINGLE_RECORD(BLAKE256),   SINGLE_RECORD(BLAKE512),     SINGLE_RECORD(BLAKE2B),
    SINGLE_RECORD(BLAKE2S),    LANES_RECORD(BLAKE2B, 4),    LANES_RECORD(BLAKE2B, 8),
    LANES_RECORD(BLAKE2S, 4),  LANES_RECORD(BLAKE2S, 8),    SINGLE_RECORD(GROESTL256),
    SINGLE_RECORD(GROESTL512), SINGLE_RECORD(GROESTL0_256), SINGLE_RECORD(GROESTL0_512),
    SINGLE_RECORD(BLAKE3),     LANES_RECORD(BLAKE3, 4),     LANES_RECORD(BLAKE3, 8),
};

FIN_EXPORT_UNIT(clean_kernels, clean_impls);
