/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares each kernel of several messages with the portable one of a single message, through the
 * registry: counters before a carry, flags, salts, any rounds, strides and numbers of blocks, input
 * of any alignment, output transformations, numbers of BLAKE3's chunks in groups. Needs internal
 * symbols, hence a static library.
 */
#include "check.h"

#include "dispatch/registry.h"
#include "lanes/group.h"
#include "lanes/lanes.h"

static const char *const compressions[] = {
#define FIN_COMPRESSION(id, name, block_bytes) name,
#include "alg.def"
#undef FIN_COMPRESSION
};

enum { STRIDE_MAX = 300, BLOCKS_MAX = 4 };
static uint8_t text[FIN_LANES_MAX][STRIDE_MAX * BLOCKS_MAX + 200];
static fin_state states[FIN_LANES_MAX];
static uint32_t increments[FIN_LANES_MAX];

static bool supported(const fin_impl *impl)
{
    fin_impl_info info;
    for (size_t i = 0; fin_impl_at(i, &info) == FIN_OK; i++) {
        if (strcmp(info.algorithm, compressions[impl->compression]) == 0 &&
            strcmp(info.name, impl->name) == 0) {
            return info.supported;
        }
    }
    return CHECK_NEEDED(false);
}

/* Returns the first implementation in isa.def, with which the others are compared. */
static const fin_impl *portable(fin_compression compression)
{
    FIN_FOR_EACH_IMPL(unit, impl)
    {
        if (impl->compression == compression && impl->lanes == 1) {
            return impl;
        }
    }
    return NULL;
}

/* Forges a counter, often a few blocks before a carry out of its lower half or lower word. */
static void forge(fin_state *state, bool wide)
{
    check_random_bytes((uint8_t *)&state->h, sizeof state->h);
    state->t[0] = check_random();
    state->t[1] = wide ? check_random() : 0;
    switch (check_random_below(3)) {
    case 0:
        state->t[0] |= wide ? UINT64_MAX - 0x3ff : UINT32_MAX - 0x3ff;
        break;
    case 1:
        state->t[0] = 0;
        state->t[1] = 0;
        break;
    default:
        break;
    }
    if (!wide) {
        state->t[0] &= UINT64_MAX >> 1;
    }
    state->f[0] = check_random_below(2) != 0 ? UINT64_MAX : 0;
    state->f[1] = check_random_below(2) != 0 ? UINT64_MAX : 0;
}

static bool is_groestl(const fin_impl *impl)
{
    return impl->compression >= FIN_COMPRESSION_GROESTL256 &&
           impl->compression <= FIN_COMPRESSION_GROESTL0_512;
}

static fin_lane_layout layout_of(const fin_impl *impl)
{
    const fin_compression compression = impl->compression;
    const bool blake2 =
        compression == FIN_COMPRESSION_BLAKE2S || compression == FIN_COMPRESSION_BLAKE2B;
    const fin_family family = is_groestl(impl)                        ? FIN_FAMILY_GROESTL
                              : blake2                                ? FIN_FAMILY_BLAKE2
                              : compression == FIN_COMPRESSION_BLAKE3 ? FIN_FAMILY_BLAKE3
                                                                      : FIN_FAMILY_BLAKE;
    return (fin_lane_layout){fin_variant_of(family, fin_block_bytes[compression] == 128),
                             impl->lanes};
}

static void fill(fin_lanes *lanes, fin_lane_layout layout, const fin_impl *impl)
{
    lanes->rounds = check_random_below(33);
    const bool salted = check_random_below(2) != 0;
    for (size_t i = 0; i < 4; i++) {
        lanes->salt.w64[i] = salted ? check_random() : 0;
    }
    for (size_t lane = 0; lane < layout.lanes; lane++) {
        fin_state *state = &states[lane];
        forge(state, fin_is_wide(layout.variant));
        memcpy(&state->salt, &lanes->salt, sizeof state->salt);
        state->rounds = lanes->rounds;
        increments[lane] = is_groestl(impl) ? 0 : (uint32_t)check_random_below(1025);
        if (impl->compression == FIN_COMPRESSION_BLAKE3) {
            /* The last block's length; flags of all blocks, of the first and of the last. */
            state->f[0] = check_random_below(65);
            state->f[1] = (check_random() & 0xf8) | 1 << 8 | (check_random() & 6) << 16;
            increments[lane] = 0;
        }
        const uint64_t high = fin_is_wide(layout.variant) ? state->t[1] : state->t[0] >> 32;
        fin_lanes_put_h(lanes, layout, lane, state);
        fin_lanes_set_word(lanes, layout, FIN_LANE_T, lane, state->t[0]);
        fin_lanes_set_word(lanes, layout, FIN_LANE_T + 1, lane, high);
        fin_lanes_set_word(lanes, layout, FIN_LANE_F, lane, state->f[0]);
        fin_lanes_set_word(lanes, layout, FIN_LANE_F + 1, lane, state->f[1]);
        fin_lanes_set_word(lanes, layout, FIN_LANE_INCREMENT, lane, increments[lane]);
        lanes->in[lane] = text[lane] + check_random_below(64);
    }
}

