/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests contexts: names, lists of parameters, parameters that a caller sets during a message, the
 * reason of each error, and that freed memory holds neither a key nor a message.
 */

/* ---- Names and lists of parameters ---- */

typedef struct named {
    const char *names[3]; /* all but the first may be null */
    const char *description;
} named;

static const named digest_names[] = {
    {{"BLAKE2B-512", "BLAKE2b512", "1.3.6.1.4.1.1722.12.2.1.16"},
     "BLAKE2b, 64 bytes or the parameter size"},
    {{"BLAKE2B-384", "BLAKE2b384", "1.3.6.1.4.1.1722.12.2.1.12"}, "BLAKE2b, 48 bytes"},
    {{"BLAKE2B-256", "BLAKE2b256", "1.3.6.1.4.1.1722.12.2.1.8"}, "BLAKE2b, 32 bytes"},
    {{"BLAKE2B-160", "BLAKE2b160", "1.3.6.1.4.1.1722.12.2.1.5"}, "BLAKE2b, 20 bytes"},
    {{"BLAKE2S-256", "BLAKE2s256", "1.3.6.1.4.1.1722.12.2.2.8"},
     "BLAKE2s, 32 bytes or the parameter size"},
    {{"BLAKE2S-224", "BLAKE2s224", "1.3.6.1.4.1.1722.12.2.2.7"}, "BLAKE2s, 28 bytes"},
    {{"BLAKE2S-160", "BLAKE2s160", "1.3.6.1.4.1.1722.12.2.2.5"}, "BLAKE2s, 20 bytes"},
    {{"BLAKE2S-128", "BLAKE2s128", "1.3.6.1.4.1.1722.12.2.2.4"}, "BLAKE2s, 16 bytes"},
    {{"BLAKE3"}, "BLAKE3, 32 bytes or an output of any length"},
    {{"BLAKE-224", "blake224"}, "BLAKE-224"},
    {{"BLAKE-256", "blake256"}, "BLAKE-256"},
    {{"BLAKE-384", "blake384"}, "BLAKE-384"},
    {{"BLAKE-512", "blake512"}, "BLAKE-512"},
    {{"GROESTL-224", "groestl224"}, "Groestl-224"},
    {{"GROESTL-256", "groestl256"}, "Groestl-256"},
    {{"GROESTL-384", "groestl384"}, "Groestl-384"},
    {{"GROESTL-512", "groestl512"}, "Groestl-512"},
};

static const named mac_names[] = {
    {{"BLAKE2BMAC", "1.3.6.1.4.1.1722.12.2.1"}, "BLAKE2b"},
    {{"BLAKE2SMAC", "1.3.6.1.4.1.1722.12.2.2"}, "BLAKE2s"},
};

static const OSSL_PARAM provider_params[] = {
    OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
    OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
    OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
    OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL), OSSL_PARAM_END};
static const OSSL_PARAM digest_params[] = {
    OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_BLOCK_SIZE, NULL),
    OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL), OSSL_PARAM_int(OSSL_DIGEST_PARAM_XOF, NULL),
    OSSL_PARAM_int(OSSL_DIGEST_PARAM_ALGID_ABSENT, NULL), OSSL_PARAM_END};
static const OSSL_PARAM size_params[] = {OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL),
                                         OSSL_PARAM_END};
static const OSSL_PARAM xof_params[] = {OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL),
                                        OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_XOFLEN, NULL),
                                        OSSL_PARAM_END};
static const OSSL_PARAM mac_settable[] = {OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
                                          OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
                                          OSSL_PARAM_octet_string(OSSL_MAC_PARAM_CUSTOM, NULL, 0),
                                          OSSL_PARAM_octet_string(OSSL_MAC_PARAM_SALT, NULL, 0),
                                          OSSL_PARAM_END};
static const OSSL_PARAM mac_gettable[] = {OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
                                          OSSL_PARAM_size_t(OSSL_MAC_PARAM_BLOCK_SIZE, NULL),
                                          OSSL_PARAM_END};

