/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares BLAKE3 with the reference of the fuzz targets, which follows the paper's recursion:
 * every length up to eight chunks, lengths around 2^k chunks, the three modes, messages in parts,
 * outputs from any position. Trees whose first chunks are known only by their subtrees let counters
 * pass 2^32 and have the maximal number of levels. Many messages of all these lengths in one call.
 * Every implementation.
 */
#include "check.h"

#include "../../fuzz/reference_blake3.h"

enum {
    CHUNK = 1024,
    EVERY_LENGTH = 8 * CHUNK + 1,
    MESSAGE_BYTES = 600 * CHUNK,
    DIGEST_MAX = 131,
    SUBTREES = 54
};

static uint8_t message[MESSAGE_BYTES + 64];
static uint8_t key[32];
static const char context[] = "finalist 2026-11-23 tests of BLAKE3";

enum { HASH, KEYED, DERIVE, MODES };

static fin_params params_of(unsigned mode)
{
    return mode == KEYED    ? (fin_params){.key = key, .key_bytes = sizeof key}
           : mode == DERIVE ? (fin_params){.derive_key_context = context,
                                           .derive_key_context_bytes = sizeof context - 1}
                            : (fin_params){0};
}

static void expect(const fin_params *params, const uint8_t *in, size_t bytes, uint8_t *digest,
                   size_t digest_bytes)
{
    const reference_blake3_text text = {.in = in, .bytes = bytes};
    reference_blake3(params, &text, 0, digest, digest_bytes);
}

static void check_one_call(unsigned mode, const uint8_t *in, size_t bytes, const uint8_t *expected,
                           size_t digest_bytes)
{
    uint8_t digest[DIGEST_MAX];
    fin_params params = params_of(mode);
    params.digest_bytes = digest_bytes;
    CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE3, &params, in, bytes, digest, digest_bytes));
    CHECK_BYTES(expected, digest, digest_bytes);
}

/* The reference's digests are the same for every implementation, so the first one computes them. */
static void test_every_length(void)
{
    static uint8_t expected[EVERY_LENGTH + 1][DIGEST_MAX];
    static bool known;
    for (size_t bytes = 0; bytes <= EVERY_LENGTH; bytes++) {
        const unsigned mode = (unsigned)bytes % MODES;
        const uint8_t *in = message + bytes % 64;
        if (!known) {
            const fin_params params = params_of(mode);
            expect(&params, in, bytes, expected[bytes], DIGEST_MAX);
        }
        check_context("%s, %u bytes", check_part_name, (unsigned)bytes);
        check_one_call(mode, in, bytes, expected[bytes], bytes % 7 == 0 ? DIGEST_MAX : 32);
    }
    known = true;
}

static void test_powers_of_two(void)
{
    for (size_t chunks = 16; chunks <= 512; chunks *= 2) {
        for (size_t i = 0; i < 10; i++) {
            const size_t more = (const size_t[]){0, 1, 5, CHUNK, 3 * CHUNK + 7}[i / 2];
            const size_t fewer = i % 2 * (i + CHUNK * (i / 2 % 2));
            const size_t bytes = chunks * CHUNK + more - fewer;
            const unsigned mode = (unsigned)(chunks + i) % MODES;
            const fin_params params = params_of(mode);
            const uint8_t *in = message + i % 2 * 3;
            uint8_t expected[32];
            check_context("%s, %u bytes", check_part_name, (unsigned)bytes);
            expect(&params, in, bytes, expected, sizeof expected);
            check_one_call(mode, in, bytes, expected, sizeof expected);
        }
    }
}

/* ---- Parts ---- */