static void compare(const fin_lanes *lanes, fin_lane_layout layout, size_t lane)
{
    const fin_state *expected = &states[lane];
    const uint64_t low = fin_lanes_word(lanes, layout, FIN_LANE_T, lane);
    const uint64_t high = fin_lanes_word(lanes, layout, FIN_LANE_T + 1, lane);
    fin_state got;
    fin_lanes_take_h(lanes, layout, lane, &got);
    CHECK(memcmp(&expected->h, &got.h, fin_state_bytes(layout.variant)) == 0);
    CHECK(expected->t[0] == (fin_is_wide(layout.variant) ? low : low | high << 32));
    CHECK(!fin_is_wide(layout.variant) || expected->t[1] == high);
}

static void check_kernel(const fin_impl *impl)
{
    static fin_lanes lanes;
    const fin_lane_layout layout = layout_of(impl);
    const fin_impl *reference = portable(impl->compression);
    const size_t block_bytes = fin_block_bytes[impl->compression];
    for (int turn = 0; turn < 200; turn++) {
        const size_t blocks = check_random_below(BLOCKS_MAX + 1);
        const size_t stride = block_bytes + check_random_below(STRIDE_MAX - block_bytes);
        fill(&lanes, layout, impl);
        const uint8_t *in[FIN_LANES_MAX];
        memcpy(in, lanes.in, sizeof in);
        const bool finish = check_random_below(2) != 0;
        (finish ? impl->finish_lanes : impl->compress_lanes)(&lanes, blocks, stride);
        for (size_t lane = 0; lane < impl->lanes; lane++) {
            CHECK(lanes.in[lane] == in[lane] + blocks * stride);
            (finish ? reference->finish : reference->compress)(&states[lane], in[lane], blocks,
                                                               stride, increments[lane]);
            fin_counter_advance(states[lane].t, blocks, increments[lane]);
            compare(&lanes, layout, lane);
        }
    }
}

/* Writes block i of a call, including the words shared by all lanes. */
static void common_block(uint8_t block[128], const fin_impl *impl, const fin_lanes *lanes,
                         const uint8_t *in, size_t i, size_t blocks)
{
    const size_t block_bytes = fin_block_bytes[impl->compression];
    const bool is_big_endian = impl->compression == FIN_COMPRESSION_BLAKE256 ||
                               impl->compression == FIN_COMPRESSION_BLAKE512;
    memcpy(block, in, block_bytes);
    for (size_t w = 0; w < 8 && lanes->common == FIN_COMMON_HALF; w++) {
        const uint64_t word = lanes->common_words.w64[w];
        (is_big_endian ? fin_store64_be : fin_store64_le)(block + 64 + 8 * w, word);
    }
    const bool is_common = lanes->common == FIN_COMMON_LAST && i != 0 && i + 1 == blocks;
    for (size_t w = 0; w < 16 && is_common; w++) {
        fin_store32_be(block + 4 * w, lanes->common_words.w32[w]);
    }
}

/* Computes a lane's result by the portable implementation. */
static void expect(const fin_impl *impl, const fin_lanes *lanes, size_t lane, const uint8_t *in,
                   size_t blocks, size_t stride)
{
    const size_t block_bytes = fin_block_bytes[impl->compression];
    if (impl->compression == FIN_COMPRESSION_BLAKE3) {
        portable(impl->compression)->compress(&states[lane], in, blocks, stride, 0);
        return;
    }
    for (size_t i = 0; i < blocks; i++) {
        uint8_t block[128];
        common_block(block, impl, lanes, in + i * stride, i, blocks);
        portable(impl->compression)
            ->compress(&states[lane], block, 1, block_bytes, increments[lane]);
        fin_counter_advance(states[lane].t, 1, increments[lane]);
    }
}