/* Returns true if a list has the same parameters as another, in any order. Null is the empty one. */
static bool same_list(const OSSL_PARAM *expected, const OSSL_PARAM *list)
{
    size_t wanted = 0, found = 0;
    for (; list != NULL && list[found].key != NULL; found++) {
    }
    for (; expected != NULL && expected[wanted].key != NULL; wanted++) {
        const OSSL_PARAM *param =
            list == NULL ? NULL : OSSL_PARAM_locate_const(list, expected[wanted].key);
        if (param == NULL || param->data_type != expected[wanted].data_type) {
            return false;
        }
    }
    return wanted == found;
}

static void texts_of_provider(const OSSL_PROVIDER *provider)
{
    char *name = NULL, *version = NULL, *build = NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_NAME, &name, 0),
                           OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_VERSION, &version, 0),
                           OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, &build, 0),
                           OSSL_PARAM_construct_end()};
    check_context("the provider's parameters");
    CHECK(same_list(provider_params, OSSL_PROVIDER_gettable_params(provider)));
    CHECK(OSSL_PROVIDER_get_params(provider, params));
    CHECK(strcmp(name, "Finalist: BLAKE, BLAKE2, BLAKE3, Groestl") == 0);
    CHECK(strcmp(version, fin_version()) == 0 && strcmp(build, fin_version()) == 0);
}

/* Fetches every digest and MAC by its first name, and compares all that is said of it. */
static void names(void)
{
    for (size_t i = 0; i < sizeof digest_names / sizeof digest_names[0]; i++) {
        const named *own = &digest_names[i];
        EVP_MD *md = EVP_MD_fetch(ours, own->names[0], "provider=finalist");
        const bool is_xof = strcmp(own->names[0], "BLAKE3") == 0;
        const bool is_sized = strstr(own->description, "parameter size") != NULL;
        const OSSL_PARAM *list = is_xof ? xof_params : is_sized ? size_params : NULL;
        check_context("%s, names and lists", own->names[0]);
        for (size_t k = 0; k < 3; k++) {
            CHECK(md != NULL && (own->names[k] == NULL || EVP_MD_is_a(md, own->names[k])));
        }
        CHECK(strcmp(EVP_MD_get0_description(md), own->description) == 0);
        CHECK(same_list(digest_params, EVP_MD_gettable_params(md)));
        CHECK(same_list(list, EVP_MD_settable_ctx_params(md)));
        CHECK(same_list(list, EVP_MD_gettable_ctx_params(md)));
        EVP_MD_free(md);
    }
    for (size_t i = 0; i < sizeof mac_names / sizeof mac_names[0]; i++) {
        const named *own = &mac_names[i];
        EVP_MAC *mac = EVP_MAC_fetch(ours, own->names[0], "provider=finalist");
        check_context("%s, names and lists", own->names[0]);
        CHECK(mac != NULL && EVP_MAC_is_a(mac, own->names[1]));
        CHECK(strcmp(EVP_MAC_get0_description(mac), own->description) == 0);
        CHECK(same_list(mac_settable, EVP_MAC_settable_ctx_params(mac)));
        CHECK(same_list(mac_gettable, EVP_MAC_gettable_ctx_params(mac)));
        EVP_MAC_free(mac);
    }
}

/* ---- Parameters that are set during a message apply from the next one on ---- */

