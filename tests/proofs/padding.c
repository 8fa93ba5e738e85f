/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Proves: each family pads as specified: every byte, every counter, the number of blocks
 * Bounds: any tail up to a block, any bits after it, any counter that fits
 * Runs: ALGORITHM=FIN_BLAKE224 | ALGORITHM=FIN_BLAKE256 | ALGORITHM=FIN_BLAKE384
 * Runs: ALGORITHM=FIN_BLAKE512 | ALGORITHM=FIN_BLAKE2S | ALGORITHM=FIN_BLAKE2B
 * Runs: ALGORITHM=FIN_GROESTL256 | ALGORITHM=FIN_GROESTL512
 * Options: --unwind 5
 * Faults: blake-pad-edge groestl-pad-edge groestl-count-high
 */
#include "watched.h"

#include "padded.h"

#include "spec/algorithm.c"

/* Returns the counter of a tail's block: SHA-3 proposal BLAKE, sections 2.1.3 and 2.2.3; RFC 7693,
   section 3.3. Grøstl has none. */
static proof_u128 counter_of_block(const fin_instance *instance, proof_u128 before, size_t number,
                                   size_t bits)
{
    const size_t block_bits = 8 * (size_t)instance->block_bytes;
    const size_t block_end = (number + 1) * block_bits;
    const size_t end = bits < block_end ? bits : block_end;
    if (instance->descriptor->info.family == FIN_FAMILY_BLAKE2) {
        return before + end / 8;
    }
    return end > number * block_bits ? before + end : 0;
}

int main(void)
{
    const fin_descriptor *descriptor = fin_descriptor_of(ALGORITHM);
    const fin_instance instance = fin_instance_of(descriptor, descriptor->info.digest_bytes);
    const size_t block_bytes = instance.block_bytes;
    const bool groestl = descriptor->info.family == FIN_FAMILY_GROESTL;
    uint8_t bytes[128];
    static uint8_t padded[FIN_PADDED_BYTES];
    fin_final_blocks final;
    const bool in_place = proof_bool();
    watched_at = proof_size();
    watched_blocks = padded;
    watched_value = proof_u8();

    fin_tail tail = {bytes, proof_size(), proof_u8(), proof_u32()};
    PROOF_ASSUME(tail.bytes <= block_bytes);
    PROOF_ASSUME(tail.bit_count <= (descriptor->info.bits ? 7 : 0));
    /* Nothing behind it may be read. In place, the tail is part of the padded blocks. */
    tail.in = in_place ? padded : bytes + sizeof bytes - tail.bytes;
    const uint64_t t[2] = {proof_u64(), proof_u64()};
    PROOF_ASSUME(t[1] == 0 || (block_bytes == 128 && !groestl));
    PROOF_ASSUME(fin_fits(instance.variant, t, tail.bytes, tail.bit_count));
    /* Only an empty message has an empty tail. */
    PROOF_ASSUME(tail.bytes != 0 || (t[0] == 0 && t[1] == 0));

    FIN_FOR_VARIANT(instance.variant, fin_pad, (size_t)instance.digest_bytes, t, &tail, padded,
                    in_place, &final);

    const proof_message message = {tail.in, tail.bytes, tail.last_bits, tail.bit_count};
    const proof_u128 before = (proof_u128)t[1] << 64 | t[0];
    const size_t bits = 8 * tail.bytes + tail.bit_count;
    const size_t blocks = proof_blocks(&instance, &message);
    size_t done = 0;
    for (size_t i = 0; i < final.count; i++) {
        const fin_segment *segment = &final.segment[i];
        const size_t segment_bytes = segment->blocks * block_bytes;
        size_t offset = 0;
        if (watched_offset(segment->in, &offset)) {
            PROOF_ASSERT(offset + segment_bytes <= FIN_PADDED_BYTES,
                         "a segment is within the blocks");
            if (watched_at >= offset && watched_at < offset + segment_bytes) {
                const size_t at = done + watched_at - offset;
                PROOF_ASSERT(watched_value == proof_padded_byte(&instance, &message, before, at),
                             "every byte is as specified");
            }
        } else {
            PROOF_ASSERT(done == 0 && segment->in == tail.in && segment_bytes == tail.bytes,
                         "only a whole block is read in place");
        }
        for (size_t block = 0; block < segment->blocks && !groestl; block++) {
            proof_u128 counter = (proof_u128)segment->t[1] << 64 | segment->t[0];
            counter += (block + 1) * segment->increment;
            PROOF_ASSERT(counter == counter_of_block(&instance, before, done / block_bytes, bits),
                         "every block has its counter");
        }
        PROOF_ASSERT(segment->last == (i + 1 == final.count),
                     "only the last segment is marked as last");
        done += segment_bytes;
    }
    PROOF_ASSERT(done == blocks * block_bytes, "as many blocks as specified");
    const proof_u128 after = (proof_u128) final.t[1] << 64 | final.t[0];
    const proof_u128 counted = groestl ? blocks : descriptor->info.bits ? bits : tail.bytes;
    PROOF_ASSERT(after == before + counted, "the counter after the message");
    return 0;
}
