/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests the selection of implementations: fin_impl_select and its errors; FINALIST_IMPL and
 * FINALIST_CPU, each value in its own process because they are read once; and threads that race for
 * the first choice (to be run under ThreadSanitizer, too).
 *
 * Without arguments this program runs everything; with one it is the child of that name.
 */
#if defined(__unix__) || defined(__APPLE__)
#define _GNU_SOURCE 1
#define CHILD_PROCESSES 1
#endif

#define CHECK_ANY_ENVIRONMENT 1
#include "check.h"

#ifdef CHILD_PROCESSES
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#endif

/* ---- Through the interface ---- */

static void test_registry(void)
{
    fin_impl_info impl;
    fin_impl_info other;
    check_context("registry");
    CHECK(fin_impl_count() > 0);
    CHECK_STATUS(FIN_ERR_IMPL_UNKNOWN, fin_impl_at(fin_impl_count(), &impl));
    CHECK_STATUS(FIN_ERR_IMPL_UNKNOWN, fin_impl_at(SIZE_MAX, &impl));
    CHECK_STATUS(FIN_ERR_NULL, fin_impl_at(0, NULL));
    CHECK(strlen(fin_core_class()) > 0);
    for (size_t i = 0; i < fin_impl_count(); i++) {
        CHECK_STATUS(FIN_OK, fin_impl_at(i, &impl));
        check_context("registry, %s, %s", impl.algorithm, impl.name);
        CHECK(strlen(impl.technique) > 0 && strlen(impl.source) > 0 && impl.features != NULL);
        CHECK(strcmp(impl.technique, impl.source) != 0);
        CHECK(strcmp(impl.mode, "single") == 0 || strcmp(impl.mode, "multi") == 0);
        CHECK(impl.lanes >= 1 && impl.block_bytes >= 64);
        CHECK(!impl.selected || (impl.supported && impl.constant_time));
        for (size_t j = 0; j < i; j++) {
            CHECK_STATUS(FIN_OK, fin_impl_at(j, &other));
            CHECK(strcmp(impl.algorithm, other.algorithm) != 0 ||
                  strcmp(impl.name, other.name) != 0);
        }
    }
}

/* The default for each algorithm is a supported constant-time implementation. */
static void test_defaults(void)
{
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm_info *info = fin_algorithm_at(i);
        unsigned selected = 0;
        fin_impl_info impl;
        check_context("defaults, %s", info->name);
        for (size_t j = 0; j < fin_impl_count(); j++) {
            CHECK_STATUS(FIN_OK, fin_impl_at(j, &impl));
            if (strcmp(impl.algorithm, info->compression) == 0 &&
                strcmp(impl.mode, "single") == 0 && impl.selected) {
                selected++;
                CHECK(strcmp(fin_impl_selected(info->algorithm), impl.name) == 0);
                CHECK(impl.constant_time);
            }
        }
        CHECK(selected == 1);
    }
}

/* Selecting a name of one mode affects the other mode only as the header documents. */
static void test_modes(void)
{
    fin_impl_info impl, multi = {0};
    check_context("modes");
    for (size_t i = 0; i < fin_impl_count(); i++) {
        (void)CHECK_NEEDED(fin_impl_at(i, &impl) == FIN_OK);
        if (impl.supported && impl.lanes > 1 && strcmp(impl.algorithm, "blake2s") == 0) {
            multi = impl;
        }
    }
    if (multi.name == NULL) {
        return;
    }
    char before[32];
    snprintf(before, sizeof before, "%s", fin_impl_selected(FIN_BLAKE2S));
    CHECK_STATUS(FIN_OK, fin_impl_select(FIN_BLAKE2S, multi.name));
    CHECK(strcmp(fin_impl_selected(FIN_BLAKE2S), before) == 0);
    for (int round = 0; round < 3; round++) {
        unsigned selected = 0;
        for (size_t i = 0; i < fin_impl_count(); i++) {
            (void)CHECK_NEEDED(fin_impl_at(i, &impl) == FIN_OK);
            selected += impl.selected && impl.lanes > 1 && strcmp(impl.algorithm, "blake2s") == 0;
        }
        CHECK(selected == (round == 1 ? 0 : 1));
        CHECK_STATUS(FIN_OK, fin_impl_select(FIN_BLAKE2S, round == 0 ? "portable" : NULL));
    }
}

static void test_select(void)
{
    const char *before = fin_impl_selected(FIN_GROESTL256);
    check_context("select");
    CHECK_STATUS(FIN_ERR_IMPL_UNKNOWN, fin_impl_select(FIN_GROESTL256, "nosuch"));
    CHECK_STATUS(FIN_ERR_IMPL_UNKNOWN, fin_impl_select(FIN_GROESTL256, ""));
    CHECK_STATUS(FIN_ERR_IMPL_UNKNOWN, fin_impl_select(FIN_BLAKE256, "ttable64"));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_impl_select((fin_algorithm)0, "portable"));
    CHECK_STATUS(FIN_ERR_ALGORITHM, fin_impl_select((fin_algorithm)99, NULL));
    CHECK(fin_impl_selected((fin_algorithm)0) == NULL);
    CHECK(strcmp(fin_impl_selected(FIN_GROESTL256), before) == 0);
    CHECK_STATUS(FIN_OK, fin_impl_select(FIN_GROESTL224, "ttable64"));
    CHECK(strcmp(fin_impl_selected(FIN_GROESTL256), "ttable64") == 0);
    CHECK(strcmp(fin_impl_selected(FIN_GROESTL512), "ttable64") != 0);
    CHECK_STATUS(FIN_OK, fin_impl_select(FIN_GROESTL256, NULL));
    CHECK(strcmp(fin_impl_selected(FIN_GROESTL224), before) == 0);
}

