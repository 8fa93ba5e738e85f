/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests dispatch on a CPU with XOP (tests/xop/xop_cpu.c): the implementations with XOP are selected
 * for one message and for several, FINALIST_CPU hides them, and they execute XOP instructions.
 */
#include "xop_emulator.h"

#include "check.h"

/* Checks the choices for BLAKE-256, BLAKE-512, BLAKE2b, BLAKE2s: for one message and a full set of
   lanes. */
static void check_chosen(const char *single, const char *of_32_bits, const char *of_64_bits)
{
    unsigned found = 0;
    for (size_t i = 0; i < fin_impl_count(); i++) {
        fin_impl_info impl;
        CHECK_STATUS(FIN_OK, fin_impl_at(i, &impl));
        check_context("%s, %s", impl.algorithm, impl.name);
        if (strncmp(impl.algorithm, "blake", 5) != 0) {
            CHECK(strstr(impl.features, "xop") == NULL);
        } else if (impl.selected) {
            const bool single_message = impl.lanes == 1;
            const char *many = impl.block_bytes == 64 ? of_32_bits : of_64_bits;
            CHECK(strcmp(impl.name, single_message ? single : many) == 0);
            found++;
        }
    }
    check_context("selected");
    CHECK(found == 10);
}

static void check_digest(fin_algorithm algorithm)
{
    static const uint8_t message[300] = {1, 2, 3};
    uint8_t expected[64] = {0};
    uint8_t got[64] = {0};
    const unsigned long before = xop_emulated();
    check_context("%s", fin_algorithm_describe(algorithm)->name);
    CHECK_STATUS(FIN_OK, fin_hash(algorithm, NULL, message, sizeof message, got, sizeof got));
    CHECK(xop_emulated() - before > 100);
    CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, "portable"));
    const unsigned long after = xop_emulated();
    CHECK_STATUS(FIN_OK,
                 fin_hash(algorithm, NULL, message, sizeof message, expected, sizeof expected));
    CHECK(xop_emulated() == after);
    CHECK_BYTES(expected, got, 64);
    CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, NULL));
}

int main(int argument_count, char **arguments)
{
    char features[512];
    (void)fin_cpu_features(features, sizeof features);
    if (strstr(features, "avx") == NULL) {
        printf("not checked: XOP is emulated on CPUs with AVX, this one has %s\n", features);
        return EXIT_SUCCESS;
    }
    if (argument_count > 1 && strcmp(arguments[1], "hidden") == 0) {
        check_chosen("avx", "avx-x4", "avx-x2");
        return check_report();
    }
    check_chosen("xop", "xop-x4", "xop-x2");
    check_digest(FIN_BLAKE256);
    check_digest(FIN_BLAKE512);
    check_digest(FIN_BLAKE2B);
    check_digest(FIN_BLAKE2S);
    return check_report();
}
