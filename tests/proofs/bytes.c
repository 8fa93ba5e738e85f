/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Proves: tails, digests and chunks: exactly the right bytes are written, and none is read outside
 * Bounds: words of any tail up to 128 bytes; tails of 0 to 47 and 64 to 79, copied or padded in
 * Bounds: place; digests of 28, 32, 48 and 64 bytes and of 1, 15, 16 and 17; copies of up to 128 bytes
 * Runs: WHAT=word_of_tail | WHAT=copy_tails | WHAT=pad_in_place | WHAT=copy_padded
 * Runs: WHAT=copy_short | WHAT=or_piece | WHAT=store_digest
 * Options: --unwind 34 --object-bits 12
 * Faults: tail-over-read
 */
#include "bytes.h"
#include "proof.h"

static void word_of_tail(void)
{
    uint8_t from[128];
    const size_t bytes = proof_size(), at = proof_size(), i = proof_size();
    PROOF_ASSUME(bytes <= sizeof from && at <= sizeof from && at % 8 == 0 && i < 8);
    const uint8_t *in = from + sizeof from - bytes;
    const uint8_t byte = (uint8_t)(fin_word_of_tail(in, bytes, at) >> 8 * i);
    PROOF_ASSERT(byte == (at + i < bytes ? in[at + i] : 0), "a word's bytes");
}

static const uint8_t before[] = {0, 16, 32, 64};

/* Copies tails of every length, with and without whole 16-byte chunks and 64 bytes before, over
   zeros. */
static void copy_tails(void)
{
    for (size_t form = 0; form < sizeof before; form++) {
        for (size_t rest = 0; rest < 16; rest++) {
            const size_t bytes = before[form] + rest, end = bytes / 16 * 16 + 16;
            uint8_t from[96], to[96];
            const uint8_t *in = from + sizeof from - bytes;
            const uint8_t after = proof_u8();
            const size_t i = proof_size();
            PROOF_ASSUME(i < end);
            memset(to, 0, sizeof to);
            fin_copy_tail(to + sizeof to - end, in, bytes, after);
            PROOF_ASSERT(to[sizeof to - end + i] == (i < bytes    ? in[i]
                                                     : i == bytes ? after
                                                                  : 0),
                         "a tail's bytes");
        }
    }
}

/* Pads the tail in place; whole chunks may follow. */
static void pad_in_place(void)
{
    for (size_t form = 0; form < sizeof before; form++) {
        for (size_t rest = 0; rest < 16; rest++) {
            const size_t bytes = before[form] + rest;
            const size_t end = bytes / 16 * 16 + (rest != 0 || proof_bool() ? 32 : 0);
            uint8_t blocks[112], was[112];
            uint8_t *at = blocks + sizeof blocks - end;
            memcpy(was, blocks, sizeof was);
            const uint8_t after = proof_u8();
            const size_t i = proof_size();
            PROOF_ASSUME(i < end);
            fin_pad_in_place(at, end, bytes, after);
            PROOF_ASSERT(at[i] == (i < bytes    ? was[sizeof was - end + i]
                                   : i == bytes ? after
                                                : 0),
                         "a tail's bytes, the one after it, zeros");
        }
    }
}

static void copy_padded(void)
{
    for (size_t bytes = 0; bytes <= 32; bytes++) {
        const size_t end = (bytes + 15) / 16 * 16, i = proof_size();
        uint8_t from[32], to[32];
        const uint8_t *in = from + sizeof from - bytes;
        PROOF_ASSUME(i < end || end == 0);
        fin_copy_padded(to + sizeof to - end, in, bytes);
        PROOF_ASSERT(end == 0 || to[sizeof to - end + i] == (i < bytes ? in[i] : 0),
                     "bytes, then zeros");
    }
}

static void copy_short(void)
{
    uint8_t from[128], to[128];
    const size_t bytes = proof_size(), i = proof_size();
    PROOF_ASSUME(bytes <= sizeof from && i < sizeof to);
    const size_t at = sizeof from - bytes;
    const uint8_t was = to[i];
    fin_copy_short(to + at, from + at, bytes);
    PROOF_ASSERT(to[i] == (i >= at ? from[i] : was), "all bytes, and no others");
}

static void or_piece(void)
{
    uint8_t to[48], before[48];
    const uint64_t first = proof_u64(), second = proof_u64();
    memcpy(before, to, sizeof to);
    fin_or_piece(to + 16, first, second);
    const size_t i = proof_size();
    PROOF_ASSUME(i < sizeof to);
    const uint64_t word = i < 16 || i >= 32 ? 0 : i < 24 ? first : second;
    PROOF_ASSERT(to[i] == (before[i] | (uint8_t)(word >> 8 * (i % 8))), "a piece's bits");
}

static void store_digest(void)
{
    static const uint8_t lengths[] = {1, 15, 16, 17, 28, 32, 48, 64};
    for (unsigned form = 0; form < 4; form++) {
        const bool wide = form % 2 != 0, big_endian = form / 2 != 0;
        const size_t word_bytes = wide ? 8 : 4;
        for (size_t length = 0; length < sizeof lengths; length++) {
            const size_t bytes = lengths[length];
            uint8_t words[64], digest[64];
            uint8_t *to = digest + sizeof digest - bytes;
            const size_t i = proof_size();
            PROOF_ASSUME(i < bytes);
            fin_store_digest(to, words, bytes, wide, big_endian);
            const size_t reversed = i / word_bytes * word_bytes + word_bytes - 1 - i % word_bytes;
            PROOF_ASSERT(to[i] == words[big_endian ? reversed : i], "a digest's bytes");
        }
    }
}

int main(void)
{
    WHAT();
    return 0;
}
