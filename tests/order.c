/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The order of implementations on CPUs that are not here: whatever a CPU takes itself for, its
 * features say what may run, and what is selected is constant-time.
 */
#include "dispatch/order.h"

#include "check.h"

#define EVERY_FEATURE ((uint32_t)FIN_CPU_KNOWN - 1)

static const char *const unit_names[] = {
#define FIN_UNIT(name, architecture, features, flags) FIN_IF_##architecture(#name, )
#include "isa.def"
#undef FIN_UNIT
};

static const char *const compression_names[] = {
#define FIN_COMPRESSION(id, name, block_bytes) name,
#include "alg.def"
#undef FIN_COMPRESSION
};

/* tools/orders.py finds an implementation's unit by its name: avx2-x8 is of blake_lanes_avx2. */
static void check_name(const char *unit, const fin_impl *impl)
{
    char expected[64];
    const char *algorithm = compression_names[impl->compression];
    const char *family = strncmp(algorithm, "groestl", 7) == 0 ? "groestl" : "blake";
    const char *shape = "";
    size_t stem = strlen(impl->name);
    check_context("%s, %s of %s", algorithm, impl->name, unit);
    if (impl->lanes > 1) {
        const char *dash = strrchr(impl->name, '-');
        (void)CHECK_NEEDED(dash != NULL);
        shape = dash[1] == 'x' ? "_lanes" : "_ways";
        stem = (size_t)(dash - impl->name);
    }
    snprintf(expected, sizeof expected, "%s%s_%.*s", family, shape, (int)stem, impl->name);
    for (char *at = expected; *at != '\0'; at++) {
        *at = *at == '-' ? '_' : *at;
    }
    CHECK(strcmp(expected, unit) == 0);
}

static void test_names(void)
{
    FIN_FOR_EACH_IMPL(each, impl)
    {
        check_name(unit_names[each - fin_units], impl);
    }
}

static bool is_supported(const fin_impl *wanted, uint32_t features)
{
    FIN_FOR_EACH_IMPL(each, impl)
    {
        if (impl == wanted) {
            return fin_supported(each, features);
        }
    }
    return false;
}

static void check_choices(const fin_order *order, uint32_t features)
{
    for (fin_compression c = 0; c < FIN_COMPRESSIONS; c++) {
        check_context("%s, %s, features %x", fin_order_name(order), compression_names[c],
                      (unsigned)features);
        for (uint32_t lanes = 1; lanes <= FIN_LANES_MAX; lanes *= 2) {
            const fin_impl *impl = fin_order_first(order, c, features, lanes);
            (void)CHECK_NEEDED(impl != NULL);
            CHECK(impl->compression == c && impl->lanes <= lanes && impl->constant_time);
            CHECK(is_supported(impl, features));
        }
    }
}

/* A CPU may say that it is any other, and lack or hide any feature. */
static void test_any_features(void)
{
    uint32_t random = 1;
    for (unsigned m = 0; m < FIN_MICROARCHITECTURES; m++) {
        const fin_order *order = fin_order_for((fin_microarchitecture)m);
        CHECK(strlen(fin_order_name(order)) > 0 && strlen(fin_order_file(order)) > 0);
        check_choices(order, 0);
        check_choices(order, EVERY_FEATURE);
        for (int trial = 0; trial < 30; trial++) {
            random = random * UINT32_C(1664525) + UINT32_C(1013904223);
            check_choices(order, fin_close_features(random >> 8 & EVERY_FEATURE));
        }
    }
}

typedef struct choice {
    fin_microarchitecture microarchitecture;
    uint32_t hidden;
    fin_compression compression;
    uint32_t messages;
    const char *name;
} choice;

/* What was measured, or modelled, by a clear margin. */
static const choice choices[] = {
#define ON(microarchitecture, hidden, compression, messages, name)                               \
    {FIN_MICROARCHITECTURE_##microarchitecture, hidden, FIN_COMPRESSION_##compression, messages, \
     name}
#ifdef FIN_ARCH_X86_64_ASM
    ON(GOLDEN_COVE, FIN_CPU_XOP, GROESTL512, 1, "gfni-avx512"),
    ON(GOLDEN_COVE, FIN_CPU_XOP, BLAKE256, 32, "avx512-x16"),
    ON(GOLDEN_COVE, FIN_CPU_XOP, BLAKE256, 1, "avx512-align"),
    ON(GOLDEN_COVE, FIN_CPU_XOP, BLAKE512, 1, "avx512-permil"),
    ON(GOLDEN_COVE, FIN_CPU_AVX512, BLAKE2S, 1, "avx-align"),
    ON(GOLDEN_COVE, FIN_CPU_AVX512, BLAKE256, 32, "x86-64-avx2-x8"),
    ON(GOLDEN_COVE, FIN_CPU_SSE2, BLAKE256, 1, "x86-64"),
    ON(GOLDEN_COVE, FIN_CPU_XOP, BLAKE2B, 32, "avx512-x8"),
    ON(SKYLAKE, FIN_CPU_AVX512, BLAKE2B, 1, "avx2"),
    ON(SKYLAKE, FIN_CPU_XOP, BLAKE512, 1, "avx512"),
    ON(ICE_LAKE, FIN_CPU_XOP, BLAKE512, 1, "avx512-permil"),
    ON(ZEN_4, FIN_CPU_XOP, GROESTL512, 1, "gfni-avx512"),
    ON(ZEN_4, FIN_CPU_XOP, BLAKE2S, 1, "avx512"),
    ON(ZEN_4, FIN_CPU_XOP | FIN_CPU_AVX512, BLAKE2B, 1, "avx2"),
    ON(ZEN_4, FIN_CPU_XOP, BLAKE512, 2, "avx512-2way"),
    ON(ZEN_5, FIN_CPU_XOP, BLAKE256, 1, "x86-64-avx2"),
    ON(ZEN_5, FIN_CPU_XOP, BLAKE2B, 1, "x86-64"),
    ON(ZEN_5, FIN_CPU_XOP, GROESTL512, 1, "gfni512"),
    ON(ZEN_5, FIN_CPU_XOP, GROESTL512, 32, "gfni512-x4"),
    ON(BULLDOZER, FIN_CPU_AVX2, BLAKE2B, 1, "xop"),
    ON(UNKNOWN, FIN_CPU_XOP | FIN_CPU_AVX2, BLAKE2S, 1, "avx"),
#elif defined(FIN_ARCH_ARM64)
    ON(NEOVERSE_N1, 0, BLAKE256, 32, "neon-x4"),
    ON(NEOVERSE_V2, 0, BLAKE256, 32, "neon-x8"),
    ON(UNKNOWN, 0, BLAKE256, 32, "neon-x8"),
#endif
    ON(UNKNOWN, EVERY_FEATURE, GROESTL256, 1, "bitslice"),
#undef ON
};

static void test_choices(void)
{
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const choice *each = &choices[i];
        const uint32_t features = fin_close_features(EVERY_FEATURE & ~each->hidden);
        const fin_impl *impl = fin_order_first(fin_order_for(each->microarchitecture),
                                               each->compression, features, each->messages);
        (void)CHECK_NEEDED(impl != NULL);
        check_context("%s, %s: %s", fin_microarchitecture_name(each->microarchitecture),
                      compression_names[each->compression], impl->name);
        CHECK(strcmp(impl->name, each->name) == 0);
    }
}

int main(void)
{
    test_names();
    test_any_features();
    test_choices();
    return check_report();
}
