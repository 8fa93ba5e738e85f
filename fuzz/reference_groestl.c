/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Grøstl and Grøstl-0 (Grøstl specification), a byte at a time.
 */
#include "reference_text.h"

/* Returns the product in the field of AES. */
static uint8_t times(uint8_t a, unsigned b)
{
    unsigned product = 0;
    for (unsigned x = a; b != 0; b >>= 1) {
        product ^= (b & 1) != 0 ? x : 0;
        x = x << 1 ^ ((x & 0x80) != 0 ? 0x11b : 0);
    }
    return (uint8_t)product;
}

/* Returns the S-box of AES by its definition: the inverse, then an affine map. */
static uint8_t substituted(uint8_t a)
{
    uint8_t inverse = 0;
    for (unsigned y = 1; a != 0 && y < 256 && inverse == 0; y++) {
        inverse = times(a, y) == 1 ? (uint8_t)y : 0;
    }
    unsigned mapped = 0x63 ^ inverse;
    for (unsigned turn = 1; turn <= 4; turn++) {
        mapped ^= ((unsigned)inverse << turn | (unsigned)inverse >> (8 - turn)) & 0xff;
    }
    return (uint8_t)mapped;
}

/* The S-box and the multiples 2 to 7 of all bytes, computed once. */
static uint8_t box[256], multiple[8][256];

static void fill_tables(void)
{
    for (unsigned x = 0; box[0] == 0 && x < 256; x++) {
        for (unsigned factor = 2; factor < 8; factor++) {
            multiple[factor][x] = times((uint8_t)x, factor);
        }
        box[255 - x] = substituted((uint8_t)(255 - x));
    }
}

/* Applies P or Q. Byte i of the state is in row i modulo 8 and column i / 8. */
static void permute(uint8_t *state, size_t columns, bool q, bool first_submission)
{
    static const uint8_t shifts[2][2][8] = {{{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 11}},
                                            {{1, 3, 5, 7, 0, 2, 4, 6}, {1, 3, 5, 11, 0, 2, 4, 6}}};
    static const uint8_t factors[8] = {2, 2, 3, 4, 5, 3, 5, 7};
    const uint8_t *shift = shifts[q && !first_submission][columns == 16];
    for (unsigned round = 0; round < (columns == 8 ? 10U : 14U); round++) {
        uint8_t moved[128];
        for (size_t i = 0; i < 8 * columns; i++) {
            const size_t row = i % 8, column = i / 8;
            unsigned added = row == (q ? 7 : 0) ? round : 0;
            if (first_submission) {
                added = column == 0 ? added ^ (q && row == 7 ? 0xff : 0) : 0;
            } else {
                added ^= (row == (q ? 7 : 0) ? (unsigned)column << 4 : 0) ^ (q ? 0xff : 0);
            }
            const size_t to = (column + columns - shift[row]) % columns;
            moved[8 * to + row] = box[state[i] ^ added];
        }
        for (size_t i = 0; i < 8 * columns; i++) {
            uint8_t sum = 0;
            for (size_t k = 0; k < 8; k++) {
                sum ^= multiple[factors[k]][moved[i / 8 * 8 + (i + k) % 8]];
            }
            state[i] = sum;
        }
    }
}

void reference_groestl(bool first_submission, size_t digest_bytes, const uint8_t *in, uint64_t bits,
                       uint8_t *digest)
{
    const size_t block = digest_bytes <= 32 ? 64 : 128;
    uint8_t h[128] = {0}, p[128], q[128];
    fill_tables();
    h[block - 2] = (uint8_t)(8 * digest_bytes >> 8);
    h[block - 1] = (uint8_t)(8 * digest_bytes);
    text t = pad(in, bits, block, 8);
    append_number(&t, (t.bytes + 8) / block, 8);
    for (size_t at = 0; at < t.bytes; at += block) {
        memcpy(q, t.byte + at, block);
        for (size_t i = 0; i < block; i++) {
            p[i] = h[i] ^ q[i];
        }
        permute(p, block / 8, false, first_submission);
        permute(q, block / 8, true, first_submission);
        for (size_t i = 0; i < block; i++) {
            h[i] ^= p[i] ^ q[i];
        }
    }
    memcpy(p, h, block);
    permute(p, block / 8, false, first_submission);
    for (size_t i = 0; i < digest_bytes; i++) {
        digest[i] = h[block - digest_bytes + i] ^ p[block - digest_bytes + i];
    }
    free(t.byte);
}
