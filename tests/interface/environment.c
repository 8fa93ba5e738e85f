/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests FINALIST_IMPL and FINALIST_CPU with names of this CPU's implementations and features, and
 * the text of fin_cpu_features. The environment is read once, so each case has its own process; the
 * first process finds the names.
 */
#define _GNU_SOURCE 1
/* The parent must not read the environment: its children would inherit the result. */
#define CHECK_ANY_ENVIRONMENT 1
#include "check.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 64 };

/* Implementations of BLAKE-256 in a process without an environment; empty if there is none. */
typedef struct names {
    char single[NAME_MAX_BYTES]; /* the default */
    char multi[NAME_MAX_BYTES];
    char other_multi[NAME_MAX_BYTES]; /* supported, but not the default */
    char needy[NAME_MAX_BYTES];       /* supported, for one message, needs a feature */
    char need[NAME_MAX_BYTES];        /* its first needed feature */
    char features[512];
} names;

static names *found;
static char item[2 * NAME_MAX_BYTES]; /* the last item of FINALIST_IMPL */

static void copy_name(char *to, const char *from)
{
    snprintf(to, NAME_MAX_BYTES, "%s", from);
}

/* Returns the selected implementation of several messages, or "". */
static const char *selected_multi(void)
{
    fin_impl_info impl;
    for (size_t i = 0; fin_impl_at(i, &impl) == FIN_OK; i++) {
        if (strcmp(impl.algorithm, "blake256") == 0 && impl.lanes > 1 && impl.selected) {
            return impl.name;
        }
    }
    return "";
}

static void find_names(void)
{
    fin_impl_info impl;
    copy_name(found->single, fin_impl_selected(FIN_BLAKE256));
    copy_name(found->multi, selected_multi());
    CHECK(fin_cpu_features(found->features, sizeof found->features) < sizeof found->features);
    for (size_t i = 0; fin_impl_at(i, &impl) == FIN_OK; i++) {
        if (strcmp(impl.algorithm, "blake256") != 0 || !impl.supported) {
            continue;
        }
        if (impl.lanes > 1 && !impl.selected) {
            copy_name(found->other_multi, impl.name);
        }
        if (impl.lanes == 1 && impl.features[0] != '\0') {
            copy_name(found->needy, impl.name);
            copy_name(found->need, impl.features);
            found->need[strcspn(found->need, ",")] = '\0';
        }
    }
}

static void expect_item(fin_status expected)
{
    const char *wrong = NULL;
    size_t bytes = 0;
    CHECK_STATUS(expected, fin_environment_check(&wrong, &bytes));
    CHECK(wrong != NULL && bytes == strlen(item) && memcmp(wrong, item, bytes) == 0);
}

static fin_status hash(fin_algorithm algorithm)
{
    uint8_t digest[64];
    return fin_hash(algorithm, NULL, "abc", 3, digest, sizeof digest);
}

/* An implementation needs a feature that the CPU has but FINALIST_CPU hides. */
static void test_unsupported(void)
{
    expect_item(FIN_ERR_IMPL_UNSUPPORTED);
    CHECK_STATUS(FIN_ERR_IMPL_UNSUPPORTED, hash(FIN_BLAKE256));
    CHECK_STATUS(FIN_OK, hash(FIN_BLAKE2B));
}

/* Compares messages of one block, two, and many, and BLAKE3's tree, with one at a time: a name of
   another compression function must reach none of them. */
static void test_several(void)
{
    enum { COUNT = 40, LONGEST = 1 << 16 };
    static uint8_t text[LONGEST + COUNT];
    static const size_t lengths[] = {10, 100, 1000, LONGEST};
    check_random_bytes(text, sizeof text);
    for (size_t k = 0; k < 4 * fin_algorithm_count(); k++) {
        const fin_algorithm_info *info = fin_algorithm_at(k / 4);
        const size_t count = lengths[k % 4] == LONGEST ? 1 : COUNT;
        fin_message messages[COUNT];
        uint8_t digests[COUNT][64], expected[64];
        for (size_t i = 0; i < count; i++) {
            messages[i] = (fin_message){text + i, lengths[k % 4]};
        }
        check_context("several of %s, %u bytes", info->name, (unsigned)lengths[k % 4]);
        const fin_params params = {.digest_bytes = info->digest_bytes};
        const fin_status status =
            fin_hash_many(info->algorithm, &params, messages, count, digests[0], 64);
        CHECK_STATUS(FIN_OK, status);
        CHECK_STATUS(FIN_OK, fin_impl_select(info->algorithm, "portable") == FIN_OK
                                 ? FIN_OK
                                 : fin_impl_select(info->algorithm, "bitslice"));
        for (size_t i = 0; i < count; i++) {
            CHECK_STATUS(FIN_OK, fin_hash(info->algorithm, &params, messages[i].in,
                                          messages[i].bytes, expected, 64));
            CHECK_BYTES(expected, digests[i], info->digest_bytes);
        }
        CHECK_STATUS(FIN_OK, fin_impl_select(info->algorithm, NULL));
    }
}

