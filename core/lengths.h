/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sums and products of lengths, counts and strides from callers. All code that adds or multiplies
 * them before they are known to be small uses these functions, so that none wraps.
 */
#ifndef FIN_LENGTHS_H
#define FIN_LENGTHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets *sum to a + b; false if it exceeds 64 bits. */
static inline bool fin_sum(uint64_t a, uint64_t b, uint64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

/* False if bytes from p on would reach beyond the last address; no memory is that long. */
static inline bool fin_in_memory(const void *p, uint64_t bytes)
{
    return bytes <= UINTPTR_MAX - (uintptr_t)p;
}

/* True if address and length are small enough that the message ends within memory and every counter
   below 2^53 can count it. No CPU yet has memory at higher addresses. */
static inline bool fin_is_ordinary(const uint8_t *in, size_t bytes)
{
    return UINTPTR_MAX > UINT32_MAX ? ((uint64_t)(uintptr_t)in | bytes) >> 60 == 0
                                    : fin_in_memory(in, bytes);
}

/* As fin_in_memory, for count items of item_bytes each, stride bytes apart. */
static inline bool fin_items_in_memory(const void *p, size_t count, size_t stride,
                                       size_t item_bytes)
{
    size_t last;
    uint64_t bytes;
    return count == 0 || (!__builtin_mul_overflow(count - 1, stride, &last) &&
                          fin_sum(last, item_bytes, &bytes) && fin_in_memory(p, bytes));
}

#endif
