/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Compares the XOP emulator with bit-by-bit models: every form on random operands, in low and high
 * registers, with either source in memory, through every kind of address; and checks that the upper
 * halves of the registers are zeroed as on a CPU. On a CPU with XOP the same test checks the
 * models.
 */
#include "xop_emulator.h"

#define CHECK_ANY_ENVIRONMENT 1
#include "check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRIALS = 100 };

typedef struct operands {
    _Alignas(32) uint8_t a[32], b[32], c[32], d[32];
} operands;

/* Computes an instruction on a, b and c; only the first 16 bytes unless it is a wide one. */
typedef void model(const operands *o, uint8_t d[32], unsigned bits, int count);

typedef struct form {
    const char *text;
    model *model;
    unsigned bits;
    int count; /* an immediate */
} form;

#include "models.h"

/* ---- Forms ---- */

#ifdef __x86_64__
#define HIGH_REGISTERS , "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#else
#define HIGH_REGISTERS
#endif
#define CLOBBERED "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7"

/* The location of a, b and c: registers A, B and C, or memory. AT&T's order. */
#define IN_REGISTERS(m, D, A, B, C) m " %%xmm" B ", %%xmm" A ", %%xmm" D
#define SOURCE_IN_MEMORY(m, D, A, B, C) m " %%xmm" B ", (%0), %%xmm" D
#define COUNT_IN_MEMORY(m, D, A, B, C) m " 32(%0), %%xmm" A ", %%xmm" D
#define IMMEDIATE(m, D, A, B, C) m ", %%xmm" A ", %%xmm" D
#define IMMEDIATE_OF_MEMORY(m, D, A, B, C) m ", (%0), %%xmm" D
#define THREE(m, D, A, B, C) m " %%xmm" C ", %%xmm" B ", %%xmm" A ", %%xmm" D
#define THREE_B_IN_MEMORY(m, D, A, B, C) m " %%xmm" C ", 32(%0), %%xmm" A ", %%xmm" D
#define THREE_C_IN_MEMORY(m, D, A, B, C) m " 64(%0), %%xmm" B ", %%xmm" A ", %%xmm" D
#define WIDE(m, D, A, B, C) m " %%ymm" C ", %%ymm" B ", %%ymm" A ", %%ymm" D
#define WIDE_B_IN_MEMORY(m, D, A, B, C) m " %%ymm" C ", 32(%0), %%ymm" A ", %%ymm" D
#define WIDE_C_IN_MEMORY(m, D, A, B, C) m " 64(%0), %%ymm" B ", %%ymm" A ", %%ymm" D

/* The emulator handles AVX only after an instruction of XOP. */
#define XOP_FIRST(C) "vprotb $1, %%xmm" C ", %%xmm" C "\n\t"
#define AFTER_XOP(m, D, A, B, C) XOP_FIRST(C) m " %%xmm" B ", %%xmm" A ", %%xmm" D
#define AFTER_XOP_WITH_MEMORY(m, D, A, B, C) XOP_FIRST(C) m " 32(%0), %%xmm" A ", %%xmm" D
#define AFTER_XOP_ONE(m, D, A, B, C) XOP_FIRST(C) m " %%xmm" B ", %%xmm" D
#define AFTER_XOP_ONE_OF_MEMORY(m, D, A, B, C) XOP_FIRST(C) m " 32(%0), %%xmm" D
#define AFTER_XOP_STORED(m, D, A, B, C) \
    XOP_FIRST(C) m " %%xmm" B ", 64(%0)\n\tvmovdqu 64(%0), %%xmm" D

/* Runs an instruction on operands in ymm registers D, A, B and C; it may name memory by %0. Stores
   all of D: the former upper half must be gone. */
#define RUN(D, A, B, C, where, text)                                                               \
    __asm__ volatile("vmovdqu (%0), %%ymm" A "\n\tvmovdqu 32(%0), %%ymm" B                         \
                     "\n\tvmovdqu 64(%0), %%ymm" C "\n\tvmovdqu 96(%0), %%ymm" D                   \
                     "\n\t" where(text, D, A, B, C) "\n\tvmovdqu %%ymm" D ", 96(%0)\n\tvzeroupper" \
                     :                                                                             \
                     : "r"(o)                                                                      \
                     : CLOBBERED HIGH_REGISTERS)

