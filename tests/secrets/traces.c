/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests that branches do not depend on secrets: executes each call from branch to branch with two
 * keys and messages, which must take the same branches in the same order. Covers every instruction
 * set that this CPU has, including AVX-512 and GFNI, which valgrind does not know; does not check
 * addresses. Linux on x86-64.
 *
 * Without arguments it runs the selected implementations, of one message and of each number of
 * several. With "all" it runs every implementation that valgrind does not know.
 *
 * A child makes the calls and stops itself around each; its parent traces it.
 */
#include "check.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 5, COUNT_MAX = 16, MESSAGE_BYTES = 300, CHUNKS_BYTES = 35 * 1024 + 5, SECRETS = 2 };

static uint8_t message[MESSAGE_BYTES], chunks[CHUNKS_BYTES], key[64], salt[32];

/* Sets keys and messages with few one bits or with many. */
static void set_secrets(int which)
{
    memset(message, which == 0 ? 0 : 0xff, sizeof message);
    memset(chunks, which == 0 ? 0x11 : 0xe7, sizeof chunks);
    memset(key, which == 0 ? 0 : 0xff, sizeof key);
    memset(salt, which == 0 ? 0 : 0xff, sizeof salt);
    for (size_t i = 0; i < sizeof message; i += 7) {
        message[i] = (uint8_t)(which == 0 ? i : 3 * i + 0x5a);
    }
}

/* ---- The calls ---- */

static const fin_algorithm_info *info;
static fin_params params;

static void call_single(void)
{
    uint8_t digest[64];
    (void)fin_hash(info->algorithm, &params, message, 20, digest, 64);
}

static void call_many(void)
{
    uint8_t digests[COUNT * 64];
    fin_message messages[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        messages[i] = (fin_message){message + i, 10 * i};
    }
    (void)fin_hash_many(info->algorithm, &params, messages, COUNT, digests, 64);
}

/* Hashes more than a block, and a partial one. */
static void call_blocks(void)
{
    uint8_t digest[64];
    (void)fin_hash(info->algorithm, &params, message, info->block_bytes + 7U, digest, 64);
}

static size_t batch_count;

static void call_batch(void)
{
    uint8_t digests[COUNT_MAX * 64];
    fin_message messages[COUNT_MAX];
    for (size_t i = 0; i < batch_count; i++) {
        messages[i] = (fin_message){message + i, 40};
    }
    (void)fin_hash_many(info->algorithm, &params, messages, batch_count, digests, 64);
}

/* Hashes BLAKE3's chunks and their parents, in lanes and singly. */
static void call_chunks(void)
{
    uint8_t digest[64];
    (void)fin_hash(info->algorithm, &params, chunks, sizeof chunks, digest, 64);
}

static void call_verify(void)
{
    /* The wrong root differs in the first or in the last byte. */
    uint8_t root[64] = {0};
    root[0] = (uint8_t)(message[299] & 1);
    root[31] = 1;
    (void)fin_merkle_verify_inclusion(info->algorithm, &params, message + 200, 0, 1, NULL, 0, root);
}

static void call_planted(void)
{
    for (volatile uint8_t i = key[0] & 15; i != 0; i--) {
    }
}

/* ---- The child ---- */

/* tests/secrets/constant_time.c covers the instructions that valgrind knows. */
static bool is_unknown_to_valgrind(const fin_impl_info *impl)
{
    return strstr(impl->features, "avx512") != NULL || strstr(impl->features, "gfni") != NULL ||
           strstr(impl->features, "vaes") != NULL || strstr(impl->features, "avx2") != NULL;
}

/* The child's progress, shared with the parent. */
typedef struct progress {
    char name[100];
    int secret;
    bool ended;
} progress;

/* Makes the call; not inlined, so that both secrets run the same code. */
static __attribute__((noinline)) void call_between_stops(void (*call)(void))
{
    raise(SIGUSR1);
    call();
    raise(SIGUSR1);
}

static void run_stopped(progress *at, const char *what, const char *impl, void (*call)(void))
{
    snprintf(at->name, sizeof at->name, "%s, %s, %s", info->name, impl, what);
    set_secrets(0);
    call();
    /* Volatile, so that the loop stays a loop: unrolled, its last call has another stack pointer, and
       memset branches on whether its destination crosses a page. */
    for (volatile int secret = 0; secret < SECRETS; secret++) {
        set_secrets(secret);
        at->secret = secret;
        call_between_stops(call);
    }
}

static void set_params(void)
{
    params = (fin_params){
        .key = key, .key_bytes = info->key_bytes_max, .salt = salt, .salt_bytes = info->salt_bytes};
}

