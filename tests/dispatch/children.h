/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Scenarios of tests/dispatch/dispatch.c: each checks, in its own process, dispatch under the
 * environment that run_children() sets.
 */

static const uint8_t message[300] = {1, 2, 3};

static fin_status hash(fin_algorithm algorithm)
{
    uint8_t digest[64];
    return fin_hash(algorithm, NULL, message, sizeof message, digest, sizeof digest);
}

static void expect_wrong_item(fin_status expected, const char *variable, const char *text)
{
    const char *item = NULL;
    size_t bytes = 0;
    CHECK_STATUS(expected, fin_environment_check(&item, &bytes));
    CHECK(item != NULL && bytes == strlen(text) && memcmp(item, text, bytes) == 0);
    CHECK(fin_environment_variable() != NULL && strcmp(fin_environment_variable(), variable) == 0);
}

static void child_chosen(void)
{
    const char *item;
    size_t bytes;
    CHECK_STATUS(FIN_OK, fin_environment_check(&item, &bytes));
    CHECK(strcmp(fin_impl_selected(FIN_GROESTL256), "ttable64") == 0);
    CHECK(strcmp(fin_impl_selected(FIN_GROESTL224), "ttable64") == 0);
    CHECK(strcmp(fin_impl_selected(FIN_GROESTL512), "ttable64") != 0);
    CHECK_STATUS(FIN_OK, hash(FIN_GROESTL256));
    CHECK_STATUS(FIN_OK, fin_impl_select(FIN_GROESTL256, "bitslice"));
    CHECK_STATUS(FIN_OK, fin_impl_select(FIN_GROESTL256, NULL));
    CHECK(strcmp(fin_impl_selected(FIN_GROESTL256), "ttable64") == 0);
}

static void child_unchosen(void)
{
    const char *item;
    size_t bytes;
    CHECK_STATUS(FIN_OK, fin_environment_check(&item, &bytes));
    test_defaults();
}

static void child_unknown_impl(void)
{
    fin_context context;
    expect_wrong_item(FIN_ERR_IMPL_UNKNOWN, "FINALIST_IMPL", "blake256=nosuch");
    CHECK_STATUS(FIN_ERR_IMPL_UNKNOWN, hash(FIN_BLAKE256));
    CHECK_STATUS(FIN_ERR_IMPL_UNKNOWN, fin_init(&context, FIN_BLAKE224, NULL));
    CHECK_STATUS(FIN_OK, hash(FIN_BLAKE2B));
    CHECK_STATUS(FIN_OK, fin_impl_select(FIN_BLAKE256, "portable"));
    CHECK_STATUS(FIN_OK, hash(FIN_BLAKE256));
}

static void child_unknown_algorithm(void)
{
    expect_wrong_item(FIN_ERR_ENVIRONMENT, "FINALIST_IMPL", "nosuch=portable");
    CHECK_STATUS(FIN_ERR_ENVIRONMENT, hash(FIN_BLAKE256));
}

static void child_no_name(void)
{
    expect_wrong_item(FIN_ERR_ENVIRONMENT, "FINALIST_IMPL", "portable");
    CHECK_STATUS(FIN_ERR_ENVIRONMENT, hash(FIN_BLAKE256));
}

static void child_wrong_mask(void)
{
    expect_wrong_item(FIN_ERR_ENVIRONMENT, "FINALIST_CPU", "avx2");
    CHECK_STATUS(FIN_ERR_ENVIRONMENT, hash(FIN_BLAKE256));
}

static void child_unknown_feature(void)
{
    expect_wrong_item(FIN_ERR_ENVIRONMENT, "FINALIST_CPU", "-nosuch");
    CHECK_STATUS(FIN_ERR_ENVIRONMENT, hash(FIN_BLAKE256));
}

/* Both variables have the same error: FINALIST_CPU is read first. */
static void child_both_wrong(void)
{
    expect_wrong_item(FIN_ERR_ENVIRONMENT, "FINALIST_CPU", "-nosuch");
}

/* FINALIST_IMPL has an item that is valid in FINALIST_CPU only. */
static void child_wrong_in_impl(void)
{
    expect_wrong_item(FIN_ERR_ENVIRONMENT, "FINALIST_IMPL", "-avx2");
}

enum { LONG_NAME = 100000, KEPT = 128 };

static void expect_long_item(fin_status expected, const char *variable, const char *begin)
{
    char kept[KEPT + 1];
    memset(kept, 'a', KEPT);
    kept[KEPT] = '\0';
    memcpy(kept, begin, strlen(begin));
    expect_wrong_item(expected, variable, kept);
    CHECK_STATUS(expected, hash(FIN_BLAKE256));
}

static void child_long_impl(void)
{
    expect_long_item(FIN_ERR_IMPL_UNKNOWN, "FINALIST_IMPL", "blake256=");
}

static void child_long_algorithm(void)
{
    expect_long_item(FIN_ERR_ENVIRONMENT, "FINALIST_IMPL", "");
}

static void child_long_feature(void)
{
    expect_long_item(FIN_ERR_ENVIRONMENT, "FINALIST_CPU", "-");
}