/* Favours whole chunks, after which the tree buffers no bytes, and so parts that are buffered. */
static size_t random_piece(size_t left)
{
    const size_t kind = check_random_below(7);
    const size_t piece = kind == 0   ? CHUNK * check_random_below(70)
                         : kind == 1 ? (size_t)CHUNK << check_random_below(9)
                         : kind == 2 ? CHUNK - 1 + check_random_below(3)
                         : kind == 3 ? 1 + check_random_below(80)
                                     : check_random_below(3 * CHUNK);
    return piece < left ? piece : left;
}

/* Sometimes continues with a midstate or a copy. */
static void go_on_elsewhere(fin_context *stream)
{
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX];
    size_t bytes = sizeof midstate;
    fin_context other;
    memset(&other, 0x5a, sizeof other);
    if (check_random_below(2) == 0) {
        CHECK_STATUS(FIN_OK, fin_copy(&other, stream));
    } else {
        CHECK_STATUS(FIN_OK, fin_save(stream, midstate, &bytes));
        CHECK_STATUS(FIN_OK, fin_restore(&other, midstate, bytes));
    }
    memset(stream, 0xa5, sizeof *stream);
    CHECK_STATUS(FIN_OK, fin_copy(stream, &other));
}

static void test_pieces(void)
{
    for (unsigned trial = 0; trial < 150; trial++) {
        const unsigned mode = trial % MODES;
        const fin_params params = params_of(mode);
        const size_t most = trial % 5 == 0 ? MESSAGE_BYTES : 40 * CHUNK;
        const size_t random_bytes = check_random_below(most + 1);
        const size_t bytes = trial % 2 == 0 ? random_bytes : random_bytes / CHUNK * CHUNK;
        uint8_t expected[32], digest[32];
        fin_context stream;
        check_context("%s, %u bytes in parts, mode %u", check_part_name, (unsigned)bytes, mode);
        expect(&params, message, bytes, expected, sizeof expected);
        CHECK_STATUS(FIN_OK, fin_init(&stream, FIN_BLAKE3, &params));
        for (size_t at = 0, piece; at < bytes; at += piece) {
            piece = random_piece(bytes - at);
            CHECK_STATUS(FIN_OK, fin_update(&stream, message + at, piece));
            if (check_random_below(8) == 0) {
                go_on_elsewhere(&stream);
            }
        }
        CHECK_STATUS(FIN_OK, fin_final(&stream, digest, sizeof digest));
        CHECK_BYTES(expected, digest, sizeof digest);
        CHECK_STATUS(mode == KEYED ? FIN_ERR_KEY_WIPED : FIN_OK, fin_reset(&stream));
        if (mode != KEYED) {
            CHECK_STATUS(FIN_OK, fin_update(&stream, message, bytes));
            CHECK_STATUS(FIN_OK, fin_final(&stream, digest, sizeof digest));
            CHECK_BYTES(expected, digest, sizeof digest);
        }
    }
}

/* ---- Output ---- */

static void test_output(void)
{
    static const uint64_t positions[] = {0,
                                         1,
                                         63,
                                         64,
                                         65,
                                         1000,
                                         (UINT64_C(1) << 38) - 65,
                                         (UINT64_C(1) << 38) - 1,
                                         (UINT64_C(1) << 63) + 17,
                                         UINT64_MAX - 200};
    static const size_t lengths[] = {0, 1, 64, 65, 700, 1024, 1025, 5000};
    for (unsigned i = 0; i < 3 * sizeof lengths / sizeof lengths[0]; i++) {
        const fin_params params = params_of(i % MODES);
        const reference_blake3_text text = {.in = message, .bytes = lengths[i / MODES]};
        fin_context stream;
        CHECK_STATUS(FIN_OK, fin_init(&stream, FIN_BLAKE3, &params));
        CHECK_STATUS(FIN_OK, fin_update(&stream, message, text.bytes));
        for (size_t p = 0; p < sizeof positions / sizeof positions[0]; p++) {
            uint8_t expected[200], out[200];
            check_context("%s, output of %u bytes from %" PRIu64, check_part_name,
                          (unsigned)text.bytes, positions[p]);
            reference_blake3(&params, &text, positions[p], expected, sizeof expected);
            CHECK_STATUS(FIN_OK, fin_seek(&stream, positions[p]));
            for (size_t at = 0, piece; at < sizeof out; at += piece) {
                piece = check_random_below(sizeof out - at + 1);
                CHECK_STATUS(FIN_OK, fin_squeeze(&stream, out + at, piece));
            }
            CHECK_BYTES(expected, out, sizeof out);
        }
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_squeeze(&stream, message, 1));
        CHECK_STATUS(FIN_OK, fin_seek(&stream, UINT64_MAX));
        CHECK_STATUS(FIN_ERR_STATE, fin_update(&stream, message, 1));
    }
}

