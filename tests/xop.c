/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The XOP emulator against models that go bit by bit: every form on random operands, in low and
 * high registers, from memory in either place, through every kind of address; and that the upper
 * halves of the registers are zeroed as the CPU would. On a CPU that has XOP the same test judges
 * the models.
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

/* What an instruction makes of a, b and c; only the first 16 bytes unless it is a wide one. */
typedef void model(const operands *o, uint8_t d[32], unsigned bits, int count);

typedef struct form {
    const char *text;
    model *model;
    unsigned bits;
    int count; /* of an immediate */
} form;

/* ---- Models ---- */

static bool bit_of(const uint8_t *bytes, unsigned at)
{
    return (bytes[at / 8] >> at % 8 & 1) != 0;
}

static void set_bit(uint8_t *bytes, unsigned at)
{
    bytes[at / 8] |= (uint8_t)(1U << at % 8);
}

static void rotate_element(const uint8_t *from, uint8_t *to, unsigned bits, int count)
{
    for (unsigned i = 0; i < bits; i++) {
        if (bit_of(from, i)) {
            set_bit(to, (i + 256 + (unsigned)count) % bits);
        }
    }
}

static void model_rotate_immediate(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    for (unsigned at = 0; at < 16; at += bits / 8) {
        rotate_element(o->a + at, d + at, bits, count);
    }
}

static void model_rotate(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)count;
    for (unsigned at = 0; at < 16; at += bits / 8) {
        rotate_element(o->a + at, d + at, bits, (int8_t)o->b[at]);
    }
}

/* Bit i of the result is bit i - count, or what lies outside. */
static void shift_elements(const operands *o, uint8_t d[32], int bits, bool arithmetic)
{
    for (int at = 0; at < 16; at += bits / 8) {
        const bool sign = arithmetic && bit_of(o->a + at, (unsigned)bits - 1);
        for (int i = 0; i < bits; i++) {
            const int from = i - (int8_t)o->b[at];
            const bool bit = from >= bits ? sign : from >= 0 && bit_of(o->a + at, (unsigned)from);
            if (bit) {
                set_bit(d + at, (unsigned)i);
            }
        }
    }
}

static void model_shift_logical(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)count;
    shift_elements(o, d, (int)bits, false);
}

static void model_shift_arithmetic(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)count;
    shift_elements(o, d, (int)bits, true);
}

static void model_select(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)count;
    for (unsigned i = 0; i < bits; i++) {
        if (bit_of(bit_of(o->c, i) ? o->a : o->b, i)) {
            set_bit(d, i);
        }
    }
}

static void model_permute(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)bits;
    (void)count;
    for (unsigned i = 0; i < 16; i++) {
        const unsigned selector = o->c[i];
        const uint8_t *byte = (selector & 16) != 0 ? &o->b[selector & 15] : &o->a[selector & 15];
        for (unsigned k = 0; k < 8; k++) {
            bool bit = false;
            switch (selector >> 5) {
            case 0:
                bit = bit_of(byte, k);
                break;
            case 1:
                bit = !bit_of(byte, k);
                break;
            case 2:
                bit = bit_of(byte, 7 - k);
                break;
            case 3:
                bit = !bit_of(byte, 7 - k);
                break;
            case 4:
                bit = false;
                break;
            case 5:
                bit = true;
                break;
            case 6:
                bit = bit_of(byte, 7);
                break;
            default:
                bit = !bit_of(byte, 7);
                break;
            }
            if (bit) {
                set_bit(d + i, k);
            }
        }
    }
}

static uint64_t element(const uint8_t *bytes, unsigned bits)
{
    uint64_t x = 0;
    for (unsigned i = bits / 8; i-- > 0;) {
        x = x << 8 | bytes[i];
    }
    return x;
}

/* lt, le, gt, ge, eq, neq, false, true. */
static bool holds(bool less, bool equal, int condition)
{
    switch (condition) {
    case 0:
        return less;
    case 1:
        return less || equal;
    case 2:
        return !less && !equal;
    case 3:
        return !less;
    case 4:
        return equal;
    case 5:
        return !equal;
    default:
        return condition == 7;
    }
}

