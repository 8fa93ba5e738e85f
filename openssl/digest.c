/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Digests, as provider-digest(7) describes them.
 */
#include "message.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/proverr.h>
#include <string.h>

/* Properties that follow from a digest's name. */
typedef struct kind {
    fin_algorithm algorithm;
    uint32_t digest_bytes;
} kind;

typedef struct digest {
    const kind *kind;
    size_t set_bytes;    /* digest length of the next message; output length of an XOF */
    size_t digest_bytes; /* digest length of this message */
    message message;
} digest;

static bool is_xof(const digest *digest)
{
    return digest->kind->algorithm == FIN_BLAKE3;
}

/* Returns null, which takes the shortest path, for the algorithm's default length. */
static const fin_params *params_of(const digest *digest, fin_params *params)
{
    if (is_xof(digest)) {
        params->digest_bytes = FIN_XOF_UNKNOWN;
    } else if (fin_algorithm_describe(digest->kind->algorithm)->digest_bytes ==
               digest->digest_bytes) {
        return NULL;
    } else {
        params->digest_bytes = digest->digest_bytes;
    }
    return params;
}

/* ---- Parameters ---- */

static const OSSL_PARAM fixed_params[] = {
    OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_BLOCK_SIZE, NULL),
    OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL), OSSL_PARAM_int(OSSL_DIGEST_PARAM_XOF, NULL),
    OSSL_PARAM_int(OSSL_DIGEST_PARAM_ALGID_ABSENT, NULL), OSSL_PARAM_END};

static const OSSL_PARAM *gettable_params(void *provider)
{
    (void)provider;
    return fixed_params;
}

static int set_size(OSSL_PARAM params[], const char *key, size_t value)
{
    OSSL_PARAM *param = OSSL_PARAM_locate(params, key);
    return param == NULL || OSSL_PARAM_set_size_t(param, value);
}

static int set_flag(OSSL_PARAM params[], const char *key, int value)
{
    OSSL_PARAM *param = OSSL_PARAM_locate(params, key);
    return param == NULL || OSSL_PARAM_set_int(param, value);
}

static int get_params(const kind *kind, OSSL_PARAM params[])
{
    const fin_algorithm_info *info = fin_algorithm_describe(kind->algorithm);
    if (info == NULL) {
        return is_ok(FIN_ERR_ALGORITHM); /* the library was built without the algorithm */
    }
    const bool done = set_size(params, OSSL_DIGEST_PARAM_BLOCK_SIZE, info->block_bytes) &&
                      set_size(params, OSSL_DIGEST_PARAM_SIZE, kind->digest_bytes) &&
                      set_flag(params, OSSL_DIGEST_PARAM_XOF, kind->algorithm == FIN_BLAKE3) &&
                      set_flag(params, OSSL_DIGEST_PARAM_ALGID_ABSENT, 0);
    return done ? 1 : refuse(PROV_R_FAILED_TO_SET_PARAMETER);
}

static const OSSL_PARAM sized_params[] = {OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL),
                                          OSSL_PARAM_END};
static const OSSL_PARAM xof_params[] = {OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL),
                                        OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_XOFLEN, NULL),
                                        OSSL_PARAM_END};

static const OSSL_PARAM *sized_ctx_params(void *context, void *provider)
{
    (void)context;
    (void)provider;
    return sized_params;
}

static const OSSL_PARAM *xof_ctx_params(void *context, void *provider)
{
    (void)context;
    (void)provider;
    return xof_params;
}

static int digest_get_ctx_params(void *context, OSSL_PARAM params[])
{
    const digest *digest = context;
    const bool done = set_size(params, OSSL_DIGEST_PARAM_SIZE, digest->set_bytes) &&
                      set_size(params, OSSL_DIGEST_PARAM_XOFLEN, digest->set_bytes);
    return done ? 1 : refuse(PROV_R_FAILED_TO_SET_PARAMETER);
}

