/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Runs a fuzz target over the files of a corpus without a fuzzer: replay [--random COUNT] FILE...
 * --random adds generated inputs, the same in every run.
 */
#include "input.h"

enum { FILE_MAX = 1 << 16, RANDOM_MAX = 512 };

static size_t run_random(unsigned long count)
{
    uint64_t word = 0x9e3779b97f4a7c15;
    for (unsigned long i = 0; i < count; i++) {
        uint8_t bytes[RANDOM_MAX];
        for (size_t k = 0; k < sizeof bytes; k++) {
            word ^= word << 13;
            word ^= word >> 7;
            word ^= word << 17;
            bytes[k] = (uint8_t)(word >> 32);
        }
        (void)LLVMFuzzerTestOneInput(bytes, 16 + (size_t)(word % (RANDOM_MAX - 15)));
    }
    return count;
}

int main(int argument_count, char **arguments)
{
    static uint8_t bytes[FILE_MAX];
    size_t runs = 0;
    int first = 1;
    if (argument_count > 2 && strcmp(arguments[1], "--random") == 0) {
        runs += run_random(strtoul(arguments[2], NULL, 10));
        first = 3;
    }
    for (int i = first; i < argument_count; i++) {
        FILE *file = fopen(arguments[i], "rb");
        if (file == NULL) {
            perror(arguments[i]);
            return 1;
        }
        const size_t count = fread(bytes, 1, sizeof bytes, file);
        (void)fclose(file);
        (void)LLVMFuzzerTestOneInput(bytes, count);
        runs++;
    }
    printf("%lu inputs\n", (unsigned long)runs);
    return runs == 0;
}