/* Runs each selected compression function through one algorithm, with key and salt. */
static void run_selected(progress *at)
{
    const char *before = "";
    for (size_t a = 0; a < fin_algorithm_count(); a++) {
        info = fin_algorithm_at(a);
        const bool is_xof = info->digest_bytes_max > 64 && info->algorithm != FIN_BLAKE3;
        if (strcmp(info->compression, before) == 0 || is_xof) {
            continue;
        }
        before = info->compression;
        set_params();
        run_stopped(at, "one block", "selected", call_single);
        run_stopped(at, "several blocks", "selected", call_blocks);
        if (info->algorithm == FIN_BLAKE3) {
            run_stopped(at, "chunks", "selected", call_chunks);
        }
        /* BLAKE2bp and BLAKE2sp hash one message after the other. */
        const bool in_lanes = info->algorithm != FIN_BLAKE2BP && info->algorithm != FIN_BLAKE2SP;
        for (batch_count = 2; in_lanes && batch_count <= COUNT_MAX; batch_count *= 2) {
            char what[40];
            snprintf(what, sizeof what, "%u messages", (unsigned)batch_count);
            run_stopped(at, what, "selected", call_batch);
        }
    }
}

static void run_all(progress *at)
{
    fin_impl_info impl;
    for (size_t i = 0; fin_impl_at(i, &impl) == FIN_OK; i++) {
        info = NULL;
        for (size_t a = 0; a < fin_algorithm_count() && info == NULL; a++) {
            const fin_algorithm_info *each = fin_algorithm_at(a);
            info = strcmp(each->compression, impl.algorithm) == 0 ? each : NULL;
        }
        if (info == NULL || !impl.supported || !impl.constant_time ||
            !is_unknown_to_valgrind(&impl)) {
            continue;
        }
        set_params();
        (void)fin_impl_select(info->algorithm, impl.name);
        run_stopped(at, impl.lanes == 1 ? "one message" : "many messages", impl.name,
                    impl.lanes == 1 ? call_single : call_many);
        if (info->algorithm == FIN_BLAKE3) {
            run_stopped(at, "chunks", impl.name, call_chunks);
        }
        (void)fin_impl_select(info->algorithm, NULL);
    }
}

static void run_calls(progress *at, bool all)
{
    if (all) {
        run_all(at);
    } else {
        run_selected(at);
    }
    info = fin_algorithm_describe(FIN_BLAKE2S);
    params = (fin_params){0};
    run_stopped(at, "verification", "automatic", call_verify);
    /* A branch on a secret, which must be detected. */
    at->ended = true;
    snprintf(at->name, sizeof at->name, "planted branch");
    for (int secret = 0; secret < SECRETS; secret++) {
        set_secrets(secret);
        at->secret = secret;
        call_between_stops(call_planted);
    }
}

/* ---- The parent ---- */

typedef struct trace {
    long stack; /* stack pointer at the first step */
    uint64_t hash;
    uint64_t steps; /* from branch to branch, or single instructions where the CPU lacks that */
} trace;

/* Resumes the child until it stops itself; returns false if it has ended. */
static bool go_on(pid_t child, bool one_step, int *signal_number)
{
    int status;
    const long done = one_step ? ptrace(PTRACE_SINGLEBLOCK, child, NULL, NULL)
                               : ptrace(PTRACE_CONT, child, NULL, NULL);
    if (done != 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
        return false;
    }
    *signal_number = WSTOPSIG(status);
    return true;
}

static trace follow(pid_t child)
{
    trace t = {0, UINT64_C(0xcbf29ce484222325), 0};
    int signal_number = 0;
    while (go_on(child, true, &signal_number) && signal_number == SIGTRAP) {
        const long at = ptrace(PTRACE_PEEKUSER, child, offsetof(struct user, regs.rip), NULL);
        t.hash = (t.hash ^ (uint64_t)at) * UINT64_C(0x100000001b3);
        if (t.steps++ == 0) {
            t.stack = ptrace(PTRACE_PEEKUSER, child, offsetof(struct user, regs.rsp), NULL);
        }
    }
    (void)CHECK_NEEDED(signal_number == SIGUSR1);
    return t;
}

int main(int argument_count, char **arguments)
{
    const bool all = argument_count > 1 && strcmp(arguments[1], "all") == 0;
    progress *at =
        mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    trace first = {0, 0, 0};
    int signal_number = 0;
    uint64_t steps = 0;
    if (!CHECK(at != MAP_FAILED)) {
        return check_report();
    }
    const pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
            _exit(EXIT_FAILURE);
        }
        raise(SIGSTOP);
        run_calls(at, all);
        _exit(EXIT_SUCCESS);
    }
    int status;
    if (!CHECK(child > 0 && waitpid(child, &status, 0) == child) || !WIFSTOPPED(status)) {
        printf("not checked: no process may be traced here\n");
        return check_report();
    }
    while (go_on(child, false, &signal_number)) {
        const bool planted = at->ended;
        check_context("%s", at->name);
        (void)CHECK_NEEDED(signal_number == SIGUSR1);
        const trace t = follow(child);
        steps += t.steps;
        if (at->secret == 0) {
            first = t;
            CHECK(t.steps > 10);
        } else {
            CHECK(t.stack == first.stack);
            CHECK((t.hash == first.hash && t.steps == first.steps) != planted);
        }
    }
    CHECK(at->ended);
    printf("%" PRIu64 " steps\n", steps);
    return check_report();
}
