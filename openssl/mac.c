/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * MACs, as provider-mac(7) describes them: keyed BLAKE2 under the names and with the parameters of
 * OpenSSL's default provider.
 */
#include "message.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/proverr.h>
#include <string.h>

/* BLAKE2b's limits; BLAKE2s has half of each. */
enum { KEY_BYTES_MAX = 64, SALT_BYTES_MAX = 16, PERSONAL_BYTES_MAX = 16 };

typedef struct octets {
    size_t bytes;
    uint8_t data[KEY_BYTES_MAX];
} octets;

typedef struct settings {
    size_t mac_bytes;
    octets key; /* empty until the caller sets one */
    octets salt;
    octets personal;
} settings;

typedef struct mac {
    const fin_algorithm_info *info;
    settings set;  /* for the next message */
    settings used; /* by this message: EVP_MAC_CTX_set_params does not change them */
    bool started;
    message message;
} mac;

static fin_params params_of(const settings *settings)
{
    return (fin_params){.digest_bytes = settings->mac_bytes,
                        .key = settings->key.data,
                        .key_bytes = settings->key.bytes,
                        .salt = settings->salt.data,
                        .salt_bytes = settings->salt.bytes,
                        .personal = settings->personal.data,
                        .personal_bytes = settings->personal.bytes};
}

/* ---- Contexts ---- */

static void *new_mac(fin_algorithm algorithm)
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    if (info == NULL) {
        (void)is_ok(FIN_ERR_ALGORITHM); /* the library was built without the algorithm */
        return NULL;
    }
    mac *mac = OPENSSL_zalloc(sizeof *mac);
    if (mac != NULL) {
        mac->info = info;
        mac->set.mac_bytes = info->digest_bytes;
    }
    return mac;
}

static void *blake2b_new(void *provider)
{
    (void)provider;
    return new_mac(FIN_BLAKE2B);
}

static void *blake2s_new(void *provider)
{
    (void)provider;
    return new_mac(FIN_BLAKE2S);
}

static void mac_free(void *context)
{
    mac *mac = context;
    if (mac != NULL) {
        message_clear(&mac->message);
        OPENSSL_clear_free(mac, sizeof *mac);
    }
}

static void *mac_dup(void *context)
{
    const mac *from = context;
    mac *to = OPENSSL_malloc(sizeof *to);
    if (to == NULL) {
        return NULL;
    }
    to->info = from->info;
    to->set = from->set;
    to->used = from->used;
    to->started = from->started;
    if (!message_copy(&to->message, &from->message)) {
        mac_free(to);
        return NULL;
    }
    return to;
}

/* ---- Parameters ---- */

static int set_octets(octets *octets, const void *data, size_t bytes, size_t bytes_max, int reason)
{
    if (bytes > bytes_max || (data == NULL && bytes != 0)) {
        return refuse(reason);
    }
    memset(octets->data, 0, sizeof octets->data);
    if (bytes != 0) {
        memcpy(octets->data, data, bytes);
    }
    octets->bytes = bytes;
    return 1;
}

static int set_octets_by(octets *octets, const OSSL_PARAM params[], const char *key,
                         size_t bytes_max, int reason)
{
    const OSSL_PARAM *param = OSSL_PARAM_locate_const(params, key);
    if (param == NULL) {
        return 1;
    }
    if (param->data_type != OSSL_PARAM_OCTET_STRING) {
        return refuse(PROV_R_FAILED_TO_GET_PARAMETER);
    }
    return set_octets(octets, param->data, param->data_size, bytes_max, reason);
}

static int set_key(mac *mac, const void *key, size_t bytes)
{
    if (bytes == 0) {
        return refuse(PROV_R_INVALID_KEY_LENGTH);
    }
    return set_octets(&mac->set.key, key, bytes, mac->info->key_bytes_max,
                      PROV_R_INVALID_KEY_LENGTH);
}

static int mac_set_ctx_params(void *context, const OSSL_PARAM params[])
{
    mac *mac = context;
    if (params == NULL) {
        return 1;
    }
    const OSSL_PARAM *size = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_SIZE);
    if (size != NULL) {
        size_t bytes;
        if (!OSSL_PARAM_get_size_t(size, &bytes) || bytes < mac->info->digest_bytes_min ||
            bytes > mac->info->digest_bytes_max) {
            return refuse(PROV_R_NOT_XOF_OR_INVALID_LENGTH);
        }
        mac->set.mac_bytes = bytes;
    }
    const OSSL_PARAM *key = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_KEY);
    if (key != NULL) {
        if (key->data_type != OSSL_PARAM_OCTET_STRING) {
            return refuse(PROV_R_FAILED_TO_GET_PARAMETER);
        }
        if (!set_key(mac, key->data, key->data_size)) {
            return 0;
        }
    }
    return set_octets_by(&mac->set.personal, params, OSSL_MAC_PARAM_CUSTOM,
                         mac->info->personal_bytes, PROV_R_INVALID_CUSTOM_LENGTH) &&
           set_octets_by(&mac->set.salt, params, OSSL_MAC_PARAM_SALT, mac->info->salt_bytes,
                         PROV_R_INVALID_SALT_LENGTH);
}

