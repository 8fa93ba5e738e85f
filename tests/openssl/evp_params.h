/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests what the provider reports about itself, its digests and MACs, and what a caller can set:
 * every parameter alone, with a wrong type, and with a wrong length.
 */

/* Gets parameters of a provider, a digest or a context. */
typedef int (*params_call)(void *object, OSSL_PARAM params[]);

static int get_of_provider(void *object, OSSL_PARAM params[])
{
    return OSSL_PROVIDER_get_params(object, params);
}

static int get_of_digest(void *object, OSSL_PARAM params[])
{
    return EVP_MD_get_params(object, params);
}

static int get_of_context(void *object, OSSL_PARAM params[])
{
    return EVP_MD_CTX_get_params(object, params);
}

static int get_of_mac(void *object, OSSL_PARAM params[])
{
    return EVP_MAC_CTX_get_params(object, params);
}

/* Checks a number's value, and that it is refused as a text. */
static void check_number(params_call call, void *object, const char *key, size_t expected)
{
    size_t number = SIZE_MAX;
    char text_of_number[20] = "";
    OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(key, &number), OSSL_PARAM_construct_end()};
    check_context("the number %s", key);
    CHECK(call(object, params) == 1 && number == expected);
    params[0] = OSSL_PARAM_construct_utf8_string(key, text_of_number, sizeof text_of_number);
    CHECK(call(object, params) == 0);
}

/* Checks that a text exists, and that it is refused as a number. */
static void check_text(OSSL_PROVIDER *provider, const char *key)
{
    char *found = NULL;
    size_t number = 7;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr(key, &found, 0),
                           OSSL_PARAM_construct_end()};
    check_context("the text %s", key);
    CHECK(OSSL_PROVIDER_get_params(provider, params) == 1 && found != NULL && *found != 0);
    params[0] = OSSL_PARAM_construct_size_t(key, &number);
    CHECK(OSSL_PROVIDER_get_params(provider, params) == 0 && number == 7);
}

static void params_of_provider(OSSL_PROVIDER *provider)
{
    check_text(provider, OSSL_PROV_PARAM_NAME);
    check_text(provider, OSSL_PROV_PARAM_VERSION);
    check_text(provider, OSSL_PROV_PARAM_BUILDINFO);
    check_number(get_of_provider, provider, OSSL_PROV_PARAM_STATUS, 1);
}

static int set_digest_size(EVP_MD_CTX *context, const char *key, size_t size)
{
    OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(key, &size), OSSL_PARAM_construct_end()};
    return EVP_MD_CTX_set_params(context, params);
}

static void params_of_digest(const own_digest *own)
{
    const fin_algorithm_info *info = fin_algorithm_describe(own->algorithm);
    const bool is_xof = own->algorithm == FIN_BLAKE3;
    EVP_MD *md = EVP_MD_fetch(ours, own->name, NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    CHECK(md != NULL && EVP_DigestInit_ex2(context, md, NULL));
    check_number(get_of_digest, md, OSSL_DIGEST_PARAM_BLOCK_SIZE, info->block_bytes);
    check_number(get_of_digest, md, OSSL_DIGEST_PARAM_SIZE, own->digest_bytes);
    check_number(get_of_digest, md, OSSL_DIGEST_PARAM_XOF, is_xof);
    check_number(get_of_digest, md, OSSL_DIGEST_PARAM_ALGID_ABSENT, 0);
    check_context("%s, lengths of output", own->name);
    CHECK(set_digest_size(context, OSSL_DIGEST_PARAM_XOFLEN, 32) == is_xof);
    CHECK(!EVP_DigestUpdate(context, NULL, 5) && EVP_DigestUpdate(context, NULL, 0));
    if (is_xof) {
        CHECK(set_digest_size(context, OSSL_DIGEST_PARAM_XOFLEN, 0) == 0);
        CHECK(set_digest_size(context, OSSL_DIGEST_PARAM_SIZE, 70) == 1);
        check_number(get_of_context, context, OSSL_DIGEST_PARAM_SIZE, 70);
        check_number(get_of_context, context, OSSL_DIGEST_PARAM_XOFLEN, 70);
    }
    EVP_MD_CTX_free(context);
    EVP_MD_free(md);
}

/* Checks that a MAC takes up to `most` octets. */
static void check_octets(EVP_MAC_CTX *context, const char *key, size_t most)
{
    static uint8_t octets[300];
    char text_of_octets[] = "octets";
    size_t number = 1;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(key, octets, 1),
                           OSSL_PARAM_construct_end()};
    check_context("the octets %s", key);
    for (size_t length = 1; length <= sizeof octets; length += 1 + length / 70) {
        params[0].data_size = length;
        CHECK(EVP_MAC_CTX_set_params(context, params) == (length <= most));
    }
    for (size_t length = 1; length < 3; length++) {
        params[0] = OSSL_PARAM_construct_octet_string(key, NULL, length);
        CHECK(EVP_MAC_CTX_set_params(context, params) == 0);
    }
    params[0] = OSSL_PARAM_construct_octet_string(key, NULL, 0);
    CHECK(EVP_MAC_CTX_set_params(context, params) == (strcmp(key, OSSL_MAC_PARAM_KEY) != 0));
    params[0] = OSSL_PARAM_construct_size_t(key, &number);
    CHECK(EVP_MAC_CTX_set_params(context, params) == 0);
    params[0] = OSSL_PARAM_construct_utf8_string(key, text_of_octets, 0);
    CHECK(EVP_MAC_CTX_set_params(context, params) == 0);
}

static void params_of_mac(const char *name, size_t word)
{
    uint8_t out[OUT_MAX];
    size_t written = 0;
    EVP_MAC *mac = EVP_MAC_fetch(ours, name, NULL);
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    check_context("%s, keys", name);
    for (size_t length = 0; length <= word + 40; length++) {
        CHECK(EVP_MAC_init(context, text, length, NULL) == (length != 0 && length <= word));
    }
    check_octets(context, OSSL_MAC_PARAM_KEY, word);
    check_octets(context, OSSL_MAC_PARAM_SALT, word / 4);
    check_octets(context, OSSL_MAC_PARAM_CUSTOM, word / 4);
    check_number(get_of_mac, context, OSSL_MAC_PARAM_SIZE, word);
    check_number(get_of_mac, context, OSSL_MAC_PARAM_BLOCK_SIZE, 2 * word);
    for (size_t size = 0; size <= word + 2; size++) {
        OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                               OSSL_PARAM_construct_end()};
        check_context("%s, size %zu", name, size);
        CHECK(EVP_MAC_CTX_set_params(context, params) == (size != 0 && size <= word));
    }
    /* The refused calls must not have changed anything. */
    CHECK(EVP_MAC_init(context, NULL, 0, NULL) &&
          EVP_MAC_final(context, out, &written, sizeof out) && written == word);
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(mac);
}

static void parameters(OSSL_PROVIDER *provider)
{
    params_of_provider(provider);
    params_of_digest(&(own_digest){"BLAKE2B-512", FIN_BLAKE2B, 64});
    params_of_digest(&(own_digest){"BLAKE2S-256", FIN_BLAKE2S, 32});
    for (size_t i = 0; i < OWN_DIGESTS; i++) {
        params_of_digest(&own_digests[i]);
    }
    params_of_mac("BLAKE2BMAC", 64);
    params_of_mac("BLAKE2SMAC", 32);
    ERR_clear_error();
}
