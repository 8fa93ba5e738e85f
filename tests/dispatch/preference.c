/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests the selection by preference.def on any CPU: for every class of cores, only implementations
 * that the features allow are selected, and they are constant-time. Every name in a line must
 * exist.
 */
#include <limits.h>

#include "dispatch/registry.h"

#include "check.h"

#define EVERY_FEATURE ((uint32_t)FIN_CPU_KNOWN - 1)

static const char *const compression_names[] = {
#define FIN_COMPRESSION(id, name, block_bytes) name,
#include "alg.def"
#undef FIN_COMPRESSION
};

/* The messages that a line of costs is for. */

typedef struct line {
    const char *core, *names;
    fin_compression compression;
    bool many;
    fin_purpose use;
} line;

static const line lines[] = {
#define FIN_ONE(core, compression, names) \
    {#core, names, FIN_COMPRESSION_##compression, false, FIN_FOR_ONE},
#define FIN_MANY(core, compression, names) \
    {#core, names, FIN_COMPRESSION_##compression, true, FIN_FOR_ONE},
#include "preference.def"
};

static const line costs[] = {
#define FIN_COST(core, compression, names) \
    {#core, names, FIN_COMPRESSION_##compression, true, FIN_FOR_ONE},
#define FIN_LONG(core, compression, names) \
    {#core, names, FIN_COMPRESSION_##compression, true, FIN_FOR_LONG},
#define FIN_NODES(core, compression, names) \
    {#core, names, FIN_COMPRESSION_##compression, true, FIN_FOR_NODES},
#include "preference.def"
    {"", "", 0, false, FIN_FOR_ONE},
};

/* A build may lack only assembly for x86-64, which some systems' compilers cannot assemble. */
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

/* Returns the number behind a name in the list. */
static unsigned long cost_of(const char *names, const char *name)
{
    char wanted[80];
    (void)snprintf(wanted, sizeof wanted, ",%s ", name);
    const char *found = strstr(names, wanted);
    return found != NULL ? strtoul(found + strlen(wanted), NULL, 10) : 0;
}

/* Every name preferred by a class with costs must have a cost, and none may be misspelled: the rule
   of classes without costs would silently apply otherwise. */
static void test_costs(void)
{
    for (const line *each = costs; each->many; each++) {
        const char *names = each->names;
        fin_span item;
        CHECK(fin_next_item(&names, &item) && item.bytes > 5 && memcmp(item.at, "call ", 5) == 0);
        while (fin_next_item(&names, &item)) {
            const char *blank = memchr(item.at, ' ', item.bytes);
            (void)CHECK_NEEDED(blank != NULL && strtoul(blank, NULL, 10) != 0);
            const fin_registered *registered;
            const fin_span name = {item.at, (size_t)(blank - item.at)};
            const fin_impl *impl = fin_impl_named(each->compression, name, &registered);
            check_context("%s, %s: %.*s", each->core, compression_names[each->compression],
                          (int)name.bytes, name.at);
            CHECK(impl != NULL || may_be_absent(name));
            CHECK(impl == NULL || impl->constant_time);
        }
        for (size_t i = 0; each->use == FIN_FOR_ONE && i < sizeof lines / sizeof lines[0]; i++) {
            const char *preferred = lines[i].names;
            const bool same =
                strcmp(lines[i].core, each->core) == 0 && lines[i].compression == each->compression;
            while (same && fin_next_item(&preferred, &item)) {
                char name[64];
                (void)snprintf(name, sizeof name, "%.*s", (int)item.bytes, item.at);
                check_context("%s, %s: %s", each->core, compression_names[each->compression], name);
                CHECK(cost_of(each->names, name) != 0);
            }
        }
    }
}

/* Returns the cost of n messages on the chosen implementations, with that of a call's first group; 0
   if a name has no cost. */
static unsigned long cost_together(const line *cost_line, unsigned long call,
                                   const fin_impl *const *chosen, uint32_t n)
{
    unsigned long all = 0;
    bool grouped = false;
    while (n != 0) {
        const fin_impl *impl = chosen[n];
        const unsigned long cost = cost_of(cost_line->names, impl->name);
        if (cost == 0) {
            return 0;
        }
        grouped = grouped || fin_is_multi(impl);
        all += cost;
        n -= n < impl->lanes ? n : impl->lanes;
    }
    return all + (grouped ? call : 0);
}

/* Checks that no split of n messages into two calls costs less than 97 per cent. */
static void check_splits(const line *cost, unsigned long call, const fin_impl *const *chosen)
{
    for (uint32_t n = 2; n <= FIN_LANES_MAX; n++) {
        const unsigned long together = cost_together(cost, call, chosen, n);
        for (uint32_t part = 1; part <= n / 2; part++) {
            const unsigned long split = cost_together(cost, call, chosen, part) +
                                        cost_together(cost, call, chosen, n - part);
            CHECK(100 * together <= 103 * split);
        }
    }
}

static bool all_have_costs(const line *cost, const fin_impl *const widths[FIN_WIDTHS])
{
    bool all = true;
    for (size_t i = 0; i < FIN_WIDTHS; i++) {
        all = all && cost_of(cost->names, widths[i]->name) != 0;
    }
    return all;
}

/* Checks that nothing costs less than the chosen composition of the widths, without a call's cost. */
static void check_least(const line *cost, const fin_impl *const widths[FIN_WIDTHS],
                        const fin_impl *const *chosen)
{
    unsigned long least[FIN_LANES_MAX + 1] = {0};
    for (uint32_t n = 1; n <= FIN_LANES_MAX; n++) {
        least[n] = ULONG_MAX;
        for (size_t i = 0; i < FIN_WIDTHS; i++) {
            const uint32_t taken = n < widths[i]->lanes ? n : widths[i]->lanes;
            const unsigned long all = cost_of(cost->names, widths[i]->name) + least[n - taken];
            least[n] = all < least[n] ? all : least[n];
        }
        CHECK(cost_together(cost, 0, chosen, n) == least[n]);
    }
}

/* Checks what is chosen without costs: at most n rounded up to a power of two lanes. */
static void check_rounded(const fin_impl *const widths[FIN_WIDTHS], const fin_impl *const *chosen)
{
    for (uint32_t n = 1, i = 0; n <= FIN_LANES_MAX; n++) {
        i += n > UINT32_C(1) << i;
        CHECK(chosen[n] == widths[i]);
    }
}

/* Returns the line of costs of a class, or the end of the list. */
static const line *costs_of(const char *core_id, fin_compression c, fin_purpose use)
{
    const line *cost = costs;
    while (cost->many &&
           (strcmp(cost->core, core_id) != 0 || cost->compression != c || cost->use != use)) {
        cost++;
    }
    return cost;
}

/* True if these features support every implementation of a line of costs. */
static bool supports_all(const line *cost, uint32_t features)
{
    const char *names = cost->names;
    fin_span item;
    bool all = fin_next_item(&names, &item); /* the call's cost */
    while (fin_next_item(&names, &item)) {
        const fin_span name = {item.at,
                               (size_t)((const char *)memchr(item.at, ' ', item.bytes) - item.at)};
        const fin_registered *registered;
        all = all && fin_impl_named(cost->compression, name, &registered) != NULL &&
              fin_supported(registered, features);
    }
    return all;
}

static void check_widths(fin_core core, const char *core_id, fin_compression c, uint32_t features)
{
    static const char *const names[] = {"one block", "two blocks", "long messages", "nodes"};
    const fin_impl *chosen[FIN_LANES_MAX + 1];
    const fin_impl *widths[FIN_WIDTHS];
    bool costs_of_one = false;
    fin_prefer_widths(core, c, features, widths);
    for (fin_purpose use = FIN_FOR_ONE; use <= FIN_FOR_NODES; use++) {
        const line *cost = costs_of(core_id, c, use);
        /* The costs of one block with half of the call's for two; without the call's for long
           messages, unless all of their line exists. */
        const bool own =
            use == FIN_FOR_LONG ? cost->many && supports_all(cost, features) : use != FIN_FOR_TWO;
        cost = own ? cost : costs_of(core_id, c, FIN_FOR_ONE);
        const unsigned long whole = cost->many ? strtoul(cost->names + 5, NULL, 10) : 0;
        const unsigned long call = own ? whole : use == FIN_FOR_TWO ? whole / 2 : 0;
        check_context("%s, %s of %s, features %x", core_id, names[use], compression_names[c],
                      (unsigned)features);
        fin_prefer_lanes(core, c, features, use, chosen);
        const bool has_costs = cost->many && all_have_costs(cost, widths);
        if (!own && !has_costs) {
            check_rounded(widths, chosen);
        } else if (!own && call == 0) {
            check_least(cost, widths, chosen);
        }
        if (cost->many && cost_together(cost, call, chosen, FIN_LANES_MAX) != 0) {
            check_splits(cost, call, chosen);
            costs_of_one |= use == FIN_FOR_ONE;
        }
    }
    if (costs_of_one) {
        return;
    }
    fin_prefer_lanes(core, c, features, FIN_FOR_ONE, chosen);
    check_rounded(widths, chosen);
}

static const char *const core_ids[] = {
#define FIN_CORE(id, name) #id,
#include "preference.def"
};

static void test_widths(void)
{
    uint32_t random = 1;
    for (fin_core core = 0; core < FIN_CORES; core++) {
        for (int trial = 0; trial < 12; trial++) {
            random = random * UINT32_C(1664525) + UINT32_C(1013904223);
            const uint32_t some = random >> 8 & EVERY_FEATURE;
            const uint32_t features = fin_usable_features(trial == 0 ? EVERY_FEATURE : some);
            for (fin_compression c = 0; c < FIN_COMPRESSION_GROESTL0_256; c++) {
                check_widths(core, core_ids[core], c, features);
            }
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
        check_context("%s, %s, features %x", fin_core_names[core], compression_names[c],
                      (unsigned)features);
        const fin_impl *widths[FIN_WIDTHS];
        fin_prefer_widths(core, c, features, widths);
        CHECK(widths[0] == fin_prefer(core, c, features));
        for (uint32_t i = 0; i < FIN_WIDTHS; i++) {
            const fin_impl *impl = widths[i];
            (void)CHECK_NEEDED(impl != NULL);
            CHECK(impl->compression == c && impl->lanes <= 1U << i && impl->constant_time);
            CHECK(is_supported(impl, features));
        }
    }
}

/* Combines every class with any missing or hidden features. */
static void test_any_features(void)
{
    uint32_t random = 1;
    for (fin_core core = 0; core < FIN_CORES; core++) {
        check_choices(core, 0);
        check_choices(core, EVERY_FEATURE);
        for (int trial = 0; trial < 30; trial++) {
            random = random * UINT32_C(1664525) + UINT32_C(1013904223);
            check_choices(core, fin_usable_features(random >> 8 & EVERY_FEATURE));
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

/* Choices measured or modelled to be best by a clear margin. */
static const choice choices[] = {
#define ON(core, hidden, compression, messages, name) \
    {FIN_CORE_##core, hidden, FIN_COMPRESSION_##compression, messages, name}
#ifdef FIN_ARCH_X86_64_ASM
    ON(INTEL_GFNI, FIN_CPU_XOP, GROESTL512, 1, "gfni-avx512"),
    ON(INTEL_GFNI, FIN_CPU_XOP, BLAKE256, 32, "x86-64-avx512-x16"),
    ON(INTEL_GFNI, FIN_CPU_XOP, BLAKE256, 1, "avx512-align"),
    ON(INTEL_GFNI, FIN_CPU_XOP, BLAKE512, 1, "avx512-permil"),
    ON(INTEL_GFNI, FIN_CPU_AVX512, BLAKE2S, 1, "avx-align"),
    ON(INTEL_GFNI, FIN_CPU_AVX512, BLAKE256, 32, "x86-64-avx2-x8"),
    ON(INTEL_GFNI, FIN_CPU_SSE2, BLAKE256, 1, "x86-64"),
    ON(INTEL_GFNI, FIN_CPU_XOP, BLAKE2B, 32, "avx512-x8"),
    ON(AVX2, FIN_CPU_AVX512, BLAKE2B, 1, "avx2"),
    ON(AVX2, FIN_CPU_XOP, BLAKE512, 1, "avx512"),
    ON(AVX2, FIN_CPU_XOP, BLAKE2S, 1, "avx512-align"),
    ON(AVX2, FIN_CPU_XOP, BLAKE3, 2, "avx2-2way"),
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
        const uint32_t features = fin_usable_features(EVERY_FEATURE & ~each->hidden);
        const fin_impl *widths[FIN_WIDTHS];
        fin_prefer_widths(each->core, each->compression, features, widths);
        uint32_t width = 0;
        while (UINT32_C(1) << width < each->messages) {
            width++;
        }
        const fin_impl *impl = widths[width];
        (void)CHECK_NEEDED(impl != NULL);
        check_context("%s, %s: %s", fin_core_names[each->core],
                      compression_names[each->compression], impl->name);
        CHECK(strcmp(impl->name, each->name) == 0);
    }
}

#ifdef FIN_ARCH_X86_64_ASM
/* Implementations selected for several messages, and for nodes, on Zen 4, as measured there. */
static void test_zen4(void)
{
    static const choice groups[] = {
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE2S, 2, "avx512-ternlog"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE2S, 9, "avx512-ymm-x8"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE2S, 17, "x86-64-avx512-x16"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE2B, 5, "avx512-ymm-x4"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE2B, 17, "x86-64-avx512-x16"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_GROESTL256, 2, "gfni-avx512"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_GROESTL256, 5, "gfni-avx512-ymm-x4"},
    };
    static const choice longer[] = {
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE2S, 2, "avx2-2way"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE2S, 9, "x86-64-avx512-2ymm-x16"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE2B, 8, "x86-64-avx512-2ymm-x8"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE2B, 16, "x86-64-avx512-x16"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE3, 4, "avx512-ternlog-4way"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE3, 32, "x86-64-avx512-2ymm-x16"},
    };
    static const choice two[] = {
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE2S, 2, "avx512-ternlog"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE2S, 3, "avx512-4way"},
    };
    static const choice nodes[] = {
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE3, 2, "avx512-ternlog-2way"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE3, 3, "avx512-ymm-x8"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE3, 9, "avx512-ymm-x8"},
        {FIN_CORE_AMD_19H, 0, FIN_COMPRESSION_BLAKE3, 10, "x86-64-avx512-x16"},
    };
    static const struct {
        const choice *choices;
        size_t count;
    } of_use[] = {
        {groups, sizeof groups / sizeof groups[0]},
        {two, sizeof two / sizeof two[0]},
        {longer, sizeof longer / sizeof longer[0]},
        {nodes, sizeof nodes / sizeof nodes[0]},
    };
    for (fin_purpose use = FIN_FOR_ONE; use <= FIN_FOR_NODES; use++) {
        for (size_t i = 0; i < of_use[use].count; i++) {
            const fin_impl *chosen[FIN_LANES_MAX + 1];
            const choice *each = &of_use[use].choices[i];
            const uint32_t features = fin_usable_features(EVERY_FEATURE & ~(uint32_t)FIN_CPU_XOP);
            fin_prefer_lanes(each->core, each->compression, features, use, chosen);
            check_context("%s, %u messages", compression_names[each->compression],
                          (unsigned)each->messages);
            CHECK(strcmp(chosen[each->messages]->name, each->name) == 0);
        }
    }
}
#endif

int main(void)
{
    test_names();
    test_costs();
    test_widths();
#ifdef FIN_ARCH_X86_64_ASM
    test_zen4();
#endif
    test_any_features();
    test_choices();
    return check_report();
}
