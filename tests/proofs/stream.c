/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Proves: fin_update compresses or buffers each byte once, in order, and keeps the last byte back
 * Bounds: any bytes up to 2^48, after any number of buffered ones, blocks of 64 and 128
 * Runs: ALGORITHM=FIN_BLAKE256 | ALGORITHM=FIN_BLAKE2B
 * Options: --unwind 3
 * Faults: stream-edge stream-whole-blocks
 */
#include "proof.h"

#include "spec/algorithm.c"

/* Bytes are counted, not copied: `kept` of the message's bytes were compressed or buffered, `done`
   of them compressed. */
static const uint8_t *message;
static uint64_t kept, done;
static fin_context context;

static void *counted_copy(void *to, const void *from, size_t bytes)
{
    PROOF_ASSERT(to == context.buffer + (kept - done), "bytes follow the buffered ones");
    PROOF_ASSERT(bytes <= sizeof context.buffer - (kept - done), "bytes fit into the buffer");
    PROOF_ASSERT(bytes == 0 || PROOF_READABLE(from, bytes), "they are bytes of the message");
    PROOF_ASSERT(bytes == 0 || (const uint8_t *)from == message,
                 "they are the message's next bytes");
    message += bytes;
    kept += bytes;
    return to;
}

/* Writes whole chunks of 16 bytes. */
static void counted_copy_padded(uint8_t *to, const uint8_t *in, size_t bytes)
{
    PROOF_ASSERT((bytes + 15) / 16 * 16 <= sizeof context.buffer - (kept - done),
                 "whole chunks fit");
    counted_copy(to, in, bytes);
}

/* Checks that only compressed bytes after the first block are erased. */
static void counted_erase(void *p, size_t bytes)
{
    PROOF_ASSERT((uint8_t *)p >= context.buffer + 64 &&
                     bytes <= (size_t)(context.buffer + sizeof context.buffer - (uint8_t *)p),
                 "within the buffer");
}

#define fin_erase counted_erase
#define fin_copy_padded counted_copy_padded
#define fin_copy_short counted_copy
#define memcpy counted_copy
#include "message/stream.c"
#undef memcpy

static void counted_compress(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,
                             uint32_t increment)
{
    const size_t bytes = blocks * stride;
    (void)state;
    (void)increment;
    if (in == context.buffer) {
        PROOF_ASSERT(kept - done == bytes, "the buffer holds whole blocks only");
    } else {
        PROOF_ASSERT(kept == done && in == message, "the next bytes after the buffered ones");
        PROOF_ASSERT(PROOF_READABLE(in, bytes), "whole blocks of the message");
        message += bytes;
        kept += bytes;
    }
    done += bytes;
}

static const fin_impl implementation = {.lanes = 1, .compress = counted_compress};

static const fin_impl *fin_dispatch(fin_compression compression)
{
    (void)compression;
    return &implementation;
}

int main(void)
{
    const fin_descriptor *descriptor = fin_descriptor_of(ALGORITHM);
    const fin_instance instance = fin_instance_of(descriptor, descriptor->info.digest_bytes);
    const size_t bytes = proof_size();
    PROOF_ASSUME(bytes != 0 && bytes <= (size_t)1 << 48);
    message = malloc(bytes);
    PROOF_ASSUME(message != NULL);
    context.buffered_bytes = proof_u32();
    PROOF_ASSUME(context.buffered_bytes <= FIN_BUFFERED_MAX);
    const uint64_t before = context.buffered_bytes;
    kept = before;

    context.algorithm = ALGORITHM;
    context.digest_bytes = instance.digest_bytes;
    context.phase = FIN_PHASE_ABSORB;
    if (proof_bool()) {
        fin_serial_update(&context, &instance, message, bytes);
    } else {
        fin_update(&context, message, bytes);
    }

    PROOF_ASSERT(kept == before + bytes, "every byte was taken");
    PROOF_ASSERT(context.buffered_bytes == kept - done,
                 "the buffered bytes are those not compressed");
    PROOF_ASSERT(context.buffered_bytes >= 1 && context.buffered_bytes <= FIN_BUFFERED_MAX,
                 "the last byte is kept back, and the padding fits");
    const uint64_t counted = descriptor->info.family == FIN_FAMILY_BLAKE ? 8 * done : done;
    PROOF_ASSERT(context.state.t[0] == counted && context.state.t[1] == 0,
                 "the counter is that of the compressed bytes");
    return 0;
}
