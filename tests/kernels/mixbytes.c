/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares every variant of MixBytes, over every vector abstraction that this CPU supports, with
 * the matrix.
 *
 *   mixbytes           check
 *   mixbytes --print   also print operations and, on x86, cycles of each: one MixBytes after the
 *                      other on the same rows, so latency counts as in a round
 */
#include "check.h"

#include "mixbytes_on.h"

extern const mix_abstraction mix_on_words;
#if defined(__x86_64__) || defined(__i386__)
#define MIX_X86 1
extern const mix_abstraction mix_on_ssse3, mix_on_avx, mix_on_avx2, mix_on_gfni, mix_on_gfni_avx2;
#endif
#ifdef MIX_NEON
extern const mix_abstraction mix_on_neon;
#endif

static const mix_abstraction *const abstractions[] = {
    &mix_on_words,
#ifdef MIX_X86
    &mix_on_ssse3, &mix_on_avx, &mix_on_avx2, &mix_on_gfni, &mix_on_gfni_avx2,
#endif
#ifdef MIX_NEON
    &mix_on_neon,
#endif
};

enum { ABSTRACTIONS = sizeof abstractions / sizeof abstractions[0] };

static uint8_t multiply(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b != 0; b = (uint8_t)(b >> 1)) {
        product = (uint8_t)(product ^ ((b & 1) != 0 ? a : 0));
        a = (uint8_t)((a << 1) ^ ((a & 0x80) != 0 ? 0x1b : 0));
    }
    return product;
}

/* Computes the specification's definition: b = B a for every column. */
static void mix_by_matrix(uint8_t rows[8][MIX_BYTES_MAX])
{
    static const uint8_t first_row[8] = {0x02, 0x02, 0x03, 0x04, 0x05, 0x03, 0x05, 0x07};
    for (size_t column = 0; column < MIX_BYTES_MAX; column++) {
        uint8_t mixed[8] = {0};
        for (size_t i = 0; i < 8; i++) {
            for (size_t k = 0; k < 8; k++) {
                mixed[i] = (uint8_t)(mixed[i] ^ multiply(rows[(i + k) % 8][column], first_row[k]));
            }
        }
        for (size_t i = 0; i < 8; i++) {
            rows[i][column] = mixed[i];
        }
    }
}

/* Returns true if fin_cpu_features names every feature of the comma-separated list. */
static bool supported(const char *wanted)
{
    char features[512];
    fin_cpu_features(features, sizeof features);
    while (*wanted != '\0') {
        const size_t length = strcspn(wanted, ",");
        const char *at = features;
        while (strcspn(at, ",") != length || strncmp(at, wanted, length) != 0) {
            at += strcspn(at, ",");
            if (*at == '\0') {
                return false;
            }
            at++;
        }
        wanted += length + (wanted[length] == ',');
    }
    return true;
}

static void check_abstraction(const mix_abstraction *abstraction)
{
    for (size_t v = 0; v < abstraction->variant_count; v++) {
        if (!check_part("%s, %s", abstraction->name, abstraction->variants[v].name)) {
            continue;
        }
        for (unsigned trial = 0; trial < 64; trial++) {
            uint8_t rows[8][MIX_BYTES_MAX], expected[8][MIX_BYTES_MAX];
            check_random_bytes(&rows[0][0], sizeof rows);
            memcpy(expected, rows, sizeof rows);
            for (unsigned k = 0; k < trial % 4; k++) {
                mix_by_matrix(expected);
            }
            abstraction->variants[v].run(rows, trial % 4);
            for (size_t i = 0; i < 8; i++) {
                CHECK_BYTES(expected[i], rows[i], abstraction->bytes);
            }
        }
    }
}

#ifdef MIX_X86

#include <x86intrin.h>

/* Returns the time-stamp ticks of one cycle: dependent additions take one each. */
static double ticks_of_cycle(void)
{
    double best = 1e9;
    for (unsigned k = 0; k < 50; k++) {
        unsigned long sum = 1, one = 3;
        const uint64_t start = __rdtsc();
        for (unsigned i = 0; i < 100; i++) {
#define ADD_5 "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
            __asm__ __volatile__(ADD_5 ADD_5 ADD_5 ADD_5 : "+r"(sum) : "r"(one));
        }
        const double ticks = (double)(__rdtsc() - start) / 2000;
        best = ticks < best ? ticks : best;
    }
    return best;
}

static double cycles_of(const mix_variant *variant)
{
    uint8_t rows[8][MIX_BYTES_MAX] = {{1}};
    double best = 1e9;
    for (unsigned k = 0; k < 20; k++) {
        const double tick = ticks_of_cycle();
        const uint64_t start = __rdtsc();
        variant->run(rows, 2000);
        const double cycles = (double)(__rdtsc() - start) / tick / 2000;
        best = cycles < best ? cycles : best;
    }
    return best;
}

#else

static double cycles_of(const mix_variant *variant)
{
    (void)variant;
    return 0;
}

#endif

static void print_variants(void)
{
    printf("%-30s %5s %9s", "variant", "XORs", "doublings");
    for (size_t i = 1; i < ABSTRACTIONS; i++) {
        printf(" %9s", abstractions[i]->name);
    }
    printf("\n");
    for (size_t v = 0; v < mix_on_words.variant_count; v++) {
        uint8_t rows[8][MIX_BYTES_MAX] = {{1}};
        mix_xors = mix_doublings = 0;
        mix_on_words.variants[v].run(rows, 1);
        printf("%-30s %5u %9u", mix_on_words.variants[v].name, mix_xors, mix_doublings);
        for (size_t i = 1; i < ABSTRACTIONS; i++) {
            if (supported(abstractions[i]->feature)) {
                printf(" %9.1f", cycles_of(&abstractions[i]->variants[v]));
            } else {
                printf(" %9s", "-");
            }
        }
        printf("\n");
    }
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    for (size_t i = 0; i < ABSTRACTIONS; i++) {
        if (supported(abstractions[i]->feature)) {
            check_abstraction(abstractions[i]);
        }
    }
    if (argument_count > 1 && strcmp(arguments[1], "--print") == 0) {
        print_variants();
    }
    return check_report();
}
