/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests descriptions, names and texts: the tables of algorithms and statuses.
 */

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
