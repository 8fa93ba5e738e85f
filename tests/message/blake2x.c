/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares BLAKE2X with its definition (BLAKE2X paper, section 2): root and output nodes from
 * parameter blocks written here, through the block interface. Outputs of more than 2^16 nodes,
 * lengths at the edges of nodes, outputs squeezed in parts of any length.
 */
#include "block_state.h"

enum { MESSAGE_BYTES = 300, NODES = 70100 };

static uint8_t message[MESSAGE_BYTES];

typedef struct xof {
    fin_algorithm node; /* BLAKE2b or BLAKE2s */
    size_t unit;        /* bytes of a node's digest */
    uint64_t unknown;   /* the value of an unknown length */
} xof;

static xof xof_of(fin_algorithm algorithm)
{
    return algorithm == FIN_BLAKE2XB ? (xof){FIN_BLAKE2B, 64, UINT32_MAX}
                                     : (xof){FIN_BLAKE2S, 32, UINT16_MAX};
}

static uint64_t load_le(const uint8_t *in, size_t bytes)
{
    uint64_t word = 0;
    for (size_t i = bytes; i-- > 0;) {
        word = word << 8 | in[i];
    }
    return word;
}

static void store_le(uint8_t *out, uint64_t word, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(word >> 8 * i);
    }
}

/* Hashes BLAKE2 with any parameter block: XORing it to the plain function's leaves the IV. */
static void hash_with(const xof *x, const uint8_t parameters[64], const uint8_t *in, size_t bytes,
                      uint8_t *digest)
{
    const uint64_t plain = 0x01010000 + x->unit;
    block_state state;
    (void)CHECK_NEEDED(block_start(&state, x->node, NULL));
    for (size_t i = 0; i < 8; i++) {
        if (x->node == FIN_BLAKE2B) {
            state.is.blake2b.H[i] ^= (i == 0 ? plain : 0) ^ load_le(parameters + 8 * i, 8);
        } else {
            state.is.blake2s.H[i] ^=
                (uint32_t)((i == 0 ? plain : 0) ^ load_le(parameters + 4 * i, 4));
        }
    }
    const size_t whole = bytes == 0 ? 0 : (bytes - 1) / state.block_bytes * state.block_bytes;
    (void)CHECK_NEEDED(block_call(&state, in, whole, state.block_bytes) == FIN_OK);
    (void)CHECK_NEEDED(block_final(&state, in + whole, bytes - whole) == FIN_OK);
    block_digest(&state, digest);
}

/* Writes the parameter block's fields that a root shares with its output nodes. */
static void put_offset(const xof *x, uint8_t parameters[64], uint64_t node, uint64_t output_bytes)
{
    store_le(parameters + 8, node, 4);
    store_le(parameters + 12, output_bytes, x->node == FIN_BLAKE2B ? 4 : 2);
}

/* Computes bytes first to first + count of an output of output_bytes bytes. */
static void output_by_definition(const xof *x, size_t message_bytes, uint64_t output_bytes,
                                 uint64_t first_node, size_t count, uint8_t *out)
{
    const size_t depth_at = x->node == FIN_BLAKE2B ? 16 : 14;
    uint8_t root[64], digest[64];
    uint8_t parameters[64] = {(uint8_t)x->unit, 0, 1, 1};
    put_offset(x, parameters, 0, output_bytes);
    hash_with(x, parameters, message, message_bytes, root);
    memset(parameters, 0, sizeof parameters);
    store_le(parameters + 4, x->unit, 4);
    parameters[depth_at + 1] = (uint8_t)x->unit;
    for (uint64_t node = first_node; count != 0; node++) {
        const uint64_t left = output_bytes == x->unknown ? x->unit : output_bytes - node * x->unit;
        const size_t bytes = left < x->unit ? (size_t)left : x->unit;
        const size_t take = bytes < count ? bytes : count;
        parameters[0] = (uint8_t)bytes;
        put_offset(x, parameters, node, output_bytes);
        hash_with(x, parameters, root, x->unit, digest);
        memcpy(out, digest, take);
        out += take;
        count -= take;
    }
}

/* Checks every node of a long output: a truncated counter would repeat or jump. */
static void check_long_output(fin_algorithm algorithm)
{
    const xof x = xof_of(algorithm);
    const fin_params params = {.digest_bytes = FIN_XOF_UNKNOWN};
    fin_context context;
    (void)CHECK_NEEDED(fin_init(&context, algorithm, &params) == FIN_OK);
    (void)CHECK_NEEDED(fin_update(&context, message, 100) == FIN_OK);
    for (uint64_t node = 0; node < NODES;) {
        enum { AT_ONCE = 50 };
        uint8_t expected[AT_ONCE * 64], got[AT_ONCE * 64];
        const size_t bytes = AT_ONCE * x.unit;
        (void)CHECK_NEEDED(fin_squeeze(&context, got, bytes) == FIN_OK);
        output_by_definition(&x, 100, x.unknown, node, bytes, expected);
        if (!CHECK_BYTES(expected, got, bytes)) {
            printf("    nodes from %lu on\n", (unsigned long)node);
            break;
        }
        node += AT_ONCE;
    }
    fin_wipe(&context);
}

