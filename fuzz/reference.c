/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE (BLAKE specification), BLAKE2 (RFC 7693; BLAKE2 paper, sections 2.8 to 2.11) and BLAKE2X
 * (BLAKE2X paper, section 2), a word at a time.
 */
#include "reference_text.h"

#include "reference_blake3.h"

/* ---- BLAKE and BLAKE2 ---- */

/* The first bits of pi after the binary point. */
static const uint32_t pi[32] = {
    0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89,
    0x452821e6, 0x38d01377, 0xbe5466cf, 0x34e90c6c, 0xc0ac29b7, 0xc97c50dd, 0x3f84d5b5, 0xb5470917,
    0x9216d5d9, 0x8979fb1b, 0xd1310ba6, 0x98dfb5ac, 0x2ffd72db, 0xd01adfb7, 0xb8e1afed, 0x6a267e96,
    0xba7c9045, 0xf12c7f99, 0x24a19947, 0xb3916cf7, 0x0801f2e2, 0x858efc16, 0x636920d8, 0x71574e69};

static const char *const sigma[10] = {"0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194",
                                      "7931dcbe265a40f8", "905724afe1bc683d", "2c6a0b834d75fe19",
                                      "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5",
                                      "a2847615fb9e3cd0"};

/* The initial values of SHA-512 and SHA-384. Those of SHA-256 are the upper halves of the former,
   those of SHA-224 the lower halves of the latter. */
