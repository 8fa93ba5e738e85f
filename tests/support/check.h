/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Shared by all C tests: checks that count, painted and random bytes, and the iteration over an
 * algorithm's implementations. ISO C11 only, so that it also builds for bare targets.
 *
 * A test runs its checks, then returns check_report(). The first failures are printed with file
 * and line; check_context() names the object under test in those messages.
 *
 * A test with random input consists of parts. Each part has a name and draws its numbers from its
 * own seed, so that it can run alone: check_options() takes --seed N and --only NAME, and a failing
 * test prints both options, which reproduce its first failure.
 *
 * The first check ends the program if FINALIST_IMPL or FINALIST_CPU is wrong, since every call
 * would fail. Define CHECK_ANY_ENVIRONMENT in tests of the environment and in tests without the
 * library.
 */
#ifndef FINALIST_TESTS_CHECK_H
#define FINALIST_TESTS_CHECK_H

#include <finalist.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CHECK_PRINTED_MAX
#define CHECK_PRINTED_MAX 20
#endif

#if defined(__GNUC__)
#define CHECK_UNUSED __attribute__((unused))
#define CHECK_PRINTF(f, a) __attribute__((unused, format(printf, f, a)))
#else
#define CHECK_UNUSED
#define CHECK_PRINTF(f, a)
#endif

static unsigned long check_passed;
static unsigned long check_failed;
static char check_subject[200] = "";

/* The argument of --seed; the default is the same in every run and on every machine. */
static uint64_t check_seed = UINT64_C(0x6a09e667f3bcc908);
static uint64_t check_random_state = UINT64_C(0x6a09e667f3bcc908);
static const char *check_only = ""; /* the argument of --only */
static bool check_takes_options;
static unsigned long check_parts; /* that --only selects */
static char check_part_name[200] = "";
static char check_first_failed_part[200] = "";

/* Names the object under test in later failures. */
CHECK_PRINTF(1, 2) static void check_context(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check_subject, sizeof check_subject, format, arguments);
    va_end(arguments);
}

CHECK_UNUSED static void check_environment(void)
{
#ifndef CHECK_ANY_ENVIRONMENT
    const char *item;
    size_t bytes;
    const fin_status status = fin_environment_check(&item, &bytes);
    if (status != FIN_OK) {
        printf("%s: '%.*s': %s\n", fin_environment_variable(), (int)bytes, item,
               fin_status_text(status));
        exit(EXIT_FAILURE);
    }
#endif
}

CHECK_UNUSED static bool check_that(bool holds, const char *file, int line, const char *text)
{
    if (check_passed + check_failed == 0) {
        check_environment();
    }
    if (holds) {
        check_passed++;
        return true;
    }
    if (check_failed++ == 0) {
        memcpy(check_first_failed_part, check_part_name, sizeof check_part_name);
    }
    if (check_failed <= CHECK_PRINTED_MAX) {
        printf("%s:%d: %s: %s\n", file, line, check_subject, text);
    }
    return false;
}

CHECK_UNUSED static bool check_status(fin_status expected, fin_status got, const char *file,
                                      int line, const char *text)
{
    bool holds = expected == got;
    if (!holds && check_failed < CHECK_PRINTED_MAX) {
        printf("%s:%d: %s: expected '%s', got '%s'\n", file, line, check_subject,
               fin_status_text(expected), fin_status_text(got));
    }
    return check_that(holds, file, line, text);
}

CHECK_UNUSED static void check_print_hex(const char *label, const uint8_t *bytes, size_t count)
{
    printf("    %s ", label);
    for (size_t i = 0; i < count && i < 64; i++) {
        printf("%02x", bytes[i]);
    }
    printf("%s\n", count > 64 ? "..." : "");
}

CHECK_UNUSED static bool check_bytes(const uint8_t *expected, const uint8_t *got, size_t count,
                                     const char *file, int line, const char *text)
{
    bool holds = memcmp(expected, got, count) == 0;
    if (!check_that(holds, file, line, text) && check_failed <= CHECK_PRINTED_MAX) {
        check_print_hex("expected", expected, count);
        check_print_hex("got     ", got, count);
    }
    return holds;
}