/* ---- Trees known by their subtrees ---- */

/* Forges a midstate after `chunks` chunks, whose subtrees have random chaining values, and a few
 * more bytes. */
static size_t forge(uint8_t *midstate, uint64_t chunks, uint8_t subtrees[SUBTREES][32],
                    const uint8_t *in, size_t bytes)
{
    enum { AT_BUFFERED = 8, AT_COUNTER = 24, AT_H = 104 };
    const fin_params params = params_of(KEYED);
    size_t at = FIN_MIDSTATE_BYTES_MAX;
    fin_context stream;
    CHECK_STATUS(FIN_OK, fin_init(&stream, FIN_BLAKE3, &params));
    CHECK_STATUS(FIN_OK, fin_save(&stream, midstate, &at));
    CHECK(at == AT_H);
    for (size_t i = 0; i < 8; i++) {
        midstate[AT_COUNTER + i] = (uint8_t)(chunks >> 8 * i);
    }
    midstate[AT_BUFFERED] = (uint8_t)bytes;
    midstate[AT_BUFFERED + 1] = (uint8_t)(bytes >> 8);
    for (size_t i = 0; chunks != 0; i++, at += 32) {
        check_random_bytes(subtrees[i], 32);
        memcpy(midstate + at, subtrees[i], 32);
        chunks &= chunks - 1;
    }
    memcpy(midstate + at, in, bytes);
    return at + bytes;
}

static void test_counters(void)
{
    static const uint64_t counters[] = {1,
                                        2,
                                        255,
                                        (UINT64_C(1) << 32) - 1,
                                        (UINT64_C(1) << 32) - 3,
                                        (UINT64_C(1) << 32) - 16,
                                        (UINT64_C(1) << 32) - 21,
                                        UINT64_C(1) << 32,
                                        (UINT64_C(1) << 33) - 8,
                                        (UINT64_C(5) << 34) + 11,
                                        (UINT64_C(1) << 54) - 300,
                                        (UINT64_C(1) << 54) - 1};
    for (unsigned trial = 0; trial < 8 * sizeof counters / sizeof counters[0]; trial++) {
        const uint64_t chunks = counters[trial / 8];
        const uint64_t left_chunks = (UINT64_C(1) << 54) - chunks;
        const size_t most = left_chunks < 100 ? (size_t)left_chunks * CHUNK - 1 : 100 * CHUNK;
        const size_t bytes = 1 + check_random_below(trial % 2 == 0 ? most : most / 30);
        const size_t first = bytes < CHUNK ? bytes : 1 + check_random_below(CHUNK);
        const fin_params params = params_of(KEYED);
        uint8_t midstate[FIN_MIDSTATE_BYTES_MAX], subtrees[SUBTREES][32], expected[64], digest[64];
        const reference_blake3_text text = {message, bytes, chunks, (const uint8_t(*)[32])subtrees};
        fin_context stream;
        check_context("%s, %u bytes after %" PRIu64 " chunks", check_part_name, (unsigned)bytes,
                      chunks);
        const size_t forged = forge(midstate, chunks, subtrees, message, first);
        reference_blake3(&params, &text, 0, expected, sizeof expected);
        CHECK_STATUS(FIN_OK, fin_restore(&stream, midstate, forged));
        stream.digest_bytes = sizeof digest;
        for (size_t at = first, piece; at < bytes; at += piece) {
            piece = random_piece(bytes - at);
            CHECK_STATUS(FIN_OK, fin_update(&stream, message + at, piece));
        }
        CHECK_STATUS(FIN_OK, fin_final(&stream, digest, sizeof digest));
        CHECK_BYTES(expected, digest, sizeof digest);
    }
}