static const uint64_t sha512_iv[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                      0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                      0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
static const uint64_t sha384_iv[8] = {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17,
                                      0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511,
                                      0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4};

typedef struct machine {
    bool wide;   /* words of 64 bits */
    bool blake2; /* else BLAKE */
    unsigned rounds;
    uint64_t h[8], salt[4], t[2], f[2];
} machine;

static uint64_t cut(const machine *m, uint64_t word)
{
    return m->wide ? word : (uint32_t)word;
}

static uint64_t rotate(const machine *m, uint64_t word, unsigned count)
{
    return cut(m, word >> count | word << ((m->wide ? 64 : 32) - count));
}

static uint64_t digits(const machine *m, unsigned i)
{
    return m->wide ? (uint64_t)pi[2 * i] << 32 | pi[2 * i + 1] : pi[i];
}

static uint64_t initial(const machine *m, unsigned i)
{
    return m->wide ? sha512_iv[i] : sha512_iv[i] >> 32;
}

static unsigned nibble(char digit)
{
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

static uint64_t load(const machine *m, const uint8_t *bytes)
{
    const unsigned count = m->wide ? 8 : 4;
    uint64_t word = 0;
    for (unsigned i = 0; i < count; i++) {
        word |= (uint64_t)bytes[i] << 8 * (m->blake2 ? i : count - 1 - i);
    }
    return word;
}

static void mix(const machine *m, uint64_t v[16], const uint8_t *block, const char *order,
                const unsigned at[4])
{
    static const unsigned turns[2][2][4] = {{{16, 12, 8, 7}, {32, 25, 16, 11}},
                                            {{16, 12, 8, 7}, {32, 24, 16, 63}}};
    uint64_t *a = &v[at[0]], *b = &v[at[1]], *c = &v[at[2]], *d = &v[at[3]];
    for (unsigned half = 0; half < 2; half++) {
        const unsigned *turn = turns[m->blake2][m->wide] + 2 * half;
        uint64_t word = load(m, block + nibble(order[half]) * (m->wide ? 8 : 4));
        word ^= m->blake2 ? 0 : digits(m, nibble(order[1 - half]));
        *a = cut(m, *a + *b + word);
        *d = rotate(m, *d ^ *a, turn[0]);
        *c = cut(m, *c + *d);
        *b = rotate(m, *b ^ *c, turn[1]);
    }
}

static void compress(machine *m, const uint8_t *block)
{
    static const unsigned at[8][4] = {{0, 4, 8, 12},  {1, 5, 9, 13},  {2, 6, 10, 14},
                                      {3, 7, 11, 15}, {0, 5, 10, 15}, {1, 6, 11, 12},
                                      {2, 7, 8, 13},  {3, 4, 9, 14}};
    uint64_t v[16];
    for (unsigned i = 0; i < 8; i++) {
        v[i] = m->h[i];
        v[8 + i] = m->blake2 ? initial(m, i) : digits(m, i);
    }
    for (unsigned i = 0; i < 4; i++) {
        v[8 + i] ^= m->salt[i];
        v[12 + i] ^= m->blake2 ? (i < 2 ? m->t[i] : m->f[i - 2]) : m->t[i / 2];
    }
    for (unsigned round = 0; round < m->rounds; round++) {
        for (unsigned i = 0; i < 8; i++) {
            mix(m, v, block, sigma[round % 10] + 2 * i, at[i]);
        }
    }
    for (unsigned i = 0; i < 8; i++) {
        m->h[i] ^= v[i] ^ v[8 + i] ^ m->salt[i % 4];
    }
}

static void store_digest(const machine *m, uint8_t *digest, size_t bytes)
{
    const unsigned count = m->wide ? 8 : 4;
    for (size_t i = 0; i < bytes; i++) {
        const size_t place = m->blake2 ? i % count : count - 1 - i % count;
        digest[i] = (uint8_t)(m->h[i / count] >> 8 * place);
    }
}

static void blake(const fin_algorithm_info *info, const fin_params *params, const uint8_t *in,
                  uint64_t bits, uint8_t *digest)
{
    const bool first_submission = info->algorithm >= FIN_BLAKE28;
    machine m = {.wide = info->digest_bytes > 32};
    m.rounds = (m.wide ? 16U : 14U) - (first_submission ? (m.wide ? 2U : 4U) : 0);
    for (unsigned i = 0; i < 8; i++) {
        m.h[i] = m.wide ? (info->digest_bytes == 64 ? sha512_iv[i] : sha384_iv[i])
                 : info->digest_bytes == 32 ? sha512_iv[i] >> 32
                                            : (uint32_t)sha384_iv[i];
    }
    for (unsigned i = 0; i < 4 && params->salt_bytes != 0; i++) {
        m.salt[i] = load(&m, params->salt + i * (m.wide ? 8 : 4));
    }
    const size_t block = m.wide ? 128 : 64;
    text t = pad(in, bits, block, block / 8);
    if ((bits + 1) % (8 * block) == 8 * (block - block / 8)) {
        append_zeros(&t, block); /* the padding's first 1 is also the bit before the length */
    }
    t.byte[t.bytes - 1] |= info->digest_bytes % 32 == 0;
    append_number(&t, bits, block / 8);
    for (size_t i = 0; i < t.bytes; i += block) {
        const uint64_t end = 8 * (uint64_t)(i + block);
        m.t[0] = bits > 8 * (uint64_t)i ? (bits < end ? bits : end) : 0;
        compress(&m, t.byte + i);
    }
    store_digest(&m, digest, info->digest_bytes);
    free(t.byte);
}

/* A node of BLAKE2, hashed into the digest length of its parameter block. */
typedef struct node {
    bool wide;
    uint8_t block[64];
    const uint8_t *key;
    size_t key_bytes;
    bool last_node;
} node;

static void blake2(const node *n, const uint8_t *in, size_t bytes, uint8_t *digest,
                   size_t digest_bytes)
{
    machine m = {.wide = n->wide, .blake2 = true, .rounds = n->wide ? 12 : 10};
    const size_t block = n->wide ? 128 : 64;
    text t = {NULL, 0};
    append(&t, n->key, n->key_bytes);
    append_zeros(&t, n->key_bytes != 0 ? block - n->key_bytes : 0);
    append(&t, in, bytes);
    const size_t end = t.bytes;
    append_zeros(&t, end == 0 ? block : (block - end % block) % block);
    for (unsigned i = 0; i < 8; i++) {
        m.h[i] = initial(&m, i) ^ load(&m, n->block + i * (n->wide ? 8 : 4));
    }
    for (size_t i = 0; i < t.bytes; i += block) {
        const bool last = i + block == t.bytes;
        m.t[0] = last ? end : i + block;
        m.f[0] = last ? cut(&m, UINT64_MAX) : 0;
        m.f[1] = last && n->last_node ? cut(&m, UINT64_MAX) : 0;
        compress(&m, t.byte + i);
    }
    store_digest(&m, digest, digest_bytes);
    free(t.byte);
}

static void store_little(uint8_t *to, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        to[i] = (uint8_t)(number >> 8 * i);
    }
}

static bool is_wide(fin_algorithm algorithm)
{
    return algorithm == FIN_BLAKE2B || algorithm == FIN_BLAKE2BP || algorithm == FIN_BLAKE2XB;
}

static void set_node(node *n, unsigned node_depth, uint64_t offset)
{
    store_little(n->block + 8, offset, n->wide ? 8 : 6);
    n->block[n->wide ? 16 : 14] = (uint8_t)node_depth;
}

static void set_inner(node *n, unsigned inner_bytes)
{
    n->block[n->wide ? 17 : 15] = (uint8_t)inner_bytes;
}

static node node_of(fin_algorithm algorithm, const fin_params *params, size_t digest_bytes)
{
    node n = {is_wide(algorithm), {0}, params->key, params->key_bytes, false};
    const size_t at = n.wide ? 32 : 16;
    n.block[0] = (uint8_t)digest_bytes;
    n.block[1] = (uint8_t)params->key_bytes;
    n.block[2] = n.block[3] = 1;
    if (params->salt_bytes != 0) {
        memcpy(n.block + at, params->salt, params->salt_bytes);
    }
    if (params->personal_bytes != 0) {
        memcpy(n.block + at + at / 2, params->personal, params->personal_bytes);
    }
    if (params->tree_mode != NULL) {
        n.block[2] = params->tree_mode->fanout;
        n.block[3] = params->tree_mode->depth;
        store_little(n.block + 4, params->tree_mode->leaf_bytes, 4);
        set_node(&n, params->tree_mode->node_depth, params->tree_mode->node_offset);
        set_inner(&n, params->tree_mode->inner_bytes);
        n.last_node = params->tree_mode->last_node;
    }
    return n;
}

/* BLAKE2bp and BLAKE2sp: leaf j hashes the blocks i with i = j modulo 4 or 8. */
static void blake2p(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                    size_t bytes, uint8_t *digest, size_t digest_bytes)
{
    node n = node_of(algorithm, params, digest_bytes);
    const size_t leaves = n.wide ? 4 : 8, block = n.wide ? 128 : 64;
    text root = {NULL, 0};
    n.block[2] = (uint8_t)leaves;
    n.block[3] = 2;
    set_inner(&n, n.wide ? 64 : 32);
    for (size_t leaf = 0; leaf < leaves; leaf++) {
        uint8_t inner[64];
        text own = {NULL, 0};
        for (size_t at = leaf * block; at < bytes; at += leaves * block) {
            append(&own, in + at, bytes - at < block ? bytes - at : block);
        }
        set_node(&n, 0, leaf);
        n.last_node = leaf + 1 == leaves;
        blake2(&n, own.byte, own.bytes, inner, block / 2);
        append(&root, inner, block / 2);
        free(own.byte);
    }
    set_node(&n, 1, 0);
    n.key_bytes = 0;
    blake2(&n, root.byte, root.bytes, digest, digest_bytes);
    free(root.byte);
}

void reference_xof(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                   size_t bytes, uint8_t *out, size_t out_bytes)
{
    if (algorithm == FIN_BLAKE3) {
        const reference_blake3_text whole = {.in = in, .bytes = bytes};
        reference_blake3(params, &whole, 0, out, out_bytes);
        return;
    }
    node n = node_of(algorithm, params, 0);
    const size_t unit = n.wide ? 64 : 32;
    const uint64_t length = reference_digest_bytes(algorithm, params);
    uint8_t root[64], part[64];
    n.block[0] = (uint8_t)unit;
    store_little(n.block + 12, length, n.wide ? 4 : 2);
    blake2(&n, in, bytes, root, unit);
    n.key_bytes = 0;
    n.block[1] = n.block[2] = n.block[3] = 0;
    store_little(n.block + 4, unit, 4);
    set_inner(&n, (unsigned)unit);
    for (uint64_t i = 0; i * unit < out_bytes; i++) {
        const size_t left = out_bytes - (size_t)i * unit;
        const bool short_node = length != FIN_XOF_UNKNOWN && length - i * unit < unit;
        n.block[0] = (uint8_t)(short_node ? length - i * unit : unit);
        store_little(n.block + 8, i, 4);
        blake2(&n, root, unit, part, unit);
        memcpy(out + i * unit, part, left < unit ? left : unit);
    }
}

/* ---- BLAKE2's tree mode ---- */

void reference_tree(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                    size_t bytes, uint8_t *digest)
{
    const fin_tree_mode *shape = params->tree_mode;
    const size_t inner = shape->inner_bytes;
    const size_t digest_bytes = (size_t)reference_digest_bytes(algorithm, params);
    if (shape->depth == 1) {
        const node n = node_of(algorithm, params, digest_bytes);
        blake2(&n, in, bytes, digest, digest_bytes);
        return;
    }
    const size_t leaf_bytes = shape->leaf_bytes != 0 ? shape->leaf_bytes : bytes + 1;
    const size_t leaves = bytes == 0 ? 1 : (bytes - 1) / leaf_bytes + 1;
    text level = {NULL, 0};
    node n = node_of(algorithm, params, inner);
    for (size_t i = 0; i < leaves; i++) {
        const size_t left = bytes - i * leaf_bytes;
        uint8_t hash[64];
        set_node(&n, 0, i);
        n.last_node = i + 1 == leaves;
        blake2(&n, in + i * leaf_bytes, left < leaf_bytes ? left : leaf_bytes, hash, inner);
        append(&level, hash, inner);
    }
    n.key_bytes = 0;
    for (unsigned k = 1;; k++) {
        const size_t children = level.bytes / inner;
        const bool top = k + 1U == shape->depth || shape->fanout == 0;
        const size_t fanout = top ? children : shape->fanout;
        const size_t nodes = (children - 1) / fanout + 1;
        text above = {NULL, 0};
        for (size_t i = 0; i < nodes; i++) {
            const size_t left = children - i * fanout;
            const size_t own = (left < fanout ? left : fanout) * inner;
            uint8_t hash[64];
            set_node(&n, k, i);
            n.last_node = i + 1 == nodes;
            n.block[0] = (uint8_t)(nodes == 1 ? digest_bytes : inner);
            const size_t length = nodes == 1 ? digest_bytes : inner;
            blake2(&n, level.byte + i * fanout * inner, own, hash, length);
            append(&above, hash, length);
        }
        free(level.byte);
        level = above;
        if (nodes == 1) {
            break;
        }
    }
    memcpy(digest, level.byte, digest_bytes);
    free(level.byte);
}

/* ---- By name ---- */

uint64_t reference_digest_bytes(fin_algorithm algorithm, const fin_params *params)
{
    return params->digest_bytes != 0 ? params->digest_bytes
                                     : fin_algorithm_describe(algorithm)->digest_bytes;
}

void reference_hash_bits(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                         uint64_t bits, uint8_t *digest)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const size_t digest_bytes = (size_t)reference_digest_bytes(algorithm, params);
    const size_t bytes = (size_t)(bits / 8);
    if (info->family == FIN_FAMILY_BLAKE) {
        blake(info, params, in, bits, digest);
    } else if (info->family == FIN_FAMILY_GROESTL) {
        reference_groestl(algorithm >= FIN_GROESTL0_224, digest_bytes, in, bits, digest);
    } else if (algorithm == FIN_BLAKE2BP || algorithm == FIN_BLAKE2SP) {
        blake2p(algorithm, params, in, bytes, digest, digest_bytes);
    } else if (info->digest_bytes_max > 64) {
        reference_xof(algorithm, params, in, bytes, digest, digest_bytes);
    } else {
        const node n = node_of(algorithm, params, digest_bytes);
        blake2(&n, in, bytes, digest, digest_bytes);
    }
}

void reference_hash(fin_algorithm algorithm, const fin_params *params, const uint8_t *in,
                    size_t bytes, uint8_t *digest)
{
    reference_hash_bits(algorithm, params, in, 8 * (uint64_t)bytes, digest);
}
