/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Proves: counters carry; a message is taken exactly if its length is one that the counter can hold
 * Bounds: any counter of 128 bits, any number of blocks, bytes and bits
 * Options: --unwind 7
 * Faults: blake-fits blake2-fits
 */
#include "proof.h"

#include "spec/algorithm.c"

static proof_u128 value_of(const uint64_t t[2])
{
    return (proof_u128)t[1] << 64 | t[0];
}

static void prove_advance(void)
{
    static const uint32_t increments[] = {1, 64, 128, 512, 1024};
    for (size_t i = 0; i < sizeof increments / sizeof increments[0]; i++) {
        uint64_t t[2] = {proof_u64(), proof_u64()};
        const proof_u128 before = value_of(t);
        const uint64_t blocks = proof_u64();
        fin_counter_advance(t, blocks, increments[i]);
        PROOF_ASSERT(value_of(t) == before + (proof_u128)blocks * increments[i],
                     "a counter grows by blocks times increment, modulo 2^128");
    }
}

static fin_instance instance_of(unsigned algorithm)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    return fin_instance_of(descriptor, descriptor->info.digest_bytes);
}

/* Proves that a counter of counter_bits bits in units of unit_bits accepts exactly the lengths it
   holds. */
static void prove_fits(unsigned algorithm, unsigned counter_bits, uint32_t unit_bits)
{
    const fin_instance instance = instance_of(algorithm);
    const uint64_t t[2] = {proof_u64(), counter_bits == 64 ? 0 : proof_u64()};
    const uint64_t bytes = proof_u64();
    const unsigned bit_count = proof_u32();
    PROOF_ASSUME(bit_count <= (instance.descriptor->info.bits ? 7 : 0));
    const proof_u128 more = ((proof_u128)bytes * 8 + bit_count) / unit_bits;
    const proof_u128 greatest = counter_bits == 64 ? UINT64_MAX : ~(proof_u128)0;
    PROOF_ASSERT(fin_fits(instance.variant, t, bytes, bit_count) ==
                     (more <= greatest - value_of(t)),
                 "fits is true exactly if the counter can hold the length");
}

/* Proves that only the number of padded blocks counts. */
static void prove_groestl_fits(unsigned algorithm)
{
    const fin_instance instance = instance_of(algorithm);
    const uint64_t t[2] = {proof_u64(), 0};
    const uint64_t bytes = proof_u64();
    const unsigned bit_count = proof_u32();
    PROOF_ASSUME(bit_count <= 7);
    const proof_u128 bits = (proof_u128)bytes * 8 + bit_count + 1 + 64;
    const uint32_t block_bits = 8 * instance.block_bytes;
    const proof_u128 blocks = (bits + block_bits - 1) / block_bits;
    PROOF_ASSERT(fin_fits(instance.variant, t, bytes, bit_count) == (t[0] + blocks <= UINT64_MAX),
                 "fits is true exactly if 64 bits can hold the number of blocks");
}

int main(void)
{
    prove_advance();
    prove_fits(FIN_BLAKE256, 64, 1);
    prove_fits(FIN_BLAKE512, 128, 1);
    prove_fits(FIN_BLAKE2S, 64, 8);
    prove_fits(FIN_BLAKE2B, 128, 8);
    prove_groestl_fits(FIN_GROESTL256);
    prove_groestl_fits(FIN_GROESTL512);
    return 0;
}
