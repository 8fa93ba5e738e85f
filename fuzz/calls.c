/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Fuzzes sequences of calls on two contexts. A model keeps each context's message and phase; every
 * digest is compared with the reference, every status with the header.
 */
#include "input.h"

enum { MESSAGE_MAX = 6000, STEP_MAX = 2200, STEPS_MAX = 24, OUTPUT_MAX = 300 };

typedef enum phase { NONE, ABSORBING, SQUEEZING, DONE } phase;

/* A context and its expected state. */
typedef struct pair {
    fin_context context;
    phase phase;
    bool key_lost; /* wiped by fin_final, or absent from a midstate */
    size_t bytes;
    size_t squeezed;
    uint8_t message[MESSAGE_MAX];
} pair;

static fin_algorithm algorithm;
static parameters own;
static pair pairs[2];

static bool is_xof(void)
{
    return fin_algorithm_describe(algorithm)->digest_bytes_max > 64;
}

static size_t output_bytes(void)
{
    const uint64_t bytes = reference_digest_bytes(algorithm, &own.params);
    return bytes == FIN_XOF_UNKNOWN ? OUTPUT_MAX : (size_t)bytes;
}

static void start(pair *p)
{
    EXPECT(fin_init(&p->context, algorithm, &own.params) == FIN_OK);
    p->phase = ABSORBING;
    p->key_lost = false;
    p->bytes = p->squeezed = 0;
}

static void update(pair *p, input *in)
{
    const size_t bytes = take_up_to(in, STEP_MAX);
    uint8_t *to = p->message + p->bytes;
    if (p->phase != ABSORBING) {
        EXPECT(fin_update(&p->context, "x", 1) == FIN_ERR_STATE);
    } else if (p->bytes + bytes <= MESSAGE_MAX) {
        take_filling(in, to, bytes);
        EXPECT(fin_update(&p->context, to, bytes) == FIN_OK);
        p->bytes += bytes;
    }
}

static void share(pair *p, input *in)
{
    const size_t bytes = take_up_to(in, STEP_MAX);
    uint8_t *to = p->message + p->bytes;
    const bool shared =
        algorithm == FIN_BLAKE2BP || algorithm == FIN_BLAKE2SP || algorithm == FIN_BLAKE3;
    fin_share parts;
    if (p->phase != ABSORBING || !shared || p->bytes + bytes > MESSAGE_MAX) {
        const fin_status wrong = p->phase != ABSORBING ? FIN_ERR_STATE : FIN_ERR_ALGORITHM;
        EXPECT((p->phase == ABSORBING && shared) ||
               fin_share_begin(&p->context, "x", 1, &parts) == wrong);
        return;
    }
    take_filling(in, to, bytes);
    EXPECT(fin_share_begin(&p->context, to, bytes, &parts) == FIN_OK);
    EXPECT(fin_update(&p->context, to, 1) == FIN_ERR_STATE);
    if (take_byte(in) % 8 == 7) {
        start(p); /* abandons the message */
        return;
    }
    const uint32_t middle = take_byte(in) % (parts.leaf_count + 1);
    EXPECT(fin_share_leaves(&p->context, &parts, middle, parts.leaf_count - middle) == FIN_OK);
    EXPECT(fin_share_leaves(&p->context, &parts, 0, middle) == FIN_OK);
    EXPECT(fin_share_end(&p->context, &parts) == FIN_OK);
    p->bytes += bytes;
}

static void finish(pair *p, input *in)
{
    uint8_t digest[OUTPUT_MAX + 1], expected[OUTPUT_MAX];
    const size_t bytes = output_bytes();
    const bool takes_bits = fin_algorithm_describe(algorithm)->bits;
    const unsigned bits = takes_bits && p->bytes < MESSAGE_MAX ? take_byte(in) % 8 : 0;
    const uint8_t last = take_byte(in);
    digest[bytes] = 0xee;
    if (p->phase != ABSORBING) {
        EXPECT(fin_final(&p->context, digest, bytes) == FIN_ERR_STATE);
        return;
    }
    if (own.params.digest_bytes != FIN_XOF_UNKNOWN) {
        EXPECT(fin_final(&p->context, digest, bytes - 1) == FIN_ERR_OUTPUT_LENGTH);
    }
    EXPECT(fin_final_bits(&p->context, last, bits, digest, bytes) == FIN_OK);
    if (is_xof()) {
        reference_xof(algorithm, &own.params, p->message, p->bytes, expected, bytes);
    } else {
        if (p->bytes < MESSAGE_MAX) {
            p->message[p->bytes] = last;
        }
        reference_hash_bits(algorithm, &own.params, p->message, 8 * (uint64_t)p->bytes + bits,
                            expected);
    }
    EXPECT(memcmp(digest, expected, bytes) == 0 && digest[bytes] == 0xee);
    p->phase = DONE;
    p->key_lost = own.params.key_bytes != 0;
}

