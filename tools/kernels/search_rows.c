/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Runs kernels for tools/kernels/search_rows.py:
 *
 *   search_rows SHARED_OBJECT COMPRESSION BLOCK_BYTES ROUNDS SAMPLES
 *
 * The shared object has an array `kernels` of functions and their number `kernels_count`. Compares
 * each one with the portable kernel, then times them alternately: 4 KiB of one message, and as many
 * messages of one block. Prints a line for each: 1 if it is right, or 0, and core cycles a block,
 * the mean from the 10th to the 75th percentile.
 *
 * Core cycles are time-stamp ticks divided by those of a chain of one-cycle additions before and
 * after; samples during which the clock changed are dropped.
 */
#include "impl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

enum { CHAIN = 4096, DATA_BYTES = 4096, BLOCKS_COMPARED = 7, OTHER_ROUNDS = 3 };

extern const fin_unit fin_unit_blake_portable;

static _Alignas(64) uint8_t data[DATA_BYTES + BLOCKS_COMPARED];

static uint64_t ticks(void)
{
    unsigned cpu;
    _mm_lfence();
    const uint64_t t = __rdtscp(&cpu);
    _mm_lfence();
    return t;
}

static uint64_t chain_ticks(void)
{
    uint64_t x = 1;
    const uint64_t y = 3;
    const uint64_t start = ticks();
    for (int i = 0; i < CHAIN / 32; i++) {
        __asm__ volatile(".rept 32\n\tadd %1, %0\n\t.endr" : "+r"(x) : "r"(y));
    }
    return ticks() - start;
}

static uint64_t empty_ticks(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 1000; i++) {
        const uint64_t start = ticks();
        const uint64_t taken = ticks() - start;
        least = taken < least ? taken : least;
    }
    return least;
}

/* Runs up to seven vector instructions: the choice of the next port outlives a call, and some kernels
   have two speeds. */
static void change_phase(void)
{
    static uint32_t random = 1;
    random = random * 1664525 + 1013904223;
    for (uint32_t i = random >> 29; i != 0; i--) {
        __asm__ volatile("vpsrlq $1, %%ymm2, %%ymm3" ::: "xmm3");
    }
}

static int compare_doubles(const void *p, const void *q)
{
    const double x = *(const double *)p;
    const double y = *(const double *)q;
    return (x > y) - (x < y);
}

static fin_compress_fn *portable_of(const char *name)
{
    static const char *const names[] = {
#define FIN_COMPRESSION(id, name_, block_bytes) name_,
#include "alg.def"
#undef FIN_COMPRESSION
    };
    for (size_t i = 0; i < fin_unit_blake_portable.count; i++) {
        const fin_impl *impl = &fin_unit_blake_portable.impls[i];
        if (strcmp(names[impl->compression], name) == 0) {
            return impl->compress;
        }
    }
    return NULL;
}

static bool is_right(fin_compress_fn *kernel, fin_compress_fn *portable, size_t block_bytes,
                     uint32_t increment, uint64_t rounds, bool any_rounds)
{
    bool right = true;
    for (size_t blocks = 1; blocks < BLOCKS_COMPARED; blocks++) {
        fin_state state;
        for (size_t i = 0; i < sizeof data; i++) {
            data[i] = (uint8_t)(rand() >> 8);
        }
        memcpy(&state, data + DATA_BYTES / 2, sizeof state);
        state.rounds = any_rounds && blocks == 1 ? OTHER_ROUNDS : rounds;
        fin_state same = state;
        kernel(&state, data + blocks, blocks, block_bytes, increment);
        portable(&same, data + blocks, blocks, block_bytes, increment);
        right = right && memcmp(&state, &same, sizeof state) == 0;
    }
    return right;
}

/* Returns the ticks for 4 KiB. states has one element a block. */
static uint64_t message_ticks(fin_compress_fn *kernel, fin_state *states, size_t block_bytes,
                              size_t blocks_a_call)
{
    const size_t blocks = DATA_BYTES / block_bytes;
    const uint32_t increment = (uint32_t)block_bytes;
    kernel(states, data, 1, block_bytes, increment);
    change_phase();
    const uint64_t start = ticks();
    for (size_t i = 0; i < blocks; i += blocks_a_call) {
        kernel(states + i, data + i * block_bytes, blocks_a_call, block_bytes, increment);
    }
    return ticks() - start;
}

/* Returns core cycles a block, or 0 if the clock changed. */
static double sample(fin_compress_fn *kernel, fin_state *states, size_t block_bytes, uint64_t empty)
{
    const size_t blocks = DATA_BYTES / block_bytes;
    const uint64_t before = chain_ticks();
    const uint64_t taken = message_ticks(kernel, states, block_bytes, blocks) +
                           message_ticks(kernel, states, block_bytes, 1);
    const uint64_t after = chain_ticks();
    const double ratio = (double)before / (double)after;
    const double cycle = (double)(before + after - 2 * empty) / (2.0 * CHAIN);
    return ratio < 0.98 || ratio > 1.02
               ? 0
               : (double)(taken - 2 * empty) / cycle / (2.0 * (double)blocks);
}

static void report(double *samples, size_t count, bool right)
{
    double sum = 0;
    size_t summed = 0;
    qsort(samples, count, sizeof *samples, compare_doubles);
    for (size_t i = count / 10; i < count * 3 / 4; i++, summed++) {
        sum += samples[i];
    }
    printf("%d %.2f\n", right, summed != 0 ? sum / (double)summed : 1e6);
}

int main(int argc, char **argv)
{
    void *object = argc == 6 ? dlopen(argv[1], RTLD_NOW) : NULL;
    fin_compress_fn *portable = argc == 6 ? portable_of(argv[2]) : NULL;
    if (object == NULL || portable == NULL) {
        (void)fputs("search_rows: wrong arguments\n", stderr);
        return 1;
    }
    fin_compress_fn **kernels = dlsym(object, "kernels");
    const size_t count = *(const uint64_t *)dlsym(object, "kernels_count");
    const size_t block_bytes = strtoul(argv[3], NULL, 10);
    const uint64_t rounds = strtoul(argv[4], NULL, 10);
    const size_t wanted = strtoul(argv[5], NULL, 10);
    const uint32_t increment = strcmp(argv[2], "blake3") == 0 ? 0 : 1U << 31;
    const bool any_rounds = strncmp(argv[2], "blake2", 6) == 0 && argv[2][6] != '5';
    const uint64_t empty = empty_ticks();
    bool *right = calloc(count, sizeof *right);
    size_t *taken = calloc(count, sizeof *taken);
    double *samples = calloc(count * wanted, sizeof *samples);
    for (size_t i = 0; i < count; i++) {
        right[i] = is_right(kernels[i], portable, block_bytes, increment, rounds, any_rounds);
    }
    static fin_state states[DATA_BYTES / 64];
    for (size_t i = 0; i < DATA_BYTES / 64; i++) {
        states[i].rounds = rounds;
    }
    for (size_t turn = 0; turn < 3 * wanted; turn++) {
        for (size_t i = 0; i < count; i++) {
            const double cycles =
                right[i] && taken[i] < wanted ? sample(kernels[i], states, block_bytes, empty) : 0;
            if (cycles != 0) {
                samples[i * wanted + taken[i]++] = cycles;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        report(samples + i * wanted, taken[i], right[i]);
    }
    return 0;
}
