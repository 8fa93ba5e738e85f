/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Computes Merkle trees by RFC 9162's definition: roots and proofs by recursion, one hash at a
 * time.
 */
#include "check.h"

/* The tree under test: its hash function and leaves. */
static fin_algorithm algorithm;
static fin_params params;
static size_t hash_bytes;
static uint8_t leaves[LEAVES_MAX * HASH_MAX]; /* hashes of the leaves */
static uint8_t text[BYTES_MAX + 100];
enum { KEY_BYTES = 9 };
static const uint8_t key[32] = "under key"; /* as many bytes as any function needs */

typedef struct proof {
    size_t count;
    uint8_t hashes[(FIN_MERKLE_PROOF_MAX + 1) * HASH_MAX];
} proof;

static void choose(fin_algorithm chosen, size_t digest_bytes, size_t key_bytes)
{
    const fin_algorithm_info *info = fin_algorithm_describe(chosen);
    algorithm = chosen;
    params = (fin_params){.digest_bytes = digest_bytes, .key = key, .key_bytes = key_bytes};
    if (digest_bytes == 0 && info->digest_bytes_max > HASH_MAX) {
        params.digest_bytes = HASH_MAX;
    }
    hash_bytes = params.digest_bytes != 0 ? (size_t)params.digest_bytes : info->digest_bytes;
    check_random_bytes(leaves, sizeof leaves);
}

static void hash_with(uint8_t prefix, const uint8_t *in, size_t bytes, uint8_t *digest)
{
    uint8_t message[1 + BYTES_MAX];
    message[0] = prefix;
    if (bytes != 0) {
        memcpy(message + 1, in, bytes);
    }
    (void)CHECK_NEEDED(fin_hash(algorithm, &params, message, bytes + 1, digest, hash_bytes) ==
                       FIN_OK);
}

static void hash_pair(const uint8_t *left, const uint8_t *right, uint8_t *parent)
{
    uint8_t pair[2 * HASH_MAX];
    memcpy(pair, left, hash_bytes);
    memcpy(pair + hash_bytes, right, hash_bytes);
    hash_with(1, pair, 2 * hash_bytes, parent);
}

static uint64_t split(uint64_t count)
{
    uint64_t k = 1;
    while (k < count - k) {
        k *= 2;
    }
    return k;
}

/* MTH(D[first : end]) */
static void tree_hash(size_t first, size_t end, uint8_t *root)
{
    if (first == end) {
        (void)CHECK_NEEDED(fin_hash(algorithm, &params, NULL, 0, root, hash_bytes) == FIN_OK);
    } else if (end - first == 1) {
        memcpy(root, leaves + first * hash_bytes, hash_bytes);
    } else {
        uint8_t left[HASH_MAX], right[HASH_MAX];
        const size_t k = (size_t)split(end - first);
        tree_hash(first, first + k, left);
        tree_hash(first + k, end, right);
        hash_pair(left, right, root);
    }
}

static void add(proof *p, size_t first, size_t end)
{
    tree_hash(first, end, p->hashes + p->count++ * hash_bytes);
}

/* PATH(m, D[first : end]) */
static void path(size_t m, size_t first, size_t end, proof *p)
{
    if (end - first > 1) {
        const size_t k = (size_t)split(end - first);
        if (m < k) {
            path(m, first, first + k, p);
            add(p, first + k, end);
        } else {
            path(m - k, first + k, end, p);
            add(p, first, first + k);
        }
    }
}

/* SUBPROOF(m, D[first : end], whole) */
static void subproof(size_t m, size_t first, size_t end, bool whole, proof *p)
{
    if (m == end - first) {
        if (!whole) {
            add(p, first, end);
        }
        return;
    }
    const size_t k = (size_t)split(end - first);
    if (m <= k) {
        subproof(m, first, first + k, whole, p);
        add(p, first + k, end);
    } else {
        subproof(m - k, first + k, end, false, p);
        add(p, first, first + k);
    }
}