static void squeeze(pair *p, input *in)
{
    uint8_t out[OUTPUT_MAX], expected[OUTPUT_MAX];
    const size_t left = output_bytes() - p->squeezed;
    const size_t bytes = take_up_to(in, left);
    if ((p->phase != ABSORBING && p->phase != SQUEEZING) || !is_xof()) {
        const bool absorbing = p->phase == ABSORBING;
        EXPECT(fin_squeeze(&p->context, out, 1) == (absorbing ? FIN_ERR_ALGORITHM : FIN_ERR_STATE));
        return;
    }
    EXPECT(fin_squeeze(&p->context, out, bytes) == FIN_OK);
    reference_xof(algorithm, &own.params, p->message, p->bytes, expected, p->squeezed + bytes);
    EXPECT(memcmp(out, expected + p->squeezed, bytes) == 0);
    p->squeezed += bytes;
    p->phase = SQUEEZING;
    if (own.params.digest_bytes != FIN_XOF_UNKNOWN && algorithm != FIN_BLAKE3) {
        uint8_t more[OUTPUT_MAX + 1];
        EXPECT(fin_squeeze(&p->context, more, left - bytes + 1) == FIN_ERR_OUTPUT_LENGTH);
    }
}

static void reset(pair *p)
{
    const bool possible = p->phase != NONE && !(p->key_lost && own.params.key_bytes != 0);
    const fin_status status = fin_reset(&p->context);
    EXPECT(status == (p->phase == NONE ? FIN_ERR_STATE : possible ? FIN_OK : FIN_ERR_KEY_WIPED));
    if (possible) {
        p->phase = ABSORBING;
        p->bytes = p->squeezed = 0;
    }
}

static void move(pair *to, const pair *from)
{
    EXPECT(fin_copy(&to->context, &from->context) ==
           (from->phase == NONE ? FIN_ERR_STATE : FIN_OK));
    if (from->phase != NONE) {
        const fin_context copied = to->context;
        *to = *from;
        to->context = copied;
    }
}

static void save(pair *p)
{
    uint8_t midstate[FIN_MIDSTATE_BYTES_MAX];
    size_t bytes = sizeof midstate;
    if (p->phase != ABSORBING) {
        EXPECT(fin_save(&p->context, midstate, &bytes) == FIN_ERR_STATE);
        return;
    }
    EXPECT(fin_save(&p->context, midstate, &bytes) == FIN_OK);
    size_t less = bytes - 1;
    uint8_t cut[FIN_MIDSTATE_BYTES_MAX];
    EXPECT(fin_save(&p->context, cut, &less) == FIN_ERR_OUTPUT_LENGTH && less == bytes);
    fin_wipe(&p->context);
    EXPECT(fin_restore(&p->context, midstate, bytes - 1) == FIN_ERR_MIDSTATE);
    EXPECT(fin_restore(&p->context, midstate, bytes) == FIN_OK);
    p->key_lost = own.params.key_bytes != 0;
}

/* Hashes the same message in one call. */
static void at_once(const pair *p)
{
    uint8_t digest[OUTPUT_MAX], expected[OUTPUT_MAX];
    const size_t bytes = output_bytes();
    if (p->phase == NONE) {
        return;
    }
    EXPECT(fin_hash(algorithm, &own.params, p->message, p->bytes, digest, bytes) == FIN_OK);
    if (is_xof()) {
        reference_xof(algorithm, &own.params, p->message, p->bytes, expected, bytes);
    } else {
        reference_hash(algorithm, &own.params, p->message, p->bytes, expected);
    }
    EXPECT(memcmp(digest, expected, bytes) == 0);
}

static void run_step(input *in)
{
    const uint8_t step = take_byte(in);
    pair *p = &pairs[step >> 7];
    pair *other = &pairs[1 - (step >> 7)];
    switch (step % 11) {
    case 0:
        start(p);
        break;
    case 1:
    case 2:
        update(p, in);
        break;
    case 3:
        share(p, in);
        break;
    case 4:
        finish(p, in);
        break;
    case 5:
        squeeze(p, in);
        break;
    case 6:
        reset(p);
        break;
    case 7:
        move(p, other);
        break;
    case 8:
        save(p);
        break;
    case 9:
        at_once(p);
        break;
    default:
        take_implementation(in, algorithm);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    input in = {bytes, count};
    memset(pairs, 0, sizeof pairs);
    algorithm = take_algorithm(&in);
    take_parameters(&in, algorithm, OUTPUT_MAX, &own);
    if (is_xof() && take_byte(&in) % 4 == 0) {
        own.params.digest_bytes = FIN_XOF_UNKNOWN;
    }
    start(&pairs[0]);
    for (unsigned i = 0; i < STEPS_MAX && in.left != 0; i++) {
        run_step(&in);
    }
    at_once(&pairs[0]);
    EXPECT(fin_impl_select(algorithm, NULL) == FIN_OK);
    return 0;
}