static void set_during_mac(void)
{
    enum { FIRST = 20, SECOND = 40 };
    uint8_t salt[16], out[OUT_MAX], expected[64];
    size_t size = FIRST, written = 0;
    memset(salt, 0x5a, sizeof salt);
    OSSL_PARAM later[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                          OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, text + 500, 64),
                          OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_SALT, salt, 16),
                          OSSL_PARAM_construct_end()};
    const OSSL_PARAM first[] = {later[0], OSSL_PARAM_construct_end()};
    const fin_params now = {.digest_bytes = FIRST, .key = text, .key_bytes = 32};
    const fin_params next = {
        .digest_bytes = SECOND, .key = text + 500, .key_bytes = 64, .salt = salt, .salt_bytes = 16};
    EVP_MAC *mac = EVP_MAC_fetch(ours, "BLAKE2BMAC", NULL);
    /* Short messages are hashed in one call, at their end. */
    for (size_t length = 100; length <= 1000; length += 900) {
        EVP_MAC_CTX *contexts[2] = {EVP_MAC_CTX_new(mac), NULL};
        check_context("BLAKE2BMAC, set during %zu bytes", length);
        size = FIRST;
        CHECK(EVP_MAC_init(contexts[0], text, 32, first));
        CHECK(EVP_MAC_update(contexts[0], text, 10));
        size = SECOND;
        CHECK(EVP_MAC_CTX_set_params(contexts[0], later));
        CHECK(EVP_MAC_CTX_get_mac_size(contexts[0]) == SECOND);
        CHECK(EVP_MAC_update(contexts[0], text + 10, length - 10));
        contexts[1] = EVP_MAC_CTX_dup(contexts[0]);
        for (size_t i = 0; i < 2; i++) {
            CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE2B, &now, text, length, expected, 64));
            CHECK(EVP_MAC_final(contexts[i], out, &written, sizeof out) && written == FIRST);
            CHECK_BYTES(expected, out, FIRST);
            CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE2B, &next, text, length, expected, 64));
            CHECK(EVP_MAC_init(contexts[i], NULL, 0, NULL));
            CHECK(EVP_MAC_update(contexts[i], text, length));
            CHECK(EVP_MAC_final(contexts[i], out, &written, sizeof out) && written == SECOND);
            CHECK_BYTES(expected, out, SECOND);
            EVP_MAC_CTX_free(contexts[i]);
        }
    }
    EVP_MAC_free(mac);
}

/* A key in two places: the argument counts, as in OpenSSL's default provider. */
static void two_keys(void)
{
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, text + 500, 64),
        OSSL_PARAM_construct_end()};
    uint8_t out[2][OUT_MAX];
    size_t written;
    check_context("BLAKE2BMAC, two keys");
    for (size_t i = 0; i < 2; i++) {
        EVP_MAC *mac = EVP_MAC_fetch(i == 0 ? ours : theirs, "BLAKE2BMAC", NULL);
        EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
        CHECK(EVP_MAC_init(context, text, 32, params) && EVP_MAC_update(context, text, 100));
        CHECK(EVP_MAC_final(context, out[i], &written, OUT_MAX) && written == 64);
        EVP_MAC_CTX_free(context);
        EVP_MAC_free(mac);
    }
    CHECK_BYTES(out[1], out[0], 64);
}

static void set_during_digest(void)
{
    enum { FIRST = 20, SECOND = 40 };
    uint8_t out[EVP_MAX_MD_SIZE], expected[64];
    size_t size = FIRST;
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_DIGEST_PARAM_SIZE, &size),
                                 OSSL_PARAM_construct_end()};
    const fin_params ask = {.digest_bytes = FIRST};
    EVP_MD *md = EVP_MD_fetch(ours, "BLAKE2B-512", NULL);
    for (size_t length = 100; length <= 1000; length += 900) {
        EVP_MD_CTX *contexts[2] = {EVP_MD_CTX_new(), EVP_MD_CTX_new()};
        check_context("BLAKE2B-512, set during %zu bytes", length);
        size = FIRST;
        CHECK(EVP_DigestInit_ex2(contexts[0], md, params));
        CHECK(EVP_DigestUpdate(contexts[0], text, 10));
        size = SECOND;
        CHECK(EVP_MD_CTX_set_params(contexts[0], params));
        CHECK(EVP_DigestUpdate(contexts[0], text + 10, length - 10));
        CHECK(EVP_MD_CTX_copy_ex(contexts[1], contexts[0]));
        CHECK_STATUS(FIN_OK, fin_hash(FIN_BLAKE2B, &ask, text, length, expected, 64));
        for (size_t i = 0; i < 2; i++) {
            unsigned int written = 0;
            check_number(get_of_context, contexts[i], OSSL_DIGEST_PARAM_SIZE, SECOND);
            check_context("BLAKE2B-512, set during %zu bytes, context %zu", length, i);
            CHECK(EVP_DigestFinal_ex(contexts[i], out, &written) && written == FIRST);
            CHECK_BYTES(expected, out, FIRST);
            EVP_MD_CTX_free(contexts[i]);
        }
    }
    EVP_MD_free(md);
}

