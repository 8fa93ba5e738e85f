/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Turns a fuzzer's few bytes into numbers, parameters and messages of thousands of bytes. An
 * exhausted input yields zeros.
 */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

/* Aborts, so that the fuzzer keeps the input. */
#define EXPECT(condition)                                                           \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

static inline uint8_t take_byte(input *in)
{
    if (in->left == 0) {
        return 0;
    }
    in->left--;
    return *in->at++;
}

static inline size_t take_number(input *in)
{
    const size_t low = take_byte(in);
    return low | (size_t)take_byte(in) << 8;
}

/* Returns a number up to `most`, usually a small one. */
static inline size_t take_up_to(input *in, size_t most)
{
    const size_t number = take_number(in);
    return (number & 0x8000) != 0 ? (number & 0x7f) % (most + 1) : number % (most + 1);
}

static inline uint64_t take_wide(input *in)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < 8; i++) {
        number |= (uint64_t)take_byte(in) << 8 * i;
    }
    return number;
}

/* Fills memory with pseudo-random bytes seeded by one byte of input. */
static inline void take_filling(input *in, uint8_t *bytes, size_t count)
{
    uint32_t word = take_byte(in) * 2654435761U + 1;
    for (size_t i = 0; i < count; i++) {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        bytes[i] = (uint8_t)(word >> 8);
    }
}

static inline fin_algorithm take_algorithm(input *in)
{
    return fin_algorithm_at(take_byte(in) % fin_algorithm_count())->algorithm;
}

/* Parameters and the memory that they point to. */
typedef struct parameters {
    fin_params params;
    fin_tree_mode tree;
    uint8_t key[64], salt[32], personal[16];
} parameters;

/* Chooses parameters, most of them valid, for digests of at most `longest` bytes. */
static inline void take_parameters(input *in, fin_algorithm algorithm, size_t longest,
                                   parameters *p)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const uint8_t which = take_byte(in);
    memset(p, 0, sizeof *p);
    if ((which & 1) != 0 && info->key_bytes_max != 0) {
        p->params.key = p->key;
        p->params.key_bytes = take_up_to(in, info->key_bytes_max);
        if (p->params.key_bytes != 0 && p->params.key_bytes < info->key_bytes_min) {
            p->params.key_bytes = info->key_bytes_min;
        }
        take_filling(in, p->key, sizeof p->key);
    }
    if ((which & 2) != 0 && info->salt_bytes != 0) {
        p->params.salt = p->salt;
        p->params.salt_bytes = info->salt_bytes;
        take_filling(in, p->salt, sizeof p->salt);
    }
    if ((which & 4) != 0 && info->personal_bytes != 0) {
        p->params.personal = p->personal;
        p->params.personal_bytes = take_up_to(in, info->personal_bytes);
        take_filling(in, p->personal, sizeof p->personal);
    }
    if ((which & 8) != 0) {
        const uint64_t most =
            info->digest_bytes_max < longest ? info->digest_bytes_max : (uint64_t)longest;
        p->params.digest_bytes =
            info->digest_bytes_min + take_up_to(in, (size_t)(most - info->digest_bytes_min));
    }
    if ((which & 16) != 0 && (algorithm == FIN_BLAKE2B || algorithm == FIN_BLAKE2S)) {
        p->tree =
            (fin_tree_mode){.fanout = take_byte(in),
                            .depth = (uint8_t)(1 + take_byte(in) % 255),
                            .leaf_bytes = (uint32_t)take_number(in),
                            .node_offset = take_wide(in) >> (algorithm == FIN_BLAKE2S ? 16 : 0),
                            .node_depth = take_byte(in),
                            .inner_bytes = (uint8_t)take_up_to(in, info->key_bytes_max),
                            .last_node = take_byte(in) % 2 != 0};
        p->params.tree_mode = &p->tree;
    }
}

/* Selects an implementation, or restores the automatic choice. */
static inline void take_implementation(input *in, fin_algorithm algorithm)
{
    const size_t index = take_byte(in) % (fin_impl_count() + 1);
    fin_impl_info info;
    if (fin_impl_at(index, &info) != FIN_OK) {
        EXPECT(fin_impl_select(algorithm, NULL) == FIN_OK);
        return;
    }
    const fin_status status = fin_impl_select(algorithm, info.name);
    EXPECT(status == FIN_OK || status == FIN_ERR_IMPL_UNKNOWN ||
           (status == FIN_ERR_IMPL_UNSUPPORTED));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#endif