static int digest_set_ctx_params(void *context, const OSSL_PARAM params[])
{
    static const char *const keys[] = {OSSL_DIGEST_PARAM_SIZE, OSSL_DIGEST_PARAM_XOFLEN};
    digest *digest = context;
    const fin_algorithm_info *info = fin_algorithm_describe(digest->kind->algorithm);
    size_t bytes = digest->set_bytes;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const OSSL_PARAM *param = OSSL_PARAM_locate_const(params, keys[i]);
        if (param == NULL) {
            continue;
        }
        if (!OSSL_PARAM_get_size_t(param, &bytes)) {
            return refuse(PROV_R_FAILED_TO_GET_PARAMETER);
        }
        /* EVP_DigestFinalXOF sets xoflen whatever the digest. */
        if ((i == 1 && !is_xof(digest)) || bytes < info->digest_bytes_min ||
            bytes > info->digest_bytes_max) {
            return refuse(PROV_R_NOT_XOF_OR_INVALID_LENGTH);
        }
    }
    digest->set_bytes = bytes;
    return 1;
}

/* ---- A message ---- */

static void *new_digest(const kind *kind)
{
    digest *digest = OPENSSL_malloc(sizeof *digest);
    if (digest != NULL) {
        digest->kind = kind;
        digest->set_bytes = digest->digest_bytes = kind->digest_bytes;
        message_init(&digest->message);
    }
    return digest;
}

static void digest_free(void *context)
{
    digest *digest = context;
    if (digest != NULL) {
        message_clear(&digest->message);
        OPENSSL_free(digest);
    }
}

static void *digest_dup(void *context)
{
    const digest *from = context;
    digest *to = new_digest(from->kind);
    if (to != NULL) {
        to->set_bytes = from->set_bytes;
        to->digest_bytes = from->digest_bytes;
        if (!message_copy(&to->message, &from->message)) {
            digest_free(to);
            to = NULL;
        }
    }
    return to;
}

static int fixed_init(void *context, const OSSL_PARAM params[])
{
    digest *digest = context;
    (void)params;
    message_clear(&digest->message);
    return 1;
}

static int digest_init(void *context, const OSSL_PARAM params[])
{
    digest *digest = context;
    if (params != NULL && !digest_set_ctx_params(digest, params)) {
        return 0;
    }
    digest->digest_bytes = digest->set_bytes;
    message_clear(&digest->message);
    return 1;
}

static int digest_update(void *context, const unsigned char *in, size_t bytes)
{
    digest *digest = context;
    fin_params params = {0};
    return message_update(&digest->message, digest->kind->algorithm, params_of(digest, &params), in,
                          bytes);
}

static int digest_final(void *context, unsigned char *out, size_t *written, size_t capacity)
{
    digest *digest = context;
    fin_params params = {0};
    const size_t bytes = is_xof(digest) ? digest->set_bytes : digest->digest_bytes;
    if (capacity < bytes) {
        return refuse(PROV_R_INVALID_DIGEST_SIZE);
    }
    if (!message_final(&digest->message, digest->kind->algorithm, params_of(digest, &params), out,
                       bytes)) {
        return 0;
    }
    *written = bytes;
    return 1;
}

/* Available from OpenSSL 3.3 on. */
#ifdef OSSL_FUNC_DIGEST_SQUEEZE
static int xof_squeeze(void *context, unsigned char *out, size_t *written, size_t bytes)
{
    digest *digest = context;
    fin_params params = {0};
    if (digest->message.ended) {
        return is_ok(FIN_ERR_STATE);
    }
    if (!message_open(&digest->message, digest->kind->algorithm, params_of(digest, &params)) ||
        !is_ok(fin_squeeze(digest->message.stream, out, bytes))) {
        return 0;
    }
    *written = bytes;
    return 1;
}
#define SQUEEZE {OSSL_FUNC_DIGEST_SQUEEZE, (void (*)(void))xof_squeeze},
#else
#define SQUEEZE
#endif

/* Available from OpenSSL 4.0 on. The format is that of fin_save's midstates. */
#ifdef OSSL_FUNC_DIGEST_SERIALIZE
static int digest_serialize(void *context, unsigned char *out, size_t *bytes)
{
    digest *digest = context;
    fin_params params = {0};
    if (out == NULL) {
        *bytes = FIN_MIDSTATE_BYTES_MAX;
        return 1;
    }
    if (digest->message.ended) {
        return is_ok(FIN_ERR_STATE);
    }
    return message_open(&digest->message, digest->kind->algorithm, params_of(digest, &params)) &&
           is_ok(fin_save(digest->message.stream, out, bytes));
}

