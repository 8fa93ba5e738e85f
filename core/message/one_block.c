/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A message of BLAKE or BLAKE2 without parameters that is one block with its padding. Without
 * instance, parameter block and segments a call has so few stores that it runs beside the
 * compression of the call before (docs/bounds.md).
 */
#include "message/message.h"

/* The block with zeros behind the message. */
static inline void fin_copy_block(uint8_t padded[128], size_t block_bytes, const uint8_t *in,
                                  size_t bytes, uint8_t after)
{
    if (bytes < 64) {
        memset(padded, 0, 64);
    }
    if (block_bytes > 64) {
        memset(padded + 64, 0, 64);
    }
    fin_copy_tail(padded, in, bytes, after, false);
}

/* Of constant lengths, so that no call is made for it. */
static inline void fin_erase_block(uint8_t padded[128], size_t bytes)
{
    fin_erase(padded, 64);
    if (bytes > 64) {
        fin_erase(padded + 64, 64);
    }
}

static FIN_NOINLINE void fin_hash_blake_block(const fin_descriptor *descriptor, const uint8_t *in,
                                              size_t bytes, uint8_t *digest)
{
    _Alignas(64) fin_state state;
    _Alignas(64) uint8_t padded[128];
    const fin_impl *impl = fin_dispatch(descriptor->small_compression);
    const size_t block_bytes = descriptor->info.block_bytes;
    fin_blake_plain(&state, descriptor);
    fin_copy_block(padded, block_bytes, in, bytes, 0x80);
    fin_blake_set_length(padded + block_bytes, descriptor, 8 * bytes, 0);
    impl->finish(&state, padded, 1, block_bytes, (uint32_t)(8 * bytes));
    fin_erase_block(padded, bytes);
    fin_store_digest(digest, &state.h, descriptor->info.digest_bytes, block_bytes > 64, true);
    fin_erase(&state.h, 64);
}

static FIN_NOINLINE void fin_hash_blake2_block(const fin_descriptor *descriptor, const uint8_t *in,
                                               size_t bytes, uint8_t *digest)
{
    _Alignas(64) fin_state state;
    _Alignas(64) uint8_t padded[128];
    const fin_impl *impl = fin_dispatch(descriptor->small_compression);
    const size_t block_bytes = descriptor->info.block_bytes;
    fin_blake2_plain(&state, descriptor->small_compression);
    fin_state_set_flags(&state, true, 0);
    if (bytes == block_bytes) {
        impl->finish(&state, in, 1, block_bytes, (uint32_t)bytes);
    } else {
        fin_copy_block(padded, block_bytes, in, bytes, 0);
        impl->finish(&state, padded, 1, block_bytes, (uint32_t)bytes);
        fin_erase_block(padded, bytes);
    }
    fin_store_digest(digest, &state.h, block_bytes / 2, block_bytes > 64, false);
    fin_erase(&state.h, 64);
}

void fin_hash_one_block(const fin_descriptor *descriptor, const uint8_t *in, size_t bytes,
                        uint8_t *digest)
{
    if (descriptor->info.family == FIN_FAMILY_BLAKE2) {
        fin_hash_blake2_block(descriptor, in, bytes, digest);
    } else {
        fin_hash_blake_block(descriptor, in, bytes, digest);
    }
}
