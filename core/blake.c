/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE around its compression function: initial values, salt, padding, counter, digest.
 * SHA-3 proposal BLAKE, sections 2.1.3, 2.1.4, 2.2.3 and 2.2.4.
 */
#include "internal.h"

#include "gen/blake_iv.inc"

static bool fin_is_blake512(fin_compression compression)
{
    return compression == FIN_COMPRESSION_BLAKE512;
}

/* The counter is of 64 (BLAKE-256) or 128 (BLAKE-512) bits and counts bits. */
static bool fin_blake_fits(const fin_chain *chain, fin_compression compression,
                           uint64_t pending_bytes, unsigned bit_count)
{
    const uint64_t low = (pending_bytes << 3) + bit_count;
    const uint64_t high = pending_bytes >> 61;
    const bool carry = low > UINT64_MAX - chain->t[0];
    if (fin_is_blake512(compression)) {
        const uint64_t sum = chain->t[1] + high;
        return sum >= high && !(carry && sum == UINT64_MAX);
    }
    return high == 0 && !carry;
}

static void fin_blake_start(fin_context *context, const fin_row *row)
{
    fin_chain *chain = &context->chain;
    chain->t[0] = chain->t[1] = 0;
    switch (row->info.digest_bytes) {
    case 28:
        memcpy(chain->h.w32, fin_iv224, sizeof fin_iv224);
        break;
    case 32:
        memcpy(chain->h.w32, fin_iv256, sizeof fin_iv256);
        break;
    case 48:
        memcpy(chain->h.w64, fin_iv384, sizeof fin_iv384);
        break;
    default:
        memcpy(chain->h.w64, fin_iv512, sizeof fin_iv512);
    }
}

/*
 * message, 1, 0 .. 0, full_length, length: the bit before the length tells the full digest
 * (-256, -512) from the shortened one. A block without any message bit is hashed with counter 0.
 */
void fin_blake_finish(fin_chain *chain, fin_compression compression, bool full_length,
                      const fin_tail *tail)
{
    const size_t block_bytes = fin_block_bytes[compression];
    const size_t length_at = block_bytes - block_bytes / 8;
    const bool wide = fin_is_blake512(compression);
    fin_tail rest = *tail;
    if (rest.bytes == block_bytes) {
        fin_compress(chain, compression, rest.in, 1, block_bytes, (uint32_t)(8 * block_bytes));
        rest.in += block_bytes;
        rest.bytes = 0;
    }
    const uint32_t bits = (uint32_t)(8 * rest.bytes + rest.bit_count);
    const fin_chain before = {.t = {chain->t[0], chain->t[1]}};
    fin_chain total = before;
    fin_chain_advance(&total, 1, bits);

    uint8_t block[128] = {0};
    fin_copy_tail(block, rest.in, rest.bytes, fin_padded_bits(&rest));

    uint32_t increment = bits;
    if (bits + 2 > 8 * length_at) {
        fin_compress(chain, compression, block, 1, block_bytes, increment);
        memset(block, 0, sizeof block);
        increment = 0;
    }
    if (full_length) {
        const uint64_t before_length = fin_load64_le(block + length_at - 8);
        fin_store64_le(block + length_at - 8, before_length | UINT64_C(1) << 56);
    }
    if (wide) {
        fin_store64_be(block + length_at, total.t[1]);
        fin_store64_be(block + length_at + 8, total.t[0]);
    } else {
        fin_store64_be(block + length_at, total.t[0]);
    }
    if (increment == 0) {
        chain->t[0] = chain->t[1] = 0;
    }
    fin_compress(chain, compression, block, 1, block_bytes, increment);
    chain->t[0] = total.t[0];
    chain->t[1] = total.t[1];
    fin_erase(block, sizeof block);
}

static void fin_blake_finish_row(fin_chain *chain, const fin_row *row, fin_compression compression,
                                 const fin_tail *tail)
{
    const bool full_length = row->info.digest_bytes == 32 || row->info.digest_bytes == 64;
    fin_blake_finish(chain, compression, full_length, tail);
}

static void fin_blake_output(const fin_chain *chain, fin_compression compression, uint8_t *digest,
                             size_t digest_bytes)
{
    if (fin_is_blake512(compression)) {
        for (size_t i = 0; i < digest_bytes / 8; i++) {
            fin_store64_be(digest + 8 * i, chain->h.w64[i]);
        }
    } else {
        for (size_t i = 0; i < digest_bytes / 4; i++) {
            fin_store32_be(digest + 4 * i, chain->h.w32[i]);
        }
    }
}

const fin_family_ops fin_blake_ops = {fin_blake_fits, fin_blake_start, fin_blake_finish_row,
                                      fin_blake_output};
