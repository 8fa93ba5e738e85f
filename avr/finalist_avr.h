/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Finalist on 8-bit AVR: Groestl-256, Groestl-0-256, BLAKE-256 and BLAKE2s in assembly.
 *
 * To hash a message, call init, then blocks any number of times, then final. Groestl comes in three
 * variants with the same names; link exactly one (docs and figures: README.md in this folder).
 *
 * Limits, for all functions:
 *   - One message at a time: the state is in static memory. Do not call a function while another one
 *     of the same algorithm has not returned, or between init and final of another message; so an
 *     interrupt handler must not use the same hash as the main program.
 *   - Interrupts may happen at any time and are never disabled. A handler must save SREG and the
 *     registers that it uses, and clear r1 before it calls C, as those of avr-gcc do.
 *   - Needs movw and lpm Rd, Z, and for BLAKE mul: megaAVR. Tables in flash are in its first 64 KiB.
 *   - The time depends only on the lengths, if RAM and flash take the same time at every address.
 *   - A pointer to no bytes may have any value.
 *   - State is not wiped. init of another message overwrites the chaining value.
 */
#ifndef FINALIST_AVR_H
#define FINALIST_AVR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Groestl-256 (final round) and Groestl-0-256 (as first submitted), for up to 2^32 - 1 blocks of 64
 * bytes with the padding: 256 GiB.
 *
 * init    starts a message.
 * blocks  hashes count blocks of 64 bytes.
 * final   hashes the rest of the message, rest_bits = 0 .. 511 bits, and writes the digest of 32
 *         bytes. If rest_bits is not a multiple of 8, the last bits are in the most significant end
 *         of the last byte. Larger numbers are taken modulo 512.
 *
 * The function without a suffix hashes a whole message of `bytes` bytes.
 */
void fin_avr_groestl256_init(void);
void fin_avr_groestl256_blocks(const uint8_t *blocks, uint16_t count);
void fin_avr_groestl256_final(uint8_t digest[32], const uint8_t *rest, uint16_t rest_bits);

static inline void fin_avr_groestl256(uint8_t digest[32], const uint8_t *message, uint16_t bytes)
{
    fin_avr_groestl256_init();
    fin_avr_groestl256_blocks(message, bytes / 64);
    fin_avr_groestl256_final(digest, message + (bytes & ~63U), (uint16_t)(8 * (bytes % 64)));
}

void fin_avr_groestl0_256_init(void);
void fin_avr_groestl0_256_blocks(const uint8_t *blocks, uint16_t count);
void fin_avr_groestl0_256_final(uint8_t digest[32], const uint8_t *rest, uint16_t rest_bits);

static inline void fin_avr_groestl0_256(uint8_t digest[32], const uint8_t *message, uint16_t bytes)
{
    fin_avr_groestl0_256_init();
    fin_avr_groestl0_256_blocks(message, bytes / 64);
    fin_avr_groestl0_256_final(digest, message + (bytes & ~63U), (uint16_t)(8 * (bytes % 64)));
}

/* BLAKE-256 (final round, 14 rounds) without salt, for up to 2^64 - 1 bits. Used like Groestl
   above. */
void fin_avr_blake256_init(void);
void fin_avr_blake256_blocks(const uint8_t *blocks, uint16_t count);
void fin_avr_blake256_final(uint8_t digest[32], const uint8_t *rest, uint16_t rest_bits);

static inline void fin_avr_blake256(uint8_t digest[32], const uint8_t *message, uint16_t bytes)
{
    fin_avr_blake256_init();
    fin_avr_blake256_blocks(message, bytes / 64);
    fin_avr_blake256_final(digest, message + (bytes & ~63U), (uint16_t)(8 * (bytes % 64)));
}

/*
 * BLAKE2s (RFC 7693) without salt and personalisation, for up to 2^64 - 1 bytes.
 *
 * init    starts a message: digest_bytes = 1 .. 32, key_bytes = 0 .. 32; larger numbers are taken
 *         as 32. With a key the message begins with an extra block: the key, then zeros up to
 *         64 bytes.
 * blocks  hashes count blocks of 64 bytes, none of them the message's last.
 * final   hashes the rest of the message, rest_bytes = 0 .. 64, and writes the digest of
 *         digest_bytes bytes. Pass 0 only for an empty message. Larger numbers are taken
 *         as 64.
 *
 * The function without a suffix hashes a whole message of `bytes` bytes, without a key, to 32
 * bytes.
 */
void fin_avr_blake2s_init(uint8_t digest_bytes, uint8_t key_bytes);
void fin_avr_blake2s_blocks(const uint8_t *blocks, uint16_t count);
void fin_avr_blake2s_final(uint8_t *digest, const uint8_t *rest, uint8_t rest_bytes);

static inline void fin_avr_blake2s(uint8_t digest[32], const uint8_t *message, uint16_t bytes)
{
    const uint16_t count = bytes == 0 ? 0 : (uint16_t)(bytes - 1) / 64;
    fin_avr_blake2s_init(32, 0);
    fin_avr_blake2s_blocks(message, count);
    fin_avr_blake2s_final(digest, message + 64 * count, (uint8_t)(bytes - 64 * count));
}

#ifdef __cplusplus
}
#endif

#endif