/* A message has fewer than 2^64 bytes. */
static void test_too_long(void)
{
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX], subtrees[SUBTREES][32], digest[32];
    fin_context stream;
    check_context("too long");
    size_t bytes = forge(midstate, (UINT64_C(1) << 54) - 1, subtrees, message, CHUNK - 2);
    CHECK_STATUS(FIN_OK, fin_restore(&stream, midstate, bytes));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_update(&stream, message, 2));
    CHECK_STATUS(FIN_OK, fin_update(&stream, message, 1));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_update(&stream, message, 1));
    CHECK_STATUS(FIN_OK, fin_final(&stream, digest, sizeof digest));
    bytes = forge(midstate, (UINT64_C(1) << 54) - 1, subtrees, message, CHUNK);
    CHECK_STATUS(FIN_OK, fin_restore(&stream, midstate, bytes));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_final(&stream, digest, sizeof digest));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_squeeze(&stream, digest, sizeof digest));
    CHECK_STATUS(FIN_ERR_MESSAGE_LENGTH, fin_seek(&stream, 0));
}

/* Tests midstates that no message has. */
static void test_midstates(void)
{
    enum { AT_BUFFERED = 8, AT_COUNTER = 24, AT_KEY = 40, AT_MODE = 72 };
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX] = {0}, changed[FIN_MIDSTATE_BYTES_MAX];
    uint8_t subtrees[SUBTREES][32];
    fin_context stream;
    size_t bytes = forge(midstate, 5, subtrees, message, 3);
    check_context("midstates");
    CHECK_STATUS(FIN_OK, fin_restore(&stream, midstate, bytes));
    CHECK_STATUS(FIN_ERR_MIDSTATE, fin_restore(&stream, midstate, bytes - 1));
    memcpy(changed, midstate, sizeof changed);
    changed[AT_COUNTER] = 7; /* three subtrees */
    CHECK_STATUS(FIN_ERR_MIDSTATE, fin_restore(&stream, changed, bytes));
    for (unsigned mode = 0; mode < 256; mode++) {
        memcpy(changed, midstate, sizeof changed);
        changed[AT_MODE] = (uint8_t)mode;
        CHECK_STATUS(mode == 16 || mode == 64 ? FIN_OK : FIN_ERR_MIDSTATE,
                     fin_restore(&stream, changed, bytes));
    }
    memcpy(changed, midstate, sizeof changed);
    changed[AT_COUNTER] = 1;
    changed[AT_BUFFERED] = 0;
    CHECK_STATUS(FIN_ERR_MIDSTATE, fin_restore(&stream, changed, 104 + 32));
    memcpy(changed, midstate, sizeof changed);
    memset(changed + AT_COUNTER, 0, 8);
    changed[AT_COUNTER + 6] = 0x40; /* 2^54 chunks: two halves, or one subtree */
    CHECK_STATUS(FIN_ERR_MIDSTATE, fin_restore(&stream, changed, 104 + 32 + 3));
    changed[AT_BUFFERED] = 0;
    CHECK_STATUS(FIN_ERR_MIDSTATE, fin_restore(&stream, changed, 104 + 64));
    memset(changed + AT_COUNTER, 0xff, 8);
    CHECK_STATUS(FIN_ERR_MIDSTATE, fin_restore(&stream, changed, 104 + 64 * 32));
}

/* ---- Parameters ---- */