/* Hiding the lowest features of x86 and of Arm hides every implementation that needs any. */
static void child_masked(void)
{
    char features[512];
    fin_impl_info impl;
    CHECK(fin_cpu_features(features, sizeof features) < sizeof features);
    CHECK(strstr(features, "sse") == NULL && strstr(features, "avx") == NULL &&
          strstr(features, "neon") == NULL);
    for (size_t i = 0; i < fin_impl_count(); i++) {
        fin_algorithm algorithm;
        CHECK_STATUS(FIN_OK, fin_impl_at(i, &impl));
        CHECK(impl.supported == (impl.features[0] == '\0'));
        if (!impl.supported && fin_algorithm_by_name(impl.algorithm, &algorithm) == FIN_OK) {
            CHECK_STATUS(FIN_ERR_IMPL_UNSUPPORTED, fin_impl_select(algorithm, impl.name));
        }
    }
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        CHECK_STATUS(FIN_OK, hash(fin_algorithm_at(i)->algorithm));
    }
}

/* A set-uid program ignores the environment, even its errors. */
static void child_secure(void)
{
#if defined(__linux__)
    if (getauxval(AT_SECURE) == 0) {
        printf("the file system ignores the set-uid bit: not checked\n");
        CHECK(true);
        return;
    }
#endif
    child_unchosen();
    CHECK_STATUS(FIN_OK, hash(FIN_BLAKE256));
}

#define THREADS 8

static void *thread_first_use(void *data)
{
    uint8_t(*digests)[64] = data;
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        fin_status status =
            fin_hash(fin_algorithm_at(i)->algorithm, NULL, message, sizeof message, digests[i], 64);
        if (status != FIN_OK) {
            memset(digests[i], 0, 64);
        }
    }
    return NULL;
}

/* Uses every algorithm for the first time in many threads at once. */
static void child_threads(void)
{
    static uint8_t digests[THREADS][32][64];
    pthread_t threads[THREADS];
    CHECK(fin_algorithm_count() <= 32);
    for (unsigned i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, thread_first_use, digests[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm_info *info = fin_algorithm_at(i);
        uint8_t expected[64];
        CHECK_STATUS(FIN_OK,
                     fin_hash(info->algorithm, NULL, message, sizeof message, expected, 64));
        for (unsigned j = 0; j < THREADS; j++) {
            CHECK_BYTES(expected, digests[j][i], info->digest_bytes);
        }
    }
}

static atomic_bool hashing_done;

/* Mostly resets the choice, which the next caller must then make again. */
static void *thread_selecting(void *data)
{
    (void)data;
    for (unsigned i = 0; !atomic_load(&hashing_done); i++) {
        (void)fin_impl_select(FIN_GROESTL256, i % 8 == 0 ? "ttable64" : NULL);
        (void)fin_impl_select(FIN_BLAKE2B, i % 8 == 0 ? "portable" : NULL);
    }
    return NULL;
}

static fin_status hash_both(uint8_t digests[2][64])
{
    fin_status status = fin_hash(FIN_GROESTL256, NULL, message, 64, digests[0], 64);
    return status == FIN_OK ? fin_hash(FIN_BLAKE2B, NULL, message, 64, digests[1], 64) : status;
}

static void *thread_hashing(void *data)
{
    uint8_t expected[2][64];
    uint8_t got[2][64];
    bool *wrong = data;
    *wrong = hash_both(expected) != FIN_OK;
    for (unsigned repeat = 0; repeat < 20000 && !*wrong; repeat++) {
        *wrong = hash_both(got) != FIN_OK || memcmp(expected[0], got[0], 32) != 0 ||
                 memcmp(expected[1], got[1], 64) != 0;
    }
    return NULL;
}

/* Checks messages in progress while another thread changes and resets the choice. */
static void child_selecting(void)
{
    bool wrong[THREADS];
    pthread_t threads[THREADS];
    pthread_t selecting;
    CHECK(pthread_create(&selecting, NULL, thread_selecting, NULL) == 0);
    for (unsigned i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, thread_hashing, &wrong[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(!wrong[i]);
    }
    atomic_store(&hashing_done, true);
    CHECK(pthread_join(selecting, NULL) == 0);
}

typedef struct scenario {
    const char *name;
    const char *impl; /* FINALIST_IMPL and FINALIST_CPU; null if not set */
    const char *cpu;
    void (*run)(void);
} scenario;

/* LONG at the end of a value in a scenario means a name of LONG_NAME letters. */
#define LONG "..."

static const scenario scenarios[] = {
    {"chosen", "groestl256=ttable64,blake256=portable", NULL, child_chosen},
    {"chosen-by-sharer", "groestl224=ttable64", NULL, child_chosen},
    {"last-counts", "groestl256=bitslice,groestl256=ttable64", NULL, child_chosen},
    {"empty", "", "", child_unchosen},
    {"commas", ",,", ",", child_unchosen},
    {"unknown-impl", "groestl256=ttable64,blake256=nosuch", NULL, child_unknown_impl},
    {"unknown-algorithm", "nosuch=portable", NULL, child_unknown_algorithm},
    {"no-name", "portable", NULL, child_no_name},
    {"wrong-mask", NULL, "-avx512,avx2", child_wrong_mask},
    {"unknown-feature", NULL, "-nosuch", child_unknown_feature},
    {"both-wrong", "-nosuch", "-nosuch", child_both_wrong},
    {"wrong-in-impl", "-avx2", "-avx2", child_wrong_in_impl},
    {"long-impl", "groestl256=ttable64,blake256=" LONG, NULL, child_long_impl},
    {"long-algorithm", LONG, NULL, child_long_algorithm},
    {"long-feature", NULL, "-" LONG, child_long_feature},
    {"masked", NULL, "-mmx,-sse2,-bmi2,-neon", child_masked},
    {"threads", NULL, NULL, child_threads},
    {"selecting", NULL, NULL, child_selecting},
    {"secure", "blake256=nosuch,groestl256=ttable64", "avx2", child_secure},
};