/* Naming an implementation of several messages leaves the choice for one message. */
static void test_multi(void)
{
    test_several();
    CHECK_STATUS(FIN_OK, hash(FIN_BLAKE256));
    CHECK(strcmp(selected_multi(), found->other_multi) == 0);
    CHECK(strcmp(fin_impl_selected(FIN_BLAKE256), found->single) == 0);
}

/* Naming an implementation of one message also applies to several, one at a time. */
static void test_single(void)
{
    test_several();
    CHECK_STATUS(FIN_OK, hash(FIN_BLAKE256));
    CHECK(strcmp(fin_impl_selected(FIN_BLAKE256), "portable") == 0);
    CHECK(strcmp(selected_multi(), "") == 0);
}

static void test_malformed(void)
{
    static const uint8_t block[128];
    /* BLAKE2b before its first byte: its digest length, fanout 1, depth 1, any chaining value. */
    const uint8_t midstate[104 + 64] = {
        'F', 'I', 'N', 'M', 1, FIN_BLAKE2B, [16] = 64, [40] = 64, 0, 1, 1};
    uint64_t h[8] = {0}, t[2] = {0};
    fin_context context;
    expect_item(FIN_ERR_ENVIRONMENT);
    CHECK_STATUS(FIN_ERR_ENVIRONMENT, fin_restore(&context, midstate, sizeof midstate));
    CHECK_STATUS(FIN_ERR_ENVIRONMENT, hash(FIN_BLAKE2B));
    CHECK_STATUS(FIN_ERR_ENVIRONMENT, fin_blake2b_f(12, h, block, t, true));
}

/* After a wrong item calls return a status, and the listing shows the automatic choice. */
static void test_wrong_after_right(void)
{
    expect_item(FIN_ERR_IMPL_UNKNOWN);
    CHECK_STATUS(FIN_ERR_IMPL_UNKNOWN, hash(FIN_BLAKE256));
    CHECK(strcmp(selected_multi(), found->multi) == 0);
    CHECK(strcmp(fin_impl_selected(FIN_BLAKE256), found->single) == 0);
    CHECK_STATUS(FIN_OK, hash(FIN_BLAKE2B));
}

/* A change after the first reading has no effect: neither on the choice nor on the wrong item. */
static void test_read_once(void)
{
    expect_item(FIN_ERR_IMPL_UNKNOWN);
    setenv("FINALIST_IMPL", "", 1);
    expect_item(FIN_ERR_IMPL_UNKNOWN);
    CHECK_STATUS(FIN_ERR_IMPL_UNKNOWN, hash(FIN_BLAKE256));
}

/* A later item for several messages replaces what an earlier one for one message says of them. */
static void test_multi_after_single(void)
{
    CHECK_STATUS(FIN_OK, hash(FIN_BLAKE256));
    CHECK(strcmp(fin_impl_selected(FIN_BLAKE256), "portable") == 0);
    CHECK(strcmp(selected_multi(), found->other_multi) == 0);
}

/* The first of several wrong items is told, and each call gets the first one's status. */
static void test_two_wrong(void)
{
    expect_item(FIN_ERR_IMPL_UNKNOWN);
    CHECK_STATUS(FIN_ERR_IMPL_UNKNOWN, hash(FIN_BLAKE256));
    CHECK_STATUS(FIN_ERR_IMPL_UNKNOWN, hash(FIN_BLAKE2B));
    CHECK_STATUS(FIN_OK, hash(FIN_BLAKE2S));
}