/* Accepts only midstates of the same algorithm and digest length, since final writes that length. */
static int digest_deserialize(void *context, const unsigned char *in, size_t bytes)
{
    digest *digest = context;
    fin_params params = {0};
    message restored;
    message_init(&restored);
    if (!message_open(&restored, digest->kind->algorithm, params_of(digest, &params))) {
        return 0;
    }
    fin_context *stream = restored.stream;
    const uint64_t digest_bytes = stream->digest_bytes;
    fin_status status = fin_restore(stream, in, bytes);
    if (status == FIN_OK && (stream->algorithm != (uint8_t)digest->kind->algorithm ||
                             stream->digest_bytes != digest_bytes)) {
        status = FIN_ERR_MIDSTATE;
    }
    if (status != FIN_OK) {
        message_clear(&restored);
        return is_ok(status);
    }
    message_clear(&digest->message);
    digest->message.stream = stream;
    return 1;
}
#define SERIALIZE                                                   \
    {OSSL_FUNC_DIGEST_SERIALIZE, (void (*)(void))digest_serialize}, \
        {OSSL_FUNC_DIGEST_DESERIALIZE, (void (*)(void))digest_deserialize},
#else
#define SERIALIZE
#endif

/* ---- All digests ---- */

/* Digests of a fixed length, digests whose length can be set, and extendable output. */
#define FIXED {OSSL_FUNC_DIGEST_INIT, (void (*)(void))fixed_init},
#define LENGTHS(list)                                                             \
    {OSSL_FUNC_DIGEST_INIT, (void (*)(void))digest_init},                         \
        {OSSL_FUNC_DIGEST_SETTABLE_CTX_PARAMS, (void (*)(void))(list)},           \
        {OSSL_FUNC_DIGEST_SET_CTX_PARAMS, (void (*)(void))digest_set_ctx_params}, \
        {OSSL_FUNC_DIGEST_GETTABLE_CTX_PARAMS, (void (*)(void))(list)},           \
        {OSSL_FUNC_DIGEST_GET_CTX_PARAMS, (void (*)(void))digest_get_ctx_params},
#define SIZED LENGTHS(sized_ctx_params)
#define XOF LENGTHS(xof_ctx_params) SQUEEZE

#define FIN_DIGEST(prefix, algorithm, bytes, settable, names, description)   \
    static const kind prefix##_kind = {algorithm, bytes};                    \
    static void *prefix##_new(void *provider)                                \
    {                                                                        \
        (void)provider;                                                      \
        return new_digest(&prefix##_kind);                                   \
    }                                                                        \
    static int prefix##_get_params(OSSL_PARAM params[])                      \
    {                                                                        \
        return get_params(&prefix##_kind, params);                           \
    }                                                                        \
    static const OSSL_DISPATCH prefix##_functions[] = {                      \
        {OSSL_FUNC_DIGEST_NEWCTX, (void (*)(void))prefix##_new},             \
        {OSSL_FUNC_DIGEST_FREECTX, (void (*)(void))digest_free},             \
        {OSSL_FUNC_DIGEST_DUPCTX, (void (*)(void))digest_dup},               \
        {OSSL_FUNC_DIGEST_UPDATE, (void (*)(void))digest_update},            \
        {OSSL_FUNC_DIGEST_FINAL, (void (*)(void))digest_final},              \
        {OSSL_FUNC_DIGEST_GETTABLE_PARAMS, (void (*)(void))gettable_params}, \
        {OSSL_FUNC_DIGEST_GET_PARAMS, (void (*)(void))prefix##_get_params},  \
        settable SERIALIZE{0, NULL}};
#include "digests.def"
#undef FIN_DIGEST

#define FIN_DIGEST(prefix, algorithm, bytes, settable, names, description) \
    {names, "provider=finalist", prefix##_functions, description},
const OSSL_ALGORITHM digest_algorithms[] = {
#include "digests.def"
    {NULL, NULL, NULL, NULL}};