#define CHECK(condition) check_that((condition), __FILE__, __LINE__, #condition)
#define CHECK_STATUS(expected, call) check_status((expected), (call), __FILE__, __LINE__, #call)
#define CHECK_BYTES(expected, got, count) \
    check_bytes((expected), (got), (count), __FILE__, __LINE__, #got)

/* Prints the summary. A run without a single check fails, too. */
CHECK_UNUSED static int check_report(void)
{
    if (check_passed + check_failed == 0) {
        check_failed = 1;
        printf("nothing was checked\n");
    }
    if (*check_only != '\0' && check_parts == 0) {
        check_failed = 1;
        printf("--only: no part's name contains '%s'\n", check_only);
    }
    printf("%lu passed, %lu failed\n", check_passed, check_failed);
    if (check_failed != 0 && check_takes_options) {
        printf("reproduce the first failure: --seed 0x%" PRIx64 "%s%s%s\n", check_seed,
               *check_first_failed_part != '\0' ? " --only '" : "", check_first_failed_part,
               *check_first_failed_part != '\0' ? "'" : "");
    }
    return check_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Allocates memory for a test, or ends it as failed. */
CHECK_UNUSED static void *check_allocate(size_t bytes)
{
    void *memory = malloc(bytes == 0 ? 1 : bytes);
    if (memory == NULL) {
        printf("out of memory for %lu bytes\n", (unsigned long)bytes);
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* Fills bytes with a period of 251, a prime, so that a block read from a wrong address shows. */
CHECK_UNUSED static void check_paint(uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(i % 251);
    }
}

/* Returns a random number (splitmix64). */
CHECK_UNUSED static uint64_t check_random(void)
{
    uint64_t z = check_random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Returns a number from 0 up to, but not including, limit. */
CHECK_UNUSED static size_t check_random_below(size_t limit)
{
    return (size_t)(check_random() % limit);
}

CHECK_UNUSED static void check_random_bytes(uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (uint8_t)check_random();
    }
}

/* Removes --seed N and --only NAME from the arguments. Ends the program on a wrong one. */
CHECK_UNUSED static void check_options(int *argument_count, char **arguments)
{
    int kept = 1;
    check_takes_options = true;
    for (int i = 1; i < *argument_count; i++) {
        const bool is_seed = strcmp(arguments[i], "--seed") == 0;
        const bool is_only = strcmp(arguments[i], "--only") == 0;
        char *end = NULL;
        if (!is_seed && !is_only) {
            arguments[kept++] = arguments[i];
            continue;
        }
        if (is_seed && i + 1 < *argument_count) {
            check_seed = strtoull(arguments[i + 1], &end, 0);
        }
        if (i + 1 == *argument_count || (is_seed && (end == arguments[i + 1] || *end != '\0'))) {
            printf("%s: needs a %s after it\n", arguments[i], is_seed ? "number" : "part's name");
            exit(EXIT_FAILURE);
        }
        i++;
        check_only = is_only ? arguments[i] : check_only;
    }
    *argument_count = kept;
    check_random_state = check_seed;
}

/*
 * Starts a part: names it as check_context() does and seeds its random numbers. Returns false if
 * --only skips it; it selects the parts whose names contain its argument.
 */
CHECK_PRINTF(1, 2) static bool check_part(const char *format, ...)
{
    uint64_t hash = check_seed;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check_part_name, sizeof check_part_name, format, arguments);
    va_end(arguments);
    check_context("%s", check_part_name);
    for (const char *c = check_part_name; *c != '\0'; c++) {
        hash = (hash ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
    }
    check_random_state = hash;
    const bool wanted = strstr(check_part_name, check_only) != NULL;
    check_parts += wanted;
    return wanted;
}

/* A condition for later checks: counts only if it fails. */
#define CHECK_NEEDED(condition) ((condition) || check_that(false, __FILE__, __LINE__, #condition))

/* Called while an implementation is selected. */
typedef void check_visit(fin_algorithm algorithm, const char *impl, void *data);

/*
 * Calls visit with each supported implementation of an algorithm for one message selected, as a
 * part of its own, then restores the automatic choice. Fails if there is none.
 */
CHECK_UNUSED static void check_each_impl(fin_algorithm algorithm, check_visit *visit, void *data)
{
    const fin_algorithm_info *described = fin_algorithm_describe(algorithm);
    unsigned visited = 0;
    for (size_t i = 0; i < fin_impl_count(); i++) {
        fin_impl_info impl;
        if (!CHECK_NEEDED(fin_impl_at(i, &impl) == FIN_OK) || !impl.supported ||
            strcmp(impl.mode, "single") != 0 ||
            strcmp(impl.algorithm, described->compression) != 0) {
            continue;
        }
        visited++;
        if (check_part("%s, %s", described->name, impl.name) &&
            CHECK_NEEDED(fin_impl_select(algorithm, impl.name) == FIN_OK)) {
            visit(algorithm, impl.name, data);
        }
    }
    check_context("%s", described->name);
    (void)CHECK_NEEDED(visited > 0);
    (void)CHECK_NEEDED(fin_impl_select(algorithm, NULL) == FIN_OK);
}

/* Returns true if calls without parameters have a digest length: all but BLAKE2X. */
CHECK_UNUSED static bool check_has_length(const fin_algorithm_info *info)
{
    return info->digest_bytes_max <= 64 || info->family == FIN_FAMILY_BLAKE3;
}

/*
 * Runs with the automatic choice, with each implementation of several messages, and without any,
 * each as a part of its own.
 */
CHECK_UNUSED static void check_each_choice(fin_algorithm algorithm,
                                           void (*run)(fin_algorithm algorithm))
{
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    if (check_part("%s, automatic", info->name)) {
        run(algorithm);
    }
    for (size_t i = 0; i < fin_impl_count(); i++) {
        fin_impl_info impl;
        if (!CHECK_NEEDED(fin_impl_at(i, &impl) == FIN_OK) || !impl.supported ||
            strcmp(impl.algorithm, info->compression) != 0 || strcmp(impl.mode, "multi") != 0) {
            continue;
        }
        if (check_part("%s, %s", info->name, impl.name)) {
            CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, impl.name));
            run(algorithm);
        }
    }
    if (check_part("%s, one at a time", info->name)) {
        CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, fin_impl_selected(algorithm)));
        run(algorithm);
    }
    CHECK_STATUS(FIN_OK, fin_impl_select(algorithm, NULL));
}

#endif
