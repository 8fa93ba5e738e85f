/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The variants of MixBytes over one vector abstraction, as a table for tests/kernels/mixbytes.c.
 */
#ifndef FIN_TESTS_MIXBYTES_ON_H
#define FIN_TESTS_MIXBYTES_ON_H

#include <stddef.h>
#include <stdint.h>

enum { MIX_BYTES_MAX = 32 };

/* Operations on words counted since these were set to 0. */
extern unsigned mix_xors, mix_doublings;

typedef struct mix_variant {
    const char *name;
    /* Eight rows of mix_abstraction.bytes bytes, MIX_BYTES_MAX apart, replaced `times` times. */
    void (*run)(uint8_t rows[8][MIX_BYTES_MAX], unsigned times);
} mix_variant;

typedef struct mix_abstraction {
    const char *name;
    const char *feature; /* a name of fin_cpu_features; "" for none */
    size_t bytes;
    size_t variant_count;
    const mix_variant *variants;
} mix_abstraction;

#endif