#ifdef __x86_64__
enum { REGISTER_SETS = 7 };
#define RUN_IN_HIGH_REGISTERS(set, where, text)   \
    if ((set) == 2) {                             \
        RUN("8", "1", "2", "3", where, text);     \
    } else if ((set) == 3) {                      \
        RUN("0", "15", "2", "3", where, text);    \
    } else if ((set) == 4) {                      \
        RUN("7", "6", "10", "4", where, text);    \
    } else if ((set) == 5) {                      \
        RUN("0", "1", "2", "11", where, text);    \
    } else if ((set) == 6) {                      \
        RUN("12", "13", "14", "15", where, text); \
    }
#else
enum { REGISTER_SETS = 2 };
#define RUN_IN_HIGH_REGISTERS(set, where, text)
#endif

/* Each operand of an instruction has a low register, and in another set a high one. */
static void run_form(operands *o, size_t which, unsigned set)
{
    size_t number = 0;
#define FORM(where, text, model, bits, count)       \
    if (number++ == which) {                        \
        if (set == 0) {                             \
            RUN("0", "1", "2", "3", where, text);   \
        } else if (set == 1) {                      \
            RUN("4", "7", "6", "5", where, text);   \
        } else {                                    \
            RUN_IN_HIGH_REGISTERS(set, where, text) \
        }                                           \
    }
#include "xop_forms.def"
#undef FORM
}

static const form forms[] = {
#define FORM(where, text, model, bits, count) {text " " #where, model, bits, count},
#include "xop_forms.def"
#undef FORM
};

/* Counts of shifts stay below the element's width, beyond which the manual is silent. */
static void draw_operands(operands *o, const form *f)
{
    check_random_bytes((uint8_t *)o, sizeof *o);
    if (f->model == model_shift_logical || f->model == model_shift_arithmetic) {
        for (unsigned at = 0; at < 16; at += f->bits / 8) {
            o->b[at] = (uint8_t)(check_random_below(2 * f->bits - 1) - (f->bits - 1));
        }
    }
}

static void test_forms(void)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        for (unsigned set = 0; set < REGISTER_SETS; set++) {
            const unsigned long before = xop_followed();
            if (!check_part("%s, registers %u", forms[i].text, set)) {
                continue;
            }
            for (unsigned trial = 0; trial < TRIALS; trial++) {
                operands o;
                uint8_t expected[32] = {0};
                draw_operands(&o, &forms[i]);
                forms[i].model(&o, expected, forms[i].bits, forms[i].count);
                run_form(&o, i, set);
                CHECK_BYTES(expected, o.d, 32);
            }
            if (strstr(forms[i].text, "AFTER_XOP") != NULL && xop_emulated() != 0) {
                CHECK(xop_followed() - before >= TRIALS);
            }
        }
    }
}

/* ---- Addresses ---- */

static _Alignas(32) uint8_t words[32];

/* vprotd of words at an address computed by the text from %[p]; R may be part of it. The stack
   pointer moves past everything that the compiler keeps below it. */
#ifdef __x86_64__
#define SP "%%rsp"
#define P "%%rax"
#else
#define SP "%%esp"
#define P "%%eax"
#endif

#define AT_ADDRESS(prepare, R, memory)                                                            \
    do {                                                                                          \
        uint8_t got[16];                                                                          \
        __asm__ volatile("lea -256(" SP "), " SP "\n\tpush " R "\n\t" prepare                     \
                         "\n\tvprotd $7, " memory ", %%xmm0\n\tpop " R "\n\tlea 256(" SP "), " SP \
                         "\n\tvmovdqu %%xmm0, (%[got])"                                           \
                         : "+a"(p)                                                                \
                         : [got] "S"(got)                                                         \
                         : "memory", "xmm0", "xmm1");                                             \
        check_context("address " R " " memory);                                                   \
        CHECK_BYTES(expected, got, 16);                                                           \
    } while (0)

