/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Building messages and padding, shared by the parts of the reference.
 */
#ifndef FUZZ_REFERENCE_TEXT_H
#define FUZZ_REFERENCE_TEXT_H

#include "reference.h"

#include <stdlib.h>
#include <string.h>

typedef struct text {
    uint8_t *byte;
    size_t bytes;
} text;

static inline void append(text *t, const void *bytes, size_t count)
{
    if (count != 0) {
        t->byte = realloc(t->byte, t->bytes + count);
        if (t->byte == NULL) {
            abort();
        }
        memcpy(t->byte + t->bytes, bytes, count);
        t->bytes += count;
    }
}

static inline void append_zeros(text *t, size_t count)
{
    static const uint8_t zero = 0;
    for (size_t i = 0; i < count; i++) {
        append(t, &zero, 1);
    }
}

/* Appends a number in big-endian order. */
static inline void append_number(text *t, uint64_t number, size_t bytes)
{
    for (size_t i = bytes; i-- != 0;) {
        const uint8_t byte = (uint8_t)(i < 8 ? number >> 8 * i : 0);
        append(t, &byte, 1);
    }
}

/* Returns the message, a 1, and zeros up to `reserved` bytes before the end of a block. */
static inline text pad(const uint8_t *in, uint64_t bits, size_t block_bytes, size_t reserved)
{
    text t = {NULL, 0};
    const unsigned extra = (unsigned)(bits % 8);
    append(&t, in, (size_t)(bits / 8));
    const unsigned kept = extra != 0 ? in[bits / 8] & (0xff00U >> extra) : 0;
    const uint8_t last = (uint8_t)(kept | 0x80U >> extra);
    append(&t, &last, 1);
    while ((t.bytes + reserved) % block_bytes != 0) {
        append_zeros(&t, 1);
    }
    return t;
}

void reference_groestl(bool first_submission, size_t digest_bytes, const uint8_t *in, uint64_t bits,
                       uint8_t *digest);

#endif
