/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests descriptions, names and texts: the tables of algorithms and statuses.
 */

/* Every field, in the order of fin_algorithm_info. */
static const fin_algorithm_info described[] = {
    {FIN_BLAKE224, FIN_FAMILY_BLAKE, "blake224", "BLAKE-224", "blake256", 64, 28, 28, 28, 0, 16, 0,
     true, false, 0},
    {FIN_BLAKE256, FIN_FAMILY_BLAKE, "blake256", "BLAKE-256", "blake256", 64, 32, 32, 32, 0, 16, 0,
     true, false, 0},
    {FIN_BLAKE384, FIN_FAMILY_BLAKE, "blake384", "BLAKE-384", "blake512", 128, 48, 48, 48, 0, 32, 0,
     true, false, 0},
    {FIN_BLAKE512, FIN_FAMILY_BLAKE, "blake512", "BLAKE-512", "blake512", 128, 64, 64, 64, 0, 32, 0,
     true, false, 0},
    {FIN_BLAKE28, FIN_FAMILY_BLAKE, "blake28", "BLAKE-28", "blake256", 64, 28, 28, 28, 0, 16, 0,
     true, false, 0},
    {FIN_BLAKE32, FIN_FAMILY_BLAKE, "blake32", "BLAKE-32", "blake256", 64, 32, 32, 32, 0, 16, 0,
     true, false, 0},
    {FIN_BLAKE48, FIN_FAMILY_BLAKE, "blake48", "BLAKE-48", "blake512", 128, 48, 48, 48, 0, 32, 0,
     true, false, 0},
    {FIN_BLAKE64, FIN_FAMILY_BLAKE, "blake64", "BLAKE-64", "blake512", 128, 64, 64, 64, 0, 32, 0,
     true, false, 0},
    {FIN_BLAKE2B, FIN_FAMILY_BLAKE2, "blake2b", "BLAKE2b", "blake2b", 128, 64, 1, 64, 64, 16, 16,
     false, false, 1},
    {FIN_BLAKE2S, FIN_FAMILY_BLAKE2, "blake2s", "BLAKE2s", "blake2s", 64, 32, 1, 32, 32, 8, 8,
     false, false, 1},
    {FIN_BLAKE2BP, FIN_FAMILY_BLAKE2, "blake2bp", "BLAKE2bp", "blake2b", 128, 64, 1, 64, 64, 16, 16,
     false, false, 1},
    {FIN_BLAKE2SP, FIN_FAMILY_BLAKE2, "blake2sp", "BLAKE2sp", "blake2s", 64, 32, 1, 32, 32, 8, 8,
     false, false, 1},
    {FIN_BLAKE2XB, FIN_FAMILY_BLAKE2, "blake2xb", "BLAKE2Xb", "blake2b", 128, 64, 1, UINT32_MAX - 1,
     64, 16, 16, false, false, 1},
    {FIN_BLAKE2XS, FIN_FAMILY_BLAKE2, "blake2xs", "BLAKE2Xs", "blake2s", 64, 32, 1, UINT16_MAX - 1,
     32, 8, 8, false, false, 1},
    {FIN_GROESTL224, FIN_FAMILY_GROESTL, "groestl224", "Groestl-224", "groestl256", 64, 28, 1, 28,
     0, 0, 0, true, false, 0},
    {FIN_GROESTL256, FIN_FAMILY_GROESTL, "groestl256", "Groestl-256", "groestl256", 64, 32, 1, 32,
     0, 0, 0, true, false, 0},
    {FIN_GROESTL384, FIN_FAMILY_GROESTL, "groestl384", "Groestl-384", "groestl512", 128, 48, 1, 48,
     0, 0, 0, true, false, 0},
    {FIN_GROESTL512, FIN_FAMILY_GROESTL, "groestl512", "Groestl-512", "groestl512", 128, 64, 1, 64,
     0, 0, 0, true, false, 0},
    {FIN_GROESTL0_224, FIN_FAMILY_GROESTL, "groestl0-224", "Groestl-0-224", "groestl0-256", 64, 28,
     1, 28, 0, 0, 0, true, false, 0},
    {FIN_GROESTL0_256, FIN_FAMILY_GROESTL, "groestl0-256", "Groestl-0-256", "groestl0-256", 64, 32,
     1, 32, 0, 0, 0, true, false, 0},
    {FIN_GROESTL0_384, FIN_FAMILY_GROESTL, "groestl0-384", "Groestl-0-384", "groestl0-512", 128, 48,
     1, 48, 0, 0, 0, true, false, 0},
    {FIN_GROESTL0_512, FIN_FAMILY_GROESTL, "groestl0-512", "Groestl-0-512", "groestl0-512", 128, 64,
     1, 64, 0, 0, 0, true, false, 0},
    {FIN_BLAKE3, FIN_FAMILY_BLAKE3, "blake3", "BLAKE3", "blake3", 64, 32, 1, UINT64_MAX - 1, 32, 0,
     0, false, true, 32},
};