static void test_parameters(void)
{
    uint8_t digest[64], expected[64];
    fin_context stream;
    fin_params params = {0};
    check_context("parameters");
    for (size_t bytes = 1; bytes <= 64; bytes++) {
        uint8_t long_key[64] = {0};
        params = (fin_params){.key = long_key, .key_bytes = bytes};
        CHECK_STATUS(bytes == 32 ? FIN_OK : FIN_ERR_KEY_LENGTH,
                     fin_hash(FIN_BLAKE3, &params, message, 3, digest, 32));
    }
    params = (fin_params){.salt = key, .salt_bytes = 8};
    CHECK_STATUS(FIN_ERR_SALT_LENGTH, fin_init(&stream, FIN_BLAKE3, &params));
    params = (fin_params){.personal = key, .personal_bytes = 8};
    CHECK_STATUS(FIN_ERR_PERSONAL_LENGTH, fin_init(&stream, FIN_BLAKE3, &params));
    params = (fin_params){.tree_mode = &(fin_tree_mode){.depth = 1}};
    CHECK_STATUS(FIN_ERR_TREE_MODE, fin_init(&stream, FIN_BLAKE3, &params));
    params = (fin_params){.derive_key_context_bytes = 1};
    CHECK_STATUS(FIN_ERR_NULL, fin_init(&stream, FIN_BLAKE3, &params));
    params = (fin_params){.derive_key_context = context, .key = key, .key_bytes = 32};
    CHECK_STATUS(FIN_ERR_DERIVE_KEY, fin_init(&stream, FIN_BLAKE3, &params));
    params = (fin_params){.derive_key_context = context, .derive_key_context_bytes = SIZE_MAX};
    CHECK_STATUS(FIN_ERR_DERIVE_KEY, fin_init(&stream, FIN_BLAKE3, &params));
    params = (fin_params){.derive_key_context = context, .derive_key_context_bytes = 5};
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm algorithm = fin_algorithm_at(i)->algorithm;
        CHECK_STATUS(algorithm == FIN_BLAKE3 ? FIN_OK : FIN_ERR_DERIVE_KEY,
                     fin_init(&stream, algorithm, &params));
    }
    fin_merkle tree;
    CHECK_STATUS(FIN_ERR_DERIVE_KEY, fin_merkle_init(&tree, FIN_BLAKE3, &params));
    /* An empty context is allowed, and a long one forms a tree. */
    for (size_t bytes = 0; bytes <= 70 * CHUNK; bytes = 3 * bytes + 1) {
        params = (fin_params){.derive_key_context = message, .derive_key_context_bytes = bytes};
        expect(&params, key, sizeof key, expected, 50);
        CHECK_STATUS(FIN_OK, fin_blake3_derive_key(digest, 50, message, bytes, key, sizeof key));
        CHECK_BYTES(expected, digest, 50);
    }
    params = params_of(KEYED);
    expect(&params, message, 100, expected, 40);
    CHECK_STATUS(FIN_OK, fin_blake3(digest, 40, message, 100, key, sizeof key));
    CHECK_BYTES(expected, digest, 40);
    CHECK_STATUS(FIN_OK, fin_blake3_init(&stream, 40, key, sizeof key));
    CHECK_STATUS(FIN_OK, fin_update(&stream, message, 100));
    CHECK_STATUS(FIN_OK, fin_final(&stream, digest, 40));
    CHECK_BYTES(expected, digest, 40);
    CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, fin_blake3(digest, 0, message, 100, NULL, 0));
    CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, fin_blake3_derive_key(digest, 0, key, 1, key, 1));
    CHECK_STATUS(FIN_ERR_NULL, fin_blake3_derive_key(digest, 1, NULL, 0, key, 1));
}

