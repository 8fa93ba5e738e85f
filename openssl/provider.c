/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The entry point of the provider for OpenSSL 3, as provider(7) describes it.
 */
#include "message.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

static const OSSL_PARAM *gettable_params(void *provider)
{
    static const OSSL_PARAM params[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
                                        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
                                        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
                                        OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
                                        OSSL_PARAM_END};
    (void)provider;
    return params;
}

static int set_text(OSSL_PARAM params[], const char *key, const char *text)
{
    OSSL_PARAM *param = OSSL_PARAM_locate(params, key);
    return param == NULL || OSSL_PARAM_set_utf8_ptr(param, text);
}

static int get_params(void *provider, OSSL_PARAM params[])
{
    OSSL_PARAM *status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);
    (void)provider;
    return set_text(params, OSSL_PROV_PARAM_NAME, "Finalist: BLAKE, BLAKE2, BLAKE3, Groestl") &&
           set_text(params, OSSL_PROV_PARAM_VERSION, fin_version()) &&
           set_text(params, OSSL_PROV_PARAM_BUILDINFO, fin_version()) &&
           (status == NULL || OSSL_PARAM_set_int(status, 1));
}

static const OSSL_ALGORITHM *query(void *provider, int operation, int *no_cache)
{
    (void)provider;
    *no_cache = 0;
    switch (operation) {
    case OSSL_OP_DIGEST:
        return digest_algorithms;
    case OSSL_OP_MAC:
        return mac_algorithms;
    default:
        return NULL;
    }
}

/* The module's only symbol. Fails if FINALIST_IMPL or FINALIST_CPU names anything unknown. */
__attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE *handle,
                                                              const OSSL_DISPATCH *core,
                                                              const OSSL_DISPATCH **functions,
                                                              void **provider)
{
    static const OSSL_DISPATCH table[] = {
        {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable_params},
        {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params},
        {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query},
        {0, NULL}};
    const char *item = NULL;
    size_t item_bytes = 0;
    (void)core;
    const fin_status status = fin_environment_check(&item, &item_bytes);
    if (status != FIN_OK) {
        ERR_raise_data(ERR_LIB_PROV, ERR_R_INIT_FAIL, "%s: %.*s: %s", fin_environment_variable(),
                       (int)item_bytes, item, fin_status_text(status));
        return 0;
    }
    *functions = table;
    *provider = (void *)handle;
    return 1;
}
