/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What preference.def selects on CPUs that are not here: whatever the class of cores, the features say
 * what may run, and what is selected is constant-time. Every name in a line exists.
 */
#include "dispatch/preference.h"

#include "check.h"

#define EVERY_FEATURE ((uint32_t)FIN_CPU_KNOWN - 1)

static const char *const compression_names[] = {
#define FIN_COMPRESSION(id, name, block_bytes) name,
#include "alg.def"
#undef FIN_COMPRESSION
};

typedef struct line {
    const char *core, *names;
    fin_compression compression;
    bool many;
} line;

static const line lines[] = {
#define FIN_ONE(core, compression, names) {#core, names, FIN_COMPRESSION_##compression, false},
#define FIN_MANY(core, compression, names) {#core, names, FIN_COMPRESSION_##compression, true},
#include "preference.def"
};

/* Assembly for x86-64, which not every system's compiler takes, is all that a build may lack. */
static bool may_be_absent(fin_span name)
{
    static const char *const starts[] = {"x86-64", "avx512-ternlog"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        const size_t bytes = strlen(starts[i]);
        if (name.bytes >= bytes && memcmp(name.at, starts[i], bytes) == 0) {
            return true;
        }
    }
    return false;
}

static void test_names(void)
{
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const char *names = lines[i].names;
        fin_span name;
        while (fin_next_item(&names, &name)) {
            const fin_registered *registered;
            const fin_impl *impl = fin_impl_named(lines[i].compression, name, &registered);
            check_context("%s, %s: %.*s", lines[i].core, compression_names[lines[i].compression],
                          (int)name.bytes, name.at);
            CHECK(impl != NULL || may_be_absent(name));
            CHECK(impl == NULL || (impl->constant_time && (lines[i].many || impl->lanes == 1)));
        }
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

static void check_choices(fin_core core, uint32_t features)
{
    for (fin_compression c = 0; c < FIN_COMPRESSIONS; c++) {
        check_context("%s, %s, features %x", fin_core_name(core), compression_names[c],
                      (unsigned)features);
        for (uint32_t lanes = 1; lanes <= FIN_LANES_MAX; lanes *= 2) {
            const fin_impl *impl = fin_prefer(core, c, features, lanes);
            (void)CHECK_NEEDED(impl != NULL);
            CHECK(impl->compression == c && impl->lanes <= lanes && impl->constant_time);
            CHECK(is_supported(impl, features));
        }
    }
}

/* A CPU may be of any class, and lack or hide any feature. */
static void test_any_features(void)
{
    uint32_t random = 1;
    for (fin_core core = 0; core < FIN_CORES; core++) {
        check_choices(core, 0);
        check_choices(core, EVERY_FEATURE);
        for (int trial = 0; trial < 30; trial++) {
            random = random * UINT32_C(1664525) + UINT32_C(1013904223);
            check_choices(core, fin_close_features(random >> 8 & EVERY_FEATURE));
        }
    }
}

typedef struct choice {
    fin_core core;
    uint32_t hidden;
    fin_compression compression;
    uint32_t messages;
    const char *name;
} choice;

/* What was measured, or modelled, by a clear margin. */
static const choice choices[] = {
#define ON(core, hidden, compression, messages, name) \
    {FIN_CORE_##core, hidden, FIN_COMPRESSION_##compression, messages, name}
#ifdef FIN_ARCH_X86_64_ASM
    ON(INTEL_GFNI, FIN_CPU_XOP, GROESTL512, 1, "gfni-avx512"),
    ON(INTEL_GFNI, FIN_CPU_XOP, BLAKE256, 32, "avx512-x16"),
    ON(INTEL_GFNI, FIN_CPU_XOP, BLAKE256, 1, "avx512-align"),
    ON(INTEL_GFNI, FIN_CPU_XOP, BLAKE512, 1, "avx512-permil"),
    ON(INTEL_GFNI, FIN_CPU_AVX512, BLAKE2S, 1, "avx-align"),
    ON(INTEL_GFNI, FIN_CPU_AVX512, BLAKE256, 32, "x86-64-avx2-x8"),
    ON(INTEL_GFNI, FIN_CPU_SSE2, BLAKE256, 1, "x86-64"),
    ON(INTEL_GFNI, FIN_CPU_XOP, BLAKE2B, 32, "avx512-x8"),
    ON(AVX2, FIN_CPU_AVX512, BLAKE2B, 1, "avx2"),
    ON(AVX2, FIN_CPU_XOP, BLAKE512, 1, "avx512"),
    ON(AMD_19H, FIN_CPU_XOP, GROESTL512, 1, "gfni-avx512"),
    ON(AMD_19H, FIN_CPU_XOP, BLAKE2S, 1, "avx512-ternlog"),
    ON(AMD_19H, FIN_CPU_XOP | FIN_CPU_AVX512, BLAKE2B, 1, "avx2"),
    ON(AMD_19H, FIN_CPU_XOP, BLAKE512, 2, "avx512-2way"),
    ON(AMD_1AH, FIN_CPU_XOP, BLAKE256, 1, "x86-64-avx2"),
    ON(AMD_1AH, FIN_CPU_XOP, BLAKE2B, 1, "x86-64"),
    ON(AMD_1AH, FIN_CPU_XOP, GROESTL512, 1, "gfni512"),
    ON(AMD_1AH, FIN_CPU_XOP, GROESTL512, 32, "gfni512-x4"),
    ON(X86_64, FIN_CPU_AVX2, BLAKE2B, 1, "xop"),
    ON(X86_64, FIN_CPU_XOP | FIN_CPU_AVX2, BLAKE2S, 1, "avx"),
#elif defined(FIN_ARCH_ARM64)
    ON(ARM64_NARROW, 0, BLAKE256, 32, "neon-x4"),
    ON(ARM64, 0, BLAKE256, 32, "neon-x8"),
#endif
    ON(PORTABLE, EVERY_FEATURE, GROESTL256, 1, "bitslice"),
#undef ON
};

static void test_choices(void)
{
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const choice *each = &choices[i];
        const uint32_t features = fin_close_features(EVERY_FEATURE & ~each->hidden);
        const fin_impl *impl = fin_prefer(each->core, each->compression, features, each->messages);
        (void)CHECK_NEEDED(impl != NULL);
        check_context("%s, %s: %s", fin_core_name(each->core), compression_names[each->compression],
                      impl->name);
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