/* Sets the constant words after 64 bytes, or none. */
static void set_common(fin_lanes *lanes, const fin_impl *impl)
{
    lanes->common = check_random_below(2) != 0 ? impl->common : (fin_common)FIN_COMMON_NONE;
    memset(&lanes->common_words, 0, sizeof lanes->common_words);
    if (impl->compression == FIN_COMPRESSION_BLAKE256) {
        lanes->common_words.w32[0] = UINT32_C(1) << 31;
        lanes->common_words.w32[13] = (uint32_t)check_random_below(2);
        lanes->common_words.w32[15] = 8 * 64;
    } else if (impl->compression == FIN_COMPRESSION_BLAKE512) {
        lanes->common_words.w64[0] = UINT64_C(1) << 63;
        lanes->common_words.w64[5] = check_random_below(2);
        lanes->common_words.w64[7] = 8 * 64;
    }
}

static void check_common(const fin_impl *impl)
{
    static fin_lanes lanes;
    const fin_lane_layout layout = layout_of(impl);
    const size_t stride = fin_block_bytes[impl->compression];
    for (int turn = 0; turn < 50; turn++) {
        const size_t blocks = check_random_below(BLOCKS_MAX + 1);
        const uint8_t *in[FIN_LANES_MAX];
        fill(&lanes, layout, impl);
        set_common(&lanes, impl);
        memcpy(in, lanes.in, sizeof in);
        impl->compress_lanes(&lanes, blocks, stride);
        for (size_t lane = 0; lane < impl->lanes; lane++) {
            expect(impl, &lanes, lane, in[lane], blocks, stride);
            compare(&lanes, layout, lane);
        }
    }
}

/* Makes consecutive calls, each of which may prepare the first blocks of the next one, on the same
   lanes or on others. */
static void check_ahead(const fin_impl *impl)
{
    static fin_lanes lanes[2];
    const fin_lane_layout layout = layout_of(impl);
    const size_t block_bytes = fin_block_bytes[impl->compression];
    for (size_t i = 0; i < 2; i++) {
        lanes[i].ready = false;
        lanes[i].half = 0;
        lanes[i].common = FIN_COMMON_NONE;
    }
    for (int turn = 0; turn < 400; turn++) {
        fin_lanes *now = &lanes[turn % 2];
        fin_lanes *next = &lanes[check_random_below(2)];
        const uint8_t *in[FIN_LANES_MAX], *next_in[FIN_LANES_MAX];
        const size_t blocks = 1 + check_random_below(BLOCKS_MAX);
        const size_t stride = block_bytes + check_random_below(STRIDE_MAX - block_bytes);
        memcpy(in, now->in, sizeof in);
        fill(now, layout, impl);
        if (now->ready) {
            memcpy(now->in, in, sizeof in);
        }
        memcpy(in, now->in, sizeof in);
        for (size_t lane = 0; lane < impl->lanes; lane++) {
            next_in[lane] = text[lane] + check_random_below(200);
        }
        if (next != now) {
            set_common(next, impl);
        }
        impl->compress_ahead(now, blocks, stride, next, next_in);
        for (size_t lane = 0; lane < impl->lanes; lane++) {
            CHECK(now->in[lane] == in[lane] + blocks * stride);
            expect(impl, now, lane, in[lane], blocks, stride);
            compare(now, layout, lane);
            next->in[lane] = next_in[lane];
        }
    }
}