static bool lists(const char *features, const char *name)
{
    const size_t bytes = strlen(name);
    for (const char *at = features; (at = strstr(at, name)) != NULL; at++) {
        if ((at == features || at[-1] == ',') && (at[bytes] == ',' || at[bytes] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Passes memory of every length: nothing may be written beyond it. */
static void test_features(void)
{
    char text[sizeof found->features + 2];
    const size_t length = strlen(found->features);
    CHECK(length == 0 || (found->features[0] != ',' && found->features[length - 1] != ','));
    CHECK(strstr(found->features, ",,") == NULL);
    CHECK(*found->need == '\0' || lists(found->features, found->need));
#ifdef __SSE2__
    /* The CPU that runs this test has it; without the list the cases below would be left out. */
    CHECK(lists(found->features, "sse2"));
#endif
    CHECK(fin_cpu_features(NULL, 0) == length);
    for (size_t bytes = 1; bytes <= length + 2; bytes++) {
        const size_t written = bytes <= length ? bytes - 1 : length;
        memset(text, '#', sizeof text);
        CHECK(fin_cpu_features(text, bytes) == length);
        CHECK(memcmp(text, found->features, written) == 0);
        CHECK(text[written] == '\0' && text[written + 1] == '#');
    }
}

/* Hiding a feature removes it from the list, and FINALIST_CPU accepts each remaining one. */
static void test_hidden(void)
{
    char text[sizeof found->features];
    const char *wrong;
    size_t bytes;
    CHECK_STATUS(FIN_OK, fin_environment_check(&wrong, &bytes));
    CHECK(fin_cpu_features(text, sizeof text) < strlen(found->features));
    CHECK(!lists(text, getenv("FINALIST_CPU") + 1));
    for (char *name = strtok(text, ","); name != NULL; name = strtok(NULL, ",")) {
        CHECK(lists(found->features, name));
    }
}

#if defined(__linux__)
#define FORKS_WHILE_READING 1

static bool forks; /* at the next reading of the environment */

/* In place of the C library's, which the library calls while it reads the environment. The child
   has no thread that finishes the reading. */
char *secure_getenv(const char *name)
{
    int ended = -1;
    if (forks) {
        forks = false;
        const pid_t pid = fork();
        if (pid == 0) {
            expect_item(FIN_ERR_IMPL_UNKNOWN);
            exit(check_report());
        }
        CHECK(pid > 0 && waitpid(pid, &ended, 0) == pid);
        CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) == EXIT_SUCCESS);
    }
    return getenv(name);
}

static void test_fork_while_reading(void)
{
    forks = true;
    expect_item(FIN_ERR_IMPL_UNKNOWN);
    CHECK(!forks);
}
#endif

static void in_process(const char *name, const char *impl, const char *cpu, void (*run)(void))
{
    int ended = -1;
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        setenv("FINALIST_IMPL", impl, 1);
        setenv("FINALIST_CPU", cpu, 1);
        check_context("%s", name);
        run();
        exit(check_report());
    }
    check_context("%s, in a process of its own", name);
    CHECK(pid > 0 && waitpid(pid, &ended, 0) == pid);
    CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) == EXIT_SUCCESS);
}

int main(void)
{
    char hidden[NAME_MAX_BYTES + 1], list[2 * sizeof item + 32];
    found = mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) {
        printf("no shared memory\n");
        return EXIT_FAILURE;
    }
    in_process("names", "", "", find_names);
    in_process("features", "", "", test_features);
    if (*found->needy != '\0') {
        snprintf(item, sizeof item, "blake256=%s", found->needy);
        snprintf(hidden, sizeof hidden, "-%s", found->need);
        in_process("unsupported", item, hidden, test_unsupported);
    }
    if (*found->other_multi != '\0') {
        snprintf(item, sizeof item, "blake256=%s", found->other_multi);
        in_process("multi", item, "", test_multi);
    }
    if (*found->other_multi != '\0') {
        snprintf(list, sizeof list, "blake256=portable,%s", item);
        in_process("multi after single", list, "", test_multi_after_single);
        snprintf(list, sizeof list, "%s,blake256=portable", item);
        in_process("single after multi", list, "", test_single);
    }
    in_process("single", "blake256=portable", "", test_single);
    static const char *const malformed[] = {"blake256", "=portable", "nosuch=portable"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        snprintf(item, sizeof item, "%s", malformed[i]);
        in_process(malformed[i], item, "", test_malformed);
    }
    snprintf(item, sizeof item, "blake256=nosuch");
    snprintf(list, sizeof list, "blake256=portable,%s", item);
    in_process("wrong after right", list, "", test_wrong_after_right);
    in_process("read once", item, "", test_read_once);
    snprintf(list, sizeof list, "%s,blake2b=neither", item);
    in_process("two wrong items", list, "", test_two_wrong);
    if (*found->needy != '\0') {
        snprintf(list, sizeof list, "%s,blake256=%s,blake2b=neither", item, found->needy);
        snprintf(hidden, sizeof hidden, "-%s", found->need);
        in_process("two wrong items for a function", list, hidden, test_two_wrong);
    }
#ifdef FORKS_WHILE_READING
    in_process("fork while reading", item, "", test_fork_while_reading);
#endif
    char names_left[sizeof found->features];
    memcpy(names_left, found->features, sizeof names_left);
    for (char *name = strtok(names_left, ","); name != NULL; name = strtok(NULL, ",")) {
        snprintf(hidden, sizeof hidden, "-%s", name);
        in_process(hidden, "", hidden, test_hidden);
    }
    return check_report();
}