/* ---- Reasons of errors ---- */

/* Checks that a call has failed, for this reason: the first error in OpenSSL's queue. */
static void check_reason(int done, int reason)
{
    const unsigned long error = ERR_peek_error();
    CHECK(!done);
    if (!CHECK(ERR_GET_LIB(error) == ERR_LIB_PROV && ERR_GET_REASON(error) == reason)) {
        printf("    %s\n", ERR_reason_error_string(error));
    }
    ERR_clear_error();
}

static int set_number(EVP_MAC_CTX *context, const char *key, size_t number)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(key, &number),
                                 OSSL_PARAM_construct_end()};
    return EVP_MAC_CTX_set_params(context, params);
}

static int set_octets(EVP_MAC_CTX *context, const char *key, size_t length)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(key, text, length),
                                 OSSL_PARAM_construct_end()};
    return EVP_MAC_CTX_set_params(context, params);
}

static void reasons_of_mac(void)
{
    uint8_t out[OUT_MAX];
    char no_number[8];
    size_t written = 0;
    OSSL_PARAM wrong[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_SIZE, no_number, 8),
                          OSSL_PARAM_construct_end()};
    EVP_MAC *mac = EVP_MAC_fetch(ours, "BLAKE2BMAC", NULL);
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    check_context("reasons of a MAC's errors");
    ERR_clear_error();
    check_reason(EVP_MAC_update(context, text, 10), PROV_R_NO_KEY_SET);
    check_reason(EVP_MAC_final(context, out, &written, sizeof out), PROV_R_NO_KEY_SET);
    check_reason(EVP_MAC_init(context, NULL, 0, NULL), PROV_R_NO_KEY_SET);
    check_reason(EVP_MAC_init(context, text, 0, NULL), PROV_R_INVALID_KEY_LENGTH);
    check_reason(EVP_MAC_init(context, text, 65, NULL), PROV_R_INVALID_KEY_LENGTH);
    check_reason(set_octets(context, OSSL_MAC_PARAM_KEY, 65), PROV_R_INVALID_KEY_LENGTH);
    check_reason(set_octets(context, OSSL_MAC_PARAM_SALT, 17), PROV_R_INVALID_SALT_LENGTH);
    check_reason(set_octets(context, OSSL_MAC_PARAM_CUSTOM, 17), PROV_R_INVALID_CUSTOM_LENGTH);
    check_reason(set_number(context, OSSL_MAC_PARAM_SIZE, 65), PROV_R_NOT_XOF_OR_INVALID_LENGTH);
    check_reason(set_number(context, OSSL_MAC_PARAM_KEY, 5), PROV_R_FAILED_TO_GET_PARAMETER);
    check_reason(set_number(context, OSSL_MAC_PARAM_SALT, 5), PROV_R_FAILED_TO_GET_PARAMETER);
    check_reason(EVP_MAC_CTX_get_params(context, wrong), PROV_R_FAILED_TO_SET_PARAMETER);
    CHECK(EVP_MAC_init(context, text, 32, NULL));
    CHECK(EVP_MAC_final(context, out, &written, 64));
    EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(context);
    CHECK(copy != NULL && !EVP_MAC_update(copy, text, 10));
    CHECK(!EVP_MAC_final(copy, out, &written, 64));
    EVP_MAC_CTX_free(copy);
    ERR_clear_error();
    CHECK(!EVP_MAC_update(context, text, 10));
    const char *data = NULL;
    (void)ERR_peek_error_data(&data, NULL);
    CHECK(data != NULL && strcmp(data, fin_status_text(FIN_ERR_STATE)) == 0);
    check_reason(0, ERR_R_PASSED_INVALID_ARGUMENT);
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(mac);
}

