/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Proves: fin_restore reads and writes nothing but the bytes it is given and the context, and what it
 *         takes is a context that can go on
 * Bounds: any bytes, of any length up to 4096, that name the algorithm of the run, or none
 * Runs: NAMED=FIN_BLAKE256 | NAMED=FIN_BLAKE512 | NAMED=FIN_BLAKE2S | NAMED=FIN_BLAKE2BP
 * Runs: NAMED=FIN_BLAKE2XB | NAMED=FIN_GROESTL512 | NAMED=FIN_BLAKE3 | NAMED=0 | NAMED=255
 * Options: --unwind 66 --object-bits 12
 * Faults: midstate-buffered midstate-length
 */
#include "proof.h"

#include "spec/algorithm.c"

/* Bytes are not copied, so that words of the context may be anything: more than can be. */
static void *checked_copy(void *to, const void *from, size_t bytes)
{
    PROOF_ASSERT(bytes == 0 || PROOF_READABLE(from, bytes), "only the midstate is read");
    PROOF_ASSERT(bytes == 0 || PROOF_WRITABLE(to, bytes), "only the context is written");
    return to;
}

/* One algorithm a run: CBMC then knows its lengths. */
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
        PROOF_ASSERT(descriptor != NULL, "an algorithm that there is");
        const fin_instance instance = fin_context_instance(&context);
        const size_t most = descriptor->shape == FIN_STRIPED || descriptor->shape == FIN_CHUNKED
                                ? FIN_BUFFER_BYTES
                                : instance.block_bytes;
        PROOF_ASSERT(context.buffered_bytes <= most,
                     "no more is buffered than there is a place for");
        PROOF_ASSERT(fin_digest_length_valid(descriptor, context.digest_bytes),
                     "a digest's length");
        const fin_layout layout =
            fin_layout_of(&instance, context.state.t[0], context.buffered_bytes);
        PROOF_ASSERT(bytes == FIN_AT_H + layout.h_bytes + context.buffered_bytes,
                     "no byte of the midstate is left over");
        PROOF_ASSERT(context.phase == FIN_PHASE_ABSORB, "the message goes on");
    }
    return 0;
}