static int mac_get_ctx_params(void *context, OSSL_PARAM params[])
{
    const mac *mac = context;
    OSSL_PARAM *size = OSSL_PARAM_locate(params, OSSL_MAC_PARAM_SIZE);
    OSSL_PARAM *block_size = OSSL_PARAM_locate(params, OSSL_MAC_PARAM_BLOCK_SIZE);
    const bool done =
        (size == NULL || OSSL_PARAM_set_size_t(size, mac->set.mac_bytes)) &&
        (block_size == NULL || OSSL_PARAM_set_size_t(block_size, mac->info->block_bytes));
    return done ? 1 : refuse(PROV_R_FAILED_TO_SET_PARAMETER);
}

static const OSSL_PARAM settable_params[] = {
    OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
    OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
    OSSL_PARAM_octet_string(OSSL_MAC_PARAM_CUSTOM, NULL, 0),
    OSSL_PARAM_octet_string(OSSL_MAC_PARAM_SALT, NULL, 0), OSSL_PARAM_END};
static const OSSL_PARAM gettable_params[] = {OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
                                             OSSL_PARAM_size_t(OSSL_MAC_PARAM_BLOCK_SIZE, NULL),
                                             OSSL_PARAM_END};

static const OSSL_PARAM *mac_settable_ctx_params(void *context, void *provider)
{
    (void)context;
    (void)provider;
    return settable_params;
}

static const OSSL_PARAM *mac_gettable_ctx_params(void *context, void *provider)
{
    (void)context;
    (void)provider;
    return gettable_params;
}

/* ---- A message ---- */

static int mac_init(void *context, const unsigned char *key, size_t key_bytes,
                    const OSSL_PARAM params[])
{
    mac *mac = context;
    if (!mac_set_ctx_params(mac, params) || (key != NULL && !set_key(mac, key, key_bytes))) {
        return 0;
    }
    if (mac->set.key.bytes == 0) {
        return refuse(PROV_R_NO_KEY_SET);
    }
    mac->used = mac->set;
    mac->started = true;
    message_clear(&mac->message);
    return 1;
}

static int mac_update(void *context, const unsigned char *in, size_t bytes)
{
    mac *mac = context;
    if (!mac->started) {
        return refuse(PROV_R_NO_KEY_SET);
    }
    const fin_params params = params_of(&mac->used);
    return message_update(&mac->message, mac->info->algorithm, &params, in, bytes);
}

static int mac_final(void *context, unsigned char *out, size_t *written, size_t capacity)
{
    mac *mac = context;
    const size_t bytes = mac->used.mac_bytes;
    if (!mac->started) {
        return refuse(PROV_R_NO_KEY_SET);
    }
    if (capacity < bytes) {
        return refuse(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    }
    const fin_params params = params_of(&mac->used);
    if (!message_final(&mac->message, mac->info->algorithm, &params, out, bytes)) {
        return 0;
    }
    *written = bytes;
    return 1;
}

#define FUNCTIONS(new)                                                                    \
    {                                                                                     \
        {OSSL_FUNC_MAC_NEWCTX, (void (*)(void))(new)},                                    \
            {OSSL_FUNC_MAC_FREECTX, (void (*)(void))mac_free},                            \
            {OSSL_FUNC_MAC_DUPCTX, (void (*)(void))mac_dup},                              \
            {OSSL_FUNC_MAC_INIT, (void (*)(void))mac_init},                               \
            {OSSL_FUNC_MAC_UPDATE, (void (*)(void))mac_update},                           \
            {OSSL_FUNC_MAC_FINAL, (void (*)(void))mac_final},                             \
            {OSSL_FUNC_MAC_SETTABLE_CTX_PARAMS, (void (*)(void))mac_settable_ctx_params}, \
            {OSSL_FUNC_MAC_SET_CTX_PARAMS, (void (*)(void))mac_set_ctx_params},           \
            {OSSL_FUNC_MAC_GETTABLE_CTX_PARAMS, (void (*)(void))mac_gettable_ctx_params}, \
            {OSSL_FUNC_MAC_GET_CTX_PARAMS, (void (*)(void))mac_get_ctx_params},           \
        {                                                                                 \
            0, NULL                                                                       \
        }                                                                                 \
    }
static const OSSL_DISPATCH blake2b_functions[] = FUNCTIONS(blake2b_new);
static const OSSL_DISPATCH blake2s_functions[] = FUNCTIONS(blake2s_new);

/* Names and object identifiers of OpenSSL's default provider. */
const OSSL_ALGORITHM mac_algorithms[] = {
    {"BLAKE2BMAC:1.3.6.1.4.1.1722.12.2.1", "provider=finalist", blake2b_functions, "BLAKE2b"},
    {"BLAKE2SMAC:1.3.6.1.4.1.1722.12.2.2", "provider=finalist", blake2s_functions, "BLAKE2s"},
    {NULL, NULL, NULL, NULL}};
