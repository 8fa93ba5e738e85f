/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * One interface to all families: whether a message fits the counter, its padding, and its digest.
 * Streams, single calls, batches, leaves and groups of lanes call these functions.
 */
#ifndef FIN_SPEC_PADDING_H
#define FIN_SPEC_PADDING_H

#include "spec/blake.h"
#include "spec/blake2.h"
#include "spec/blake3.h"
#include "spec/groestl.h"

/* ---- The number of padded blocks ---- */

/* Returns the size of the field that ends the padding: the message's length in bits, an eighth of a
   block (BLAKE), or its number of blocks (Grøstl). */
FIN_INLINE size_t fin_length_bytes(fin_variant variant)
{
    return fin_family_of(variant) == FIN_FAMILY_BLAKE     ? fin_variant_block(variant) / 8
           : fin_family_of(variant) == FIN_FAMILY_GROESTL ? 8
                                                          : 0;
}

/* Returns the number of blocks that hold a tail of this many bits and its padding. Besides the
   length, BLAKE adds two bits and Grøstl one. BLAKE2 and BLAKE3 only fill up the block. */
FIN_INLINE size_t fin_padded_blocks(fin_variant variant, size_t bits)
{
    const size_t marks = fin_family_of(variant) == FIN_FAMILY_BLAKE     ? 2
                         : fin_family_of(variant) == FIN_FAMILY_GROESTL ? 1
                                                                        : 0;
    const size_t block_bits = 8 * fin_variant_block(variant);
    return marks != 0 && bits + marks + 8 * fin_length_bytes(variant) > block_bits ? 2 : 1;
}

/* Returns the number of blocks before the last one of a message of whole bytes: the last one ends
   with length_bytes and a mark before them. Without these, it is full or is all of the message. */
FIN_INLINE uint32_t fin_blocks_before_end(uint32_t length_bytes, unsigned block_shift,
                                          uint32_t bytes)
{
    const uint32_t may_fill = length_bytes == 0 && bytes != 0;
    return (bytes + length_bytes - may_fill) >> block_shift;
}

/* ---- The counter ---- */

/* True if the counter t does not overflow when these bytes and bits are appended. Grøstl's padding
   counts all blocks, its own included, in 64 bits. BLAKE3's messages have fewer than 2^64 bytes. */
FIN_INLINE bool fin_fits(fin_variant variant, const uint64_t t[2], uint64_t pending_bytes,
                         unsigned bit_count)
{
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE) {
        return fin_blake_fits(variant, t, pending_bytes, bit_count);
    }
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE2) {
        return fin_blake2_fits(variant, t, pending_bytes);
    }
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE3) {
        return fin_blake3_fits(t[0], pending_bytes);
    }
    const size_t block_bytes = fin_variant_block(variant);
    const size_t rest = (size_t)(pending_bytes % block_bytes);
    const uint64_t blocks = pending_bytes / block_bytes + fin_padded_blocks(variant, 8 * rest);
    return blocks <= UINT64_MAX - t[0];
}

/* ---- The padding ---- */

/* Returns the first byte after the message's whole bytes: its last bits and a 1; for BLAKE2 and
   BLAKE3, 0. */
FIN_INLINE uint8_t fin_byte_after(fin_variant variant, uint8_t last_bits, unsigned bit_count)
{
    const unsigned kept = 0xff00U >> bit_count;
    const unsigned mark = (last_bits & kept) | 0x80U >> bit_count;
    return (uint8_t)(fin_is_unpadded(variant) ? 0 : mark);
}

/* Index of the word that holds BLAKE's 1 of full digests, right before the length, among the last
   eight 64-bit words of the padding. As a little-endian word it is FIN_FULL_LENGTH. */
enum { FIN_FULL_LENGTH_AT_WIDE = 5, FIN_FULL_LENGTH_AT = 6 };
#define FIN_FULL_LENGTH (UINT64_C(1) << 56)

/* Returns word i of the last eight, in little-endian order, after a message of this many bits that
   ends before them. */
FIN_INLINE uint64_t fin_blake_padding_word(fin_variant variant, unsigned i, bool full,
                                           uint64_t bits)
{
    const unsigned full_at = fin_is_wide(variant) ? FIN_FULL_LENGTH_AT_WIDE : FIN_FULL_LENGTH_AT;
    return i == 0                 ? fin_byte_after(variant, 0, 0)
           : i == 7               ? __builtin_bswap64(bits)
           : i == full_at && full ? FIN_FULL_LENGTH
                                  : 0;
}

/* With 32-bit registers, compilers spill words of a message. Separate functions keep these spills
   in frames that kernels' frames and fin_erase_stack overwrite. */
#if UINTPTR_MAX > UINT32_MAX
#define FIN_OF_MESSAGE FIN_INLINE
#else
#define FIN_OF_MESSAGE static __attribute__((noinline, unused))
#endif

/* Writes the end of zeroed padded blocks: BLAKE's 1 of full digests and the length, or Grøstl's
   number of blocks. */
FIN_OF_MESSAGE void fin_set_length(fin_variant variant, uint8_t *end, bool full, uint64_t length,
                                   uint64_t length_high)
{
    const uint64_t mark = fin_family_of(variant) == FIN_FAMILY_BLAKE && full ? FIN_FULL_LENGTH : 0;
    if (fin_family_of(variant) == FIN_FAMILY_BLAKE && fin_is_wide(variant)) {
        fin_or_piece(end - 32, 0, mark);
        fin_or_piece(end - 16, __builtin_bswap64(length_high), __builtin_bswap64(length));
    } else {
        fin_or_piece(end - 16, mark, __builtin_bswap64(length));
    }
}

