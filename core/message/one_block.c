/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A message of at most one block without other parameters than the digest's length. Without instance,
 * parameter block and segments a call has so few stores that it runs beside the compression of the
 * call before (docs/bounds.md).
 */
#include "message/message.h"

/* Where registers are of 32 bits, words of the message come to lie on the stack: in a frame of its own,
   which the kernel's overwrites. */
#if UINTPTR_MAX > UINT32_MAX
#define FIN_PAD static inline
#else
#define FIN_PAD static FIN_NOINLINE
#endif

/* The message, a byte after it, and zeros. All lengths of zeros are constant, so that no call is made
   for them; what the message covers needs none. */
FIN_PAD void fin_pad_blocks(uint8_t *padded, size_t padded_bytes, const uint8_t *in, size_t bytes,
                            uint8_t after)
{
    if (bytes < 64) {
        memset(padded, 0, 64);
    }
    if (padded_bytes > 64 && bytes < 128) {
        memset(padded + 64, 0, 64);
    }
    if (padded_bytes > 128) {
        memset(padded + 128, 0, 128);
    }
    fin_copy_tail(padded, in, bytes, after, false);
}

/* Erases 64 bytes, or 128 if so many are more. */
static inline void fin_erase_blocks(uint8_t *blocks, size_t bytes)
{
    fin_erase(blocks, 64);
    if (bytes > 64) {
        fin_erase(blocks + 64, 64);
    }
}

/* count: padded blocks; a constant, which leaves more registers to those of one. */
FIN_INLINE void fin_hash_blake_blocks(const fin_descriptor *descriptor, const uint8_t *in,
                                      size_t bytes, uint8_t *digest, size_t count)
{
    _Alignas(64) fin_state state;
    _Alignas(64) uint8_t padded[2 * 128];
    const fin_impl *impl = fin_dispatch(descriptor->small_compression);
    const size_t block_bytes = descriptor->info.block_bytes;
    const uint32_t bits = (uint32_t)(8 * bytes);
    fin_blake_plain(&state, descriptor);
    fin_pad_blocks(padded, count * block_bytes, in, bytes, 0x80);
    fin_blake_set_length(padded + count * block_bytes, descriptor, 8 * bytes, 0);
    if (count == 1) {
        impl->finish(&state, padded, 1, block_bytes, bits);
    } else {
        impl->compress(&state, padded, 1, block_bytes, bits);
        /* It has no bit of the message. */
        impl->finish(&state, padded + block_bytes, 1, block_bytes, 0);
    }
    fin_erase_blocks(padded, bytes);
    fin_store_digest(digest, &state.h, descriptor->info.digest_bytes, block_bytes > 64, true);
    fin_erase(&state.h, 64);
}

static FIN_NOINLINE void fin_hash_blake_block(const fin_descriptor *descriptor, const uint8_t *in,
                                              size_t bytes, uint8_t *digest)
{
    fin_hash_blake_blocks(descriptor, in, bytes, digest, 1);
}

static FIN_NOINLINE void fin_hash_blake_two_blocks(const fin_descriptor *descriptor,
                                                   const uint8_t *in, size_t bytes, uint8_t *digest)
{
    fin_hash_blake_blocks(descriptor, in, bytes, digest, 2);
}

/* params: null, or others than the digest's length, without a key; a constant if it is null. */
FIN_INLINE void fin_hash_blake2_as(const fin_descriptor *descriptor, const fin_params *params,
                                   const uint8_t *in, size_t bytes, uint8_t *digest,
                                   size_t digest_bytes)
{
    _Alignas(64) fin_state state;
    _Alignas(64) uint8_t padded[2 * 128];
    const fin_impl *impl = fin_dispatch(descriptor->small_compression);
    const size_t block_bytes = descriptor->info.block_bytes;
    if (params == NULL) {
        fin_blake2_plain(&state, descriptor->small_compression, digest_bytes);
        fin_state_set_flags(&state, true, 0);
    } else {
        const bool last_node = params->tree != NULL && params->tree->last_node;
        fin_blake2_unkeyed(&state, descriptor->small_compression, digest_bytes, params);
        fin_state_set_flags(&state, true, last_node ? UINT64_MAX : 0);
    }
    if (bytes == block_bytes) {
        impl->finish(&state, in, 1, block_bytes, (uint32_t)bytes);
    } else {
        fin_pad_blocks(padded, block_bytes, in, bytes, 0);
        impl->finish(&state, padded, 1, block_bytes, (uint32_t)bytes);
        fin_erase_blocks(padded, bytes);
    }
    fin_store_digest(digest, &state.h, digest_bytes, block_bytes > 64, false);
    fin_erase(&state.h, 64);
}