static void reasons_of_digest(void)
{
    uint8_t out[EVP_MAX_MD_SIZE];
    char no_number[8];
    OSSL_PARAM wrong[] = {OSSL_PARAM_construct_utf8_string(OSSL_DIGEST_PARAM_SIZE, no_number, 8),
                          OSSL_PARAM_construct_end()};
    EVP_MD *md = EVP_MD_fetch(ours, "BLAKE2B-512", NULL);
    EVP_MD *xof = EVP_MD_fetch(ours, "BLAKE3", NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    check_context("reasons of a digest's errors");
    CHECK(EVP_DigestInit_ex2(context, md, NULL));
    ERR_clear_error();
    check_reason(set_digest_size(context, OSSL_DIGEST_PARAM_SIZE, 65),
                 PROV_R_NOT_XOF_OR_INVALID_LENGTH);
    check_number(get_of_context, context, OSSL_DIGEST_PARAM_SIZE, 64);
    check_context("reasons of a digest's errors");
    ERR_clear_error();
    check_reason(EVP_MD_CTX_set_params(context, wrong), PROV_R_FAILED_TO_GET_PARAMETER);
    check_reason(EVP_MD_CTX_get_params(context, wrong), PROV_R_FAILED_TO_SET_PARAMETER);
    check_reason(EVP_MD_get_params(md, wrong), PROV_R_FAILED_TO_SET_PARAMETER);
    check_reason(EVP_DigestUpdate(context, NULL, 600), ERR_R_PASSED_INVALID_ARGUMENT);
    CHECK(EVP_DigestInit_ex2(context, xof, NULL));
    CHECK(set_digest_size(context, OSSL_DIGEST_PARAM_XOFLEN, 70) == 1);
    ERR_clear_error();
    check_reason(EVP_DigestFinal_ex(context, out, NULL), PROV_R_INVALID_DIGEST_SIZE);
    EVP_MD_CTX_free(context);
    EVP_MD_free(md);
    EVP_MD_free(xof);
}

/* ---- Freed memory ---- */

/* OpenSSL's memory comes from here: each part is preceded by its length, and searched for secrets
   before it is freed. */
static uint8_t secret[32];
static bool watches_memory; /* in one thread */
static unsigned freed, freed_with_secret;

typedef union memory_head {
    size_t length;
    max_align_t aligned;
} memory_head;

static memory_head *live[100]; /* allocated while memory is watched */

/* Replaces an entry of the live ones. */
static void replace_live(memory_head *old, memory_head *new)
{
    size_t i = 0;
    while (i < sizeof live / sizeof live[0] && live[i] != old) {
        i++;
    }
    if (i < sizeof live / sizeof live[0]) {
        live[i] = new;
    } else {
        CHECK(old != NULL); /* else there are too many */
    }
}

static bool has_secret(const memory_head *head)
{
    const uint8_t *at = (const uint8_t *)(head + 1);
    for (size_t i = 0; i + 8 <= head->length; i++) {
        if (memcmp(at + i, secret, 8) == 0 || memcmp(at + i, secret + 8, 8) == 0) {
            return true;
        }
    }
    return false;
}

static unsigned live_with_secret(void)
{
    unsigned count = 0;
    for (size_t i = 0; i < sizeof live / sizeof live[0]; i++) {
        count += live[i] != NULL && has_secret(live[i]);
    }
    return count;
}

static bool can_watch_memory; /* the functions below are OpenSSL's */

static void *watched_malloc(size_t length, const char *file, int line)
{
    memory_head *head = malloc(sizeof *head + length);
    (void)file;
    (void)line;
    if (head == NULL) {
        return NULL;
    }
    head->length = length;
    if (watches_memory) {
        replace_live(NULL, head);
    }
    return head + 1;
}

static void watched_free(void *memory, const char *file, int line)
{
    (void)file;
    (void)line;
    if (memory == NULL) {
        return;
    }
    memory_head *head = (memory_head *)memory - 1;
    if (watches_memory) {
        replace_live(head, NULL);
        freed_with_secret += has_secret(head);
    }
    freed += watches_memory;
    free(head);
}

static void *watched_realloc(void *memory, size_t length, const char *file, int line)
{
    void *moved = length == 0 ? NULL : watched_malloc(length, file, line);
    if (memory != NULL && moved != NULL) {
        const size_t before = ((memory_head *)memory - 1)->length;
        memcpy(moved, memory, before < length ? before : length);
    }
    if (moved != NULL || length == 0) {
        watched_free(memory, file, line);
    }
    return moved;
}

/* Frees contexts, and their copies, of short and long messages that are ended and that are not. */
static void freed_memory(void)
{
    static uint8_t secrets[1500];
    uint8_t out[OUT_MAX];
    size_t written;
    EVP_MAC *mac = EVP_MAC_fetch(ours, "BLAKE2BMAC", NULL);
    EVP_MD *md = EVP_MD_fetch(ours, "BLAKE2B-256", NULL);
    check_context("freed memory");
    check_random_bytes(secret, sizeof secret);
    for (size_t i = 0; i < sizeof secrets; i++) {
        secrets[i] = secret[i % sizeof secret];
    }
    watches_memory = true;
    for (unsigned turn = 0; turn < 8; turn++) {
        const size_t length = turn % 2 == 0 ? 100 : sizeof secrets;
        const bool ends = turn / 2 % 2 != 0, again = turn / 4 != 0;
        EVP_MAC_CTX *macs[2] = {EVP_MAC_CTX_new(mac), NULL};
        EVP_MD_CTX *digests[2] = {EVP_MD_CTX_new(), EVP_MD_CTX_new()};
        CHECK(EVP_MAC_init(macs[0], secret, sizeof secret, NULL));
        CHECK(EVP_DigestInit_ex2(digests[0], md, NULL));
        for (size_t at = 0; at < length; at += 100) { /* the first bytes are buffered */
            CHECK(EVP_MAC_update(macs[0], secrets + at, 100));
            CHECK(EVP_DigestUpdate(digests[0], secrets + at, 100));
        }
        macs[1] = EVP_MAC_CTX_dup(macs[0]);
        CHECK(EVP_MD_CTX_copy_ex(digests[1], digests[0]));
        for (size_t i = 0; i < 2; i++) {
            CHECK(!ends || EVP_MAC_final(macs[i], out, &written, sizeof out));
            CHECK(!ends || EVP_DigestFinal_ex(digests[i], out, NULL));
            CHECK(!again || EVP_MAC_init(macs[i], text, 32, NULL));
            CHECK(!again || EVP_DigestInit_ex2(digests[i], NULL, NULL));
            EVP_MAC_CTX_free(macs[i]);
            EVP_MD_CTX_free(digests[i]);
        }
    }
    CHECK(freed > 8 && freed_with_secret == 0);
    /* A shorter key replaces all of a longer one, which also the next message does not need. */
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    CHECK(EVP_MAC_init(context, secret, sizeof secret, NULL) && live_with_secret() == 1);
    CHECK(EVP_MAC_init(context, text, 1, NULL) && live_with_secret() == 0);
    EVP_MAC_CTX_free(context);
    /* The search finds what is there. */
    OPENSSL_free(OPENSSL_memdup(secrets, 100));
    CHECK(freed_with_secret == 1);
    watches_memory = false;
    EVP_MAC_free(mac);
    EVP_MD_free(md);
}

static void contexts(const OSSL_PROVIDER *provider)
{
    texts_of_provider(provider);
    names();
    set_during_mac();
    two_keys();
    set_during_digest();
    reasons_of_mac();
    reasons_of_digest();
    if (can_watch_memory) {
        freed_memory();
    }
    ERR_clear_error();
}