static void model_compare_unsigned(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    for (unsigned at = 0; at < 16; at += bits / 8) {
        const uint64_t a = element(o->a + at, bits);
        const uint64_t b = element(o->b + at, bits);
        memset(d + at, holds(a < b, a == b, count) ? 0xff : 0, bits / 8);
    }
}

static void model_compare_signed(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    for (unsigned at = 0; at < 16; at += bits / 8) {
        const uint64_t a = element(o->a + at, bits);
        const uint64_t b = element(o->b + at, bits);
        const bool a_negative = a >> (bits - 1) != 0;
        const bool less = a_negative == b >> (bits - 1) ? a < b : a_negative;
        memset(d + at, holds(less, a == b, count) ? 0xff : 0, bits / 8);
    }
}

static void model_add(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)count;
    for (unsigned at = 0; at < 16; at += bits / 8) {
        unsigned carry = 0;
        for (unsigned i = at; i < at + bits / 8; i++, carry >>= 8) {
            carry += o->a[i] + (unsigned)o->b[i];
            d[i] = (uint8_t)carry;
        }
    }
}

static void model_xor(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)bits;
    (void)count;
    for (unsigned i = 0; i < 16; i++) {
        d[i] = o->a[i] ^ o->b[i];
    }
}

/* Elements of a and b from a byte on, in turns. */
static void model_unpack(const operands *o, uint8_t d[32], unsigned bits, int first)
{
    const unsigned bytes = bits / 8;
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t *from = i / bytes % 2 == 0 ? o->a : o->b;
        d[i] = from[(unsigned)first + i / (2 * bytes) * bytes + i % bytes];
    }
}

static void model_align(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)bits;
    for (int i = count; i < 32 && i < count + 16; i++) {
        d[i - count] = i < 16 ? o->b[i] : o->a[i - 16];
    }
}

static void model_shuffle(const operands *o, uint8_t d[32], unsigned bits, int order)
{
    (void)bits;
    for (unsigned i = 0; i < 16; i++) {
        d[i] = o->b[4 * ((unsigned)order >> i / 4 * 2 & 3) + i % 4];
    }
}

static void model_move(const operands *o, uint8_t d[32], unsigned bits, int count)
{
    (void)bits;
    (void)count;
    memcpy(d, o->b, 16);
}

/* ---- Forms ---- */

#ifdef __x86_64__
#define HIGH_REGISTERS , "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#else
#define HIGH_REGISTERS
#endif
#define CLOBBERED "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7"

/* Where an instruction finds a, b and c: in registers A, B and C, or in memory. AT&T's order. */
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

/* AVX is looked at only behind an instruction of XOP. */
#define XOP_FIRST(C) "vprotb $1, %%xmm" C ", %%xmm" C "\n\t"
#define AFTER_XOP(m, D, A, B, C) XOP_FIRST(C) m " %%xmm" B ", %%xmm" A ", %%xmm" D
#define AFTER_XOP_WITH_MEMORY(m, D, A, B, C) XOP_FIRST(C) m " 32(%0), %%xmm" A ", %%xmm" D
#define AFTER_XOP_ONE(m, D, A, B, C) XOP_FIRST(C) m " %%xmm" B ", %%xmm" D
#define AFTER_XOP_ONE_OF_MEMORY(m, D, A, B, C) XOP_FIRST(C) m " 32(%0), %%xmm" D
#define AFTER_XOP_STORED(m, D, A, B, C) \
    XOP_FIRST(C) m " %%xmm" B ", 64(%0)\n\tvmovdqu 64(%0), %%xmm" D

/* Runs an instruction on operands in ymm registers D, A, B and C; it may name memory by %0. All of
   D is stored: what its upper half held before must be gone. */
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

/* Each place of an instruction has a low register, and in another set a high one. */
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

/* vprotd of words at an address that the text computes from %[p], which R may be made of. The stack
   pointer moves past what the compiler keeps below it. */
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

/* ---- What must not be computed ---- */

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
        check_refused("an instruction that it does not know", add_across);
        check_refused("a shift by as much as the element is wide", shift_too_far);
    }
    printf("%lu instructions of XOP, %lu of AVX emulated\n", xop_emulated(), xop_followed());
    return check_report();
}
