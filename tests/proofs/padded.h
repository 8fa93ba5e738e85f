/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Defines a message's last blocks byte by byte, as in the specifications: SHA-3 proposal BLAKE,
 * sections 2.1.3 and 2.2.3; RFC 7693, section 3.3; Grøstl specification, section 3.5.
 */
#ifndef PROOF_PADDED_H
#define PROOF_PADDED_H

#include "spec/spec.h"
#include "proof.h"

typedef struct proof_message {
    const uint8_t *in;
    size_t bytes;
    uint8_t last_bits;
    unsigned bit_count;
} proof_message;

/* Returns the number of bytes at the end that hold the message's length. */
static size_t proof_length_bytes(const fin_instance *instance)
{
    switch (instance->descriptor->info.family) {
    case FIN_FAMILY_BLAKE:
        return instance->block_bytes / 8;
    case FIN_FAMILY_GROESTL:
        return 8;
    default:
        return 0;
    }
}

/* Returns the number of blocks. BLAKE2 fills the last one with zeros; the others' padding is a 1
   and the length, and BLAKE's has another bit right before the length. */
static size_t proof_blocks(const fin_instance *instance, const proof_message *message)
{
    const size_t block_bits = 8 * (size_t)instance->block_bytes;
    const fin_family family = instance->descriptor->info.family;
    const size_t own = family == FIN_FAMILY_BLAKE2 ? 0 : family == FIN_FAMILY_BLAKE ? 2 : 1;
    const size_t bits =
        8 * message->bytes + message->bit_count + own + 8 * proof_length_bytes(instance);
    const size_t blocks = (bits + block_bits - 1) / block_bits;
    return blocks != 0 ? blocks : 1;
}

/* Returns byte `at` of the padded message, of which `before` is already compressed, in bits (BLAKE)
   or blocks (Grøstl). */
static uint8_t proof_padded_byte(const fin_instance *instance, const proof_message *message,
                                 proof_u128 before, size_t at)
{
    const fin_family family = instance->descriptor->info.family;
    const size_t digest_bytes = instance->descriptor->info.digest_bytes;
    const size_t blocks = proof_blocks(instance, message);
    const size_t from_end = blocks * instance->block_bytes - 1 - at;
    const bool blake = family == FIN_FAMILY_BLAKE;
    if (at < message->bytes) {
        return message->in[at];
    }
    if (family == FIN_FAMILY_BLAKE2) {
        return 0;
    }
    if (from_end < proof_length_bytes(instance)) {
        const proof_u128 length =
            before + (blake ? 8 * message->bytes + message->bit_count : blocks);
        return (uint8_t)(length >> 8 * from_end);
    }
    uint8_t byte = 0;
    if (at == message->bytes) {
        const unsigned mark = 0x80U >> message->bit_count;
        byte = (uint8_t)((message->last_bits & ~(2 * mark - 1)) | mark);
    }
    /* The bit that distinguishes BLAKE-256 and -512 from the truncated variants. */
    const bool full = digest_bytes == 32 || digest_bytes == 64;
    return byte | (blake && full && from_end == proof_length_bytes(instance));
}

#endif