static void test_environment_unset(void)
{
    const char *item = "untouched";
    size_t bytes = 5;
    check_context("no environment");
    CHECK_STATUS(FIN_OK, fin_environment_check(&item, &bytes));
    CHECK_STATUS(FIN_ERR_NULL, fin_environment_check(NULL, &bytes));
    CHECK_STATUS(FIN_ERR_NULL, fin_environment_check(&item, NULL));
}

#ifdef CHILD_PROCESSES

#include "children.h"

static void set_environment(const char *name, const char *value)
{
    const size_t end = value != NULL ? strlen(value) : 0;
    char *longer = check_allocate(end + LONG_NAME + 1);
    if (value == NULL) {
        unsetenv(name);
    } else if (end >= strlen(LONG) && strcmp(value + end - strlen(LONG), LONG) == 0) {
        memset(longer, 'a', end + LONG_NAME);
        memcpy(longer, value, end - strlen(LONG));
        longer[end + LONG_NAME] = '\0';
        setenv(name, longer, 1);
    } else {
        setenv(name, value, 1);
    }
    free(longer);
}

/* Executes the program as its child of that name. EMULATOR holds the words of the command that runs
   programs of the target, as strings, if the machine cannot run them itself. */
static void execute(const char *program, const char *name)
{
#ifdef EMULATOR
    const char *const words[] = {EMULATOR, program, name, NULL};
#else
    const char *const words[] = {program, name, NULL};
#endif
    char *arguments[sizeof words / sizeof words[0]];
    memcpy(arguments, words, sizeof words);
    execvp(arguments[0], arguments);
}

static void run_child(const char *program, const scenario *child)
{
    int ended = -1;
    check_context("child %s", child->name);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        set_environment("FINALIST_IMPL", child->impl);
        set_environment("FINALIST_CPU", child->cpu);
        execute(program, child->name);
        _exit(127);
    }
    CHECK(pid > 0 && waitpid(pid, &ended, 0) == pid);
    CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
}

/* AddressSanitizer's leak check cannot run in a set-uid program. */
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define SET_UID_COPY 1

/* Makes a set-uid copy of this program that belongs to another user. */
static bool make_set_uid_copy(const char *program, const char *copy)
{
    enum { NOBODY = 65534 };
    FILE *from = fopen(program, "rb");
    FILE *to = fopen(copy, "wb");
    bool fine = from != NULL && to != NULL;
    char piece[4096];
    size_t bytes;
    while (fine && (bytes = fread(piece, 1, sizeof piece, from)) > 0) {
        fine = fwrite(piece, 1, bytes, to) == bytes;
    }
    if (from != NULL) {
        fclose(from);
    }
    if (to != NULL) {
        fine = fclose(to) == 0 && fine;
    }
    return fine && chown(copy, NOBODY, NOBODY) == 0 && chmod(copy, 04755) == 0;
}
#endif

static void run_secure_child(const char *program, const scenario *child)
{
#ifdef SET_UID_COPY
    char copy[] = "/tmp/finalist-dispatch-XXXXXX";
    int file = mkstemp(copy);
    if (geteuid() == 0 && file >= 0) {
        close(file);
        CHECK(make_set_uid_copy(program, copy));
        run_child(copy, child);
        unlink(copy);
        return;
    }
    if (file >= 0) {
        close(file);
        unlink(copy);
    }
#endif
    (void)child;
    printf("%s: making a set-uid copy needs root on Linux, without a sanitizer: not checked\n",
           program);
}

static void run_children(const char *program)
{
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        if (strcmp(scenarios[i].name, "secure") == 0) {
            run_secure_child(program, &scenarios[i]);
        } else {
            run_child(program, &scenarios[i]);
        }
    }
}

static int be_child(const char *name)
{
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        if (strcmp(scenarios[i].name, name) == 0) {
            check_context("child %s", name);
            scenarios[i].run();
            return check_report();
        }
    }
    printf("no scenario is named %s\n", name);
    return EXIT_FAILURE;
}

#endif

int main(int argument_count, char **arguments)
{
#ifdef CHILD_PROCESSES
    if (argument_count > 1) {
        return be_child(arguments[1]);
    }
    run_children(arguments[0]);
    unsetenv("FINALIST_IMPL");
    unsetenv("FINALIST_CPU");
#else
    (void)argument_count;
    (void)arguments;
#endif
    test_registry();
    test_defaults();
    test_select();
    test_modes();
    test_environment_unset();
    return check_report();
}
