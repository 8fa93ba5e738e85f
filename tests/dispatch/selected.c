/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests which implementations batches use: those of preference.def for messages of one block, of two,
 * long ones and nodes; after fin_impl_select the named one for all of them. Calls what the library
 * keeps to itself, hence a static library.
 */
#include "check.h"

#include "dispatch/platform.h"
#include "dispatch/registry.h"
#include "spec/spec.h"

/* Checks the automatic choices, but for those of this compression function. */
static void test_others(fin_compression named)
{
    fin_platform own;
    const fin_platform *platform = fin_platform_read(&own);
    for (size_t kind = 0; kind < FIN_BATCH_KINDS; kind++) {
        const bool nodes = kind == FIN_BATCH_OF_NODES;
        const fin_compression compression =
            nodes ? FIN_COMPRESSION_BLAKE3 : (fin_compression)(kind % FIN_COMPRESSIONS);
        const fin_impl *chosen[FIN_LANES_MAX + 1];
        if (compression == named) {
            continue;
        }
        const fin_purpose purpose = nodes                       ? FIN_FOR_NODES
                                    : kind >= FIN_BATCH_OF_LONG ? FIN_FOR_LONG
                                    : kind >= FIN_BATCH_OF_TWO  ? FIN_FOR_TWO
                                                                : FIN_FOR_ONE;
        fin_prefer_lanes(platform->core, compression, platform->features, purpose, chosen);
        for (size_t n = 0; n <= FIN_LANES_MAX; n++) {
            check_context("kind %u, %u messages", (unsigned)kind, (unsigned)n);
            const fin_impl *impl = fin_dispatch_lanes(kind, n);
            CHECK(impl == (chosen[n]->lanes > 1 ? chosen[n] : NULL));
        }
    }
}

/* Checks which numbers of blocks share a selection, with an implementation of its own for each. */
static void test_blocks(void)
{
    static const fin_impl of_kind[] = {{.lanes = 2}, {.lanes = 2}, {.lanes = 2}};
    const size_t one = FIN_COMPRESSION_BLAKE2S;
    check_context("numbers of blocks");
    CHECK_STATUS(FIN_OK, fin_impl_select(FIN_BLAKE2S, NULL));
    atomic_store(&fin_chosen_lanes[one][2], &of_kind[0]);
    atomic_store(&fin_chosen_lanes[FIN_BATCH_OF_TWO + one][2], &of_kind[1]);
    atomic_store(&fin_chosen_lanes[FIN_BATCH_OF_LONG + one][2], &of_kind[2]);
    for (size_t blocks = 1; blocks <= 2 * FIN_LONG_BLOCKS; blocks++) {
        CHECK(fin_dispatch_blocks(FIN_COMPRESSION_BLAKE2S, blocks, 2) ==
              &of_kind[blocks < FIN_LONG_BLOCKS ? blocks - 1 : 2]);
    }
    CHECK_STATUS(FIN_OK, fin_impl_select(FIN_BLAKE2S, NULL));
}

static void check_impl(const fin_impl *impl, const char *name)
{
    CHECK(impl != NULL && strcmp(impl->name, name) == 0);
}

/* Checks that all batches of the compression function use this implementation. */
static void check_used(fin_compression compression, const char *name)
{
    for (size_t n = 0; n <= FIN_LANES_MAX; n++) {
        check_impl(fin_dispatch_blocks(compression, 1, n), name);
        check_impl(fin_dispatch_blocks(compression, 2, n), name);
        check_impl(fin_dispatch_blocks(compression, FIN_LONG_BLOCKS, n), name);
        if (compression == FIN_COMPRESSION_BLAKE3) {
            check_impl(fin_dispatch_lanes(FIN_BATCH_OF_NODES, n), name);
        }
    }
}

static void test_by_name(fin_algorithm algorithm)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    const fin_compression compression =
        fin_descriptor_compression(descriptor, descriptor->info.digest_bytes);
    fin_impl_info impl;
    for (size_t i = 0; fin_impl_at(i, &impl) == FIN_OK; i++) {
        const fin_registered *registered;
        const fin_impl *named = fin_impl_named(compression, fin_span_of(impl.name), &registered);
        if (impl.supported && impl.lanes > 1 && named != NULL &&
            strcmp(impl.algorithm, descriptor->info.name) == 0) {
            check_context("%s: %s", impl.algorithm, impl.name);
            CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, impl.name));
            check_used(compression, impl.name);
        }
    }
    /* The other kinds stay as they are. */
    test_others(compression);
    CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, NULL));
}

int main(void)
{
    test_others(FIN_COMPRESSIONS);
    test_blocks();
    test_by_name(FIN_BLAKE3);
    test_by_name(FIN_BLAKE2S);
    test_by_name(FIN_GROESTL512);
    test_others(FIN_COMPRESSIONS);
    return check_report();
}
