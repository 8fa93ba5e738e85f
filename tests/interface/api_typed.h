/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares the functions of each algorithm with the generic ones.
 */

typedef fin_status plain_function(uint8_t *digest, const void *in, size_t bytes);
typedef fin_status salted_init(fin_context *context, const uint8_t *salt);

static void test_typed_plain(void)
{
    static const struct {
        fin_algorithm algorithm;
        plain_function *hash;
        salted_init *init;
    } rows[] = {
        {FIN_BLAKE224, fin_blake224, fin_blake224_init},
        {FIN_BLAKE256, fin_blake256, fin_blake256_init},
        {FIN_BLAKE384, fin_blake384, fin_blake384_init},
        {FIN_BLAKE512, fin_blake512, fin_blake512_init},
        {FIN_BLAKE28, fin_blake28, fin_blake28_init},
        {FIN_BLAKE32, fin_blake32, fin_blake32_init},
        {FIN_BLAKE48, fin_blake48, fin_blake48_init},
        {FIN_BLAKE64, fin_blake64, fin_blake64_init},
        {FIN_GROESTL224, fin_groestl224, NULL},
        {FIN_GROESTL256, fin_groestl256, NULL},
        {FIN_GROESTL384, fin_groestl384, NULL},
        {FIN_GROESTL512, fin_groestl512, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const fin_algorithm_info *info = fin_algorithm_describe(rows[i].algorithm);
        uint8_t expected[64];
        uint8_t got[64];
        fin_context context;
        fin_params params = {0};
        check_context("typed, %s", info->name);
        CHECK_STATUS(FIN_OK, fin_hash(rows[i].algorithm, NULL, message, 200, expected, 64));
        CHECK_STATUS(FIN_OK, rows[i].hash(got, message, 200));
        CHECK_BYTES(expected, got, info->digest_bytes);
        CHECK_STATUS(FIN_ERR_NULL, rows[i].hash(NULL, message, 200));
        CHECK_STATUS(FIN_ERR_NULL, rows[i].hash(got, NULL, 200));
        for (int salted = 0; rows[i].init != NULL && salted < 2; salted++) {
            params.salt = salted ? message : NULL;
            params.salt_bytes = salted ? info->salt_bytes : 0;
            CHECK_STATUS(FIN_OK, fin_hash(rows[i].algorithm, &params, message, 9, expected, 64));
            CHECK_STATUS(FIN_OK, rows[i].init(&context, params.salt));
            CHECK_STATUS(FIN_OK, fin_update(&context, message, 9));
            CHECK_STATUS(FIN_OK, fin_final(&context, got, sizeof got));
            CHECK_BYTES(expected, got, info->digest_bytes);
        }
    }
}

typedef fin_status keyed_function(uint8_t *digest, size_t digest_bytes, const void *in,
                                  size_t bytes, const uint8_t *key, size_t key_bytes);

/* The init functions take size_t or uint64_t lengths: converts both. */
#define KEYED_INIT(name)                                                                         \
    static fin_status init_##name(fin_context *context, size_t digest_bytes, const uint8_t *key, \
                                  size_t key_bytes)                                              \
    {                                                                                            \
        return fin_##name##_init(context, digest_bytes, key, key_bytes);                         \
    }
KEYED_INIT(blake2b)
KEYED_INIT(blake2s)
KEYED_INIT(blake2bp)
KEYED_INIT(blake2sp)
KEYED_INIT(blake2xb)
KEYED_INIT(blake2xs)

static void test_typed_blake2(void)
{
    static const struct {
        fin_algorithm algorithm;
        keyed_function *hash;
        fin_status (*init)(fin_context *context, size_t digest_bytes, const uint8_t *key,
                           size_t key_bytes);
    } rows[] = {
        {FIN_BLAKE2B, fin_blake2b, init_blake2b},    {FIN_BLAKE2S, fin_blake2s, init_blake2s},
        {FIN_BLAKE2BP, fin_blake2bp, init_blake2bp}, {FIN_BLAKE2SP, fin_blake2sp, init_blake2sp},
        {FIN_BLAKE2XB, fin_blake2xb, init_blake2xb}, {FIN_BLAKE2XS, fin_blake2xs, init_blake2xs},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const fin_algorithm_info *info = fin_algorithm_describe(rows[i].algorithm);
        check_context("typed, %s", info->name);
        for (size_t bytes = 1; bytes <= info->digest_bytes; bytes += 5) {
            uint8_t expected[64];
            uint8_t got[64];
            fin_context context;
            fin_params params = {0};
            params.digest_bytes = bytes;
            params.key = bytes % 2 ? key_bytes_of_test : NULL;
            params.key_bytes = bytes % 2 ? bytes % 32 : 0;
            CHECK_STATUS(FIN_OK, fin_hash(rows[i].algorithm, &params, message, 77, expected, 64));
            CHECK_STATUS(FIN_OK,
                         rows[i].hash(got, bytes, message, 77, params.key, params.key_bytes));
            CHECK_BYTES(expected, got, bytes);
            CHECK_STATUS(FIN_OK, rows[i].init(&context, bytes, params.key, params.key_bytes));
            CHECK_STATUS(FIN_OK, fin_update(&context, message, 77));
            CHECK_STATUS(FIN_OK, fin_final(&context, got, bytes));
            CHECK_BYTES(expected, got, bytes);
        }
        uint8_t digest[64];
        CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, rows[i].hash(digest, 0, message, 1, NULL, 0));
        CHECK_STATUS(FIN_ERR_NULL, rows[i].hash(NULL, 1, message, 1, NULL, 0));
        CHECK_STATUS(FIN_ERR_NULL, rows[i].hash(digest, 1, message, 1, NULL, 1));
        CHECK_STATUS(FIN_ERR_KEY_LENGTH, rows[i].hash(digest, 1, message, 1, key_bytes_of_test,
                                                      info->key_bytes_max + 1));
    }
}

static void test_typed_groestl(void)
{
    check_context("typed, groestl");
    for (size_t bytes = 0; bytes <= 65; bytes++) {
        uint8_t expected[64];
        uint8_t got[64];
        fin_context context;
        fin_params params = {0};
        params.digest_bytes = bytes;
        for (int first = 0; first < 2; first++) {
            const fin_algorithm algorithm = first ? FIN_GROESTL0_512 : FIN_GROESTL512;
            fin_status (*hash)(uint8_t *, size_t, const void *, size_t) =
                first ? fin_groestl0 : fin_groestl;
            fin_status (*init)(fin_context *, size_t) =
                first ? fin_groestl0_init : fin_groestl_init;
            if (bytes == 0 || bytes == 65) {
                CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, hash(got, bytes, message, 1));
                CHECK_STATUS(FIN_ERR_DIGEST_LENGTH, init(&context, bytes));
                continue;
            }
            CHECK_STATUS(FIN_OK, fin_hash(algorithm, &params, message, 150, expected, bytes));
            CHECK_STATUS(FIN_OK, hash(got, bytes, message, 150));
            CHECK_BYTES(expected, got, bytes);
            CHECK_STATUS(FIN_OK, init(&context, bytes));
            CHECK_STATUS(FIN_OK, fin_update(&context, message, 150));
            CHECK_STATUS(FIN_OK, fin_final(&context, got, bytes));
            CHECK_BYTES(expected, got, bytes);
        }
    }
}