/* An output of unknown length fills the buffer, and is a prefix of every longer one. */
static void test_digest_lengths(void)
{
    static uint8_t expected[3000], digest[3000];
    fin_params params = {0};
    fin_context stream;
    expect(&params, message, 2000, expected, sizeof expected);
    for (size_t bytes = 1; bytes <= sizeof digest; bytes += bytes < 200 ? 1 : 97) {
        check_context("%u bytes of output", (unsigned)bytes);
        params.digest_bytes = bytes % 2 == 0 ? FIN_XOF_UNKNOWN : bytes;
        CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE3, &params, message, 2000, digest, bytes));
        CHECK_BYTES(expected, digest, bytes);
        CHECK_STATUS(FIN_OK, fin_init(&stream, FIN_BLAKE3, &params));
        CHECK_STATUS(FIN_OK, fin_update(&stream, message, 2000));
        CHECK_STATUS(FIN_OK, fin_final(&stream, digest, bytes));
        CHECK_BYTES(expected, digest, bytes);
    }
    params.digest_bytes = UINT64_MAX - 1;
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_hash(FIN_BLAKE3, &params, message, 1, digest, 32));
}

/* ---- Many messages ---- */

enum { MANY = 300, GAP = 3 };

/* Checks messages of up to bytes_max bytes, or all of that length. */
static void check_many(unsigned mode, size_t count, size_t bytes_max, bool equal,
                       size_t digest_bytes)
{
    static uint8_t digests[MANY * (64 + GAP)], expected[64], gap[GAP];
    fin_message messages[MANY];
    fin_params params = params_of(mode);
    const size_t stride = digest_bytes + GAP;
    params.digest_bytes = digest_bytes;
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = equal ? bytes_max : check_random_below(bytes_max + 1);
        messages[i] = (fin_message){message + check_random_below(MESSAGE_BYTES - bytes), bytes};
    }
    memset(digests, 0xa5, sizeof digests);
    memset(gap, 0xa5, sizeof gap);
    check_context("%s, %u messages of up to %u bytes", check_part_name, (unsigned)count,
                  (unsigned)bytes_max);
    CHECK_STATUS(FIN_OK, fin_hash_many(FIN_BLAKE3, &params, messages, count, digests, stride));
    for (size_t i = 0; i < count; i++) {
        expect(&params, messages[i].in, messages[i].bytes, expected, digest_bytes);
        CHECK_BYTES(expected, digests + i * stride, digest_bytes);
        CHECK_BYTES(gap, digests + i * stride + digest_bytes, i + 1 < count ? GAP : 0);
    }
}

static void test_many(void)
{
    static const size_t most[] = {0, 1, 64, 100, 128, 257, 1024, 1025, 5 * CHUNK, 70 * CHUNK};
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        for (unsigned mode = 0; mode < MODES; mode++) {
            const size_t limit = most[i] < 2 * CHUNK ? MANY : 40;
            check_many(mode, 1 + check_random_below(limit), most[i], false, 32);
            check_many(mode, 1 + check_random_below(limit), most[i], true,
                       1 + check_random_below(64));
        }
    }
    for (size_t count = 1; count < 12; count++) {
        check_many(HASH, count, 60 * CHUNK, false, 32);
    }
    for (size_t count = 1; count < 40; count++) {
        check_many((unsigned)count % MODES, count, 3 * CHUNK, count % 2 == 0, 32);
    }
}

static void test_all(fin_algorithm algorithm)
{
    (void)algorithm;
    test_many();
    test_every_length();
    test_powers_of_two();
    test_pieces();
    test_output();
    test_counters();
}

static void test_impl(fin_algorithm algorithm, const char *impl, void *data)
{
    (void)impl;
    (void)data;
    test_all(algorithm);
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(message, sizeof message);
    check_random_bytes(key, sizeof key);
    check_each_impl(FIN_BLAKE3, test_impl, NULL);
    check_each_choice(FIN_BLAKE3, test_all);
    test_too_long();
    test_midstates();
    test_parameters();
    test_digest_lengths();
    return check_report();
}
