/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Single-steps a call and writes the general registers before each instruction, for
 * tools/check_forwarding.py: seventeen words of 64 bits, rip and then rax .. r15 in the order
 * below. Linux on x86-64.
 *
 *   test_steps FUNCTION WAY BYTES   a message of BYTES bytes; see below for the ways
 *   test_steps planted              a load of sixteen bytes after two stores of eight
 *
 * A child makes the call twice; its parent traces the second one. Ends with 3 if the process may
 * not be traced here, with 2 if there is no such case.
 */
#include <finalist.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_CASE = 2, NOT_FOLLOWED = 3, WORDS = 17 };

static _Alignas(64) uint8_t message[512], digest[64], secret[64];
static const fin_algorithm_info *info;
static size_t bytes;
static fin_params params;
static const fin_tree_mode tree = {2, 2, 4096, 3, 0, 32, true};

/* ---- The calls ---- */

static void call_one_shot(void)
{
    (void)fin_hash(info->algorithm, &params, message, bytes, digest, sizeof digest);
}

static void call_plain(void)
{
    (void)fin_hash(info->algorithm, NULL, message, bytes, digest, sizeof digest);
}

static void call_stream(void)
{
    static fin_context context;
    (void)fin_init(&context, info->algorithm, &params);
    (void)fin_update(&context, message, bytes);
    (void)fin_final(&context, digest, sizeof digest);
}

/* Hashes enough messages to fill the lanes several times. */
static void call_many(void)
{
    enum { COUNT = 64 };
    static uint8_t messages[COUNT * sizeof message], digests[COUNT * sizeof digest];
    static fin_message list[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        list[i] = (fin_message){messages + i * bytes, bytes};
    }
    (void)fin_hash_many(info->algorithm, NULL, list, COUNT, digests, sizeof digest);
}

static void call_planted(void)
{
    __asm__ volatile("movq %%rax, (%0)\n\tmovq %%rax, 8(%0)\n\tmovdqu (%0), %%xmm0"
                     :
                     : "r"(digest)
                     : "xmm0", "memory");
}

static void set_key(void)
{
    params.key = secret;
    params.key_bytes = info->key_bytes_max;
}

static void set_salt(void)
{
    params.salt = secret;
    params.salt_bytes = info->salt_bytes;
}

static void set_tree(void)
{
    params.tree_mode = &tree;
}

static void set_nothing(void)
{
}

static const struct {
    const char *name;
    void (*set)(void);
    void (*call)(void);
} ways[] = {
    {"plain", set_nothing, call_plain},       {"keyed", set_key, call_one_shot},
    {"salted", set_salt, call_one_shot},      {"tree", set_tree, call_one_shot},
    {"stream", set_nothing, call_stream},     {"keyed-stream", set_key, call_stream},
    {"salted-stream", set_salt, call_stream}, {"many", set_nothing, call_many},
};

/* Returns the call, or null. */
static void (*find_call(const char *function, const char *way))(void)
{
    fin_algorithm algorithm;
    if (fin_algorithm_by_name(function, &algorithm) != FIN_OK) {
        return NULL;
    }
    info = fin_algorithm_describe(algorithm);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(way, ways[i].name) == 0) {
            ways[i].set();
            return ways[i].call;
        }
    }
    return NULL;
}

/* ---- The steps ---- */

/* The parent recognises these functions by their addresses. */
static __attribute__((noinline)) void after_call(void)
{
    __asm__ volatile("nop # a distinct instruction" : : : "memory");
}

static __attribute__((noinline)) void run(void (*call)(void))
{
    call();
    after_call();
}

static bool step(pid_t child)
{
    int status;
    return ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) == 0 &&
           waitpid(child, &status, 0) == child && WIFSTOPPED(status);
}

static bool write_steps(pid_t child)
{
    bool begun = false;
    do {
        struct user_regs_struct r;
        if (ptrace(PTRACE_GETREGS, child, NULL, &r) != 0) {
            return false;
        }
        if (r.rip == (uintptr_t)after_call) {
            return true;
        }
        begun |= r.rip == (uintptr_t)run;
        const uint64_t words[WORDS] = {r.rip, r.rax, r.rbx, r.rcx, r.rdx, r.rsi,
                                       r.rdi, r.rbp, r.rsp, r.r8,  r.r9,  r.r10,
                                       r.r11, r.r12, r.r13, r.r14, r.r15};
        if (begun) {
            fwrite(words, sizeof words, 1, stdout);
        }
    } while (step(child));
    return false;
}

static void run_child(void (*call)(void))
{
    call();
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
        _exit(NOT_FOLLOWED);
    }
    raise(SIGSTOP);
    run(call);
    _exit(EXIT_SUCCESS);
}

int main(int argc, char **argv)
{
    void (*call)(void) = NULL;
    if (argc == 2 && strcmp(argv[1], "planted") == 0) {
        call = call_planted;
    } else if (argc == 4) {
        call = find_call(argv[1], argv[2]);
        bytes = strtoul(argv[3], NULL, 10);
    }
    if (call == NULL || bytes > sizeof message) {
        fprintf(stderr, "test_steps FUNCTION WAY BYTES | planted: no such case\n");
        return NO_CASE;
    }
    const pid_t child = fork();
    if (child == 0) {
        run_child(call);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
        return NOT_FOLLOWED;
    }
    const bool written = write_steps(child);
    (void)kill(child, SIGKILL);
    (void)waitpid(child, &status, 0);
    return written && fflush(stdout) == 0 ? EXIT_SUCCESS : NOT_FOLLOWED;
}
