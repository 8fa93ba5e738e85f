/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Definitions for all proofs. A function without a body may return any value, so proof_TYPE()
 * covers every value of the type at once.
 */
#ifndef PROOF_H
#define PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

uint8_t proof_u8(void);
uint32_t proof_u32(void);
uint64_t proof_u64(void);
size_t proof_size(void);
bool proof_bool(void);

typedef unsigned __int128 proof_u128;

/* CBMC 5.12 does not define these. */
static bool __builtin_add_overflow(uint64_t a, uint64_t b, uint64_t *sum)
{
    *sum = a + b;
    return *sum < a;
}

static bool __builtin_mul_overflow(size_t a, size_t b, size_t *product)
{
    const proof_u128 whole = (proof_u128)a * b;
    *product = (size_t)whole;
    return whole > SIZE_MAX;
}

#define PROOF_ASSUME(condition) __CPROVER_assume(condition)
#define PROOF_ASSERT(condition, text) __CPROVER_assert(condition, text)
#define PROOF_READABLE(p, bytes) __CPROVER_r_ok(p, bytes)
#define PROOF_WRITABLE(p, bytes) __CPROVER_w_ok(p, bytes)

#endif
