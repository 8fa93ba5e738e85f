/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE3 by the recursion of the BLAKE3 paper, section 2: a node hashes its two children.
 */
#include "reference_blake3.h"

#include <string.h>

enum {
    CHUNK_START = 1,
    CHUNK_END = 2,
    PARENT = 4,
    ROOT = 8,
    KEYED_HASH = 16,
    DERIVE_KEY_CONTEXT = 32,
    DERIVE_KEY_MATERIAL = 64,
    CHUNK_BYTES = 1024
};

static const uint32_t iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const char permutation[] = "263a704d1bc59ef8";

static uint32_t load(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static void store(uint8_t *bytes, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < 4 * count; i++) {
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    }
}

static uint32_t turned(uint32_t word, unsigned count)
{
    return word >> count | word << (32 - count);
}

static void mix(uint32_t v[16], unsigned a, unsigned b, unsigned c, unsigned d, uint32_t x,
                uint32_t y)
{
    v[a] += v[b] + x;
    v[d] = turned(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = turned(v[b] ^ v[c], 12);
    v[a] += v[b] + y;
    v[d] = turned(v[d] ^ v[a], 8);
    v[c] += v[d];
    v[b] = turned(v[b] ^ v[c], 7);
}

static void compress(const uint32_t h[8], const uint8_t block[64], uint64_t t, uint32_t bytes,
                     uint32_t flags, uint32_t out[16])
{
    uint32_t v[16], m[16], permuted[16];
    for (unsigned i = 0; i < 16; i++) {
        m[i] = load(block + 4 * i);
        v[i] = i < 8 ? h[i] : iv[i % 4];
    }
    v[12] = (uint32_t)t;
    v[13] = (uint32_t)(t >> 32);
    v[14] = bytes;
    v[15] = flags;
    for (unsigned round = 0; round < 7; round++) {
        for (unsigned i = 0; i < 8; i++) {
            const unsigned turn = i / 4;
            mix(v, i % 4, 4 + (i + turn) % 4, 8 + (i + 2 * turn) % 4, 12 + (i + 3 * turn) % 4,
                m[2 * i], m[2 * i + 1]);
        }
        for (unsigned i = 0; i < 16; i++) {
            const char digit = permutation[i];
            permuted[i] = m[digit <= '9' ? digit - '0' : digit - 'a' + 10];
        }
        memcpy(m, permuted, sizeof m);
    }
    for (unsigned i = 0; i < 8; i++) {
        out[i + 8] = v[i + 8] ^ h[i]; /* before out[i], since h may be out */
        out[i] = v[i] ^ v[i + 8];
    }
}

typedef struct mode {
    uint32_t key[8];
    uint32_t flags;
} mode;

/* The root differs from other nodes; output is the index of a block of its output. */
typedef struct role {
    bool root;
    uint64_t output;
} role;

static void chunk(const mode *how, const uint8_t *in, size_t bytes, uint64_t number, role as,
                  uint32_t out[16])
{
    uint32_t flags = how->flags | CHUNK_START;
    uint8_t block[64];
    memcpy(out, how->key, 32);
    for (; bytes > 64; in += 64, bytes -= 64) {
        compress(out, in, number, 64, flags, out);
        flags = how->flags;
    }
    memset(block, 0, sizeof block);
    if (bytes != 0) {
        memcpy(block, in, bytes);
    }
    compress(out, block, as.root ? as.output : number, (uint32_t)bytes,
             flags | CHUNK_END | (as.root ? ROOT : 0), out);
}

static unsigned ones(uint64_t x)
{
    unsigned count = 0;
    for (; x != 0; x &= x - 1) {
        count++;
    }
    return count;
}

/* Writes the node over the chunks from first up to first + count. */
static void node(const mode *how, const reference_blake3_text *text, uint64_t first, uint64_t count,
                 role as, uint32_t out[16])
{
    if (!as.root && first + count <= text->chunks_before) {
        const uint8_t *cv = text->subtrees[ones(first)];
        for (unsigned i = 0; i < 8; i++) {
            out[i] = load(cv + 4 * i);
        }
        return;
    }
    if (count == 1) {
        const size_t skipped = (size_t)(first - text->chunks_before) * CHUNK_BYTES;
        const size_t left = text->bytes - skipped;
        chunk(how, left == 0 ? NULL : text->in + skipped, left < CHUNK_BYTES ? left : CHUNK_BYTES,
              first, as, out);
        return;
    }
    uint64_t left = 1;
    while (left < count - left) {
        left *= 2;
    }
    const role inner = {false, 0};
    uint8_t block[64];
    node(how, text, first, left, inner, out);
    store(block, out, 8);
    node(how, text, first + left, count - left, inner, out);
    store(block + 32, out, 8);
    compress(how->key, block, as.output, 64, how->flags | PARENT | (as.root ? ROOT : 0), out);
}

static void output(const mode *how, const reference_blake3_text *text, uint64_t position,
                   uint8_t *out, size_t bytes)
{
    const uint64_t in_text = text->bytes / CHUNK_BYTES + (text->bytes % CHUNK_BYTES != 0);
    const uint64_t chunks = text->chunks_before + in_text;
    uint8_t block[64];
    uint64_t ready = UINT64_MAX;
    for (size_t i = 0; i < bytes; i++) {
        const uint64_t at = position + i;
        if (at / 64 != ready) {
            uint32_t words[16];
            ready = at / 64;
            node(how, text, 0, chunks == 0 ? 1 : chunks, (role){true, ready}, words);
            store(block, words, 16);
        }
        out[i] = block[at % 64];
    }
}

void reference_blake3(const fin_params *params, const reference_blake3_text *text,
                      uint64_t position, uint8_t *out, size_t bytes)
{
    mode how = {.flags = 0};
    uint8_t key[32];
    memcpy(how.key, iv, sizeof iv);
    if (params != NULL && params->derive_key_context != NULL) {
        const reference_blake3_text context = {.in = params->derive_key_context,
                                               .bytes = params->derive_key_context_bytes};
        how.flags = DERIVE_KEY_CONTEXT;
        output(&how, &context, 0, key, sizeof key);
        how.flags = DERIVE_KEY_MATERIAL;
    } else if (params != NULL && params->key_bytes != 0) {
        memcpy(key, params->key, sizeof key);
        how.flags = KEYED_HASH;
    }
    for (unsigned i = 0; i < 8 && how.flags != 0; i++) {
        how.key[i] = load(key + 4 * i);
    }
    output(&how, text, position, out, bytes);
}