static FIN_NOINLINE void fin_hash_blake2_block(const fin_descriptor *descriptor, const uint8_t *in,
                                               size_t bytes, uint8_t *digest, size_t digest_bytes)
{
    fin_hash_blake2_as(descriptor, NULL, in, bytes, digest, digest_bytes);
}

FIN_NOINLINE void fin_hash_blake2_unkeyed(const fin_descriptor *descriptor,
                                          const fin_params *params, const uint8_t *in, size_t bytes,
                                          uint8_t *digest, size_t digest_bytes)
{
    fin_hash_blake2_as(descriptor, params, in, bytes, digest, digest_bytes);
}

static FIN_NOINLINE void fin_hash_groestl_block(const fin_descriptor *descriptor, const uint8_t *in,
                                                size_t bytes, uint8_t *digest, size_t digest_bytes)
{
    _Alignas(64) fin_state state;
    _Alignas(64) uint8_t padded[2 * 128];
    const fin_compression compression = fin_descriptor_compression(descriptor, digest_bytes);
    const fin_impl *impl = fin_dispatch(compression);
    const size_t block_bytes = fin_block_bytes[compression];
    const size_t count = fin_groestl_padded_blocks(block_bytes, bytes);
    fin_groestl_plain(&state, descriptor, digest_bytes);
    fin_pad_blocks(padded, count * block_bytes, in, bytes, 0x80);
    fin_groestl_set_count(padded + count * block_bytes, count);
    impl->finish(&state, padded, count, block_bytes, 1);
    fin_erase_blocks(padded, bytes);
    fin_groestl_digest(&state, block_bytes, digest, digest_bytes);
    fin_erase_blocks((uint8_t *)&state.h, block_bytes);
}

/* A build of some algorithms does without the functions of the others. */
static const bool fin_has_blake =
    FIN_HAS_COMPRESSION(BLAKE256) + FIN_HAS_COMPRESSION(BLAKE512) != 0;
static const bool fin_has_blake2 = FIN_HAS_COMPRESSION(BLAKE2S) + FIN_HAS_COMPRESSION(BLAKE2B) != 0;
static const bool fin_has_groestl =
    FIN_HAS_COMPRESSION(GROESTL256) + FIN_HAS_COMPRESSION(GROESTL512) +
        FIN_HAS_COMPRESSION(GROESTL0_256) + FIN_HAS_COMPRESSION(GROESTL0_512) !=
    0;

void fin_hash_one_block(const fin_descriptor *descriptor, const uint8_t *in, size_t bytes,
                        uint8_t *digest, size_t digest_bytes)
{
    const fin_family family = descriptor->info.family;
    if (fin_has_blake2 && family == FIN_FAMILY_BLAKE2) {
        fin_hash_blake2_block(descriptor, in, bytes, digest, digest_bytes);
    } else if (fin_has_groestl && family == FIN_FAMILY_GROESTL) {
        fin_hash_groestl_block(descriptor, in, bytes, digest, digest_bytes);
    } else if (fin_has_blake) {
        if (fin_blake_padded_blocks(descriptor->info.block_bytes, 8 * bytes) == 1) {
            fin_hash_blake_block(descriptor, in, bytes, digest);
        } else {
            fin_hash_blake_two_blocks(descriptor, in, bytes, digest);
        }
    }
}