/* Checks that nothing follows the last bytes of an output, whatever was squeezed before. */
static void check_end(fin_algorithm algorithm, uint64_t output_bytes)
{
    const xof x = xof_of(algorithm);
    const bool known = output_bytes != FIN_XOF_UNKNOWN;
    const uint64_t all = known ? output_bytes : (uint64_t)x.unit << 32;
    const uint64_t node = (all - 1) / x.unit;
    const size_t rest = (size_t)(all - node * x.unit);
    const fin_params params = {.digest_bytes = output_bytes};
    uint8_t expected[64], got[64] = {0};
    const uint8_t untouched[64] = {0};
    fin_context context;
    (void)CHECK_NEEDED(fin_init(&context, algorithm, &params) == FIN_OK);
    (void)CHECK_NEEDED(fin_update(&context, message, 77) == FIN_OK);
    CHECK_STATUS(FIN_OK, fin_squeeze(&context, got, 0));
    for (size_t left = rest; left != SIZE_MAX; left--) {
        context.squeezed_bytes = all - left;
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_squeeze(&context, got, left + 1));
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_squeeze(&context, got, SIZE_MAX));
        CHECK(context.squeezed_bytes == all - left);
        CHECK_BYTES(untouched, got, sizeof got);
    }
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_seek(&context, all + 1));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_seek(&context, UINT64_MAX));
    CHECK(context.squeezed_bytes == all);
    CHECK_STATUS(FIN_OK, fin_seek(&context, 0));
    CHECK_STATUS(FIN_OK, fin_seek(&context, all));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_squeeze(&context, got, 1));
    CHECK_STATUS(FIN_OK, fin_seek(&context, all - rest));
    CHECK_STATUS(FIN_OK, fin_squeeze(&context, got, rest));
    CHECK_STATUS(FIN_OK, fin_squeeze(&context, got, 0));
    CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_squeeze(&context, got, 1));
    output_by_definition(&x, 77, known ? output_bytes : x.unknown, node, rest, expected);
    CHECK_BYTES(expected, got, rest);
}

/* Checks the valid lengths: the value of an unknown length is not one of them. */
static void check_limits(fin_algorithm algorithm)
{
    const xof x = xof_of(algorithm);
    const uint64_t wrong[] = {x.unknown,      x.unknown + 1,     2 * x.unknown,
                              UINT64_MAX - 1, UINT64_C(1) << 32, UINT64_C(1) << 63};
    fin_context context;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const fin_params params = {.digest_bytes = wrong[i]};
        CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, fin_init(&context, algorithm, &params));
    }
    check_end(algorithm, 1);
    check_end(algorithm, x.unit);
    check_end(algorithm, x.unit + 1);
    check_end(algorithm, x.unknown - 1);
    check_end(algorithm, FIN_XOF_UNKNOWN);
}

static void check_lengths(fin_algorithm algorithm)
{
    const xof x = xof_of(algorithm);
    static uint8_t expected[2000], got[2000];
    for (unsigned turn = 0; turn < 200; turn++) {
        const size_t output_bytes =
            turn < 100 ? x.unit * (1 + turn / 3) + turn % 3 - 1 : 1 + check_random_below(1999);
        const size_t message_bytes = check_random_below(MESSAGE_BYTES + 1);
        const fin_params params = {.digest_bytes = output_bytes};
        if (output_bytes > sizeof got) {
            continue;
        }
        output_by_definition(&x, message_bytes, output_bytes, 0, output_bytes, expected);
        CHECK_STATUS(FIN_OK, fin_hash(algorithm, &params, message, message_bytes, got, sizeof got));
        CHECK_BYTES(expected, got, output_bytes);
        fin_context context;
        (void)CHECK_NEEDED(fin_init(&context, algorithm, &params) == FIN_OK);
        (void)CHECK_NEEDED(fin_update(&context, message, message_bytes) == FIN_OK);
        memset(got, 0, sizeof got);
        for (size_t at = 0; at < output_bytes;) {
            const size_t left = output_bytes - at;
            const size_t piece = check_random_below(2 * x.unit);
            const size_t take = piece < left ? piece : left;
            CHECK_STATUS(FIN_OK, fin_squeeze(&context, got + at, take));
            at += take;
        }
        CHECK_BYTES(expected, got, output_bytes);
        CHECK_STATUS(FIN_ERR_OUTPUT_LENGTH, fin_squeeze(&context, got, 1));
        fin_wipe(&context);
    }
}

static void check_with(fin_algorithm algorithm, const char *impl, void *data)
{
    (void)impl;
    (void)data;
    check_limits(algorithm);
    check_lengths(algorithm);
    check_long_output(algorithm);
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    check_random_bytes(message, sizeof message);
    check_each_impl(FIN_BLAKE2XB, check_with, NULL);
    check_each_impl(FIN_BLAKE2XS, check_with, NULL);
    return check_report();
}
