/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Two functions on which the vectors' descriptions depend: SHAKE256 (FIPS 202) generates the
 * messages of batches, Salsa20 (Bernstein's specification) those of SUPERCOP's checksums. Written
 * for brevity, not for speed.
 */
#ifndef FINALIST_TESTS_ORACLES_H
#define FINALIST_TESTS_ORACLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SHAKE256_RATE 136

static uint64_t oracle_rotate_left_64(uint64_t word, unsigned count)
{
    return count % 64 == 0 ? word : word << count % 64 | word >> (64 - count % 64);
}

static uint32_t oracle_rotate_left_32(uint32_t word, unsigned count)
{
    return word << count | word >> (32 - count);
}

/* FIPS 202, algorithm 5: one bit of the round constants' shift register. */
static bool keccak_round_bit(unsigned *shift_register)
{
    bool bit = (*shift_register & 1) != 0;
    *shift_register <<= 1;
    if ((*shift_register & 0x100) != 0) {
        *shift_register ^= 0x171;
    }
    return bit;
}

static void keccak_theta(uint64_t a[25])
{
    uint64_t column[5];
    for (unsigned x = 0; x < 5; x++) {
        column[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    }
    for (unsigned i = 0; i < 25; i++) {
        a[i] ^= column[(i + 4) % 5] ^ oracle_rotate_left_64(column[(i + 1) % 5], 1);
    }
}

static void keccak_rho_pi(uint64_t a[25])
{
    unsigned x = 1;
    unsigned y = 0;
    uint64_t moved = a[1];
    for (unsigned t = 0; t < 24; t++) {
        unsigned to_y = (2 * x + 3 * y) % 5;
        uint64_t kept;
        x = y;
        y = to_y;
        kept = a[x + 5 * y];
        a[x + 5 * y] = oracle_rotate_left_64(moved, (t + 1) * (t + 2) / 2);
        moved = kept;
    }
}

static void keccak_chi(uint64_t a[25])
{
    for (unsigned y = 0; y < 25; y += 5) {
        uint64_t row[5];
        memcpy(row, &a[y], sizeof row);
        for (unsigned x = 0; x < 5; x++) {
            a[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
        }
    }
}

static void keccak_f1600(uint64_t a[25])
{
    unsigned shift_register = 1;
    for (unsigned round = 0; round < 24; round++) {
        keccak_theta(a);
        keccak_rho_pi(a);
        keccak_chi(a);
        for (unsigned j = 0; j < 7; j++) {
            a[0] ^= (uint64_t)keccak_round_bit(&shift_register) << ((1U << j) - 1);
        }
    }
}

static void keccak_add_byte(uint64_t a[25], size_t index, uint8_t byte)
{
    a[index / 8] ^= (uint64_t)byte << 8 * (index % 8);
}

/* Computes SHAKE256 of a message shorter than one rate. */
static void shake256(const uint8_t *in, size_t bytes, uint8_t *out, size_t out_bytes)
{
    uint64_t a[25] = {0};
    for (size_t i = 0; i < bytes; i++) {
        keccak_add_byte(a, i, in[i]);
    }
    keccak_add_byte(a, bytes, 0x1f);
    keccak_add_byte(a, SHAKE256_RATE - 1, 0x80);
    for (size_t i = 0; i < out_bytes; i++) {
        size_t index = i % SHAKE256_RATE;
        if (index == 0) {
            keccak_f1600(a);
        }
        out[i] = (uint8_t)(a[index / 8] >> 8 * (index % 8));
    }
}

static uint32_t oracle_load_le32(const uint8_t *in)
{
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static void oracle_store_le32(uint8_t *out, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) {
        out[i] = (uint8_t)(word >> 8 * i);
    }
}

static void salsa20_quarter_round(uint32_t x[16], unsigned a, unsigned b, unsigned c, unsigned d)
{
    x[b] ^= oracle_rotate_left_32(x[a] + x[d], 7);
    x[c] ^= oracle_rotate_left_32(x[b] + x[a], 9);
    x[d] ^= oracle_rotate_left_32(x[c] + x[b], 13);
    x[a] ^= oracle_rotate_left_32(x[d] + x[c], 18);
}

/* Computes Salsa20's hash of the matrix of a 32-byte key and 16 bytes of input. */
static void salsa20_core(uint8_t out[64], const uint8_t key[32], const uint8_t in[16])
{
    static const uint8_t constants[] = "expand 32-byte k";
    uint32_t start[16];
    uint32_t x[16];
    for (unsigned i = 0; i < 4; i++) {
        start[5 * i] = oracle_load_le32(constants + 4 * i);
        start[1 + i] = oracle_load_le32(key + 4 * i);
        start[6 + i] = oracle_load_le32(in + 4 * i);
        start[11 + i] = oracle_load_le32(key + 16 + 4 * i);
    }
    memcpy(x, start, sizeof x);
    for (unsigned round = 0; round < 20; round += 2) {
        for (unsigned i = 0; i < 4; i++) {
            salsa20_quarter_round(x, 5 * i, (5 * i + 4) % 16, (5 * i + 8) % 16, (5 * i + 12) % 16);
        }
        for (unsigned i = 0; i < 4; i++) {
            salsa20_quarter_round(x, 5 * i, 4 * i + (i + 1) % 4, 4 * i + (i + 2) % 4,
                                  4 * i + (i + 3) % 4);
        }
    }
    for (unsigned i = 0; i < 16; i++) {
        oracle_store_le32(out + 4 * i, x[i] + start[i]);
    }
}

/* Writes the start of the Salsa20/20 key stream for a nonce. */
static void salsa20_stream(uint8_t *out, size_t bytes, const uint8_t key[32], uint64_t nonce)
{
    for (size_t at = 0; at < bytes; at += 64) {
        uint8_t in[16];
        uint8_t block[64];
        oracle_store_le32(in, (uint32_t)nonce);
        oracle_store_le32(in + 4, (uint32_t)(nonce >> 32));
        oracle_store_le32(in + 8, (uint32_t)(at / 64));
        oracle_store_le32(in + 12, (uint32_t)((uint64_t)at / 64 >> 32));
        salsa20_core(block, key, in);
        memcpy(out + at, block, bytes - at < 64 ? bytes - at : 64);
    }
}

#endif
