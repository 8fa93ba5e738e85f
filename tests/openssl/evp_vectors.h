/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * OpenSSL's own vectors for BLAKE2: reads their stanzas, and runs them through the provider.
 */

typedef struct bytes {
    size_t count;
    uint8_t data[TEXT_MAX];
} bytes;

typedef struct evp_case {
    char digest[32], mac[32], result[32];
    bytes key, salt, custom, input, output;
    size_t size, output_size, block_size;
} evp_case;

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = c == '\0' ? NULL : strchr(digits, c);
    return at == NULL ? -1 : (int)(at - digits) % 16;
}

/* Parses hexadecimal digits, or characters between quotation marks. */
static bytes parse_bytes(const char *text)
{
    bytes parsed = {0};
    if (*text == '"') {
        for (text++; *text != '"' && *text != '\0'; text++) {
            parsed.data[parsed.count++] = (uint8_t)*text;
        }
        return parsed;
    }
    for (; hex_digit(text[0]) >= 0 && hex_digit(text[1]) >= 0; text += 2) {
        parsed.data[parsed.count++] = (uint8_t)(hex_digit(text[0]) * 16 + hex_digit(text[1]));
    }
    CHECK(*text == '\0');
    return parsed;
}

static size_t parse_number(const char *text)
{
    return (size_t)strtoul(text, NULL, 10);
}

static void parse_line(evp_case *stanza, const char *key, const char *value)
{
    if (strcmp(key, "Digest") == 0) {
        snprintf(stanza->digest, sizeof stanza->digest, "%s", value);
    } else if (strcmp(key, "MAC") == 0) {
        snprintf(stanza->mac, sizeof stanza->mac, "%s", value);
    } else if (strcmp(key, "Result") == 0) {
        snprintf(stanza->result, sizeof stanza->result, "%s", value);
    } else if (strcmp(key, "Key") == 0) {
        stanza->key = parse_bytes(value);
    } else if (strcmp(key, "Salt") == 0) {
        stanza->salt = parse_bytes(value);
    } else if (strcmp(key, "Custom") == 0) {
        stanza->custom = parse_bytes(value);
    } else if (strcmp(key, "Input") == 0) {
        stanza->input = parse_bytes(value);
    } else if (strcmp(key, "Output") == 0) {
        stanza->output = parse_bytes(value);
    } else if (strcmp(key, "Ctrl") == 0 && strncmp(value, "size:", 5) == 0) {
        stanza->size = parse_number(value + 5);
    } else if (strcmp(key, "OutputSize") == 0) {
        stanza->output_size = parse_number(value);
    } else if (strcmp(key, "BlockSize") == 0) {
        stanza->block_size = parse_number(value);
    } else {
        check_context("%s = %s", key, value);
        CHECK(!"unknown line");
    }
}

static void run_digest(const evp_case *stanza)
{
    size_t size = stanza->output_size;
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_DIGEST_PARAM_SIZE, &size),
                                 OSSL_PARAM_construct_end()};
    uint8_t out[EVP_MAX_MD_SIZE];
    unsigned int written = 0;
    EVP_MD *md = EVP_MD_fetch(ours, stanza->digest, NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const int started = EVP_DigestInit_ex2(context, md, size == 0 ? NULL : params);
    CHECK(started == (strcmp(stanza->result, "DIGESTINIT_ERROR") != 0));
    if (started) {
        CHECK(EVP_DigestUpdate(context, stanza->input.data, stanza->input.count));
        CHECK(EVP_DigestFinal_ex(context, out, &written));
        CHECK(written == stanza->output.count);
        CHECK_BYTES(stanza->output.data, out, stanza->output.count);
    }
    EVP_MD_CTX_free(context);
    EVP_MD_free(md);
}

/* Leaves empty parameters out, so that the default applies. */
static size_t mac_params(OSSL_PARAM *params, bytes *salt, bytes *custom, size_t *size)
{
    size_t count = 0;
    if (salt->count != 0) {
        params[count++] =
            OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_SALT, salt->data, salt->count);
    }
    if (custom->count != 0) {
        params[count++] =
            OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, custom->data, custom->count);
    }
    if (*size != 0) {
        params[count++] = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, size);
    }
    params[count] = OSSL_PARAM_construct_end();
    return count;
}

static void run_mac(evp_case *stanza)
{
    OSSL_PARAM params[4];
    uint8_t out[OUT_MAX];
    size_t written = 0;
    EVP_MAC *mac = EVP_MAC_fetch(ours, stanza->mac, NULL);
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    (void)mac_params(params, &stanza->salt, &stanza->custom, &stanza->size);
    const int started = EVP_MAC_init(context, stanza->key.data, stanza->key.count, params);
    CHECK(started == (strcmp(stanza->result, "MAC_INIT_ERROR") != 0));
    if (started) {
        CHECK(EVP_MAC_update(context, stanza->input.data, stanza->input.count));
        CHECK(EVP_MAC_final(context, out, &written, sizeof out));
        CHECK(written == stanza->output.count);
        CHECK_BYTES(stanza->output.data, out, stanza->output.count);
        CHECK(stanza->output_size == 0 || EVP_MAC_CTX_get_mac_size(context) == stanza->output_size);
        CHECK(stanza->block_size == 0 || EVP_MAC_CTX_get_block_size(context) == stanza->block_size);
    }
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(mac);
}

static void vectors(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[TEXT_MAX];
    evp_case stanza = {0};
    unsigned number = 0, run = 0;
    if (!CHECK_NEEDED(file != NULL)) {
        return;
    }
    for (bool more = true; more;) {
        more = fgets(line, sizeof line, file) != NULL;
        number++;
        line[more ? strcspn(line, "\n") : 0] = '\0';
        check_context("%s, stanza before line %u", path, number);
        if (line[0] != '\0' && line[0] != '#') {
            char *value = strchr(line, '=');
            if (CHECK_NEEDED(value != NULL && value > line)) {
                value[-1] = '\0';
                parse_line(&stanza, line, value + 1 + (value[1] == ' '));
            }
        } else if (stanza.digest[0] != '\0' || stanza.mac[0] != '\0') {
            if (stanza.mac[0] != '\0') {
                run_mac(&stanza);
            } else {
                run_digest(&stanza);
            }
            run++;
            memset(&stanza, 0, sizeof stanza);
        }
    }
    (void)fclose(file);
    check_context("%s", path);
    CHECK(run == 65);
    ERR_clear_error();
}