static void test_fields(const fin_algorithm_info *expected, const fin_algorithm_info *info)
{
    check_context("fields, %s", expected->name);
    CHECK(expected->algorithm == info->algorithm && expected->family == info->family);
    CHECK(strcmp(expected->name, info->name) == 0 && strcmp(expected->title, info->title) == 0);
    CHECK(strcmp(expected->compression, info->compression) == 0);
    CHECK(expected->block_bytes == info->block_bytes);
    CHECK(expected->digest_bytes == info->digest_bytes);
    CHECK(expected->digest_bytes_min == info->digest_bytes_min);
    CHECK(expected->digest_bytes_max == info->digest_bytes_max);
    CHECK(expected->key_bytes_min == info->key_bytes_min);
    CHECK(expected->key_bytes_max == info->key_bytes_max);
    CHECK(expected->salt_bytes == info->salt_bytes);
    CHECK(expected->personal_bytes == info->personal_bytes);
    CHECK(expected->bits == info->bits && expected->derive_key == info->derive_key);
}

static void test_descriptions(void)
{
    check_context("descriptions");
    CHECK(fin_algorithm_count() == 23);
    CHECK(fin_algorithm_at(fin_algorithm_count()) == NULL);
    CHECK(fin_algorithm_at(SIZE_MAX) == NULL);
    CHECK(fin_algorithm_describe((fin_algorithm)0) == NULL);
    CHECK(fin_algorithm_describe((fin_algorithm)24) == NULL);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm_info *info = fin_algorithm_at(i);
        fin_algorithm found = (fin_algorithm)0;
        test_fields(&described[i], info);
        check_context("descriptions, %s", info->name);
        CHECK(fin_algorithm_describe(info->algorithm) == info);
        CHECK_STATUS(FIN_OK, fin_algorithm_by_name(info->name, &found));
        CHECK(found == info->algorithm);
        CHECK(info->digest_bytes_min <= info->digest_bytes);
        CHECK(info->digest_bytes <= info->digest_bytes_max);
        CHECK(strlen(info->title) > 0 && strlen(info->compression) > 0);
        CHECK(info->bits == (info->key_bytes_max == 0));
        CHECK(info->key_bytes_min <= info->key_bytes_max);
        CHECK((info->key_bytes_min == 0) == (info->key_bytes_max == 0));
        CHECK(info->derive_key == (info->family == FIN_FAMILY_BLAKE3));
    }
}

static void test_names(void)
{
    fin_algorithm algorithm = FIN_BLAKE2B;
    check_context("names");
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_algorithm_by_name("BLAKE2B", &algorithm));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_algorithm_by_name("", &algorithm));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_algorithm_by_name("blake2bb", &algorithm));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_algorithm_by_name("blake2bps", &algorithm));
    CHECK_STATUS(FIN_ERR_NULL, fin_algorithm_by_name(NULL, &algorithm));
    CHECK_STATUS(FIN_ERR_NULL, fin_algorithm_by_name("blake2b", NULL));
    CHECK(algorithm == FIN_BLAKE2B);
}

/* A part of each status's text, which those of other statuses do not have. */
static const char *const told[] = {
    [FIN_OK] = "success",
    [FIN_ERR_NULL] = "a null pointer",
    [FIN_ERR_ALGORITHM] = "no such algorithm",
    [FIN_ERR_DIGEST_LENGTH] = "no digest of this length",
    [FIN_ERR_KEY_LENGTH] = "no key of this length",
    [FIN_ERR_SALT_LENGTH] = "no salt of this length",
    [FIN_ERR_PERSONAL_LENGTH] = "no personalisation of this length",
    [FIN_ERR_TREE_MODE] = "tree mode parameters",
    [FIN_ERR_STATE] = "the context is not initialised",
    [FIN_ERR_KEY_WIPED] = "key was wiped",
    [FIN_ERR_OUTPUT_LENGTH] = "the output buffer",
    [FIN_ERR_MESSAGE_LENGTH] = "the message is longer",
    [FIN_ERR_BLOCK_LENGTH] = "not a whole number of blocks",
    [FIN_ERR_BITS] = "more than seven extra bits",
    [FIN_ERR_MIDSTATE] = "no midstate",
    [FIN_ERR_IMPL_UNKNOWN] = "no implementation of that name",
    [FIN_ERR_IMPL_UNSUPPORTED] = "needs a CPU feature",
    [FIN_ERR_ENVIRONMENT] = "not understood",
    [FIN_ERR_INDEX] = "no such leaf",
    [FIN_ERR_PROOF] = "does not lead to the root",
    [FIN_ERR_COLUMN] = "offsets, views or widths of the column",
    [FIN_ERR_DERIVE_KEY] = "a derive-key context",
};

static void test_texts(void)
{
    const int beyond = FIN_ERR_DERIVE_KEY + 1;
    char version[32];
    check_context("texts");
    snprintf(version, sizeof version, "%d.%d.%d", FIN_VERSION_MAJOR, FIN_VERSION_MINOR,
             FIN_VERSION_PATCH);
    CHECK(strcmp(version, fin_version()) == 0);
    for (int i = 0; i < beyond; i++) {
        const char *text = fin_status_text((fin_status)i);
        CHECK(text != NULL && strlen(text) > 0 && text[strlen(text) - 1] != '.');
        CHECK(strstr(text, told[i]) != NULL);
        for (int j = 0; text != NULL && j < i; j++) {
            CHECK(strcmp(text, fin_status_text((fin_status)j)) != 0);
        }
    }
    CHECK(fin_status_text((fin_status)beyond) != NULL);
    CHECK(fin_status_text((fin_status)-1) != NULL);
    CHECK(fin_context_bytes() == sizeof(fin_context));
    CHECK(fin_context_alignment() == _Alignof(fin_context));
    CHECK(_Alignof(fin_context) <= 8);
}