/* Fills count blocks with the tail, the byte after it, and zeros. All memset lengths are constant:
   for variable ones gcc calls memset. */
FIN_OF_MESSAGE void fin_padded_take(fin_variant variant, uint8_t *padded, size_t count,
                                    const uint8_t *in, size_t bytes, uint8_t after)
{
    const size_t block_bytes = fin_variant_block(variant);
    const bool groestl = fin_family_of(variant) == FIN_FAMILY_GROESTL;
    if (fin_family_of(variant) != FIN_FAMILY_BLAKE && bytes >= block_bytes + groestl) {
        __builtin_unreachable(); /* else gcc copies longer tails too; BLAKE's code would grow */
    }
    if (bytes < 64) {
        memset(padded, 0, 64);
    }
    if (block_bytes == 128) {
        memset(padded + 64, 0, 64);
    }
    if (count == 2) {
        memset(padded + block_bytes, 0, block_bytes);
    }
    fin_copy_tail(padded, in, bytes, after);
}

/*
 * Pads a message. t counts the whole blocks before the tail. The tail and padded, which has
 * FIN_PADDED_BYTES, must stay unchanged until the segments are compressed. in_place: the tail is at
 * the beginning of padded.
 */
FIN_INLINE void fin_pad(fin_variant variant, size_t digest_bytes, const uint64_t t[2],
                        const fin_tail *tail, uint8_t *padded, bool in_place,
                        fin_final_blocks *final)
{
    const size_t block_bytes = fin_variant_block(variant);
    const fin_family family = fin_family_of(variant);
    const bool whole = tail->bytes == block_bytes && family != FIN_FAMILY_GROESTL;
    const size_t count = fin_padded_blocks(variant, 8 * tail->bytes + tail->bit_count);
    const uint8_t after = fin_byte_after(variant, tail->last_bits, tail->bit_count);
    if (in_place) {
        fin_pad_in_place(padded, count * block_bytes, tail->bytes, after);
    } else if (!whole) {
        fin_padded_take(variant, padded, count, tail->in, tail->bytes, after);
    } else if (family == FIN_FAMILY_BLAKE) {
        /* The tail is a whole block, read in place; only the second block is padding. */
        fin_store_piece(padded + block_bytes, FIN_TO_LE(64, (uint64_t)after), 0);
        memset(padded + block_bytes + 16, 0, block_bytes - 16);
    }
    uint64_t t_after[2];
    final->count = family == FIN_FAMILY_BLAKE ? count : 1;
    if (family == FIN_FAMILY_BLAKE) {
        fin_blake_end(variant, t, tail, padded, final, t_after);
    } else if (family == FIN_FAMILY_BLAKE2) {
        fin_blake2_end(variant, t, tail, padded, final, t_after);
    } else {
        fin_groestl_end(t, padded, count, final, t_after);
    }
    if (family != FIN_FAMILY_BLAKE2) {
        fin_set_length(variant, padded + count * block_bytes, fin_blake_is_full(digest_bytes),
                       t_after[0], t_after[1]);
    }
    fin_store_piece(final->t, t_after[0], t_after[1]);
    final->segment[0].last = final->count == 1;
    final->segment[1].last = true;
}

/* ---- The digest ---- */

/* True for BLAKE, whose digest is the chaining value's words in big-endian order. */
FIN_INLINE bool fin_digest_is_big_endian(fin_variant variant)
{
    return fin_family_of(variant) == FIN_FAMILY_BLAKE;
}

/* Writes the digest: the first bytes of a finished state, or Grøstl's last ones. */
FIN_INLINE void fin_output_as(fin_variant variant, const fin_state *state, uint8_t *digest,
                              size_t digest_bytes)
{
    if (fin_family_of(variant) == FIN_FAMILY_GROESTL) {
        fin_groestl_output(variant, state->h.w64, digest, digest_bytes);
    } else {
        fin_store_digest(digest, &state->h, digest_bytes, fin_is_wide(variant),
                         fin_digest_is_big_endian(variant));
    }
}

/* Calls a function with the variant, if this build has it, as a constant. */
#define FIN_FOR_VARIANT(variant, function, ...)             \
    switch (variant) {                                      \
        FIN_VARIANT_CASE(BLAKE256, function, __VA_ARGS__)   \
        FIN_VARIANT_CASE(BLAKE512, function, __VA_ARGS__)   \
        FIN_VARIANT_CASE(BLAKE2S, function, __VA_ARGS__)    \
        FIN_VARIANT_CASE(BLAKE2B, function, __VA_ARGS__)    \
        FIN_VARIANT_CASE(GROESTL256, function, __VA_ARGS__) \
        FIN_VARIANT_CASE(GROESTL512, function, __VA_ARGS__) \
    default:                                                \
        break;                                              \
    }
#define FIN_VARIANT_CASE(id, function, ...)                       \
    case FIN_VARIANT_##id:                                        \
        if (FIN_HAS_KERNEL(id)) {                                 \
            function((fin_variant)FIN_VARIANT_##id, __VA_ARGS__); \
        }                                                         \
        break;

#endif