/* Checks that words stored in a lane can be loaded from it. */
static void check_layout(const fin_impl *impl)
{
    static fin_lanes lanes, other;
    const fin_lane_layout layout = layout_of(impl);
    fill(&lanes, layout, impl);
    for (size_t lane = 0; lane < layout.lanes; lane++) {
        compare(&lanes, layout, lane);
        const size_t to = (lane + 1) % layout.lanes;
        fin_state expected, got;
        fin_lanes_take_h(&lanes, layout, lane, &expected);
        fin_lanes_put_h(&other, layout, to, &expected);
        fin_lanes_take_h(&other, layout, to, &got);
        CHECK(memcmp(&expected.h, &got.h, fin_state_bytes(layout.variant)) == 0);
        const fin_segment segment = {text[0], 1, {check_random(), check_random()}, 7, true};
        fin_lanes_set_segment(&lanes, layout, lane, &segment, lane % 2 == 0);
        states[lane].t[0] = segment.t[0];
        states[lane].t[1] = segment.t[1];
        compare(&lanes, layout, lane);
        CHECK(fin_lanes_word(&lanes, layout, FIN_LANE_INCREMENT, lane) == 7);
        CHECK((fin_lanes_word(&lanes, layout, FIN_LANE_F, lane) & 1) == 1);
        CHECK((fin_lanes_word(&lanes, layout, FIN_LANE_F + 1, lane) & 1) == (lane % 2 == 0));
    }
}

/* Hashes nodes of BLAKE3 in a group, as batches do, with numbers around 2^32 and above. */
static void check_numbers(const fin_impl *impl, size_t blocks)
{
    static fin_group_pipeline pipeline;
    const fin_state key = {.h.w32 = {1, 2, 3, 4, 5, 6, 7, 8}};
    const uint8_t *in[FIN_LANES_MAX];
    uint8_t digests[FIN_LANES_MAX][32], *to[FIN_LANES_MAX];
    uint32_t bytes[FIN_LANES_MAX];
    uint64_t number[FIN_LANES_MAX];
    for (size_t lane = 0; lane < impl->lanes; lane++) {
        in[lane] = text[lane];
        to[lane] = digests[lane];
        bytes[lane] = (uint32_t)(64 * blocks - check_random_below(64));
        number[lane] = ((uint64_t)check_random_below(4) << 32) - 1 + check_random_below(3);
    }
    const fin_group_source source = {in, bytes, to, number};
    pipeline.rules = (fin_group_rules){.variant = FIN_VARIANT_BLAKE3,
                                       .start = &key,
                                       .digest_bytes = 32,
                                       .first_flags = FIN_CHUNK_START,
                                       .last_flags = FIN_CHUNK_END};
    fin_pipeline_start(&pipeline);
    fin_pipeline_next(&pipeline,
                      fin_pipeline_prepare(&pipeline, impl, blocks, &source, impl->lanes));
    fin_pipeline_next(&pipeline, NULL);
    for (size_t lane = 0; lane < impl->lanes; lane++) {
        uint8_t padded[2 * 64] = {0}, expected[32];
        fin_state state = key;
        memcpy(padded, in[lane], bytes[lane]);
        state.t[0] = number[lane];
        state.f[0] = bytes[lane] - 64 * (blocks - 1);
        state.f[1] = fin_chain_flags(0, FIN_CHUNK_START, FIN_CHUNK_END);
        portable(impl->compression)->compress(&state, padded, blocks, 64, 0);
        for (size_t i = 0; i < 8; i++) {
            fin_store32_le(expected + 4 * i, state.h.w32[i]);
        }
        CHECK_BYTES(expected, digests[lane], 32);
    }
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(text[0], sizeof text);
    check_context("registry");
    CHECK(fin_units_end - fin_units > 1);
    FIN_FOR_EACH_IMPL(unit, impl)
    {
        const bool wanted = check_part("%s, %s", compressions[impl->compression], impl->name);
        CHECK((impl->lanes > 1) == (impl->compress_lanes != NULL));
        CHECK((impl->lanes > 1) == (impl->finish_lanes != NULL));
        CHECK((impl->lanes == 1) == (impl->compress != NULL));
        CHECK((impl->lanes == 1) == (impl->finish != NULL));
        CHECK(is_groestl(impl) == (impl->lanes == 1 ? impl->finish != impl->compress
                                                    : impl->finish_lanes != impl->compress_lanes));
        CHECK(impl->lanes >= 1 && impl->lanes <= FIN_LANES_MAX);
        if (impl->lanes > 1 && wanted && supported(impl)) {
            check_kernel(impl);
            check_layout(impl);
            for (size_t blocks = 1; impl->compression == FIN_COMPRESSION_BLAKE3 && blocks <= 2;
                 blocks++) {
                check_numbers(impl, blocks);
            }
            if (impl->common != FIN_COMMON_NONE) {
                check_common(impl);
            }
            if (impl->compress_ahead != NULL) {
                check_ahead(impl);
            }
        }
    }
    return check_report();
}
