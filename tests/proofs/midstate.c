/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Proves: fin_restore reads only the given bytes, writes only the context, and accepts only a state
 *         that can continue
 * Bounds: any bytes, of any length up to 4096, that name the algorithm of the run, or none
 * Runs: NAMED=FIN_BLAKE256 | NAMED=FIN_BLAKE512 | NAMED=FIN_BLAKE2S | NAMED=FIN_BLAKE2BP
 * Runs: NAMED=FIN_BLAKE2XB | NAMED=FIN_GROESTL512 | NAMED=FIN_BLAKE3 | NAMED=0 | NAMED=255
 * Options: --unwind 66 --object-bits 12
 * Faults: midstate-buffered midstate-length
 */
#include "proof.h"

#include "spec/algorithm.c"

/* Copies no bytes, so that the context's words may have any value, even more than are possible. */
static void *checked_copy(void *to, const void *from, size_t bytes)
{
    PROOF_ASSERT(bytes == 0 || PROOF_READABLE(from, bytes), "only the midstate is read");
    PROOF_ASSERT(bytes == 0 || PROOF_WRITABLE(to, bytes), "only the context is written");
    return to;
}

/* Fixes one algorithm a run, so that CBMC knows its lengths. */
static const fin_descriptor *named_descriptor(unsigned algorithm)
{
    PROOF_ASSUME(algorithm == NAMED);
    return fin_descriptor_of(NAMED);
}

#define memcpy checked_copy
#define fin_descriptor_of named_descriptor
#include "message/midstate.c"
#undef memcpy
#undef fin_descriptor_of

static fin_status fin_dispatch_check(fin_compression compression)
{
    (void)compression;
    return proof_bool() ? FIN_OK : FIN_ERR_IMPL_UNSUPPORTED;
}

int main(void)
{
    const size_t bytes = proof_size();
    PROOF_ASSUME(bytes <= 4096);
    uint8_t *midstate = malloc(bytes);
    PROOF_ASSUME(midstate != NULL);
    fin_context context;

    if (fin_restore(&context, midstate, bytes) == FIN_OK) {
        const fin_descriptor *descriptor = fin_descriptor_of(NAMED);
        PROOF_ASSERT(descriptor != NULL, "a known algorithm");
        const fin_instance instance = fin_context_instance(&context);
        const size_t most = descriptor->shape == FIN_STRIPED || descriptor->shape == FIN_CHUNKED
                                ? FIN_BUFFER_BYTES
                                : instance.block_bytes;
        PROOF_ASSERT(context.buffered_bytes <= most, "the buffered bytes fit into the buffer");
        PROOF_ASSERT(fin_digest_length_valid(descriptor, context.digest_bytes),
                     "a digest's length");
        const fin_layout layout =
            fin_layout_of(&instance, context.state.t[0], context.buffered_bytes);
        PROOF_ASSERT(bytes == FIN_AT_H + layout.h_bytes + context.buffered_bytes,
                     "no byte of the midstate is left over");
        PROOF_ASSERT(context.phase == FIN_PHASE_ABSORB, "the message can continue");
    }
    return 0;
}