static void test_addresses(void)
{
    uint8_t expected[32] = {0};
    const operands *o = (const operands *)(const void *)words;
    uintptr_t p;
    check_random_bytes(words, sizeof words);
    model_rotate_immediate(o, expected, 32, 7);
#define WITH_REGISTER(R)                                                                  \
    p = (uintptr_t)words;                                                                 \
    AT_ADDRESS("mov " P ", " R, R, "(" R ")");                                            \
    p = (uintptr_t)words + 32;                                                            \
    AT_ADDRESS("mov " P ", " R, R, "-32(" R ")");                                         \
    p = (uintptr_t)words - 4096;                                                          \
    AT_ADDRESS("mov " P ", " R, R, "4096(" R ")");                                        \
    p = (uintptr_t)words - 32;                                                            \
    AT_ADDRESS("mov $2, " R, R, "16(" P "," R ",8)");                                     \
    AT_ADDRESS("mov $16, " R, R, "16(" R "," P ")");                                      \
    p = (uintptr_t)words - 64;                                                            \
    AT_ADDRESS("mov " P ", " R "\n\tshr $2, " R, R, "64(," R ",4)");                      \
    p = (uintptr_t)words;                                                                 \
    AT_ADDRESS("vmovdqu (" P "), %%xmm1\n\tvmovdqu %%xmm1, 64(" SP ")", R, "64(" SP ")"); \
    AT_ADDRESS("vmovdqu (" P "), %%xmm1\n\tvmovdqu %%xmm1, 64(" SP ")\n\tmov $16, " R, R, \
               "48(" SP "," R ")")
#ifdef __x86_64__
    WITH_REGISTER("%%rbx");
    WITH_REGISTER("%%rcx");
    WITH_REGISTER("%%rdx");
    WITH_REGISTER("%%rsi");
    WITH_REGISTER("%%rdi");
    WITH_REGISTER("%%rbp");
    WITH_REGISTER("%%r8");
    WITH_REGISTER("%%r9");
    WITH_REGISTER("%%r10");
    WITH_REGISTER("%%r11");
    WITH_REGISTER("%%r12");
    WITH_REGISTER("%%r13");
    WITH_REGISTER("%%r14");
    WITH_REGISTER("%%r15");
#else
    WITH_REGISTER("%%ebx");
    WITH_REGISTER("%%ecx");
    WITH_REGISTER("%%edx");
    WITH_REGISTER("%%esi");
    WITH_REGISTER("%%edi");
    WITH_REGISTER("%%ebp");
#endif
#undef WITH_REGISTER
    uint8_t got[16];
    check_context("address as the compiler writes it");
    __asm__ volatile("vprotd $7, %[words], %%xmm0\n\tvmovdqu %%xmm0, %[got]"
                     : [got] "=m"(got)
                     : [words] "m"(words)
                     : "xmm0");
    CHECK_BYTES(expected, got, 16);
}

/* ---- Instructions to refuse ---- */

static void add_across(void)
{
    __asm__ volatile("vphaddbw %%xmm0, %%xmm1" ::: "xmm1");
}

static void shift_too_far(void)
{
    __asm__ volatile("vpcmpeqb %%xmm0, %%xmm0, %%xmm0\n\tvpabsb %%xmm0, %%xmm0\n\tvpsllw $4, "
                     "%%xmm0, %%xmm0\n\tvpshlb %%xmm0, %%xmm1, %%xmm1" ::
                         : "xmm0", "xmm1");
}

static void no_instruction(void)
{
    __asm__ volatile("ud2");
}

static void check_refused(const char *what, void (*run)(void))
{
    int ended = -1;
    check_context("%s", what);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        run();
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &ended, 0) == child);
    CHECK(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGILL);
}

int main(int argument_count, char **arguments)
{
    check_options(&argument_count, arguments);
    if (!__builtin_cpu_supports("avx")) {
        printf("not checked: the emulator needs a CPU with AVX\n");
        return EXIT_SUCCESS;
    }
    xop_emulate();
    test_forms();
    test_addresses();
    check_refused("ud2", no_instruction);
    if (xop_emulated() != 0) {
        check_refused("an unknown instruction", add_across);
        check_refused("a shift by the element's width", shift_too_far);
    }
    printf("%lu instructions of XOP, %lu of AVX emulated\n", xop_emulated(), xop_followed());
    return check_report();
}
